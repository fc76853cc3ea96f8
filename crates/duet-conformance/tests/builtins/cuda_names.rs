//! Which functions our CUDA headers define for device code, and which of them the
//! tables do not compare, with the reason.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const DEVICE: &str = "__attribute__((device))";

/// The names of all functions for the device in our headers, as clang preprocesses them.
pub fn defined() -> BTreeSet<String> {
    let headers =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../duet-frontend/headers/cuda").canonicalize();
    let headers = headers.expect("our headers");
    let output = Command::new("clang-19")
        .args(["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib"])
        .args(["--cuda-gpu-arch=sm_90", "-Wno-everything", "-D__BUGLE_64__", "-E", "-I"])
        .arg(&headers)
        .args(["-include", "duet_cuda_prelude.h", "-include", "cuda_fp16.h"])
        .args(["-include", "cuda_bf16.h", "/dev/null"])
        .output()
        .expect("clang-19");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let own = own_lines(&text, headers.to_str().expect("a path"));
    own.match_indices(DEVICE).filter_map(|(at, _)| name_after(&own[at..])).collect()
}

/// The lines that come from our headers, by the markers of the preprocessor.
fn own_lines(text: &str, headers: &str) -> String {
    let mut own = false;
    let mut lines = String::new();
    for line in text.lines() {
        match line.starts_with("# ") {
            true => own = line.contains(headers),
            false if own => lines = lines + line + " ",
            false => {}
        }
    }
    lines
}

/// The function that a declaration declares.
fn name_after(text: &str) -> Option<String> {
    let end = text.find(['{', ';'])?;
    let mut rest = text[..end].replace("template <int = 0>", "");
    for attribute in ["__attribute__((", "__asm__("] {
        while let Some(start) = rest.find(attribute) {
            let depth = |(depth, _): &(i32, usize)| *depth == 0;
            let mut open = 0;
            let mut close = rest[start..].char_indices().filter_map(|(at, c)| match c {
                '(' => {
                    open += 1;
                    None
                }
                ')' => {
                    open -= 1;
                    Some((open, start + at))
                }
                _ => None,
            });
            let (_, close) = close.find(depth)?;
            rest.replace_range(start..=close, " ");
        }
    }
    let before = rest[..rest.find('(')?].trim_end();
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let name = &before[start..];
    let is_operator = before.contains("operator") || name.is_empty();
    (!is_operator).then(|| name.to_owned())
}
