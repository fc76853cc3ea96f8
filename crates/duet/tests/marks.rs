//! The marks in our sources: each `SOUNDNESS:` names a test or a kernel that exists, and
//! each `unsafe` block says why it is safe.
//!
//! A mark may name the test as `` `name_of_the_test` `` and the kernel as
//! `kernels/folder/name`, with or without the ending; a beginning that several kernels
//! share will do. File tests go by `files/folder/name.duet`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Marks that name no test yet, by how their text begins. To be emptied, never extended:
/// an entry goes when its mark names a test, and the test below says so.
const NAMES_NOTHING: &[&str] = &[];

/// Names in marks of what does not exist. To be emptied, never extended.
const NAMES_GONE: &[&str] = &[];

struct Source {
    /// The path below the project.
    name: String,
    lines: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project")
}

/// All files below a folder, sorted, with their paths below the project.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut todo = vec![root().join(folder)];
    let mut found = vec![];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() {
                todo.push(path);
            } else if ending.is_some_and(|ending| endings.contains(&ending)) {
                found.push(path.strip_prefix(root()).expect("below the project").to_path_buf());
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<Source> {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(root().join(&path)).expect("a readable file");
        let lines = text.lines().map(|line| line.trim().to_string()).collect();
        Source { name: path.display().to_string(), lines }
    };
    // This file speaks of marks and has none.
    let all = files("crates", &["rs"]).into_iter().map(read);
    all.filter(|source| !source.name.ends_with("duet/tests/marks.rs")).collect()
}

/// The names of all test functions.
fn tests(sources: &[Source]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for Source { lines, .. } in sources {
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| *line == "#[test]") {
            let function = lines[at..].iter().find_map(|line| line.strip_prefix("fn "));
            names.extend(function.and_then(|rest| rest.split('(').next()).map(str::to_string));
        }
    }
    names
}

/// What a comment says.
fn comment(line: &str) -> Option<&str> {
    line.starts_with("//").then_some(line.trim_start_matches(['/', '!']))
}

/// The marks of a file, each to the end of its paragraph, with its line.
fn marks(source: &Source) -> Vec<(usize, String)> {
    let mut found = vec![];
    for (at, line) in source.lines.iter().enumerate() {
        let Some(comment_text) = comment(line) else { continue };
        let Some((_, first)) = comment_text.split_once("SOUNDNESS:") else { continue };
        let rest = source.lines[at + 1..].iter().map_while(|line| comment(line));
        let rest = rest.take_while(|line| !line.trim().is_empty() && !line.contains("SOUNDNESS:"));
        let words: Vec<&str> = std::iter::once(first).chain(rest).map(str::trim).collect();
        found.push((at + 1, words.join(" ").trim().to_string()));
    }
    found
}

/// What there is to be named.
struct Known {
    tests: BTreeSet<String>,
    files: Vec<String>,
}

impl Known {
    fn new(sources: &[Source]) -> Known {
        let kernels = files("kernels", &["cu", "cl"]).into_iter();
        let cases = files("crates", &["duet"]);
        let files = kernels.chain(cases).map(|path| path.display().to_string());
        Known { tests: tests(sources), files: files.collect() }
    }

    /// Is there a kernel or a file test of this name, or one that begins so?
    fn has_file(&self, word: &str) -> bool {
        let at = |file: &String| match word.starts_with("kernels/") {
            true => file.starts_with(word),
            false => file.contains(&format!("/{word}")),
        };
        self.files.iter().any(at)
    }

    /// What a mark names, and what of that does not exist.
    fn named(&self, mark: &str) -> (usize, Vec<String>) {
        let is_file = |word: &&str| {
            let begins = ["kernels/", "files/"].iter().any(|start| word.starts_with(start));
            begins || (word.contains('/') && (word.ends_with(".cu") || word.ends_with(".cl")))
        };
        let words = mark.split([' ', '(', ')', ',', ';', '`']);
        let words = words.map(|word| word.trim_end_matches(['.', ':'])).filter(is_file);
        let (there, gone): (Vec<&str>, Vec<&str>) = words.partition(|word| self.has_file(word));
        let quoted = mark.split('`').skip(1).step_by(2).filter(|word| self.tests.contains(*word));
        (there.len() + quoted.count(), gone.into_iter().map(str::to_string).collect())
    }
}

fn accepted(mark: &str, list: &[&str]) -> bool {
    list.iter().any(|begin| mark.starts_with(begin))
}

#[test]
fn soundness_marks_name_what_exists() {
    let sources = sources();
    let known = Known::new(&sources);
    let all = sources.iter().flat_map(|source| {
        marks(source).into_iter().map(move |(line, mark)| (format!("{}:{line}", source.name), mark))
    });
    let all: Vec<(String, String)> = all.collect();
    assert!(all.len() >= 60, "only {} marks were found", all.len());
    let mut problems = vec![];
    let mut open = BTreeSet::new();
    let mut missing = BTreeSet::new();
    for (place, mark) in &all {
        let (named, gone) = known.named(mark);
        missing.extend(gone.iter().cloned());
        let gone = gone.iter().filter(|name| !NAMES_GONE.contains(&name.as_str()));
        problems.extend(gone.map(|name| format!("{place}: there is no {name}")));
        if named == 0 {
            open.insert(mark.as_str());
            if !accepted(mark, NAMES_NOTHING) {
                problems.push(format!("{place}: names no test and no kernel: {mark}"));
            }
        }
    }
    let stale = NAMES_NOTHING.iter().filter(|begin| !open.iter().any(|m| m.starts_with(**begin)));
    let found = NAMES_GONE.iter().filter(|name| !missing.contains(**name));
    let stale = stale.chain(found);
    problems.extend(stale.map(|entry| format!("take it off the list: {entry:?}")));
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Where an `unsafe` block or implementation begins.
fn begins_unsafe(line: &str) -> bool {
    !line.starts_with("//") && (line.contains("unsafe {") || line.starts_with("unsafe impl"))
}

/// Does the file's header or a comment at most eight lines above, in the same paragraph,
/// say why?
fn is_explained(source: &Source, at: usize) -> bool {
    let header = source.lines.iter().take_while(|line| line.starts_with("//!"));
    let above = source.lines[..at].iter().rev().take(8).take_while(|line| !line.is_empty());
    let mut comments = header.chain(above).chain(std::iter::once(&source.lines[at]));
    comments.any(|line| line.contains("SAFETY:"))
}

#[test]
fn unsafe_blocks_say_why() {
    let mut problems = vec![];
    let mut count = 0;
    for source in &sources() {
        for (at, _) in source.lines.iter().enumerate().filter(|(_, line)| begins_unsafe(line)) {
            count += 1;
            if !is_explained(source, at) {
                problems.push(format!("{}:{}", source.name, at + 1));
            }
        }
    }
    assert!(count >= 60, "only {count} blocks were found");
    assert!(problems.is_empty(), "no SAFETY: comment:\n{}", problems.join("\n"));
}

/// The tests above find what they look for.
#[test]
fn missing_names_and_comments_are_found() {
    let source = |text: &str| Source {
        name: "x.rs".to_string(),
        lines: text.lines().map(|line| line.trim().to_string()).collect(),
    };
    let known = Known {
        tests: BTreeSet::from(["a_test".to_string()]),
        files: vec!["kernels/traps/01-loop.cu".to_string()],
    };
    let named = |text: &str| {
        let marks = marks(&source(text));
        assert_eq!(marks.len(), 1, "{text}");
        known.named(&marks[0].1)
    };
    assert_eq!(named("// SOUNDNESS: so (kernels/traps/01-loop)."), (1, vec![]));
    assert_eq!(named("/// Why. SOUNDNESS: so,\n/// test `a_test`."), (1, vec![]));
    assert_eq!(named("// SOUNDNESS: so.\n//\n// Other: `a_test`."), (0, vec![]));
    assert_eq!(named("// SOUNDNESS: so (`another_test`)."), (0, vec![]));
    let gone = vec!["kernels/traps/02-gone".to_string()];
    assert_eq!(named("// SOUNDNESS: so (kernels/traps/02-gone)."), (0, gone));
    let explained = source("// SAFETY: it is alive.\nunsafe { f() }");
    assert!(begins_unsafe(&explained.lines[1]) && is_explained(&explained, 1));
    let bare = source("// SAFETY: it is alive.\n\nunsafe { f() }");
    assert!(!is_explained(&bare, 2));
}
