//! A run of a copy of a kernel as one of the kernel itself: the command that repeats it names
//! the kernel as the source does, with the arguments that the host passes.

use std::sync::Arc;

use duet_host::{Relation, Term, Unknown};
use duet_interp::{ArrayInput, Fill, Inputs, Key};
use duet_ir::{Array, Found, Func, Module, ParamKind};
use duet_refute::Run;

/// The largest array that a command gives a length.
const MOST_BYTES: u64 = 1 << 32;

/// What a copy was made of.
#[derive(Clone, Debug)]
pub struct Original {
    /// The kernel.
    pub kernel: Func,
    /// What tells arrays of the copy from the kernel's own.
    pub(super) tag: String,
    pub(super) relation: Arc<Relation>,
    /// The unknowns that the copy has as its last parameters.
    pub(super) unknowns: Vec<Unknown>,
    /// What scalar parameters are, by position among them.
    pub(super) scalars: Vec<Option<Term>>,
    /// Bytes of the memory behind pointer parameters, and the pointer's place in it.
    pub(super) pointers: Vec<Option<(Option<Term>, Term)>>,
    /// Positions of pointers that share memory with an earlier one.
    pub(super) shared: Vec<Option<usize>>,
    /// Variables whose contents the copy has inside.
    pub(super) tables: Vec<(Array, Vec<u8>)>,
    /// What the launch finds behind pointer parameters.
    pub(super) found: Vec<Found>,
}

impl Original {
    /// The run of the kernel that the run of the copy is; `None` if no command says it.
    pub fn run(&self, module: &Module, copy: Func, run: &Run) -> Option<Run> {
        let values = self.values(module, copy, run)?;
        let value = |unknown: Unknown| {
            let at = self.unknowns.iter().position(|other| *other == unknown)?;
            Some(values[at])
        };
        let evaluate = |term: Term| self.relation.terms.evaluate(term, &value);
        let mut inputs = Inputs { other_scalars: run.inputs.other_scalars, ..Inputs::new() };
        let func = &module.functions[self.kernel];
        let mut scalars = self.scalars.iter();
        let mut names: Vec<String> = vec![];
        for (number, param) in func.params.iter().enumerate() {
            match param.kind {
                ParamKind::Scalar(value) => {
                    let bits = match scalars.next().copied().flatten() {
                        Some(term) => evaluate(term)?,
                        None => kept(module, copy, &param.name, run)?,
                    };
                    let width = func.type_of(value).bits()?.min(128);
                    let bits = bits & (u128::MAX >> (128 - width));
                    inputs.scalars.insert(Key::Index(number), bits);
                }
                ParamKind::Array(array) => names.push(module.arrays[array].name.clone()),
                ParamKind::Pointer(..) => {}
            }
        }
        for (number, name) in names.iter().enumerate() {
            let pointer = self.pointers.get(number).copied().flatten();
            let offset = |at: usize| evaluate(self.pointers.get(at).copied().flatten()?.1);
            if let Some(leader) = self.shared.get(number).copied().flatten() {
                let shift = u64::try_from(offset(number)?.checked_sub(offset(leader)?)?).ok()?;
                let of = Key::Name(names[leader].clone());
                inputs.aliases.insert(Key::Name(name.clone()), (of, shift));
                continue;
            }
            let own = Key::Name(format!("{name}@{}", self.tag));
            let given = run.inputs.arrays.get(&own).cloned().unwrap_or_default();
            let bytes = pointer.and_then(|(size, offset)| {
                let left = evaluate(size?)?.checked_sub(evaluate(offset)?)?;
                u64::try_from(left).ok().filter(|bytes| *bytes <= MOST_BYTES)
            });
            let fill = match self.found.get(number) {
                Some(Found::Filled { byte: 0, bytes: None }) => Fill::Zero,
                Some(Found::Filled { byte, bytes: None }) => Fill::Byte(*byte),
                Some(Found::Filled { .. } | Found::Unset | Found::Unknown) | None => given.fill,
            };
            let input = ArrayInput { fill, bytes: given.bytes.or(bytes) };
            inputs.arrays.insert(Key::Name(name.clone()), input);
        }
        for (array, bytes) in &self.tables {
            let table = &module.arrays[*array];
            let fill = cells(bytes, table.granule as usize)?;
            inputs.arrays.insert(Key::Name(table.name.clone()), ArrayInput { fill, bytes: None });
        }
        // Arrays that are no parameters are the module's, the same for all copies.
        let own_tag = format!("@{}", self.tag);
        for (key, input) in &run.inputs.arrays {
            let is_copy = matches!(key, Key::Name(name) if name.ends_with(&own_tag));
            if !is_copy && !inputs.arrays.contains_key(key) {
                inputs.arrays.insert(key.clone(), input.clone());
            }
        }
        Some(Run { inputs, ..run.clone() })
    }

    /// The values of the unknowns in the run.
    fn values(&self, module: &Module, copy: Func, run: &Run) -> Option<Vec<u128>> {
        let params = module.functions[copy].params.len();
        let first = params.checked_sub(self.unknowns.len())?;
        (first..params)
            .map(|at| {
                let given = run.inputs.scalars.get(&Key::Index(at)).copied();
                given.or(run.inputs.other_scalars)
            })
            .collect()
    }
}

/// Bytes as elements of a size, those that are not zero.
fn cells(bytes: &[u8], size: usize) -> Option<Fill> {
    let is_element = (1..=16).contains(&size) && bytes.len().is_multiple_of(size);
    let number = |element: &[u8]| {
        element.iter().rev().fold(0u128, |bits, &byte| bits << 8 | u128::from(byte))
    };
    let all = is_element.then(|| bytes.chunks(size).map(number).enumerate())?;
    let cells = all.filter(|(_, bits)| *bits != 0).map(|(at, bits)| (at as u64, bits));
    Some(Fill::Cells(cells.collect()))
}

/// The value of a parameter that the copy has kept.
fn kept(module: &Module, copy: Func, name: &str, run: &Run) -> Option<u128> {
    let at = module.functions[copy].params.iter().position(|param| param.name == name)?;
    run.inputs.scalars.get(&Key::Index(at)).copied().or(run.inputs.other_scalars)
}
