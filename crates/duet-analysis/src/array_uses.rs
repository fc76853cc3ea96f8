//! What a kernel does with each array: its access sites, whether anything writes
//! it, whether everything is atomic, and the counters of DESIGN's meaning 9.
//!
//! Facts are about the whole kernel, device functions that it calls included; a
//! site inside a callee is attributed to the call. Sites are a superset of what
//! runs do (*may* access); "never written" and the like are therefore *must*
//! facts. Calls of functions without a body touch no memory (see `duet-ir`).
//!
//! Distinct arrays never overlap, by default an assumption of the verdict. With
//! [`Aliasing::MayAlias`] a write to one array of global or constant memory counts
//! as a write to every such array.
//!
//! Ghost accesses read for annotations. They are listed, and their writes (which
//! set up fresh arrays) count as writes.
//!
//! Cost: one pass over the instructions of the kernel and its callees.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use duet_ir::{
    Access, AccessMode, Array, AtomicOp, Effect, Func, Function, Inst, InstData, Module, Space,
    Type,
};

use crate::{Loop, Loops};

/// May distinct names reach one memory?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aliasing {
    /// Distinct arrays are distinct memory.
    #[default]
    Distinct,
    /// Arrays of global and constant memory may overlap one another.
    MayAlias,
}

/// A place that accesses an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessSite {
    /// The instruction of the kernel: the access itself, or the call that leads
    /// to it.
    pub inst: Inst,
    /// The access itself, where a call leads to it.
    pub inner: Option<(Func, Inst)>,
    /// What it does.
    pub kind: AccessMode,
    /// A volatile access of the source.
    pub volatile: bool,
    /// Part of an annotation.
    pub ghost: bool,
}

/// A counter: every write of the kernel to the array adds `step`.
///
/// Two results of such additions at one address of one instance of the array
/// differ, as long as the counter does not wrap (an assumption for the caller to
/// print). It says nothing of the results of atomic loads, and nothing across
/// instances: a shared array has one per block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CounterStep {
    /// The width in bits of every addition.
    pub width: u8,
    /// What each adds, modulo two to the width; never 0.
    pub step: u128,
}

/// The access sites of a kernel, by array.
#[derive(Clone, Debug)]
pub struct ArrayUses {
    sites: BTreeMap<Array, Vec<AccessSite>>,
    steps: BTreeMap<Array, CounterStep>,
    /// With aliasing: the arrays of global and constant memory.
    aliased: BTreeSet<Array>,
    /// Spaces of all arrays, for the print form and aliases.
    names: BTreeMap<Array, String>,
    no_sites: Vec<AccessSite>,
}

impl ArrayUses {
    /// Of a function of a well-formed module.
    pub fn new(module: &Module, func: Func, aliasing: Aliasing) -> ArrayUses {
        let outside = |space| matches!(space, Space::Global | Space::Constant);
        let aliased = match aliasing {
            Aliasing::Distinct => BTreeSet::new(),
            Aliasing::MayAlias => {
                let global = module.arrays.iter().filter(|(_, data)| outside(data.space));
                global.map(|(array, _)| array).collect()
            }
        };
        let names = module.arrays.iter().map(|(array, data)| (array, data.name.clone()));
        let mut uses = ArrayUses {
            sites: BTreeMap::new(),
            steps: BTreeMap::new(),
            aliased,
            names: names.collect(),
            no_sites: vec![],
        };
        uses.collect(module, func);
        uses.find_counters(module, func);
        uses
    }

    /// The sites that name the array, in program order. Aliases are not listed.
    pub fn sites(&self, array: Array) -> &[AccessSite] {
        self.sites.get(&array).unwrap_or(&self.no_sites)
    }

    /// The arrays that have a site.
    pub fn accessed(&self) -> impl Iterator<Item = Array> + '_ {
        self.sites.keys().copied()
    }

    /// The sites that may write the array, through an alias as well.
    pub fn writes(&self, array: Array) -> Vec<AccessSite> {
        let names: Vec<Array> = if self.aliased.contains(&array) {
            self.aliased.iter().copied().collect()
        } else {
            vec![array]
        };
        let sites = names.into_iter().flat_map(|name| self.sites(name));
        sites.filter(|site| site.kind.may_write()).copied().collect()
    }

    /// Does the kernel never write the array?
    pub fn is_never_written(&self, array: Array) -> bool {
        self.writes(array).is_empty()
    }

    /// Is the array read, and never written?
    pub fn is_read_only(&self, array: Array) -> bool {
        !self.sites(array).is_empty() && self.is_never_written(array)
    }

    /// Is every access to the array atomic, and is there one?
    pub fn is_atomic_only(&self, array: Array) -> bool {
        !self.sites(array).is_empty() && self.sites(array).iter().all(|site| site.kind.is_atomic())
    }

    /// Is some access to the array atomic, through an alias as well?
    pub fn is_touched_by_atomics(&self, array: Array) -> bool {
        let names = std::iter::once(array).chain(self.aliases(array));
        names.into_iter().any(|name| self.sites(name).iter().any(|site| site.kind.is_atomic()))
    }

    /// The other arrays that may overlap this one.
    pub fn aliases(&self, array: Array) -> impl Iterator<Item = Array> + '_ {
        let has = self.aliased.contains(&array);
        self.aliased.iter().copied().filter(move |&other| has && other != array)
    }

    /// May the two be the same memory, or overlap?
    pub fn may_overlap(&self, array: Array, other: Array) -> bool {
        array == other || self.aliases(array).any(|alias| alias == other)
    }

    /// The step of the counters that the array holds, if every write of the
    /// kernel to it, plain ones included, adds (or subtracts) one same literal
    /// other than zero, at aligned places and one width.
    pub fn counter_step(&self, array: Array) -> Option<CounterStep> {
        self.steps.get(&array).copied()
    }

    /// The arrays that instructions of the loop may write.
    pub fn may_be_written_in(&self, func: &Function, loops: &Loops, id: Loop) -> BTreeSet<Array> {
        self.touched_in(func, loops, id, AccessMode::may_write)
    }

    /// The arrays that atomic operations of the loop touch.
    pub fn may_be_atomic_in(&self, func: &Function, loops: &Loops, id: Loop) -> BTreeSet<Array> {
        self.touched_in(func, loops, id, AccessMode::is_atomic)
    }

    /// The arrays with a site in the loop whose kind passes, and what they may
    /// alias.
    fn touched_in(
        &self,
        func: &Function,
        loops: &Loops,
        id: Loop,
        wanted: fn(AccessMode) -> bool,
    ) -> BTreeSet<Array> {
        let blocks = &loops.data(id).blocks;
        let insts: BTreeSet<Inst> =
            blocks.iter().flat_map(|&block| func.blocks[block].insts.iter().copied()).collect();
        let touched = |sites: &[AccessSite]| {
            sites.iter().any(|site| wanted(site.kind) && insts.contains(&site.inst))
        };
        let named = self.sites.iter().filter(|(_, sites)| touched(sites));
        let mut arrays: BTreeSet<Array> = named.map(|(&array, _)| array).collect();
        if !arrays.is_disjoint(&self.aliased) {
            arrays.extend(&self.aliased);
        }
        arrays
    }

    /// Lists the sites of a function and of all it calls.
    fn collect(&mut self, module: &Module, func: Func) {
        let mut summaries = BTreeMap::new();
        let function = &module.functions[func];
        for inst in function.insts_in_order() {
            let data = &function.insts[inst];
            for (kind, &access) in data.accesses() {
                self.add(access, AccessSite::new(inst, None, kind, access));
            }
            if let Effect::Call(callee) = data.effect() {
                let inner = summaries.entry(callee).or_insert_with(|| reach(module, callee));
                for &(func, inner, kind, access) in inner.iter() {
                    self.add(access, AccessSite::new(inst, Some((func, inner)), kind, access));
                }
            }
        }
    }

    fn add(&mut self, access: Access, site: AccessSite) {
        self.sites.entry(access.array).or_default().push(site);
    }

    /// Finds the arrays of [`ArrayUses::counter_step`].
    fn find_counters(&mut self, module: &Module, func: Func) {
        for array in self.sites.keys().copied().collect::<Vec<_>>() {
            let step_of = |site: &AccessSite| {
                let (func, inst) = site.inner.unwrap_or((func, site.inst));
                step(&module.functions[func], inst)
            };
            let steps: Vec<Option<CounterStep>> = self.writes(array).iter().map(step_of).collect();
            if let Some(&Some(first)) = steps.first()
                && steps.iter().all(|&step| step == Some(first))
            {
                self.steps.insert(array, first);
            }
        }
    }
}

impl AccessSite {
    fn new(
        inst: Inst,
        inner: Option<(Func, Inst)>,
        kind: AccessMode,
        access: Access,
    ) -> AccessSite {
        let Access { volatile, ghost, .. } = access;
        AccessSite { inst, inner, kind, volatile, ghost }
    }
}

/// The accesses of a device function and of all it calls, recursive calls
/// included.
fn reach(module: &Module, root: Func) -> Vec<(Func, Inst, AccessMode, Access)> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([root]);
    let mut work = vec![root];
    while let Some(func) = work.pop() {
        let function = &module.functions[func];
        for inst in function.insts_in_order() {
            let data = &function.insts[inst];
            let accesses = data.accesses().into_iter();
            found.extend(accesses.map(|(kind, &access)| (func, inst, kind, access)));
            if let Effect::Call(callee) = data.effect()
                && seen.insert(callee)
            {
                work.push(callee);
            }
        }
    }
    found
}

/// What an instruction adds to a counter. None for everything that is no integer
/// add or subtract of a literal other than zero: `inc_wrap` and `dec_wrap` wrap at
/// their bound, sums of floats need not change the value.
// SOUNDNESS: an access that is not aligned to its size may overlap another in
// part, and adds something else to it. Test: files/array_uses/counters.duet.
fn step(func: &Function, inst: Inst) -> Option<CounterStep> {
    let InstData::Atomic { op, access, args, ty: Type::Int(width), .. } = &func.insts[inst] else {
        return None;
    };
    let literal = func.const_bits(*args.first()?)?;
    let step = match op {
        AtomicOp::Add => literal,
        AtomicOp::Sub => literal.wrapping_neg() & crate::bits::mask(*width),
        AtomicOp::Exchange
        | AtomicOp::SMin
        | AtomicOp::SMax
        | AtomicOp::UMin
        | AtomicOp::UMax
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::IncWrap
        | AtomicOp::DecWrap
        | AtomicOp::CompareExchange
        | AtomicOp::FAdd
        | AtomicOp::FMin
        | AtomicOp::FMax
        | AtomicOp::Load
        | AtomicOp::Store => return None,
    };
    let aligned = access.align >= Type::Int(*width).bytes()?;
    (step != 0 && aligned).then_some(CounterStep { width: *width, step })
}

impl fmt::Display for ArrayUses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (&array, sites) in &self.sites {
            write!(f, "@{}:", self.names[&array])?;
            for (holds, fact) in [
                (self.is_never_written(array), " never-written"),
                (self.is_atomic_only(array), " atomic-only"),
                (self.is_touched_by_atomics(array), " atomics"),
            ] {
                f.write_str(if holds { fact } else { "" })?;
            }
            if let Some(CounterStep { width, step }) = self.counter_step(array) {
                write!(f, " counter i{width} step {}", crate::bits::signed(step, width))?;
            }
            writeln!(f)?;
            sites.iter().try_for_each(|site| writeln!(f, "  {site}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for AccessSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            AccessMode::Load => "load",
            AccessMode::Store => "store",
            AccessMode::AtomicLoad => "atomic load",
            AccessMode::Atomic => "atomic",
            AccessMode::CopyFrom => "copy from",
            AccessMode::CopyTo => "copy to",
        };
        write!(f, "{}: {kind}", self.inst)?;
        if let Some((func, inst)) = self.inner {
            write!(f, " in {func} {inst}")?;
        }
        f.write_str(if self.volatile { " volatile" } else { "" })?;
        f.write_str(if self.ghost { " ghost" } else { "" })
    }
}
