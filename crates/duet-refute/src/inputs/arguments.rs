//! Values that are tried for scalar arguments: those of models, those that
//! preconditions ask for, numbers that go with the launch, and the kernel's constants.

use std::collections::BTreeSet;

use duet_interp::{Key, Launch};
use duet_ir::{
    AnnotationKind, BinaryOp, FloatCc, Function, InstData, IntCc, Operation, ScalarParam, Type,
    Value,
};
use duet_vc::Witness;

use crate::Subject;

/// Values that are tried for one argument.
const MOST_VALUES: usize = 40;
/// Combinations of values that are made for one launch.
const MOST_COMBINATIONS: usize = 3000;

/// Bits for each scalar parameter.
pub(crate) type Arguments = Vec<(Key, u128)>;

impl Subject<'_> {
    /// The arguments to try for a launch, the likeliest first: those of models, then
    /// combinations of values by the sum of their ranks.
    pub(crate) fn arguments(&self, launch: &Launch, models: &[&Witness]) -> Vec<Arguments> {
        let params: Vec<_> = self.func.scalar_params().collect();
        let pools: Vec<Vec<u128>> =
            params.iter().map(|param| self.values(param, launch, models)).collect();
        let mut list: Vec<Arguments> = models
            .iter()
            .map(|model| {
                let bits = |(param, pool): (&ScalarParam<'_>, &Vec<u128>)| {
                    let own = self.given(param).or_else(|| self.in_model(model, param));
                    own.unwrap_or(pool[0])
                };
                keyed(&params, params.iter().zip(&pools).map(bits))
            })
            .collect();
        for ranks in by_rank(&pools.iter().map(Vec::len).collect::<Vec<_>>()) {
            let bits = ranks.iter().zip(&pools).map(|(&rank, pool)| pool[rank]);
            let one = keyed(&params, bits);
            if !list.contains(&one) {
                list.push(one);
            }
        }
        let mut seen = BTreeSet::new();
        list.retain(|one| seen.insert(one.clone()));
        list
    }

    /// The value that an option gives.
    pub(crate) fn given(&self, param: &ScalarParam<'_>) -> Option<u128> {
        let position = self.func.scalar_params().position(|one| one.index == param.index)?;
        self.setting.scalar_args.get(position).copied().flatten()
    }

    fn in_model(&self, model: &Witness, param: &ScalarParam<'_>) -> Option<u128> {
        let name = &self.func.params[param.index].name;
        let found = model.arguments.iter().find(|(other, _)| other == name);
        found.map(|(_, scalar)| scalar.bits)
    }

    /// The values to try for one parameter, best first.
    pub(crate) fn values(
        &self,
        param: &ScalarParam<'_>,
        launch: &Launch,
        models: &[&Witness],
    ) -> Vec<u128> {
        if let Some(given) = self.given(param) {
            return vec![given];
        }
        let compared = |exact: bool| {
            let all = self.comparisons.iter().filter(move |one| one.is_exact == exact);
            all.filter(|one| source(self.func, one.value) == param.value).map(|one| one.bits)
        };
        let usual = usual_values(launch).into_iter().map(|number| bits_of(number, param.ty));
        let bounds = compared(false).flat_map(|bits| [bits, bits + 1, bits.max(1) - 1]);
        let of_models = models.iter().filter_map(|model| self.in_model(model, param));
        let constants = self.constants.iter().flat_map(|&number| [number, number + 1]);
        let constants = constants.map(|number| bits_of(number, param.ty));
        let width = param.ty.bits().unwrap_or(64).min(128);
        let mask = u128::MAX >> (128 - width);
        let mut seen = BTreeSet::new();
        let all = compared(true).chain(usual).chain(bounds).chain(of_models).chain(constants);
        all.map(|bits| bits & mask).filter(|&bits| seen.insert(bits)).take(MOST_VALUES).collect()
    }
}

fn keyed(params: &[ScalarParam<'_>], bits: impl Iterator<Item = u128>) -> Arguments {
    params.iter().map(|param| Key::Index(param.index)).zip(bits).collect()
}

/// Numbers that arguments of kernels often are: as many as threads, a block's
/// threads, and small ones.
fn usual_values(launch: &Launch) -> Vec<u32> {
    let along = |dim: usize| launch.grid[dim].wrapping_mul(launch.block[dim]);
    let mut values = vec![along(0), launch.block[0], 1, 0, 2, 4, 3, 8, 16, 32, launch.grid[0]];
    values.extend([along(1), launch.block[1], along(0).wrapping_mul(along(1)), 64, 100, 1000]);
    values.extend([along(0).wrapping_sub(1), along(0).wrapping_add(1), u32::MAX]);
    values
}

fn bits_of(number: u32, ty: Type) -> u128 {
    match ty {
        Type::F32 => u128::from((number as f32).to_bits()),
        Type::F64 => u128::from(f64::from(number).to_bits()),
        // -1 is wanted as such in every width.
        Type::Int(_) | Type::Float(_) | Type::Ref => {
            (number as i32 as i128 as u128) & (u128::MAX >> (128 - ty.bits().unwrap_or(128)))
        }
    }
}

/// Choices of one rank from each pool, those with a small sum of ranks first.
fn by_rank(lengths: &[usize]) -> Vec<Vec<usize>> {
    let most: usize = lengths.iter().map(|length| length - 1).sum();
    let mut list = vec![];
    for sum in 0..=most {
        extend_by_rank(lengths, sum, &mut vec![], &mut list);
        if list.len() >= MOST_COMBINATIONS {
            break;
        }
    }
    list
}

fn extend_by_rank(
    lengths: &[usize],
    left: usize,
    so_far: &mut Vec<usize>,
    list: &mut Vec<Vec<usize>>,
) {
    if list.len() >= MOST_COMBINATIONS {
        return;
    }
    let Some(&length) = lengths.get(so_far.len()) else {
        if left == 0 {
            list.push(so_far.clone());
        }
        return;
    };
    for rank in 0..length.min(left + 1) {
        so_far.push(rank);
        extend_by_rank(lengths, left - rank, so_far, list);
        so_far.pop();
    }
}

/// A comparison with a constant in a precondition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    /// What is compared.
    pub value: Value,
    /// The constant.
    pub bits: u128,
    /// With `==`.
    pub is_exact: bool,
}

/// What preconditions and assumptions compare with constants.
pub(crate) fn comparisons(func: &Function) -> Vec<Comparison> {
    let mut found = vec![];
    for inst in func.insts_in_order() {
        use AnnotationKind::{Assume, GlobalRequires, Requires};
        if let InstData::Annotation { kind: Requires | GlobalRequires | Assume, args } =
            &func.insts[inst]
        {
            note_comparisons(func, args[0], &mut found);
        }
    }
    found
}

fn note_comparisons(func: &Function, condition: Value, found: &mut Vec<Comparison>) {
    let Some(operation) = func.operation_of(condition) else { return };
    let (args, is_exact) = match operation {
        Operation::Binary { op: BinaryOp::And, args, .. } => {
            args.iter().for_each(|&arg| note_comparisons(func, arg, found));
            return;
        }
        Operation::Cast { arg, .. } => return note_comparisons(func, arg, found),
        Operation::IntCompare { cc, args } => (args, cc == IntCc::Eq),
        Operation::FloatCompare { cc, args } => (args, cc == FloatCc::Oeq),
        Operation::Binary { .. }
        | Operation::Unary { .. }
        | Operation::Select { .. }
        | Operation::Geometry(_) => return,
    };
    for (value, other) in [(args[0], args[1]), (args[1], args[0])] {
        note_comparisons(func, value, found);
        if let Some(bits) = func.const_bits(other) {
            found.push(Comparison { value, bits, is_exact });
        }
    }
}

/// The value behind casts.
pub(crate) fn source(func: &Function, value: Value) -> Value {
    let Some(Operation::Cast { arg, .. }) = func.operation_of(value) else { return value };
    source(func, arg)
}

/// The constants that the kernel compares or computes with.
pub(crate) fn constants(func: &Function) -> Vec<u32> {
    let mut numbers = BTreeSet::new();
    for inst in func.insts_in_order() {
        let Some(Operation::IntCompare { args, .. } | Operation::Binary { args, .. }) =
            func.insts[inst].operation()
        else {
            continue;
        };
        let bits = args.iter().filter_map(|&arg| func.const_bits(arg));
        numbers.extend(bits.filter(|bits| (2..1 << 16).contains(bits)).map(|bits| bits as u32));
    }
    numbers.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::by_rank;

    #[test]
    fn likely_values_come_first() {
        assert_eq!(by_rank(&[2, 2]), [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]]);
        assert_eq!(by_rank(&[]), [vec![]; 1]);
        assert_eq!(by_rank(&[1, 3]).len(), 3);
    }
}
