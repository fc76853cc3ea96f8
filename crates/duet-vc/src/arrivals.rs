//! Does a thread of the block come to a barrier? The condition, as a term over its ids.
//!
//! Where all threads come to every barrier, nothing is asked. Elsewhere the thread must take
//! none of the exits before the barrier ([`duet_product::Exit`]), whose conditions are computed
//! anew for its ids.
//!
//! SOUNDNESS: only from ids, sizes, arguments and constants, which are the same for a thread
//! whether it comes or not; what else threads have in common at the barrier they have in
//! common only if they come (kernels/claims/74-left-neighbour).

use duet_ir::{Array, Const, Dim, GeometryKind, Inst, Value, ValueDef};
use duet_product::KernelFacts;
use duet_smt::{TermId, TermPool};

use crate::claim_terms::{ClaimTerms, Leaves};
use crate::launch::{Geometry, ThreadTerms, argument_name};
use crate::ops;
use crate::symbols::{Side, Symbol};

/// The condition under which the thread of the block with these ids comes to a barrier with
/// claims; `None` if it cannot be told.
pub(crate) fn arrives(
    pool: &mut TermPool,
    facts: &KernelFacts<'_>,
    geometry: &Geometry,
    mate: &ThreadTerms,
    (barrier, ids): (Inst, [TermId; 3]),
) -> Option<TermId> {
    if facts.claims.all_arrive {
        return Some(pool.tt());
    }
    let mut stays = vec![];
    for exit in facts.claims.exits.get(&barrier)? {
        let mut leaves = OfThread { pool, facts, geometry, mate, ids };
        let cond = ClaimTerms::new(facts, barrier, &mut leaves).value(false, exit.cond)?;
        stays.push(if exit.when { pool.not(cond) } else { cond });
    }
    Some(pool.and(&stays))
}

/// What does not depend on how far the thread has come.
struct OfThread<'a> {
    pool: &'a mut TermPool,
    facts: &'a KernelFacts<'a>,
    geometry: &'a Geometry,
    /// A thread of the same block.
    mate: &'a ThreadTerms,
    ids: [TermId; 3],
}

impl Leaves for OfThread<'_> {
    fn pool(&mut self) -> &mut TermPool {
        self.pool
    }

    fn id(&mut self, other: bool, dim: Dim) -> Option<TermId> {
        (!other).then(|| self.ids[dim.index()])
    }

    fn geometry(&mut self, kind: GeometryKind, dim: Dim) -> TermId {
        self.geometry.term(self.mate, kind, dim)
    }

    fn leaf(&mut self, _other: bool, value: Value) -> Option<TermId> {
        let func = self.facts.func;
        let ty = func.type_of(value);
        match func.values[value] {
            ValueDef::Const(Const::Bits(bits)) => Some(ops::constant(self.pool, bits, ty)),
            ValueDef::FunctionParam(_) => {
                let name = argument_name(func, value);
                Some(self.pool.constant(&name, ops::sort_of(ty)))
            }
            ValueDef::Const(Const::Null | Const::Array(_))
            | ValueDef::Result(..)
            | ValueDef::BlockParam(..) => None,
        }
    }

    fn note(&mut self, _term: TermId, _symbol: Symbol) {}

    fn side(&mut self, _other: bool, _array: Array) -> Option<Side> {
        None
    }

    fn contents(&mut self, _other: bool, _array: Array, _offset: TermId) -> Option<TermId> {
        None
    }
}
