//! Folders for headers that the build of a project names: what `make` or CMake would be told.
//!
//! A source that is checked by itself, without options, may include headers by folders that
//! only its build knows. `CMakeLists.txt` and `Makefile` in the source's folder and above it
//! are looked through for them:
//!
//! | file | what is taken |
//! |---|---|
//! | `CMakeLists.txt` | arguments of `include_directories` and `target_include_directories` |
//! | `Makefile`, `makefile`, `GNUmakefile` | words that begin with `-I` |
//!
//! Nothing is evaluated. A path with a variable is left out, unless the variable is the file's
//! own folder. So are absolute paths: they belong to the machine that builds. clang looks into
//! these folders after all others, so a header that is found without them is the same with them.

use std::path::{Path, PathBuf};

/// How many folders above the source's may hold a file of the build.
const MOST_ABOVE: usize = 3;

/// Names for the folder of the file in which they stand.
const OWN_FOLDER: [&str; 8] = [
    "${CMAKE_CURRENT_SOURCE_DIR}",
    "${CMAKE_CURRENT_LIST_DIR}",
    "${PROJECT_SOURCE_DIR}",
    "${CMAKE_SOURCE_DIR}",
    "$(CURDIR)",
    "${CURDIR}",
    "$(PWD)",
    "${PWD}",
];

/// The folders that exist, those of the nearest files first.
pub fn include_folders(source: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = vec![];
    let absolute = std::path::absolute(source).unwrap_or_else(|_| source.to_path_buf());
    for folder in absolute.ancestors().skip(1).take(1 + MOST_ABOVE) {
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        let mut paths = named_by_cmake(&read("CMakeLists.txt"));
        for name in ["Makefile", "makefile", "GNUmakefile"] {
            paths.extend(named_by_make(&read(name)));
        }
        for path in paths.iter().filter_map(|path| relative(path)) {
            let named = folder.join(path);
            if named.is_dir() && !found.contains(&named) {
                found.push(named);
            }
        }
    }
    found
}

/// A path below the folder of its file; nothing where it depends on other things.
fn relative(path: &str) -> Option<&str> {
    let path = path.trim_matches('"');
    let own = OWN_FOLDER.iter().find_map(|name| path.strip_prefix(name));
    let path = own.map_or(path, |rest| rest.trim_start_matches('/'));
    let is_plain = !path.contains(['$', '<', '>']) && !path.starts_with('/');
    is_plain.then_some(if path.is_empty() { "." } else { path })
}

/// The arguments of the two commands of CMake; words such as `PRIVATE` are no folders.
fn named_by_cmake(text: &str) -> Vec<String> {
    let code: Vec<&str> =
        text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let lower = code.to_ascii_lowercase();
    let mut named = vec![];
    for (at, command) in lower.match_indices("include_directories") {
        let rest = &code[at + command.len()..];
        let Some(rest) = rest.trim_start().strip_prefix('(') else { continue };
        let arguments = rest.split(')').next().unwrap_or_default();
        named.extend(arguments.split_whitespace().map(str::to_string));
    }
    named
}

/// The words of a makefile that begin with `-I`.
fn named_by_make(text: &str) -> Vec<String> {
    let words = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let words = words.flat_map(str::split_whitespace);
    words.filter_map(|word| word.strip_prefix("-I")).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::{include_folders, named_by_cmake, named_by_make, relative};

    #[test]
    fn folders_are_read_from_the_text() {
        let text = "# include_directories(not)\nInclude_Directories(../common \"inc\")\n\
                    target_include_directories(k PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/x ${CUDA}/y)";
        let named = named_by_cmake(text);
        assert_eq!(named[..2], ["../common", "\"inc\""]);
        let relative: Vec<_> = named.iter().filter_map(|path| relative(path)).collect();
        assert_eq!(relative, ["../common", "inc", "k", "PRIVATE", "x"]);
        let text = "CFLAGS = -O3 -I../include -I$(CUDA)/include -I/opt/x -I.\n# -Inot";
        let named = named_by_make(text);
        let relative: Vec<_> = named.iter().filter_map(|path| super::relative(path)).collect();
        assert_eq!(relative, ["../include", "."]);
    }

    #[test]
    fn only_folders_that_exist_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("app");
        std::fs::create_dir_all(&inner).expect("a folder");
        std::fs::create_dir_all(folder.path().join("inc")).expect("a folder");
        std::fs::write(inner.join("Makefile"), "nvcc -I../inc -I../missing").expect("a file");
        let found = include_folders(&inner.join("k.cu"));
        assert_eq!(found, [inner.join("../inc")]);
    }
}
