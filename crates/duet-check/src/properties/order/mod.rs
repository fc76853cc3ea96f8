//! Order without barriers: accesses of two threads that fences and strong accesses to a word
//! order. A pair that is ordered so in every execution is no race.
//!
//! | file | holds |
//! |---|---|
//! | `words` | arrays of which every access is strong; fences by their reach |
//! | `argument` | the steps that all arguments share |
//! | `launch` | what words hold at launch |
//! | `counter` | last block done, last thread done, a barrier of the grid by hand |
//! | `phases` | the same used several times |
//! | `gate` | a barrier of the grid by hand in a loop |
//! | `lock` | two threads under one lock |
//! | `ticket` | two threads that wait for their numbers |
//! | `told` | numbers that blocks draw and tell their threads: facts, whether there are fences or not |
//! | `flag` | publish and consume: flags, states, places of a queue |
//! | `relay` | what one thread published and another passes on |
//!
//! The header of each protocol has its argument. What all of them use of the memory model of
//! PTX: writes to one word are in a coherence order that program order respects; a
//! read-modify-write reads from the write just before its own; a fence, followed by a strong
//! write, synchronises with a fence that follows a strong read of what was written, or of
//! what read-modify-writes made of it, if each of the four is in the scope of the other
//! thread. What values atomics and volatile reads yield is otherwise arbitrary: no order
//! of the whole execution is taken for granted (store buffering is real,
//! kernels/order/dekker-bug).
//!
//! The argument about the first failure stays what it is, with happens-before in the place
//! of the order of the execution: an order of all accesses that extends it is fixed, and the
//! first failure in it is looked at. Whatever the protocols ask holds of threads before that.
//!
//! OpenCL orders global and local memory apart. There words order the memory that they are in:
//! data in it, and fences, barriers and atomic operations that are about it and have one scope.
//!
//! SOUNDNESS: a thread may find another's write without passing a barrier, so arrays for
//! which pairs are excused have unknown contents (`KernelFacts::ordered`), for both
//! threads and at all times (kernels/order/stale-index-bug).

mod argument;
mod counter;
mod flag;
mod gate;
mod launch;
mod lock;
mod phases;
mod relay;
mod ticket;
mod told;
mod words;

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use duet_analysis::Paths;
use duet_ir::{Array, FenceScope, Inst, InstData, Language, MemoryScope, Space, Value};
use duet_product::{KernelFacts, Row, Scope};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{PairWalk, Reading, SiteTerm};

use crate::check::Check;
use argument::Argument;
use counter::{After, Counter, Fence, Unit};
use flag::{Consumer, Flags};
use gate::{Gate, Generation};
use launch::AtLaunch;
use lock::{Guard, Locks};
use relay::{Published, published};
use ticket::Tickets;
pub(crate) use told::Told;
use words::{Reach, words};

/// May fences order accesses of the kernel, as far as is looked at?
pub(crate) fn may_be_ordered(facts: &KernelFacts<'_>) -> bool {
    let insts = || facts.func.insts_in_order().map(|inst| &facts.func.insts[inst]);
    let is_followed =
        |data: &InstData| !matches!(data, InstData::Call { .. } | InstData::CallUnknown { .. });
    (facts.module.language == Language::Cuda || has_one_scope(facts))
        && insts().any(InstData::may_order_others)
        && insts().all(is_followed)
}

/// Do all fences and atomic operations have the same scope?
///
/// SOUNDNESS: in OpenCL two of them synchronise only then
/// (kernels/order/opencl-message-scopes-bug).
fn has_one_scope(facts: &KernelFacts<'_>) -> bool {
    let scopes = facts.func.insts_in_order().filter_map(|inst| {
        if let InstData::Fence { scope, .. } = facts.func.insts[inst] {
            return Some(match scope {
                FenceScope::Block => MemoryScope::Block,
                FenceScope::Device => MemoryScope::Device,
                FenceScope::System => MemoryScope::System,
            });
        }
        let InstData::Atomic { scope, .. } = &facts.func.insts[inst] else { return None };
        Some(*scope)
    });
    scopes.collect::<BTreeSet<MemoryScope>>().len() <= 1
}

/// Is it a volatile access to one word, which is strong in CUDA?
///
/// It is one access of at most 8 bytes; that it is aligned is shown of the array.
pub(crate) fn is_strong_volatile(facts: &KernelFacts<'_>, site: &SiteTerm) -> bool {
    let granule = facts.module.arrays[site.array].granule;
    let is_word = site.bytes == granule && granule <= 8 && !site.by_agent;
    let data = &facts.func.insts[site.inst];
    let is_volatile = if let InstData::Load { access, lanes, .. } = data {
        access.volatile && *lanes == 1
    } else if let InstData::Store { access, values } = data {
        access.volatile && values.len() == 1
    } else {
        false
    };
    is_word
        && is_volatile
        && facts.module.language == Language::Cuda
        && !facts.ordered.is_empty()
        && may_be_ordered(facts)
}

/// The protocols of a kernel, and what was found out about its accesses.
pub(crate) struct Order<'f> {
    paths: Paths<'f>,
    counters: Vec<Counter>,
    gates: Vec<Gate>,
    locks: Vec<Locks>,
    tickets: Vec<Tickets>,
    flags: Vec<Flags>,
    assumed: HashMap<Array, String>,
    /// Arrays whose protocol excused a pair.
    used: BTreeSet<Array>,
    befores: HashMap<(Array, u32, Inst), bool>,
    /// Behind all additions and a fence? Behind the last addition of all?
    afters: HashMap<(Array, u32, Inst), (bool, bool)>,
    guards: HashMap<(Array, Inst, Reach), Vec<Guard>>,
    turns: HashMap<(Array, Inst, Reach), bool>,
    consumers: HashMap<(Array, Inst, Reach), Vec<Consumer>>,
    published: HashMap<(Inst, Inst, Reach), Published>,
}

impl<'f> Order<'f> {
    /// Looks for protocols.
    pub(crate) fn new(check: &mut Check<'_, 'f>) -> Result<Order<'f>, SolverError> {
        let facts = check.facts;
        let mut order = Order {
            paths: Paths::new(facts.func),
            counters: vec![],
            gates: vec![],
            locks: vec![],
            tickets: vec![],
            flags: vec![],
            assumed: HashMap::new(),
            used: BTreeSet::new(),
            befores: HashMap::new(),
            afters: HashMap::new(),
            guards: HashMap::new(),
            turns: HashMap::new(),
            consumers: HashMap::new(),
            published: HashMap::new(),
        };
        let mut argument = Argument { check, paths: &order.paths, space: Space::Global };
        for array in facts.func.arrays_used() {
            argument.space = facts.module.arrays[array].space;
            if words(facts, array).is_none_or(|words| words.is_empty()) {
                continue;
            }
            match argument.at_launch(array)? {
                AtLaunch::Unknown => continue,
                AtLaunch::Required => {}
                AtLaunch::Assumed(text) => {
                    order.assumed.insert(array, text);
                }
            }
            order.counters.extend(argument.counter(array)?);
            order.counters.extend(phases::phases(&mut argument, array)?);
            order.gates.extend(gate::find(&mut argument, array)?);
            order.locks.extend(Locks::find(&mut argument, array)?);
            order.tickets.extend(Tickets::find(&mut argument, array)?);
            order.flags.extend(argument.flags(array));
        }
        Ok(order)
    }

    /// What is taken for granted of words that excused pairs.
    pub(crate) fn assumptions(&self) -> Vec<String> {
        self.used.iter().filter_map(|array| self.assumed.get(array).cloned()).collect()
    }

    /// What must be true as well if two accesses are unordered; nothing if they are always
    /// ordered.
    pub(crate) fn unordered(
        &mut self,
        check: &mut Check<'_, 'f>,
        row: &Row,
        pair: &PairWalk,
        sites: [&SiteTerm; 2],
    ) -> Result<Option<Vec<TermId>>, SolverError> {
        if self.is_counted(check, row, sites)? || self.is_by_turns(check, row, sites)? {
            return Ok(None);
        }
        let mut literals = self.not_locked(check, row, pair, sites)?;
        literals.extend(self.of_one_generation(check, row, pair, sites));
        for (writer, reader) in [(0, 1), (1, 0)] {
            literals.extend(self.not_published(check, row, pair, sites, writer, reader)?);
        }
        let never = check.walker.pool.ff();
        Ok((!literals.contains(&never)).then_some(literals))
    }

    /// Does a counter order the two, or exclude that both happen?
    fn is_counted(
        &mut self,
        check: &mut Check<'_, 'f>,
        row: &Row,
        sites: [&SiteTerm; 2],
    ) -> Result<bool, SolverError> {
        for counter in &self.counters {
            if !orders(check.facts, counter.array, sites) {
                continue;
            }
            // Within a block the counter of blocks says nothing.
            if counter.unit == Unit::Block && row.scope != Scope::Grid {
                continue;
            }
            let mut argument = Argument { check, paths: &self.paths, space: Space::Global };
            let (mut before, mut after, mut is_last) = ([false; 2], [false; 2], [false; 2]);
            for (number, site) in sites.into_iter().enumerate() {
                let key = (counter.array, counter.phase, site.inst);
                if let Entry::Vacant(before) = self.befores.entry(key) {
                    before.insert(argument.before(counter, site.inst)?);
                    let fenced = argument.after(counter, site.inst, Fence::Needed)?.is_some();
                    let last = argument.after(counter, site.inst, Fence::Any)?;
                    self.afters.insert(key, (fenced, last == Some(After::Last)));
                }
                before[number] = self.befores[&key];
                (after[number], is_last[number]) = self.afters[&key];
            }
            let is_reset = |reset: &SiteTerm, add: &SiteTerm| {
                counter.resets.contains(&reset.inst) && counter.adds.contains(&add.inst)
            };
            let is_ordered = before[0] && after[1]
                || before[1] && after[0]
                || is_reset(sites[0], sites[1])
                || is_reset(sites[1], sites[0]);
            if is_ordered || is_last == [true; 2] {
                self.used.insert(counter.array);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Are both made in the turns of different tickets?
    fn is_by_turns(
        &mut self,
        check: &mut Check<'_, 'f>,
        row: &Row,
        sites: [&SiteTerm; 2],
    ) -> Result<bool, SolverError> {
        let reach = reach_of(row);
        for tickets in &self.tickets {
            let mut are_in_turn = orders(check.facts, tickets.array, sites);
            for site in sites {
                let key = (tickets.array, site.inst, reach);
                if !self.turns.contains_key(&key) {
                    let space = check.facts.module.arrays[tickets.array].space;
                    let mut argument = Argument { check, paths: &self.paths, space };
                    self.turns.insert(key, tickets.is_in_turn(&mut argument, site.inst, reach)?);
                }
                are_in_turn &= self.turns[&key];
            }
            if are_in_turn {
                self.used.insert(tickets.array);
                self.used.insert(tickets.counter);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// That the two are of the same generation; one literal for each barrier of the grid by
    /// hand that has generations.
    fn of_one_generation(
        &mut self,
        check: &mut Check<'_, 'f>,
        row: &Row,
        pair: &PairWalk,
        sites: [&SiteTerm; 2],
    ) -> Vec<TermId> {
        let mut literals = vec![];
        // The threads of a block pass by no word in global memory.
        let is_common =
            |gate: &&Gate| row.scope == Scope::Grid && orders(check.facts, gate.arrays[0], sites);
        for gate in self.gates.iter().filter(is_common) {
            let pool = &mut check.walker.pool;
            let mut at = |second: bool| {
                let site = sites[usize::from(second)];
                let generation = gate.generation(&self.paths, site.inst)?;
                let bits = check.facts.func.type_of(gate.variable).bits()?;
                match generation {
                    Generation::Start(start) => Some(pool.bv(bits, start)),
                    Generation::Variable(plus) => {
                        let own = pair.value_at(second, site, gate.variable)?;
                        let plus = pool.bv(bits, plus);
                        Some(pool.bits().add(own, plus))
                    }
                }
            };
            if let [Some(one), Some(other)] = [at(false), at(true)] {
                literals.push(check.walker.pool.eq(one, other));
                self.used.extend(&gate.arrays);
            }
        }
        literals
    }

    /// That the two hold different locks; one literal for each pair of locks that they hold.
    fn not_locked(
        &mut self,
        check: &mut Check<'_, 'f>,
        row: &Row,
        pair: &PairWalk,
        sites: [&SiteTerm; 2],
    ) -> Result<Vec<TermId>, SolverError> {
        let reach = reach_of(row);
        let mut literals = vec![];
        let facts = check.facts;
        let is_common = |array| is_common(facts, row, array) && orders(facts, array, sites);
        for locks in self.locks.iter().filter(|locks| is_common(locks.array)) {
            let space = facts.module.arrays[locks.array].space;
            let mut held = [vec![], vec![]];
            for (held, site) in held.iter_mut().zip(sites) {
                let key = (locks.array, site.inst, reach);
                if !self.guards.contains_key(&key) {
                    let mut argument = Argument { check, paths: &self.paths, space };
                    self.guards.insert(key, locks.guards(&mut argument, site.inst, reach)?);
                }
                *held = self.guards[&key].clone();
            }
            for &one in &held[0] {
                for &other in &held[1] {
                    let mut place = |guard: Guard, second: bool| match guard.by_first_thread {
                        true => term_of_zero(check, row, second, guard.offset),
                        false => {
                            let site = sites[usize::from(second)];
                            term_at(check, row, pair, site, second, guard.offset)
                        }
                    };
                    let places = [place(one, false), place(other, true)];
                    if let [Some(one), Some(other)] = places {
                        literals.push(check.walker.pool.ne(one, other));
                        self.used.insert(locks.array);
                    }
                }
            }
        }
        Ok(literals)
    }

    /// That the reader has not seen the writer's flag; one literal for each flag that it has
    /// read.
    fn not_published(
        &mut self,
        check: &mut Check<'_, 'f>,
        row: &Row,
        pair: &PairWalk,
        sites: [&SiteTerm; 2],
        writer: usize,
        reader: usize,
    ) -> Result<Vec<TermId>, SolverError> {
        let reach = reach_of(row);
        let mut literals = vec![];
        let facts = check.facts;
        let is_common = |array| is_common(facts, row, array) && orders(facts, array, sites);
        for flags in self.flags.iter().filter(|flags| is_common(flags.array)) {
            let space = facts.module.arrays[flags.array].space;
            let key = (flags.array, sites[reader].inst, reach);
            if !self.consumers.contains_key(&key) {
                let mut argument = Argument { check, paths: &self.paths, space };
                self.consumers.insert(key, argument.consumers(flags, sites[reader].inst, reach)?);
            }
            for consumer in &self.consumers[&key] {
                let a = sites[writer];
                let mut how_published = vec![];
                // What is put into another word was not read.
                let place = |offset: Value| facts.func.const_bits(offset);
                let read = place(consumer.offset);
                let is_other = |one: Option<u128>| one.is_some() && read.is_some() && one != read;
                let sources = consumer.sources.iter();
                let sources: Vec<_> = sources.filter(|one| !is_other(place(one.offset))).collect();
                if sources.is_empty() {
                    continue;
                }
                for source in sources.iter().copied() {
                    let key = (a.inst, source.inst, reach);
                    if !self.published.contains_key(&key) {
                        let mut argument = Argument { check, paths: &self.paths, space };
                        let by = (source, reach);
                        let how = published(&mut argument, &self.flags, flags, a.inst, by)?;
                        self.published.insert(key, how);
                    }
                    let how = self.published[&key];
                    let is_unclear = how == Published::Relayed && read.is_none();
                    how_published.push(if is_unclear { Published::Never } else { how });
                }
                let is_published = !how_published.contains(&Published::Never);
                let seen = match consumer.by_first_thread {
                    true => term_of_zero(check, row, reader == 1, consumer.offset),
                    false => term_at(check, row, pair, sites[reader], reader == 1, consumer.offset),
                };
                let Some(seen) = seen.filter(|_| is_published) else { continue };
                let mut others = vec![];
                let direct = sources.iter().zip(&how_published);
                let direct = direct.filter(|(_, how)| **how == Published::Directly);
                for (source, _) in direct {
                    let own = term_at(check, row, pair, a, writer == 1, source.offset);
                    let pool = &mut check.walker.pool;
                    others.push(match own {
                        Some(own) => pool.ne(own, seen),
                        None => pool.tt(),
                    });
                }
                literals.push(check.walker.pool.or(&others));
                self.used.insert(flags.array);
                if how_published.contains(&Published::Relayed) {
                    self.used.extend(self.flags.iter().map(|flags| flags.array));
                }
            }
        }
        Ok(literals)
    }
}

/// May words in the array order these accesses?
///
/// SOUNDNESS: in OpenCL the order of one memory says nothing about the other
/// (kernels/order/opencl-message-local-bug, opencl-local-flag-global-bug).
fn orders(facts: &KernelFacts<'_>, words: Array, sites: [&SiteTerm; 2]) -> bool {
    let space = |array: Array| facts.module.arrays[array].space;
    facts.module.language == Language::Cuda
        || sites.into_iter().all(|site| space(site.array) == space(words))
}

/// Do the threads of a row's pairs use the same words of the array?
///
/// SOUNDNESS: each block has a shared array of its own
/// (kernels/order/lock-in-shared-blocks-bug).
fn is_common(facts: &KernelFacts<'_>, row: &Row, array: Array) -> bool {
    row.scope != Scope::Grid || facts.module.arrays[array].space == Space::Global
}

/// How far fences must reach for the pairs of a row.
fn reach_of(row: &Row) -> Reach {
    if row.scope == Scope::Grid { Reach::Device } else { Reach::Block }
}

/// The term of a value for a thread of the pair, at its access: as a function of its ids, of
/// sizes and arguments if it is one, else as its walk has it.
fn term_at(
    check: &mut Check<'_, '_>,
    row: &Row,
    pair: &PairWalk,
    site: &SiteTerm,
    second: bool,
    value: Value,
) -> Option<TermId> {
    let (one, other, _) = check.walker.threads(row);
    let mut reading = Reading::of(if second { &other } else { &one }, "place");
    let term = reading.term(&mut check.walker, value);
    if reading.is_known() { Some(term) } else { pair.value_at(second, site, value) }
}

/// The term of a value for the first thread of the block of a thread of the pair, if it is a
/// function of ids, sizes and arguments.
fn term_of_zero(
    check: &mut Check<'_, '_>,
    row: &Row,
    second: bool,
    value: Value,
) -> Option<TermId> {
    let (one, other, _) = check.walker.threads(row);
    let mate = if second { &other } else { &one };
    let zero = mate.first_of_block(&mut check.walker.pool);
    let mut reading = Reading::of(&zero, "place");
    let term = reading.term(&mut check.walker, value);
    reading.is_known().then_some(term)
}
