//! Where the token ends that starts at a given place: a diagnostic names a
//! column, and the reader wants the whole word underlined. This is no lexer:
//! comments, preprocessor lines and raw strings are not told apart.

/// Operators of more than one character, longest first.
const OPERATORS: [&str; 27] = [
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "##",
];

/// Length in bytes of the token at the start of `text`. It is 0 for an empty
/// text and at least one character for any other.
pub fn token_length(text: &str) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    if is_word(first) {
        return word_length(text, first.is_ascii_digit());
    }
    if first == '"' || first == '\'' {
        return literal_length(text, first);
    }
    let operator = OPERATORS.iter().find(|operator| text.starts_with(**operator));
    operator.map_or(first.len_utf8(), |operator| operator.len())
}

/// Identifiers may hold any letter: clang takes UTF-8 in names.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A name, or a number with its point (`1.5f`).
fn word_length(text: &str, number: bool) -> usize {
    text.find(|c| !(is_word(c) || number && c == '.')).unwrap_or(text.len())
}

/// A string or a character, to its closing quote or the end of the line.
fn literal_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (position, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return position + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::token_length;

    #[track_caller]
    fn check(text: &str, token: &str) {
        assert_eq!(&text[..token_length(text)], token, "in {text:?}");
    }

    #[test]
    fn names_and_numbers_are_whole_words() {
        check("threadIdx.x + 1", "threadIdx");
        check("größe = 1", "größe");
        check("1.5f * x", "1.5f");
        check("0x1F)", "0x1F");
        check("n", "n");
    }

    #[test]
    fn operators_take_the_longest_match() {
        check("<<<1, 2>>>", "<<<");
        check("<<= 3", "<<=");
        check("+= 3", "+=");
        check("= 3", "=");
        check("[i]", "[");
        check("->x", "->");
    }

    #[test]
    fn strings_end_at_their_quote() {
        check(r#""a\"b" c"#, r#""a\"b""#);
        check(r#""a\\" c"#, r#""a\\""#);
        check("\"open", "\"open");
        check("'x' y", "'x'");
    }

    #[test]
    fn blanks_and_the_end_of_the_line_are_no_trouble() {
        check(" x", " ");
        check("\tx", "\t");
        check("→x", "→");
        check("", "");
    }
}
