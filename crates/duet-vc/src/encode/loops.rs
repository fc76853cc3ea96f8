//! Cut loops: an arbitrary visit of a header, what is known of it, and the edges
//! into it.

use duet_analysis::{ClosedForm, Loop};
use duet_ir::{Block, Inst, Type};
use duet_product::{Context, Node, Successor};
use duet_smt::{Sort, TermId};

use super::{Encoder, Visits};
use crate::invariant_values::LoopView;
use crate::ops;
use crate::statement::Candidate;
use crate::symbols::Origin;
use crate::walk::{HeaderEdge, HeaderTerm};

impl Encoder<'_> {
    /// An arbitrary visit of a header: unknown parameters under the invariants,
    /// and forgotten memory.
    pub(super) fn cut(&mut self, node: Node, id: Loop, initial: Vec<TermId>) {
        let block = self.region.nodes[node].block;
        let mut header = HeaderTerm {
            id,
            node,
            context: self.context(),
            initial,
            params: vec![],
            visits: self.visits(id),
            edges: vec![],
        };
        header.params = self.arbitrary_params(&header, block);
        self.bind(block, &header.params);
        self.forget_written(node, id);
        self.entered_with.insert((id, header.context), (header.initial.clone(), header.visits));
        // SOUNDNESS: an invariant compares with the values on entry to the loop. Where
        // a back edge leads to the cut, those on arrival are of a later visit
        // (kernels/soundness/02-cut-after-passes).
        let entered = self.region.passed[self.context()] != Some(id);
        for (position, candidate) in self.invariants.of(id).to_vec().into_iter().enumerate() {
            if (entered || !candidate.expr.is_about_entry())
                && let Some(holds) = self.candidate(&candidate, &header, &header.params)
            {
                self.assume_invariant(holds, id, position);
            }
        }
        self.walk.headers.push(header);
    }

    /// Notes what the invariants say of a visit of a header that is not cut, and
    /// assumes it if that is asked for.
    pub(super) fn note_visit(&mut self, node: Node, params: Vec<TermId>) {
        let Some(id) = self.kernel.loops.headed_by(self.region.nodes[node].block) else { return };
        let context = self.context();
        let is_back = self.region.passed[context] == Some(id);
        let before = self.region.parents[context].filter(|_| is_back);
        let (initial, visits) = match before.and_then(|outer| self.entry_of(id, outer)) {
            Some((initial, visits)) => (initial, self.one_more(visits)),
            None => (params.clone(), self.pool.bv(64, 0)),
        };
        self.entered_with.insert((id, context), (initial.clone(), visits));
        let mut header = HeaderTerm { id, node, context, initial, params, visits, edges: vec![] };
        let claims = self.claims(&header, &header.params, visits);
        let (at, guard, args) = (self.point(), self.walk.reach[&node], header.params.clone());
        if self.visits_are == Visits::NotedThenAssumed {
            for (position, (_, holds)) in claims.iter().enumerate() {
                holds.iter().for_each(|&holds| self.assume_invariant(holds, id, position));
            }
        }
        header.edges.push(HeaderEdge { is_back, at, guard, args, claims });
        self.walk.visits.push(header);
    }

    /// What the loop was entered with and how many visits came before, as of the last
    /// visit of its header on the way to a context.
    fn entry_of(&self, id: Loop, context: Context) -> Option<(Vec<TermId>, TermId)> {
        let mut at = Some(context);
        while let Some(context) = at {
            if let Some(entry) = self.entered_with.get(&(id, context)) {
                return Some(entry.clone());
            }
            at = self.region.parents[context];
        }
        None
    }

    fn one_more(&mut self, visits: TermId) -> TermId {
        let one = self.pool.bv(64, 1);
        self.pool.bv_add(visits, one)
    }

    /// What the invariants of a header say of these parameters, so many visits after
    /// the first.
    fn claims(
        &mut self,
        header: &HeaderTerm,
        params: &[TermId],
        visits: TermId,
    ) -> Vec<(Candidate, Option<TermId>)> {
        self.visits_on_edge = Some(visits);
        let mut claims = vec![];
        for candidate in self.invariants.of(header.id).to_vec() {
            let holds = self.candidate(&candidate, header, params);
            claims.push((candidate, holds));
        }
        self.visits_on_edge = None;
        claims
    }

    /// The loop of a header.
    pub(super) fn view(&self, id: Loop) -> LoopView<'_> {
        LoopView { facts: self.kernel.facts, id }
    }

    /// Parameters at an arbitrary visit: by their closed form if they have one,
    /// else unknown. The count of visits since the arrival is one symbol for all.
    fn arbitrary_params(&mut self, header: &HeaderTerm, block: Block) -> Vec<TermId> {
        let func = self.kernel.func;
        let same_visit = (self.sharing.visit)(header.id);
        let mut params = vec![];
        for (index, &param) in func.blocks[block].params.iter().enumerate() {
            let form = self.kernel.forms.get(param).cloned();
            let term = form.and_then(|form| self.by_closed_form(header, index, &form));
            params.push(match term {
                Some(term) => term,
                None => {
                    let shared = same_visit && (self.sharing.value)(param);
                    let name = self.symbol(&param.to_string(), shared);
                    let term = self.pool.constant(&name, ops::sort_of(func.type_of(param)));
                    self.note(term, Origin::Value(param), shared)
                }
            });
        }
        params
    }

    /// How often the header was reached again since the arrival, modulo 2^64.
    pub(super) fn visits(&mut self, id: Loop) -> TermId {
        let same_visit = (self.sharing.visit)(id);
        let name = self.symbol(&format!("visits:{id}"), same_visit);
        let visits = self.pool.bv_var(&name, 64);
        self.note(visits, Origin::Visits(id), same_visit)
    }

    /// A parameter that has a closed form. All forms are exact modulo the width;
    /// the count may be taken modulo 2^64, since no form depends on more of it than
    /// its low bits. (Shifts do: they are left to invariants.)
    fn by_closed_form(
        &mut self,
        header: &HeaderTerm,
        index: usize,
        form: &ClosedForm,
    ) -> Option<TermId> {
        let block = self.region.nodes[header.node].block;
        let ty = self.kernel.func.type_of(self.kernel.func.blocks[block].params[index]);
        let first = *header.initial.get(index)?;
        let counts = ty.is_int() && ty != Type::BOOL;
        match form {
            ClosedForm::Unchanged => Some(first),
            ClosedForm::Affine { step } if counts => {
                let step = self.sum_term(header, step)?;
                let visits = self.visits(header.id);
                let visits = self.pool.zext_or_trunc(visits, ty.bits()?);
                let distance = self.pool.bv_mul(visits, step);
                Some(self.pool.bv_add(first, distance))
            }
            ClosedForm::Reflects { sum } if counts => {
                let sum = self.sum_term(header, sum)?;
                let other = self.pool.bv_sub(sum, first);
                Some(self.at_odd_visits(header.id, other, first))
            }
            ClosedForm::Flips { mask } if counts => {
                let mask = self.sum_term(header, mask)?;
                let other = self.pool.bv_xor(first, mask);
                Some(self.at_odd_visits(header.id, other, first))
            }
            ClosedForm::Swaps { with } => {
                let other = self.view(header.id).param_number(*with)?;
                let other = *header.initial.get(other)?;
                Some(self.at_odd_visits(header.id, other, first))
            }
            ClosedForm::Settles { to } => {
                let later = self.sum_term(header, to)?;
                Some(self.at_first_visit(header.id, first, later))
            }
            ClosedForm::Affine { .. }
            | ClosedForm::ShiftLeft { .. }
            | ClosedForm::ShiftRight { .. }
            | ClosedForm::Reflects { .. }
            | ClosedForm::Flips { .. }
            | ClosedForm::Follows { .. } => None,
        }
    }

    fn at_odd_visits(&mut self, id: Loop, odd: TermId, even: TermId) -> TermId {
        let visits = self.visits(id);
        let low = self.pool.extract(0, 0, visits);
        let one = self.pool.bv(1, 1);
        let is_odd = self.pool.eq(low, one);
        self.pool.ite(is_odd, odd, even)
    }

    fn at_first_visit(&mut self, id: Loop, first: TermId, later: TermId) -> TermId {
        let same_visit = (self.sharing.visit)(id);
        let name = self.symbol(&format!("first:{id}"), same_visit);
        let is_first = self.pool.constant(&name, Sort::Bool);
        let is_first = self.note(is_first, Origin::Visits(id), same_visit);
        self.pool.ite(is_first, first, later)
    }

    fn sum_term(&mut self, header: &HeaderTerm, sum: &duet_analysis::Linear) -> Option<TermId> {
        let expr = self.view(header.id).sum(sum)?;
        // Of the parameters only those occur that keep their first value.
        self.expr(&expr, header, &header.initial)
    }

    /// Forgets what the loop may change, and all shared memory if it passes a
    /// barrier. SOUNDNESS: kernels/traps/20-loop-changes-memory is proved without this.
    fn forget_written(&mut self, node: Node, id: Loop) {
        let written = self.kernel.uses.may_be_written_in(self.kernel.func, &self.kernel.loops, id);
        for array in written {
            self.forget(node, array);
        }
        let passes_barrier = self.kernel.loops.data(id).blocks.iter().any(|&block| {
            self.kernel.func.blocks[block].insts.iter().any(|&inst| self.is_any_barrier(inst))
        });
        if passes_barrier {
            self.forget_shared(node);
        }
        self.forget_cells_of_loop(node, id);
    }

    fn is_any_barrier(&self, inst: Inst) -> bool {
        self.kernel.func.insts[inst].barrier_scope().is_some()
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

    fn add_header_edge(&mut self, header: &mut HeaderTerm, from: Node, edge: usize, is_back: bool) {
        let Some(&guard) = self.edges.get(&(from, edge)) else { return };
        let args = self.edge_args(from, edge);
        // SOUNDNESS: what is claimed of an edge is about the visit that it leads to: the
        // first one, or one more than the header stands for
        // (kernels/soundness/24-visits-of-an-edge).
        let next = match is_back {
            true => {
                let before = self.entry_of(header.id, self.region.nodes[from].context);
                self.one_more(before.map_or(header.visits, |(_, visits)| visits))
            }
            false => self.pool.bv(64, 0),
        };
        let claims = self.claims(header, &args, next);
        let at = Self::end_of(from);
        header.edges.push(HeaderEdge { is_back, at, guard, args, claims });
    }
}
