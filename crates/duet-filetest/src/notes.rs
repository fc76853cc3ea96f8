//! Expectations as comments at the end of the line that they are about:
//! `v3 = add i32 v1, v9 ; error: v9 is not defined`.

/// Stands between the messages about one line.
const SEPARATOR: &str = " | ";

/// The text without its notes. A note starts with the marker, such as
/// `; error:`, and goes to the end of the line.
pub fn strip(text: &str, marker: &str) -> String {
    let lines = text.lines().map(|line| match line.find(marker) {
        Some(at) => line[..at].trim_end(),
        None => line,
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// The text with a note for each message, at its line (from 1). Messages about
/// lines after the last go to the last.
pub fn add(text: &str, marker: &str, messages: &[(u32, String)]) -> String {
    let count = text.lines().count();
    let mut result = String::new();
    for (n, line) in text.lines().enumerate() {
        let here: Vec<&str> = messages
            .iter()
            .filter(|(at, _)| (*at as usize).clamp(1, count) == n + 1)
            .map(|(_, message)| message.as_str())
            .collect();
        result.push_str(line);
        if !here.is_empty() {
            result.push_str(&format!(" {marker} {}", here.join(SEPARATOR)));
        }
        result.push('\n');
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{add, strip};

    #[test]
    fn strip_undoes_add() {
        let text = "a\n  b\nc\n";
        let messages = [(2, "x".to_string()), (9, "z".to_string()), (2, "y".to_string())];
        let noted = add(text, "; error:", &messages);
        assert_eq!(noted, "a\n  b ; error: x | y\nc ; error: z\n");
        assert_eq!(strip(&noted, "; error:"), text);
    }
}
