//! Which texts may be given to the compiler: those that read no file but our own headers.
//!
//! A directive begins with `#` (or `%:`, or `??=`) in the text itself: no macro makes one. So
//! the text is searched for such a sign, wherever it stands, and the word behind it must be one
//! of those that read nothing, or include one of our headers by name. Signs in comments and
//! literals are looked at in the same way: a text may be refused that would do no harm, and
//! never the other way round.

/// Headers of ours that kernels include.
const HEADERS: &[&str] = &[
    "cooperative_groups.h",
    "cuda.h",
    "cuda_fp16.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "math_constants.h",
];

/// Directives that read no file.
const HARMLESS: &[&str] = &[
    "define", "elif", "elifdef", "elifndef", "else", "endif", "error", "if", "ifdef", "ifndef",
    "undef", "unroll", "warning",
];

/// Words that look at files.
const FILES: &[&str] = &[
    "__has_include",
    "__has_include_next",
    "__has_embed",
    "_Pragma",
    "__pragma",
    "__FILE__",
    "__BASE_FILE__",
    "__TIMESTAMP__",
    "asm",
    "__asm",
    "__asm__",
];

/// Why the text is not compiled, if it is not.
pub fn refused(text: &str) -> Option<String> {
    if text.contains('\0') {
        return Some("the text holds a NUL".to_string());
    }
    if text.contains("??") {
        return Some("trigraphs are not read here".to_string());
    }
    let text = spliced(text);
    if let Some(word) = FILES.iter().find(|word| has_word(&text, word)) {
        return Some(format!("`{word}` is not allowed here"));
    }
    let signs = text.match_indices('#').map(|(at, _)| at + 1);
    let others = text.match_indices("%:").map(|(at, _)| at + 2);
    signs.chain(others).find_map(|at| directive(&text[at..]))
}

/// The text with lines put together that end with a backslash, blanks behind it or not.
fn spliced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let behind = rest[at + 1..].trim_start_matches([' ', '\t', '\r', '\x0b', '\x0c']);
        out.push_str(&rest[..at]);
        match behind.strip_prefix('\n') {
            Some(next) => rest = next,
            None => {
                out.push('\\');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter)
    })
}

/// What stands behind blanks and comments.
fn behind_blanks(mut text: &str) -> &str {
    loop {
        let rest = text.trim_start();
        text = if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, rest)| rest)
        } else if let Some(comment) = rest.strip_prefix("//") {
            comment.split_once('\n').map_or("", |(_, rest)| rest)
        } else {
            return rest;
        };
    }
}

/// Why what stands behind the sign of a directive is refused, if it is.
fn directive(text: &str) -> Option<String> {
    let rest = behind_blanks(text);
    let word: String = rest.chars().take_while(|&letter| is_letter(letter)).collect();
    // `#` alone, the two operators of macros, and a number of a line.
    if word.is_empty() && !rest.starts_with('\\') {
        return None;
    }
    if HARMLESS.contains(&word.as_str()) || is_operand(text, &word) {
        return None;
    }
    let rest = behind_blanks(&rest[word.len()..]);
    match word.as_str() {
        "include" => included(rest),
        "pragma" => {
            let first: String = rest.chars().take_while(|&letter| is_letter(letter)).collect();
            let is_fine = matches!(first.as_str(), "unroll" | "once");
            (!is_fine).then(|| format!("`#pragma {first}` is not allowed here"))
        }
        _ => Some(format!("`#{word}` is not allowed here")),
    }
}

/// Is it the operand of `#` or `##` in a macro: no blank between, and no directive's name?
fn is_operand(text: &str, word: &str) -> bool {
    let names = ["include", "include_next", "import", "embed", "pragma", "line", "ident", "sccs"];
    let others = ["__include_macros", "__public_macro", "__private_macro", "assert", "unassert"];
    // A letter by its number would go on with the word.
    let is_whole = text.strip_prefix(word).is_some_and(|rest| !rest.starts_with('\\'));
    is_whole && !word.is_empty() && !names.contains(&word) && !others.contains(&word)
}

fn included(rest: &str) -> Option<String> {
    let line = rest.lines().next().unwrap_or_default();
    let close = match line.chars().next() {
        Some('"') => '"',
        Some('<') => '>',
        _ => return Some("an include must name its file".to_string()),
    };
    let name = line[1..].split(close).next().unwrap_or_default();
    match HEADERS.contains(&name) {
        true => None,
        false => Some(format!("`{name}` is no header that may be included here")),
    }
}

#[cfg(test)]
mod tests {
    use super::refused;

    #[test]
    fn kernels_are_read() {
        for text in [
            "__global__ void k(int *a) { a[threadIdx.x] = 1; }",
            "#include <cuda_runtime.h>\n  #  define N 4\n#if N > 3\n#pragma unroll\n#endif\n",
            "#define S(x) #x\n#define C(a, b) a##b\nint C(x, 1);\n#undef S\n#\n",
            "%:define A 1\n",
        ] {
            assert_eq!(refused(text), None, "{text}");
        }
    }

    #[test]
    fn files_are_not() {
        for text in [
            "#include \"/etc/passwd\"\n",
            "#include </etc/passwd>\n",
            "#include \"../../secret\"\n",
            "#include \"cuda.h/../../etc/passwd\"\n",
            "  #  include \"x.h\"\n",
            "#/* c */include \"x.h\"\n",
            "# /* a\n b */ include \"x.h\"\n",
            "/* c */ #include \"x.h\"\n",
            "#inc\\\nlude \"/etc/passwd\"\n",
            "#inc\\  \nlude \"/etc/passwd\"\n",
            "#\\\ninclude \"/etc/passwd\"\n",
            "\\\n#include \"/etc/passwd\"\n",
            "%:include \"/etc/passwd\"\n",
            "%\\\n:include \"/etc/passwd\"\n",
            "??=include \"/etc/passwd\"\n",
            "#define P \"/etc/passwd\"\n#include P\n",
            "#include_next <cuda.h>\n",
            "#import \"/etc/passwd\"\n",
            "char a[] = {\n#embed \"/etc/passwd\"\n};\n",
            "#if __has_include(\"/etc/passwd\")\n#endif\n",
            "#if __has_em\\\nbed(\"/etc/passwd\")\n#endif\n",
            "#pragma GCC dependency \"/etc/passwd\"\n",
            "#pragma clang module import x\n",
            "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")\n",
            "#line 1 \"/etc/passwd\"\n",
            "asm(\".incbin \\\"/etc/passwd\\\"\");\n",
            "const char *s = \"/*\";\n#include \"/etc/passwd\"\nconst char *t = \"*/\";\n",
            "R\"(\n#include \"/etc/passwd\"\n)\"\n",
            "#in\\u0063lude \"/etc/passwd\"\n",
            "#\\u0069nclude \"/etc/passwd\"\n",
            "\0",
        ] {
            assert!(refused(text).is_some(), "{text}");
        }
    }
}
