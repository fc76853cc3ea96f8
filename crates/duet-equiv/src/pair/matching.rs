//! Which parameters and arrays of the two kernels belong together. What is ambiguous is an
//! error, never a guess.

use std::collections::BTreeSet;

use duet_ir::{
    Array, ArrayData, ArrayOrigin, Function, InstData, ParamKind, ScalarParam, Space, Type,
    WellFormed,
};

use super::request::{Kernel, MatchBy, Request, Side};

/// Scalar parameters that have the same value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarPair {
    /// Positions among all parameters of A and of B.
    pub index: [usize; 2],
    /// Their types.
    pub ty: [Type; 2],
    /// Are they unsigned?
    pub unsigned: [bool; 2],
}

impl ScalarPair {
    /// The bits on the wider side as those of a side; `None` if the narrower cannot hold
    /// the value.
    pub fn bits_on(&self, side: Side, bits: u128, of: Side) -> Option<u128> {
        let [from, to] = [of, side].map(|side| self.ty[side.index()].bits().unwrap_or(128));
        let mask = |width: u32| u128::MAX >> (128 - width.clamp(1, 128));
        if from == to {
            return Some(bits & mask(to));
        }
        // The narrower one is extended by its own signedness.
        let narrow = if from < to { of } else { side };
        let width = from.min(to);
        let low = bits & mask(width);
        let is_negative = !self.unsigned[narrow.index()] && low >> (width - 1) & 1 == 1;
        let extended = if is_negative { low | !mask(width) } else { low };
        match from < to {
            true => Some(extended & mask(to)),
            false => (extended & mask(from) == bits & mask(from)).then_some(low),
        }
    }
}

/// What belongs together.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// Scalars.
    pub scalars: Vec<ScalarPair>,
    /// Scalars of one side alone, by position.
    pub alone: [Vec<usize>; 2],
    /// Global and constant arrays.
    pub arrays: Vec<[Array; 2]>,
    /// Those of them that are compared.
    pub outputs: Vec<[Array; 2]>,
    /// Arrays that are not compared and start with unknown contents.
    pub scratch: [BTreeSet<Array>; 2],
    /// What is said about it.
    pub notes: Vec<String>,
    /// Tables whose initialisers differ: what they hold at first is not common.
    pub tables: Vec<[Array; 2]>,
    /// What is taken for granted about contents.
    pub assumptions: Vec<String>,
}

impl Matching {
    /// The same with A and B exchanged.
    pub fn turned(&self) -> Matching {
        let pairs = |list: &[[Array; 2]]| list.iter().map(|[a, b]| [*b, *a]).collect();
        let scalar = |pair: &ScalarPair| ScalarPair {
            index: [pair.index[1], pair.index[0]],
            ty: [pair.ty[1], pair.ty[0]],
            unsigned: [pair.unsigned[1], pair.unsigned[0]],
        };
        Matching {
            scalars: self.scalars.iter().map(scalar).collect(),
            alone: [self.alone[1].clone(), self.alone[0].clone()],
            arrays: pairs(&self.arrays),
            outputs: pairs(&self.outputs),
            scratch: [self.scratch[1].clone(), self.scratch[0].clone()],
            tables: pairs(&self.tables),
            ..self.clone()
        }
    }

    /// The partner of an array.
    pub fn partner(&self, side: Side, array: Array) -> Option<Array> {
        let pair = self.arrays.iter().find(|pair| pair[side.index()] == array)?;
        Some(pair[side.other().index()])
    }

    /// Matches two kernels.
    ///
    /// # Errors
    /// If something has no partner, or several.
    pub fn new(kernels: &[Kernel<'_>; 2], request: &Request) -> Result<Matching, String> {
        let mut matching = Matching::default();
        matching.match_scalars(kernels, request)?;
        matching.match_arrays(kernels, request)?;
        matching.choose_outputs(kernels, request)?;
        Ok(matching)
    }

    fn match_scalars(
        &mut self,
        kernels: &[Kernel<'_>; 2],
        request: &Request,
    ) -> Result<(), String> {
        let funcs = [kernels[0].function(), kernels[1].function()];
        let [a, b] = funcs.map(|func| func.scalar_params().collect::<Vec<_>>());
        let names = |params: &[ScalarParam<'_>]| -> Vec<String> {
            params.iter().map(|param| param.name.to_string()).collect()
        };
        let pairs = partners(&names(&a), &names(&b), request, "parameter")?;
        let mut used = BTreeSet::new();
        for (x, y) in pairs {
            let (x, y) = (&a[x], &b[y]);
            used.extend([(Side::A, x.index), (Side::B, y.index)]);
            // Truth values and floats have no partner of another type.
            let is_plain = |ty: Type| matches!(ty, Type::Int(width) if width > 1);
            if x.ty != y.ty && !(is_plain(x.ty) && is_plain(y.ty)) {
                return Err(format!(
                    "`{}` is {} on one side and {} on the other",
                    x.name, x.ty, y.ty
                ));
            }
            let (ty, unsigned) = ([x.ty, y.ty], [x.unsigned, y.unsigned]);
            if x.ty != y.ty {
                self.notes.push(format!(
                    "`{}` has {} bits in a and {} in b: values that only one can hold are left out",
                    x.name,
                    x.ty.bits().unwrap_or(0),
                    y.ty.bits().unwrap_or(0)
                ));
            }
            self.scalars.push(ScalarPair { index: [x.index, y.index], ty, unsigned });
        }
        for (side, params) in [(Side::A, &a), (Side::B, &b)] {
            for param in params.iter().filter(|param| !used.contains(&(side, param.index))) {
                let name = format!("{}_{}", param.name, side.letter());
                if !request.given.iter().any(|expr| expr.names().contains(&name)) {
                    return Err(format!(
                        "parameter `{}` of {} has no partner: name one with --same, or relate `{name}` with --given",
                        param.name,
                        side.letter()
                    ));
                }
                self.alone[side.index()].push(param.index);
            }
        }
        Ok(())
    }

    fn match_arrays(&mut self, kernels: &[Kernel<'_>; 2], request: &Request) -> Result<(), String> {
        let lists = [0, 1].map(|side| arrays(kernels[side].module, kernels[side].function()));
        let names = |side: usize| -> Vec<String> {
            lists[side].iter().map(|(name, _, _)| name.clone()).collect()
        };
        for (x, y) in partners(&names(0), &names(1), request, "array")? {
            self.arrays.push([lists[0][x].1, lists[1][y].1]);
        }
        for side in Side::BOTH {
            let func = kernels[side.index()].function();
            let written = written_arrays(func);
            for (name, array, _) in &lists[side.index()] {
                let is_scratch = request.scratch.contains(name);
                if is_scratch {
                    self.scratch[side.index()].insert(*array);
                } else if self.partner(side, *array).is_none()
                    && (is_used(func, *array) || written.contains(array))
                {
                    return Err(format!(
                        "array `{name}` of {} has no partner: name one with --same, or leave it out with --scratch",
                        side.letter()
                    ));
                }
            }
        }
        self.check_tables(kernels);
        Ok(())
    }

    /// Tables with different initialisers are not taken to be the same.
    ///
    /// SOUNDNESS: even where the host may write them before a launch, since nothing says that
    /// it writes the same to both (test `tables_with_other_initialisers`).
    fn check_tables(&mut self, kernels: &[Kernel<'_>; 2]) {
        for [a, b] in &self.arrays {
            let (x, y) = (&kernels[0].module.arrays[*a], &kernels[1].module.arrays[*b]);
            let is_table = [x, y].iter().any(|one| {
                one.origin == ArrayOrigin::Variable || one.init.is_some() || one.declared.is_some()
            });
            if !is_table || x.init.is_some() && x.init == y.init {
                continue;
            }
            // No bytes stand for contents that are not known.
            let is_known = |one: &ArrayData| initialiser(one).is_none_or(|b| !b.is_empty());
            if initialiser(x) == initialiser(y) && is_known(x) && is_known(y) {
                self.assumptions.push(format!("`{}` has the same contents on both sides", x.name));
            } else {
                self.notes.push(format!("`{}` is initialised in another way in b", x.name));
                self.tables.push([*a, *b]);
            }
        }
    }

    fn choose_outputs(
        &mut self,
        kernels: &[Kernel<'_>; 2],
        request: &Request,
    ) -> Result<(), String> {
        let written = [0, 1].map(|side| written_arrays(kernels[side].function()));
        let name = |array: Array| kernels[0].function().array_name(kernels[0].module, array);
        for pair in &self.arrays {
            let is_written = written[0].contains(&pair[0]) || written[1].contains(&pair[1]);
            let is_scratch =
                self.scratch[0].contains(&pair[0]) || self.scratch[1].contains(&pair[1]);
            let is_asked = request.outputs.is_empty()
                || request.outputs.iter().any(|own| own == name(pair[0]));
            if is_written && !is_scratch && is_asked {
                self.outputs.push(*pair);
            }
        }
        for output in &request.outputs {
            if !self.arrays.iter().any(|pair| name(pair[0]) == output) {
                return Err(format!("--output: there is no array `{output}` on both sides"));
            }
        }
        if self.outputs.is_empty() {
            return Err(
                "neither kernel writes an array that both have: there is nothing to compare"
                    .to_string(),
            );
        }
        Ok(())
    }
}

/// What the source initialises an array with, whether or not the host may change it.
pub fn initialiser(data: &ArrayData) -> Option<&Vec<u8>> {
    data.init.as_ref().or(data.declared.as_ref())
}

/// Pairs of positions in two lists of names.
fn partners(
    a: &[String],
    b: &[String],
    request: &Request,
    what: &str,
) -> Result<Vec<(usize, usize)>, String> {
    let mut pairs = vec![];
    let (mut free_a, mut free_b): (Vec<usize>, Vec<usize>) =
        ((0..a.len()).collect(), (0..b.len()).collect());
    for (x, y) in &request.same {
        let find = |list: &[String], name: &String| list.iter().position(|own| own == name);
        if let (Some(x), Some(y)) = (find(a, x), find(b, y)) {
            if !free_a.contains(&x) || !free_b.contains(&y) {
                return Err(format!("{what} `{}` is matched twice", a[x]));
            }
            pairs.push((x, y));
            free_a.retain(|one| *one != x);
            free_b.retain(|one| *one != y);
        }
    }
    match request.match_by {
        MatchBy::Position => {
            if free_a.len() != free_b.len() {
                return Err(format!(
                    "the kernels have {} and {} {what}s: they cannot be matched by position",
                    a.len(),
                    b.len()
                ));
            }
            pairs.extend(free_a.into_iter().zip(free_b));
        }
        MatchBy::Name => {
            for x in free_a {
                let same: Vec<usize> = free_b.iter().copied().filter(|&y| b[y] == a[x]).collect();
                match same.as_slice() {
                    [] => {}
                    [y] => pairs.push((x, *y)),
                    _ => return Err(format!("{what} `{}` has several partners", a[x])),
                }
            }
        }
    }
    pairs.sort_unstable();
    let partners: BTreeSet<usize> = pairs.iter().map(|pair| pair.1).collect();
    if partners.len() != pairs.len() {
        return Err(format!("a {what} is matched twice"));
    }
    Ok(pairs)
}

/// Arrays of global and constant memory by the names that the kernel has for them.
fn arrays(module: &WellFormed, func: &Function) -> Vec<(String, Array, ArrayOrigin)> {
    let mut list = vec![];
    for param in &func.params {
        if let ParamKind::Array(array) = param.kind
            && matches!(module.arrays[array].space, Space::Global | Space::Constant)
        {
            list.push((param.name.clone(), array, module.arrays[array].origin));
        }
    }
    for array in func.arrays_used() {
        let data = &module.arrays[array];
        let is_there = list.iter().any(|(_, other, _)| *other == array);
        if !is_there && matches!(data.space, Space::Global | Space::Constant) {
            list.push((data.name.clone(), array, data.origin));
        }
    }
    list
}

/// The arrays that a kernel may write.
pub fn written_arrays(func: &Function) -> BTreeSet<Array> {
    let mut written = BTreeSet::new();
    for inst in func.insts_in_order() {
        for (mode, access) in func.insts[inst].accesses() {
            if mode.may_write() {
                written.insert(access.array);
            }
        }
    }
    written
}

/// Does the kernel access the array?
fn is_used(func: &Function, array: Array) -> bool {
    func.insts_in_order()
        .any(|inst| func.insts[inst].accesses().iter().any(|(_, access)| access.array == array))
}

/// The type of the elements that the kernel reads and writes, if there is one.
pub fn element_type(func: &Function, array: Array) -> Option<Type> {
    let mut types = BTreeSet::new();
    for inst in func.insts_in_order() {
        match &func.insts[inst] {
            InstData::Load { access, ty, .. } | InstData::Atomic { access, ty, .. }
                if access.array == array =>
            {
                types.insert(*ty);
            }
            InstData::Store { access, values } if access.array == array => {
                types.extend(values.iter().map(|value| func.type_of(*value)));
            }
            _ => {}
        }
    }
    match types.len() {
        1 => types.pop_first(),
        _ => None,
    }
}
