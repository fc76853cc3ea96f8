//! Who writes a cell: the index of a store is inverted, and what makes the guess right is
//! proved: the thread is in the launch, gets to the store at those counts of loops, its index
//! is the cell, and no thread writes the cell later.

use std::collections::BTreeMap;

use duet_analysis::Loop;
use duet_ask::Effort;
use duet_ir::Array;
use duet_parametric::writer::{Digit, Sought, inverses};
use duet_smt::solver::SolverError;
use duet_smt::{Op, Sort, TermId, TermPool};
use duet_vc::SiteTerm;

use super::Prover;
use super::equations::{limit_of_quotient, settled};
use super::loops::cuts::{Piece, may_precede};
use super::stated_writers::StatedWriters;
use super::walked::Instance;

/// Proposals that are looked at for one store.
const PROPOSALS: usize = 3;

/// A store that leaves its value in a cell, under a condition.
pub struct Written {
    /// The thread at its counts.
    pub instance: Instance,
    /// The store.
    pub site: SiteTerm,
    /// What must hold for it; empty if that is proved.
    pub when: Vec<TermId>,
    /// What is known then.
    pub known: Vec<TermId>,
    /// The values of the ids and counts, for people.
    pub values: Vec<(TermId, TermId)>,
    /// That the store is to the cell is no condition.
    is_exact: bool,
}

/// Which writers are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Those that need no condition.
    Unconditional,
    /// All.
    Any,
}

/// A cell, and who may have written it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The array.
    pub array: Array,
    /// The byte offset.
    pub offset: TermId,
    /// Only this block.
    pub block: Option<[TermId; 3]>,
    /// Only in this piece; else at any time.
    pub piece: Option<Piece>,
}

impl Place {
    /// The count of a loop, if the piece says it.
    pub fn count_of(&self, id: Loop) -> Option<TermId> {
        let counts = self.piece.as_ref().map(|piece| &piece.counts)?;
        counts.iter().find(|(own, _)| *own == id).map(|one| one.1)
    }
}

/// A quotient and its remainder as digits, with what is known of them.
pub type Digits = ((TermId, TermId), Vec<TermId>);

/// Unknowns with their values, and what was found out on the way.
type Solved = (Vec<(TermId, TermId)>, Vec<TermId>);

impl Prover<'_, '_> {
    /// The stores that leave their value in a cell, the latest first; the first that needs
    /// no further condition is the last.
    pub fn writers(
        &mut self,
        place: &Place,
        hypotheses: &[TermId],
    ) -> Result<Vec<Written>, SolverError> {
        let mut found = vec![];
        let stores = self.stores(place);
        let facts = settled(&mut self.walked.walker.pool, hypotheses);
        let last = stores.len().saturating_sub(1);
        for (number, site) in stores.into_iter().enumerate() {
            // A store that never is to the cell costs less so than its proposals do, each of
            // which may hold under a condition.
            if number < last && !self.may_write(place, &site, &facts, Effort::Moment)? {
                continue;
            }
            let Some(written) = self.writer_by(place, &site, hypotheses)? else { continue };
            let is_certain = written.when.is_empty();
            found.push(written);
            if is_certain {
                return Ok(found);
            }
        }
        Ok(found)
    }

    /// The thread that leaves its value in a cell by a store: by a proposal that needs no
    /// condition, else by the first whose store is to the cell for certain, else by any.
    fn writer_by(
        &mut self,
        place: &Place,
        site: &SiteTerm,
        hypotheses: &[TermId],
    ) -> Result<Option<Written>, SolverError> {
        let mut proposals = self.proposals(place, site, hypotheses);
        proposals.truncate(PROPOSALS);
        if proposals.len() > 1 {
            for proposal in &proposals {
                let wanted = Wanted::Unconditional;
                let found = self.written(place, site, proposal.clone(), hypotheses, wanted)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        let mut loose = None;
        for proposal in proposals {
            let found = self.written(place, site, proposal, hypotheses, Wanted::Any)?;
            match found {
                Some(written) if written.is_exact => return Ok(Some(written)),
                Some(written) => loose = loose.or(Some(written)),
                None => {}
            }
        }
        Ok(loose)
    }

    /// The stores to the array that come into question, the latest first.
    pub fn stores(&self, place: &Place) -> Vec<SiteTerm> {
        let (walk, facts) = (&self.walked.walk, self.walked.facts());
        let sites = walk.sites.iter().filter(|site| site.array == place.array && site.writes);
        let in_piece = |site: &&SiteTerm| {
            let Some(piece) = &place.piece else { return true };
            let block = facts.block_of(site.inst);
            block.is_none_or(|block| self.walked.cuts.is_in(facts, walk, piece, (site, block)))
        };
        let mut all: Vec<SiteTerm> = sites.filter(in_piece).cloned().collect();
        all.reverse();
        all
    }

    /// Values of the ids and counts at which the store's index may be the cell.
    pub fn proposals(
        &mut self,
        place: &Place,
        site: &SiteTerm,
        hypotheses: &[TermId],
    ) -> Vec<Vec<(TermId, TermId)>> {
        let mut formal = Instance::default();
        let ids: Vec<(TermId, TermId)> = match place.block {
            Some(_) => self.walked.ids(false),
            None => self.walked.ids(false).into_iter().chain(self.walked.ids(true)).collect(),
        };
        let mut unknowns: Vec<Digit> =
            ids.iter().map(|&(symbol, size)| Digit { symbol, below: Some(size) }).collect();
        for &(id, _) in &ids {
            formal.set(id, id);
        }
        let block = place.block.unwrap_or(self.walked.thread.block);
        self.walked.set_block(&mut formal, block);
        for id in self.walked.loops_around(site) {
            if let Some(count) = place.count_of(id) {
                self.walked.set_count(&mut formal, id, count);
                continue;
            }
            let count = self.formal_count(id);
            self.walked.set_count(&mut formal, id, count);
            unknowns.push(Digit { symbol: count, below: None });
        }
        let terms = self.walked.at(&mut formal, &[site.offset, site.guard]);
        let symbols: Vec<TermId> = unknowns.iter().map(|digit| digit.symbol).collect();
        let fixed = fixed(&self.walked.walker.pool, terms[1], &symbols);
        let known = known_digits(&self.walked.walker.pool, hypotheses);
        let sought = Sought {
            place: place.offset,
            offset: terms[0],
            unknowns: &unknowns,
            fixed: &fixed,
            known: &known,
        };
        let found = match self.steps.inversion {
            true => inverses(&mut self.walked.walker.pool, &sought),
            false => vec![],
        };
        let mut found: Vec<_> = found.into_iter().map(|inverse| inverse.values).collect();
        for stated in StatedWriters(self).stated_writers(place, hypotheses).into_iter().rev() {
            found.insert(0, stated);
        }
        // A thread that the guard names, if the cell is the one that it writes.
        let named = |symbol: &TermId| fixed.iter().find(|one| one.0 == *symbol).copied();
        let named: Vec<_> = symbols.iter().filter_map(named).collect();
        if found.is_empty() && named.len() == symbols.len() {
            found.push(named);
        }
        found
    }

    /// The symbol by which counts of a loop are sought.
    pub fn formal_count(&mut self, id: Loop) -> TermId {
        let name = format!("sought:{id:?}");
        self.walked.walker.pool.bv_var(&name, 32)
    }

    /// Is the proposal right, at least under a condition?
    pub fn written(
        &mut self,
        place: &Place,
        site: &SiteTerm,
        proposal: Vec<(TermId, TermId)>,
        hypotheses: &[TermId],
        wanted: Wanted,
    ) -> Result<Option<Written>, SolverError> {
        let is_enough = |when: &[TermId]| wanted == Wanted::Any || when.is_empty();
        let values = proposal.clone();
        let (proposal, digits) = self.without_division(proposal, hypotheses)?;
        let mut instance = Instance::default();
        instance.set_all(&proposal);
        let value_of: BTreeMap<TermId, TermId> = proposal.iter().copied().collect();
        let block = match place.block {
            Some(block) => block,
            None => self.walked.thread.block.map(|id| value_of.get(&id).copied().unwrap_or(id)),
        };
        self.walked.set_block(&mut instance, block);
        let mut counts = vec![];
        let mut together = vec![];
        for id in self.walked.loops_around(site) {
            // SOUNDNESS: some thread of the block is at these counts of aligned loops, so all
            // of its threads are (kernels/prove/traps/35-other-iteration).
            if let Some(count) = place.count_of(id) {
                self.walked.set_count(&mut instance, id, count);
                together.push((id, count));
                counts.push((id, count));
                continue;
            }
            let symbol = self.formal_count(id);
            let count = value_of.get(&symbol).copied().unwrap_or(symbol);
            self.walked.set_count(&mut instance, id, count);
            counts.push((id, count));
        }
        // SOUNDNESS: the facts so far are about the place alone; what the thread itself is
        // known to do comes only after it was shown to be one of the launch
        // (kernels/prove/traps/05-too-few-threads).
        let mut known: Vec<TermId> = hypotheses.iter().copied().chain(digits).collect();
        let mut when = vec![];
        let launch = self.walked.in_launch(&mut instance);
        for part in launch {
            self.require(part, &mut known, &mut when, "the thread is in the launch")?;
            if !is_enough(&when) {
                return Ok(None);
            }
        }
        known.extend(self.done_facts(site, &mut instance, None));
        for &(id, count) in &together {
            known.extend(self.counter_facts(&mut instance, id, count));
            known.extend(self.done_facts(site, &mut instance, Some(id)));
        }
        let offset = self.walked.one_at(&mut instance, site.offset);
        let same = self.walked.walker.pool.eq(offset, place.offset);
        let before = when.len();
        self.require(same, &mut known, &mut when, "the store is to the cell")?;
        let is_exact = when.len() == before;
        if !is_enough(&when) {
            return Ok(None);
        }
        let mut open = vec![];
        let own = counts.iter().filter(|one| !together.contains(one));
        for &(id, count) in own {
            if !open.is_empty() || !self.is_visited(&mut instance, id, count, &known)? {
                open.push((id, count));
                continue;
            }
            // The loop may not be reached at all: then nothing is known of it.
            let reach = self.reaches(&mut instance, id);
            for fact in self.counter_facts(&mut instance, id, count) {
                known.push(self.walked.walker.pool.implies(reach, fact));
            }
            for fact in self.done_facts(site, &mut instance, Some(id)) {
                known.push(self.walked.walker.pool.implies(reach, fact));
            }
        }
        let guard = self.walked.one_at(&mut instance, site.guard);
        self.require(guard, &mut known, &mut when, "the thread gets to the store")?;
        if !is_enough(&when) {
            return Ok(None);
        }
        for (id, count) in open {
            if !self.is_visited(&mut instance, id, count, &known)? {
                return Ok(None);
            }
            known.extend(self.counter_facts(&mut instance, id, count));
        }
        let passed = self.walked.walk.facts_at(site.at);
        known.extend(self.walked.at(&mut instance, &passed));
        if !Later(self).is_last(place, site, &mut instance, &counts, &known)? {
            return Ok(None);
        }
        let site = site.clone();
        Ok(Some(Written { instance, site, when, known, values, is_exact }))
    }

    /// Proves a condition, or makes it one of those that the result rests on; either way it
    /// is known from here on.
    fn require(
        &mut self,
        part: TermId,
        known: &mut Vec<TermId>,
        when: &mut Vec<TermId>,
        about: &str,
    ) -> Result<(), SolverError> {
        if self.walked.walker.pool.as_bool(part) == Some(true) {
            return Ok(());
        }
        if !self.implies(known, part, about, Effort::Small)? {
            when.push(part);
        }
        known.push(part);
        Ok(())
    }

    /// What is known of loops that a thread at the site has done, right inside of one loop
    /// or of none: it left each at some visit.
    fn done_facts(
        &mut self,
        site: &SiteTerm,
        instance: &mut Instance,
        inside: Option<Loop>,
    ) -> Vec<TermId> {
        let mut known = vec![];
        for id in self.walked.loops_done(site) {
            let Some(header) = self.walked.header(id).cloned() else { continue };
            let loops = &self.walked.facts().loops;
            let block = self.walked.facts().program.alone.nodes[header.node].block;
            let outside = loops.around(block).filter(|other| *other != id);
            if outside.min_by_key(|other| loops.data(*other).blocks.len()) != inside {
                continue;
            }
            let count = self.walked.walker.pool.fresh("left", Sort::BitVec(32));
            self.walked.set_count(instance, id, count);
            let reach = self.reaches(instance, id);
            let leaves = self.leaves(instance, id);
            let counter = self.counter_facts(instance, id, count);
            for fact in counter.into_iter().chain([leaves]) {
                known.push(self.walked.walker.pool.implies(reach, fact));
            }
        }
        known
    }

    /// The instance gets to the loop.
    pub fn reaches(&mut self, instance: &mut Instance, id: Loop) -> TermId {
        let node = self.walked.header(id).map(|header| header.node);
        match node.map(|node| self.walked.walk.reach[&node]) {
            Some(reach) => self.walked.one_at(instance, reach),
            None => self.walked.walker.pool.ff(),
        }
    }

    /// At its count, the instance goes round the loop.
    pub fn goes_round(&mut self, instance: &mut Instance, id: Loop) -> TermId {
        let edges = self.walked.header(id).map_or(vec![], |header| header.edges.clone());
        let backs: Vec<TermId> =
            edges.iter().filter(|edge| edge.is_back).map(|edge| edge.guard).collect();
        let backs = self.walked.at(instance, &backs);
        self.walked.walker.pool.or(&backs)
    }

    /// At its count, the instance takes no back edge of the loop, and gets to a place after it.
    pub fn leaves(&mut self, instance: &mut Instance, id: Loop) -> TermId {
        let round = self.goes_round(instance, id);
        let exits = self.walked.exits(id);
        let exits = self.walked.at(instance, &exits);
        let pool = &mut self.walked.walker.pool;
        let (stays, out) = (pool.not(round), pool.or(&exits));
        pool.and2(stays, out)
    }

    /// Does the visit with this count happen? The loop would have to be left before.
    fn is_visited(
        &mut self,
        instance: &mut Instance,
        id: Loop,
        count: TermId,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let kept = self.coordinates(Some(id));
        let mut before = instance.only(&kept);
        let left = self.walked.walker.pool.fresh("left", Sort::BitVec(32));
        self.walked.set_count(&mut before, id, left);
        let mut goals = self.counter_facts(&mut before, id, left);
        goals.push(self.leaves(&mut before, id));
        goals.push(self.reaches(&mut before, id));
        let pool = &mut self.walked.walker.pool;
        let (left, count) =
            (pool.bits().zext_or_trunc(left, 64), pool.bits().zext_or_trunc(count, 64));
        goals.push(pool.compare().ult(left, count));
        self.excludes(known, &goals, "the loop is not left before", Effort::Full)
    }

    /// The ids of the formal thread and the counts of loops, but for one and those in it.
    ///
    /// SOUNDNESS: at another visit of a loop the loops within have other counts
    /// (kernels/prove/traps/24-trip-counts, kernels/prove/traps/39-inner-trips).
    pub fn coordinates(&self, without: Option<Loop>) -> Vec<TermId> {
        let ids = self.walked.ids(false).into_iter().chain(self.walked.ids(true));
        let loops = &self.walked.facts().loops;
        let is_kept =
            |id: Loop| without.is_none_or(|other| !loops.contains(other, loops.data(id).header));
        let headers = self.walked.walk.headers.iter().filter(|one| is_kept(one.id));
        ids.map(|one| one.0).chain(headers.map(|header| header.visits)).collect()
    }

    /// The ids of the formal thread.
    pub fn coordinates_of_ids(&self) -> Vec<TermId> {
        let ids = self.walked.ids(false).into_iter().chain(self.walked.ids(true));
        ids.map(|one| one.0).collect()
    }

    /// Quotients and remainders as digits of their own: `x = d·q + r`, `r < d`, wherever the
    /// divisor is not zero.
    pub fn without_division(
        &mut self,
        values: Vec<(TermId, TermId)>,
        hypotheses: &[TermId],
    ) -> Result<Solved, SolverError> {
        if !self.steps.digits {
            return Ok((values, vec![]));
        }
        let mut digits: BTreeMap<(TermId, TermId), (TermId, TermId)> = BTreeMap::new();
        let mut facts: Vec<TermId> = vec![];
        let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
        let roots: Vec<TermId> = values.iter().map(|one| one.1).collect();
        for term in self.walked.walker.pool.reachable(&roots) {
            let pool = &mut self.walked.walker.pool;
            let args: Vec<TermId> = pool.args(term).iter().map(|arg| done[arg]).collect();
            let op = pool.op(term);
            let new = match (op, &args[..]) {
                (Op::BvUdiv | Op::BvUrem, &[dividend, divisor]) => {
                    let pair = match digits.get(&(dividend, divisor)) {
                        Some(&pair) => pair,
                        None => {
                            let known: Vec<TermId> =
                                hypotheses.iter().chain(&facts).copied().collect();
                            let (pair, more) = self.euclid(dividend, divisor, &known)?;
                            facts.extend(more);
                            digits.insert((dividend, divisor), pair);
                            pair
                        }
                    };
                    if op == Op::BvUdiv { pair.0 } else { pair.1 }
                }
                _ => pool.mk(op, &args),
            };
            done.insert(term, new);
        }
        Ok((values.into_iter().map(|(symbol, value)| (symbol, done[&value])).collect(), facts))
    }

    /// New digits for a quotient and its remainder, of 32 bits where the dividend fits.
    fn euclid(
        &mut self,
        dividend: TermId,
        divisor: TermId,
        known: &[TermId],
    ) -> Result<((TermId, TermId), Vec<TermId>), SolverError> {
        if let Some((pair, facts)) = self.named.get(&(dividend, divisor)) {
            return Ok((*pair, facts.clone()));
        }
        let width = self.walked.walker.pool.width(dividend);
        let (mut narrow, mut always) = (false, true);
        if width > 32 {
            let pool = &mut self.walked.walker.pool;
            let limit = pool.bv(width, 1 << 32);
            let fits = pool.compare().ult(dividend, limit);
            // What the goal rests on is known wherever the digits are met again.
            let given: Vec<TermId> = self.given.iter().chain(&self.digits).copied().collect();
            let about = "a quotient has 32 bits";
            narrow = self.implies(&given, fits, about, Effort::Small)?;
            if !narrow {
                narrow = self.implies(known, fits, about, Effort::Small)?;
                always = !narrow;
            }
        }
        let pool = &mut self.walked.walker.pool;
        let bits = if narrow { 32 } else { width };
        let mut digit = |name: &str| {
            let symbol = pool.fresh(name, Sort::BitVec(bits));
            pool.bits().zext_or_trunc(symbol, width)
        };
        let (quotient, rest) = (digit("quotient"), digit("rest"));
        let zero = pool.bv(width, 0);
        // SOUNDNESS: only for a divisor that is not zero; such digits exist then, and with 32
        // bits only if the dividend has no more (kernels/prove/traps/17-negative-radix).
        let nonzero = pool.ne(divisor, zero);
        let product = pool.bits().mul(quotient, divisor);
        let sum = pool.bits().add(product, rest);
        let parts = [
            pool.eq(dividend, sum),
            pool.compare().ult(rest, divisor),
            pool.compare().ule(quotient, dividend),
            pool.compare().ule(product, dividend),
        ];
        let mut facts: Vec<TermId> =
            parts.into_iter().map(|part| pool.implies(nonzero, part)).collect();
        // A quotient of a quotient is bounded only if the first one is.
        let limit = match always {
            true => limit_of_quotient(pool, known, dividend, divisor),
            false => None,
        };
        if let Some(limit) = limit {
            let is_below = self.walked.walker.pool.compare().ult(quotient, limit);
            let given = [&self.given, &self.digits, &facts].into_iter().flatten().copied();
            let given: Vec<TermId> = given.collect();
            let also = [dividend, divisor, limit];
            if self.implies_by_itself(&given, (is_below, &also), "a quotient is below its limit")? {
                facts.push(is_below);
            }
        }
        // Digits of 32 bits exist only where the dividend was shown to have no more.
        if always {
            self.digits.extend(&facts);
            self.named.insert((dividend, divisor), ((quotient, rest), facts.clone()));
        }
        Ok(((quotient, rest), facts))
    }
}

/// Looks for later stores with a prover.
struct Later<'p, 's, 'f>(&'p mut Prover<'s, 'f>);

works_on_prover!(Later);

impl Later<'_, '_, '_> {
    /// Does no thread write the cell later: the thread itself, or any of its block after the
    /// next barrier? What other blocks or threads write at the same time would be a race.
    fn is_last(
        &mut self,
        place: &Place,
        site: &SiteTerm,
        instance: &mut Instance,
        counts: &[(Loop, TermId)],
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        for other in self.stores(place) {
            for anybody in [true, false] {
                for common in 0..=self.common_loops(place, &other, counts, anybody).len() {
                    let ids = self.coordinates_of_ids();
                    let mut again = match anybody {
                        true => self.walked.stranger(instance.block()),
                        false => instance.only(&ids),
                    };
                    let sites = (site, &other);
                    let goals = self.again(place, sites, &mut again, counts, (anybody, common));
                    let Some(mut goals) = goals else { continue };
                    goals.extend(self.walked.in_launch(&mut again));
                    let passed = self.walked.walk.facts_at(other.at);
                    goals.extend(self.walked.at(&mut again, &passed));
                    let terms = self.walked.at(&mut again, &[other.guard, other.offset]);
                    let same = self.walked.walker.pool.eq(terms[1], place.offset);
                    goals.extend([terms[0], same]);
                    if !self.excludes(known, &goals, "no later store to the cell", Effort::Full)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// The loops that two stores have in common and whose counts tell which is later, from
    /// the outside, with the counts of the first.
    fn common_loops(
        &self,
        place: &Place,
        other: &SiteTerm,
        counts: &[(Loop, TermId)],
        anybody: bool,
    ) -> Vec<(Loop, TermId)> {
        let aligned = self.walked.aligned_around(other);
        let around = self.walked.loops_around(other).into_iter();
        let tells = |id: &Loop| place.count_of(*id).is_none() && (!anybody || aligned.contains(id));
        let own = |id: Loop| counts.iter().find(|(own, _)| *own == id).copied();
        around.filter(tells).filter_map(own).collect()
    }

    /// Gives another store counts at which it is later, and says what is known of them; none
    /// if it cannot be later in this way: with so many equal counts of common loops, and then
    /// a greater one or, if all are equal, by its place.
    ///
    /// A store of the same thread is later by the counts of the common loops, then by program
    /// order. One of another thread of the block is if a cut is between them: by the counts
    /// of the common aligned loops, or in the same iteration. What is on no way between two
    /// cuts would be a race.
    fn again(
        &mut self,
        place: &Place,
        (site, other): (&SiteTerm, &SiteTerm),
        again: &mut Instance,
        counts: &[(Loop, TermId)],
        (anybody, equal): (bool, usize),
    ) -> Option<Vec<TermId>> {
        let common = self.common_loops(place, other, counts, anybody);
        let is_same = site.inst == other.inst && site.at == other.at;
        let (walk, facts) = (&self.walked.walk, self.walked.facts());
        // SOUNDNESS: with equal counts, program order decides; what is on another branch is
        // taken for later (kernels/prove/traps/03-later-visit, 22-order-of-branches).
        let then_later = match anybody {
            true => self.walked.cuts.divides(facts, walk, site, other),
            false => !is_same && !may_precede(facts, walk, other.at, site.at),
        };
        if equal == common.len() && !then_later {
            return None;
        }
        let mut known = vec![];
        for id in self.walked.loops_around(other) {
            let number = common.iter().position(|one| one.0 == id);
            let own = number.map(|number| common[number].1);
            let count = match (place.count_of(id), own) {
                (Some(count), _) => count,
                (None, Some(own)) if number.is_some_and(|number| number < equal) => own,
                (None, _) => self.walked.walker.pool.fresh("again", Sort::BitVec(32)),
            };
            self.walked.set_count(again, id, count);
            known.extend(self.counter_facts(again, id, count));
            if let Some(own) = own.filter(|_| number == Some(equal)) {
                let pool = &mut self.walked.walker.pool;
                let own = pool.bits().zext_or_trunc(own, 64);
                let later = pool.bits().zext_or_trunc(count, 64);
                known.push(pool.compare().ult(own, later));
            }
        }
        Some(known)
    }
}

/// Unknowns that a guard makes equal to a term without unknowns.
fn fixed(pool: &TermPool, guard: TermId, unknowns: &[TermId]) -> Vec<(TermId, TermId)> {
    let mut conjuncts = vec![guard];
    let mut fixed = vec![];
    while let Some(term) = conjuncts.pop() {
        match (pool.op(term), pool.args(term)) {
            (Op::And, args) => conjuncts.extend(args),
            (Op::Eq, &[a, b]) => {
                for (symbol, value) in [(a, b), (b, a)] {
                    let is_free = !pool.reachable(&[value]).iter().any(|t| unknowns.contains(t));
                    if unknowns.contains(&symbol) && is_free {
                        fixed.push((symbol, value));
                    }
                }
            }
            _ => {}
        }
    }
    fixed
}

/// Bounds `symbol < term` among the hypotheses, for the inversion, which takes them for those of
/// numbers that count from zero.
pub fn known_digits(pool: &TermPool, hypotheses: &[TermId]) -> Vec<Digit> {
    let mut known: Vec<Digit> = vec![];
    for &term in hypotheses {
        let (Op::Ult | Op::Slt, &[mut symbol, below]) = (pool.op(term), pool.args(term)) else {
            continue;
        };
        while matches!(pool.op(symbol), Op::SignExtend(_) | Op::ZeroExtend(_)) {
            symbol = pool.args(symbol)[0];
        }
        if matches!(pool.op(symbol), Op::Apply(_)) && known.iter().all(|one| one.symbol != symbol) {
            known.push(Digit { symbol, below: Some(below) });
        }
    }
    known
}
