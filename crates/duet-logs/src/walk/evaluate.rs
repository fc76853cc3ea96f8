//! What statements about a loop's head mean in a state: values computed anew from the
//! parameters that a state gives to headers.

use super::accesses::{contents_at, covers, further};
use super::instructions::{depends_on_two, names_other, operation_term};
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

/// What a statement says of a state; `None` if that cannot be told.
pub(crate) fn statement_term(
    walk: &mut Lockstep<'_>,
    id: Loop,
    statement: &Statement,
    head: &Head,
) -> Option<TermId> {
    match statement {
        Statement::Own(expr) => {
            let mut all = vec![];
            for thread in 0..walk.threads.len() {
                let env = env_of(walk, id, head, thread);
                let holds = expr_in(walk, id, expr, &env)?;
                all.push(walk.pool.implies(head.valid[thread], holds));
            }
            Some(walk.pool.and(&all))
        }
        Statement::User(inst) => user_statement(walk, id, *inst, head),
        Statement::SameActive => Some(walk.pool.eq(head.active[0], head.active[1])),
        Statement::SameAlive => Some(walk.pool.eq(head.alive[0], head.alive[1])),
        Statement::SameValue(number) => {
            let same = walk.pool.eq(head.params[0][*number], head.params[1][*number]);
            Some(if_both(walk, head, same))
        }
        Statement::SameDistance(number) => {
            let distance = |lockstep: &mut Lockstep<'_>, thread: usize| {
                let (now, first) = (head.params[thread][*number], head.initial[thread][*number]);
                lockstep.pool.bits().sub(now, first)
            };
            let (first, second) = (distance(walk, 0), distance(walk, 1));
            let same = walk.pool.eq(first, second);
            Some(if_both(walk, head, same))
        }
        Statement::NoAccess(key) => {
            let flag = head.log.get(key)?.flag;
            let both = walk.pool.and(&head.alive);
            let none = walk.pool.not(flag);
            Some(walk.pool.implies(both, none))
        }
        Statement::NoAccessInWarp(key) => {
            let flag = head.log.get(key)?.flag;
            let mut mates = head.alive.clone();
            mates.push(walk.in_lock_step?);
            let mates = walk.pool.and(&mates);
            let none = walk.pool.not(flag);
            Some(walk.pool.implies(mates, none))
        }
        Statement::ActiveOnlyIfEntered => {
            let each = head.active.iter().zip(&head.entered);
            let each: Vec<TermId> = each.map(|(&a, &b)| walk.pool.implies(a, b)).collect();
            Some(walk.pool.and(&each))
        }
        Statement::ActiveIf(cond, tested) => {
            let mut all = vec![];
            for thread in 0..walk.threads.len() {
                let env = env_of(walk, id, head, thread);
                let cond = value_in(walk, *cond, &env, DEPTH)?;
                let stays = if *tested { cond } else { walk.pool.not(cond) };
                let when = walk.pool.and2(head.valid[thread], stays);
                all.push(walk.pool.implies(when, head.active[thread]));
            }
            Some(walk.pool.and(&all))
        }
        Statement::OnlyIfEntered(key) => {
            let flag = head.log.get(key)?.flag;
            Some(walk.pool.implies(flag, head.entered[0]))
        }
        Statement::KeptIfNotEntered(key) => {
            let same = is_as_on_entry(walk, *key, head)?;
            Some(walk.pool.or2(head.entered[0], same))
        }
        Statement::Logged(key) => logged_statement(walk, id, *key, head),
        Statement::LoggedOwn(key, of, expr) => logged_own(walk, *key, *of, expr, head),
        Statement::Offset(key, is) => {
            let entry = head.log.get(key)?.clone();
            let env = env_of(walk, id, head, 0);
            let holds = offset_is(walk, id, is, entry.offset, &env)?;
            Some(walk.pool.implies(entry.flag, holds))
        }
    }
}

pub(crate) fn if_both(walk: &mut Lockstep<'_>, head: &Head, holds: TermId) -> TermId {
    let both = walk.pool.and(&head.active);
    walk.pool.implies(both, holds)
}

/// The flag and the offset are what they were when the loop was entered.
pub(crate) fn is_as_on_entry(walk: &mut Lockstep<'_>, key: Key, head: &Head) -> Option<TermId> {
    let (now, before) = (head.log.get(&key)?.clone(), head.log_at_entry.get(&key)?.clone());
    let fewer = walk.pool.implies(now.flag, before.flag);
    let same = walk.pool.eq(now.offset, before.offset);
    let same = walk.pool.implies(now.flag, same);
    Some(walk.pool.and2(fewer, same))
}

fn env_of<'e>(walk: &mut Lockstep<'_>, id: Loop, head: &'e Head, thread: usize) -> Env<'e> {
    let header = walk.setting.facts.loops.data(id).header;
    let params = &walk.setting.facts.func.blocks[header].params;
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
pub(crate) fn user_statement(
    walk: &mut Lockstep<'_>,
    id: Loop,
    inst: Inst,
    head: &Head,
) -> Option<TermId> {
    let cond = *walk.setting.facts.func.insts[inst].values().first()?;
    let is_of_two = depends_on_two(walk, inst);
    let threads = if is_of_two { 0..1 } else { 0..walk.threads.len() };
    let names_other = names_other(walk.setting.facts.func, inst);
    let mut all = vec![];
    for thread in threads {
        let mut env = env_of(walk, id, head, thread);
        if walk.threads.len() == 2 {
            env.other = Some(Box::new(env_of(walk, id, head, 1 - thread)));
        }
        let holds = value_in(walk, cond, &env, DEPTH)?;
        // What is said of logs is said of the moment, all else of the last visit.
        let mut when = if is_of_two { head.active[thread] } else { head.valid[thread] };
        if names_other {
            when = walk.pool.and(&head.active);
        }
        all.push(walk.pool.implies(when, holds));
    }
    Some(walk.pool.and(&all))
}

/// An entry is what it was on entry to the loop, what was remembered included.
pub(crate) fn is_old(walk: &mut Lockstep<'_>, key: Key, head: &Head) -> Option<TermId> {
    let (now, before) = (head.log.get(&key)?, head.log_at_entry.get(&key)?);
    let mut pairs = vec![(now.offset, before.offset), (now.site, before.site)];
    pairs.extend(now.params.values().copied().zip(before.params.values().copied()));
    pairs.extend(now.visits.values().copied().zip(before.visits.values().copied()));
    let mut all = vec![before.flag];
    for (now, before) in pairs {
        all.push(walk.pool.eq(now, before));
    }
    Some(walk.pool.and(&all))
}

pub(crate) fn logged_statement(
    walk: &mut Lockstep<'_>,
    id: Loop,
    key: Key,
    head: &Head,
) -> Option<TermId> {
    let entry = head.log.get(&key)?.clone();
    let mut choices = vec![is_old(walk, key, head)?];
    let sites: Vec<(usize, Site)> =
        walk.sites.iter().copied().enumerate().filter(|(_, site)| site.key == key).collect();
    for (number, site) in sites {
        let block = walk.setting.facts.block_of(site.inst)?;
        if !walk.setting.facts.loops.contains(id, block) {
            continue;
        }
        let number = walk.pool.bv(16, number as u128);
        let is_this = walk.pool.eq(entry.site, number);
        let mut all = vec![is_this];
        all.extend(done_at(walk, id, &site, block, &entry));
        choices.push(walk.pool.and(&all));
    }
    let any = walk.pool.or(&choices);
    Some(walk.pool.implies(entry.flag, any))
}

/// What is known of the iteration in which a site was logged: it covered the offset,
/// and got there; iterations of loops around `id` are the present ones.
pub(crate) fn done_at(
    walk: &mut Lockstep<'_>,
    id: Loop,
    site: &Site,
    block: Block,
    entry: &Entry,
) -> Vec<TermId> {
    let env = env_of_entry(walk, block, entry);
    let mut all = vec![];
    if let Some(offset) = value_in(walk, site.offset, &env, DEPTH) {
        all.push(covers(walk, offset, site.bytes, site.key.0, entry.offset));
    }
    for (cond, is_true) in passed_branches(walk, block) {
        if let Some(term) = value_in(walk, cond, &env, DEPTH) {
            all.push(if is_true { term } else { walk.pool.not(term) });
        }
    }
    let facts = walk.setting.facts;
    let header = facts.loops.data(id).header;
    let outer: Vec<Loop> = facts.loops.around(header).filter(|&one| one != id).collect();
    for one in outer {
        for &param in &facts.func.blocks[facts.loops.data(one).header].params {
            if let Some(&logged) = entry.params.get(&param) {
                let now = walk.term(0, param);
                all.push(walk.pool.eq(logged, now));
            }
        }
    }
    all
}

/// The iterations that an entry remembers.
fn env_of_entry(walk: &mut Lockstep<'_>, block: Block, entry: &Entry) -> Env<'static> {
    Env {
        thread: 0,
        loops: walk.setting.facts.loops.around(block).collect(),
        params: entry.params.iter().map(|(&param, &term)| (param, term)).collect(),
        initial: None,
        visits: entry.visits.clone(),
        log: None,
        other: None,
        enabled: None,
    }
}

pub(crate) fn logged_own(
    walk: &mut Lockstep<'_>,
    key: Key,
    of: Loop,
    expr: &Expr,
    head: &Head,
) -> Option<TermId> {
    let entry = head.log.get(&key)?.clone();
    let header = walk.setting.facts.loops.data(of).header;
    let env = env_of_entry(walk, header, &entry);
    let holds = expr_in(walk, of, expr, &env)?;
    let mut choices = vec![is_old(walk, key, head)?, holds];
    // A site outside of that loop says nothing about it.
    for (number, site) in walk.sites.clone().into_iter().enumerate() {
        let block = walk.setting.facts.block_of(site.inst)?;
        if site.key == key && !walk.setting.facts.loops.contains(of, block) {
            let number = walk.pool.bv(16, number as u128);
            choices.push(walk.pool.eq(entry.site, number));
        }
    }
    let any = walk.pool.or(&choices);
    Some(walk.pool.implies(entry.flag, any))
}

/// The branches that every way to a block took, with what they tested.
pub(crate) fn passed_branches(walk: &Lockstep<'_>, block: Block) -> Vec<(Value, bool)> {
    let facts = walk.setting.facts;
    let mut found = vec![];
    let mut at = block;
    while let Some(parent) = facts.dominators.immediate(at) {
        if let Terminator::Branch { cond, then, otherwise } = &facts.func.blocks[parent].terminator
            && then.block != otherwise.block
        {
            let leads = |to: Block| {
                let only = facts.func.layout.iter().flat_map(|&from| {
                    facts.func.blocks[from].terminator.edges().into_iter().map(|edge| edge.block)
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
    walk: &mut Lockstep<'_>,
    id: Loop,
    is: &OffsetIs,
    offset: TermId,
    env: &Env<'_>,
) -> Option<TermId> {
    let width = walk.pool.width(offset);
    match is {
        OffsetIs::Compared(cc, expr) => {
            let other = expr_in(walk, id, expr, env)?;
            Some(ops::compare(walk.pool, *cc, offset, other))
        }
        OffsetIs::Congruent(modulus, expr) => {
            let other = expr_in(walk, id, expr, env)?;
            let modulus = walk.pool.bv(width, *modulus);
            let distance = walk.pool.bits().sub(offset, other);
            let rest = walk.pool.bits().urem(distance, modulus);
            let zero = walk.pool.bv(width, 0);
            Some(walk.pool.eq(rest, zero))
        }
        OffsetIs::Component { id: own, rest, stride } => {
            let (own, rest) = (expr_in(walk, id, own, env)?, expr_in(walk, id, rest, env)?);
            let stride = walk.pool.bv(width, *stride);
            let distance = walk.pool.bits().sub(offset, rest);
            let quotient = walk.pool.bits().udiv(distance, stride);
            Some(walk.pool.eq(own, quotient))
        }
        OffsetIs::Any(parts) => {
            let mut any = vec![];
            for part in parts {
                any.push(offset_is(walk, id, part, offset, env)?);
            }
            Some(walk.pool.or(&any))
        }
    }
}

/// What annotations about logs mean. An array that is not logged, because the kernel does
/// not write it, has no pending access.
pub(crate) fn logged_ghost(
    walk: &mut Lockstep<'_>,
    log: &Log,
    kind: GhostKind,
    array: Value,
) -> Option<TermId> {
    let Some(Const::Array(array)) = walk.setting.facts.func.const_of(array) else {
        return None;
    };
    let is_read = matches!(kind, GhostKind::HasRead | GhostKind::ReadOffset);
    let entry = log.get(&(array, if is_read { Kind::Read } else { Kind::Write }));
    if matches!(kind, GhostKind::ReadOffset | GhostKind::WriteOffset) {
        let offset = entry.map(|entry| entry.offset);
        // Where nothing is logged, as shared memory of two blocks, the offset may be any.
        let width = u32::from(walk.setting.facts.module.pointer_width);
        return Some(offset.unwrap_or_else(|| walk.pool.bv_var("watched.nothing", width)));
    }
    Some(match entry {
        Some(entry) => entry.flag,
        None => walk.pool.ff(),
    })
}

fn expr_in(walk: &mut Lockstep<'_>, id: Loop, expr: &Expr, env: &Env<'_>) -> Option<TermId> {
    let header = walk.setting.facts.loops.data(id).header;
    let params = &walk.setting.facts.func.blocks[header].params;
    Some(match expr {
        Expr::Param(number) => *env.params.get(&params[*number])?,
        Expr::Initial(number) => match &env.initial {
            Some(initial) => initial[*number],
            None => initial_in(walk, id, *number, env)?,
        },
        Expr::Value(value) => value_in(walk, *value, env, DEPTH)?,
        Expr::Visits => *env.visits.get(&id)?,
        Expr::Geometry(kind, dim) => {
            walk.geometry.term(&walk.threads[env.thread].terms, *kind, *dim)
        }
        Expr::Const { bits, ty } => ops::constant(walk.pool, *bits, *ty),
        Expr::Binary { op, args, ty } => {
            let (a, b) = (expr_in(walk, id, &args[0], env)?, expr_in(walk, id, &args[1], env)?);
            ops::binary(walk.pool, *op, a, b, *ty)
        }
        Expr::Cast { op, arg, from, to } => {
            let arg = expr_in(walk, id, arg, env)?;
            ops::cast(walk.pool, *op, arg, *from, *to)
        }
        Expr::Compare { cc, args } => {
            let (a, b) = (expr_in(walk, id, &args[0], env)?, expr_in(walk, id, &args[1], env)?);
            ops::compare(walk.pool, *cc, a, b)
        }
        Expr::All(parts) => {
            let terms: Option<Vec<TermId>> =
                parts.iter().map(|part| expr_in(walk, id, part, env)).collect();
            walk.pool.and(&terms?)
        }
        Expr::Any(parts) => {
            let terms: Option<Vec<TermId>> =
                parts.iter().map(|part| expr_in(walk, id, part, env)).collect();
            walk.pool.or(&terms?)
        }
        Expr::Not(part) => {
            let part = expr_in(walk, id, part, env)?;
            walk.pool.not(part)
        }
        Expr::AtMostOneBit(part) => {
            let part = expr_in(walk, id, part, env)?;
            let width = walk.pool.width(part);
            let (one, zero) = (walk.pool.bv(width, 1), walk.pool.bv(width, 0));
            let less = walk.pool.bits().sub(part, one);
            let common = walk.pool.bits().and(part, less);
            walk.pool.eq(common, zero)
        }
        Expr::InHeader { value, params: given } => {
            let mut inner = env.clone();
            for (&param, expr) in params.iter().zip(given) {
                inner.params.insert(param, expr_in(walk, id, expr, env)?);
            }
            value_in(walk, *value, &inner, DEPTH)?
        }
    })
}

/// A parameter on entry to a loop, in the iterations that are given of those around it.
fn initial_in(walk: &mut Lockstep<'_>, id: Loop, number: usize, env: &Env<'_>) -> Option<TermId> {
    let facts = walk.setting.facts;
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
    value_in(walk, only, env, DEPTH)
}

/// A value computed anew; `None` if that needs more than is given.
fn value_in(walk: &mut Lockstep<'_>, value: Value, env: &Env<'_>, depth: u32) -> Option<TermId> {
    let depth = depth.checked_sub(1)?;
    if let Some(term) = walk.constant_term(value) {
        return Some(term);
    }
    if let Some(&term) = env.params.get(&value) {
        return Some(term);
    }
    let facts = walk.setting.facts;
    let is_given = facts
        .homes
        .of(value)
        .is_none_or(|block| !env.loops.iter().any(|&id| facts.loops.contains(id, block)));
    if is_given {
        return walk.threads[env.thread].values.get(&value).copied();
    }
    let ValueDef::Result(inst, lane) = facts.func.values[value] else { return None };
    let data = &facts.func.insts[inst];
    if let InstData::Load { access, ty, .. } = data {
        let is_known = facts.uses.is_never_written(access.array) && !access.volatile;
        let offset = value_in(walk, access.offset, env, depth).filter(|_| is_known)?;
        let place = further(walk, offset, lane * ty.bytes()?);
        return contents_at(walk, env.thread, access, place, *ty);
    }
    if let InstData::Binary { op, args, .. } = data
        && op.may_fail()
        && facts.func.const_bits(args[1]).is_none_or(|bits| bits == 0)
    {
        return None;
    }
    if let InstData::Ghost { kind, args, .. } = data {
        return ghost_value(walk, *kind, args, env, depth);
    }
    let mut of = |lockstep: &mut Lockstep<'_>, arg| value_in(lockstep, arg, env, depth);
    operation_term(walk, env.thread, inst, data, &mut of)
}

fn ghost_value(
    walk: &mut Lockstep<'_>,
    kind: GhostKind,
    args: &[Value],
    env: &Env<'_>,
    depth: u32,
) -> Option<TermId> {
    match kind {
        GhostKind::Enabled => env.enabled,
        GhostKind::SameBlock => {
            (walk.row != Row::Alone).then(|| walk.pool.bool(walk.row == Row::Block))
        }
        GhostKind::Other => {
            let other = env.other.clone()?;
            value_in(walk, args[0], &other, depth)
        }
        GhostKind::HasRead
        | GhostKind::HasWritten
        | GhostKind::ReadOffset
        | GhostKind::WriteOffset => {
            let log = env.log?.clone();
            logged_ghost(walk, &log, kind, args[0])
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
