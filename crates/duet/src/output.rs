//! Printing to the terminal.

use std::io::{IsTerminal, Write};

use duet_ir::Diagnostic;
use duet_report::{Options, Sources};

/// Prints diagnostics to standard error, in colour on a terminal.
pub fn print_diagnostics(diagnostics: &[Diagnostic]) {
    if diagnostics.is_empty() {
        return;
    }
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let options = Options { color, ..Options::default() };
    let text = duet_report::render_diagnostics(diagnostics, &mut Sources::default(), &options);
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints to standard output; a closed pipe is no error.
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
