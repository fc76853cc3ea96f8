//! What is known at a point of the walk: a list that grows along it, and shares its
//! beginning with the lists of earlier points.

use std::rc::Rc;

use duet_smt::TermId;

/// Something that is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    /// What.
    pub term: TermId,
    /// Only as long as this candidate is not refuted.
    pub if_live: Option<usize>,
}

/// What is known.
#[derive(Clone, Default)]
pub(crate) struct Known(Option<Rc<Node>>);

struct Node {
    fact: Fact,
    before: Option<Rc<Node>>,
}

impl Known {
    /// One fact more.
    pub fn push(&mut self, term: TermId, if_live: Option<usize>) {
        let before = self.0.take();
        self.0 = Some(Rc::new(Node { fact: Fact { term, if_live }, before }));
    }

    /// The facts, the latest first.
    pub fn iter(&self) -> impl Iterator<Item = Fact> + '_ {
        std::iter::successors(self.0.as_deref(), |node| node.before.as_deref())
            .map(|node| node.fact)
    }

    /// The terms that hold as long as these candidates do, the earliest first.
    pub fn terms(&self, is_live: impl Fn(usize) -> bool) -> Vec<TermId> {
        let live = self.iter().filter(|fact| fact.if_live.is_none_or(&is_live));
        let mut terms: Vec<TermId> = live.map(|fact| fact.term).collect();
        terms.reverse();
        terms
    }
}
