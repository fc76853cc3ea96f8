//! Cut loops: an arbitrary visit of a header, and the edges into it.

use duet_analysis::Loop;
use duet_ir::{Block, Inst, InstData, Type};
use duet_product::{Node, Successor};
use duet_smt::TermId;

use super::Encoder;
use crate::candidates::affine_steps;
use crate::ops;
use crate::walk::{HeaderEdge, HeaderTerm};

impl Encoder<'_> {
    /// An arbitrary visit of a header: unknown parameters under the invariants,
    /// and forgotten memory.
    pub(super) fn cut(&mut self, node: Node, id: Loop, initial: Vec<TermId>) {
        let block = self.region.nodes[node].block;
        let params = self.arbitrary_params(id, block, &initial);
        self.bind(block, &params);
        self.forget_written(node, id);
        let header = HeaderTerm {
            id,
            node,
            context: self.context(),
            initial,
            params: params.clone(),
            edges: vec![],
        };
        // SOUNDNESS: an invariant compares with the values on entry to the loop. Where
        // a back edge leads to the cut, those on arrival are of a later visit
        // (kernels/soundness/02-cut-after-passes).
        let entered = self.region.passed[self.context()] != Some(id);
        for candidate in self.invariants.of(id).to_vec() {
            if (entered || !candidate.is_about_entry())
                && let Some(holds) = self.candidate(&candidate, &header, &params)
            {
                self.assume(holds);
            }
        }
        self.walk.headers.push(header);
    }

    /// Parameters at an arbitrary visit. A counter with a constant step is its
    /// first value plus so many steps, exactly modulo its width.
    pub(super) fn arbitrary_params(
        &mut self,
        id: Loop,
        block: Block,
        initial: &[TermId],
    ) -> Vec<TermId> {
        let func = self.kernel.func;
        let steps = affine_steps(func, self.kernel.loops, id);
        let same_visit = (self.sharing.visit)(id);
        let count = self.symbol("visits", same_visit);
        let count = self.pool.bv_var(&count, 64);
        let mut params = vec![];
        for (index, &param) in func.blocks[block].params.iter().enumerate() {
            let ty = func.type_of(param);
            let step = steps.get(index).copied().flatten();
            let term = match (step, initial.get(index)) {
                (Some(step), Some(&first)) if ty.is_int() && ty != Type::BOOL => {
                    let width = ty.bits().expect("an integer");
                    let step = self.step_term(step);
                    let visits = self.pool.zext_or_trunc(count, width);
                    let distance = self.pool.bv_mul(visits, step);
                    self.pool.bv_add(first, distance)
                }
                _ => {
                    let shared = same_visit && (self.sharing.value)(param);
                    let name = self.symbol(&param.to_string(), shared);
                    self.pool.constant(&name, ops::sort_of(ty))
                }
            };
            params.push(term);
        }
        params
    }

    pub(crate) fn step_term(&mut self, step: crate::candidates::Step) -> TermId {
        let term = self.term(step.value);
        if step.negated { self.pool.bv_neg(term) } else { term }
    }

    /// Forgets what the loop may change, and all shared memory if it passes a
    /// barrier. SOUNDNESS: trap 20 is proved wrongly without this.
    pub(super) fn forget_written(&mut self, node: Node, id: Loop) {
        let written = self.kernel.uses.may_be_written_in(self.kernel.func, self.kernel.loops, id);
        for array in written {
            self.forget(node, array);
        }
        let passes_barrier = self.kernel.loops.data(id).blocks.iter().any(|&block| {
            self.kernel.func.blocks[block].insts.iter().any(|&inst| self.is_any_barrier(inst))
        });
        if passes_barrier {
            self.forget_shared(node);
        }
    }

    pub(super) fn is_any_barrier(&self, inst: Inst) -> bool {
        let data = &self.kernel.func.insts[inst];
        matches!(data, InstData::Barrier { .. } | InstData::BarrierReduce { .. })
    }

    /// Completes the edges into cut headers.
    pub(super) fn close_headers(&mut self) {
        let mut headers = std::mem::take(&mut self.walk.headers);
        for header in &mut headers {
            let entries = self.region.nodes[header.node].predecessors.clone();
            for (from, edge) in entries {
                self.add_header_edge(header, from, edge, false);
            }
            for &from in &self.region.order {
                for (edge, successor) in
                    self.region.nodes[from].successors.clone().into_iter().enumerate()
                {
                    if successor == Successor::Cut(header.node) {
                        self.add_header_edge(header, from, edge, true);
                    }
                }
            }
        }
        self.walk.headers = headers;
    }

    pub(super) fn add_header_edge(
        &mut self,
        header: &mut HeaderTerm,
        from: Node,
        edge: usize,
        is_back: bool,
    ) {
        let Some(&guard) = self.edges.get(&(from, edge)) else { return };
        let args = self.edge_args(from, edge);
        let claims = self
            .invariants
            .of(header.id)
            .to_vec()
            .into_iter()
            .map(|candidate| {
                let holds = self.candidate(&candidate, header, &args);
                (candidate, holds)
            })
            .collect();
        let at = Self::end_of(from);
        header.edges.push(HeaderEdge { is_back, at, guard, args, claims });
    }
}
