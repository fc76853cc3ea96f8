//! Loop invariants: candidates, and those that hold.
//!
//! A candidate speaks of a header's parameters, of their values on arrival, and
//! of values that the loop does not change. It is an invariant once it was shown
//! to hold on every edge into the header, assuming the invariants at all headers
//! ([`Invariants`]); until then nothing may rely on it.

use std::collections::HashMap;

use duet_analysis::{Loop, Loops};
use duet_ir::{
    AnnotationKind, BinaryOp, Block, Function, Inst, InstData, IntCc, Terminator, Type, Value,
    ValueDef,
};
use duet_smt::TermId;

use crate::encode::Encoder;
use crate::ops;
use crate::walk::HeaderTerm;

/// A statement about the parameters of a loop's header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// A parameter compared with its value on arrival.
    AgainstInitial {
        /// Number of the parameter.
        param: usize,
        /// How.
        cc: IntCc,
    },
    /// A parameter compared with a constant.
    AgainstConstant {
        /// Number of the parameter.
        param: usize,
        /// How.
        cc: IntCc,
        /// With what.
        bits: u128,
    },
    /// This is the first visit, or the header's test let the visit before pass:
    /// the test with every counter one step back.
    GuardBefore,
    /// A parameter has at most one bit set.
    PowerOfTwo {
        /// Number of the parameter.
        param: usize,
    },
    /// Written by the user at the loop's head.
    User {
        /// The annotation.
        inst: Inst,
    },
}

impl Candidate {
    /// Does it speak of the values on entry to the loop?
    pub fn is_about_entry(&self) -> bool {
        matches!(self, Candidate::AgainstInitial { .. } | Candidate::GuardBefore)
    }
}

/// The invariants of a kernel's loops.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    loops: HashMap<Loop, Vec<Candidate>>,
}

impl Invariants {
    /// Those of one loop.
    pub fn of(&self, id: Loop) -> &[Candidate] {
        self.loops.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Adds one.
    pub fn add(&mut self, id: Loop, candidate: Candidate) {
        self.loops.entry(id).or_default().push(candidate);
    }

    /// Removes one; was it there?
    pub fn remove(&mut self, id: Loop, candidate: &Candidate) -> bool {
        let Some(list) = self.loops.get_mut(&id) else { return false };
        let before = list.len();
        list.retain(|other| other != candidate);
        list.len() != before
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.loops.values().map(Vec::len).sum()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a counter grows by at each visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// A value that the loop does not change.
    pub value: Value,
    /// It is subtracted.
    pub negated: bool,
}

/// The step of each parameter of a header that is a counter: on every back edge
/// it is bound to itself plus (or minus) one value that the loop does not change.
pub fn affine_steps(func: &Function, loops: &Loops, id: Loop) -> Vec<Option<Step>> {
    let header = loops.data(id).header;
    func.blocks[header]
        .params
        .iter()
        .enumerate()
        .map(|(index, &param)| {
            let mut steps = back_edge_args(func, loops, id, index)
                .into_iter()
                .map(|arg| step_of(func, loops, id, param, arg));
            let first = steps.next()??;
            steps.all(|step| step == Some(first)).then_some(first)
        })
        .collect()
}

/// What the back edges bind a parameter to.
fn back_edge_args(func: &Function, loops: &Loops, id: Loop, index: usize) -> Vec<Value> {
    let data = loops.data(id);
    let mut args = vec![];
    for &latch in &data.blocks {
        for edge in func.blocks[latch].terminator.edges() {
            if edge.block == data.header {
                args.push(edge.args[index]);
            }
        }
    }
    args
}

fn step_of(func: &Function, loops: &Loops, id: Loop, param: Value, arg: Value) -> Option<Step> {
    let ValueDef::Result(inst, _) = func.values[arg] else { return None };
    let InstData::Binary { op, args: [a, b], .. } = &func.insts[inst] else { return None };
    let (value, negated) = match op {
        BinaryOp::Add if *a == param => (*b, false),
        BinaryOp::Add if *b == param => (*a, false),
        BinaryOp::Sub if *a == param => (*b, true),
        _ => return None,
    };
    is_invariant(func, loops, id, value).then_some(Step { value, negated })
}

/// Is the value computed outside the loop?
pub fn is_invariant(func: &Function, loops: &Loops, id: Loop, value: Value) -> bool {
    let block_of = |inst: Inst| {
        func.layout.iter().copied().find(|&block| func.blocks[block].insts.contains(&inst))
    };
    let inside = |block: Option<Block>| block.is_none_or(|block| loops.contains(id, block));
    match func.values[value] {
        ValueDef::Const(_) | ValueDef::FunctionParam(_) => true,
        ValueDef::BlockParam(block, _) => !inside(Some(block)),
        ValueDef::Result(inst, _) => !inside(block_of(inst)),
    }
}

/// The candidates for a loop.
pub fn candidates_for(func: &Function, loops: &Loops, id: Loop) -> Vec<Candidate> {
    let header = loops.data(id).header;
    let mut found = vec![Candidate::GuardBefore];
    for (param, &value) in func.blocks[header].params.iter().enumerate() {
        let ty = func.type_of(value);
        if !ty.is_int() || ty == Type::BOOL {
            continue;
        }
        for cc in [IntCc::Sge, IntCc::Sle, IntCc::Uge, IntCc::Ule] {
            found.push(Candidate::AgainstInitial { param, cc });
        }
        for (cc, bits) in [(IntCc::Sge, 0), (IntCc::Ne, 0), (IntCc::Sge, 1)] {
            found.push(Candidate::AgainstConstant { param, cc, bits });
        }
        if is_shifted(func, loops, id, param) {
            found.push(Candidate::PowerOfTwo { param });
        }
    }
    for &inst in &func.blocks[header].insts {
        let is_invariant = matches!(
            func.insts[inst],
            InstData::Annotation {
                kind: AnnotationKind::Invariant
                    | AnnotationKind::GlobalInvariant
                    | AnnotationKind::CandidateInvariant
                    | AnnotationKind::CandidateGlobalInvariant,
                ..
            }
        );
        if is_invariant {
            found.push(Candidate::User { inst });
        }
    }
    found
}

/// Is the parameter doubled or halved at a back edge?
fn is_shifted(func: &Function, loops: &Loops, id: Loop, param: usize) -> bool {
    back_edge_args(func, loops, id, param).into_iter().any(|arg| {
        let ValueDef::Result(inst, _) = func.values[arg] else { return false };
        matches!(
            func.insts[inst],
            InstData::Binary {
                op: BinaryOp::Shl
                    | BinaryOp::LShr
                    | BinaryOp::AShr
                    | BinaryOp::Mul
                    | BinaryOp::UDiv
                    | BinaryOp::SDiv,
                ..
            }
        )
    })
}

impl Encoder<'_> {
    /// The candidate for these parameters; `None` if it cannot be expressed.
    pub fn candidate(
        &mut self,
        candidate: &Candidate,
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<TermId> {
        let here = self.move_to(header.node);
        let term = self.candidate_here(candidate, header, params);
        self.move_to(here);
        term
    }

    fn candidate_here(
        &mut self,
        candidate: &Candidate,
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<TermId> {
        match candidate {
            Candidate::AgainstInitial { param, cc } => {
                let initial = *header.initial.get(*param)?;
                Some(ops::compare(self.pool(), *cc, params[*param], initial))
            }
            Candidate::AgainstConstant { param, cc, bits } => {
                let width = self.pool().width(params[*param]);
                let constant = self.pool().bv(width, *bits);
                Some(ops::compare(self.pool(), *cc, params[*param], constant))
            }
            Candidate::PowerOfTwo { param } => {
                let pool = self.pool();
                let width = pool.width(params[*param]);
                let (one, zero) = (pool.bv(width, 1), pool.bv(width, 0));
                let less = pool.bv_sub(params[*param], one);
                let both = pool.bv_and(params[*param], less);
                Some(pool.eq(both, zero))
            }
            Candidate::GuardBefore => self.guard_before(header, params),
            Candidate::User { inst } => {
                let kernel = self.kernel();
                let InstData::Annotation { args, .. } = &kernel.func.insts[*inst] else {
                    return None;
                };
                let cond = args[0];
                let terms = self.evaluate_header(header, params);
                match kernel.func.const_bits(cond) {
                    Some(bits) => Some(self.pool().bool(bits == 1)),
                    None => terms.get(&cond).copied(),
                }
            }
        }
    }

    fn guard_before(&mut self, header: &HeaderTerm, params: &[TermId]) -> Option<TermId> {
        let kernel = self.kernel();
        let data = kernel.loops.data(header.id);
        let Terminator::Branch { cond, then, otherwise } =
            &kernel.func.blocks[data.header].terminator
        else {
            return None;
        };
        let stays = |block| kernel.loops.contains(header.id, block);
        let positive = match (stays(then.block), stays(otherwise.block)) {
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        let steps = affine_steps(kernel.func, kernel.loops, header.id);
        let mut before = vec![];
        let mut first_visit = vec![];
        for (index, &param) in params.iter().enumerate() {
            match steps[index] {
                Some(step) => {
                    let step = self.step_term(step);
                    before.push(self.pool().bv_sub(param, step));
                    let initial = *header.initial.get(index)?;
                    first_visit.push(self.pool().eq(param, initial));
                }
                // Any value: a test that depends on it is not expressible.
                None => {
                    let sort = self.pool().sort(param);
                    before.push(self.pool().fresh("before", sort));
                }
            }
        }
        let uncertain: Vec<TermId> = before
            .iter()
            .zip(&steps)
            .filter(|(_, step)| step.is_none())
            .map(|(&term, _)| term)
            .collect();
        let held = *self.evaluate_header(header, &before).get(cond)?;
        if self.mentions(held, &uncertain) || first_visit.is_empty() {
            return None;
        }
        let held = if positive { held } else { self.pool().not(held) };
        let first = self.pool().and(&first_visit);
        Some(self.pool().or2(first, held))
    }

    fn mentions(&mut self, term: TermId, symbols: &[TermId]) -> bool {
        self.pool().reachable(&[term]).iter().any(|sub| symbols.contains(sub))
    }
}
