//! Cut loops: an arbitrary visit of a header, what is known of it, and the edges
//! into it.

use std::collections::HashMap;

use duet_analysis::{ClosedForm, Loop};
use duet_ir::{Block, Type};
use duet_product::{Context, Node, Successor};
use duet_smt::{TermId, TermPool};

use super::accesses::MemoryView;
use super::values::Values;
use super::{Edges, Visits};
use crate::memory::Memory;
use crate::ops;
use crate::statement::{Candidate, Invariants};
use crate::symbols::Origin;
use crate::walk::{HeaderEdge, HeaderTerm};

/// The headers of loops on a walk, and what the invariants say of them.
pub(super) struct Headers<'a> {
    invariants: &'a Invariants,
    /// The count of visits that an edge into a header leads to, while statements
    /// about that edge are made.
    pub(super) visits_on_edge: Option<TermId>,
    /// What is done about visits of headers that are not cut.
    pub visits_are: Visits,
    /// What headers were first entered with, and how many visits came before, by the
    /// iteration.
    entered_with: HashMap<(Loop, Context), (Vec<TermId>, TermId)>,
}

impl<'a> Headers<'a> {
    /// No header visited yet.
    pub(super) fn new(invariants: &'a Invariants) -> Headers<'a> {
        let visits_are = Visits::Ignored;
        Headers { invariants, visits_on_edge: None, visits_are, entered_with: HashMap::new() }
    }

    /// An arbitrary visit of a header: unknown parameters under the invariants,
    /// and forgotten memory.
    pub(super) fn cut(
        &mut self,
        values: &mut Values,
        memory: &mut MemoryView,
        node: Node,
        id: Loop,
        initial: Vec<TermId>,
    ) {
        let block = values.region.nodes[node].block;
        let mut header = HeaderTerm {
            id,
            node,
            context: values.context(),
            initial,
            params: vec![],
            visits: values.visits(id),
            edges: vec![],
            memory: Memory::default(),
        };
        header.params = self.arbitrary_params(values, &header, block);
        values.bind(block, &header.params);
        memory.forget_loop(values, node, id);
        header.memory = memory.memory[&node].clone();
        self.state_shifts(values, &header);
        self.entered_with.insert((id, header.context), (header.initial.clone(), header.visits));
        // SOUNDNESS: an invariant compares with the values on entry to the loop. Where
        // a back edge leads to the cut, those on arrival are of a later visit
        // (kernels/soundness/02-cut-after-passes).
        let entered = values.region.passed[values.context()] != Some(id);
        for (position, candidate) in self.invariants.of(id).to_vec().into_iter().enumerate() {
            if (entered || !candidate.expr.is_about_entry())
                && let Some(holds) = self.candidate(values, &candidate, &header, &header.params)
            {
                values.assume_invariant(holds, id, position);
            }
        }
        values.walk.headers.push(header);
    }

    /// Notes what the invariants say of a visit of a header that is not cut, and
    /// assumes it if that is asked for.
    pub(super) fn note_visit(&mut self, values: &mut Values, node: Node, params: Vec<TermId>) {
        let Some(id) = values.kernel.loops.headed_by(values.region.nodes[node].block) else {
            return;
        };
        let context = values.context();
        let is_back = values.region.passed[context] == Some(id);
        let before = values.region.parents[context].filter(|_| is_back);
        let (initial, visits) = match before.and_then(|outer| self.entry_of(values, id, outer)) {
            Some((initial, visits)) => (initial, one_more(values.pool, visits)),
            None => (params.clone(), values.pool.bv(64, 0)),
        };
        self.entered_with.insert((id, context), (initial.clone(), visits));
        let mut header = HeaderTerm {
            id,
            node,
            context,
            initial,
            params,
            visits,
            edges: vec![],
            memory: Memory::default(),
        };
        let claims = self.claims(values, &header, &header.params, visits);
        let (at, guard, args) = (values.point(), values.walk.reach[&node], header.params.clone());
        if self.visits_are == Visits::NotedThenAssumed {
            for (position, (_, holds)) in claims.iter().enumerate() {
                holds.iter().for_each(|&holds| values.assume_invariant(holds, id, position));
            }
        }
        header.edges.push(HeaderEdge { is_back, at, guard, args, claims });
        values.walk.visits.push(header);
    }

    /// What the loop was entered with and how many visits came before, as of the last
    /// visit of its header on the way to a context.
    fn entry_of(
        &self,
        values: &Values,
        id: Loop,
        context: Context,
    ) -> Option<(Vec<TermId>, TermId)> {
        let mut at = Some(context);
        while let Some(context) = at {
            if let Some(entry) = self.entered_with.get(&(id, context)) {
                return Some(entry.clone());
            }
            at = values.region.parents[context];
        }
        None
    }

    /// What the invariants of a header say of these parameters, so many visits after
    /// the first.
    fn claims(
        &mut self,
        values: &mut Values,
        header: &HeaderTerm,
        params: &[TermId],
        visits: TermId,
    ) -> Vec<(Candidate, Option<TermId>)> {
        self.visits_on_edge = Some(visits);
        let mut claims = vec![];
        for candidate in self.invariants.of(header.id).to_vec() {
            let holds = self.candidate(values, &candidate, header, params);
            claims.push((candidate, holds));
        }
        self.visits_on_edge = None;
        claims
    }

    /// Parameters at an arbitrary visit: by their closed form if they have one,
    /// else unknown. The count of visits since the arrival is one symbol for all.
    fn arbitrary_params(
        &mut self,
        values: &mut Values,
        header: &HeaderTerm,
        block: Block,
    ) -> Vec<TermId> {
        let func = values.kernel.func;
        let same_visit = (values.sharing.visit)(header.id);
        let mut params = vec![];
        for (index, &param) in func.blocks[block].params.iter().enumerate() {
            let form = values.kernel.forms.get(param).cloned();
            let term = form.and_then(|form| self.by_closed_form(values, header, index, &form));
            params.push(match term {
                Some(term) => term,
                None => {
                    let shared = same_visit && (values.sharing.value)(param);
                    let name = values.symbol(&param.to_string(), shared);
                    let term = values.pool.constant(&name, ops::sort_of(func.type_of(param)));
                    values.note(term, Origin::Value(param), shared)
                }
            });
        }
        params
    }

    /// A parameter that has a closed form. All forms are exact modulo the width;
    /// the count may be taken modulo 2^64, since no form depends on more of it than
    /// its low bits. (Shifts do: see [`super::shifts`].)
    fn by_closed_form(
        &mut self,
        values: &mut Values,
        header: &HeaderTerm,
        index: usize,
        form: &ClosedForm,
    ) -> Option<TermId> {
        let block = values.region.nodes[header.node].block;
        let ty = values.kernel.func.type_of(values.kernel.func.blocks[block].params[index]);
        let first = *header.initial.get(index)?;
        let counts = ty.is_int() && ty != Type::BOOL;
        match form {
            ClosedForm::Unchanged => Some(first),
            ClosedForm::Affine { step } if counts => {
                let step = self.sum_term(values, header, step)?;
                let visits = values.visits(header.id);
                let visits = values.pool.bits().zext_or_trunc(visits, ty.bits()?);
                let distance = values.pool.bits().mul(visits, step);
                Some(values.pool.bits().add(first, distance))
            }
            ClosedForm::Reflects { sum } if counts => {
                let sum = self.sum_term(values, header, sum)?;
                let other = values.pool.bits().sub(sum, first);
                Some(values.at_odd_visits(header.id, other, first))
            }
            ClosedForm::Flips { mask } if counts => {
                let mask = self.sum_term(values, header, mask)?;
                let other = values.pool.bits().xor(first, mask);
                Some(values.at_odd_visits(header.id, other, first))
            }
            ClosedForm::Swaps { with } => {
                let other = values.view(header.id).param_number(*with)?;
                let other = *header.initial.get(other)?;
                Some(values.at_odd_visits(header.id, other, first))
            }
            ClosedForm::Settles { to } => {
                let later = self.sum_term(values, header, to)?;
                Some(values.at_first_visit(header.id, first, later))
            }
            ClosedForm::Affine { .. }
            | ClosedForm::ShiftLeft { .. }
            | ClosedForm::ShiftRight { .. }
            | ClosedForm::Reflects { .. }
            | ClosedForm::Flips { .. }
            | ClosedForm::Follows { .. } => None,
        }
    }

    pub(super) fn sum_term(
        &mut self,
        values: &mut Values,
        header: &HeaderTerm,
        sum: &duet_analysis::Linear,
    ) -> Option<TermId> {
        let expr = values.view(header.id).sum(sum)?;
        // Of the parameters only those occur that keep their first value.
        self.expr(values, &expr, header, &header.initial)
    }

    /// Completes the edges into cut headers.
    pub(super) fn close_headers(&mut self, values: &mut Values, edges: &Edges) {
        let mut headers = std::mem::take(&mut values.walk.headers);
        for header in &mut headers {
            let entries = values.region.nodes[header.node].predecessors.clone();
            for (from, edge) in entries {
                self.add_header_edge(values, edges, header, from, edge, false);
            }
            for &from in &values.region.order {
                for (edge, successor) in
                    values.region.nodes[from].successors.clone().into_iter().enumerate()
                {
                    if successor == Successor::Cut(header.node) {
                        self.add_header_edge(values, edges, header, from, edge, true);
                    }
                }
            }
        }
        values.walk.headers = headers;
    }

    fn add_header_edge(
        &mut self,
        values: &mut Values,
        edges: &Edges,
        header: &mut HeaderTerm,
        from: Node,
        edge: usize,
        is_back: bool,
    ) {
        let Some(&guard) = edges.get(&(from, edge)) else { return };
        let args = values.edge_args(from, edge);
        // SOUNDNESS: what is claimed of an edge is about the visit that it leads to: the
        // first one, or one more than the header stands for
        // (kernels/soundness/24-visits-of-an-edge).
        let next = match is_back {
            true => {
                let before = self.entry_of(values, header.id, values.region.nodes[from].context);
                one_more(values.pool, before.map_or(header.visits, |(_, visits)| visits))
            }
            false => values.pool.bv(64, 0),
        };
        let claims = self.claims(values, header, &args, next);
        let at = Values::end_of(from);
        header.edges.push(HeaderEdge { is_back, at, guard, args, claims });
    }
}

/// The count of visits after one more.
fn one_more(pool: &mut TermPool, visits: TermId) -> TermId {
    let one = pool.bv(64, 1);
    pool.bits().add(visits, one)
}
