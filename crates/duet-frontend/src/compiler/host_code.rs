//! Functions of the host that don't compile: the device side is read without their bodies.
//!
//! Kernels don't depend on the bodies of host functions, but for the templates that these
//! instantiate. So a body in which clang finds an error is blanked, and its head becomes a
//! declaration; line and column of everything else stay. If the body held the only launch of
//! a template, that instance is not there to be judged, which the warning says.
//!
//! SOUNDNESS: a function that may be of the device keeps its body, and with it the error
//! (test `an_error_in_a_kernel_ends_the_file`): its head must not speak of `__global__` or
//! `__device__`, nor hold a macro whose definition does.

use std::collections::BTreeSet;
use std::ops::Range;

/// A function whose body was blanked.
pub struct Blanked {
    /// The new text.
    pub text: Vec<u8>,
    /// The head of the function, in one line.
    pub head: String,
}

/// Blanks the body of the host function around a place, if there is one. `marks` are the
/// macros that stand for a mark of the device.
pub fn without_body(
    text: &[u8],
    line: u32,
    column: u32,
    marks: &BTreeSet<String>,
) -> Option<Blanked> {
    let place = offset(text, line, column)?;
    let masked = mask(text);
    let body = function_around(&masked, place)?;
    let head = head_of(&masked, body.start)?;
    let words = std::str::from_utf8(&masked[head.clone()]).ok()?;
    let is_marked = |word: &str| DEVICE.contains(&word) || marks.contains(word);
    if words.split(|c: char| !is_part(c)).any(is_marked) {
        return None;
    }
    let mut blanked = text.to_vec();
    for byte in &mut blanked[body.clone()] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    blanked[body.start] = b';';
    let head = words.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Blanked { text: blanked, head })
}

/// Words that mark a function of the device, as the source or our headers spell them.
const DEVICE: &[&str] = &["__global__", "__device__", "__attribute__", "__attribute", "constexpr"];

/// The macros of a preprocessed text (`-dD`) that stand for a mark of the device, also
/// through others.
pub fn marks(preprocessed: &str) -> BTreeSet<String> {
    let definitions: Vec<(&str, &str)> = preprocessed
        .lines()
        .filter_map(|line| line.strip_prefix("#define "))
        .map(|line| line.split_at(line.find(|c: char| !is_part(c)).unwrap_or(line.len())))
        .collect();
    let mut marks = BTreeSet::new();
    loop {
        let before = marks.len();
        for (name, body) in &definitions {
            let is_mark = |word: &str| DEVICE.contains(&word) || marks.contains(word);
            if body.split(|c: char| !is_part(c)).any(is_mark) {
                marks.insert(name.to_string());
            }
        }
        if marks.len() == before {
            return marks;
        }
    }
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Where a line and a column are.
pub(super) fn offset(text: &[u8], line: u32, column: u32) -> Option<usize> {
    let starts = std::iter::once(0)
        .chain(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
    let start = starts.into_iter().nth(line.checked_sub(1)? as usize)?;
    let place = start + column.checked_sub(1)? as usize;
    (place < text.len()).then_some(place)
}

/// The text with comments, literals and lines of the preprocessor blanked.
pub(super) fn mask(text: &[u8]) -> Vec<u8> {
    let mut masked = text.to_vec();
    let mut at = 0;
    let mut is_line_start = true;
    while at < text.len() {
        let end = match text[at] {
            b'/' if text[at..].starts_with(b"//") => line_end(text, at),
            b'/' if text[at..].starts_with(b"/*") => {
                find(text, at + 2, b"*/").map_or(text.len(), |end| end + 2)
            }
            b'#' if is_line_start => line_end(text, at),
            b'R' if text[at..].starts_with(b"R\"") => raw_end(text, at),
            b'"' => literal_end(text, at),
            b'\'' if !is_separator(text, at) => literal_end(text, at),
            _ => at,
        };
        if end > at {
            masked[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|b| *b = b' ');
            at = end;
            continue;
        }
        is_line_start = text[at] == b'\n' || is_line_start && text[at].is_ascii_whitespace();
        at += 1;
    }
    masked
}

/// A mark between digits, as in `1'000`.
fn is_separator(text: &[u8], at: usize) -> bool {
    at > 0
        && text[at - 1].is_ascii_hexdigit()
        && text.get(at + 1).is_some_and(u8::is_ascii_hexdigit)
}

/// The end of a line, with those that it is continued by.
fn line_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() && (text[at] != b'\n' || text[at - 1] == b'\\') {
        at += 1;
    }
    at
}

fn literal_end(text: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < text.len() && text[at] != text[from] && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

fn raw_end(text: &[u8], from: usize) -> usize {
    let Some(open) = find(text, from, b"(") else { return from };
    let close = [b")", &text[from + 2..open], b"\""].concat();
    find(text, open, &close).map_or(text.len(), |end| end + close.len())
}

fn find(text: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    (from..text.len()).find(|&at| text[at..].starts_with(what))
}

/// The braces of the outermost function around a place: the first that are not those of a
/// namespace or a class.
fn function_around(masked: &[u8], place: usize) -> Option<Range<usize>> {
    let mut open = vec![];
    for (at, byte) in masked.iter().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => {
                let start = open.pop()?;
                let is_outermost = open.iter().all(|&outer| is_transparent(masked, outer));
                if (start..=at).contains(&place)
                    && is_outermost
                    && !is_transparent(masked, start)
                    && is_function(masked, start)
                {
                    return Some(start..at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The text between the last statement's end and a brace.
fn head_of(masked: &[u8], brace: usize) -> Option<Range<usize>> {
    let before = &masked[..brace];
    let start = before.iter().rposition(|byte| b";{}".contains(byte)).map_or(0, |at| at + 1);
    Some(start..brace)
}

fn words_before(masked: &[u8], brace: usize) -> String {
    let head = head_of(masked, brace).unwrap_or(brace..brace);
    String::from_utf8_lossy(&masked[head]).into_owned()
}

/// Is it the brace of a namespace or of a class?
fn is_transparent(masked: &[u8], brace: usize) -> bool {
    let head = words_before(masked, brace);
    let mut words = head.split(|c: char| !is_part(c)).filter(|word| !word.is_empty());
    let is_linkage = head.trim() == "extern";
    let is_scope = words.any(|word| matches!(word, "namespace" | "class" | "struct" | "union"));
    is_linkage || is_scope && !is_function(masked, brace)
}

/// Is it the brace of a function's body, by what stands before it: parameters, and no list of
/// initialisers?
fn is_function(masked: &[u8], brace: usize) -> bool {
    let head = words_before(masked, brace);
    let mut end = head.trim_end();
    for word in ["const", "noexcept", "override", "final"] {
        end = end.strip_suffix(word).unwrap_or(end).trim_end();
    }
    end.ends_with(')') && !head.contains('=')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{marks, without_body};

    fn blanked(text: &str, line: u32) -> Option<String> {
        let marks = BTreeSet::from(["KERNEL".to_string()]);
        let result = without_body(text.as_bytes(), line, 3, &marks)?;
        Some(String::from_utf8(result.text).expect("text"))
    }

    #[test]
    fn a_host_function_becomes_a_declaration() {
        let text = "int f(int a) {\n  bad(\"}\"); // }\n  if (a) { g(); }\n}\nint h;\n";
        let result = blanked(text, 2).expect("it is a host function");
        assert_eq!(result.lines().next(), Some("int f(int a) ;"));
        assert!(result.lines().skip(1).take(3).all(|line| line.trim().is_empty()), "{result}");
        assert_eq!(result.lines().nth(4), Some("int h;"));
    }

    #[test]
    fn a_function_of_the_device_stays() {
        assert_eq!(blanked("__global__ void k() {\n  bad();\n}\n", 2), None);
        assert_eq!(blanked("KERNEL void k() {\n  bad();\n}\n", 2), None);
        assert_eq!(blanked("struct S {\n  int x; __device__ int f() {\n  bad(); } };\n", 3), None);
        // A brace that is missing puts the host's function inside of the kernel.
        assert_eq!(blanked("__global__ void k() { if (1) {\n}\nint f() {\n  bad(); }\n", 4), None);
    }

    #[test]
    fn macros_are_marks_through_others() {
        let text = "#define A __device__\n#define B(x) A inline\n#define C 5\n";
        let marks = marks(text);
        assert!(marks.contains("A") && marks.contains("B") && !marks.contains("C"), "{marks:?}");
    }
}
