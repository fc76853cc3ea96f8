//! Suggested barriers, fences and accesses as lines of the source: where exactly the line goes, and
//! whether a line can go there at all.
//!
//! A barrier is suggested for a place in the kernel. A line of its own has the same
//! meaning only between complete statements: after one that ends with `;`, after `{`
//! or `}`. After `if (...)` or `for (...)` it would become the body, so nothing is
//! suggested there. A line that takes the place of another stands where that one stood.

use std::path::PathBuf;

use duet_engine::mend::{Place, Suggestion};
use duet_ir::{Diagnostic, Fix, SourceSpan};

/// The message with the suggestion, if it has a place in the text of the file.
pub fn attach(diagnostic: Diagnostic, suggestion: &Suggestion) -> Diagnostic {
    let text = std::fs::read_to_string(&suggestion.near.file);
    let Some(fix) = text.ok().and_then(|text| fix(suggestion, &text)) else { return diagnostic };
    let help = fix.description.clone();
    Diagnostic { fix: Some(fix), ..diagnostic.help(help) }
}

/// Can a line of its own go there, in the file of the span?
pub fn may_stand(near: &SourceSpan, place: Place) -> bool {
    let text = std::fs::read_to_string(&near.file);
    text.is_ok_and(|text| position(&text, place).is_some())
}

/// The text of the file that a span is in.
pub fn source(near: &SourceSpan) -> Option<String> {
    std::fs::read_to_string(&near.file).ok()
}

/// The whole file with the suggested line, if it has a place in it.
pub fn edited(suggestion: &Suggestion) -> Option<(PathBuf, Fix, String)> {
    let file = suggestion.near.file.clone();
    let text = std::fs::read_to_string(&file).ok()?;
    let fix = fix(suggestion, &text)?;
    let before: usize = text.split_inclusive('\n').take(fix.line as usize - 1).map(str::len).sum();
    let behind = &text[before..];
    let left = match fix.replaces {
        true => behind.split_once('\n').map_or("", |(_, left)| left),
        false => behind,
    };
    let edited = format!("{}{}{left}", &text[..before], fix.text);
    Some((file, fix, edited))
}

fn fix(suggestion: &Suggestion, source: &str) -> Option<Fix> {
    let (line, indent) = position(source, suggestion.place)?;
    let replaces = matches!(suggestion.place, Place::Instead(_));
    let outcome = match suggestion.proves {
        true => "the kernel is proved with it",
        false => "this finding is gone with it, and no other appears",
    };
    Some(Fix {
        description: format!(
            "put `{}` {} line {line} of {}: {outcome}",
            suggestion.text.trim(),
            if replaces { "instead of" } else { "before" },
            suggestion.near.file.display()
        ),
        file: suggestion.near.file.clone(),
        line,
        replaces,
        text: format!("{indent}{}\n", suggestion.text),
    })
}

/// The line before which a new one goes, and its indentation.
fn position(source: &str, place: Place) -> Option<(u32, String)> {
    let lines: Vec<&str> = source.lines().collect();
    let (line, indent) = match place {
        Place::Before(line) => (line, indent_before(&lines, line)?),
        // The text has the indentation of the line that it replaces.
        Place::Instead(line) => return Some((line, String::new())),
        Place::AtLoopEnd(last) => {
            let brace = next_code(&lines, last + 1)?;
            let closes = code(lines.get(brace as usize - 1)?).starts_with('}');
            (closes.then_some(brace)?, indent_of(&lines, last)?)
        }
    };
    let before = (1..line).rev().find_map(|number| {
        let text = code(lines.get(number as usize - 1)?);
        (!text.is_empty()).then_some(text)
    })?;
    before.ends_with([';', '{', '}']).then_some((line, indent))
}

/// A line without comment and white space.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default().trim()
}

/// The first line from here that holds code.
fn next_code(lines: &[&str], from: u32) -> Option<u32> {
    (from..=lines.len() as u32).find(|&number| !code(lines[number as usize - 1]).is_empty())
}

fn indent_of(lines: &[&str], line: u32) -> Option<String> {
    let text = lines.get(line as usize - 1)?;
    Some(text.chars().take_while(|c| c.is_whitespace()).collect())
}

/// The indentation of a statement before a line: before a closing brace, that of what the
/// brace ends.
fn indent_before(lines: &[&str], line: u32) -> Option<String> {
    let closes = code(lines.get(line as usize - 1)?).starts_with('}');
    let inside = (1..line).rev().find(|&number| !code(lines[number as usize - 1]).is_empty());
    indent_of(lines, if closes { inside.unwrap_or(line) } else { line })
}

#[cfg(test)]
mod tests {
    use super::fix;
    use duet_engine::mend::{Place, Suggestion};
    use duet_ir::SourceSpan;

    fn placed(source: &str, place: Place) -> Option<(u32, String)> {
        let near = SourceSpan { file: "k.cu".into(), line: 1, column: 1 };
        let text = "__syncthreads();".to_string();
        let one = Suggestion { finding: 0, place, near, text, proves: true };
        fix(&one, source).map(|fix| (fix.line, fix.text))
    }

    #[test]
    fn a_line_goes_between_statements_only() {
        let source = "{\n  a();\n  if (x)\n    b();\n  for (;;) {\n    c(); // d\n\n  }\n}\n";
        let line = |number, text: &str| Some((number, format!("{text}__syncthreads();\n")));
        assert_eq!(placed(source, Place::Before(3)), line(3, "  "));
        assert_eq!(placed(source, Place::Before(4)), None);
        assert_eq!(placed(source, Place::Before(6)), line(6, "    "));
        assert_eq!(placed(source, Place::AtLoopEnd(6)), line(8, "    "));
        assert_eq!(placed(source, Place::AtLoopEnd(4)), None);
        assert_eq!(placed(source, Place::Before(8)), line(8, "    "));
        assert_eq!(placed(source, Place::Instead(4)), line(4, ""));
    }
}
