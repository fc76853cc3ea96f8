//! `compile_commands.json`: how a build compiles each of its files.
//!
//! Of the commands of nvcc, clang and gcc only what decides how a file is read is taken:
//! folders of includes, macros, the standard, files that are included first. Files whose
//! objects lie in the same folder of a target (`CMakeFiles/app.dir`) are one program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use duet_frontend::Options;
use serde_json::Value;

/// The name of a database in a build folder.
pub const NAME: &str = "compile_commands.json";

/// How each file is compiled.
#[derive(Clone, Debug, Default)]
pub struct Database {
    entries: Vec<Entry>,
}

/// How one file is compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Entry {
    file: PathBuf,
    /// What its object belongs to.
    target: String,
    include_dirs: Vec<PathBuf>,
    defines: Vec<String>,
    includes: Vec<PathBuf>,
    standard: Option<String>,
}

impl Database {
    /// Reads the database of a build folder, or a database.
    pub fn read(path: &Path) -> Result<Database, String> {
        let path = if path.is_dir() { path.join(NAME) } else { path.to_path_buf() };
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| wrong(&error))?;
        Database::parse(&text).map_err(|error| wrong(&error))
    }

    fn parse(text: &str) -> Result<Database, String> {
        let list: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let list = list.as_array().ok_or("it is no list of commands")?;
        let entries = list.iter().map(entry).collect::<Result<Vec<Entry>, String>>()?;
        Ok(Database { entries })
    }

    /// The files of each program.
    pub fn programs(&self) -> Vec<Vec<PathBuf>> {
        let mut targets: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
        for entry in &self.entries {
            targets.entry(&entry.target).or_default().push(entry.file.clone());
        }
        targets.into_values().collect()
    }

    /// Adds how the build reads a file; what is given otherwise comes first.
    pub fn add_to(&self, file: &Path, options: &mut Options) {
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let wanted = whole(file);
        let Some(entry) = self.entries.iter().find(|one| whole(&one.file) == wanted) else {
            return;
        };
        options.include_dirs.extend(entry.include_dirs.iter().cloned());
        options.defines.extend(entry.defines.iter().cloned());
        options.includes.extend(entry.includes.iter().cloned());
        options.standard = options.standard.take().or_else(|| entry.standard.clone());
    }
}

fn entry(value: &Value) -> Result<Entry, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let folder = PathBuf::from(text("directory").unwrap_or("."));
    let file = folder.join(text("file").ok_or("an entry names no file")?);
    let words: Vec<String> = match value.get("arguments").and_then(Value::as_array) {
        Some(words) => words.iter().filter_map(Value::as_str).map(str::to_string).collect(),
        None => split(text("command").ok_or("an entry has no command")?),
    };
    let mut entry = Entry { file, ..Entry::default() };
    let output = text("output").map(str::to_string);
    let given = words.iter().position(|word| word == "-o").and_then(|at| words.get(at + 1));
    entry.target = target(output.as_ref().or(given));
    entry.read(&folder, &words, 0);
    Ok(entry)
}

/// `CMakeFiles/app.dir` of `CMakeFiles/app.dir/src/main.cu.o`.
fn target(output: Option<&String>) -> String {
    let Some(output) = output else { return String::new() };
    let parts: Vec<&str> = output.split('/').collect();
    let end = parts.iter().position(|part| part.ends_with(".dir"));
    end.map_or(String::new(), |end| parts[..=end].join("/"))
}

impl Entry {
    /// Takes from a command what decides how the file is read.
    fn read(&mut self, folder: &Path, words: &[String], depth: usize) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = |names: &[&str]| -> Option<String> {
                let name = names.iter().find(|name| word.starts_with(**name))?;
                let rest = word[name.len()..].trim_start_matches('=');
                if rest.is_empty() { words.next().cloned() } else { Some(rest.to_string()) }
            };
            if let Some(list) = value(&["--options-file", "-optf", "@"]) {
                let text = std::fs::read_to_string(folder.join(list)).unwrap_or_default();
                if depth < 4 {
                    self.read(folder, &split(&text), depth + 1);
                }
            } else if let Some(file) = value(&["--pre-include", "-include"]) {
                self.includes.push(folder.join(file));
            } else if let Some(path) = value(&["--include-path", "--system-include", "-isystem"]) {
                self.include_dirs.push(folder.join(path));
            } else if let Some(path) = value(&["-I"]) {
                self.include_dirs.push(folder.join(path));
            } else if let Some(define) = value(&["--define-macro", "-D"]) {
                self.defines.push(define);
            } else if let Some(standard) = value(&["--std", "-std"]) {
                self.standard = Some(standard);
            }
        }
    }
}

/// The words of a command, as a shell splits them.
fn split(command: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => {
                word.get_or_insert_default().extend(letters.next());
            }
            (_, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(split(r#"a  "b c" d\ e 'f "g'h "" "#), ["a", "b c", "d e", "f \"gh", ""]);
    }

    #[test]
    fn options_of_a_file() {
        let text = r#"[
          {"directory": "/b", "file": "/s/main.cu", "output": "CMakeFiles/app.dir/main.cu.o",
           "command": "nvcc -DN=4 -I/s/inc -isystem=/x -std=c++14 -x cu -c /s/main.cu -o CMakeFiles/app.dir/main.cu.o"},
          {"directory": "/b", "file": "../s/other.cpp", "output": "CMakeFiles/tool.dir/o.o",
           "arguments": ["g++", "-I", "rel", "-c", "../s/other.cpp"]}
        ]"#;
        let database = Database::parse(text).expect("a database");
        let mut options = Options::default();
        database.add_to(Path::new("/s/main.cu"), &mut options);
        assert_eq!(options.defines, ["N=4"]);
        assert_eq!(options.include_dirs, [PathBuf::from("/s/inc"), PathBuf::from("/x")]);
        assert_eq!(options.standard.as_deref(), Some("c++14"));
        assert_eq!(database.programs().len(), 2);
        assert_eq!(database.entries[1].include_dirs, [PathBuf::from("/b/rel")]);
        assert!(Database::parse("{}").is_err());
        assert!(Database::parse(r#"[{"directory": "/b"}]"#).is_err());
    }
}
