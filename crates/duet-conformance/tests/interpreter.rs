//! The differential test: every conformance kernel through the front end and the
//! interpreter leaves the same bytes in its buffers as on PoCL.
//!
//! Nothing is shared between the two sides but the source text and the starting
//! contents. A difference is a fault of the translation or of the interpreter
//! (or of PoCL; `known_answers.rs` holds what is known of that).

mod common;

use std::path::{Path, PathBuf};

use common::interpret;
use duet_conformance::{Buffers, Case, Pocl};
use duet_frontend::Options;
use duet_interp::Schedule;
use duet_ir::Module;

const SCHEDULES: [Schedule; 3] = [Schedule::InOrder, Schedule::Reversed, Schedule::Seeded(3)];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/conformance")
}

fn cases() -> Vec<Case> {
    Case::from_folder(&folder()).unwrap_or_else(|error| panic!("{error}"))
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn the_interpreter_agrees_with_pocl() {
    let cases = cases();
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    let pocl = Pocl::open().unwrap_or_else(|error| panic!("{error}"));
    let problems: Vec<String> =
        cases.iter().filter_map(|case| check_case(&pocl, case).err()).collect();
    assert_none(&problems);
}

/// Do all orders of threads leave what PoCL leaves, without a defect?
fn check_case(pocl: &Pocl, case: &Case) -> Result<(), String> {
    let expected = pocl
        .run(&pocl.devices()[0], case, &case.initial_buffers())
        .map_err(|error| format!("{} on PoCL: {error}", case.name))?;
    let module = read(case, "cl")?;
    SCHEDULES.iter().try_for_each(|&schedule| compare(case, &module, schedule, &expected))
}

/// The CUDA version of a kernel, where there is one, leaves what the OpenCL
/// version leaves, which PoCL has confirmed.
#[test]
fn cuda_agrees_with_opencl() {
    let cases = cases();
    let twins: Vec<&Case> = cases.iter().filter(|case| path(case, "cu").exists()).collect();
    assert!(twins.len() >= 20, "only {} kernels in both languages", twins.len());
    let problems: Vec<String> =
        twins.into_iter().filter_map(|case| check_twins(case).err()).collect();
    assert_none(&problems);
}

fn check_twins(case: &Case) -> Result<(), String> {
    let in_opencl = interpret(case, &read(case, "cl")?, &case.initial_buffers(), Schedule::InOrder)
        .map_err(|problem| format!("{}.cl: {problem}", case.name))?;
    let in_cuda = read(case, "cu")?;
    SCHEDULES.iter().try_for_each(|&schedule| compare(case, &in_cuda, schedule, &in_opencl))
}

/// Does a run leave these buffers?
fn compare(
    case: &Case,
    module: &Module,
    schedule: Schedule,
    expected: &Buffers,
) -> Result<(), String> {
    let name = format!("{} ({}, {schedule:?})", case.name, module.language);
    let found = interpret(case, module, &case.initial_buffers(), schedule)
        .map_err(|problem| format!("{name}: {problem}"))?;
    match expected.first_difference(&found) {
        Some(difference) => Err(format!("{name}, expected and interpreted: {difference}")),
        None => Ok(()),
    }
}

fn path(case: &Case, extension: &str) -> PathBuf {
    folder().join(&case.name).with_extension(extension)
}

fn read(case: &Case, extension: &str) -> Result<Module, String> {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    let options = Options { cache_dir: Some(cache), ..Options::default() };
    match duet_frontend::load(&path(case, extension), &options) {
        Ok(loaded) if loaded.diagnostics.is_empty() => Ok(loaded.module.into_inner()),
        Ok(loaded) => Err(format!("{}: {}", case.name, loaded.diagnostics[0].headline)),
        Err(diagnostics) => Err(format!("{}: {}", case.name, diagnostics[0].headline)),
    }
}
