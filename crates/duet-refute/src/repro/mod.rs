//! A run as a host program of its own, for people who want to see the defect on
//! their machine: the launch, arguments and contents of a run, written into one of
//! two templates (`opencl.c`, `cuda.cu`).
//!
//! The program launches the kernel several times, with delays and in different orders,
//! shows the bytes that the defect is about, and says in how many launches memory was
//! left as in no launch before. Contents are chosen such that the order shows
//! (`contents`). What a device makes of a race is its own affair: the program proves
//! nothing, it is a start. Kernels with structures, images or textures as parameters
//! are refused.

mod buffers;
mod contents;
mod text;

use duet_interp::FindingKind;
use duet_ir::{Array, ArrayOrigin, Func, Function, Language, Module, ParamKind, Space};

use super::Evidence;
use buffers::{Buffer, Reach};
use text::Template;

/// A host program that repeats a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repro {
    /// The program's file: `repro.c` or `repro.cu`.
    pub host_file: &'static str,
    /// The kernel's file, which the program reads or includes: a copy of the source.
    pub source_file: &'static str,
    /// The program.
    pub host: String,
    /// The command that builds it.
    pub build: String,
}

/// How the kernel's file is compiled.
#[derive(Clone, Debug, Default)]
pub struct Compiling<'a> {
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: &'a [String],
    /// Folders with headers.
    pub include_dirs: &'a [String],
    /// What the defect is, in a line or a few.
    pub what: &'a str,
}

/// The program for a run; an error says why there is none.
pub fn reproduction(
    module: &Module,
    kernel: Func,
    evidence: &Evidence,
    compiling: &Compiling<'_>,
) -> Result<Repro, String> {
    let func = &module.functions[kernel];
    refuse(module, func)?;
    let evidence = &contents::telling(module, kernel, evidence);
    let reach = Reach::of(module, kernel, &evidence.run);
    let arguments = arguments(module, func, evidence, &reach)?;
    let watched = watched(func, evidence);
    let template = Template { module, func, evidence, compiling, arguments, watched, reach };
    Ok(match module.language {
        Language::OpenCl => Repro {
            host_file: "repro.c",
            source_file: "kernel.cl",
            host: template.opencl(),
            build: text::BUILD_OPENCL.to_string(),
        },
        Language::Cuda => Repro {
            host_file: "repro.cu",
            source_file: "kernel.cu",
            host: template.cuda(),
            build: template.build_cuda(),
        },
    })
}

/// What is passed for one parameter.
struct Argument<'a> {
    name: &'a str,
    value: Passed,
}

enum Passed {
    /// The bytes of a number.
    Number(Vec<u8>),
    /// Memory of the device.
    Buffer(Buffer),
    /// The same memory as an earlier parameter's, and the distance in bytes.
    SameAs(usize, u64),
    /// So many bytes of memory of a group.
    Local(u64),
}

/// Bytes of a parameter's memory that the defect is about.
struct Watched {
    argument: usize,
    first: u64,
    bytes: u32,
}

fn refuse(module: &Module, func: &Function) -> Result<(), String> {
    if func.params.len() > 60 {
        return Err("the kernel has too many parameters".to_string());
    }
    let odd = |name: &str| !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if let Some(param) = func.params.iter().find(|param| odd(&param.name)) {
        return Err(format!("parameter `{}` is a part of a structure or a vector", param.name));
    }
    let is_image = |&array: &Array| {
        matches!(module.arrays[array].origin, ArrayOrigin::Image | ArrayOrigin::Fresh)
    };
    match func.arrays_used().iter().find(|array| is_image(array)) {
        Some(&array) => Err(format!("`{}` is no plain memory", module.arrays[array].name)),
        None => Ok(()),
    }
}

fn arguments<'a>(
    module: &Module,
    func: &'a Function,
    evidence: &Evidence,
    reach: &Reach,
) -> Result<Vec<Argument<'a>>, String> {
    let mut list = vec![];
    for (index, param) in func.params.iter().enumerate() {
        let value = match param.kind {
            ParamKind::Scalar(value) => {
                Passed::Number(buffers::number(evidence, func, index, value))
            }
            ParamKind::Array(array) if module.arrays[array].space == Space::Shared => {
                Passed::Local(reach.size(module, array, &evidence.run))
            }
            ParamKind::Array(array) => match alias(module, func, evidence, array) {
                Some((of, _)) if of > index => {
                    return Err("a pointer points into the array of a later one".to_string());
                }
                Some((_, shift)) if shift > 0 && module.language == Language::OpenCl => {
                    return Err("OpenCL buffers cannot overlap at any byte".to_string());
                }
                Some((of, shift)) => Passed::SameAs(of, shift),
                None => Passed::Buffer(reach.buffer(module, array, &evidence.run)?),
            },
            ParamKind::Pointer(..) => return Err("a parameter is a bare pointer".to_string()),
        };
        list.push(Argument { name: &param.name, value });
    }
    Ok(list)
}

/// The parameter whose array this one points into.
fn alias(
    module: &Module,
    func: &Function,
    evidence: &Evidence,
    array: Array,
) -> Option<(usize, u64)> {
    let (of, shift) = evidence.run.inputs.aliases.get(&super::run::array_key(module, array))?;
    let is_it = |kind: &ParamKind| match kind {
        ParamKind::Array(other) => super::run::array_key(module, *other) == *of,
        ParamKind::Scalar(_) | ParamKind::Pointer(..) => false,
    };
    Some((func.params.iter().position(|param| is_it(&param.kind))?, *shift))
}

fn watched(func: &Function, evidence: &Evidence) -> Option<Watched> {
    let (FindingKind::Race(race) | FindingKind::BenignRace(race)) = &evidence.defect.kind else {
        return None;
    };
    let is_it = |kind: &ParamKind| *kind == ParamKind::Array(race.array);
    let argument = func.params.iter().position(|param| is_it(&param.kind))?;
    Some(Watched { argument, first: race.overlap.0, bytes: race.overlap.1.clamp(1, 16) })
}
