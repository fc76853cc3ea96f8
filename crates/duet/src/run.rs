//! `duet run`: runs a kernel in the reference interpreter and says what it saw.

use std::collections::BTreeMap;

use duet_engine::load::LoadOptions;
use duet_engine::{Size, Sizes};
use duet_interp::{
    ArrayInput, Fill, Finding, Inputs, Key, Launch, Outcome, RunOptions, Schedule, Small,
    SmallKind, Status,
};
use duet_ir::{ArrayData, Func, Module, ParamKind, Type};
use duet_report::execution;

use crate::exit::Exit;
use crate::input::frontend_args::{Failure, FrontendArgs, load};
use crate::input::sizes::SizeArgs;
use crate::output;

/// Options of `duet run`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    frontend: FrontendArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    /// Value of a scalar argument (decimal, hexadecimal, with a point for floats, or
    /// bits:NUMBER); a parameter may also be named by its position, from 0
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    args: Vec<String>,
    /// Contents of an array: zero, ones, iota, random:SEED, small:SEED:BELOW (from 0),
    /// signed:SEED:BELOW (from -1),
    /// floats:SEED:BELOW, INDEX:VALUE pairs between commas (all others 0), or numbers
    /// between commas; optionally xCOUNT elements
    #[arg(long = "fill", value_name = "NAME=CONTENTS[xCOUNT]")]
    fills: Vec<String>,
    /// A pointer parameter that points into another one's array, so many bytes from
    /// its start
    #[arg(long = "alias", value_name = "NAME=NAME[+BYTES]")]
    aliases: Vec<String>,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES")]
    shared: Option<u64>,
    /// Order of threads between barriers: in-order, reversed, or a seed
    #[arg(long, value_name = "ORDER", default_value = "in-order")]
    schedule: String,
    /// Seed of unknown values
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Unknown values are below this
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    unknown_below: Option<u32>,
    /// Run only these blocks, by number (x fastest), as if the others came later
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    only_blocks: Option<Vec<u32>>,
    /// Of these blocks run only these threads, by number in the grid (block by block),
    /// as if the others came later
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    only_threads: Option<Vec<u32>>,
    /// Run warps of so many threads in lock step
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    warp_sync: Option<u32>,
    /// Instructions after which the run is given up
    #[arg(long, value_name = "COUNT")]
    max_steps: Option<u64>,
    /// Print the contents of this array at the end (may be repeated)
    #[arg(long = "print", value_name = "ARRAY")]
    prints: Vec<String>,
    /// Ignore preconditions and assumptions in contracts of the source
    #[arg(long)]
    no_annotations: bool,
    /// Of contracts keep only preconditions
    #[arg(long)]
    only_requires: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Exit {
    try_run(args).unwrap_or_else(|failure| failure.exit())
}

fn try_run(args: &Args) -> Result<Exit, Failure> {
    let launch = launch(args)?;
    let loaded = load(&args.loading())?;
    let module = &loaded.module;
    check_arguments(args, module, &loaded.kernels())?;
    if let Some(note) = args.sizes.notes() {
        eprintln!("note: {note}");
    }
    let mut exit = Exit::Proved;
    let mut reports = vec![];
    for kernel in loaded.kernels() {
        let inputs = inputs(args, module, kernel)?;
        let options = options(args)?;
        let outcome = duet_interp::run(module, kernel, &launch, &inputs, &options)
            .map_err(|error| error.to_string())?;
        exit = exit.worse(exit_of(&outcome));
        reports.push((kernel, outcome));
    }
    report(args, module, &launch, &reports)?;
    Ok(exit)
}

impl Args {
    /// How the file is loaded.
    fn loading(&self) -> LoadOptions {
        let defines_warps = |one: &String| one.starts_with("__WARP_SIZE");
        let is_told = self.frontend.defines.iter().any(defines_warps);
        LoadOptions {
            sizes: self.sizes.sizes(),
            check_sizes: true,
            warp_size: (!is_told).then_some(32),
            no_annotations: self.no_annotations,
            only_requires: self.only_requires,
            ..LoadOptions::plain(self.frontend.file.clone(), self.frontend.options())
        }
    }
}

/// A run with a defect refutes; one that did not finish tells nothing.
fn exit_of(outcome: &Outcome) -> Exit {
    match outcome.defects().next() {
        Some(_) => Exit::Refuted,
        None if outcome.status == Status::Finished => Exit::Proved,
        None => Exit::Unproven,
    }
}

fn report(
    args: &Args,
    module: &Module,
    launch: &Launch,
    reports: &[(Func, Outcome)],
) -> Result<(), Failure> {
    if args.json {
        let mut json = execution::json(&args.frontend.file, module, launch, reports);
        for (number, (kernel, _)) in reports.iter().enumerate() {
            json["kernels"][number]["not_given"] = not_given(args, module, *kernel).into();
        }
        output::print(&format!("{json:#}\n"));
        return Ok(());
    }
    for (kernel, outcome) in reports {
        let findings: Vec<&Finding> = outcome.findings.iter().collect();
        output::print_diagnostics(&execution::diagnostics(module, *kernel, &findings));
        output::print(&execution::summary(module, *kernel, launch, outcome));
        let made_up = not_given(args, module, *kernel);
        if !made_up.is_empty() {
            output::print(&format!("  not given, so made up: {}\n", made_up.join(", ")));
        }
        for name in &args.prints {
            output::print(&execution::contents(module, outcome, name)?);
        }
    }
    Ok(())
}

fn launch(args: &Args) -> Result<Launch, String> {
    let sizes = args.sizes.sizes();
    let grid_sizes = sizes.grid().map_err(|error| error.to_string())?;
    let block = numbers(sizes.block.as_ref(), "--block-dim", 1)?;
    let grid = numbers(grid_sizes.as_ref(), "--grid-dim", 1)?;
    let mut launch = Launch::new(grid, block);
    if let Some(sizes) = grid_sizes {
        launch.work_dim = sizes.0.len() as u32;
    }
    if let Some(offset) = &sizes.offset {
        launch.global_offset = numbers(Some(offset), "--global-offset", 0)?;
    }
    launch.dynamic_shared = args.shared;
    Ok(launch)
}

/// Three numbers, with `missing` for the dimensions that are not given.
fn numbers(sizes: Option<&Sizes>, option: &str, missing: u32) -> Result<[u32; 3], String> {
    let sizes = sizes.ok_or_else(|| format!("a run needs {option}"))?;
    let mut numbers = [missing; 3];
    for (number, size) in numbers.iter_mut().zip(&sizes.0) {
        *number = match size {
            Size::Number(size) => *size,
            Size::Any => return Err(format!("a run needs numbers: {option}={sizes}")),
        };
    }
    Ok(numbers)
}

fn options(args: &Args) -> Result<RunOptions, String> {
    let schedule = match args.schedule.as_str() {
        "in-order" => Schedule::InOrder,
        "reversed" => Schedule::Reversed,
        seed => Schedule::Seeded(
            seed.parse().map_err(|_| format!("--schedule: `{seed}` is no order and no seed"))?,
        ),
    };
    let mut options = RunOptions {
        schedule,
        seed: args.seed,
        unknown_below: args.unknown_below,
        only_blocks: args.only_blocks.clone(),
        only_threads: args.only_threads.clone(),
        lock_step: args.warp_sync,
        ..RunOptions::default()
    };
    if let Some(steps) = args.max_steps {
        options.limits.steps = steps;
    }
    Ok(options)
}

/// An argument that no kernel has is a mistake.
fn check_arguments(args: &Args, module: &Module, kernels: &[Func]) -> Result<(), String> {
    for text in &args.args {
        let (name, _) = split_assignment("--arg", text)?;
        let key = argument_key(name);
        if kernels.iter().any(|&kernel| scalar_type(module, kernel, &key).is_some()) {
            continue;
        }
        let is_array = kernels.iter().any(|&kernel| find_array(module, kernel, name).is_some());
        return Err(match is_array {
            true => format!("--arg {text}: `{name}` is an array; --fill says what it holds"),
            false => format!("--arg {text}: there is no parameter `{name}`"),
        });
    }
    Ok(())
}

fn argument_key(name: &str) -> Key {
    name.parse::<usize>().map_or_else(|_| Key::from(name), Key::Index)
}

/// What the run had to make up: numbers that are 0, arrays that hold anything.
fn not_given(args: &Args, module: &Module, kernel: Func) -> Vec<String> {
    let func = &module.functions[kernel];
    let names = |list: &[String]| -> Vec<String> {
        list.iter().filter_map(|text| Some(text.split_once('=')?.0.to_string())).collect()
    };
    let (scalars, arrays) =
        (names(&args.args), [names(&args.fills), names(&args.aliases)].concat());
    let numbers = func.scalar_params().filter(|param| {
        !scalars.iter().any(|name| name == param.name || *name == param.index.to_string())
    });
    let unknown = func.array_params().filter(|param| {
        let own = &module.arrays[param.array].name;
        !arrays.iter().any(|name| name == param.name || name == own)
    });
    let numbers = numbers.map(|param| format!("{} = 0", param.name));
    numbers.chain(unknown.map(|param| format!("the contents of {}", param.name))).collect()
}

/// Arguments and contents; a scalar that is not given is 0, an array unknown.
fn inputs(args: &Args, module: &Module, kernel: Func) -> Result<Inputs, String> {
    let mut inputs = Inputs { other_scalars: Some(0), ..Inputs::new() };
    for text in &args.args {
        let (name, value) = split_assignment("--arg", text)?;
        let key = argument_key(name);
        let Some(ty) = scalar_type(module, kernel, &key) else { continue };
        inputs.scalars.insert(key, parse_scalar(value, ty)?);
    }
    for text in &args.fills {
        let (name, value) = split_assignment("--fill", text)?;
        let data = find_array(module, kernel, name)
            .ok_or_else(|| format!("--fill: there is no array `{name}`"))?;
        inputs.arrays.insert(Key::from(data.name.as_str()), parse_fill(value, data.granule)?);
    }
    for text in &args.aliases {
        let (name, of) = split_assignment("--alias", text)?;
        let (of, shift) = of.split_once('+').unwrap_or((of, "0"));
        let shift = shift.parse().map_err(|_| format!("--alias {text}: `{shift}` is no number"))?;
        inputs.aliases.insert(Key::from(name), (Key::from(of), shift));
    }
    Ok(inputs)
}

/// The array behind a pointer parameter of the kernel, or of this name.
fn find_array<'m>(module: &'m Module, kernel: Func, name: &str) -> Option<&'m ArrayData> {
    let params = &module.functions[kernel].params;
    let own = params.iter().find_map(|param| match param.kind {
        ParamKind::Array(array) if param.name == name => Some(&module.arrays[array]),
        _ => None,
    });
    own.or_else(|| module.arrays.values().find(|data| data.name == name))
}

fn split_assignment<'t>(option: &str, text: &'t str) -> Result<(&'t str, &'t str), String> {
    text.split_once('=').ok_or_else(|| format!("{option} {text}: expected NAME=VALUE"))
}

fn scalar_type(module: &Module, kernel: Func, key: &Key) -> Option<Type> {
    let function = &module.functions[kernel];
    let param = match key {
        Key::Name(name) => function.params.iter().find(|param| param.name == *name)?,
        Key::Index(index) => function.params.get(*index)?,
    };
    match param.kind {
        ParamKind::Scalar(value) => Some(function.type_of(value)),
        ParamKind::Array(_) | ParamKind::Pointer(..) => None,
    }
}

/// A number as the bits of a type.
fn parse_scalar(text: &str, ty: Type) -> Result<u128, String> {
    let bad = || format!("`{text}` is no value of type {ty}");
    if let Some(bits) = text.strip_prefix("bits:") {
        return parse_integer(bits).ok_or_else(bad);
    }
    match ty {
        Type::F32 => text.parse::<f32>().map(|x| u128::from(x.to_bits())).map_err(|_| bad()),
        Type::F64 => text.parse::<f64>().map(|x| u128::from(x.to_bits())).map_err(|_| bad()),
        _ => parse_integer(text).ok_or_else(bad),
    }
}

fn parse_integer(text: &str) -> Option<u128> {
    if let Some(magnitude) = text.strip_prefix('-') {
        return parse_integer(magnitude).map(u128::wrapping_neg);
    }
    match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// `zero`, `ones`, `iota`, `random:7`, `small:1:4`, `0:7,5:1`, `1,2,3`, each with an
/// optional `xCOUNT`.
fn parse_fill(text: &str, granule: u32) -> Result<ArrayInput, String> {
    let (contents, count) = match text.rsplit_once('x') {
        Some((contents, count))
            if !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()) =>
        {
            (contents, count.parse::<u64>().ok())
        }
        _ => (text, None),
    };
    let fill = match contents {
        "zero" => Fill::Zero,
        "ones" => Fill::Ones,
        "iota" => Fill::Iota,
        "unknown" => Fill::Unknown,
        _ => match contents.split_once(':') {
            Some(("random", seed)) => {
                Fill::Random(seed.parse().map_err(|_| format!("`{seed}` is no seed"))?)
            }
            Some(("bytes", byte)) => {
                Fill::Byte(byte.parse().map_err(|_| format!("`{byte}` is no byte"))?)
            }
            Some(("small", numbers)) => small(numbers, SmallKind::Natural)?,
            Some(("signed", numbers)) => small(numbers, SmallKind::Signed)?,
            Some(("floats", numbers)) => small(numbers, SmallKind::Float)?,
            Some(_) => Fill::Cells(cells(contents)?),
            None => Fill::Bytes(element_bytes(contents, granule)?),
        },
    };
    Ok(ArrayInput { fill, bytes: count.map(|count| count * u64::from(granule)) })
}

/// `SEED:BELOW`.
fn small(text: &str, kind: SmallKind) -> Result<Fill, String> {
    let numbers = text.split_once(':').and_then(|(seed, below)| {
        Some(Small { seed: seed.parse().ok()?, below: below.parse().ok()?, kind })
    });
    numbers.map(Fill::Small).ok_or_else(|| format!("`{text}` is no SEED:BELOW"))
}

/// `INDEX:VALUE` between commas.
fn cells(text: &str) -> Result<BTreeMap<u64, u128>, String> {
    text.split(',')
        .map(|cell| {
            let parts = cell.split_once(':');
            let parsed =
                parts.and_then(|(index, value)| Some((index.parse().ok()?, parse_integer(value)?)));
            parsed.ok_or_else(|| format!("`{cell}` is no INDEX:VALUE"))
        })
        .collect()
}

/// Numbers between commas, each as wide as an element.
fn element_bytes(text: &str, granule: u32) -> Result<Vec<u8>, String> {
    let mut bytes = vec![];
    for number in text.split(',') {
        let bits = match (parse_integer(number), number.parse::<f64>(), granule) {
            (Some(bits), _, _) => bits,
            (None, Ok(float), 4) => u128::from((float as f32).to_bits()),
            (None, Ok(float), 8) => u128::from(float.to_bits()),
            _ => return Err(format!("`{number}` is no element")),
        };
        bytes.extend(&bits.to_le_bytes()[..granule as usize]);
    }
    Ok(bytes)
}
