//! The output of a terminal as a picture: text with colour codes becomes one SVG
//! file that needs no fonts or styles from elsewhere. Every piece of text is told its
//! width, so that columns stay columns in whatever font there is.

use std::fmt::Write as _;

use crate::html::escape;

const FONT_SIZE: f64 = 14.0;
const COLUMN: f64 = 8.4;
const LINE: f64 = 19.0;
const MARGIN: f64 = 14.0;

/// Colours 0 to 7 and their bright forms, on a dark ground.
const COLORS: [&str; 16] = [
    "#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9",
    "#7f8896", "#ff7b86", "#a9d98a", "#f0d399", "#7cc0ff", "#d99bea", "#70ccd6", "#ffffff",
];

/// How a piece of text looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Style {
    color: Option<usize>,
    bold: bool,
}

/// A terminal's text, with its colour codes, as a picture.
pub fn render_svg(text: &str) -> String {
    let lines: Vec<Vec<(Style, String)>> = styled_lines(text);
    let columns = |line: &Vec<(Style, String)>| -> usize {
        line.iter().map(|(_, text)| text.chars().count()).sum()
    };
    let widest = lines.iter().map(columns).max().unwrap_or(0);
    let width = 2.0 * MARGIN + COLUMN * widest as f64;
    let height = 2.0 * MARGIN + LINE * lines.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e222a\"/>\n\
         <g font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"{FONT_SIZE}\" fill=\"#d8dee9\" xml:space=\"preserve\">\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let y = MARGIN + LINE * (number as f64 + 0.75);
        let mut column = 0;
        for (style, text) in line {
            write_piece(&mut svg, (column, y), *style, text);
            column += text.chars().count();
        }
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn write_piece(svg: &mut String, (column, y): (usize, f64), style: Style, text: &str) {
    let shown = text.trim_start();
    if shown.is_empty() {
        return;
    }
    let column = column + text.chars().count() - shown.chars().count();
    let shown = shown.trim_end();
    let (x, width) = (MARGIN + COLUMN * column as f64, COLUMN * shown.chars().count() as f64);
    let color = style.color.map_or(String::new(), |color| format!(" fill=\"{}\"", COLORS[color]));
    let bold = if style.bold { " font-weight=\"bold\"" } else { "" };
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{width:.1}\" \
         lengthAdjust=\"spacingAndGlyphs\"{color}{bold}>{}</text>",
        escape(shown)
    );
}

/// Lines of pieces that look alike.
fn styled_lines(text: &str) -> Vec<Vec<(Style, String)>> {
    let mut style = Style::default();
    text.lines().map(|line| styled_pieces(line, &mut style)).collect()
}

fn styled_pieces(line: &str, style: &mut Style) -> Vec<(Style, String)> {
    let mut pieces: Vec<(Style, String)> = vec![];
    let mut rest = line;
    while !rest.is_empty() {
        let (plain, code) = match rest.split_once("\x1b[") {
            Some((plain, after)) => (plain, after.split_once('m')),
            None => (rest, None),
        };
        match pieces.last_mut() {
            Some((last, text)) if last == style => text.push_str(plain),
            _ if !plain.is_empty() => pieces.push((*style, plain.to_string())),
            _ => {}
        }
        let Some((code, after)) = code else { break };
        style.apply(code);
        rest = after;
    }
    pieces
}

impl Style {
    /// Changes with a code between `ESC [` and `m`; unknown ones change nothing.
    fn apply(&mut self, code: &str) {
        let numbers: Vec<usize> = code.split(';').map(|word| word.parse().unwrap_or(0)).collect();
        if let [38, 5, color] = numbers[..] {
            self.color = (color < 16).then_some(color);
            return;
        }
        for number in numbers {
            match number {
                0 => *self = Style::default(),
                1 => self.bold = true,
                30..=37 => self.color = Some(number - 30),
                39 => self.color = None,
                90..=97 => self.color = Some(number - 82),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Style, render_svg, styled_lines};

    #[test]
    fn codes_become_styles() {
        let lines = styled_lines("a \x1b[1m\x1b[91mb\x1b[0m\nc");
        let red = Style { color: Some(9), bold: true };
        let plain = Style::default();
        assert_eq!(lines[0], [(plain, "a ".to_string()), (red, "b".to_string())]);
        assert_eq!(lines[1], [(plain, "c".to_string())]);
    }

    #[test]
    fn text_keeps_its_column_and_is_escaped() {
        let svg = render_svg("\x1b[94m   |\x1b[0m a<b");
        assert!(svg.contains("x=\"39.2\""), "{svg}");
        assert!(svg.contains(">a&lt;b</text>"), "{svg}");
        assert!(!svg.contains('\x1b'));
    }
}
