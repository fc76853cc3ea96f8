//! Preconditions of kernels that the project file gives: `requires = ["scale: n % 4 == 0"]`.
//!
//! Each is put at the start of the kernel's body as `__requires(n % 4 == 0);`, so that it
//! means what it means there: the compiler resolves its names, and verdicts list it among
//! what they assume.

use std::str::FromStr;

/// A precondition of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenPrecondition {
    /// The kernel's name, without parameters of a template.
    pub kernel: String,
    /// The condition, in the language of the source.
    condition: String,
}

impl FromStr for GivenPrecondition {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenPrecondition, String> {
        let parts = text.split_once(':').filter(|(_, rest)| !rest.starts_with(':'));
        let (kernel, condition) =
            parts.ok_or("a precondition looks like `KERNEL: CONDITION`".to_string())?;
        let (kernel, condition) = (kernel.trim(), condition.trim());
        let is_name = !kernel.is_empty() && kernel.chars().all(is_part);
        if !is_name {
            return Err(format!("`{kernel}` is not the name of a kernel"));
        }
        if let Some(why) = refused(condition) {
            return Err(format!("`{condition}` is no condition: {why}"));
        }
        Ok(GivenPrecondition { kernel: kernel.to_string(), condition: condition.to_string() })
    }
}

/// Why a text is no condition. What it is in the compiler's eyes, the compiler says.
///
/// SOUNDNESS: a condition that changes a variable would change the kernel that is judged
/// (test `conditions_change_nothing`).
fn refused(condition: &str) -> Option<&'static str> {
    let mut plain = condition.to_string();
    for comparison in ["==", "!=", "<=", ">="] {
        plain = plain.replace(comparison, " ");
    }
    let (mut depth, mut lowest) = (0, 0);
    for letter in condition.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        lowest = lowest.min(depth);
    }
    if condition.is_empty() {
        return Some("it is empty");
    }
    if plain.contains('=') || plain.contains("++") || plain.contains("--") {
        return Some("it changes a variable");
    }
    if condition.contains([';', '{', '}', '#', '"', '\'', '\n']) || condition.contains("//") {
        return Some("it is more than an expression");
    }
    (depth != 0 || lowest < 0).then_some("its parentheses are not balanced")
}

/// The source with the preconditions of its kernels, and the kernels among them that it
/// does not define. Lines stay where they are.
pub fn added(source: &str, all: &[GivenPrecondition]) -> (String, Vec<String>) {
    let plain = without_comments(source);
    let mut insertions: Vec<(usize, String)> = vec![];
    let mut missing = vec![];
    for one in all {
        let bodies = bodies(&plain, &one.kernel);
        if bodies.is_empty() {
            missing.push(one.kernel.clone());
        }
        let text = format!(" __requires({});", one.condition);
        insertions.extend(bodies.into_iter().map(|at| (at, text.clone())));
    }
    insertions.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut changed = source.to_string();
    for (at, text) in insertions {
        changed.insert_str(at, &text);
    }
    (changed, missing)
}

/// Where the bodies of kernels of this name begin, just behind their braces.
fn bodies(plain: &str, kernel: &str) -> Vec<usize> {
    let mut found = vec![];
    for (at, _) in plain.match_indices(kernel) {
        let (before, after) = (&plain[..at], &plain[at + kernel.len()..]);
        let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        let start = before.rfind([';', '{', '}']).map_or(0, |place| place + 1);
        let declares = before[start..]
            .split(|letter: char| !is_part(letter))
            .any(|word| ["__global__", "__kernel", "kernel"].contains(&word));
        if is_whole
            && declares
            && let Some(body) = body_behind(after)
        {
            found.push(at + kernel.len() + body);
        }
    }
    found
}

/// The place behind the brace that follows a list of parameters.
fn body_behind(text: &str) -> Option<usize> {
    let open = text.len() - text.trim_start().len();
    text[open..].starts_with('(').then_some(())?;
    let mut depth = 0;
    for (at, letter) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            '{' if depth == 0 => return Some(at + 1),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The source with comments and texts blanked, byte by byte.
fn without_comments(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut plain = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source.as_bytes()[at..];
        let end = match rest {
            [b'/', b'/', ..] => rest.iter().position(|&byte| byte == b'\n'),
            [b'/', b'*', ..] => rest[2..].windows(2).position(|two| two == b"*/").map(|p| p + 4),
            [b'"', ..] => end_of_text(rest),
            _ => {
                at += 1;
                continue;
            }
        };
        let end = at + end.unwrap_or(rest.len());
        plain[at..end].fill(b' ');
        at = end;
    }
    String::from_utf8(plain).unwrap_or_default()
}

/// Where a text in quotes ends.
fn end_of_text(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            b'\n' => return Some(at),
            _ => at += 1,
        }
    }
    None
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> GivenPrecondition {
        text.parse().expect("a precondition")
    }

    #[test]
    fn kernels_get_their_preconditions() {
        let source = "__global__ void k(int n);\n// __global__ void k(int n) {\n\
                      template <int N>\n__global__ __launch_bounds__(64)\nvoid k(int n)\n{ n++; }\n\
                      void use() { k<4><<<1, 1>>>(3); }\n";
        let (changed, missing) = added(source, &[given("k: n % 4 == 0"), given("other: n > 0")]);
        let body = "{ __requires(n % 4 == 0); n++; }";
        assert_eq!(changed, source.replace("{ n++; }", body));
        assert_eq!(missing, ["other"]);
    }

    #[test]
    fn conditions_change_nothing() {
        for wrong in
            ["k: n = 4", "k: n++ < 3", "k: n += 1", "k: f(); n > 0", "k: n) (m", "k:", "n > 0"]
        {
            assert!(wrong.parse::<GivenPrecondition>().is_err(), "{wrong}");
        }
        for right in ["k: n <= 4", "k: n != m && n >= 1", "k: (n & (n - 1)) == 0"] {
            assert!(right.parse::<GivenPrecondition>().is_ok(), "{right}");
        }
    }
}
