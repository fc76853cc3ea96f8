//! LLVM's intrinsics: the translator and the interpreter against LLVM's own code for
//! the host. Both sides read the same LLVM IR.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use duet_conformance::{Arg, Buffer, BufferSpec, Buffers, Case, Element, Fill, Launch};
use duet_frontend::Options;
use duet_interp::Schedule;

use crate::common::interpret;
use crate::values;

const ITEMS: usize = 128;
/// Bytes of the arguments and of the result of one call.
const ROOM: usize = 128;
const LAUNCH: Launch =
    Launch { dimensions: 1, local_size: [128, 1, 1], num_groups: [1, 1, 1], global_offset: [0; 3] };

/// An integer or a float, or a vector of them.
#[derive(Clone, Copy)]
struct Ty {
    element: Element,
    lanes: usize,
}

impl Ty {
    fn scalar(&self) -> &'static str {
        match self.element {
            Element::I8 | Element::U8 => "i8",
            Element::I16 | Element::U16 => "i16",
            Element::I32 | Element::U32 => "i32",
            Element::I64 | Element::U64 => "i64",
            Element::F16 => "half",
            Element::F32 => "float",
            Element::F64 => "double",
        }
    }

    fn text(&self) -> String {
        match self.lanes {
            1 => self.scalar().to_owned(),
            lanes => format!("<{lanes} x {}>", self.scalar()),
        }
    }

    /// As it stands in the name of an overload.
    fn suffix(&self) -> String {
        let scalar = match self.element {
            Element::F16 => "f16",
            Element::F32 => "f32",
            Element::F64 => "f64",
            _ => self.scalar(),
        };
        if self.lanes == 1 { scalar.to_owned() } else { format!("v{}{scalar}", self.lanes) }
    }

    fn bytes(&self) -> usize {
        self.element.size() * self.lanes
    }
}

/// One call: the name with types, the result, and arguments that are values or text.
struct Call {
    symbol: String,
    result: String,
    values: Vec<Ty>,
    constants: String,
    /// How the result is compared: any NaN is as good as another.
    float: Option<usize>,
    /// A statement that is no call with a value.
    body: Option<String>,
}

const INTS: [Ty; 6] = [
    Ty { element: Element::U8, lanes: 1 },
    Ty { element: Element::U16, lanes: 1 },
    Ty { element: Element::U32, lanes: 1 },
    Ty { element: Element::U64, lanes: 1 },
    Ty { element: Element::U32, lanes: 4 },
    Ty { element: Element::U8, lanes: 8 },
];
const FLOATS: [Ty; 3] = [
    Ty { element: Element::F32, lanes: 1 },
    Ty { element: Element::F64, lanes: 1 },
    Ty { element: Element::F32, lanes: 4 },
];

fn call(name: &str, types: &str, result: &Ty, values: Vec<Ty>, constants: &str) -> Call {
    let is_float = matches!(result.element, Element::F16 | Element::F32 | Element::F64);
    Call {
        symbol: format!("{name}.{types}"),
        result: result.text(),
        values,
        constants: constants.into(),
        float: is_float.then(|| result.element.size()),
        body: None,
    }
}

fn body(name: &str, text: &str) -> Call {
    Call {
        symbol: name.into(),
        result: String::new(),
        values: vec![Ty { element: Element::U64, lanes: 8 }],
        constants: String::new(),
        float: None,
        body: Some(text.into()),
    }
}

/// Intrinsics without a comparison, and why.
const OTHERWISE: &[(&str, &[&str])] = &[
    (
        "it has no value and no effect",
        &[
            "llvm.dbg.declare",
            "llvm.dbg.assign",
            "llvm.dbg.label",
            "llvm.dbg.value",
            "llvm.lifetime.start",
            "llvm.lifetime.end",
            "llvm.invariant.end",
            "llvm.experimental.noalias.scope.decl",
            "llvm.prefetch",
            "llvm.donothing",
            "llvm.sideeffect",
        ],
    ),
    (
        "it ends the run, or is promised",
        &["llvm.assume", "llvm.trap", "llvm.debugtrap", "llvm.ubsantrap"],
    ),
    ("the optimiser's choice", &["llvm.is.constant"]),
    (
        "an unknown function of its arguments: its last bits are the library's",
        &[
            "llvm.sin",
            "llvm.cos",
            "llvm.tan",
            "llvm.asin",
            "llvm.acos",
            "llvm.atan",
            "llvm.sinh",
            "llvm.cosh",
            "llvm.tanh",
            "llvm.exp",
            "llvm.exp2",
            "llvm.exp10",
            "llvm.log",
            "llvm.log2",
            "llvm.log10",
            "llvm.pow",
            "llvm.powi",
        ],
    ),
    (
        "an unknown function of its arguments: whether it rounds once or twice is open",
        &["llvm.fmuladd"],
    ),
    (
        "an unknown function of its arguments: the interpreter knows it by name alone",
        &["llvm.canonicalize", "llvm.ldexp", "llvm.minimum", "llvm.maximum"],
    ),
];

/// The calls by which an intrinsic is compared.
fn calls(name: &str) -> Vec<Call> {
    let same = |types: &[Ty], count: usize, constants: &str| -> Vec<Call> {
        types.iter().map(|ty| call(name, &ty.suffix(), ty, vec![*ty; count], constants)).collect()
    };
    match name.trim_start_matches("llvm.") {
        "ctpop" | "bitreverse" => same(&INTS, 1, ""),
        "bswap" => same(&INTS[1..5], 1, ""),
        "ctlz" | "cttz" | "abs" => same(&INTS, 1, ", i1 false"),
        "smin" | "smax" | "umin" | "umax" | "sadd.sat" | "ssub.sat" | "uadd.sat" | "usub.sat" => {
            same(&INTS, 2, "")
        }
        "fshl" | "fshr" => same(&INTS, 3, ""),
        "floor" | "ceil" | "trunc" | "rint" | "nearbyint" | "round" | "roundeven" | "fabs"
        | "sqrt" | "arithmetic.fence" => same(&FLOATS, 1, ""),
        "copysign" | "minnum" | "maxnum" => same(&FLOATS, 2, ""),
        "fma" => same(&FLOATS, 3, ""),
        "expect" => same(&INTS[..4], 2, ""),
        "expect.with.probability" => same(&INTS[..4], 2, ", double 9.0e-01"),
        "fptosi.sat" | "fptoui.sat" => conversions(name),
        name if name.ends_with(".with.overflow") => overflows(name),
        reduce if reduce.starts_with("vector.reduce.") => reductions(name),
        "memcpy" | "memcpy.inline" => {
            let symbol = format!("{name}.p0.p0.i64");
            vec![body(
                &symbol,
                &format!("  call void @{symbol}(ptr %to, ptr %from, i64 23, i1 false)\n"),
            )]
        }
        "memmove" => vec![body(
            "llvm.memmove.p0.p0.i64",
            "\
            \x20 call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 32, i1 false)\n\
            \x20 %up = getelementptr i8, ptr %to, i64 5\n\
            \x20 call void @llvm.memmove.p0.p0.i64(ptr %up, ptr %to, i64 20, i1 false)\n\
            \x20 %on = getelementptr i8, ptr %to, i64 9\n\
            \x20 call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %on, i64 13, i1 false)\n",
        )],
        "memset" | "memset.inline" => {
            let symbol = format!("{name}.p0.i64");
            vec![body(
                &symbol,
                &format!(
                    "  %byte = load i8, ptr %from\n  call void @{symbol}(ptr %to, i8 %byte, i64 19, i1 false)\n"
                ),
            )]
        }
        _ => vec![],
    }
}

fn conversions(name: &str) -> Vec<Call> {
    let mut calls = vec![];
    for from in FLOATS {
        for to in INTS.iter().filter(|to| to.lanes == from.lanes) {
            let types = format!("{}.{}", to.suffix(), from.suffix());
            calls.push(call(name, &types, to, vec![from], ""));
        }
    }
    calls
}

/// The sum and the flag, stored one after the other.
fn overflows(name: &str) -> Vec<Call> {
    let of = |ty: &Ty| {
        let (text, symbol) = (ty.text(), format!("llvm.{name}.{}", ty.suffix()));
        let size = ty.bytes();
        let lines = format!(
            "  %b.at = getelementptr i8, ptr %from, i64 {size}\n\
             \x20 %a = load {text}, ptr %from, align 1\n  %b = load {text}, ptr %b.at, align 1\n\
             \x20 %r = call {{{text}, i1}} @{symbol}({text} %a, {text} %b)\n\
             \x20 %x = extractvalue {{{text}, i1}} %r, 0\n  %y = extractvalue {{{text}, i1}} %r, 1\n\
             \x20 %wide = zext i1 %y to i8\n  store {text} %x, ptr %to, align 1\n\
             \x20 %y.at = getelementptr i8, ptr %to, i64 {size}\n  store i8 %wide, ptr %y.at\n"
        );
        Call { values: vec![*ty; 2], ..body(&symbol, &lines) }
    };
    INTS[..4].iter().map(of).collect()
}

fn reductions(name: &str) -> Vec<Call> {
    [(Element::U32, 4), (Element::U8, 8), (Element::U64, 2), (Element::U16, 16)]
        .iter()
        .map(|&(element, lanes)| {
            let vector = Ty { element, lanes };
            let scalar = Ty { element, lanes: 1 };
            call(name, &vector.suffix(), &scalar, vec![vector], "")
        })
        .collect()
}

/// The body of a function of `%from` and `%to`, and a declaration.
fn lines(call: &Call) -> String {
    if let Some(body) = &call.body {
        return body.clone();
    }
    let mut text = String::new();
    let mut args = vec![];
    let mut offset = 0;
    for (index, ty) in call.values.iter().enumerate() {
        writeln!(text, "  %p{index} = getelementptr i8, ptr %from, i64 {offset}").expect("text");
        writeln!(text, "  %a{index} = load {}, ptr %p{index}, align 1", ty.text()).expect("text");
        args.push(format!("{} %a{index}", ty.text()));
        offset += ty.bytes();
    }
    let (result, args) = (&call.result, args.join(", ") + &call.constants);
    writeln!(text, "  %r = call {result} @{}({args})", call.symbol).expect("text");
    writeln!(text, "  store {result} %r, ptr %to, align 1").expect("text");
    text
}

fn for_host(calls: &[Call]) -> String {
    let define = |(index, call): (usize, &Call)| {
        format!("define void @k{index}(ptr %from, ptr %to) {{\n{}  ret void\n}}\n", lines(call))
    };
    calls.iter().enumerate().map(define).collect()
}

fn for_duet(calls: &[Call]) -> String {
    let mut text = String::from("target triple = \"nvptx64-nvidia-cuda\"\n");
    let mut kernels = vec![];
    for (index, call) in calls.iter().enumerate() {
        let body = lines(call);
        write!(
            text,
            "define void @k{index}(ptr %in, ptr %out) {{\n\
             \x20 %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
             \x20 %item = zext i32 %tid to i64\n  %at = mul i64 %item, {ROOM}\n\
             \x20 %from = getelementptr i8, ptr %in, i64 %at\n\
             \x20 %to = getelementptr i8, ptr %out, i64 %at\n{body}  ret void\n}}\n"
        )
        .expect("text");
        kernels.push(format!("!{index} = !{{ptr @k{index}, !\"kernel\", i32 1}}\n"));
    }
    let list: Vec<String> = (0..calls.len()).map(|index| format!("!{index}")).collect();
    format!("{text}!nvvm.annotations = !{{{}}}\n{}", list.join(", "), kernels.concat())
}

/// The arguments of all items, one after the other.
fn inputs(call: &Call) -> Vec<u8> {
    let mut bytes = vec![0; ITEMS * ROOM];
    for item in 0..ITEMS {
        let mut at = item * ROOM;
        for (argument, ty) in call.values.iter().enumerate() {
            let (all, size) = (values::bytes(ty.element), ty.element.size());
            for lane in 0..ty.lanes {
                let from =
                    (item * 5 + (item >> 6) * (argument * 11 + 1) + argument * 23 + lane * 7)
                        % values::COUNT;
                bytes[at..at + size].copy_from_slice(&all[from * size..(from + 1) * size]);
                at += size;
            }
        }
    }
    bytes
}

fn scratch() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("intrinsics");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn clang(args: &[&str]) {
    let status = Command::new("clang-19").args(args).current_dir(scratch()).status();
    assert!(status.expect("clang-19").success(), "{args:?}");
}

/// What LLVM's code for the host leaves.
fn on_the_host(calls: &[Call]) -> Vec<Vec<u8>> {
    let folder = scratch();
    let declarations: String =
        (0..calls.len()).map(|index| format!("void k{index}(char *, char *);\n")).collect();
    let names: Vec<String> = (0..calls.len()).map(|index| format!("k{index}")).collect();
    let main = format!(
        "#include <stdio.h>\n#include <string.h>\n{declarations}\
         static void (*const all[])(char *, char *) = {{{}}};\n\
         int main(void) {{\n  static char in[{ROOM}], out[{ROOM}];\n\
         \x20 for (int k = 0; k < {}; k++)\n    for (int i = 0; i < {ITEMS}; i++) {{\n\
         \x20     if (fread(in, 1, {ROOM}, stdin) != {ROOM}) return 1;\n\
         \x20     memset(out, 0, {ROOM});\n      all[k](in, out);\n\
         \x20     fwrite(out, 1, {ROOM}, stdout);\n    }}\n  return 0;\n}}\n",
        names.join(", "),
        calls.len()
    );
    std::fs::write(folder.join("main.c"), main).expect("a file");
    std::fs::write(folder.join("host.ll"), for_host(calls)).expect("a file");
    let input: Vec<u8> = calls.iter().flat_map(inputs).collect();
    std::fs::write(folder.join("input"), input).expect("a file");
    clang(&["-w", "-O1", "-o", "host", "main.c", "host.ll", "-lm"]);
    let input = std::fs::File::open(folder.join("input")).expect("the input");
    let output = Command::new(folder.join("host")).stdin(input).output().expect("the program");
    assert!(output.status.success());
    output.stdout.chunks(ITEMS * ROOM).map(<[u8]>::to_vec).collect()
}

fn case(index: usize, call: &Call) -> (Case, Buffers) {
    let spec = |name: &str| BufferSpec {
        name: name.into(),
        element: Element::U8,
        count: ITEMS * ROOM,
        fill: Fill::Zero,
    };
    let buffer = |name: &str, bytes| Buffer { name: name.into(), element: Element::U8, bytes };
    let buffers = Buffers(vec![buffer("in", inputs(call)), buffer("out", vec![0; ITEMS * ROOM])]);
    let args = vec![Arg::Buffer(spec("in")), Arg::Buffer(spec("out"))];
    let name = call.symbol.clone();
    let kernel = format!("k{index}");
    (Case { name, source: String::new(), kernel, launch: LAUNCH, args }, buffers)
}

fn same(call: &Call, left: &[u8], right: &[u8]) -> bool {
    let either_zero = call.symbol.starts_with("llvm.m");
    let equal = |x: f64, y: f64| (x.is_nan() && y.is_nan()) || (either_zero && x == y);
    let f32 = |bytes: &[u8]| f64::from(f32::from_le_bytes(bytes.try_into().expect("four")));
    let f64 = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight"));
    match call.float {
        Some(4) => {
            left.chunks(4).zip(right.chunks(4)).all(|(x, y)| x == y || equal(f32(x), f32(y)))
        }
        Some(_) => {
            left.chunks(8).zip(right.chunks(8)).all(|(x, y)| x == y || equal(f64(x), f64(y)))
        }
        None => left == right,
    }
}

#[test]
fn every_intrinsic_has_a_witness() {
    let mut all = vec![];
    let mut open = vec![];
    for name in duet_frontend::intrinsic_names() {
        let calls = calls(name);
        let reason = OTHERWISE.iter().any(|(_, names)| names.contains(&name));
        if calls.is_empty() != reason {
            open.push(name);
        }
        all.extend(calls);
    }
    assert!(open.is_empty(), "neither compared nor with a reason, or both: {open:?}");
    assert!(all.len() > 200, "only {} calls", all.len());
    let expected = on_the_host(&all);
    std::fs::write(scratch().join("duet.ll"), for_duet(&all)).expect("a file");
    clang(&[
        "-x",
        "ir",
        "-emit-llvm",
        "-c",
        "-w",
        "-target",
        "nvptx64",
        "-o",
        "duet.bc",
        "duet.ll",
    ]);
    let options = Options { inline: true, ..Options::default() };
    let loaded = duet_frontend::load(&scratch().join("duet.bc"), &options);
    let loaded = loaded.unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert!(loaded.diagnostics.is_empty(), "{:#?}", loaded.diagnostics);
    let module = loaded.module.into_inner();
    let mut problems = vec![];
    for (index, call) in all.iter().enumerate() {
        let (case, initial) = case(index, call);
        let found = match interpret(&case, &module, &initial, Schedule::InOrder) {
            Ok(found) => found.get("out").expect("a buffer").bytes.clone(),
            Err(problem) => {
                problems.push(format!("{}: {problem}", call.symbol));
                continue;
            }
        };
        let pairs = expected[index].chunks(ROOM).zip(found.chunks(ROOM));
        for (item, (left, right)) in pairs.enumerate() {
            if !same(call, left, right) {
                let (left, right) = (&left[..32], &right[..32]);
                let name = &call.symbol;
                problems.push(format!("{name}, item {item}:\n  {left:02x?}\n  {right:02x?}"));
                break;
            }
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
