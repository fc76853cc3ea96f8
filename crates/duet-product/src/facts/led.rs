//! Places to which a ballot or a match leads the lanes of its result.
//!
//! ```c
//! unsigned b = __ballot_sync(0xffffffff, p);
//! if (p)
//!   v = __shfl_sync(b, v, 0);
//! ```
//!
//! The mask of the shuffle is computed, and not all lanes come by. But each lane of it was
//! at the ballot, had `p` there, and got the same mask; so each comes to the shuffle. The
//! result of a match is such a mask too, of lanes that all have it.
//!
//! **What is asked.** Let D be a ballot or a match by which all lanes of a warp come at every
//! visit, with one mask, and E a place whose mask is D's result itself. E is led to if every
//! branch between them (on a way from D to E without D) is one of these:
//!
//! * the test of D's predicate, or a copy of it: only the side on which it holds counts;
//! * uniform: all lanes of the warp that are at one visit go the same way;
//! * of no matter: its ways meet again, before E and before D.
//!
//! **Why it is sound.** The lanes of D's result at a visit of D all executed that visit, and
//! hold the same mask until they are at D again: E's mask is D's value, so D dominates E and
//! whatever lies between. From D on they take the same turns wherever these decide whether,
//! how often and after which iterations they visit E. So they come to the same visits of E, with
//! the same mask. That no lane is held up for ever follows if *every* place of the kernel is
//! one by which all lanes come with one mask, or one that is led to: the visits of such places
//! then have an order (that of the code, with the iterations of the loops around them) in which
//! each lane passes them, and the first visit at which lanes wait in vain lacks a lane
//! that waits at an earlier one. SOUNDNESS: so one other place spoils all
//! (kernels/warp/mask-of-ballot-mixed-bug). A lane that is not in the mask that it names is
//! asked for elsewhere (`mask-excludes-self`).
//!
//! Not covered: masks that are computed from the result, branches on more than the predicate,
//! `__activemask`, whose lanes may be at different visits.

use std::collections::BTreeSet;

use duet_analysis::{Dominators, PostDominators, Uniformity};
use duet_ir::{
    BarrierScope, BinaryOp, Block, CastOp, ExchangeOp, Function, Inst, InstData, IntCc, Terminator,
    Value, ValueDef,
};

/// How deep two computations are compared.
const DEPTH: usize = 8;

/// Does every barrier and exchange of a warp find the lanes of its mask there?
pub(super) fn all_are_led(
    func: &Function,
    dominators: &Dominators,
    uniformity: &Uniformity,
) -> bool {
    let ways = Ways { func, uniformity, ends: PostDominators::new(func, dominators) };
    func.insts_with_blocks().all(|(block, inst)| ways.lanes_meet(block, inst))
}

/// The ways through a function.
struct Ways<'a> {
    func: &'a Function,
    uniformity: &'a Uniformity,
    ends: PostDominators,
}

/// Where the lanes of a mask come from.
#[derive(Clone, Copy)]
struct Source {
    block: Block,
    inst: Inst,
    /// What holds for the lanes of the result, for a ballot.
    predicate: Option<Value>,
}

impl Ways<'_> {
    fn lanes_meet(&self, block: Block, inst: Inst) -> bool {
        let Some(mask) = self.func.insts[inst].lane_mask() else { return true };
        self.all_come_by(block, mask)
            || self.source(mask).is_some_and(|source| self.leads(source, block, inst))
    }

    /// Do all lanes come to the block, with one value of the mask?
    fn all_come_by(&self, block: Block, mask: Value) -> bool {
        let scope = BarrierScope::Warp;
        !self.uniformity.may_be_divergent_block(block, scope)
            && !self.uniformity.may_be_divergent_at(mask, block, scope)
    }

    /// The ballot or match whose result a mask is, if all lanes come by there.
    fn source(&self, mask: Value) -> Option<Source> {
        let ValueDef::Result(inst, 0) = self.func.values[mask] else { return None };
        let InstData::Exchange { op, mask: Some(own), args, .. } = &self.func.insts[inst] else {
            return None;
        };
        let predicate = match op {
            ExchangeOp::Ballot => Some(args[0]),
            ExchangeOp::MatchAny => None,
            ExchangeOp::ShuffleIndex
            | ExchangeOp::ShuffleUp
            | ExchangeOp::ShuffleDown
            | ExchangeOp::ShuffleXor
            | ExchangeOp::VoteAll
            | ExchangeOp::VoteAny
            | ExchangeOp::VoteUniform
            | ExchangeOp::MatchAll
            | ExchangeOp::ActiveMask
            | ExchangeOp::ReduceAdd
            | ExchangeOp::ReduceSMin
            | ExchangeOp::ReduceSMax
            | ExchangeOp::ReduceUMin
            | ExchangeOp::ReduceUMax
            | ExchangeOp::ReduceAnd
            | ExchangeOp::ReduceOr
            | ExchangeOp::ReduceXor => return None,
        };
        let block = self.func.block_of(inst)?;
        self.all_come_by(block, *own).then_some(Source { block, inst, predicate })
    }

    /// Do the lanes of the source's result all come to the same visits of a place?
    fn leads(&self, source: Source, block: Block, inst: Inst) -> bool {
        if block == source.block {
            // The result is used behind its definition, with no branch in between.
            return true;
        }
        let between = self.between(source, block);
        let mut branches = between.iter().chain([&source.block]);
        debug_assert_ne!(source.inst, inst);
        branches.all(|&branch| self.keeps_together(source, block, branch, &between))
    }

    /// The blocks on ways from the source to the place that do not pass the source again.
    fn between(&self, source: Source, place: Block) -> BTreeSet<Block> {
        let forward = reach(self.followed(source, source.block), |block| match block {
            _ if block == source.block => vec![],
            _ => self.followed(source, block),
        });
        let before = self.func.predecessors();
        let backward = reach(vec![place], |block| match block {
            _ if block == source.block => vec![],
            _ => before[block].clone(),
        });
        let both = forward.intersection(&backward).copied();
        both.filter(|&block| block != source.block).collect()
    }

    /// Do the lanes go the same way at the end of a block, as far as it matters to the place?
    fn keeps_together(
        &self,
        source: Source,
        place: Block,
        branch: Block,
        between: &BTreeSet<Block>,
    ) -> bool {
        let followed: BTreeSet<Block> = self.followed(source, branch).into_iter().collect();
        if followed.len() <= 1
            || !self.uniformity.may_be_divergent_branch(branch, BarrierScope::Warp)
        {
            return true;
        }
        let Some(meeting) = self.ends.immediate(branch) else { return false };
        // SOUNDNESS: the place must not be on one of the ways (kernels/warp/mask-of-ballot-loop-bug).
        let apart = reach(followed.into_iter().collect(), |block| match block {
            _ if block == meeting => vec![],
            _ => self.func.successors(block).collect(),
        });
        let inside = |block: Block| block != meeting && apart.contains(&block);
        between.contains(&meeting) && !inside(place) && !inside(source.block) && !inside(branch)
    }

    /// The blocks to which lanes of the source's result go from a block. SOUNDNESS: those for
    /// which the predicate does not hold are elsewhere (kernels/warp/mask-of-ballot-other-side-bug).
    fn followed(&self, source: Source, block: Block) -> Vec<Block> {
        if let Terminator::Branch { cond, then, otherwise } = &self.func.blocks[block].terminator
            && let Some(predicate) = source.predicate
            && let Some(agrees) = self.agree(predicate, *cond)
        {
            return vec![if agrees { then.block } else { otherwise.block }];
        }
        self.func.successors(block).collect()
    }

    /// Is a value the predicate (`true`), or its negation (`false`)?
    fn agree(&self, predicate: Value, cond: Value) -> Option<bool> {
        let ((one, holds), (other, also)) = (self.truth(predicate), self.truth(cond));
        self.is_same(one, other, DEPTH).then_some(holds == also)
    }

    /// A value that is not zero if and only if the given one is (`true`) or is not (`false`).
    fn truth(&self, value: Value) -> (Value, bool) {
        let is_zero = |value: Value| self.func.const_bits(value) == Some(0);
        match self.inst_of(value) {
            Some(InstData::Cast { op: CastOp::ZExt | CastOp::SExt, arg, .. }) => self.truth(*arg),
            Some(InstData::IntCompare { cc: IntCc::Ne, args }) if is_zero(args[1]) => {
                self.truth(args[0])
            }
            Some(InstData::IntCompare { cc: IntCc::Eq, args }) if is_zero(args[1]) => {
                let (value, holds) = self.truth(args[0]);
                (value, !holds)
            }
            _ => (value, true),
        }
    }

    /// Are two values the same at one visit, because they are computed alike?
    ///
    /// SOUNDNESS: what a load or a division by zero yields may differ from time to time
    /// (kernels/warp/mask-of-ballot-reloaded-bug).
    fn is_same(&self, one: Value, other: Value, depth: usize) -> bool {
        let constants = (self.func.const_of(one), self.func.const_of(other));
        if one == other {
            return true;
        }
        if self.func.type_of(one) != self.func.type_of(other) || depth == 0 {
            return false;
        }
        if let (Some(a), Some(b)) = constants {
            return a == b;
        }
        let same = |a: Value, b: Value| self.is_same(a, b, depth - 1);
        use InstData::{Binary, Cast, Geometry, IntCompare};
        match (self.inst_of(one), self.inst_of(other)) {
            (Some(Binary { op: a, args: x, .. }), Some(Binary { op: b, args: y, .. })) => {
                a == b && is_total(*a) && same(x[0], y[0]) && same(x[1], y[1])
            }
            (Some(IntCompare { cc: a, args: x }), Some(IntCompare { cc: b, args: y })) => {
                a == b && same(x[0], y[0]) && same(x[1], y[1])
            }
            (Some(Cast { op: a, arg: x, .. }), Some(Cast { op: b, arg: y, .. })) => {
                a == b && matches!(a, CastOp::Trunc | CastOp::ZExt | CastOp::SExt) && same(*x, *y)
            }
            (Some(Geometry(a)), Some(Geometry(b))) => a == b,
            _ => false,
        }
    }

    fn inst_of(&self, value: Value) -> Option<&InstData> {
        match self.func.values[value] {
            ValueDef::Result(inst, _) => Some(&self.func.insts[inst]),
            ValueDef::BlockParam(..) | ValueDef::FunctionParam(_) | ValueDef::Const(_) => None,
        }
    }
}

/// Has the operation a result for all operands?
fn is_total(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Add | Sub | Mul | And | Or | Xor)
}

/// The blocks that are reached from some of them, these included.
fn reach(from: Vec<Block>, next: impl Fn(Block) -> Vec<Block>) -> BTreeSet<Block> {
    let mut reached = BTreeSet::new();
    let mut open = from;
    while let Some(block) = open.pop() {
        if reached.insert(block) {
            open.extend(next(block));
        }
    }
    reached
}
