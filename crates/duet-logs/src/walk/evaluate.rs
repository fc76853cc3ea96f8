//! What statements about a loop's head mean in a state: values computed anew from the
//! parameters that a state gives to headers.

use std::collections::{BTreeMap, HashMap};

use duet_analysis::Loop;
use duet_ir::{Block, Const, GhostKind, Inst, InstData, Terminator, Value, ValueDef};
use duet_smt::TermId;
use duet_vc::{Expr, ops};

use super::{Lockstep, Row};
use crate::log::{Entry, Key, Kind, Log, Site};
use crate::statement::{Head, OffsetIs, Statement};

/// How deep a computation is followed.
const DEPTH: u32 = 40;

/// Values that are computed anew.
#[derive(Clone)]
pub(super) struct Env<'e> {
    thread: usize,
    /// The loops whose iterations are given.
    loops: Vec<Loop>,
    /// The parameters of their headers.
    params: HashMap<Value, TermId>,
    /// The parameters when the innermost of them was entered.
    initial: Option<Vec<TermId>>,
    /// The iterations of these loops.
    visits: BTreeMap<Loop, TermId>,
    /// The log that annotations speak of.
    log: Option<&'e Log>,
    /// The same for the other thread, which annotations may speak of.
    other: Option<Box<Env<'e>>>,
    /// The thread is enabled.
    enabled: Option<TermId>,
}

impl Lockstep<'_> {
    /// What a statement says of a state; `None` if that cannot be told.
    pub fn statement(&mut self, id: Loop, statement: &Statement, head: &Head) -> Option<TermId> {
        match statement {
            Statement::Own(expr) => {
                let mut all = vec![];
                for thread in 0..self.threads.len() {
                    let env = self.env_of(id, head, thread);
                    let holds = self.expr(id, expr, &env)?;
                    all.push(self.pool.implies(head.valid[thread], holds));
                }
                Some(self.pool.and(&all))
            }
            Statement::User(inst) => self.user(id, *inst, head),
            Statement::SameActive => Some(self.pool.eq(head.active[0], head.active[1])),
            Statement::SameAlive => Some(self.pool.eq(head.alive[0], head.alive[1])),
            Statement::SameValue(number) => {
                let same = self.pool.eq(head.params[0][*number], head.params[1][*number]);
                Some(self.if_both(head, same))
            }
            Statement::SameDistance(number) => {
                let distance = |lockstep: &mut Self, thread: usize| {
                    let (now, first) =
                        (head.params[thread][*number], head.initial[thread][*number]);
                    lockstep.pool.bits().sub(now, first)
                };
                let (first, second) = (distance(self, 0), distance(self, 1));
                let same = self.pool.eq(first, second);
                Some(self.if_both(head, same))
            }
            Statement::NoAccess(key) => {
                let flag = head.log.get(key)?.flag;
                let both = self.pool.and(&head.alive);
                let none = self.pool.not(flag);
                Some(self.pool.implies(both, none))
            }
            Statement::OnlyIfEntered(key) => {
                let flag = head.log.get(key)?.flag;
                Some(self.pool.implies(flag, head.entered[0]))
            }
            Statement::KeptIfNotEntered(key) => {
                let same = self.is_as_on_entry(*key, head)?;
                Some(self.pool.or2(head.entered[0], same))
            }
            Statement::Logged(key) => self.logged(id, *key, head),
            Statement::LoggedOwn(key, of, expr) => self.logged_own(*key, *of, expr, head),
            Statement::Offset(key, is) => {
                let entry = head.log.get(key)?.clone();
                let env = self.env_of(id, head, 0);
                let holds = self.offset_is(id, is, entry.offset, &env)?;
                Some(self.pool.implies(entry.flag, holds))
            }
        }
    }

    fn if_both(&mut self, head: &Head, holds: TermId) -> TermId {
        let both = self.pool.and(&head.active);
        self.pool.implies(both, holds)
    }

    /// The flag and the offset are what they were when the loop was entered.
    fn is_as_on_entry(&mut self, key: Key, head: &Head) -> Option<TermId> {
        let (now, before) = (head.log.get(&key)?.clone(), head.log_at_entry.get(&key)?.clone());
        let fewer = self.pool.implies(now.flag, before.flag);
        let same = self.pool.eq(now.offset, before.offset);
        let same = self.pool.implies(now.flag, same);
        Some(self.pool.and2(fewer, same))
    }

    fn env_of<'e>(&mut self, id: Loop, head: &'e Head, thread: usize) -> Env<'e> {
        let header = self.setting.facts.loops.data(id).header;
        let params = &self.setting.facts.func.blocks[header].params;
        Env {
            thread,
            loops: vec![id],
            params: params.iter().copied().zip(head.params[thread].iter().copied()).collect(),
            initial: Some(head.initial[thread].clone()),
            visits: BTreeMap::from([(id, head.visits[thread])]),
            log: Some(&head.log),
            other: None,
            enabled: Some(head.active[thread]),
        }
    }

    /// What the user wrote at the head. It is about threads in the loop; what it says of
    /// logs it says of the first thread.
    fn user(&mut self, id: Loop, inst: Inst, head: &Head) -> Option<TermId> {
        let cond = *self.setting.facts.func.insts[inst].values().first()?;
        let is_of_two = self.is_of_two(inst);
        let threads = if is_of_two { 0..1 } else { 0..self.threads.len() };
        let names_other = self.names_other(inst);
        let mut all = vec![];
        for thread in threads {
            let mut env = self.env_of(id, head, thread);
            if self.threads.len() == 2 {
                env.other = Some(Box::new(self.env_of(id, head, 1 - thread)));
            }
            let holds = self.value(cond, &env, DEPTH)?;
            // What is said of logs is said of the moment, all else of the last visit.
            let mut when = if is_of_two { head.active[thread] } else { head.valid[thread] };
            if names_other {
                when = self.pool.and(&head.active);
            }
            all.push(self.pool.implies(when, holds));
        }
        Some(self.pool.and(&all))
    }
}

/// Statements about logs.
impl Lockstep<'_> {
    /// An entry is what it was on entry to the loop, what was remembered included.
    fn is_old(&mut self, key: Key, head: &Head) -> Option<TermId> {
        let (now, before) = (head.log.get(&key)?, head.log_at_entry.get(&key)?);
        let mut pairs = vec![(now.offset, before.offset), (now.site, before.site)];
        pairs.extend(now.params.values().copied().zip(before.params.values().copied()));
        pairs.extend(now.visits.values().copied().zip(before.visits.values().copied()));
        let mut all = vec![before.flag];
        for (now, before) in pairs {
            all.push(self.pool.eq(now, before));
        }
        Some(self.pool.and(&all))
    }

    fn logged(&mut self, id: Loop, key: Key, head: &Head) -> Option<TermId> {
        let entry = head.log.get(&key)?.clone();
        let mut choices = vec![self.is_old(key, head)?];
        let sites: Vec<(usize, Site)> =
            self.sites.iter().copied().enumerate().filter(|(_, site)| site.key == key).collect();
        for (number, site) in sites {
            let block = self.setting.facts.block_of(site.inst)?;
            if !self.setting.facts.loops.contains(id, block) {
                continue;
            }
            let number = self.pool.bv(16, number as u128);
            let is_this = self.pool.eq(entry.site, number);
            let mut all = vec![is_this];
            all.extend(self.done_at(id, &site, block, &entry));
            choices.push(self.pool.and(&all));
        }
        let any = self.pool.or(&choices);
        Some(self.pool.implies(entry.flag, any))
    }

    /// What is known of the iteration in which a site was logged: it covered the offset,
    /// and got there; iterations of loops around `id` are the present ones.
    fn done_at(&mut self, id: Loop, site: &Site, block: Block, entry: &Entry) -> Vec<TermId> {
        let env = self.env_of_entry(block, entry);
        let mut all = vec![];
        if let Some(offset) = self.value(site.offset, &env, DEPTH) {
            all.push(self.covers(offset, site.bytes, site.key.0, entry.offset));
        }
        for (cond, is_true) in self.passed(block) {
            if let Some(term) = self.value(cond, &env, DEPTH) {
                all.push(if is_true { term } else { self.pool.not(term) });
            }
        }
        let facts = self.setting.facts;
        let header = facts.loops.data(id).header;
        let outer: Vec<Loop> = facts.loops.around(header).filter(|&one| one != id).collect();
        for one in outer {
            for &param in &facts.func.blocks[facts.loops.data(one).header].params {
                if let Some(&logged) = entry.params.get(&param) {
                    let now = self.term(0, param);
                    all.push(self.pool.eq(logged, now));
                }
            }
        }
        all
    }

    /// The iterations that an entry remembers.
    fn env_of_entry(&mut self, block: Block, entry: &Entry) -> Env<'static> {
        Env {
            thread: 0,
            loops: self.setting.facts.loops.around(block).collect(),
            params: entry.params.iter().map(|(&param, &term)| (param, term)).collect(),
            initial: None,
            visits: entry.visits.clone(),
            log: None,
            other: None,
            enabled: None,
        }
    }

    fn logged_own(&mut self, key: Key, of: Loop, expr: &Expr, head: &Head) -> Option<TermId> {
        let entry = head.log.get(&key)?.clone();
        let header = self.setting.facts.loops.data(of).header;
        let env = self.env_of_entry(header, &entry);
        let holds = self.expr(of, expr, &env)?;
        let mut choices = vec![self.is_old(key, head)?, holds];
        // A site outside of that loop says nothing about it.
        for (number, site) in self.sites.clone().into_iter().enumerate() {
            let block = self.setting.facts.block_of(site.inst)?;
            if site.key == key && !self.setting.facts.loops.contains(of, block) {
                let number = self.pool.bv(16, number as u128);
                choices.push(self.pool.eq(entry.site, number));
            }
        }
        let any = self.pool.or(&choices);
        Some(self.pool.implies(entry.flag, any))
    }

    /// The branches that every way to a block took, with what they tested.
    fn passed(&self, block: Block) -> Vec<(Value, bool)> {
        let facts = self.setting.facts;
        let mut found = vec![];
        let mut at = block;
        while let Some(parent) = facts.dominators.immediate(at) {
            if let Terminator::Branch { cond, then, otherwise } =
                &facts.func.blocks[parent].terminator
                && then.block != otherwise.block
            {
                let leads = |to: Block| {
                    let only = facts.func.layout.iter().flat_map(|&from| {
                        facts.func.blocks[from]
                            .terminator
                            .edges()
                            .into_iter()
                            .map(|edge| edge.block)
                    });
                    only.filter(|&one| one == to).count() == 1 && facts.dominators.dominates(to, at)
                };
                if leads(then.block) {
                    found.push((*cond, true));
                } else if leads(otherwise.block) {
                    found.push((*cond, false));
                }
            }
            at = parent;
        }
        found
    }

    fn offset_is(
        &mut self,
        id: Loop,
        is: &OffsetIs,
        offset: TermId,
        env: &Env<'_>,
    ) -> Option<TermId> {
        let width = self.pool.width(offset);
        match is {
            OffsetIs::Compared(cc, expr) => {
                let other = self.expr(id, expr, env)?;
                Some(ops::compare(self.pool, *cc, offset, other))
            }
            OffsetIs::Congruent(modulus, expr) => {
                let other = self.expr(id, expr, env)?;
                let modulus = self.pool.bv(width, *modulus);
                let distance = self.pool.bits().sub(offset, other);
                let rest = self.pool.bits().urem(distance, modulus);
                let zero = self.pool.bv(width, 0);
                Some(self.pool.eq(rest, zero))
            }
            OffsetIs::Component { id: own, rest, stride } => {
                let (own, rest) = (self.expr(id, own, env)?, self.expr(id, rest, env)?);
                let stride = self.pool.bv(width, *stride);
                let distance = self.pool.bits().sub(offset, rest);
                let quotient = self.pool.bits().udiv(distance, stride);
                Some(self.pool.eq(own, quotient))
            }
            OffsetIs::Any(parts) => {
                let mut any = vec![];
                for part in parts {
                    any.push(self.offset_is(id, part, offset, env)?);
                }
                Some(self.pool.or(&any))
            }
        }
    }

    /// What annotations about logs mean. An array that is not logged, because the kernel does
    /// not write it, has no pending access.
    pub fn logged_ghost(&mut self, log: &Log, kind: GhostKind, array: Value) -> Option<TermId> {
        let Some(Const::Array(array)) = self.setting.facts.func.const_of(array) else {
            return None;
        };
        let is_read = matches!(kind, GhostKind::HasRead | GhostKind::ReadOffset);
        let entry = log.get(&(array, if is_read { Kind::Read } else { Kind::Write }));
        if matches!(kind, GhostKind::ReadOffset | GhostKind::WriteOffset) {
            return entry.map(|entry| entry.offset);
        }
        Some(match entry {
            Some(entry) => entry.flag,
            None => self.pool.ff(),
        })
    }
}

/// Expressions and values.
impl Lockstep<'_> {
    fn expr(&mut self, id: Loop, expr: &Expr, env: &Env<'_>) -> Option<TermId> {
        let header = self.setting.facts.loops.data(id).header;
        let params = &self.setting.facts.func.blocks[header].params;
        Some(match expr {
            Expr::Param(number) => *env.params.get(&params[*number])?,
            Expr::Initial(number) => match &env.initial {
                Some(initial) => initial[*number],
                None => self.initial_in(id, *number, env)?,
            },
            Expr::Value(value) => self.value(*value, env, DEPTH)?,
            Expr::Visits => *env.visits.get(&id)?,
            Expr::Geometry(kind, dim) => {
                self.geometry.term(&self.threads[env.thread].terms, *kind, *dim)
            }
            Expr::Const { bits, ty } => ops::constant(self.pool, *bits, *ty),
            Expr::Binary { op, args, ty } => {
                let (a, b) = (self.expr(id, &args[0], env)?, self.expr(id, &args[1], env)?);
                ops::binary(self.pool, *op, a, b, *ty)
            }
            Expr::Cast { op, arg, from, to } => {
                let arg = self.expr(id, arg, env)?;
                ops::cast(self.pool, *op, arg, *from, *to)
            }
            Expr::Compare { cc, args } => {
                let (a, b) = (self.expr(id, &args[0], env)?, self.expr(id, &args[1], env)?);
                ops::compare(self.pool, *cc, a, b)
            }
            Expr::All(parts) => {
                let terms: Option<Vec<TermId>> =
                    parts.iter().map(|part| self.expr(id, part, env)).collect();
                self.pool.and(&terms?)
            }
            Expr::Any(parts) => {
                let terms: Option<Vec<TermId>> =
                    parts.iter().map(|part| self.expr(id, part, env)).collect();
                self.pool.or(&terms?)
            }
            Expr::Not(part) => {
                let part = self.expr(id, part, env)?;
                self.pool.not(part)
            }
            Expr::AtMostOneBit(part) => {
                let part = self.expr(id, part, env)?;
                let width = self.pool.width(part);
                let (one, zero) = (self.pool.bv(width, 1), self.pool.bv(width, 0));
                let less = self.pool.bits().sub(part, one);
                let common = self.pool.bits().and(part, less);
                self.pool.eq(common, zero)
            }
            Expr::InHeader { value, params: given } => {
                let mut inner = env.clone();
                for (&param, expr) in params.iter().zip(given) {
                    inner.params.insert(param, self.expr(id, expr, env)?);
                }
                self.value(*value, &inner, DEPTH)?
            }
        })
    }

    /// A parameter on entry to a loop, in the iterations that are given of those around it.
    fn initial_in(&mut self, id: Loop, number: usize, env: &Env<'_>) -> Option<TermId> {
        let facts = self.setting.facts;
        let header = facts.loops.data(id).header;
        let mut args = vec![];
        for &from in &facts.func.layout {
            for edge in facts.func.blocks[from].terminator.edges() {
                if edge.block == header && !facts.loops.contains(id, from) {
                    args.push(edge.args[number]);
                }
            }
        }
        let [only] = args[..] else { return None };
        self.value(only, env, DEPTH)
    }

    /// A value computed anew; `None` if that needs more than is given.
    fn value(&mut self, value: Value, env: &Env<'_>, depth: u32) -> Option<TermId> {
        let depth = depth.checked_sub(1)?;
        if let Some(term) = self.constant_term(value) {
            return Some(term);
        }
        if let Some(&term) = env.params.get(&value) {
            return Some(term);
        }
        let facts = self.setting.facts;
        let is_given = facts
            .homes
            .of(value)
            .is_none_or(|block| !env.loops.iter().any(|&id| facts.loops.contains(id, block)));
        if is_given {
            return self.threads[env.thread].values.get(&value).copied();
        }
        let ValueDef::Result(inst, lane) = facts.func.values[value] else { return None };
        let data = &facts.func.insts[inst];
        if let InstData::Load { access, ty, .. } = data {
            let is_known = facts.uses.is_never_written(access.array) && !access.volatile;
            let offset = self.value(access.offset, env, depth).filter(|_| is_known)?;
            let place = self.step(offset, lane * ty.bytes()?);
            return self.contents_at(env.thread, access, place, *ty);
        }
        if let InstData::Binary { op, args, .. } = data
            && op.may_fail()
            && facts.func.const_bits(args[1]).is_none_or(|bits| bits == 0)
        {
            return None;
        }
        if let InstData::Ghost { kind, args, .. } = data {
            return self.ghost_value(*kind, args, env, depth);
        }
        let mut of = |lockstep: &mut Self, arg| lockstep.value(arg, env, depth);
        self.operation(env.thread, inst, data, &mut of)
    }

    fn ghost_value(
        &mut self,
        kind: GhostKind,
        args: &[Value],
        env: &Env<'_>,
        depth: u32,
    ) -> Option<TermId> {
        match kind {
            GhostKind::Enabled => env.enabled,
            GhostKind::SameBlock => {
                (self.row != Row::Alone).then(|| self.pool.bool(self.row == Row::Block))
            }
            GhostKind::Other => {
                let other = env.other.clone()?;
                self.value(args[0], &other, depth)
            }
            GhostKind::HasRead
            | GhostKind::HasWritten
            | GhostKind::ReadOffset
            | GhostKind::WriteOffset => {
                let log = env.log?.clone();
                self.logged_ghost(&log, kind, args[0])
            }
            GhostKind::DominatorEnabled
            | GhostKind::ArrayIdentity
            | GhostKind::ReturnValue
            | GhostKind::Old
            | GhostKind::AtomicHasTakenValue
            | GhostKind::Fold
            | GhostKind::Cell => None,
        }
    }
}
