//! The command that repeats a run.

use duet_engine::refute::{Evidence, command_line};
use duet_ir::{Func, Module};

/// How the file was read: what a command that repeats a run has to say of it.
pub struct Replay {
    /// The file, as it was named.
    pub file: String,
    /// Options of the front end and of annotations.
    pub reading: Vec<String>,
}

impl Replay {
    /// The words of the command.
    pub fn words(&self, module: &Module, kernel: Func, evidence: &Evidence) -> Vec<String> {
        command_line(module, kernel, &evidence.run, &self.file, &self.reading)
    }

    /// The command as a line for a shell.
    pub fn line(&self, module: &Module, kernel: Func, evidence: &Evidence) -> String {
        let words = self.words(module, kernel, evidence);
        let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
        quoted.join(" ")
    }
}

/// A word as a shell reads it back.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,/:+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quote("--fill"), "--fill");
        assert_eq!(quote("a=0:1,2:3"), "a=0:1,2:3");
        assert_eq!(quote("--kernel=f<int>"), "'--kernel=f<int>'");
        assert_eq!(quote("it's"), "'it'\\''s'");
    }
}
