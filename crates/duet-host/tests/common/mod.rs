//! Host programs that are really run, with their launches recorded, and the question
//! whether a recorded launch is an instance of a relation.

// Each test uses a part of it.
#![allow(dead_code)]

pub mod generate;
pub mod witness;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use duet_host::{Argument, Host, Relation, Term, TermData, Unknown};
use duet_ir::{BinaryOp, CastOp, Found, IntCc, Type};

/// A launch that a program made.
#[derive(Clone, Debug)]
pub struct Launch {
    pub stub: String,
    pub sizes: [u32; 6],
    /// Arguments as bits, in order.
    pub arguments: Vec<u128>,
    /// The allocations until then: address and bytes.
    pub allocations: Vec<(u64, u64)>,
    /// Allocations all of whose bytes are one at that time: address and byte.
    pub filled: Vec<(u64, u8)>,
}

/// What a test program says in its first lines: `// runs: 5 | 7 8`, `// flags: -DX`,
/// `// extra: int f() { return 1; }`.
pub struct Header {
    pub runs: Vec<Vec<String>>,
    pub flags: Vec<String>,
    pub extra: Option<String>,
    pub widths: Option<String>,
}

impl Header {
    pub fn parse(text: &str) -> Header {
        let lines = text.lines().map_while(|line| line.strip_prefix("// "));
        let mut header = Header { runs: vec![], flags: vec![], extra: None, widths: None };
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect();
        for line in lines {
            match line.split_once(": ") {
                Some(("runs", rest)) => header.runs = rest.split('|').map(words).collect(),
                Some(("flags", rest)) => header.flags = words(rest),
                Some(("extra", rest)) => header.extra = Some(rest.to_string()),
                Some(("widths", rest)) => header.widths = Some(rest.to_string()),
                _ => {}
            }
        }
        header
    }
}

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compiles a program natively, against the recorder.
pub fn compile(source: &Path, header: &Header, folder: &Path) -> PathBuf {
    let headers = here().join("../duet-frontend/headers/cuda");
    let run = |command: &mut Command| {
        let output = command.output().expect("clang-19 is installed");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", source.display());
    };
    let recorder = recorder(&run);
    let object = folder.join("program.o");
    run(Command::new("clang-19")
        .args(["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-w", "-O0"])
        .args(["-Wno-unknown-cuda-version", "--cuda-gpu-arch=sm_90"])
        .args(["-D__DUET_HOST__", "-D__DUET_NATIVE__", "-c"])
        .args(&header.flags)
        .arg(format!("-I{}", headers.display()))
        .arg("-include")
        .arg(headers.join("duet_cuda_prelude.h"))
        .arg("-o")
        .arg(&object)
        .arg(source));
    let program = folder.join("program");
    let mut link = Command::new("clang-19");
    link.arg("-rdynamic").arg("-o").arg(&program).arg(&object).arg(&recorder);
    if let Some(extra) = &header.extra {
        let file = folder.join("extra.cpp");
        std::fs::write(&file, extra).expect("a file can be written");
        link.args(["-x", "c++"]).arg(&file).args(["-x", "none"]);
    }
    run(link.args(["-lstdc++", "-lm", "-ldl", "-lpthread"]));
    program
}

/// The recorder, compiled once for all programs of a process.
fn recorder(run: &dyn Fn(&mut Command)) -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let own = folder.join(format!("recorder-{}.o", std::process::id()));
        let from = here().join("tests/common/recorder.cpp");
        run(Command::new("clang-19").args(["-x", "c++", "-c", "-o"]).arg(&own).arg(from));
        let made = folder.join("recorder.o");
        std::fs::rename(own, &made).expect("the file can be renamed");
        made
    });
    made.clone()
}

/// Runs a program and reads what it records.
pub fn run(program: &Path, arguments: &[String], header: &Header) -> Vec<Launch> {
    let mut command = Command::new(program);
    command.args(arguments);
    if let Some(widths) = &header.widths {
        command.env("DUET_ARGUMENT_BYTES", widths);
    }
    let output = command.output().expect("the program runs");
    read_record(&String::from_utf8_lossy(&output.stdout))
}

fn read_record(text: &str) -> Vec<Launch> {
    let mut allocations = vec![];
    let mut launches = vec![];
    let mut filled = vec![];
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        // Of a struct that is longer, the first sixteen bytes.
        let hex = |word: &str| {
            let low = &word[word.len().saturating_sub(32)..];
            u128::from_str_radix(low, 16).expect("a number")
        };
        match words[0] {
            "M" => allocations.push((hex(words[1]) as u64, hex(words[2]) as u64)),
            "C" => filled.extend(words[2].parse().ok().map(|byte| (hex(words[1]) as u64, byte))),
            "L" => launches.push(Launch {
                filled: std::mem::take(&mut filled),
                stub: words[1].to_string(),
                sizes: std::array::from_fn(|at| words[2 + at].parse().expect("a size")),
                arguments: words[9..].iter().map(|word| hex(word)).collect(),
                allocations: allocations.clone(),
            }),
            _ => {}
        }
    }
    launches
}

/// Is the launch an instance of a relation of its kernel? The kernel is named by its stub.
/// The program's input helps to find values of unknowns without a solver.
pub fn is_instance(host: &Host, launch: &Launch, inputs: &[i64]) -> bool {
    let sites = host.sites.iter().filter(|site| stub_fits(&launch.stub, &site.kernel));
    let sites = sites.filter(|site| contents_hold(&site.relation, launch));
    let mut relations = sites.clone().map(|site| &site.relation);
    if relations.any(|relation| witness::is_found(relation, launch, inputs)) {
        return true;
    }
    let questions: Vec<String> =
        sites.filter_map(|site| question(&site.relation, launch)).collect();
    questions.iter().any(|question| is_satisfiable(question))
}

/// How many times a launch was compared with a relation that knows what memory holds.
pub static COMPARED: AtomicUsize = AtomicUsize::new(0);

/// Does memory hold what the relation says of it?
fn contents_hold(relation: &Relation, launch: &Launch) -> bool {
    let arguments = relation.arguments.iter().flatten().zip(&launch.arguments);
    arguments.into_iter().all(|(argument, &bits)| {
        let Argument::Pointer { base, offset } = argument else { return true };
        let Found::Filled { byte, bytes: None } = relation.bases[*base].found else { return true };
        let Some(offset) = relation.terms.bits(*offset) else { return true };
        COMPARED.fetch_add(1, Ordering::Relaxed);
        launch.filled.contains(&((bits as u64).wrapping_sub(offset as u64), byte))
    })
}

fn stub_fits(stub: &str, kernel: &str) -> bool {
    const MARK: &str = "__device_stub__";
    let plain = stub.replacen(MARK, "", 1);
    let digits = |text: &str| text.trim_start_matches(|c: char| !c.is_ascii_digit()).to_string();
    // `_Z16__device_stub__ki` is `_Z1ki`.
    let tail =
        |text: &str| digits(text).trim_start_matches(|c: char| c.is_ascii_digit()).to_string();
    plain == kernel || tail(&plain) == tail(kernel)
}

fn solver() -> PathBuf {
    let set = std::env::var_os("DUET_Z3").map(PathBuf::from);
    set.unwrap_or_else(|| here().join("../../.duet/z3/bin/z3"))
}

/// How many questions were left to the solver.
pub static ASKED: AtomicUsize = AtomicUsize::new(0);

fn is_satisfiable(question: &str) -> bool {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let bitwuzla = here().join("../../.duet/bitwuzla/bin/bitwuzla");
    let quick = match bitwuzla.exists() {
        true => answer(&bitwuzla, &["--lang", "smt2", "-t", "60000"], question),
        false => None,
    };
    let slow = || answer(&solver(), &["-in", "-T:300"], question);
    // On a busy machine a time limit must not pass for an answer.
    let answer = quick.or_else(slow);
    answer.unwrap_or_else(|| panic!("no solver has an answer\n{question}"))
}

/// What a solver says, if it says something in its time.
fn answer(solver: &Path, arguments: &[&str], question: &str) -> Option<bool> {
    let mut child = Command::new(solver)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the solver is installed");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(question.as_bytes()).expect("the solver reads");
    drop(input);
    let output = child.wait_with_output().expect("the solver ends");
    match String::from_utf8_lossy(&output.stdout).trim() {
        "sat" => Some(true),
        "unsat" => Some(false),
        _ => None,
    }
}

/// `None` if the launch has more or fewer arguments than the relation.
fn question(relation: &Relation, launch: &Launch) -> Option<String> {
    let mut text = String::from("(set-logic QF_BV)\n");
    for (number, data) in relation.unknowns.iter().enumerate() {
        let _ = writeln!(text, "(declare-const u{number} {})", sort(data.ty));
    }
    for (number, &data) in relation.terms.all().iter().enumerate() {
        let term = Term(number as u32);
        let _ = writeln!(
            text,
            "(define-fun t{number} () {} {})",
            sort(relation.terms.ty(term)),
            definition(relation, data)
        );
    }
    let mut equals = |term: Term, bits: u128| {
        let width = width(relation.terms.ty(term));
        let bits = if width >= 128 { bits } else { bits & ((1 << width) - 1) };
        let _ = writeln!(text, "(assert (= t{} (_ bv{bits} {width})))", term.0);
    };
    for (&term, &size) in relation.grid.iter().chain(&relation.block).zip(&launch.sizes) {
        equals(term, u128::from(size));
    }
    let arguments = relation.arguments.as_ref()?;
    if arguments.len() != launch.arguments.len() {
        return None;
    }
    for (argument, &bits) in arguments.iter().zip(&launch.arguments) {
        match argument {
            Argument::Scalar(term) => equals(*term, bits),
            Argument::Struct(parts) => {
                for (offset, part) in parts.iter().filter(|(offset, _)| *offset < 16) {
                    let fits =
                        |term: &Term| 8 * *offset as u32 + width(relation.terms.ty(*term)) <= 128;
                    match part {
                        Argument::Scalar(term) if fits(term) => equals(*term, bits >> (8 * offset)),
                        _ => {}
                    }
                }
            }
            Argument::Pointer { .. } | Argument::Opaque => {}
        }
    }
    about_pointers(relation, launch, &mut text);
    for fact in &relation.facts {
        let _ = writeln!(text, "(assert (= t{} #b1))", fact.0);
    }
    text.push_str("(check-sat)\n");
    Some(text)
}

fn about_pointers(relation: &Relation, launch: &Launch, text: &mut String) {
    for number in 0..relation.bases.len() {
        let _ = writeln!(text, "(declare-const b{number} (_ BitVec 64))");
    }
    let arguments = relation.arguments.iter().flatten().zip(&launch.arguments);
    for (argument, &bits) in arguments {
        if let Argument::Pointer { base, offset } = argument {
            let _ = writeln!(text, "(assert (= (bvadd b{base} t{}) (_ bv{bits} 64)))", offset.0);
        }
    }
    for (number, base) in relation.bases.iter().enumerate() {
        let Some(size) = base.size else { continue };
        if base.may_be_unset && is_null(relation, launch, number) {
            continue;
        }
        let cases: String = launch
            .allocations
            .iter()
            .map(|(address, bytes)| {
                format!("(and (= b{number} (_ bv{address} 64)) (= t{} (_ bv{bytes} 64)))", size.0)
            })
            .collect();
        let _ = writeln!(text, "(assert (or false {cases}))");
    }
    let distinct: Vec<usize> =
        (0..relation.bases.len()).filter(|&number| relation.bases[number].distinct).collect();
    for (at, first) in distinct.iter().enumerate() {
        for second in &distinct[at + 1..] {
            let _ = writeln!(text, "(assert (distinct b{first} b{second}))");
        }
    }
}

/// Was null passed for the memory?
fn is_null(relation: &Relation, launch: &Launch, number: usize) -> bool {
    let mut arguments = relation.arguments.iter().flatten().zip(&launch.arguments);
    arguments.any(|(argument, &bits)| {
        matches!(argument, Argument::Pointer { base, .. } if *base == number) && bits == 0
    })
}

fn width(ty: Type) -> u32 {
    ty.bits().expect("a type of numbers")
}

fn sort(ty: Type) -> String {
    format!("(_ BitVec {})", width(ty))
}

fn definition(relation: &Relation, data: TermData) -> String {
    let of = |term: Term| width(relation.terms.ty(term));
    match data {
        TermData::Const { bits, ty } => format!("(_ bv{bits} {})", width(ty)),
        TermData::Unknown { unknown: Unknown(number), .. } => format!("u{number}"),
        TermData::Binary { op, args: [a, b], .. } => {
            format!("({} t{} t{})", operator(op), a.0, b.0)
        }
        TermData::Cast { op, arg, to } => {
            let (from, to) = (of(arg), width(to));
            match op {
                CastOp::Trunc => format!("((_ extract {} 0) t{})", to - 1, arg.0),
                CastOp::ZExt => format!("((_ zero_extend {}) t{})", to - from, arg.0),
                CastOp::SExt => format!("((_ sign_extend {}) t{})", to - from, arg.0),
                _ => format!("t{}", arg.0),
            }
        }
        TermData::Compare { cc, args: [a, b] } => {
            format!("(ite ({} t{} t{}) #b1 #b0)", comparison(cc), a.0, b.0)
        }
        TermData::Select { cond, args: [a, b] } => {
            format!("(ite (= t{} #b1) t{} t{})", cond.0, a.0, b.0)
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "bvadd",
        BinaryOp::Sub => "bvsub",
        BinaryOp::Mul => "bvmul",
        BinaryOp::UDiv => "bvudiv",
        BinaryOp::SDiv => "bvsdiv",
        BinaryOp::URem => "bvurem",
        BinaryOp::SRem => "bvsrem",
        BinaryOp::Shl => "bvshl",
        BinaryOp::LShr => "bvlshr",
        BinaryOp::AShr => "bvashr",
        BinaryOp::And => "bvand",
        BinaryOp::Or => "bvor",
        BinaryOp::Xor => "bvxor",
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            unreachable!("terms have no floating-point operations")
        }
    }
}

fn comparison(cc: IntCc) -> &'static str {
    match cc {
        IntCc::Eq => "=",
        IntCc::Ne => "distinct",
        IntCc::Ult => "bvult",
        IntCc::Ule => "bvule",
        IntCc::Ugt => "bvugt",
        IntCc::Uge => "bvuge",
        IntCc::Slt => "bvslt",
        IntCc::Sle => "bvsle",
        IntCc::Sgt => "bvsgt",
        IntCc::Sge => "bvsge",
    }
}
