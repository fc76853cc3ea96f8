//! Pictures of a run: the threads on their way between barriers, and the part of an
//! array that they access. All sizes are in the units of the picture, which scales.

use super::code::letter_class;
use super::text::Text;
use crate::run::{Memory, MemoryAccess, WitnessThread};

/// The width of every picture.
const WIDTH: i64 = 380;

fn open(page: &mut Text, height: i64, label: &str) {
    page.raw("<svg").attribute("viewBox", &format!("0 0 {WIDTH} {height}"));
    page.attribute("role", "img").attribute("aria-label", label).raw(">\n");
}

fn label(page: &mut Text, x: i64, y: i64, class: &str, anchor: &str, text: &str) {
    page.raw("<text").attribute("x", &x.to_string()).attribute("y", &y.to_string());
    page.attribute("class", class).attribute("text-anchor", anchor).raw(">");
    page.text(text).raw("</text>\n");
}

fn rect(page: &mut Text, [x, y, width, height]: [i64; 4], class: &str) {
    let numbers = [("x", x), ("y", y), ("width", width), ("height", height)];
    page.raw("<rect").attribute("class", class);
    for (name, number) in numbers {
        page.attribute(name, &number.to_string());
    }
    page.raw("/>\n");
}

fn line(page: &mut Text, [x1, y1, x2, y2]: [i64; 4], class: &str) {
    page.raw("<path").attribute("class", class);
    page.attribute("d", &format!("M{x1} {y1}L{x2} {y2}")).raw("/>\n");
}

/// A lane for each thread, from the barrier that it passed last to the one that comes
/// next, with what it does in between.
pub fn threads(page: &mut Text, threads: &[WitnessThread], finding: usize) {
    if threads.is_empty() {
        return;
    }
    const LANE: i64 = 62;
    const TOP: i64 = 34;
    const LEFT: i64 = 8;
    const RIGHT: i64 = WIDTH - 8;
    let bottom = TOP + LANE * threads.len() as i64;
    page.raw("<figure class=\"picture threads\">\n");
    open(page, bottom + 6, "the threads between barriers");
    let (start, end) = (&threads[0], &threads[0]);
    label(page, LEFT, 16, "when", "start", &boundary(start.since, "start of the kernel"));
    label(page, RIGHT, 16, "when", "end", &boundary(end.until, "end of the kernel"));
    rect(page, [LEFT, 24, 4, bottom - 22], "barrier");
    rect(page, [RIGHT - 4, 24, 4, bottom - 22], "barrier");
    // One after the other, as the run had it; nothing keeps them so.
    let dot = |number: usize| (90 + 80 * number as i64, TOP + LANE * number as i64 + 40);
    if threads.len() > 1 {
        let ((x1, y1), (x2, y2)) = (dot(0), dot(1));
        line(page, [x1, y1, x2, y2], "meets");
    }
    for (number, thread) in threads.iter().enumerate() {
        let (x, y) = dot(number);
        let letter = (b'A' + number as u8) as char;
        label(page, LEFT + 14, y - 25, "who", "start", &thread.name);
        line(page, [LEFT + 4, y, RIGHT - 4, y], "lane");
        page.raw("<a").attribute("href", &format!("#finding-{finding}-{letter}")).raw(">");
        page.raw("<circle").attribute("class", &format!("dot {}", letter_class(letter)));
        page.attribute("cx", &x.to_string()).attribute("cy", &y.to_string());
        page.attribute("r", "9").raw("/>");
        label(page, x, y + 4, "letter", "middle", &letter.to_string());
        page.raw("</a>");
        label(page, x + 14, y - 8, "what", "start", &deed(thread));
    }
    page.raw("</svg>\n<figcaption>");
    page.text(match threads.len() {
        1 => "Where the thread is when it happens.",
        _ => "Between these barriers nothing orders the two.",
    });
    page.raw("</figcaption></figure>\n");
}

fn boundary(line: Option<u32>, otherwise: &str) -> String {
    line.map_or(otherwise.to_string(), |line| format!("barrier in line {line}"))
}

/// `writes, line 12, iteration 3`.
fn deed(thread: &WitnessThread) -> String {
    let mut text = thread.action.clone();
    if let Some(line) = thread.line {
        text += &format!(", line {line}");
    }
    if let Some((_, iteration)) = thread.iterations.last() {
        text += &format!(", iteration {iteration}");
    }
    text
}

/// The part of an array that a picture shows, by bytes.
struct Window {
    first: i64,
    bytes: i64,
}

/// No picture is of more: an access may be anywhere.
const FARTHEST: i64 = 1 << 48;

impl Window {
    /// All accesses and an element or two around them.
    fn of(memory: &Memory) -> Window {
        let element = memory.element.clamp(1, 1 << 20) as i64;
        let near = |byte: i64| byte.clamp(-FARTHEST, FARTHEST);
        let starts = memory.accesses.iter().map(|access| near(access.offset));
        let ends = memory.accesses.iter().map(|access| {
            near(access.offset) + near(i64::try_from(access.bytes).unwrap_or(FARTHEST))
        });
        let mut first = starts.min().unwrap_or(0).div_euclid(element) * element - 2 * element;
        let mut last = ends.max().unwrap_or(0) + 2 * element;
        // An access outside has the end of the array in the picture too.
        if let Some(size) = memory.size {
            let size = near(i64::try_from(size).unwrap_or(FARTHEST));
            first = first.min(size - 2 * element);
            last = last.max(size + element);
        }
        if first < 0 && memory.accesses.iter().all(|access| access.offset >= 0) {
            first = 0;
        }
        Window { first, bytes: (last - first).max(1) }
    }

    /// Where a byte is in the picture.
    fn x(&self, byte: i64) -> i64 {
        let inside = byte.saturating_sub(self.first).clamp(0, self.bytes);
        8 + (i128::from(inside) * i128::from(WIDTH - 16) / i128::from(self.bytes)) as i64
    }

    /// The place of some bytes: where they start and how wide they are.
    fn span(&self, offset: i64, bytes: u64) -> (i64, i64) {
        let end = offset.saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX));
        let (start, end) = (self.x(offset), self.x(end));
        // Something of it is seen, and inside.
        let start = start.min(WIDTH - 10);
        (start, (end - start).max(2))
    }
}

/// Elements as cells, with the bytes of each access above or below them.
pub fn memory(page: &mut Text, memory: &Memory) {
    let window = Window::of(memory);
    page.raw("<figure class=\"picture memory\">\n");
    let height = if memory.accesses.len() > 1 { 122 } else { 84 };
    open(page, height, "the bytes that are accessed");
    cells(page, memory, &window);
    for (number, access) in memory.accesses.iter().enumerate() {
        let letter = (b'A' + number as u8) as char;
        bar(page, access, letter, &window, if number == 0 { 26 } else { 86 });
    }
    if let Some((first, bytes)) = memory.overlap {
        let (x, width) = window.span(first, bytes);
        rect(page, [x, 44, width, 34], "overlap");
    }
    page.raw("</svg>\n<figcaption>").prose(&caption(memory)).raw("</figcaption></figure>\n");
}

/// The most cells that are drawn one by one.
const MOST_CELLS: i64 = 120;

fn cells(page: &mut Text, memory: &Memory, window: &Window) {
    let element = memory.element.max(1) as i64;
    let from = window.first.div_euclid(element);
    let until = (window.first + window.bytes).div_euclid(element);
    let many = (until - from).max(1);
    if many > MOST_CELLS {
        rect(page, [8, 48, WIDTH - 16, 26], "cell");
        label(page, 14, 65, "index", "start", &from.to_string());
        label(page, WIDTH - 14, 65, "index", "end", &(until - 1).to_string());
    } else {
        // Not more numbers than fit.
        let step = (many + 9) / 10;
        for index in from..until {
            let (x, width) = window.span(index * element, element as u64);
            let outside =
                index < 0 || memory.size.is_some_and(|size| (index + 1) * element > size as i64);
            rect(page, [x, 48, width, 26], if outside { "cell outside" } else { "cell" });
            if index.rem_euclid(step) == 0 {
                label(page, x + width / 2, 65, "index", "middle", &index.to_string());
            }
        }
    }
    if let Some(size) = memory.size {
        let x = window.x(size as i64);
        line(page, [x, 40, x, 82], "end");
    }
}

/// A bar over the bytes of an access, with its letter and what it does.
fn bar(page: &mut Text, access: &MemoryAccess, letter: char, window: &Window, y: i64) {
    let (x, width) = window.span(access.offset, access.bytes);
    rect(page, [x, y, width, 12], &format!("bar {}", letter_class(letter)));
    let value = access.value.as_ref().map(|value| format!(" {value}")).unwrap_or_default();
    let text = format!("{letter} {}{value}", access.action);
    let line = if y < 48 { y - 6 } else { y + 27 };
    match x > WIDTH / 2 {
        true => label(page, x + width, line, "what", "end", &text),
        false => label(page, x, line, "what", "start", &text),
    }
}

fn caption(memory: &Memory) -> String {
    let unit = match memory.element {
        0 | 1 => "bytes".to_string(),
        element => format!("elements of {element} bytes"),
    };
    let name = &memory.array;
    match (memory.overlap, memory.size) {
        (Some((first, 1)), _) => format!("`{name}` in {unit}; byte {first} is touched by both."),
        (Some((first, bytes)), _) => {
            let last = first + bytes as i64 - 1;
            format!("`{name}` in {unit}; bytes {first} to {last} are touched by both.")
        }
        (None, Some(size)) => format!("`{name}` in {unit}; it ends after {size} bytes."),
        (None, None) => format!("`{name}` in {unit}."),
    }
}
