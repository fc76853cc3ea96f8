//! Printing to the terminal.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use duet_ir::Diagnostic;
use duet_report::{Options, Sources};

/// Prints diagnostics to standard error, in colour on a terminal.
pub fn print_diagnostics(diagnostics: &[Diagnostic]) {
    if diagnostics.is_empty() {
        return;
    }
    let color = wants_color(std::io::stderr().is_terminal());
    let options = Options { color, ..Options::default() };
    let text = duet_report::render_diagnostics(diagnostics, &mut Sources::default(), &options);
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Colour on a terminal, unless the user asks for it everywhere or nowhere.
fn wants_color(is_terminal: bool) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| value != "0");
    !is_set("NO_COLOR") && (is_terminal || is_set("CLICOLOR_FORCE"))
}

/// Prints to standard output; a closed pipe is no error.
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// One line on a terminal that says what is being done; nothing elsewhere. It
/// vanishes when this is dropped. Several threads may use it.
pub struct Progress {
    is_shown: bool,
    begun: AtomicUsize,
    all: usize,
}

impl Progress {
    /// Nothing done yet.
    pub fn new(all: usize) -> Progress {
        Progress { is_shown: std::io::stderr().is_terminal(), begun: 0.into(), all }
    }

    /// The next piece of work.
    pub fn show(&self, what: &str) {
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_shown {
            let text = format!("\r\x1b[Kchecking {what} ({number} of {})", self.all);
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }
}
