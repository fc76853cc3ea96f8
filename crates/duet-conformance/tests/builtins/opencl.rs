//! OpenCL's built-ins: the front end and the interpreter against PoCL.
//!
//! Each declaration of clang's header that the front end translates is compared with
//! PoCL bit by bit, unless [`tables`] says why not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use duet_conformance::{Arg, Buffer, BufferSpec, Buffers, Case, Element, Fill, Launch, Pocl};
use duet_frontend::Options;
use duet_interp::Schedule;
use duet_ir::{InstData, Module};

use crate::calls::{self, SLOT};
use crate::common::interpret;
use crate::header::{self, ELEMENTS, Overload};
use crate::tables::{self, Witness};
use crate::values;

/// Three dimensions, an offset, and groups that are not alone.
const LAUNCH: Launch = Launch {
    dimensions: 3,
    local_size: [8, 4, 2],
    num_groups: [2, 2, 2],
    global_offset: [5, 3, 1],
};
const ITEMS: usize = 512;

/// Calls in one kernel.
const CHUNK: usize = 40;

/// Kernels in one module that is only read.
const PROBES: usize = 60;

const POCL_OPTIONS: &str =
    "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info";

/// The item's number, from ids that `kernels/conformance` tests with constants.
const NUMBER: &str = "  size_t i = ((get_group_id(2) * 2 + get_group_id(1)) * 2 \
    + get_group_id(0)) * 64 + (get_local_id(2) * 4 + get_local_id(1)) * 8 + get_local_id(0);\n";

const EXTENSIONS: &str = "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
    #endif\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n\
    #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n\
    #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n";

fn kernel(name: &str, body: &str) -> String {
    let inputs: Vec<String> =
        ELEMENTS.iter().map(|element| format!("global const {element} *in_{element}")).collect();
    let params = format!("{}, global uchar *out", inputs.join(", "));
    format!("kernel void {name}({params}) {{\n{NUMBER}{body}}}\n")
}

/// One kernel of all these statements.
fn kernel_of(statements: &[String]) -> String {
    format!("{EXTENSIONS}{}{}", calls::AT, kernel("k", &statements.concat()))
}

/// The slot of the call number `index` of `count`.
fn slot(index: usize, count: usize) -> String {
    format!("(i * {count} + {index})")
}

/// Declarations of functions that clang's table of built-ins lacks: a kernel that uses
/// them has their header, or declares them itself.
fn declarations_of_amd() -> String {
    let declaration = |overload: &Overload| {
        let text = overload.text();
        format!("{} __attribute__((overloadable, const)) {text};\n", overload.result.text())
    };
    let declared = header::declarations();
    let amd = declared.iter().filter(|overload| overload.name.starts_with("amd_"));
    amd.map(declaration).collect()
}

fn load(name: &str, text: &str) -> Result<Module, String> {
    static AMD: LazyLock<String> = LazyLock::new(declarations_of_amd);
    let text = format!("{}{text}", *AMD);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builtins");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{name}.cl"));
    std::fs::write(&path, text).expect("a file");
    let options = Options {
        cache_dir: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")),
        standard: Some("CL2.0".into()),
        inline: true,
        ..Options::default()
    };
    match duet_frontend::load(&path, &options) {
        Ok(loaded) => Ok(loaded.module.into_inner()),
        Err(diagnostics) => Err(diagnostics[0].headline.clone()),
    }
}

/// What a translated call is made of.
#[derive(Default, Debug)]
struct Meaning {
    /// The calls of unknown functions, by name.
    pure: BTreeMap<String, usize>,
    /// Arithmetic of floats.
    float_operations: usize,
    /// A function that nothing at all is known about.
    unknown: bool,
}

impl Meaning {
    fn add(&mut self, inst: &InstData) {
        match inst {
            InstData::Pure { name, .. } => *self.pure.entry(name.clone()).or_default() += 1,
            InstData::CallUnknown { .. } => self.unknown = true,
            InstData::Binary { op, .. } if op.is_float() => self.float_operations += 1,
            InstData::FloatCompare { .. } => self.float_operations += 1,
            _ => {}
        }
    }

    /// Is it a function that the front end knows by no name of OpenCL? Such a one that
    /// touches no memory is an unknown function under its symbol.
    fn is_foreign(&self) -> bool {
        self.unknown || self.pure.keys().any(|name| name.starts_with("_Z"))
    }
}

/// What the front end makes of each overload; nothing if it is rejected, or if clang
/// does not declare it for this target, or if no call of it can be made up.
fn meanings(overloads: &[&Overload]) -> Vec<Option<Meaning>> {
    let mut meanings = vec![];
    let mut undeclared = BTreeSet::new();
    for (number, chunk) in overloads.chunks(PROBES).enumerate() {
        let module = loop {
            let mut text = format!("{EXTENSIONS}{}{}", calls::AT, kernel("none", ""));
            for (index, overload) in chunk.iter().enumerate() {
                let call = calls::statement(overload, "i");
                if let Some(call) = call.filter(|_| !undeclared.contains(&overload.name)) {
                    text += &kernel(&format!("k{index}"), &call);
                }
            }
            match load(&format!("probe{number}"), &text) {
                Ok(module) => break module,
                Err(error) => {
                    let name = error.strip_prefix("use of undeclared identifier '");
                    let name = name.unwrap_or_else(|| panic!("probe{number}.cl: {error}"));
                    undeclared.insert(name.trim_end_matches('\'').to_owned());
                }
            }
        };
        let mut found: BTreeMap<String, Meaning> = BTreeMap::new();
        for (_, function) in module.kernels() {
            let meaning = found.entry(function.name.clone()).or_default();
            function.insts.values().for_each(|inst| meaning.add(inst));
        }
        meanings.extend((0..chunk.len()).map(|index| found.remove(&format!("k{index}"))));
    }
    meanings
}

fn case(name: &str, source: String, calls: usize) -> (Case, Buffers) {
    let spec = |name: &str, element, count| BufferSpec {
        name: name.into(),
        element,
        count,
        fill: Fill::Zero,
    };
    let input = |name: &&str| {
        let element = name.parse().expect("an element type");
        spec(&format!("in_{name}"), element, values::COUNT)
    };
    let mut specs: Vec<BufferSpec> = ELEMENTS.iter().map(input).collect();
    specs.push(spec("out", Element::U8, ITEMS * calls * SLOT));
    let contents = |spec: &BufferSpec| match spec.name.as_str() {
        "out" => vec![0; spec.count],
        _ => values::bytes(spec.element),
    };
    let buffer = |spec: &BufferSpec| Buffer {
        name: spec.name.clone(),
        element: spec.element,
        bytes: contents(spec),
    };
    let buffers = Buffers(specs.iter().map(buffer).collect());
    let args = specs.into_iter().map(Arg::Buffer).collect();
    (Case { name: name.into(), source, kernel: "k".into(), launch: LAUNCH, args }, buffers)
}

/// What the interpreter leaves in the slots.
fn interpreted(name: &str, source: &str, calls: usize) -> Result<Vec<u8>, String> {
    let (case, initial) = case(name, source.to_owned(), calls);
    let module = load(name, source)?;
    let after = interpret(&case, &module, &initial, Schedule::InOrder)?;
    Ok(after.get("out").expect("a buffer").bytes.clone())
}

/// The overloads whose slots differ, with the first item that shows it.
fn differences(overloads: &[&Overload], left: &[u8], right: &[u8]) -> Vec<String> {
    let mut problems = vec![];
    for (index, overload) in overloads.iter().enumerate() {
        let differs = |item: &usize| {
            let at = (item * overloads.len() + index) * SLOT;
            let (left, right) = (&left[at..at + SLOT], &right[at..at + SLOT]);
            !tables::same(overload, left, right)
        };
        if let Some(item) = (0..ITEMS).find(differs) {
            let at = (item * overloads.len() + index) * SLOT;
            let bytes = |all: &[u8]| format!("{:02x?}", &all[at..at + 32]);
            let name = overload.text();
            problems.push(format!("{name}, item {item}:\n  {}\n  {}", bytes(left), bytes(right)));
        }
    }
    problems
}

/// Results against PoCL's.
fn compare_with_pocl(pocl: &Pocl, number: usize, chunk: &[&Overload]) -> Vec<String> {
    let call = |(index, overload): (usize, &&Overload)| {
        calls::statement(overload, &slot(index, chunk.len())).expect("it was made before")
    };
    let statements: Vec<String> = chunk.iter().enumerate().map(call).collect();
    let source = kernel_of(&statements);
    let name = format!("chunk{number}");
    let with_references = format!("{}{source}", tables::REFERENCES);
    let (case, initial) = case(&name, with_references, chunk.len());
    let expected = pocl.run_built_with(POCL_OPTIONS, &pocl.devices()[0], &case, &initial);
    let expected = match expected {
        Ok(expected) => expected,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    match interpreted(&name, &source, chunk.len()) {
        Ok(found) => differences(chunk, &expected.get("out").expect("a buffer").bytes, &found),
        Err(problem) => vec![format!("{name}: {problem}")],
    }
}

/// Results of vectors against those of the scalar function for each lane.
fn compare_with_lanes(number: usize, chunk: &[&Overload]) -> Vec<String> {
    type Make = fn(&Overload, &str) -> Option<String>;
    let run = |make: Make, name: String| {
        let call = |(index, overload): (usize, &&Overload)| {
            make(overload, &slot(index, chunk.len())).expect("values only")
        };
        let statements: Vec<String> = chunk.iter().enumerate().map(call).collect();
        interpreted(&name, &kernel_of(&statements), chunk.len())
    };
    let vectors = run(calls::statement, format!("vectors{number}"));
    let lanes = run(calls::lane_by_lane, format!("lanes{number}"));
    match (vectors, lanes) {
        (Ok(vectors), Ok(lanes)) => differences(chunk, &vectors, &lanes),
        (Err(problem), _) | (_, Err(problem)) => vec![format!("vectors{number}: {problem}")],
    }
}

/// Is nothing known of the function but its name and its arguments?
fn check_uninterpreted(overload: &Overload, meaning: &Meaning) -> Option<String> {
    let base = |name: &'_ String| name.split('.').next().unwrap_or(name).to_owned();
    let names: BTreeSet<String> = meaning.pure.keys().map(base).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let wanted = tables::names_of_parts(&overload.name);
    let calls: usize = meaning.pure.values().sum();
    // The fourth lane of a cross product is 0.
    let lanes = if overload.name == "cross" { 3 } else { overload.result.lanes };
    let fine = names == wanted && calls == wanted.len() * lanes && meaning.float_operations == 0;
    (!fine).then(|| format!("{} is more than its name: {meaning:?}", overload.text()))
}

#[test]
fn every_builtin_of_opencl_has_a_witness() {
    let declared = header::declarations();
    assert!(declared.len() > 14_000, "only {} declarations were read", declared.len());
    let chosen = header::representatives(&declared);
    let meanings = meanings(&chosen);
    let (mut exact, mut vectors, mut problems) = (vec![], vec![], vec![]);
    for (overload, meaning) in chosen.iter().zip(&meanings) {
        let Some(meaning) = meaning.as_ref().filter(|meaning| !meaning.is_foreign()) else {
            continue;
        };
        if overload.lanes() > 1 && calls::is_lane_wise(overload) {
            vectors.push(*overload);
        }
        match tables::witness(overload) {
            Witness::Pocl => exact.push(*overload),
            Witness::Uninterpreted => problems.extend(check_uninterpreted(overload, meaning)),
            Witness::Elsewhere(_) => {}
        }
    }
    assert!(exact.len() > 900, "only {} are compared", exact.len());
    assert!(vectors.len() > 400, "only {} vectors are compared", vectors.len());
    for (number, chunk) in vectors.chunks(CHUNK).enumerate() {
        problems.extend(compare_with_lanes(number, chunk));
    }
    let pocl = Pocl::open().unwrap_or_else(|error| panic!("{error}"));
    for (number, chunk) in exact.chunks(CHUNK).enumerate() {
        problems.extend(compare_with_pocl(&pocl, number, chunk));
    }
    problems.extend(stale(&chosen, &meanings));
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Entries of the tables that nothing needs, and functions of which no call is made up
/// and that have no entry.
fn stale(chosen: &[&Overload], meanings: &[Option<Meaning>]) -> Vec<String> {
    let translated: BTreeSet<&str> = chosen
        .iter()
        .zip(meanings)
        .filter(|(_, meaning)| meaning.is_some())
        .map(|(overload, _)| overload.name.as_str())
        .collect();
    let declared: BTreeSet<&str> = chosen.iter().map(|overload| overload.name.as_str()).collect();
    let mut problems = vec![];
    for name in tables::uninterpreted() {
        if !translated.contains(name) {
            problems.push(format!("`{name}` is in the table and not translated"));
        }
    }
    for &name in &declared {
        let tried = chosen
            .iter()
            .any(|overload| overload.name == name && calls::statement(overload, "i").is_some());
        if !tried && !tables::has_other_witness(name) {
            problems.push(format!("no call of `{name}` is made up, and no reason is given"));
        }
    }
    problems
}

/// What is left to kernels of `kernels/conformance` is in them.
#[test]
fn kernels_that_are_witnesses_call_the_function() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/conformance");
    for (names, kernel) in tables::BY_KERNEL {
        let path = folder.join(kernel).with_extension("cl");
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{kernel}: {error}"));
        for name in *names {
            assert!(text.contains(&format!("{name}(")), "{kernel} has no call of {name}");
        }
    }
}
