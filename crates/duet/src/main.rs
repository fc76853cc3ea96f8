//! The `duet` command.
//!
//! A thin shell: it reads options, calls the libraries and prints what they
//! return. It contains no verification logic.

mod bench;
mod cache;
mod check;
mod doctor;
mod emit;
mod ending;
mod equiv;
mod exit;
mod input;
mod lint;
mod lsp;
mod memory;
mod merge;
mod output;
mod prove;
mod rule_pages;
mod run;
mod serve;
mod surface;
mod trace;

use clap::{CommandFactory, Parser, Subcommand};

use exit::Exit;

/// A verifier for GPU kernels.
#[derive(Parser)]
#[command(version, about, infer_long_args = true, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check for data races, barrier divergence and failed assertions
    #[command(args_override_self = true)]
    Check(Box<check::Args>),
    /// Check a folder of kernels: verdicts, times, old against new
    Bench(Box<bench::Args>),
    /// Share a folder of answers and proofs by way of an object store
    Cache(cache::Args),
    /// Run a compiler of CUDA and keep the sources that it reads, for `duet intercept`
    Cc(trace::CcArgs),
    /// Check the launches that `duet intercept` recorded
    CheckTrace(trace::CheckTraceArgs),
    /// Run an OpenCL or CUDA program, record its launches and check them
    Intercept(trace::InterceptArgs),
    /// Speak with an editor (language server protocol)
    Lsp(lsp::Args),
    /// Put the results of several runs of `duet bench` or `duet check` together
    Merge(merge::Args),
    /// Compare two kernels: do they compute the same, for every launch?
    #[command(args_override_self = true)]
    Equiv(Box<equiv::Args>),
    /// Print a stage of the pipeline
    Emit(Box<emit::Args>),
    /// Explain a rule, with a kernel that breaks it and one that keeps it
    Explain(rule_pages::Args),
    /// Name barriers that proved kernels could do without
    #[command(args_override_self = true)]
    Lint(Box<lint::Args>),
    /// Say which programs Duet needs, where they are, and what is missing
    Doctor(doctor::Args),
    /// Prove that kernels compute what their contracts say, or show how they fail
    #[command(args_override_self = true)]
    Prove(Box<prove::Args>),
    /// Run a kernel in the reference interpreter
    Run(Box<run::Args>),
    /// Serve a page to check kernels on, and the same over HTTP
    Serve(serve::Args),
    /// Print completions for a shell
    Completions(surface::CompletionArgs),
    /// Print the manual page
    Man,
}

fn main() -> std::process::ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Proved };
            return exit.into();
        }
    };
    ending::watch();
    let exit = std::panic::catch_unwind(|| match cli.command {
        // What was done is printed if the program is ended, so it lives as long.
        Command::Check(args) => check::check(Box::leak(args)),
        Command::Bench(args) => bench::bench(&args),
        Command::Cache(args) => cache::cache(&args),
        Command::Cc(args) => trace::cc(&args),
        Command::CheckTrace(args) => trace::check_trace(&args),
        Command::Intercept(args) => trace::intercept(&args),
        Command::Lsp(args) => lsp::lsp(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Equiv(args) => equiv::equiv(&args),
        Command::Emit(args) => emit::emit(&args),
        Command::Explain(args) => rule_pages::explain(&args),
        Command::Lint(args) => lint::lint(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::Prove(args) => prove::prove(&args),
        Command::Run(args) => run::run(&args),
        Command::Serve(args) => serve::serve(&args),
        Command::Completions(args) => surface::completions(&args, Cli::command()),
        Command::Man => surface::manual(Cli::command()),
    });
    if let Some(error) = output::write_error() {
        eprintln!("error: cannot write the output: {error}");
        return Exit::Usage.into();
    }
    exit.unwrap_or(Exit::Internal).into()
}
