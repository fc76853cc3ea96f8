//! Preconditions that admit launches that a program made: `duet intercept --generalise`.
//!
//! Of the statements that a precondition may be made of, only those are kept that are known
//! to be true of every launch. A conjunction of them admits all launches, and the search
//! takes the cheapest that is proved.

use duet_ir::{Function, FunctionKind, ParamKind};

use super::atom::{Atom, Example, Quantity};
use crate::programs::{RecordedLaunch, parameters};
use crate::sizes::{LaunchSizes, Size, Sizes};

/// Launches that a precondition has to admit.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Each launch, and whether the sizes of its groups are known.
    launches: Vec<(Example, bool)>,
}

impl Wanted {
    /// The launches of a kernel, and the sizes that a kernel is judged for to admit them.
    ///
    /// # Errors
    /// Why no precondition can be looked for, in words.
    pub fn new(
        func: &Function,
        launches: &[RecordedLaunch],
    ) -> Result<(Wanted, LaunchSizes), String> {
        let Some(first) = launches.first() else { return Err("there is no launch".to_string()) };
        // SOUNDNESS: a proof is for ids from 0, for distinct arrays and for one number of
        // dimensions; launches that are otherwise must not be said to be covered (test
        // `launches_beyond_a_precondition_are_not_generalised`).
        if launches.iter().any(|launch| launch.offset != [0; 3]) {
            return Err("a launch has an offset".to_string());
        }
        if launches.iter().any(shares_memory) {
            return Err("arguments of a launch share memory".to_string());
        }
        if launches.iter().any(|launch| launch.dimensions != first.dimensions) {
            return Err("the launches have different numbers of dimensions".to_string());
        }
        for launch in launches {
            crate::programs::is_judged_as_recorded(launch)?;
        }
        let open = Sizes(vec![Size::Any; first.dimensions as usize]);
        let is_required = matches!(func.kind, FunctionKind::Kernel { required_block: Some(_), .. });
        let sizes = LaunchSizes {
            block: Some(open.clone()).filter(|_| !is_required),
            grid: Some(open),
            ..LaunchSizes::default()
        };
        let launches = launches.iter().map(|launch| example(func, launch)).collect();
        Ok((Wanted { launches }, sizes))
    }

    /// Is the statement known to be true of all launches?
    pub(super) fn admits(&self, atom: Atom) -> bool {
        self.launches.iter().all(|(example, has_groups)| {
            let is_known = |size: Quantity| {
                size.value(example).is_some() && (*has_groups || !is_about_groups(size))
            };
            atom.sizes().all(is_known) && !atom.excludes(example)
        })
    }
}

/// Does the number depend on the size of a group?
fn is_about_groups(size: Quantity) -> bool {
    match size {
        Quantity::Block(_)
        | Quantity::Grid(_)
        | Quantity::BlockTimes(..)
        | Quantity::GridTimes(..) => true,
        Quantity::Threads(_)
        | Quantity::Argument(_)
        | Quantity::Number(_)
        | Quantity::Times(..)
        | Quantity::Area(..)
        | Quantity::Rows(..) => false,
    }
}

fn shares_memory(launch: &RecordedLaunch) -> bool {
    let memory: Vec<_> = launch.arguments.iter().flatten().filter_map(|one| one.memory).collect();
    let is_shared = |at: usize| {
        let one = &memory[at];
        one.may_be_shared || memory[..at].iter().any(|other| other.allocation == one.allocation)
    };
    (0..memory.len()).any(is_shared)
}

/// The numbers of a launch.
fn example(func: &Function, launch: &RecordedLaunch) -> (Example, bool) {
    let mut example = Example { block: [1; 3], grid: [1; 3], ..Example::default() };
    for at in 0..launch.dimensions as usize {
        // Where OpenCL chooses the groups, only the product is used.
        let local = launch.local.map_or(1, |local| local[at]);
        example.block[at] = local as u32;
        example.grid[at] = (launch.global[at] / local.max(1)) as u32;
    }
    for ((_, members), argument) in parameters(func).iter().zip(&launch.arguments) {
        let [member] = members[..] else { continue };
        let ParamKind::Scalar(value) = func.params[member].kind else { continue };
        let Some(bytes) = argument.as_ref().and_then(|one| one.value.as_ref()) else { continue };
        let width = func.type_of(value).bits();
        if width == Some(bytes.len() as u32 * 8) && bytes.len() <= 16 {
            let bits = bytes.iter().rev().fold(0u128, |bits, &byte| bits << 8 | u128::from(byte));
            example.arguments.insert(value, (bits, bytes.len() as u32 * 8));
        }
    }
    (example, launch.local.is_some())
}
