//! Where things are in a text, as an editor counts: lines and UTF-16 units from 0.

use std::path::PathBuf;

use serde_json::{Value, json};

/// The file of a `file:` address.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = vec![];
    let mut letters = path.bytes();
    while let Some(letter) = letters.next() {
        match letter {
            b'%' => {
                let digits = [letters.next()?, letters.next()?];
                let digits = std::str::from_utf8(&digits).ok()?.to_string();
                bytes.push(u8::from_str_radix(&digits, 16).ok()?);
            }
            other => bytes.push(other),
        }
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

/// The place of a byte.
pub fn position(text: &str, at: usize) -> Value {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

/// The range of the word at a line and column, both from 1, columns in bytes; of the line if
/// there is no such column.
pub fn word_at(text: &str, line: u64, column: u64) -> Value {
    let number = line.saturating_sub(1) as usize;
    let line = text.lines().nth(number).unwrap_or_default();
    let units = |text: &str| text.encode_utf16().count();
    let first = line.len() - line.trim_start().len();
    let start = match column {
        0 => first,
        column => (column as usize - 1).min(line.len()),
    };
    let start = (0..=start).rev().find(|&at| line.is_char_boundary(at)).unwrap_or_default();
    let rest = &line[start..];
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let length = match column {
        0 => rest.len(),
        _ => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
    };
    let length = length.max(rest.chars().next().map_or(0, char::len_utf8));
    let (begin, end) = (units(&line[..start]), units(&line[..start + length]));
    json!({
        "start": { "line": number, "character": begin },
        "end": { "line": number, "character": end },
    })
}

/// Where a kernel is in a text: its name, and behind the brace that opens its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The first byte of its name.
    pub name: usize,
    /// The byte behind `{`.
    pub body: usize,
}

/// Finds the definition of a kernel. The text is only looked at, not compiled: a kernel that a
/// macro makes is not found.
pub fn definition(text: &str, kernel: &str) -> Option<Definition> {
    let bare = kernel.split('<').next().unwrap_or(kernel);
    let bare = bare.rsplit("::").next().unwrap_or(bare);
    let is_word = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'_';
    let bytes = text.as_bytes();
    text.match_indices(bare).map(|(at, _)| at).find_map(|name| {
        let end = name + bare.len();
        let is_alone = (name == 0 || !is_word(bytes[name - 1]))
            && bytes.get(end).is_none_or(|&letter| !is_word(letter));
        let rest = text[end..].trim_start();
        if !is_alone || !rest.starts_with('(') {
            return None;
        }
        let open = end + (text[end..].len() - rest.len());
        let before = &text[..name];
        let since = before.rfind([';', '}']).map_or(0, |at| at + 1);
        let mut words =
            before[since..].split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        if !words.any(|word| matches!(word, "__global__" | "kernel" | "__kernel")) {
            return None;
        }
        let close = open + closing(&text[open..])?;
        let brace = close + text[close..].find(['{', ';'])?;
        (bytes[brace] == b'{').then_some(Definition { name, body: brace + 1 })
    })
}

/// The byte behind the parenthesis that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_by_name() {
        let text = "void scale(int);\n__global__ void __launch_bounds__(64) scale(int *a)\n{\n}\n\
                    int x; kernel void more(global int *b) {}\n";
        let found = definition(text, "scale").expect("a kernel");
        assert!(text[found.name..].starts_with("scale(int *a)"));
        assert!(text[..found.body].ends_with("\n{"));
        assert!(definition(text, "more").is_some());
        assert!(definition(text, "cale").is_none());
        assert!(definition("void scale(int) {}", "scale").is_none());
        assert!(definition("__global__ void scale(int);", "scale").is_none());
        let template = "template <int N> __global__ void t(int *a) { }";
        assert!(definition(template, "ns::t<4>").is_some());
    }

    #[test]
    fn places_are_counted_as_editors_do() {
        let text = "aé😀b c\nxyz";
        assert_eq!(
            position(text, text.find('b').expect("b")),
            json!({ "line": 0, "character": 4 })
        );
        assert_eq!(
            position(text, text.find('y').expect("y")),
            json!({ "line": 1, "character": 1 })
        );
        let word = word_at("  out[i] = 1;", 1, 3);
        assert_eq!(
            (&word["start"]["character"], &word["end"]["character"]),
            (&json!(2), &json!(5))
        );
        let line = word_at("  out[i] = 1;", 1, 0);
        assert_eq!(line["end"]["character"], 13);
        assert_eq!(word_at("é", 1, 2)["start"]["character"], 0);
        assert_eq!(word_at("", 9, 9)["start"]["line"], 8);
    }

    #[test]
    fn addresses_are_files() {
        assert_eq!(path_of("file:///a%20b/k.cu"), Some(PathBuf::from("/a b/k.cu")));
        assert_eq!(path_of("file://host/k.cu"), Some(PathBuf::from("/k.cu")));
        assert_eq!(path_of("untitled:1"), None);
        assert_eq!(path_of("file:///a%2"), None);
    }
}
