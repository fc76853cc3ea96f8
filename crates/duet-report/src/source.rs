//! The text of source files, read when first asked for and kept. Lines are
//! counted as clang counts them: they end with LF, CR LF or CR.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Source files by path. A file that cannot be read is remembered as such.
#[derive(Default, Debug)]
pub struct Sources {
    files: HashMap<PathBuf, Option<SourceFile>>,
}

impl Sources {
    /// No file read yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Sets the contents of a file that is not on disk, or is not to be read
    /// from there.
    pub fn insert(&mut self, path: impl Into<PathBuf>, contents: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), Some(SourceFile::new(contents.into())));
    }

    /// Reads the file unless it is known.
    pub(crate) fn load(&mut self, path: &Path) {
        if !self.files.contains_key(path) {
            let file = read_file(path).map(SourceFile::new);
            self.files.insert(path.to_path_buf(), file);
        }
    }

    /// The file, if it was loaded and could be read.
    pub(crate) fn get(&self, path: &Path) -> Option<&SourceFile> {
        self.files.get(path)?.as_ref()
    }
}

/// The bytes of a regular file. Anything else (a pipe, a device) might block.
fn read_file(path: &Path) -> Option<Vec<u8>> {
    if path.metadata().ok()?.is_file() { std::fs::read(path).ok() } else { None }
}

/// The bytes of one file and where its lines are.
#[derive(Debug)]
pub(crate) struct SourceFile {
    bytes: Vec<u8>,
    /// Each line without its end.
    lines: Vec<Range<usize>>,
}

impl SourceFile {
    fn new(bytes: Vec<u8>) -> SourceFile {
        let lines = split_lines(&bytes);
        SourceFile { bytes, lines }
    }

    /// The bytes of a line counted from 1; `None` past the end of the file.
    pub(crate) fn line(&self, number: u32) -> Option<&[u8]> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.lines.get(index).map(|range| &self.bytes[range.clone()])
    }
}

/// Splits at LF, CR LF and CR. An empty piece after the last line end is no line.
fn split_lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut lines = vec![];
    let mut start = 0;
    while start < bytes.len() {
        let rest = &bytes[start..];
        let length = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        lines.push(start..start + length);
        let ending = if rest[length..].starts_with(b"\r\n") { 2 } else { 1 };
        start += length + ending;
    }
    lines
}

/// A line as text. Bytes that are not UTF-8 show as the replacement character.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// For each run of bytes: where it starts in the file's line, where its text
    /// starts, and whether it was valid.
    runs: Vec<(usize, usize, bool)>,
}

impl Line {
    pub(crate) fn decode(bytes: &[u8]) -> Line {
        let mut line = Line { text: String::new(), runs: vec![] };
        let mut position = 0;
        for chunk in bytes.utf8_chunks() {
            line.runs.push((position, line.text.len(), true));
            line.text.push_str(chunk.valid());
            position += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                line.runs.push((position, line.text.len(), false));
                line.text.push(char::REPLACEMENT_CHARACTER);
                position += chunk.invalid().len();
            }
        }
        line
    }

    /// Where the byte of the file's line is in the text, at a character's start.
    /// An offset past the end is the end.
    pub(crate) fn text_offset(&self, byte: usize) -> usize {
        let run = self.runs.iter().rev().find(|(start, _, _)| *start <= byte);
        let Some(&(start, text_start, valid)) = run else { return 0 };
        let inside = if valid { byte - start } else { 0 };
        char_start(&self.text, text_start + inside)
    }
}

/// The start of the character that holds the byte; the end for a byte past it.
pub(crate) fn char_start(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    (0..=byte).rev().find(|start| text.is_char_boundary(*start)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_clang_ends_them() {
        let file = SourceFile::new(b"a\nb\r\nc\rd\n\ne".to_vec());
        let lines: Vec<&[u8]> = (1..=6).map(|number| file.line(number).unwrap()).collect();
        assert_eq!(lines, [&b"a"[..], b"b", b"c", b"d", b"", b"e"]);
        assert_eq!(file.line(7), None);
        assert_eq!(file.line(0), None);
    }

    #[test]
    fn offsets_survive_bytes_that_are_not_utf8() {
        let line = Line::decode(b"a\xff\xfeb\xc3\xa9c");
        assert_eq!(line.text, "a\u{fffd}\u{fffd}béc");
        let at = |byte| &line.text[line.text_offset(byte)..];
        assert_eq!(at(0), "a\u{fffd}\u{fffd}béc");
        assert_eq!(at(3), "béc");
        assert_eq!(at(5), "éc", "the middle of a character is its start");
        assert_eq!(at(6), "c");
        assert_eq!(at(99), "");
    }

    #[test]
    fn a_directory_and_a_missing_file_have_no_text() {
        let mut sources = Sources::new();
        for path in [Path::new("."), Path::new("no/such/file.cu")] {
            sources.load(path);
            assert!(sources.get(path).is_none());
        }
    }
}
