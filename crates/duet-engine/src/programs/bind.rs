//! From a relation of the host to a copy of the kernel.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use duet_ask::Likely;
use duet_host::{Argument, Origin, Relation, Term, TermData, Unknown};
use duet_ir::{
    Array, BinaryOp, Dim, Found, Func, FunctionBuilder, Geometry, GeometryKind, IntCc, Module,
    Operation, ParamKind, Space, Type, Value, WellFormed,
};
use duet_transform::{Bound, Copies, Extent, LaunchCopy, add_launch, can_be_moved};

use super::Original;
use super::sites::launch_sizes;
use crate::launch::launch_spec;

/// Bytes that a GPU can address.
const ADDRESS_SPACE: u128 = 1 << 49;

/// What becomes of a kernel's parameters at a launch.
pub struct Plan<'a> {
    relation: &'a Relation,
    /// Terms of scalar parameters, by position among them.
    scalars: Vec<Option<Term>>,
    /// Memory and offset of pointer parameters, by position among them.
    pointers: Vec<Option<(usize, Term)>>,
    /// Positions of pointers that share memory with an earlier one.
    shared: Vec<Option<usize>>,
    granules: Vec<Option<u32>>,
    /// The unknowns that are parameters of the copy.
    pub unknowns: Vec<Unknown>,
    /// Parameters of the kernel that nothing is known about.
    pub missing: Vec<String>,
    /// Two pointers may share memory, and accesses through them cannot be moved.
    pub may_alias: bool,
    /// All pointers point into allocations that are known and distinct.
    pub is_distinct: bool,
    /// Pointers whose allocation's size is known, and all.
    pub bounded: (usize, usize),
    /// Variables whose contents are known, with these.
    pub tables: Vec<(Array, Vec<u8>)>,
    /// What the launch finds behind pointer parameters, by position among them.
    pub found: Vec<Found>,
    /// Bounds of terms that follow from the limits of a launch.
    implied: Vec<(Term, (i128, i128))>,
}

impl<'a> Plan<'a> {
    /// Matches the arguments of a launch with the kernel's parameters.
    pub fn new(module: &Module, kernel: Func, relation: &'a Relation) -> Plan<'a> {
        let func = &module.functions[kernel];
        let by_param = arguments_of_params(func, relation);
        let mut plan = Plan {
            relation,
            scalars: vec![],
            pointers: vec![],
            shared: vec![],
            granules: vec![],
            unknowns: vec![],
            missing: vec![],
            may_alias: false,
            is_distinct: true,
            bounded: (0, 0),
            tables: vec![],
            found: vec![],
            implied: vec![],
        };
        let mut arrays: Vec<Array> = vec![];
        for (number, param) in func.params.iter().enumerate() {
            let argument = by_param.get(&number).copied();
            match param.kind {
                ParamKind::Scalar(value) => {
                    let term = plan.scalar(argument, func.type_of(value));
                    if term.is_none() {
                        plan.missing.push(param.name.clone());
                    }
                    plan.scalars.push(term);
                }
                ParamKind::Array(array) => {
                    let pointer = match argument {
                        Some(Argument::Pointer { base, offset }) => Some((*base, *offset)),
                        Some(Argument::Scalar(_) | Argument::Struct(_) | Argument::Opaque)
                        | None => None,
                    };
                    if pointer.is_none() {
                        plan.missing.push(param.name.clone());
                    }
                    plan.pointers.push(pointer);
                    arrays.push(array);
                }
                ParamKind::Pointer(..) => {}
            }
        }
        plan.share(module, kernel, &arrays);
        plan.note_unknowns();
        let launch = launch_spec(func, &launch_sizes(func, relation));
        plan.implied = relation.implied_by_limits(&launch);
        let terms = &relation.terms;
        let known = plan.unknowns.iter().copied().collect();
        plan.implied.retain(|(term, _)| terms.unknowns_of(*term).is_subset(&known));
        plan
    }

    /// The same with variables whose contents are known, and with what the host put into
    /// memory. `keepers`: the kernels that may keep addresses that they are given.
    pub fn with_contents(
        self,
        tables: Vec<(Array, Vec<u8>)>,
        keepers: &dyn Fn(&str) -> bool,
    ) -> Plan<'a> {
        let found = |pointer: &Option<(usize, Term)>| self.relation.found_behind(*pointer, keepers);
        let found = self.pointers.iter().map(found).collect();
        Plan { tables, found, ..self }
    }

    /// The arrays of the kernel all of whose contents at the launch are known.
    pub fn known(&self, func: &duet_ir::Function) -> BTreeSet<Array> {
        let filled = duet_host::contents::filled_arrays(func, &self.found);
        filled.into_iter().chain(self.tables.iter().map(|(array, _)| *array)).collect()
    }

    fn scalar(&self, argument: Option<&Argument>, ty: Type) -> Option<Term> {
        let Some(Argument::Scalar(term)) = argument else { return None };
        let found = self.relation.terms.ty(*term);
        let alike = found == ty || found.is_int() && ty.is_int();
        alike.then_some(*term)
    }

    /// Finds the pointers that share memory.
    fn share(&mut self, module: &Module, kernel: Func, arrays: &[Array]) {
        let func = &module.functions[kernel];
        self.granules = vec![None; arrays.len()];
        self.shared = vec![None; arrays.len()];
        for (number, pointer) in self.pointers.clone().into_iter().enumerate() {
            self.bounded.1 += 1;
            let Some((base, _)) = pointer else {
                self.is_distinct = false;
                continue;
            };
            let data = &self.relation.bases[base];
            self.is_distinct &= data.distinct;
            self.bounded.0 += usize::from(data.size.is_some());
            let earlier = self.pointers[..number]
                .iter()
                .position(|other| other.is_some_and(|(other, _)| other == base));
            let Some(leader) = earlier else { continue };
            let spaces = [leader, number].map(|one| module.arrays[arrays[one]].space);
            let is_plain = spaces.iter().all(|space| *space == Space::Global);
            if is_plain && can_be_moved(func, arrays[number]) {
                self.shared[number] = Some(leader);
                let granule = self.granule(module, arrays, leader, number);
                let known = self.granules[leader].unwrap_or(u32::MAX);
                self.granules[leader] = Some(known.min(granule));
            } else {
                self.may_alias = true;
            }
        }
    }

    /// The largest element at which accesses through both pointers fit.
    fn granule(&self, module: &Module, arrays: &[Array], leader: usize, follower: usize) -> u32 {
        let own =
            module.arrays[arrays[leader]].granule.min(module.arrays[arrays[follower]].granule);
        let aligned = |number: usize| {
            let offset = self.pointers[number].map(|(_, offset)| offset);
            offset.map_or(0, |offset| self.alignment(offset))
        };
        own.min(1 << aligned(leader).min(aligned(follower)).min(16))
    }

    /// How many low bits of the term are zero for sure.
    fn alignment(&self, term: Term) -> u32 {
        let terms = &self.relation.terms;
        match terms.data(term) {
            TermData::Const { bits: 0, .. } => 32,
            TermData::Const { bits, .. } => bits.trailing_zeros().min(32),
            TermData::Binary { op: BinaryOp::Mul, args: [a, b], .. } => {
                (self.alignment(a) + self.alignment(b)).min(32)
            }
            TermData::Binary { op: BinaryOp::Add | BinaryOp::Sub, args: [a, b], .. } => {
                self.alignment(a).min(self.alignment(b))
            }
            TermData::Binary { .. }
            | TermData::Unknown { .. }
            | TermData::Cast { .. }
            | TermData::Compare { .. }
            | TermData::Select { .. } => 0,
        }
    }

    /// The unknowns of everything that the copy computes.
    fn note_unknowns(&mut self) {
        let terms = &self.relation.terms;
        let mut found: BTreeSet<Unknown> = BTreeSet::new();
        let mut add = |term: Term| found.extend(terms.unknowns_of(term));
        let sizes = self.relation.grid.into_iter().chain(self.relation.block);
        sizes.filter(|&size| !self.is_free_size(size)).for_each(&mut add);
        self.scalars.iter().flatten().copied().for_each(&mut add);
        for (base, offset) in self.pointers.iter().flatten() {
            add(*offset);
            self.relation.bases[*base].size.into_iter().for_each(&mut add);
        }
        self.relation.facts.iter().copied().for_each(&mut add);
        self.unknowns = found.into_iter().collect();
    }

    /// The names of unknowns that are not the program's input, those of free sizes among
    /// them: a block of 1000 threads may be one that no device proposes
    /// (kernels/programs/proposed-block.cu).
    pub fn hypothetical(&self) -> Vec<String> {
        let data = |unknown: &Unknown| &self.relation.unknowns[unknown.0 as usize];
        let terms = &self.relation.terms;
        let sizes = self.relation.grid.into_iter().chain(self.relation.block);
        let mut unknowns: BTreeSet<Unknown> = self.unknowns.iter().copied().collect();
        unknowns.extend(sizes.flat_map(|size| terms.unknowns_of(size)));
        let all = unknowns.iter().filter(|unknown| !self.is_of_sizes_alone(**unknown));
        let all = all.map(data).filter(|data| data.origin != Origin::Input);
        let mut names: Vec<String> = all.map(|data| data.name.clone()).collect();
        names.extend(self.missing.iter().cloned());
        names.dedup();
        names
    }

    /// The names of unknowns that only say how large allocations are.
    pub fn hypothetical_sizes(&self) -> Vec<String> {
        let data = |unknown: &Unknown| &self.relation.unknowns[unknown.0 as usize];
        let all = self.unknowns.iter().filter(|unknown| self.is_of_sizes_alone(**unknown));
        let all = all.map(data).filter(|data| data.origin != Origin::Input);
        all.map(|data| data.name.clone()).collect()
    }

    /// Does the unknown only say how large allocations are, and does what is known of it
    /// speak of no other one? Then its value neither changes what the kernel does nor makes
    /// another value impossible.
    ///
    /// SOUNDNESS: a launch that the program does not make is no error
    /// (kernels/programs/unknown-width.cu, where the width is also an argument).
    fn is_of_sizes_alone(&self, unknown: Unknown) -> bool {
        let terms = &self.relation.terms;
        let has = |term: &Term| terms.unknowns_of(*term).contains(&unknown);
        let mut sizes = self.relation.grid.iter().chain(&self.relation.block);
        let mut offsets = self.pointers.iter().flatten().map(|(_, offset)| offset);
        let of_others = |fact: &Term| has(fact) && terms.unknowns_of(*fact).len() > 1;
        !sizes.any(has)
            && !self.scalars.iter().flatten().any(has)
            && !offsets.any(has)
            && !self.relation.facts.iter().any(of_others)
    }

    /// What a copy is made of, to tell its runs as the kernel's.
    pub fn original(&self, kernel: Func, tag: String) -> Original {
        let pointer = |(base, offset): (usize, Term)| (self.relation.bases[base].size, offset);
        Original {
            kernel,
            tag,
            relation: Arc::new(self.relation.clone()),
            unknowns: self.unknowns.clone(),
            scalars: self.scalars.clone(),
            pointers: self.pointers.iter().map(|one| one.map(pointer)).collect(),
            shared: self.shared.clone(),
            tables: self.tables.clone(),
            found: self.found.clone(),
        }
    }

    /// A launch that meets the preconditions of the copy, if one is found.
    ///
    /// Where several pointers are the same memory, threads of different blocks may be in each
    /// other's way, so it has several blocks if there is such a launch.
    pub fn likely(&self, module: &Module, copy: Func) -> Option<Likely> {
        let of_blocks = self.is_shared().then(|| self.relation.example_of_blocks()).flatten();
        let example = of_blocks.or_else(|| self.relation.example())?;
        let func = &module.functions[copy];
        let params = &func.params[func.params.len() - self.unknowns.len()..];
        let arguments = self
            .unknowns
            .iter()
            .zip(params)
            .filter_map(|(unknown, param)| match param.kind {
                ParamKind::Scalar(value) => Some((value, example.values[unknown.0 as usize])),
                ParamKind::Array(_) | ParamKind::Pointer(..) => None,
            })
            .collect();
        Some(Likely { block: example.block, grid: example.grid, arguments })
    }

    /// Does the host pass the same memory for several pointers?
    pub fn is_shared(&self) -> bool {
        self.shared.iter().any(Option::is_some)
    }

    /// Is nothing else related to this size, so that it is free?
    fn is_free_size(&self, size: Term) -> bool {
        let TermData::Unknown { unknown, .. } = self.relation.terms.data(size) else {
            return false;
        };
        self.users_of(unknown) == 1
    }

    /// How many parts of the launch an unknown is in.
    fn users_of(&self, unknown: Unknown) -> usize {
        let relation = self.relation;
        let mut parts: Vec<Term> = relation.grid.into_iter().chain(relation.block).collect();
        parts.extend(self.scalars.iter().flatten());
        for (base, offset) in self.pointers.iter().flatten() {
            parts.push(*offset);
            parts.extend(relation.bases[*base].size);
        }
        parts.extend(&relation.facts);
        parts.iter().filter(|&&part| relation.terms.unknowns_of(part).contains(&unknown)).count()
    }

    /// Makes the copy.
    pub fn bind(
        &self,
        module: &mut WellFormed,
        kernel: Func,
        name: String,
        tag: String,
        loc: Option<duet_ir::Loc>,
    ) -> Copies {
        let own: BTreeSet<&str> =
            module.functions[kernel].params.iter().map(|param| param.name.as_str()).collect();
        let kept: BTreeSet<&str> =
            self.missing.iter().map(String::as_str).filter(|name| own.contains(name)).collect();
        let mut used: BTreeMap<String, usize> = BTreeMap::new();
        let unknowns: Vec<(String, Type)> = self
            .unknowns
            .iter()
            .map(|unknown| {
                let data = &self.relation.unknowns[unknown.0 as usize];
                let count = used.entry(data.name.clone()).or_default();
                *count += 1;
                let name = match *count {
                    1 if !kept.contains(data.name.as_str()) => data.name.clone(),
                    count => format!("{} ({})", data.name, count),
                };
                (name, data.ty)
            })
            .collect();
        let granules = self.granules.clone();
        let plain_name = format!("{name} without bounds");
        let (tables, found) = (self.tables.clone(), self.found.clone());
        let unknowns = &unknowns;
        let copy =
            LaunchCopy { kernel, name, plain_name, tag, unknowns, granules, found, tables, loc };
        add_launch(module, &copy, |builder, values| self.build(builder, values, loc))
    }

    fn build(
        &self,
        builder: &mut FunctionBuilder<'_>,
        values: &[Value],
        loc: Option<duet_ir::Loc>,
    ) -> Bound {
        let params: Vec<Type> =
            builder.func.scalar_params().map(|param| param.ty).take(self.scalars.len()).collect();
        let unknowns = self.unknowns.iter().copied().zip(values.iter().copied()).collect();
        let mut writer = Writer { relation: self.relation, unknowns, known: HashMap::new() };
        builder.set_loc(loc);
        let mut bound = Bound::default();
        for (term, ty) in self.scalars.iter().zip(params) {
            let value = term.map(|term| {
                let value = writer.value(builder, term, true);
                if builder.func.type_of(value) == ty {
                    value
                } else {
                    builder.resize(value, ty, false)
                }
            });
            bound.scalars.push(value);
        }
        for (kind, sizes) in [
            (GeometryKind::GridDim, &self.relation.grid),
            (GeometryKind::BlockDim, &self.relation.block),
        ] {
            for (dim, &term) in Dim::ALL.into_iter().zip(sizes) {
                if self.relation.terms.bits(term).is_some() || self.is_free_size(term) {
                    continue;
                }
                let size = writer.value(builder, term, true);
                let size = builder.resize(size, Type::I32, false);
                let own = builder.geometry(Geometry { kind, dim });
                bound.conditions.push(builder.compare(IntCc::Eq, own, size));
            }
        }
        self.build_pointers(builder, &mut writer, &mut bound);
        self.limit_sizes(builder, &mut writer, &mut bound);
        for &fact in &self.relation.facts {
            let fact = writer.value(builder, fact, false);
            bound.conditions.push(fact);
        }
        for &(term, (least, most)) in &self.implied {
            let value = writer.value(builder, term, false);
            let ty = builder.func.type_of(value);
            for (cc, limit) in [(IntCc::Sge, least), (IntCc::Sle, most)] {
                let limit = builder.int(limit as u128 & ty_mask(ty), ty);
                bound.conditions.push(builder.compare(cc, value, limit));
            }
        }
        // What the copy itself requires is no statement of the source.
        builder.set_loc(None);
        bound
    }

    /// An allocation that succeeds fits the address space: so `n` is not negative behind
    /// `cudaMalloc(&d, n * sizeof(float))`, and a product of sizes that the host computes without
    /// signed overflow is one that the kernel computes without wrapping around. Products make
    /// questions hard, so that limit is only stated where a kernel multiplies unsigned numbers,
    /// and for bounds, which are about it anyway. Unsigned products of 64 bits may wrap around
    /// themselves, so their limit is of use for bounds only.
    ///
    /// SOUNDNESS: this rests on *allocations succeed*, which a verdict lists that knows a size
    /// (kernels/programs/allocation-too-large-bug.cu has a size that does not tell).
    fn limit_sizes(
        &self,
        builder: &mut FunctionBuilder<'_>,
        writer: &mut Writer<'_>,
        bound: &mut Bound,
    ) {
        let bases = self.pointers.iter().flatten().map(|(base, _)| &self.relation.bases[*base]);
        let sizes: BTreeSet<Term> = bases.filter_map(|base| base.size).collect();
        let needs_products = multiplies_unsigned(&builder.func);
        for term in sizes {
            let is_number = self.relation.terms.bits(term).is_some();
            let is_wide = self.relation.terms.ty(term) == Type::I64;
            if is_number || !is_wide {
                continue;
            }
            let size = writer.value(builder, term, true);
            let limit = builder.int(ADDRESS_SPACE, Type::I64);
            let fits = builder.compare(IntCc::Ule, size, limit);
            let (may_wrap, is_product) =
                (self.has_product(term, false), self.has_product(term, true));
            match !may_wrap && (needs_products || !is_product) {
                true => bound.conditions.push(fits),
                false => bound.limits.push(fits),
            }
        }
    }

    /// Is there a product of two unknown terms in the term, signed or not?
    fn has_product(&self, term: Term, of_signed: bool) -> bool {
        let terms = &self.relation.terms;
        let is_number = |term: Term| terms.bits(term).is_some();
        let has = |term: Term| self.has_product(term, of_signed);
        match terms.data(term) {
            TermData::Const { .. } | TermData::Unknown { .. } => false,
            TermData::Cast { arg, .. } => has(arg),
            TermData::Binary { op, signed, args } => {
                let is_product = op == BinaryOp::Mul && !args.into_iter().any(is_number);
                is_product && signed == of_signed || args.into_iter().any(has)
            }
            TermData::Compare { args, .. } => args.into_iter().any(has),
            TermData::Select { cond, args } => has(cond) || args.into_iter().any(has),
        }
    }

    fn build_pointers(
        &self,
        builder: &mut FunctionBuilder<'_>,
        writer: &mut Writer<'_>,
        bound: &mut Bound,
    ) {
        let offsets: Vec<Option<Value>> = self
            .pointers
            .iter()
            .map(|pointer| pointer.map(|(_, offset)| writer.value(builder, offset, true)))
            .collect();
        for (number, pointer) in self.pointers.iter().enumerate() {
            let extent = pointer.and_then(|(base, _)| self.relation.bases[base].size);
            let extent = extent
                .zip(offsets[number])
                .map(|(size, offset)| Extent { size: writer.value(builder, size, true), offset });
            bound.bytes.push(extent);
            let shared = self.shared[number].and_then(|leader| {
                let (own, first) = (offsets[number]?, offsets[leader]?);
                Some((leader, builder.binary(BinaryOp::Sub, own, first)))
            });
            bound.shared.push(shared);
        }
    }
}

/// Does the kernel multiply two unsigned numbers of 32 bits, other than ids and sizes of the
/// launch?
fn multiplies_unsigned(func: &duet_ir::Function) -> bool {
    let is_open = |value: Value| {
        let is_geometry = matches!(func.operation_of(value), Some(Operation::Geometry(_)));
        func.const_of(value).is_none() && !is_geometry
    };
    func.insts_in_order().any(|inst| match func.insts[inst].operation() {
        Some(Operation::Binary { op: BinaryOp::Mul, nsw: false, args }) => {
            let is_word = func.type_of(args[0]) == Type::I32;
            let is_number = args.iter().any(|&arg| func.const_of(arg).is_some());
            is_word && !is_number && args.into_iter().any(is_open)
        }
        _ => false,
    })
}

/// All ones of a type's width.
fn ty_mask(ty: Type) -> u128 {
    u128::MAX >> (128 - ty.bits().unwrap_or(128).clamp(1, 128))
}

/// The names of the source's parameters, each with the numbers of the kernel's that it is.
pub fn groups(func: &duet_ir::Function) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = vec![];
    for (number, param) in func.params.iter().enumerate() {
        let base = param.name.split('.').next().unwrap_or(&param.name).to_string();
        let is_part = param.name.contains('.');
        match groups.last_mut() {
            Some((last, members)) if is_part && *last == base => members.push(number),
            _ => groups.push((base, vec![number])),
        }
    }
    groups
}

/// The arguments by the number of the parameter they belong to. A struct is one argument
/// and a parameter for each of its parts (`p.x`).
fn arguments_of_params<'r>(
    func: &duet_ir::Function,
    relation: &'r Relation,
) -> HashMap<usize, &'r Argument> {
    let groups = groups(func);
    let Some(arguments) = &relation.arguments else { return HashMap::new() };
    if arguments.len() != groups.len() {
        return HashMap::new();
    }
    let mut found = HashMap::new();
    for ((_, members), argument) in groups.iter().zip(arguments) {
        let is_struct = members.len() > 1 || func.params[members[0]].name.contains('.');
        match argument {
            Argument::Struct(parts) if is_struct && fits(func, relation, members, parts) => {
                let pairs = members.iter().zip(parts);
                found.extend(pairs.map(|(&member, (_, part))| (member, part)));
            }
            Argument::Struct(_) => {}
            Argument::Scalar(_) | Argument::Pointer { .. } | Argument::Opaque if is_struct => {}
            Argument::Scalar(_) | Argument::Pointer { .. } | Argument::Opaque => {
                found.insert(members[0], argument);
            }
        }
    }
    found
}

/// Are these the parts of the struct, one for each parameter and of its type? Both sides lay
/// a struct out alike, so parts in the order of their offsets are the same parts.
///
/// SOUNDNESS: parts of one type in another order would be taken for each other
/// (kernels/programs/struct-by-value-bug.cu).
fn fits(
    func: &duet_ir::Function,
    relation: &Relation,
    members: &[usize],
    parts: &[(u64, Argument)],
) -> bool {
    let is_sorted = parts.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let alike = |(&member, (_, part)): (&usize, &(u64, Argument))| match (
        &func.params[member].kind,
        part,
    ) {
        (_, Argument::Opaque) => true,
        (ParamKind::Scalar(value), Argument::Scalar(term)) => {
            relation.terms.ty(*term) == func.type_of(*value)
        }
        (ParamKind::Array(_) | ParamKind::Pointer(..), Argument::Pointer { .. }) => true,
        _ => false,
    };
    is_sorted && members.len() == parts.len() && members.iter().zip(parts).all(alike)
}

/// Writes terms as instructions.
struct Writer<'r> {
    relation: &'r Relation,
    unknowns: HashMap<Unknown, Value>,
    known: HashMap<(Term, bool), Value>,
}

impl Writer<'_> {
    /// The value of a term. `computed`: the host computes it whenever it makes the launch,
    /// so that a signed overflow there is undefined; what only one side of a choice
    /// computes is not.
    fn value(&mut self, builder: &mut FunctionBuilder<'_>, term: Term, computed: bool) -> Value {
        if let Some(&known) = self.known.get(&(term, computed)) {
            return known;
        }
        let value = match self.relation.terms.data(term) {
            TermData::Const { bits, ty } => builder.int(bits, ty),
            TermData::Unknown { unknown, .. } => self.unknowns[&unknown],
            TermData::Binary { op, signed, args: [a, b] } => {
                let (a, b) = (self.value(builder, a, computed), self.value(builder, b, computed));
                builder.binary_flagged(op, signed && computed, a, b)
            }
            TermData::Cast { op, arg, to } => {
                let arg = self.value(builder, arg, computed);
                builder.cast(op, arg, to)
            }
            TermData::Compare { cc, args: [a, b] } => {
                let (a, b) = (self.value(builder, a, computed), self.value(builder, b, computed));
                builder.compare(cc, a, b)
            }
            TermData::Select { cond, args: [a, b] } => {
                let cond = self.value(builder, cond, computed);
                let (a, b) = (self.value(builder, a, false), self.value(builder, b, false));
                builder.select(cond, a, b)
            }
        };
        if let Some(name) = self.relation.terms.name(term)
            && builder.func.const_of(value).is_none()
            && builder.func.names[value].is_none()
        {
            builder.func.names[value] = Some(name.to_string());
        }
        self.known.insert((term, computed), value);
        value
    }
}
