//! `duet emit`: prints a stage of the pipeline.

use crate::exit::Exit;
use crate::frontend_args::{FrontendArgs, exit_for};
use crate::output;

/// Options of `duet emit`.
#[derive(clap::Args)]
pub struct Args {
    /// Which stage
    #[arg(long, value_enum, default_value_t = Stage::Ir)]
    stage: Stage,
    /// Show how long each stage took, on standard error
    #[arg(long)]
    timings: bool,
    #[command(flatten)]
    frontend: FrontendArgs,
}

/// A stage that can be printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Stage {
    /// The kernel IR
    Ir,
}

/// Runs the command.
pub fn emit(args: &Args) -> Exit {
    let loaded = match args.frontend.load(vec![]) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    match args.stage {
        Stage::Ir => output::print(&loaded.module.to_string()),
    }
    if args.timings {
        let t = loaded.timings;
        eprintln!("clang {:?}, prepare {:?}, translate {:?}", t.clang, t.prepare, t.translate);
    }
    exit_for(&loaded.diagnostics)
}
