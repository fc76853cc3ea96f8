//! From build options of OpenCL to options of `duet check`.

use std::path::Path;

/// The words of a text as a shell would read it: quotes hold words together.
fn split(text: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word = String::new();
    let (mut is_word, mut quote) = (false, None);
    for letter in text.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => {
                quote = Some(letter);
                is_word = true;
            }
            (letter, Some(open)) if letter == open => quote = None,
            (letter, None) if letter.is_whitespace() => {
                if is_word {
                    words.push(std::mem::take(&mut word));
                }
                is_word = false;
            }
            (letter, _) => {
                word.push(letter);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    words
}

/// Options that say nothing about what a kernel does.
const SILENT: [&str; 6] = ["-w", "-Werror", "-g", "-cl-kernel-arg-info", "-cl-opt-disable", "-O0"];

/// The options of `duet check` that read a program as it was built. What they don't know goes
/// to clang, which refuses what it doesn't know either: then the program is not read.
pub fn words(options: &str, folder: &Path) -> Vec<String> {
    let mut found = vec![];
    let mut words = split(options).into_iter();
    while let Some(word) = words.next() {
        if SILENT.contains(&word.as_str()) {
            continue;
        }
        if let Some(standard) = word.strip_prefix("-cl-std=") {
            found.push(format!("--std={standard}"));
        } else if let Some(name) = word.strip_prefix("-D") {
            let name = if name.is_empty() { words.next().unwrap_or_default() } else { name.into() };
            found.push(format!("-D{name}"));
        } else if let Some(path) = word.strip_prefix("-I") {
            let path = if path.is_empty() { words.next().unwrap_or_default() } else { path.into() };
            found.push(format!("-I{}", folder.join(path).display()));
        } else {
            found.push(format!("--clang-opt={word}"));
        }
    }
    found
}

/// Options of NVRTC that say nothing about what a kernel does, by how they begin.
const SILENT_OF_NVRTC: [&str; 12] = [
    "--gpu-architecture",
    "-arch",
    "--device-debug",
    "-G",
    "--generate-line-info",
    "-lineinfo",
    "--relocatable-device-code",
    "-rdc",
    "-default-device",
    "--device-as-default-execution-space",
    "--maxrregcount",
    "-maxrregcount",
];

/// Options of NVRTC without those that say nothing about what a kernel does.
pub fn without_nvrtc(options: &str) -> String {
    let is_silent = |word: &&String| SILENT_OF_NVRTC.iter().any(|one| word.starts_with(one));
    let words = split(options);
    let kept = words.iter().filter(|word| !is_silent(word));
    let same = |word: &String| match word.strip_prefix("--std=") {
        Some(standard) => format!("-std={standard}"),
        None => word.clone(),
    };
    kept.map(same).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::words;
    use std::path::Path;

    #[test]
    fn options_are_those_of_the_build() {
        let of = |text: &str| words(text, Path::new("/home/me"));
        assert_eq!(of("-DN=4 -D M -w"), ["-DN=4", "-DM"]);
        assert_eq!(of("-Iinc -I /opt/x"), ["-I/home/me/inc", "-I/opt/x"]);
        assert_eq!(of("-cl-std=CL2.0"), ["--std=CL2.0"]);
        assert_eq!(of("-cl-fast-relaxed-math"), ["--clang-opt=-cl-fast-relaxed-math"]);
        assert_eq!(of("\"-DTEXT=a b\" '-I/a b'"), ["-DTEXT=a b", "-I/a b"]);
        assert!(of("  ").is_empty());
    }
}
