//! Values that are tried for scalar arguments: those that preconditions ask for, numbers
//! that go with the launch and with the kernel's constants, and those of models.

use std::collections::BTreeSet;

use duet_interp::{Key, Launch};
use duet_ir::{
    AnnotationKind, BinaryOp, FloatCc, Function, InstData, IntCc, Operation, ScalarParam, Type,
    Value,
};
use duet_vc::Witness;

use super::RunMaker;

/// Values that are tried for one argument.
const MOST_VALUES: usize = 48;
/// Constants of a kernel that are taken for the sizes of its tiles.
const MOST_TILES: usize = 4;
/// Values of models that are as good as our own.
const SMALL: u128 = 1 << 12;

/// Bits for each scalar parameter.
pub(crate) type Arguments = Vec<(Key, u128)>;

impl RunMaker<'_> {
    /// The arguments to try for a launch, the likeliest first: all alike or each along a
    /// dimension of its own, then combinations of values by the sum of their ranks.
    pub(crate) fn arguments(
        &self,
        launch: &Launch,
        models: &[&Witness],
        most: usize,
    ) -> Vec<Arguments> {
        let params: Vec<_> = self.func.scalar_params().collect();
        let pools: Vec<Vec<u128>> =
            params.iter().map(|param| self.values(param, launch, models)).collect();
        let mut list = vec![];
        let mut alike = self.alike(&params, &pools, launch).into_iter();
        // What decides nothing keeps its first value.
        let lengths = params.iter().zip(&pools).map(|(param, pool)| match self.decides(param) {
            true => pool.len(),
            false => 1,
        });
        for ranks in by_rank(&lengths.collect::<Vec<_>>(), most) {
            let bits = ranks.iter().zip(&pools).map(|(&rank, pool)| pool[rank]);
            list.extend(alike.next());
            list.push(keyed(&params, bits));
        }
        let mut seen = BTreeSet::new();
        list.extend(alike);
        list.retain(|one| seen.insert(one.clone()));
        list
    }

    /// The arguments of a model; what it leaves open has its likeliest value.
    pub(crate) fn arguments_of(&self, model: &Witness, launch: &Launch) -> Arguments {
        let params: Vec<_> = self.func.scalar_params().collect();
        let bits = params.iter().map(|param| {
            let own = self.given(param).or_else(|| self.in_model(model, param));
            own.unwrap_or_else(|| self.values(param, launch, &[])[0])
        });
        keyed(&params, bits)
    }

    /// Sizes that go together: each parameter that decides something has as many as there
    /// are threads along a dimension of its own, or all have the same number.
    fn alike(
        &self,
        params: &[ScalarParam<'_>],
        pools: &[Vec<u128>],
        launch: &Launch,
    ) -> Vec<Arguments> {
        let dims = (0..3).filter(|&dim| along(launch, dim) > 1).collect::<Vec<_>>();
        let mut rows: Vec<Box<dyn Fn(usize) -> u32>> = vec![];
        if dims.len() > 1 {
            let own = dims.iter().map(|&dim| along(launch, dim)).collect::<Vec<_>>();
            let turned = own.iter().rev().copied().collect::<Vec<_>>();
            rows.push(Box::new(move |number| own[number % own.len()]));
            rows.push(Box::new(move |number| turned[number % turned.len()]));
        }
        let (all, block) = (along(launch, 0), launch.block[0]);
        rows.push(Box::new(move |number| if number % 2 == 0 { all } else { block }));
        rows.push(Box::new(move |number| if number % 2 == 0 { block } else { all }));
        for number in self.sizes(launch) {
            rows.push(Box::new(move |_| number));
        }
        let arguments = |row: Box<dyn Fn(usize) -> u32>| {
            let mut number = 0;
            let bits = params.iter().zip(pools).map(|(param, pool)| {
                let is_free = self.given(param).is_none() && self.exact(param).is_none();
                if !is_free || !self.decides(param) {
                    return pool[0];
                }
                number += 1;
                bits_of(row(number - 1), param.ty)
            });
            keyed(params, bits)
        };
        rows.into_iter().map(arguments).collect()
    }

    /// Numbers that all sizes may be: the threads along x, none, one, and those around a
    /// tile's size, where kernels with a tile change what they do.
    fn sizes(&self, launch: &Launch) -> Vec<u32> {
        let threads = along(launch, 0);
        let mut sizes = vec![threads, 0, 1];
        for tile in self.tiles(launch) {
            sizes.extend([tile + 1, tile, tile - 1, 2 * tile]);
        }
        sizes.extend([2, u32::MAX, 4, threads.wrapping_sub(1), threads.wrapping_add(1)]);
        sizes
    }

    /// What may be the size of a tile: a block's, and constants of the kernel.
    fn tiles(&self, launch: &Launch) -> Vec<u32> {
        let constants = self.constants.iter().rev().copied();
        let mut tiles: Vec<u32> = vec![];
        for tile in [launch.block[0], launch.block[1]].into_iter().chain(constants) {
            if (2..=1024).contains(&tile) && !tiles.contains(&tile) && tiles.len() < MOST_TILES {
                tiles.push(tile);
            }
        }
        tiles
    }

    /// Does it matter for more than what is stored?
    fn decides(&self, param: &ScalarParam<'_>) -> bool {
        self.decisive.contains(param.value)
    }

    /// What a precondition says that it is.
    fn exact(&self, param: &ScalarParam<'_>) -> Option<u128> {
        self.compared(param, true).next()
    }

    /// What preconditions compare it with.
    fn compared(&self, param: &ScalarParam<'_>, exact: bool) -> impl Iterator<Item = u128> {
        let value = param.value;
        let all = self.comparisons.iter().filter(move |one| one.is_exact == exact);
        all.filter(move |one| source(self.func, one.value) == value).map(|one| one.bits)
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
        let bits = |number: u32| bits_of(number, param.ty);
        let usual = self.usual_values(launch).into_iter().map(bits);
        let special = special_values(param.ty);
        let bounds = self.compared(param, false);
        let bounds = bounds.flat_map(|bits| [bits, bits + 1, bits.max(1) - 1]);
        let constants = self.constants.iter().flat_map(|&number| [number, number + 1]).map(bits);
        let of_models = || models.iter().filter_map(|model| self.in_model(model, param));
        let (small, large) = (of_models().filter(|&bits| bits < SMALL), of_models());
        let width = param.ty.bits().unwrap_or(64).min(128);
        let mask = u128::MAX >> (128 - width);
        let mut seen = BTreeSet::new();
        let all = self.compared(param, true).chain(usual.clone().take(4)).chain(small);
        let all = all.chain(usual).chain(special).chain(bounds).chain(constants).chain(large);
        all.map(|bits| bits & mask).filter(|&bits| seen.insert(bits)).take(MOST_VALUES).collect()
    }

    /// Numbers that arguments of kernels often are: as many as threads, a block's
    /// threads, and small ones.
    fn usual_values(&self, launch: &Launch) -> Vec<u32> {
        let (x, y) = (along(launch, 0), along(launch, 1));
        let mut values = vec![x, launch.block[0], 1, 0, 2, 4, 3];
        for tile in self.tiles(launch).into_iter().take(2) {
            values.extend([tile + 1, 2 * tile, tile - 1]);
        }
        values.extend([8, 16, 32, launch.grid[0], y, launch.block[1], x.wrapping_mul(y)]);
        values.extend([u32::MAX, 64, 100, 1000, x.wrapping_sub(1), x.wrapping_add(1)]);
        values
    }
}

/// Threads of the launch along a dimension.
fn along(launch: &Launch, dim: usize) -> u32 {
    launch.grid[dim].wrapping_mul(launch.block[dim])
}

fn keyed(params: &[ScalarParam<'_>], bits: impl Iterator<Item = u128>) -> Arguments {
    params.iter().map(|param| Key::Index(param.index)).zip(bits).collect()
}

/// The number as a value of the type.
pub(crate) fn bits_of(number: u32, ty: Type) -> u128 {
    match ty {
        Type::F32 => u128::from((number as f32).to_bits()),
        Type::F64 => u128::from(f64::from(number).to_bits()),
        // -1 is wanted as such in every width.
        Type::Int(_) | Type::Float(_) | Type::Ref => {
            (number as i32 as i128 as u128) & (u128::MAX >> (128 - ty.bits().unwrap_or(128)))
        }
    }
}

/// Numbers that computations with floats treat apart: no integer, infinite, none at all.
fn special_values(ty: Type) -> Vec<u128> {
    match ty {
        Type::F32 => {
            [0.5, f32::INFINITY, f32::NAN].map(|number| u128::from(number.to_bits())).to_vec()
        }
        Type::F64 => {
            [0.5, f64::INFINITY, f64::NAN].map(|number| u128::from(number.to_bits())).to_vec()
        }
        Type::Int(_) | Type::Float(_) | Type::Ref => vec![],
    }
}

/// Choices of one rank from each pool, those with a small sum of ranks first.
fn by_rank(lengths: &[usize], most: usize) -> Vec<Vec<usize>> {
    let highest: usize = lengths.iter().map(|length| length - 1).sum();
    let mut list = vec![];
    for sum in 0..=highest {
        extend_by_rank(lengths, sum, most, &mut vec![], &mut list);
        if list.len() >= most {
            break;
        }
    }
    list
}

fn extend_by_rank(
    lengths: &[usize],
    left: usize,
    most: usize,
    so_far: &mut Vec<usize>,
    list: &mut Vec<Vec<usize>>,
) {
    if list.len() >= most {
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
        extend_by_rank(lengths, left - rank, most, so_far, list);
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
        assert_eq!(by_rank(&[2, 2], 9), [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]]);
        assert_eq!(by_rank(&[], 9), [vec![]; 1]);
        assert_eq!(by_rank(&[1, 3], 9).len(), 3);
        assert_eq!(by_rank(&[5, 5], 9).len(), 9);
    }
}
