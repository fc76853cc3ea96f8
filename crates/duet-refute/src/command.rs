//! A run as the command that repeats it.

use duet_interp::{Fill, Inputs, Key, Schedule, Small, SmallKind};
use duet_ir::{Func, Language, Module, ParamKind, Type};

use crate::run::Run;

/// The command that repeats a run, as words. `file` and `reading` say which file is
/// read, and how.
pub fn command_line(
    module: &Module,
    kernel: Func,
    run: &Run,
    file: &str,
    reading: &[String],
) -> Vec<String> {
    let mut words = vec!["duet".to_string(), "run".to_string(), file.to_string()];
    words.extend(reading.iter().cloned());
    if module.kernels().count() > 1 {
        words.push(format!("--kernel={}", module.functions[kernel].name));
    }
    words.extend(launch_words(module.language, run));
    words.extend(argument_words(module, kernel, &run.inputs));
    words.extend(array_words(module, kernel, &run.inputs));
    words.extend(alias_words(module, kernel, &run.inputs));
    words.extend(order_words(run));
    words
}

fn launch_words(language: Language, run: &Run) -> Vec<String> {
    let (block, grid) = match language {
        Language::Cuda => ("--blockDim", "--gridDim"),
        Language::OpenCl => ("--local_size", "--num_groups"),
    };
    let rank = |sizes: &[u32; 3]| sizes.iter().rposition(|size| *size != 1).map_or(1, |at| at + 1);
    let list = |sizes: &[u32]| sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let launch = &run.launch;
    let work_dim = (launch.work_dim.clamp(1, 3) as usize).max(rank(&launch.grid));
    let mut words = vec![
        format!("{block}={}", list(&launch.block[..rank(&launch.block)])),
        // The number of dimensions that the kernel can ask for.
        format!("{grid}={}", list(&launch.grid[..work_dim])),
    ];
    if launch.global_offset != [0; 3] {
        words.push(format!("--global_offset={}", list(&launch.global_offset[..work_dim])));
    }
    words
}

fn argument_words(module: &Module, kernel: Func, inputs: &Inputs) -> Vec<String> {
    let func = &module.functions[kernel];
    let mut words = vec![];
    for (key, &bits) in &inputs.scalars {
        let Key::Index(index) = key else { continue };
        let param = &func.params[*index];
        let ParamKind::Scalar(value) = param.kind else { continue };
        let unique = func.params.iter().filter(|other| other.name == param.name).count() == 1;
        let name = if unique { param.name.clone() } else { index.to_string() };
        words.push("--arg".to_string());
        words.push(format!("{name}={}", scalar_text(bits, func.type_of(value))));
    }
    words
}

fn array_words(module: &Module, kernel: Func, inputs: &Inputs) -> Vec<String> {
    let mut words = vec![];
    for (key, input) in &inputs.arrays {
        let Key::Name(name) = key else { continue };
        let Some((array, data)) = module.arrays.iter().find(|(_, data)| data.name == *name) else {
            continue;
        };
        // An array's name tells it from those of other kernels, a parameter's does not.
        let name = module.functions[kernel].array_name(module, array);
        let granule = u64::from(data.granule.max(1));
        let count = input.bytes.map_or(String::new(), |bytes| format!("x{}", bytes / granule));
        words.push("--fill".to_string());
        words.push(format!("{name}={}{count}", fill_text(&input.fill)));
    }
    words
}

fn alias_words(module: &Module, kernel: Func, inputs: &Inputs) -> Vec<String> {
    let mut words = vec![];
    for (key, (of, shift)) in &inputs.aliases {
        let (Some(name), Some(of)) = (own_name(module, kernel, key), own_name(module, kernel, of))
        else {
            continue;
        };
        let shift = if *shift == 0 { String::new() } else { format!("+{shift}") };
        words.push("--alias".to_string());
        words.push(format!("{name}={of}{shift}"));
    }
    words
}

/// What the kernel calls the array that an input names.
pub fn own_name<'m>(module: &'m Module, kernel: Func, key: &'m Key) -> Option<&'m str> {
    let Key::Name(name) = key else { return None };
    let (array, _) = module.arrays.iter().find(|(_, data)| data.name == *name)?;
    Some(module.functions[kernel].array_name(module, array))
}

/// A value in the form that `duet run` reads.
fn scalar_text(bits: u128, ty: Type) -> String {
    let width = ty.bits().unwrap_or(128).clamp(1, 128);
    match ty {
        Type::F32 if f32::from_bits(bits as u32).is_finite() => {
            format!("{:?}", f32::from_bits(bits as u32))
        }
        Type::F64 if f64::from_bits(bits as u64).is_finite() => {
            format!("{:?}", f64::from_bits(bits as u64))
        }
        Type::Float(_) => format!("bits:{bits:#x}"),
        _ if width > 1 && bits >> (width - 1) & 1 == 1 => {
            let unused = 128 - width;
            (((bits << unused) as i128) >> unused).to_string()
        }
        Type::Int(_) | Type::Ref => bits.to_string(),
    }
}

fn order_words(run: &Run) -> Vec<String> {
    let mut words = vec![];
    match run.schedule {
        Schedule::InOrder => {}
        Schedule::Reversed => words.push("--schedule=reversed".to_string()),
        Schedule::Seeded(seed) => words.push(format!("--schedule={seed}")),
    }
    if run.seed != 0 {
        words.push(format!("--seed={}", run.seed));
    }
    if let Some(below) = run.unknown_below {
        words.push(format!("--unknown-below={below}"));
    }
    if let Some(blocks) = &run.only_blocks {
        let blocks: Vec<String> = blocks.iter().map(u32::to_string).collect();
        words.push(format!("--only-blocks={}", blocks.join(",")));
    }
    if let Some(size) = run.lock_step {
        words.push(format!("--warp-sync={size}"));
    }
    if let Some(steps) = run.cut_after {
        words.push(format!("--max-steps={steps}"));
    }
    if let Some(threads) = &run.only_threads {
        let threads: Vec<String> = threads.iter().map(u32::to_string).collect();
        words.push(format!("--only-threads={}", threads.join(",")));
    }
    words
}

/// Contents of an array in the form that `duet run` reads.
pub fn fill_text(fill: &Fill) -> String {
    match fill {
        Fill::Zero => "zero".to_string(),
        Fill::Ones => "ones".to_string(),
        Fill::Byte(byte) => format!("bytes:{byte}"),
        Fill::Iota => "iota".to_string(),
        Fill::Random(seed) => format!("random:{seed}"),
        Fill::Small(Small { seed, below, kind }) => {
            let kind = match kind {
                SmallKind::Natural => "small",
                SmallKind::Signed => "signed",
                SmallKind::Float => "floats",
            };
            format!("{kind}:{seed}:{below}")
        }
        Fill::Cells(cells) if cells.is_empty() => "zero".to_string(),
        Fill::Cells(cells) => {
            let cells: Vec<String> =
                cells.iter().map(|(index, bits)| format!("{index}:{bits}")).collect();
            cells.join(",")
        }
        Fill::Bytes(bytes) => {
            let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
            format!("bytes:{}", bytes.join(","))
        }
        Fill::Unknown => "unknown".to_string(),
    }
}
