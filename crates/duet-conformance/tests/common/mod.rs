//! Runs a case in the interpreter.

use duet_conformance::{Arg, Buffers, Case};
use duet_interp::{
    ArrayInput, Contents, Fill, FindingKind, Inputs, Key, Launch, Outcome, RunOptions, Schedule,
    Status,
};
use duet_ir::{Function, Module, ParamKind};

/// Runs the kernel in the interpreter from `initial` contents; the buffers after it.
pub fn interpret(
    case: &Case,
    module: &Module,
    initial: &Buffers,
    schedule: Schedule,
) -> Result<Buffers, String> {
    let named = module.kernels().find(|(_, function)| function.name == case.kernel);
    let (kernel, function) = named.or(module.kernels().next()).ok_or("there is no kernel")?;
    let options = RunOptions::scheduled(schedule);
    let outcome = duet_interp::run(module, kernel, &launch(case), &inputs(case, initial), &options)
        .map_err(|error| error.to_string())?;
    if outcome.status != Status::Finished {
        return Err(format!("{:?}", outcome.status));
    }
    if let Some(defect) = outcome.findings.iter().find(|finding| is_defect(&finding.kind)) {
        return Err(format!("{:?}", defect.kind));
    }
    buffers(initial, function, &outcome)
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

fn inputs(case: &Case, initial: &Buffers) -> Inputs {
    let mut inputs = Inputs::new();
    for arg in &case.args {
        let key = Key::from(arg.name());
        match arg {
            Arg::Buffer(spec) => {
                let bytes = initial.get(&spec.name).expect("one for each buffer").bytes.clone();
                let input =
                    ArrayInput { bytes: Some(bytes.len() as u64), fill: Fill::Bytes(bytes) };
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

/// The final contents in the shape of the initial ones.
fn buffers(initial: &Buffers, function: &Function, outcome: &Outcome) -> Result<Buffers, String> {
    let mut buffers = initial.clone();
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
