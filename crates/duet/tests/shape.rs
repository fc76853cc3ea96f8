//! Holds the shape of the source: how many files a folder has, how many methods a
//! type, how large `duet-engine` is, and that the folders of a crate use each other
//! in one direction.
//!
//! All of it is found in the text, which `cargo fmt` has laid out; nothing is compiled.
//! Folders that use each other today stand in a list with the reason; one that is no
//! longer right fails too, so the list can only shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Rust files of a folder.
const MOST_FILES: usize = 15;

/// Methods of a type, over all its inherent `impl` blocks in a crate.
const MOST_METHODS: usize = 40;

/// Lines of `duet-engine/src` stay below this: it is what shells call, and what it calls
/// belongs to crates of its own.
const MOST_ENGINE_LINES: usize = 6_000;

/// Folders that use each other: crate, folders, why.
const CYCLES: &[(&str, &str, &str)] = &[];

/// A Rust file: its path below `src` and its text.
struct Source {
    path: PathBuf,
    text: String,
}

/// The files of each crate.
fn crates() -> BTreeMap<String, Vec<Source>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let crates = entries.filter(|entry| entry.path().join("src").is_dir()).map(|entry| {
        let src = entry.path().join("src");
        let read = |path: PathBuf| Source {
            text: std::fs::read_to_string(&path).unwrap(),
            path: path.strip_prefix(&src).unwrap().to_path_buf(),
        };
        let files = rust_files(&src).into_iter().map(read).collect();
        (entry.file_name().to_string_lossy().to_string(), files)
    });
    crates.collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![];
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn folders_are_small() {
    for (name, files) in crates() {
        let mut counts: BTreeMap<&Path, usize> = BTreeMap::new();
        for file in &files {
            *counts.entry(file.path.parent().unwrap()).or_default() += 1;
        }
        for (folder, count) in counts {
            let folder = folder.display();
            assert!(count <= MOST_FILES, "{name}/src/{folder} has {count} files: group them");
        }
    }
}

#[test]
fn types_are_small() {
    let mut large = vec![];
    for (name, files) in crates() {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (of, count) in files.iter().flat_map(|file| methods(&file.text)) {
            *counts.entry(of).or_default() += count;
        }
        let over = counts.into_iter().filter(|&(_, count)| count > MOST_METHODS);
        large.extend(over.map(|(of, count)| (name.clone(), of, count)));
    }
    assert_eq!(large, vec![], "types with more than {MOST_METHODS} methods");
}

#[test]
fn the_engine_is_small() {
    let crates = crates();
    let lines: usize = crates["duet-engine"].iter().map(|file| file.text.lines().count()).sum();
    assert!(lines < MOST_ENGINE_LINES, "duet-engine has {lines} lines");
}

#[test]
fn folders_use_each_other_in_one_direction() {
    let mut found = vec![];
    for (name, files) in crates() {
        let cycles = cycles(&uses(&files));
        found.extend(cycles.into_iter().map(|cycle| (name.clone(), cycle.join(", "))));
    }
    let known: Vec<_> =
        CYCLES.iter().map(|&(name, folders, _)| (name.to_string(), folders.to_string())).collect();
    assert_eq!(found, known, "folders that use each other, and the list of them");
}

/// The inherent `impl` blocks of a file: the type and the number of methods.
fn methods(text: &str) -> Vec<(String, usize)> {
    let mut found = vec![];
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if !code.starts_with("impl ") && !code.starts_with("impl<") {
            continue;
        }
        let mut header = code.to_string();
        while !header.contains('{') {
            let Some(next) = lines.next() else { return found };
            header.push(' ');
            header.push_str(next.trim());
        }
        let Some(of) = inherent_type(&header) else { continue };
        let indent = &line[..line.len() - code.len()];
        let end = format!("{indent}}}");
        let inside = format!("{indent}    ");
        let body = lines.by_ref().take_while(|line| *line != end);
        // An empty block ends on its first line.
        let is_empty = header.trim_end().ends_with("{}");
        let is_method =
            |line: &&str| line.strip_prefix(inside.as_str()).is_some_and(starts_function);
        found.push((of, if is_empty { 0 } else { body.filter(is_method).count() }));
    }
    found
}

/// The name of the type that a block is of; nothing for the implementation of a trait.
fn inherent_type(header: &str) -> Option<String> {
    let (header, _) = header.split_once('{')?;
    let (subject, _) = header.split_once(" where ").unwrap_or((header, ""));
    let rest = without_generics(subject.strip_prefix("impl")?);
    if rest.contains(" for ") {
        return None;
    }
    let path = rest.trim_start().split(['<', ' ']).next()?;
    path.rsplit("::").next().map(str::to_string)
}

/// A text without the brackets `<...>` at its start.
fn without_generics(text: &str) -> &str {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            // Not the arrow of a function's type.
            '>' if !text[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if at == 0 { text } else { &text[at + 1..] };
        }
    }
    text
}

fn starts_function(line: &str) -> bool {
    if line.starts_with(' ') || line.starts_with("//") {
        return false;
    }
    let words: Vec<&str> = line.split('(').next().unwrap_or_default().split(' ').collect();
    let public = line.starts_with("pub(").then(|| line.split_once(") ")).flatten();
    let words = public.map_or(words, |(_, rest)| rest.split(' ').collect());
    let modifiers = ["pub", "const", "async", "unsafe", "extern", "\"C\""];
    words.into_iter().find(|word| !modifiers.contains(word)) == Some("fn")
}

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Which folder at the top of a crate names which other one, by its path or by what
/// the root of the crate exports of it.
fn uses(files: &[Source]) -> Graph {
    let folders: BTreeSet<&str> = files.iter().filter_map(|file| folder(&file.path)).collect();
    let exported = exported(files, &folders);
    let mut graph = Graph::new();
    for file in files {
        let Some(own) = folder(&file.path) else { continue };
        let text = code(&file.text);
        let named = named(&text, &file.path);
        let targets = named.iter().filter_map(|name| match folders.get(name.as_str()) {
            Some(folder) => Some((*folder).to_string()),
            None => exported.get(name).cloned(),
        });
        let others = targets.filter(|target| target != own);
        graph.entry(own.to_string()).or_default().extend(others);
    }
    graph
}

/// The folder at the top of the crate that a file is in.
fn folder(path: &Path) -> Option<&str> {
    let mut parts = path.components();
    let first = parts.next()?.as_os_str().to_str()?;
    parts.next().is_some().then_some(first)
}

/// A text without its comments and white space at line ends.
fn code(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    lines.collect::<Vec<_>>().join(" ")
}

/// What the root exports, and the folder that it comes from.
fn exported(files: &[Source], folders: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let roots = files.iter().filter(|file| file.path.components().count() == 1);
    let mut names = BTreeMap::new();
    for root in roots {
        for statement in code(&root.text).split(';') {
            let Some((_, path)) = statement.split_once("use ") else { continue };
            let Some((first, rest)) = path.trim_start_matches("crate::").split_once("::") else {
                continue;
            };
            if folders.contains(first) {
                let words = rest.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                let words = words.filter(|word| !word.is_empty() && *word != "as");
                names.extend(words.map(|word| (word.to_string(), first.to_string())));
            }
        }
    }
    names
}

/// The names at the root of the crate that a file mentions.
fn named(text: &str, path: &Path) -> BTreeSet<String> {
    // The module `a::b` is `a/b.rs` or `a/b/mod.rs`; as many `super` lead to the root.
    let is_mod = path.file_name().is_some_and(|name| name == "mod.rs");
    let depth = path.components().count() - usize::from(is_mod);
    let to_root = "super::".repeat(depth);
    let mut found = BTreeSet::new();
    for prefix in ["crate::", to_root.as_str()] {
        for (at, _) in text.match_indices(prefix) {
            let is_longer = text[..at].ends_with("::") || text[..at].ends_with('$');
            if !is_longer {
                found.extend(first_segments(&text[at + prefix.len()..]));
            }
        }
    }
    found
}

/// `a` of `a::b`; `a` and `c` of `{a::b, c}`.
fn first_segments(text: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = text.strip_prefix('{') else { return vec![word(text)] };
    let mut segments = vec![word(group)];
    let mut depth = 1;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => segments.push(word(&group[at + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    segments
}

/// Sets of folders that come to use themselves.
fn cycles(graph: &Graph) -> BTreeSet<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|one| (one, below(one, graph))).collect();
    let together = |one: &String, other: &String| {
        reach[one].contains(other) && reach.get(other).is_some_and(|back| back.contains(one))
    };
    let cycle_of = |one: &String| -> Vec<String> {
        graph.keys().filter(|other| together(one, other)).cloned().collect()
    };
    graph.keys().map(cycle_of).filter(|cycle| !cycle.is_empty()).collect()
}

/// What a folder uses, directly or not.
fn below<'g>(start: &'g String, graph: &'g Graph) -> BTreeSet<&'g String> {
    let mut found = BTreeSet::new();
    let mut todo = vec![start];
    while let Some(next) = todo.pop() {
        todo.extend(graph.get(next).into_iter().flatten().filter(|one| found.insert(*one)));
    }
    found
}

#[test]
fn methods_are_counted() {
    let text = "impl<'a, O: Fn(u8) -> u8> Engine<'a, O> {
    pub(crate) const fn one() {}
    /// fn no() {}
    fn two(
        self,
    ) {
        fn inner() {}
    }
}
impl Drop for Engine<'_, u8> {
    fn drop(&mut self) {}
}
impl crate::a::Engine<'_, u8>
where
    u8: Copy,
{
    pub fn three() {}
}
impl Empty {}
impl Other {
    fn four() {}
}
";
    let counted = [("Engine", 2), ("Engine", 1), ("Empty", 0), ("Other", 1)];
    assert_eq!(methods(text), counted.map(|(of, count)| (of.to_string(), count)));
}

#[test]
fn cycles_are_found() {
    let file = |path: &str, text: &str| Source { path: path.into(), text: text.to_string() };
    let files = [
        file("lib.rs", "mod a;\nmod b;\nmod c;\npub use c::deep::{Thing, other};\n"),
        file("a/mod.rs", "use crate::{\n    b::x,\n    helper,\n};\n"),
        file("b/x.rs", "// crate::a::no\nuse crate::Thing;\n"),
        file("c/deep.rs", "use super::super::a::y;\n"),
        file("d/mod.rs", "use crate::a;\nuse super::d::z;\n"),
    ];
    let graph = uses(&files);
    assert_eq!(graph["a"], ["b".to_string()].into());
    assert_eq!(graph["d"], ["a".to_string()].into());
    assert_eq!(cycles(&graph), [["a", "b", "c"].map(str::to_string).to_vec()].into());
}
