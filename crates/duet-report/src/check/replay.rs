//! The command that repeats a run.

use duet_engine::Report;
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
    /// The words of the command; `None` if no command repeats the run.
    pub fn words(
        &self,
        module: &Module,
        kernel: Func,
        report: &Report,
        evidence: &Evidence,
    ) -> Option<Vec<String>> {
        let (kernel, run) = match &report.original {
            // The command names the kernel, not its copy for a launch of the host code.
            Some(original) => (original.kernel, original.run(module, kernel, &evidence.run)?),
            None => (kernel, evidence.run.clone()),
        };
        Some(command_line(module, kernel, &run, &self.file, &self.reading))
    }

    /// The command as a line for a shell.
    pub fn line(
        &self,
        module: &Module,
        kernel: Func,
        report: &Report,
        evidence: &Evidence,
    ) -> Option<String> {
        self.words(module, kernel, report, evidence).map(|words| shell_line(&words))
    }
}

/// Words as a line for a shell.
pub(crate) fn shell_line(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    quoted.join(" ")
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
