//! Printing to the terminal.

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
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

/// Colour on a terminal that knows it, unless the user asks for it everywhere or nowhere.
fn wants_color(is_terminal: bool) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| value != "0");
    !is_set("NO_COLOR") && (is_terminal && !is_dumb() || is_set("CLICOLOR_FORCE"))
}

/// Does the terminal say that it knows no control sequences?
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

/// Why something could not be printed.
static NOT_WRITTEN: OnceLock<String> = OnceLock::new();

/// Prints to standard output; a closed pipe is no error. Any other error ends the program
/// with a message and another exit code in the end ([`write_error`]).
pub fn print(text: &str) {
    let mut out = std::io::stdout();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        let _ = NOT_WRITTEN.set(error.to_string());
    }
}

/// What kept the output from being written, if anything did.
pub fn write_error() -> Option<&'static str> {
    NOT_WRITTEN.get().map(String::as_str)
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
        let is_shown = std::io::stderr().is_terminal() && !is_dumb();
        Progress { is_shown, begun: 0.into(), all }
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
