//! Traces that are written down here, for launches that no OpenCL of the tests' machine makes.

use std::path::Path;

use duet_layer::record::{Launch, Record};

use super::{check_trace, text, verdicts};

const PROGRAM: u64 = 1;
const KERNEL: u64 = 2;
const WHOLE: u64 = 0x1000;
const LOW: u64 = 0x2000;
const HIGH: u64 = 0x3000;

fn write(folder: &Path, records: &[Record]) {
    let own = folder.join("process-1");
    std::fs::create_dir(&own).expect("a folder");
    let mut all = vec![];
    for record in records {
        let mut bytes = record.encode(1);
        let length = bytes.len() as u32;
        bytes[..4].copy_from_slice(&length.to_le_bytes());
        all.extend(bytes);
    }
    std::fs::write(own.join("0.records"), all).expect("a file");
}

fn launch(global: [u64; 3], local: Option<[u64; 3]>) -> Launch {
    let (number, queue, frames) = (0, 9, vec![]);
    let offset = [0; 3];
    Launch { number, kernel: KERNEL, queue, dimensions: 1, global, local, offset, frames }
}

/// A program of one kernel `k`, and a buffer of 256 bytes with two parts.
fn program(source: &str) -> Vec<Record> {
    vec![
        Record::Source { program: PROGRAM, text: source.as_bytes().to_vec() },
        Record::Build { program: PROGRAM, options: String::new() },
        Record::Kernel { kernel: KERNEL, program: PROGRAM, name: "k".to_string() },
        Record::Buffer { buffer: WHOLE, bytes: 256, host: 0 },
    ]
}

fn part(buffer: u64, origin: u64, bytes: u64) -> Record {
    Record::SubBuffer { buffer, of: WHOLE, origin, bytes }
}

fn argument(index: u32, value: &[u8]) -> Record {
    let (bytes, value) = (value.len() as u64, Some(value.to_vec()));
    Record::Argument { kernel: KERNEL, index, bytes, value }
}

fn memory(index: u32, buffer: u64) -> Record {
    argument(index, &buffer.to_le_bytes())
}

/// The verdict on the only launch of a trace.
#[track_caller]
fn verdict(records: Vec<Record>) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &records);
    let output = check_trace(folder.path(), &["--format=json"]);
    let found = verdicts(&output);
    assert_eq!(found.len(), 1, "{found:?}{}", text(&output.stderr));
    found[0].1.clone()
}

/// The exit code and the messages about a trace.
fn said(records: Vec<Record>, options: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &records);
    let output = check_trace(folder.path(), options);
    let all = text(&output.stdout) + &text(&output.stderr);
    (output.status.code().expect("a code"), all)
}

const COPY: &str = "kernel void k(global int *to, global const int *from) {\n\
                    int i = get_global_id(0); to[i] = from[i]; }\n";

fn copy_of_parts(low: (u64, u64), high: (u64, u64)) -> Vec<Record> {
    let mut records = program(COPY);
    records.extend([part(LOW, low.0, low.1), part(HIGH, high.0, high.1)]);
    records.extend([memory(0, LOW), memory(1, HIGH)]);
    records.push(Record::Launch(launch([16, 1, 1], Some([8, 1, 1]))));
    records
}

#[test]
fn parts_that_overlap_share_their_memory() {
    assert_eq!(verdict(copy_of_parts((0, 128), (128, 128))), "proved");
    assert_eq!(verdict(copy_of_parts((0, 128), (4, 128))), "refuted");
}

#[test]
fn parts_have_bounds_of_their_own() {
    assert_eq!(verdict(copy_of_parts((0, 64), (128, 64))), "proved");
    // The allocation goes on behind the part, but the kernel must not.
    assert_eq!(verdict(copy_of_parts((0, 60), (128, 64))), "refuted");
}

/// Blocks of one size are fine, those of another are not.
#[test]
fn a_group_that_opencl_chooses_may_have_any_size() {
    let source = "kernel void k(global int *out) { out[get_local_id(0)] = get_global_id(0); }\n";
    let with = |local: Option<[u64; 3]>| {
        let mut records = program(source);
        records.extend([memory(0, WHOLE), Record::Launch(launch([32, 1, 1], local))]);
        records
    };
    assert_eq!(verdict(with(Some([32, 1, 1]))), "proved");
    assert_ne!(verdict(with(None)), "proved");
}

#[test]
fn a_struct_with_padding_may_be_anything() {
    let source = |second: &str| {
        format!(
            "typedef struct {{ {second} gap; int at; }} S;\n\
             kernel void k(global int *out, S s) {{ out[s.at * get_global_id(0)] = get_global_id(0); }}\n"
        )
    };
    let with = |second: &str, bytes: &[u8]| {
        let mut records = program(&source(second));
        records.extend([memory(0, WHOLE), argument(1, bytes)]);
        records.push(Record::Launch(launch([16, 1, 1], Some([16, 1, 1]))));
        records
    };
    let bytes = [0, 0, 0, 0, 1, 0, 0, 0];
    assert_eq!(verdict(with("int", &bytes)), "proved");
    assert_ne!(verdict(with("char", &bytes)), "proved");
}

#[test]
fn launches_that_cannot_be_judged_are_refused() {
    let with = |launch: Launch| {
        let mut records = program(COPY);
        records.push(Record::Buffer { buffer: HIGH, bytes: 8192, host: 0 });
        records.extend([memory(0, HIGH), memory(1, HIGH), Record::Launch(launch)]);
        records
    };
    let fine = said(with(launch([64, 1, 1], Some([8, 1, 1]))), &[]);
    assert_eq!(fine.0, 0, "{}", fine.1);
    for (one, why) in [
        (launch([65, 1, 1], Some([8, 1, 1])), "its groups are not all of one size"),
        (launch([2048, 1, 1], Some([2048, 1, 1])), "a group has 2048 work-items"),
        (launch([1 << 40, 1, 1], Some([8, 1, 1])), "its sizes are too large"),
        (Launch { kernel: 77, ..launch([8, 1, 1], None) }, "its kernel is not known"),
    ] {
        let (code, text) = said(with(one), &[]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(why), "{why}: {text}");
    }
    let mut binary = with(launch([64, 1, 1], Some([8, 1, 1])));
    binary[0] = Record::Compiled { program: PROGRAM, what: "a binary".to_string() };
    let (code, text) = said(binary, &[]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("its program is a binary"), "{text}");
    let (code, text) = said(with(launch([64, 1, 1], Some([8, 1, 1]))), &["--most=0"]);
    assert_eq!(code, 2, "{text}");
}

/// A proof for ids from 0 and distinct arrays says nothing about these.
#[test]
fn launches_beyond_a_precondition_are_not_generalised() {
    let source = "kernel void k(global int *to, global const int *from) {\n\
                  int i = get_global_id(0); to[i] = from[i]; }\n";
    let with = |from: u64, offset: u64| {
        let mut records = program(source);
        records.push(Record::Buffer { buffer: HIGH, bytes: 256, host: 0 });
        records.extend([memory(0, WHOLE), memory(1, from)]);
        let mut one = launch([16, 1, 1], Some([8, 1, 1]));
        one.offset[0] = offset;
        records.push(Record::Launch(one));
        said(records, &["--generalise"]).1
    };
    assert!(with(HIGH, 0).contains("k: proved for every launch, the recorded launch among them"));
    assert!(with(HIGH, 4).contains("`k` is not generalised: a launch has an offset"));
    assert!(with(WHOLE, 0).contains("`k` is not generalised: arguments of a launch share memory"));
}
