//! The differential test: every conformance kernel through the front end and the
//! interpreter leaves the same bytes in its buffers as on PoCL.
//!
//! Nothing is shared between the two sides but the source text and the starting
//! contents. A difference is a fault of the translation or of the interpreter
//! (or of PoCL; `known_answers.rs` holds what is known of that).

use std::path::{Path, PathBuf};

use duet_conformance::{Arg, Buffers, Case, Pocl};
use duet_frontend::Options;
use duet_interp::{
    ArrayInput, Contents, Fill, FindingKind, Inputs, Key, Launch, Outcome, RunOptions, Schedule,
    Status,
};
use duet_ir::{Function, Module, ParamKind};

const SCHEDULES: [Schedule; 3] = [Schedule::InOrder, Schedule::Reversed, Schedule::Seeded(3)];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/conformance")
}

#[test]
fn the_interpreter_agrees_with_pocl() {
    let cases = Case::from_folder(&folder()).unwrap_or_else(|error| panic!("{error}"));
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    let pocl = Pocl::open().unwrap_or_else(|error| panic!("{error}"));
    let problems: Vec<String> = cases
        .iter()
        .filter_map(|case| check_case(&pocl, case).err())
        .collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Do all orders of threads leave what PoCL leaves, without a defect?
fn check_case(pocl: &Pocl, case: &Case) -> Result<(), String> {
    let expected = pocl
        .run(&pocl.devices()[0], case, &case.initial_buffers())
        .map_err(|error| format!("{} on PoCL: {error}", case.name))?;
    let module = read(case)?;
    for schedule in SCHEDULES {
        let found = interpret(case, &module, schedule)
            .map_err(|problem| format!("{} {schedule:?}: {problem}", case.name))?;
        if let Some(difference) = expected.first_difference(&found) {
            return Err(format!("{} {schedule:?}, PoCL and interpreter: {difference}", case.name));
        }
    }
    Ok(())
}

fn read(case: &Case) -> Result<Module, String> {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    let options = Options { cache_dir: Some(cache), ..Options::default() };
    let path = folder().join(&case.name).with_extension("cl");
    match duet_frontend::load(&path, &options) {
        Ok(loaded) if loaded.diagnostics.is_empty() => Ok(loaded.module.into_inner()),
        Ok(loaded) => Err(format!("{}: {}", case.name, loaded.diagnostics[0].headline)),
        Err(diagnostics) => Err(format!("{}: {}", case.name, diagnostics[0].headline)),
    }
}

/// Runs the kernel in the interpreter; the buffers after it.
fn interpret(case: &Case, module: &Module, schedule: Schedule) -> Result<Buffers, String> {
    let (kernel, function) = module.kernels().next().ok_or("there is no kernel")?;
    let options = RunOptions::scheduled(schedule);
    let outcome = duet_interp::run(module, kernel, &launch(case), &inputs(case), &options)
        .map_err(|error| error.to_string())?;
    if outcome.status != Status::Finished {
        return Err(format!("{:?}", outcome.status));
    }
    if let Some(defect) = outcome.findings.iter().find(|finding| is_defect(&finding.kind)) {
        return Err(format!("{:?}", defect.kind));
    }
    buffers(case, function, &outcome)
}

/// Wrapping signed arithmetic and copies of padding are part of what is tested.
fn is_defect(kind: &FindingKind) -> bool {
    !matches!(
        kind,
        FindingKind::SignedOverflow { .. }
            | FindingKind::Uninitialised { .. }
            | FindingKind::BenignRace(_)
    )
}

fn launch(case: &Case) -> Launch {
    let narrow = |sizes: [usize; 3]| sizes.map(|size| size as u32);
    let sizes = &case.launch;
    let mut launch = Launch::new(narrow(sizes.num_groups), narrow(sizes.local_size));
    launch.global_offset = narrow(sizes.global_offset);
    launch.work_dim = sizes.dimensions as u32;
    launch
}

fn inputs(case: &Case) -> Inputs {
    let mut inputs = Inputs::new();
    let initial = case.initial_buffers();
    for arg in &case.args {
        let key = Key::from(arg.name());
        match arg {
            Arg::Buffer(spec) => {
                let bytes = initial.get(&spec.name).expect("one for each buffer").bytes.clone();
                let input = ArrayInput { bytes: Some(bytes.len() as u64), fill: Fill::Bytes(bytes) };
                inputs.arrays.insert(key, input);
            }
            Arg::Local(spec) => {
                let input = ArrayInput { fill: Fill::Unknown, bytes: Some(spec.bytes as u64) };
                inputs.arrays.insert(key, input);
            }
            Arg::Scalar(spec) => {
                let mut bits = [0; 16];
                bits[..spec.bytes.len()].copy_from_slice(&spec.bytes);
                inputs.scalars.insert(key, u128::from_le_bytes(bits));
            }
        }
    }
    inputs
}

/// The final contents in the shape of the case's buffers.
fn buffers(case: &Case, function: &Function, outcome: &Outcome) -> Result<Buffers, String> {
    let mut buffers = case.initial_buffers();
    for buffer in &mut buffers.0 {
        let param = function.params.iter().find(|param| param.name == buffer.name);
        let Some(ParamKind::Array(array)) = param.map(|param| param.kind) else {
            return Err(format!("`{}` is no array of the kernel", buffer.name));
        };
        match outcome.arrays.get(&array) {
            Some(Contents::Dense(bytes)) => buffer.bytes = bytes.clone(),
            _ => return Err(format!("`{}` has no contents", buffer.name)),
        }
    }
    Ok(buffers)
}
