//! Kernels that launch kernels: clang does not compile them, so `child<<<grid, block>>>(a, n)`
//! in code of the device becomes a call of a function without a body, with the same
//! arguments. Line and column of everything else stay.
//!
//! SOUNDNESS: such a function may do anything, so nothing is proved of a kernel that calls it
//! (kernels/programs/launches-kernel.cu); sizes that are no longer computed change nothing
//! about that. Which kernels are launched there is not known: every kernel of the program is
//! judged for any launch (test `a_kernel_that_a_kernel_launches_is_judged_for_any_launch`).

use super::host_code::{mask, offset};

/// The function without a body. No name of a kernel with three brackets on either side of its
/// sizes is shorter.
pub const LAUNCH: &str = "__duet_dl";

/// The text with the launch at a place as a call; `None` if there is no launch as it is
/// usually written.
pub fn as_call(text: &[u8], line: u32, column: u32) -> Option<Vec<u8>> {
    let masked = mask(text);
    let name = offset(text, line, column)?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(*byte, b'_' | b':');
    let before = masked[..name].iter().rev().take_while(|byte| is_part(byte)).count();
    let start = name - before;
    let open = find(&masked, name, b"<<<", b";{}")?;
    let close = closing(&masked, open + 3)?;
    let arguments = close + masked[close..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    if masked.get(arguments) != Some(&b'(') || arguments - start < LAUNCH.len() {
        return None;
    }
    let mut changed = text.to_vec();
    for byte in &mut changed[start..arguments] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    let has_room = !text[start..start + LAUNCH.len()].contains(&b'\n');
    has_room.then(|| changed[start..start + LAUNCH.len()].copy_from_slice(LAUNCH.as_bytes()))?;
    Some(changed)
}

/// Where the words begin, before any of these bytes.
fn find(text: &[u8], from: usize, words: &[u8], ends: &[u8]) -> Option<usize> {
    let end = text[from..].iter().position(|byte| ends.contains(byte))? + from;
    (from..end).find(|&at| text[at..].starts_with(words))
}

/// Behind the brackets that end the sizes of a launch.
fn closing(text: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0i32;
    for at in from..text.len() {
        match text[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b';' | b'{' | b'}' => return None,
            b'>' if depth == 0 && text[at..].starts_with(b">>>") => return Some(at + 3),
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::as_call;

    fn called(text: &str, column: u32) -> Option<String> {
        as_call(text.as_bytes(), 1, column).map(|text| String::from_utf8(text).expect("text"))
    }

    #[test]
    fn launches_become_calls_in_their_place() {
        let text = "if (a > b) child<<<(n + 1) / 2, f(3, 4)>>>(a, n); x = 1;";
        let changed = called(text, 12).expect("a launch");
        assert_eq!(changed.len(), text.len());
        assert!(changed.starts_with("if (a > b) __duet_dl "), "{changed}");
        assert!(changed.ends_with("(a, n); x = 1;"), "{changed}");
        let scoped = "ns::child<int, 4><<<1, 1>>>\n  (a);";
        let changed = called(scoped, 5).expect("a launch");
        assert!(changed.starts_with("__duet_dl ") && changed.ends_with("\n  (a);"), "{changed}");
    }

    #[test]
    fn what_is_no_launch_stays() {
        for text in
            ["child(a); b <<< c >>> (d);", "use(child); k<<<1, 1>>>(a);", "child<<<1, 1>>>;"]
        {
            assert_eq!(called(text, 1), None, "{text}");
        }
    }
}
