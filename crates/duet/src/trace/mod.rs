//! `duet intercept` and `duet check-trace`: the launches that a program makes, checked; and
//! `duet cc`, which keeps the sources of CUDA programs for that.
//!
//! | file | holds |
//! |---|---|
//! | this one | the commands |
//! | `cc` | a compiler, with the sources that it reads kept beside the objects |
//! | `run` | a program run with the layer between it and its OpenCL or CUDA |
//! | `replay` | from records to launches |
//! | `places` | from addresses to files and lines |
//! | `options` | from build options of OpenCL to options of `duet check` |

mod cc;
mod options;
mod places;
mod replay;
mod run;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use duet_engine::programs::RecordedLaunch;
use duet_layer::record::read_folder;

pub use cc::{CcArgs, cc};

use crate::check::{self, HostSide, Merged, Recorded, check_file};
use crate::exit::Exit;
use replay::{Traced, TracedProgram};

/// What both commands are told about the check.
#[derive(clap::Args, Clone)]
struct CheckingArgs {
    /// Look for the weakest precondition that admits all launches of a kernel, and prove the
    /// kernel under it
    #[arg(long, alias = "generalize")]
    generalise: bool,
    /// Check at most so many different launches of a kernel; more of them are not proved
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    most: usize,
    /// How to print: human, json, sarif, html or github
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: String,
    /// An option of `duet check`, such as --work=100 (may be repeated)
    #[arg(long = "check-option", value_name = "OPTION", allow_hyphen_values = true)]
    check_options: Vec<String>,
}

/// Options of `duet intercept`.
#[derive(clap::Args)]
pub struct InterceptArgs {
    #[command(flatten)]
    checking: CheckingArgs,
    /// Keep what is recorded in this folder, which must be empty or new
    #[arg(long, value_name = "DIR", default_value = "duet-trace")]
    out: PathBuf,
    /// How to come between: as a layer of the OpenCL loader, or preloaded; by itself preloaded
    /// for a program of CUDA, else a layer if the loader knows layers
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = ["auto", "layer", "preload"])]
    via: String,
    /// Only record; `duet check-trace` checks
    #[arg(long)]
    no_check: bool,
    /// The program and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    command: Vec<String>,
}

/// Options of `duet check-trace`.
#[derive(clap::Args)]
pub struct CheckTraceArgs {
    /// What `duet intercept` recorded
    folder: PathBuf,
    #[command(flatten)]
    checking: CheckingArgs,
}

/// Options of `duet check`, as this command gives them.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Check {
    #[command(flatten)]
    args: check::Args,
}

/// Runs `duet intercept`.
pub fn intercept(args: &InterceptArgs) -> Exit {
    let is_for_programs = args.checking.format != "human";
    if let Err(message) = run::run(&args.out, &args.via, &args.command, is_for_programs) {
        return usage(&message);
    }
    match args.no_check {
        true => {
            eprintln!("note: recorded in {}", args.out.display());
            Exit::Proved
        }
        false => check_folder(&args.out, &args.checking),
    }
}

/// Runs `duet check-trace`.
pub fn check_trace(args: &CheckTraceArgs) -> Exit {
    check_folder(&args.folder, &args.checking)
}

fn usage(message: &str) -> Exit {
    eprintln!("error: {message}");
    Exit::Usage
}

fn check_folder(folder: &Path, args: &CheckingArgs) -> Exit {
    let records = match read_folder(folder) {
        Ok(records) => records,
        Err(error) => {
            eprintln!("error: {error}");
            return Exit::BadInput;
        }
    };
    let traced = replay::replay(&records);
    if traced.launches == 0 {
        // SOUNDNESS: a program that nothing is known of is not proved (test
        // `a_program_without_launches_is_not_proved`).
        eprintln!(
            "error: no launch was recorded: does the program use OpenCL, or CUDA's shared runtime?"
        );
        return Exit::Unproven;
    }
    match check_traced(folder, &traced, args) {
        Ok(exit) => exit,
        Err(message) => usage(&message),
    }
}

fn check_traced(folder: &Path, traced: &Traced, args: &CheckingArgs) -> Result<Exit, String> {
    let distinct: usize = traced.programs.iter().map(|program| program.launches.len()).sum();
    eprintln!("note: {} launches were recorded, {distinct} of them different", traced.launches);
    let mut done = Merged::default();
    let mut exit = Exit::Proved;
    let mut refused = traced.not_judged.clone();
    let mut last = None;
    for (number, program) in traced.programs.iter().enumerate() {
        let file = write_program(folder, number + 1, program)?;
        let mut checking = parse(&file, program, args)?;
        checking.is_one_of_many = true;
        let checking: &'static check::Args = Box::leak(Box::new(checking));
        let (launches, more) = limited(&program.launches, args.most);
        let recorded =
            Arc::new(Recorded { launches, generalise: args.generalise, refused: more.into() });
        exit = exit.worse(check_file(checking, HostSide::Recorded(recorded.clone()), &mut done));
        if let Ok(more) = recorded.refused.lock() {
            refused.extend(more.iter().cloned());
        }
        last = Some(checking);
    }
    for (launch, why) in &refused {
        // SOUNDNESS: a launch that was made and not judged is not proved (test
        // `launches_that_cannot_be_judged_are_refused`).
        exit = exit.worse(Exit::Unproven);
        eprintln!("note: {} `{}` is not judged: {why}", shown(launch), launch.kernel);
    }
    if let Some(checking) = last {
        let says = if done.any { exit } else { exit.worse(Exit::Unproven) };
        done.print(checking, false, says);
        exit = says;
    }
    Ok(exit)
}

/// `main.c:12`, or the address in the program.
fn shown(launch: &RecordedLaunch) -> String {
    let name = launch.place.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if launch.place.line == 0 { name } else { format!("{name}:{}", launch.place.line) }
}

/// At most so many launches of each kernel; the others with the reason.
type Refused = Vec<(RecordedLaunch, String)>;

fn limited(launches: &[RecordedLaunch], most: usize) -> (Vec<RecordedLaunch>, Refused) {
    let mut counts = std::collections::BTreeMap::new();
    let (mut kept, mut more) = (vec![], vec![]);
    for launch in launches {
        let count: &mut usize = counts.entry(launch.kernel.clone()).or_default();
        *count += 1;
        match *count <= most {
            true => kept.push(launch.clone()),
            false => {
                let why = format!("the kernel has more than {most} different launches (--most)");
                more.push((launch.clone(), why));
            }
        }
    }
    (kept, more)
}

/// The text of a program as a file in the trace's folder, with its headers beside it.
fn write_program(folder: &Path, number: usize, program: &TracedProgram) -> Result<PathBuf, String> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error| format!("{path}: {error}")
    };
    let headers = folder.join(format!("program-{number}.headers"));
    for (name, text) in &program.unit.headers {
        let is_inside = Path::new(name)
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        if !is_inside {
            return Err(format!("the header `{name}` has no name for a file"));
        }
        let path = headers.join(name);
        let parent = path.parent().unwrap_or(&headers);
        std::fs::create_dir_all(parent).map_err(failed(parent))?;
        std::fs::write(&path, text).map_err(failed(&path))?;
    }
    let ending = if program.unit.is_cuda { "cu" } else { "cl" };
    let file = folder.join(format!("program-{number}.{ending}"));
    std::fs::write(&file, &program.unit.text).map_err(failed(&file))?;
    Ok(file)
}

fn parse(file: &Path, program: &TracedProgram, args: &CheckingArgs) -> Result<check::Args, String> {
    let mut words = vec![file.display().to_string(), format!("--format={}", args.format)];
    if !program.unit.headers.is_empty() {
        words.push(format!("-I{}", file.with_extension("headers").display()));
    }
    let of_nvrtc = options::without_nvrtc(&program.unit.options);
    let built = if program.unit.is_cuda { &of_nvrtc } else { &program.unit.options };
    words.extend(options::words(built, &program.unit.folder));
    words.extend(args.check_options.iter().cloned());
    Check::try_parse_from(words).map(|check| check.args).map_err(|error| error.to_string())
}
