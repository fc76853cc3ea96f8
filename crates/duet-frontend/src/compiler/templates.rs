//! Kernel templates that a source declares, found in its preprocessed text.
//!
//! Only messages rest on this: a file without kernels is told which templates it has.
//! Here is also whether two spellings name the same instance of a template.

/// How clang spells the attribute of a kernel.
const KERNEL: &str = "__attribute__((global))";

/// The kernel templates of a preprocessed text, as `name<parameters>`.
pub fn kernel_templates(text: &str) -> Vec<String> {
    // Lines that begin so tell places, not code.
    let code: String =
        text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, " "]).collect();
    let mut found: Vec<String> = vec![];
    for (at, _) in code.match_indices(KERNEL) {
        let Some(parameters) = template_before(&code[..at]) else { continue };
        let Some(name) = name_after(&code[at + KERNEL.len()..]) else { continue };
        let one = format!("{name}<{parameters}>");
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// Do the two name the same instance? Namespaces, blanks and suffixes of numbers don't
/// matter, and `unsigned` is `unsigned int`.
pub fn is_same_instance(wanted: &str, name: &str) -> bool {
    plain_instance(wanted) == plain_instance(name)
}

fn plain_instance(name: &str) -> String {
    let (head, arguments) = name.split_at(name.find('<').unwrap_or(name.len()));
    let head = head.rsplit("::").next().unwrap_or(head);
    let dense: String = arguments.split_whitespace().collect();
    let mut plain = head.trim().to_string();
    let mut in_number = false;
    for character in dense.replace("unsignedint", "unsigned").chars() {
        in_number =
            character.is_ascii_digit() || in_number && matches!(character, 'u' | 'U' | 'l' | 'L');
        if !in_number || character.is_ascii_digit() {
            plain.push(character);
        }
    }
    plain
}

/// The parameters of the template whose declaration a text ends in.
fn template_before(text: &str) -> Option<String> {
    let start = text.rfind([';', '}', '{']).map_or(0, |at| at + 1);
    let declaration = text[start..].trim_start();
    let rest = declaration.strip_prefix("template")?.trim_start().strip_prefix('<')?;
    let end = closing(rest)?;
    let words: Vec<&str> = rest[..end].split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Where the bracket closes that was open at the start.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, character) in text.char_indices() {
        match character {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The name that is declared: the word before the parameters. Attributes have
/// parentheses, too.
fn name_after(text: &str) -> Option<String> {
    let mut rest = text;
    loop {
        let open = rest.find('(')?;
        let word = rest[..open].trim_end().rsplit(|c: char| !is_name(c)).next()?;
        if !word.starts_with("__attribute") && word != "__launch_bounds__" && !word.is_empty() {
            return Some(word.to_string());
        }
        let inner = &rest[open + 1..];
        let mut depth = 1;
        let end = inner.char_indices().find(|(_, character)| {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        rest = &inner[end.0 + 1..];
    }
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::{is_same_instance, kernel_templates};

    #[test]
    fn spellings_of_an_instance() {
        assert!(is_same_instance("q::apply<unsigned,4>", "apply<unsigned int, 4U>"));
        assert!(is_same_instance("apply<float, 16>", "apply<float, 16>"));
        assert!(!is_same_instance("apply<float, 16>", "apply<float, 1>"));
        assert!(!is_same_instance("apply<float>", "fill<float>"));
    }

    #[test]
    fn templates_and_only_templates() {
        let text = "# 1 \"k.cu\"\nint x;\ntemplate <class T,\n   int N> __attribute__((global)) void \
                    apply(T *a);\n__attribute__((global)) void plain(int *a) {}\nnamespace q { \
                    template<typename T> __attribute__((global)) void \
                    __attribute__((launch_bounds(64))) fill(T *a, T v) { a[0] = v; } }";
        assert_eq!(kernel_templates(text), ["apply<class T, int N>", "fill<typename T>"]);
        assert!(
            kernel_templates("template <class T> T f(T x); __attribute__((global)) void k();")
                .is_empty()
        );
    }
}
