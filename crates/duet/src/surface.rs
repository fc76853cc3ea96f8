//! Shell completions and the manual page, made from the one table of options.

use clap::Command;
use clap_complete::Shell;

use crate::exit::Exit;
use crate::output;

/// Options of `duet completions`.
#[derive(clap::Args)]
pub struct CompletionArgs {
    /// The shell
    shell: Shell,
}

/// Prints a script that a shell reads.
pub fn completions(args: &CompletionArgs, mut command: Command) -> Exit {
    let mut script = vec![];
    clap_complete::generate(args.shell, &mut command, "duet", &mut script);
    output::print(&String::from_utf8_lossy(&script));
    Exit::Proved
}

/// Prints the manual page: the command, then each of its subcommands.
pub fn manual(mut command: Command) -> Exit {
    command.build();
    let mut page = render(command.clone());
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        page.push_str(&render(sub.clone()));
    }
    output::print(&page);
    Exit::Proved
}

fn render(command: Command) -> String {
    let mut text = vec![];
    match clap_mangen::Man::new(command).render(&mut text) {
        Ok(()) => String::from_utf8_lossy(&text).into_owned(),
        // Writing to memory does not fail.
        Err(_) => String::new(),
    }
}
