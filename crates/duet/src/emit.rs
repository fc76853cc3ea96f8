//! `duet emit`: prints a stage of the pipeline.

use duet_engine::check::{Session, kernel_conditions, kernel_loops, kernel_pairs};
use duet_engine::load::LoadOptions;
use duet_ir::WellFormed;
use duet_report::check::explain;

use crate::check;
use crate::exit::Exit;
use crate::input::frontend_args::{Failure, exit_for, load};
use crate::output;

/// Options of `duet emit`.
#[derive(clap::Args)]
pub struct Args {
    /// Which stage
    #[arg(long, value_enum, default_value_t = Stage::Ir)]
    stage: Stage,
    /// The launch, annotations and solvers, as for `duet check`
    #[command(flatten)]
    check: check::Args,
}

/// A stage that can be printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Stage {
    /// The kernel IR
    Ir,
    /// The contracts, with what their names are
    Spec,
    /// The loops of each kernel, with their lines
    Loops,
    /// The pairs of threads, their intervals, regions and access sites
    Pairs,
    /// The conditions to be decided, as SMT-LIB
    Vc,
}

/// Runs the command.
pub fn emit(args: &Args) -> Exit {
    let emitted = match args.stage {
        Stage::Ir => emit_ir(args),
        Stage::Spec => crate::prove::emit_contracts(&args.check),
        Stage::Loops | Stage::Pairs | Stage::Vc => emit_checked(args),
    };
    emitted.unwrap_or_else(|failure| failure.exit())
}

/// The IR as it is read, device functions inlined or not.
fn emit_ir(args: &Args) -> Result<Exit, Failure> {
    let frontend = &args.check.frontend;
    let plain = LoadOptions::plain(frontend.file.clone(), frontend.options());
    let loaded = load(&LoadOptions { forget_sizes: args.check.sizes_free, ..plain })?;
    output::print(&loaded.module.to_string());
    if args.check.timings {
        let t = loaded.timings;
        eprintln!("clang {:?}, prepare {:?}, translate {:?}", t.clang, t.prepare, t.translate);
    }
    Ok(exit_for(&loaded.diagnostics))
}

/// A stage of `duet check`, read with its options.
fn emit_checked(args: &Args) -> Result<Exit, Failure> {
    let check = &args.check;
    let loaded = load(&check.loading())?;
    let module = &loaded.module;
    for (kernel, func) in module.kernels() {
        if args.stage == Stage::Loops {
            output::print(&loops(&func.name, &kernel_loops(module, kernel)));
            continue;
        }
        let options = check.options(module, kernel, &loaded.sizes)?;
        let text = match args.stage {
            Stage::Vc => conditions(check, module, kernel, &options)?,
            _ => kernel_pairs(module, kernel, &options),
        };
        let comment = if args.stage == Stage::Vc { ";" } else { "#" };
        output::print(&format!("{comment} kernel {}\n{text}\n", func.name));
    }
    Ok(exit_for(&loaded.diagnostics))
}

/// `kernel k: 2 loops (lines 5, 9)`. `duet bench` reads the number.
fn loops(name: &str, lines: &[Option<u32>]) -> String {
    let known: Vec<u32> = lines.iter().copied().flatten().collect();
    let place = match known.as_slice() {
        [] => String::new(),
        known => format!(" ({})", explain::in_words(known)),
    };
    format!("kernel {name}: {} loops{place}\n", lines.len())
}

/// Scripts that stand alone, one after the other.
fn conditions(
    args: &check::Args,
    module: &WellFormed,
    kernel: duet_ir::Func,
    options: &duet_engine::check::CheckOptions,
) -> Result<String, String> {
    let mut session = Session::with_options(&args.session()).map_err(|error| error.to_string())?;
    let asked = kernel_conditions(&mut session, module, kernel, options)
        .map_err(|error| error.to_string())?;
    let mut text = String::new();
    for (number, one) in asked.iter().enumerate() {
        let place = match explain::places(module, kernel, one).as_slice() {
            [] => String::new(),
            lines => format!(", {}", explain::in_words(lines)),
        };
        let reset = if number > 0 { "(reset)\n" } else { "" };
        let script = one.script.as_deref().unwrap_or_default();
        text.push_str(&format!(
            "{reset}; condition {} of {}{place}; unsat means that it holds\n{script}",
            number + 1,
            asked.len()
        ));
    }
    Ok(text)
}
