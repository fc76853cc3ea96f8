//! `duet equiv`: do two kernels compute the same?

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use duet_engine::check::{Session, SessionOptions};
use duet_engine::load::{LoadOptions, LoadedFile};
use duet_engine::{LaunchSizes, Sizes, tools};
use duet_equiv::pair::expr::Expr;
use duet_equiv::pair::request::{FloatModel, Kernel, MatchBy, Request, Side};
use duet_equiv::{Failure, Report, Verdict, compare, render};
use duet_ir::{Func, Module, Space};

use crate::exit::Exit;
use crate::input::frontend_args::{FrontendArgs, load};
use crate::output;

/// Options of `duet equiv`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    frontend: FrontendArgs,
    /// The second file
    #[arg(required_unless_present_any = ["against", "spec"], conflicts_with_all = ["against", "spec"])]
    file_b: Option<PathBuf>,
    /// Compare the kernels of the file with those of an earlier commit
    #[arg(long, value_name = "GIT_REV", conflicts_with = "spec")]
    against: Option<String>,
    /// Compare with a kernel for one thread that says what is computed
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// The kernel of the first file
    #[arg(long, value_name = "NAME")]
    kernel_a: Option<String>,
    /// The kernel of the second file
    #[arg(long, value_name = "NAME")]
    kernel_b: Option<String>,
    /// Threads of a block, on both sides
    #[arg(long, aliases = ["blockDim", "local_size", "local-size"], value_name = "SIZES")]
    block_dim: Option<Sizes>,
    /// Blocks of the grid, on both sides
    #[arg(long, aliases = ["gridDim", "num_groups", "num-groups"], value_name = "SIZES")]
    grid_dim: Option<Sizes>,
    /// Threads of a block of the first kernel
    #[arg(long, value_name = "SIZES")]
    block_dim_a: Option<Sizes>,
    /// Threads of a block of the second kernel
    #[arg(long, value_name = "SIZES")]
    block_dim_b: Option<Sizes>,
    /// Blocks of the grid of the first kernel
    #[arg(long, value_name = "SIZES")]
    grid_dim_a: Option<Sizes>,
    /// Blocks of the grid of the second kernel
    #[arg(long, value_name = "SIZES")]
    grid_dim_b: Option<Sizes>,
    /// A relation between the launches and arguments (may be repeated)
    #[arg(long, value_name = "EXPR")]
    given: Vec<String>,
    /// How parameters find their partners
    #[arg(long = "match", value_name = "BY", default_value = "name", value_parser = ["name", "position"])]
    match_by: String,
    /// Parameters that belong together (may be repeated)
    #[arg(long, value_name = "A=B")]
    same: Vec<String>,
    /// Compare this array (may be repeated) [default: all that either kernel writes]
    #[arg(long, value_name = "NAME")]
    output: Vec<String>,
    /// Do not compare this array (may be repeated)
    #[arg(long, value_name = "NAME")]
    scratch: Vec<String>,
    /// Compare only the elements `i` for which this holds
    #[arg(long = "where", value_name = "EXPR")]
    places: Option<String>,
    /// Laws of float arithmetic
    #[arg(long, value_name = "MODEL", default_value = "exact", value_parser = ["exact", "reassoc", "real"])]
    float: String,
    /// Only compare runs of the launch that is given
    #[arg(long)]
    fixed: bool,
    /// How equality is encoded
    #[arg(long, value_name = "ENCODING", default_value = "chase", value_parser = ["chase", "serial"])]
    encoding: String,
    /// Loops that belong together, as a hint
    #[arg(long, value_name = "a:LINE=b:LINE")]
    align: Vec<String>,
    /// A relation of shared cells, as a hint
    #[arg(long, value_name = "EXPR")]
    relate: Vec<String>,
    /// Accept no assumption that the language leaves undefined
    #[arg(long)]
    strict: bool,
    /// Seconds for each check
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    timeout: u64,
    /// Write a host program that runs both kernels of a difference into this folder
    #[arg(long, value_name = "DIR")]
    emit_repro: Option<PathBuf>,
    /// human, json, sarif or html
    #[arg(long, default_value = "human", value_parser = ["human", "json", "sarif", "html"])]
    format: String,
}

/// Runs the command.
pub fn equiv(args: &Args) -> Exit {
    match run(args) {
        Ok((compared, exit)) => {
            print(args, &compared, exit);
            exit
        }
        Err(exit) => exit,
    }
}

/// A report, and the texts of the two files.
struct Compared {
    report: Report,
    sources: [String; 2],
}

fn print(args: &Args, compared: &[Compared], exit: Exit) {
    let reports: Vec<Report> = compared.iter().map(|one| one.report.clone()).collect();
    output::print(&match args.format.as_str() {
        "json" => format!("{:#}\n", render::all_json(&reports, exit as u8)),
        "sarif" => format!("{:#}\n", render::sarif(&reports, env!("CARGO_PKG_VERSION"))),
        "html" => {
            let sources: Vec<[String; 2]> =
                compared.iter().map(|one| one.sources.clone()).collect();
            render::html(&reports, &sources)
        }
        _ => reports.iter().map(render::text).collect(),
    });
}

fn usage(message: &str) -> Exit {
    eprintln!("error: {message}");
    Exit::Usage
}

fn run(args: &Args) -> Result<(Vec<Compared>, Exit), Exit> {
    let request = request(args).map_err(|message| usage(&message))?;
    let old = args.against.as_ref().map(|revision| Earlier::of(args, revision)).transpose()?;
    let paths = match (&old, &args.spec, &args.file_b) {
        (Some(old), _, _) => [old.file.clone(), args.frontend.file.clone()],
        (None, Some(file), _) | (None, None, Some(file)) => {
            [args.frontend.file.clone(), file.clone()]
        }
        (None, None, None) => return Err(usage("there is nothing to compare with")),
    };
    let files = [load_side(args, Side::A, &paths[0])?, load_side(args, Side::B, &paths[1])?];
    let modules = [&files[0].module, &files[1].module];
    if args.spec.is_some() {
        is_specification(modules[1]).map_err(|message| usage(&message))?;
    }
    let pairs = match old.is_some() {
        true => common(args, [modules[0], modules[1]]).map_err(|message| usage(&message))?,
        false => vec![kernels(args, [modules[0], modules[1]]).map_err(|message| usage(&message))?],
    };
    let solver = tools::preferred_solver();
    let options = SessionOptions { solvers: vec![solver], ..SessionOptions::default() };
    let mut session = Session::with_options(&options).map_err(|error| usage(&error.to_string()))?;
    let (mut all, mut exit) = (vec![], Exit::Proved);
    for funcs in pairs {
        let kernel = |side: Side| Kernel {
            file: paths[side.index()].clone(),
            module: &files[side.index()].module,
            func: funcs[side.index()],
            sizes: files[side.index()].sizes.clone(),
            reading: args.frontend.words(),
        };
        let kernels = [kernel(Side::A), kernel(Side::B)];
        let mut report =
            compare(&mut session, &kernels, &request).map_err(|failure| match failure {
                Failure::Usage(message) => usage(&message),
                Failure::Solver(error) => usage(&error.to_string()),
            })?;
        let beliefs: BTreeSet<String> = files.iter().flat_map(|file| file.beliefs()).collect();
        report.assumptions.extend(beliefs);
        let own = match report.verdict {
            Verdict::Equal => Exit::Proved,
            Verdict::Different => Exit::Refuted,
            Verdict::NotShown | Verdict::Vacuous => Exit::Unproven,
        };
        exit = exit.worse(own);
        if let (Some(folder), Some(difference)) = (&args.emit_repro, &report.difference) {
            write_program(folder, &kernels, difference).map_err(|message| usage(&message))?;
        }
        let sources = paths.clone().map(|path| std::fs::read_to_string(path).unwrap_or_default());
        all.push(Compared { report, sources });
    }
    Ok((all, exit))
}

/// A file as it was in an earlier commit, in a folder that is removed again.
struct Earlier {
    folder: PathBuf,
    file: PathBuf,
}

impl Earlier {
    /// Reads the text with `git show`; nothing else of git is used.
    fn of(args: &Args, revision: &str) -> Result<Earlier, Exit> {
        let path = &args.frontend.file;
        let name = path.file_name().ok_or_else(|| usage("the file has no name"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        if revision.starts_with('-') {
            return Err(usage(&format!("`{revision}` is no revision")));
        }
        let shown = Command::new("git")
            .current_dir(folder)
            .arg("show")
            .arg(format!("{revision}:./{}", name.to_string_lossy()))
            .output()
            .map_err(|error| usage(&format!("git does not run: {error}")))?;
        if !shown.status.success() {
            eprint!("{}", String::from_utf8_lossy(&shown.stderr));
            return Err(Exit::BadInput);
        }
        let own = std::env::temp_dir().join(format!("duet-equiv-{}", std::process::id()));
        let file = own.join(name);
        let written =
            std::fs::create_dir_all(&own).and_then(|()| std::fs::write(&file, shown.stdout));
        written.map_err(|error| usage(&format!("{}: {error}", file.display())))?;
        Ok(Earlier { folder: own, file })
    }
}

impl Drop for Earlier {
    fn drop(&mut self) {
        // What is left behind in a folder for such files does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The kernels that both files have.
fn common(args: &Args, modules: [&Module; 2]) -> Result<Vec<[Func; 2]>, String> {
    let wanted = |name: &String| {
        let asked: Vec<&String> = args.kernel_a.iter().chain(&args.kernel_b).collect();
        asked.is_empty() || asked.contains(&name)
    };
    let lists = modules.map(|module| {
        let all = module.kernels().map(|(func, data)| (func, data.name.clone()));
        all.filter(|(_, name)| wanted(name)).collect::<Vec<_>>()
    });
    let mut pairs = vec![];
    for (func, name) in &lists[1] {
        match lists[0].iter().find(|(_, other)| other == name) {
            Some((old, _)) => pairs.push([*old, *func]),
            None => eprintln!("note: `{name}` is new and is not compared"),
        }
    }
    for (_, name) in lists[0].iter().filter(|(_, name)| lists[1].iter().all(|(_, own)| own != name))
    {
        eprintln!("note: `{name}` is gone");
    }
    match pairs.is_empty() {
        true => Err("the two versions have no kernel in common".to_string()),
        false => Ok(pairs),
    }
}

/// A specification says what arrays hold in the end by what they held at first.
fn is_specification(module: &Module) -> Result<(), String> {
    for (_, func) in module.kernels() {
        let accesses = || {
            func.insts_in_order()
                .flat_map(|inst| func.insts[inst].accesses())
                .filter(|(_, access)| module.arrays[access.array].space == Space::Global)
        };
        let written: Vec<_> = accesses()
            .filter(|(mode, _)| mode.may_write())
            .map(|(_, access)| access.array)
            .collect();
        if let Some((_, access)) =
            accesses().find(|(mode, access)| !mode.may_write() && written.contains(&access.array))
        {
            let name = func.array_name(module, access.array);
            return Err(format!("--spec: `{}` reads `{name}`, which it writes", func.name));
        }
    }
    Ok(())
}

/// One host program that runs both kernels of a difference.
fn write_program(
    folder: &Path,
    kernels: &[Kernel<'_>; 2],
    difference: &duet_equiv::search::Difference,
) -> Result<(), String> {
    let program = duet_equiv::host_program(kernels, difference)?;
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        for (kernel, name) in kernels.iter().zip(["a.cu", "b.cu"]) {
            std::fs::copy(&kernel.file, folder.join(name))?;
        }
        std::fs::write(folder.join("repro.cu"), program)
    });
    written.map_err(|error| format!("{}: {error}", folder.display()))
}

fn request(args: &Args) -> Result<Request, String> {
    let parsed = |option: &str, text: &String| {
        Expr::parse(text).map_err(|error| format!("--{option}: {error}"))
    };
    let same = args.same.iter().map(|text| {
        let pair = text.split_once('=').ok_or(format!("--same: `{text}` is not A=B"))?;
        Ok((pair.0.to_string(), pair.1.to_string()))
    });
    let given: Result<Vec<Expr>, String> =
        args.given.iter().map(|text| parsed("given", text)).collect();
    let one_sided = [&args.block_dim_a, &args.block_dim_b, &args.grid_dim_a, &args.grid_dim_b];
    if args.emit_repro.is_some() && args.against.is_some() {
        return Err("--emit-repro goes with two files".to_string());
    }
    if !args.align.is_empty() || !args.relate.is_empty() {
        eprintln!("note: --align and --relate are hints, and no engine needs them yet");
    }
    if args.encoding == "serial" && !args.fixed {
        return Err("--encoding=serial goes with --fixed only".to_string());
    }
    Ok(Request {
        match_by: if args.match_by == "position" { MatchBy::Position } else { MatchBy::Name },
        same: same.collect::<Result<_, String>>()?,
        outputs: args.output.clone(),
        scratch: args.scratch.clone(),
        given: given?,
        places: args.places.as_ref().map(|text| parsed("where", text)).transpose()?,
        float: match args.float.as_str() {
            "reassoc" => FloatModel::Reassociating,
            "real" => FloatModel::Real,
            _ => FloatModel::Exact,
        },
        one_sided_sizes: one_sided.iter().any(|size| size.is_some()) || args.spec.is_some(),
        strict: args.strict,
        fixed: args.fixed,
        timeout: (args.timeout > 0).then(|| Duration::from_secs(args.timeout)),
        work: None,
    })
}

fn load_side(args: &Args, side: Side, path: &Path) -> Result<LoadedFile, Exit> {
    let (block, grid) = match side {
        Side::A => (&args.block_dim_a, &args.grid_dim_a),
        Side::B => (&args.block_dim_b, &args.grid_dim_b),
    };
    let one = || "1".parse::<Sizes>().ok();
    let sizes = match (side, &args.spec) {
        // A specification is a kernel for one thread.
        (Side::B, Some(_)) => LaunchSizes { block: one(), grid: one(), global: None, offset: None },
        (Side::A | Side::B, _) => LaunchSizes {
            block: block.clone().or(args.block_dim.clone()),
            grid: grid.clone().or(args.grid_dim.clone()),
            global: None,
            offset: None,
        },
    };
    let mut reading = args.frontend.options();
    if let (Side::A, Some(_), Some(folder)) = (side, &args.against, args.frontend.file.parent()) {
        // What the old text includes is looked for where it was.
        let is_here = folder.as_os_str().is_empty();
        reading.include_dirs.push(if is_here { PathBuf::from(".") } else { folder.to_path_buf() });
    }
    let kernel = match side {
        Side::A => &args.kernel_a,
        Side::B => &args.kernel_b,
    };
    reading.kernels.extend(kernel.clone());
    let plain = LoadOptions::plain(path.to_path_buf(), reading);
    let options = LoadOptions { sizes, check_sizes: true, ..plain };
    load(&options).map_err(|failure| failure.exit())
}

/// The kernels that are compared: the only ones, or those of one name.
fn kernels(args: &Args, modules: [&Module; 2]) -> Result<[Func; 2], String> {
    let lists = modules.map(|module| {
        module.kernels().map(|(func, data)| (func, data.name.clone())).collect::<Vec<_>>()
    });
    if let ([a], [b]) = (lists[0].as_slice(), lists[1].as_slice()) {
        return Ok([a.0, b.0]);
    }
    let mut common = vec![];
    for (a, name) in &lists[0] {
        for (b, other) in &lists[1] {
            let is_same = name == other || lists[0].len() == 1 && args.kernel_b.is_some();
            if is_same || lists[1].len() == 1 && args.kernel_a.is_some() {
                common.push([*a, *b]);
            }
        }
    }
    match common.as_slice() {
        [pair] => Ok(*pair),
        [] => Err("no kernel of one file has the name of one of the other: name them with --kernel-a and --kernel-b".to_string()),
        _ => Err("several kernels could be compared: name them with --kernel-a and --kernel-b".to_string()),
    }
}
