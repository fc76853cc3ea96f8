//! Claims about every element of an array: `__cell_invariant(a, k, e)`.
//!
//! After its barrier such a claim holds of every number, of the contents that the barrier
//! left. It is kept as a *template*, a term with a symbol for the number, until a thread
//! loads an element: then the template is used for that one. Nothing is quantified.
//!
//! The template is made where the barrier is passed, so that the values in it are those of
//! that visit; it is dropped where ways meet that do not all bring it, and at the next
//! barrier of any kind (kernels/claims/54-template-of-another-visit).
//!
//! SOUNDNESS: apart from the number, all that the claim mentions must be the same in all
//! threads of the block: each of them vouches only for the elements that it wrote
//! (kernels/claims/50-cell-names-thread).

use std::collections::HashMap;

use duet_ir::{Array, Dim, GeometryKind, Inst, InstData, Space, Value};
use duet_product::Node;
use duet_smt::{Op, TermId, TermPool};

use super::instances::{self, OfAnyThread};
use super::values::Values;
use crate::claim_terms::{ClaimTerms, Leaves, cell_of};
use crate::memory::Memory;
use crate::symbols::{Origin, Side, Symbol};
use crate::walk::CellTerm;

/// What is known of every element of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Template {
    array: Array,
    /// The bytes of an element, and where the array starts.
    size: u32,
    base: TermId,
    /// The number of the element, and what holds of it.
    number: TermId,
    holds: TermId,
}

/// What is known after a barrier of all elements, or of all threads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Known {
    of_elements: Vec<Template>,
    of_threads: Vec<OfAnyThread>,
}

/// The templates at the end of each node.
#[derive(Default)]
pub(super) struct Templates {
    at: HashMap<Node, Known>,
}

impl Templates {
    /// At the start, or after a barrier: what is claimed there of the new contents.
    pub(super) fn renew(&mut self, values: &mut Values, memory: &Memory, barrier: Option<Inst>) {
        let facts = values.kernel.facts;
        let mut known = Known::default();
        for claim in barrier.iter().flat_map(|&barrier| facts.claims_at(barrier)) {
            let barrier = barrier.expect("it has claims");
            known.of_elements.extend(template(values, memory, barrier, claim));
            known.of_threads.extend(instances::of_any_thread(values, memory, barrier, claim));
        }
        self.at.insert(values.node, known);
    }

    /// Where ways meet: what all of them bring.
    pub(super) fn merge(&mut self, node: Node, incoming: &[(TermId, Vec<TermId>, Node)]) {
        let mut ways = incoming.iter().map(|(_, _, from)| self.at.get(from));
        let mut kept = ways.next().flatten().cloned().unwrap_or_default();
        for way in ways {
            let none = Known::default();
            let way = way.unwrap_or(&none);
            kept.of_elements.retain(|one| way.of_elements.contains(one));
            kept.of_threads.retain(|one| way.of_threads.contains(one));
        }
        self.at.insert(node, kept);
    }

    /// Drops all of them.
    pub(super) fn forget(&mut self, node: Node) {
        self.at.insert(node, Known::default());
    }

    /// An element is loaded: what holds of it.
    pub(super) fn load(&self, values: &mut Values, array: Array, offset: TermId) {
        let Some(known) = self.at.get(&values.node) else { return };
        for any in &known.of_threads {
            any.load(values, array, offset);
        }
        for template in known.of_elements.iter().filter(|template| template.array == array) {
            let number = number_at(values.pool, offset, template.base, template.size);
            let holds = instance(values.pool, template, number);
            values.assume_derived(holds);
        }
    }

    /// What is known of an element at the start of a walk.
    fn instances(&self, values: &mut Values, array: Array, number: TermId) -> Vec<TermId> {
        let root = values.region.root();
        let Some(known) = self.at.get(&root) else { return vec![] };
        let of_array = known.of_elements.iter().filter(|template| template.array == array);
        of_array.map(|template| instance(values.pool, template, number)).collect()
    }
}

fn instance(pool: &mut TermPool, template: &Template, number: TermId) -> TermId {
    let replace =
        |_: &mut TermPool, part: TermId, _: &[TermId]| (part == template.number).then_some(number);
    pool.rebuild(&[template.holds], replace)[0]
}

/// The number of the element at a byte offset.
fn number_at(pool: &mut TermPool, offset: TermId, base: TermId, size: u32) -> TermId {
    let distance = pool.bits().sub(offset, base);
    let scaled = match (pool.op(distance), pool.args(distance)) {
        (Op::BvMul, &[a, b]) if pool.as_bv(b) == Some(u128::from(size)) => Some(a),
        (Op::BvMul, &[a, b]) if pool.as_bv(a) == Some(u128::from(size)) => Some(b),
        _ => None,
    };
    let number = scaled.unwrap_or_else(|| {
        let size = pool.bv(pool.width(distance), u128::from(size));
        pool.bits().udiv(distance, size)
    });
    pool.bits().zext_or_trunc(number, 32)
}

/// The template of a claim at a barrier that was just passed.
fn template(values: &mut Values, memory: &Memory, barrier: Inst, claim: Inst) -> Option<Template> {
    let (_, array, base) = cell_of(values.kernel.facts, claim)?;
    let base = values.term(base);
    let name = values.symbol(&format!("cell:{claim}"), false);
    let number = values.pool.bv_var(&name, 32);
    let number = values.note(number, Origin::Cell, false);
    let holds = evaluate(values, memory, barrier, claim, number)?;
    let size = values.kernel.module.arrays[array].granule.max(1);
    Some(Template { array, size, base, number, holds })
}

/// What a claim says of an element, of these contents.
fn evaluate(
    values: &mut Values,
    memory: &Memory,
    barrier: Inst,
    claim: Inst,
    number: TermId,
) -> Option<TermId> {
    let facts = values.kernel.facts;
    let InstData::Annotation { args, .. } = &facts.func.insts[claim] else { return None };
    let (cell, array, base) = cell_of(values.kernel.facts, claim)?;
    let array = (array, values.term(base));
    let mut leaves = OfCell { values, memory, barrier, cell, number, array };
    ClaimTerms::new(facts, barrier, &mut leaves).value(false, args[0])
}

/// Notes a claim about elements that is passed: what it says if no thread has written the
/// element since the start.
pub(super) fn note(values: &mut Values, templates: &Templates, claim: Inst) -> Option<CellTerm> {
    let (number, array, base) = cell_of(values.kernel.facts, claim)?;
    let (number, base) = (values.term(number), values.term(base));
    let places = &values.kernel.facts.claims.places;
    let barrier = places.iter().find(|(_, list)| list.contains(&claim)).map(|(at, _)| at)?;
    let memory = values.walk.at_start.clone();
    let if_quiet = evaluate(values, &memory, barrier, claim, number)?;
    let known = templates.instances(values, array, number);
    let size = values.kernel.module.arrays[array].granule.max(1);
    Some(CellTerm { number, array, base, size, if_quiet, known })
}

/// The leaves of a claim about an element.
struct OfCell<'v, 'a, 'm> {
    values: &'v mut Values<'a>,
    memory: &'m Memory,
    barrier: Inst,
    cell: Value,
    number: TermId,
    /// The array, and where it starts.
    array: (Array, TermId),
}

impl Leaves for OfCell<'_, '_, '_> {
    fn pool(&mut self) -> &mut TermPool {
        self.values.pool
    }

    fn id(&mut self, _other: bool, _dim: Dim) -> Option<TermId> {
        None
    }

    fn geometry(&mut self, kind: GeometryKind, dim: Dim) -> TermId {
        self.values.kernel.geometry.term(self.values.thread, kind, dim)
    }

    fn leaf(&mut self, _other: bool, value: Value) -> Option<TermId> {
        if value == self.cell {
            return Some(self.number);
        }
        let facts = self.values.kernel.facts;
        facts.is_common_at(self.barrier, value).then(|| self.values.term(value))
    }

    fn note(&mut self, term: TermId, symbol: Symbol) {
        self.values.walk.symbols.push((term, symbol));
    }

    fn side(&mut self, _other: bool, array: Array) -> Option<Side> {
        self.values.side_of(array)
    }

    /// SOUNDNESS: that no thread wrote the element says nothing of other elements, so no other
    /// may be read, nor another array that is written (kernels/claims/53-other-cell).
    fn contents(&mut self, _other: bool, array: Array, offset: TermId) -> Option<TermId> {
        let facts = self.values.kernel.facts;
        let is_constant =
            facts.uses.is_never_written(array) && facts.module.arrays[array].space != Space::Shared;
        let is_snapshot =
            facts.snapshots.contains_key(&array) && facts.is_settled_at(array, self.barrier);
        if !is_constant && !is_snapshot {
            let (of, base) = self.array;
            let size = facts.module.arrays[of].granule.max(1);
            let pool = &mut *self.values.pool;
            let width = pool.width(offset);
            let number = pool.bits().zext_or_trunc(self.number, width);
            let size = pool.bv(width, u128::from(size));
            let distance = pool.bits().mul(number, size);
            let place = pool.bits().add(base, distance);
            (of == array && place == offset).then_some(())?;
        }
        self.memory.arrays.get(&array).copied()
    }
}
