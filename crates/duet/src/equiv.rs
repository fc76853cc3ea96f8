//! `duet equiv`: do two kernels compute the same?

use std::path::PathBuf;
use std::time::Duration;

use duet_engine::check::{Session, SessionOptions};
use duet_engine::load::{LoadOptions, LoadedFile};
use duet_engine::{LaunchSizes, Sizes, tools};
use duet_equiv::pair::expr::Expr;
use duet_equiv::pair::request::{FloatModel, Kernel, MatchBy, Request, Side};
use duet_equiv::{Failure, Report, Verdict, compare, render};
use duet_ir::{Func, Module};

use crate::exit::Exit;
use crate::input::frontend_args::{FrontendArgs, load};
use crate::output;

/// Options of `duet equiv`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    frontend: FrontendArgs,
    /// The second file
    file_b: PathBuf,
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
    /// human or json
    #[arg(long, default_value = "human", value_parser = ["human", "json"])]
    format: String,
}

/// Runs the command.
pub fn equiv(args: &Args) -> Exit {
    match run(args) {
        Ok((report, exit)) => {
            match args.format.as_str() {
                "json" => output::print(&format!("{:#}\n", render::json(&report, exit as u8))),
                _ => output::print(&render::text(&report)),
            }
            exit
        }
        Err(exit) => exit,
    }
}

fn usage(message: &str) -> Exit {
    eprintln!("error: {message}");
    Exit::Usage
}

fn run(args: &Args) -> Result<(Report, Exit), Exit> {
    let request = request(args).map_err(|message| usage(&message))?;
    let files = [load_side(args, Side::A)?, load_side(args, Side::B)?];
    let modules = [&files[0].module, &files[1].module];
    let funcs = kernels(args, [modules[0], modules[1]]).map_err(|message| usage(&message))?;
    let kernel = |side: Side| Kernel {
        file: file(args, side),
        module: &files[side.index()].module,
        func: funcs[side.index()],
        sizes: files[side.index()].sizes.clone(),
        reading: args.frontend.words(),
    };
    let kernels = [kernel(Side::A), kernel(Side::B)];
    let solver = tools::preferred_solver();
    let options = SessionOptions { solvers: vec![solver], ..SessionOptions::default() };
    let mut session = Session::with_options(&options).map_err(|error| usage(&error.to_string()))?;
    let report = compare(&mut session, &kernels, &request).map_err(|failure| match failure {
        Failure::Usage(message) => usage(&message),
        Failure::Solver(error) => usage(&error.to_string()),
    })?;
    let exit = match report.verdict {
        Verdict::Equal => Exit::Proved,
        Verdict::Different => Exit::Refuted,
        Verdict::NotShown | Verdict::Vacuous => Exit::Unproven,
    };
    Ok((report, exit))
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
    if !args.align.is_empty() || !args.relate.is_empty() {
        eprintln!("note: --align and --relate are read and not used yet");
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
        one_sided_sizes: one_sided.iter().any(|size| size.is_some()),
        strict: args.strict,
        fixed: args.fixed,
        timeout: (args.timeout > 0).then(|| Duration::from_secs(args.timeout)),
        work: None,
    })
}

fn file(args: &Args, side: Side) -> PathBuf {
    match side {
        Side::A => args.frontend.file.clone(),
        Side::B => args.file_b.clone(),
    }
}

fn load_side(args: &Args, side: Side) -> Result<LoadedFile, Exit> {
    let (block, grid) = match side {
        Side::A => (&args.block_dim_a, &args.grid_dim_a),
        Side::B => (&args.block_dim_b, &args.grid_dim_b),
    };
    let sizes = LaunchSizes {
        block: block.clone().or(args.block_dim.clone()),
        grid: grid.clone().or(args.grid_dim.clone()),
        global: None,
        offset: None,
    };
    let mut reading = args.frontend.options();
    let kernel = match side {
        Side::A => &args.kernel_a,
        Side::B => &args.kernel_b,
    };
    reading.kernels.extend(kernel.clone());
    let plain = LoadOptions::plain(file(args, side), reading);
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
