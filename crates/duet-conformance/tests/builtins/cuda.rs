//! CUDA's built-ins, which our headers define, against C compiled for the host.
//!
//! A table (`cuda/*.h`) holds for each function a call and a definition of its own in
//! plain C++. Duet reads the calls, the host's compiler the definitions.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use duet_conformance::{Arg, Buffer, BufferSpec, Buffers, Case, Element, Fill, Launch};
use duet_frontend::Options;
use duet_interp::Schedule;
use duet_ir::Module;

use crate::common::interpret;
use crate::cuda_names;
use crate::values;

const TABLES: [&str; 4] = ["integer", "floats", "threads", "halves"];
const ITEMS: usize = 256;
const SLOT: usize = 16;
const LAUNCH: Launch =
    Launch { dimensions: 1, local_size: [128, 1, 1], num_groups: [2, 1, 1], global_offset: [0; 3] };

/// The arrays of made-up values: name, type of the host, element.
const INPUTS: [(&str, &str, Element); 7] = [
    ("b8", "unsigned char", Element::U8),
    ("b16", "unsigned short", Element::U16),
    ("b32", "unsigned", Element::U32),
    ("b64", "unsigned long long", Element::U64),
    ("f16", "unsigned short", Element::F16),
    ("f32", "unsigned", Element::F32),
    ("f64", "unsigned long long", Element::F64),
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/builtins/cuda")
}

/// A folder for the files of one test: another one may run at the same time, and a program that
/// it is still linking cannot be started.
fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cuda").join(test);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// What the host says about one case.
struct Expected {
    id: String,
    names: Vec<String>,
    /// `f`, `d`, `h`: floats of this kind, of which any NaN is as good as another.
    kind: char,
    slots: Vec<u8>,
}

fn values_header() -> String {
    let mut text = String::new();
    for (name, ty, element) in INPUTS {
        let bytes = values::bytes(element);
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            format!("{:#x}ull", u64::from_le_bytes(word))
        };
        let words: Vec<String> = bytes.chunks(element.size()).map(word).collect();
        writeln!(text, "static const {ty} {name}[] = {{{}}};", words.join(", ")).expect("text");
    }
    text
}

/// Compiles and runs the references of a table.
fn expected(test: &str, table: &str) -> Vec<Expected> {
    let folder = scratch(test);
    std::fs::write(folder.join("values.h"), values_header()).expect("a file");
    let program = folder.join(table);
    let source = sources();
    let status = Command::new("clang-19")
        .args(["-x", "c++", "-std=c++17", "-O1", "-frounding-math", "-ffp-contract=off"])
        .args(["-fwrapv", "-w", "-DROUNDED_ON_HOST", "-I"])
        .arg(&folder)
        .arg("-include")
        .arg(source.join("host.h"))
        .arg(source.join(table).with_extension("h"))
        .args(["-x", "none", "-lm", "-o"])
        .arg(&program)
        .status()
        .expect("clang-19");
    assert!(status.success(), "the references of {table} do not compile");
    let output = Command::new(&program).output().expect("the program");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(read_line).collect()
}

fn read_line(line: &str) -> Expected {
    let parts: Vec<&str> = line.split('|').collect();
    let [id, names, kind, hex] = parts[..] else { panic!("{line}") };
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("a byte");
    Expected {
        id: id.into(),
        names: names.split(',').map(str::to_owned).collect(),
        kind: kind.chars().next().expect("a kind"),
        slots: (0..hex.len()).step_by(2).map(byte).collect(),
    }
}

fn module(test: &str, table: &str) -> Module {
    let read = |name: &str| {
        std::fs::read_to_string(sources().join(name).with_extension("h")).expect("a table")
    };
    let path = scratch(test).join(table).with_extension("cu");
    std::fs::write(&path, read("device") + &read(table)).expect("a file");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    let options = Options { cache_dir: Some(cache), inline: true, ..Options::default() };
    match duet_frontend::load(&path, &options) {
        Ok(loaded) => {
            assert!(loaded.diagnostics.is_empty(), "{table}: {:#?}", loaded.diagnostics);
            loaded.module.into_inner()
        }
        Err(diagnostics) => panic!("{table}: {:#?}", diagnostics[0]),
    }
}

fn case(id: &str) -> (Case, Buffers) {
    let spec = |name: &str, element, count| BufferSpec {
        name: name.into(),
        element,
        count,
        fill: Fill::Zero,
    };
    let mut specs: Vec<BufferSpec> =
        INPUTS.iter().map(|&(name, _, element)| spec(name, element, values::COUNT)).collect();
    let mut buffers: Vec<Buffer> = INPUTS
        .iter()
        .map(|&(name, _, element)| Buffer {
            name: name.into(),
            element,
            bytes: values::bytes(element),
        })
        .collect();
    specs.push(spec("out", Element::U8, ITEMS * SLOT));
    let bytes = vec![0; ITEMS * SLOT];
    buffers.push(Buffer { name: "out".into(), element: Element::U8, bytes });
    let case = Case {
        name: id.into(),
        source: String::new(),
        kernel: format!("k_{id}"),
        launch: LAUNCH,
        args: specs.into_iter().map(Arg::Buffer).collect(),
    };
    (case, Buffers(buffers))
}

/// Does Duet's run of the call leave what the reference says?
fn compare(module: &Module, expected: &Expected) -> Option<String> {
    let (case, initial) = case(&expected.id);
    let found = match interpret(&case, module, &initial, Schedule::InOrder) {
        Ok(found) => found.get("out").expect("a buffer").bytes.clone(),
        Err(problem) => return Some(format!("{}: {problem}", expected.id)),
    };
    let slots = expected.slots.chunks(SLOT).zip(found.chunks(SLOT));
    let differs = |(left, right): (&[u8], &[u8])| !same(expected.kind, left, right);
    let item = slots.clone().position(differs)?;
    let (left, right) = slots.clone().nth(item).expect("an item");
    Some(format!("{}, item {item}:\n  {left:02x?}\n  {right:02x?}", expected.id))
}

fn same(kind: char, left: &[u8], right: &[u8]) -> bool {
    let nan = |bytes: &[u8]| match *bytes {
        [a, b] => u16::from_le_bytes([a, b]) & 0x7fff > 0x7c00,
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]).is_nan(),
        _ => f64::from_le_bytes(bytes.try_into().expect("eight bytes")).is_nan(),
    };
    let size = match kind {
        'h' => 2,
        'f' => 4,
        'd' => 8,
        _ => return left == right,
    };
    left.chunks(size).zip(right.chunks(size)).all(|(x, y)| x == y || (nan(x) && nan(y)))
}

#[test]
fn builtins_of_cuda_agree_with_the_host() {
    let mut problems = vec![];
    for table in TABLES {
        let module = module("agree", table);
        let expected = expected("agree", table);
        assert!(expected.len() > 50, "only {} cases in {table}", expected.len());
        problems.extend(expected.iter().filter_map(|case| compare(&module, case)));
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// A function that the headers learn is in a table, or has a reason.
#[test]
fn every_builtin_of_cuda_has_a_witness() {
    let mut compared = BTreeSet::new();
    for table in TABLES {
        compared.extend(expected("witness", table).into_iter().flat_map(|case| case.names));
    }
    let defined = cuda_names::defined();
    assert!(defined.len() > 1000, "only {} functions were found", defined.len());
    let gone: Vec<&String> = compared.difference(&defined).collect();
    assert!(gone.is_empty(), "compared, and not in the headers: {gone:?}");
    let open = defined.difference(&compared).filter(|name| !cuda_names::has_reason(name));
    let open: Vec<&String> = open.collect();
    assert!(open.is_empty(), "neither compared nor with a reason: {open:?}");
}
