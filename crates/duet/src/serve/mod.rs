//! `duet serve`: starts the server, which is a program of its own.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ending;
use crate::exit::Exit;

/// The server's name.
const SERVER: &str = "duet-serve";

/// Options of `duet serve`.
#[derive(clap::Args)]
pub struct Args {
    /// Options of the server; `duet serve -- --help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// Becomes the server.
pub fn serve(args: &Args) -> Exit {
    let Some((server, duet)) = server() else {
        eprintln!(
            "error: {SERVER} is not installed beside duet; build it with `cargo build --release -p {SERVER}`"
        );
        return Exit::Usage;
    };
    let mut command = Command::new(&server);
    command.args(&args.options).arg("--duet").arg(duet);
    let error = ending::with_signals(&mut command).exec();
    eprintln!("error: {}: {error}", server.display());
    Exit::Usage
}

/// The server of this installation, and this program.
fn server() -> Option<(PathBuf, PathBuf)> {
    let own = std::env::current_exe().and_then(|own| own.canonicalize()).ok()?;
    let folder = own.parent().unwrap_or(Path::new("/"));
    let places = [folder.join(SERVER), folder.join("../lib/duet").join(SERVER)];
    Some((places.into_iter().find(|place| place.is_file())?, own.clone()))
}
