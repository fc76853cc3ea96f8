//! Order by fences and flags against its definition: programs of four threads in two blocks,
//! run in a known order, and an enumeration of all release and acquire patterns. Random
//! programs, and the usual shapes (message passing, store buffering, load buffering, IRIW,
//! coherence, a message through a third thread, one that speaks for its block) with
//! combinations of fences, scopes, orders and threads.
//!
//! The enumeration knows events, program order, which write a read sees, orders and scopes,
//! and closes "happens before" over all pairs. It shares nothing with the clocks.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;

use common::Text;
use duet_interp::{Fill, FindingKind, Inputs, Launch, RunOptions, Schedule, Site, Status};
use duet_ir::Place;

const BLOCKS: usize = 2;
const THREADS: usize = 2;

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Plain,
    Volatile,
    /// In the block's scope only?
    Atomic(bool),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Load(How),
    Store(How),
    /// In the block's scope only?
    Update(bool),
    /// Of the block only?
    Fence(bool),
    /// All threads of all blocks make this step.
    Barrier,
}

/// What a fence or an atomic operation orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Nothing for an operation, both ways for a fence.
    Usual,
    Acquire,
    Release,
    Both,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    thread: usize,
    word: u64,
    what: What,
    order: Order,
}

impl Step {
    fn new(thread: usize, word: u64, what: What) -> Step {
        Step { thread, word, what, order: Order::Usual }
    }
}

fn random_order(rng: &mut Rng) -> Order {
    match rng.below(8) {
        0 => Order::Acquire,
        1 => Order::Release,
        2 => Order::Both,
        _ => Order::Usual,
    }
}

/// Words 0 and 1 are flags, 2 and 3 data.
fn random_step(rng: &mut Rng) -> Step {
    let thread = rng.below((BLOCKS * THREADS) as u64) as usize;
    let narrow = rng.below(4) == 0;
    let flag = rng.below(2);
    let strong = if rng.below(4) == 0 { How::Volatile } else { How::Atomic(narrow) };
    let (word, what) = match rng.below(16) {
        0..=2 => (2 + rng.below(2), What::Load(How::Plain)),
        3..=4 => (2 + rng.below(2), What::Store(How::Plain)),
        5..=8 => (0, What::Fence(narrow)),
        9..=10 => (flag, What::Store(strong)),
        11..=12 => (flag, What::Load(strong)),
        13..=14 => (flag, What::Update(narrow)),
        _ if rng.below(3) == 0 => (flag, What::Store(How::Plain)),
        _ => (0, What::Barrier),
    };
    Step { order: random_order(rng), ..Step::new(thread, word, what) }
}

/// A message from one thread to a later one, perhaps through a third that updates the flag,
/// perhaps with a step left out or a barrier in place of a fence.
fn random_message(rng: &mut Rng) -> Vec<Step> {
    let all = (BLOCKS * THREADS) as u64;
    let from = rng.below(all - 1) as usize;
    let to = from + 1 + rng.below(all - 1 - from as u64) as usize;
    let via = from + rng.below((to - from) as u64 + 1) as usize;
    let (flag, data) = (rng.below(2), 2 + rng.below(2));
    let step = Step::new;
    let mut narrow = || rng.below(6) == 0;
    let written = [What::Store(How::Volatile), What::Store(How::Atomic(narrow()))];
    let read = [What::Load(How::Volatile), What::Load(How::Atomic(narrow()))];
    let updates = [What::Update(narrow()), What::Update(narrow()), What::Update(narrow())];
    let fences = [What::Fence(narrow()), What::Fence(narrow())];
    let pick = |rng: &mut Rng, of: [What; 2], update: What| match rng.below(3) {
        0 => of[0],
        1 => of[1],
        _ => update,
    };
    let mut steps = vec![
        step(from, data, What::Store(How::Plain)),
        step(from, 0, fences[0]),
        step(from, flag, pick(rng, written, updates[0])),
        step(via, flag, updates[1]),
        step(to, flag, pick(rng, read, updates[2])),
        step(to, 0, if rng.below(3) == 0 { What::Barrier } else { fences[1] }),
        step(to, data, What::Load(How::Plain)),
    ];
    if via == from || via == to {
        steps.remove(3);
    }
    for step in &mut steps {
        step.order = random_order(rng);
    }
    // A plain access to the flag by one who may have observed it.
    if rng.below(3) == 0 {
        let what = if rng.below(2) == 0 { What::Load } else { What::Store };
        steps.push(step(to, flag, what(How::Plain)));
    }
    if rng.below(4) == 0 {
        let gone = rng.below(steps.len() as u64) as usize;
        steps.remove(gone);
    }
    for _ in 0..rng.below(4) {
        let at = rng.below(steps.len() as u64 + 1) as usize;
        steps.insert(at, random_step(rng));
    }
    steps
}

fn to_text(steps: &[Step]) -> (String, Vec<u32>) {
    let mut text = String::from(
        "module cuda 64\narray @g global param granule 4\nkernel k symbol k (g: @g) {\nbb0:\n  \
         v0 = thread_id.x\n  v1 = block_id.x\n  v2 = mul i32 v1, 2\n  v3 = add i32 v2, v0\n  \
         jump bb1\n",
    );
    let (mut block, mut value, mut lines) = (1, 4, vec![]);
    for (number, step) in steps.iter().enumerate() {
        let (inner, next) = (block + 1, block + 2);
        let _ = writeln!(text, "bb{block}:");
        if step.what == What::Barrier {
            let _ = writeln!(text, "  barrier block 3\n  jump bb{next}");
            lines.push(0);
        } else {
            let thread = step.thread;
            let _ = writeln!(text, "  v{value} = icmp eq i32 v3, {thread}");
            let _ = writeln!(text, "  br v{value}, bb{inner}, bb{next}\nbb{inner}:");
            lines.push(text.lines().count() as u32 + 1);
            write_step(&mut text, step, value + 1, number + 1);
            let _ = writeln!(text, "  jump bb{next}");
        }
        block = next;
        value += 2;
    }
    let _ = writeln!(text, "bb{block}:\n  return\n}}");
    (text, lines)
}

fn write_step(text: &mut String, step: &Step, value: u32, number: usize) {
    let place = format!("@g[{}]", 4 * step.word);
    let reach = |narrow: bool| if narrow { "block" } else { "device" };
    let order = match step.order {
        Order::Usual => "",
        Order::Acquire => " acquire",
        Order::Release => " release",
        Order::Both => " acq_rel",
    };
    let scope = |narrow: bool| format!("{}{order}", reach(narrow));
    let _ = match step.what {
        What::Load(How::Plain) => writeln!(text, "  v{value} = load i32 {place} align 4"),
        What::Load(How::Volatile) => {
            writeln!(text, "  v{value} = load i32 {place} align 4 volatile")
        }
        What::Load(How::Atomic(narrow)) => {
            writeln!(text, "  v{value} = atomic load {} i32 {place} align 4", scope(narrow))
        }
        What::Store(How::Plain) => writeln!(text, "  store i32 {place}, {number} align 4"),
        What::Store(How::Volatile) => {
            writeln!(text, "  store i32 {place}, {number} align 4 volatile")
        }
        What::Store(How::Atomic(narrow)) => writeln!(
            text,
            "  v{value} = atomic store {} i32 {place}, {number} align 4",
            scope(narrow)
        ),
        What::Update(narrow) => {
            writeln!(text, "  v{value} = atomic add {} i32 {place}, 1 align 4", scope(narrow))
        }
        What::Fence(narrow) => writeln!(text, "  fence {}", scope(narrow)),
        What::Barrier => Ok(()),
    };
}

/// An event of the run: who, and which step.
#[derive(Clone, Copy)]
struct Event {
    thread: usize,
    step: usize,
    what: What,
    word: u64,
    order: Order,
}

impl Event {
    fn block(&self) -> usize {
        self.thread / THREADS
    }

    fn writes(&self) -> bool {
        matches!(self.what, What::Store(_) | What::Update(_))
    }

    fn reads(&self) -> bool {
        matches!(self.what, What::Load(_) | What::Update(_))
    }

    /// None if it is weak; else whether it is strong in the block only.
    fn narrow(&self) -> Option<bool> {
        match self.what {
            What::Load(How::Atomic(narrow)) | What::Store(How::Atomic(narrow)) => Some(narrow),
            What::Update(narrow) | What::Fence(narrow) => Some(narrow),
            What::Load(How::Volatile) | What::Store(How::Volatile) => Some(false),
            What::Load(How::Plain) | What::Store(How::Plain) | What::Barrier => None,
        }
    }

    /// Does it take over what was published, by itself?
    fn acquires(&self) -> bool {
        match self.what {
            What::Fence(_) => self.order != Order::Release,
            What::Load(How::Atomic(_)) | What::Update(_) => {
                matches!(self.order, Order::Acquire | Order::Both)
            }
            What::Load(_) | What::Store(_) | What::Barrier => false,
        }
    }

    /// Does it publish, by itself or in what is written later?
    fn releases(&self) -> bool {
        match self.what {
            What::Fence(_) => self.order != Order::Acquire,
            What::Store(How::Atomic(_)) | What::Update(_) => {
                matches!(self.order, Order::Release | Order::Both)
            }
            What::Load(_) | What::Store(_) | What::Barrier => false,
        }
    }

    fn is_morally_strong_with(&self, other: &Event) -> bool {
        let same = self.block() == other.block();
        match (self.narrow(), other.narrow()) {
            (Some(one), Some(two)) => same || !one && !two,
            _ => false,
        }
    }
}

/// The events in the order of the run: block by block, between barriers thread by thread.
fn run_in_order(steps: &[Step]) -> Vec<Event> {
    let mut events = vec![];
    for block in 0..BLOCKS {
        let phases = steps.iter().enumerate().collect::<Vec<_>>();
        for phase in phases.split_inclusive(|(_, step)| step.what == What::Barrier) {
            for thread in block * THREADS..(block + 1) * THREADS {
                let own = phase
                    .iter()
                    .filter(|(_, step)| step.thread == thread || step.what == What::Barrier);
                events.extend(own.map(|&(number, step)| Event {
                    thread,
                    step: number,
                    what: step.what,
                    word: step.word,
                    order: step.order,
                }));
            }
        }
    }
    events
}

/// The write that the event at this place sees, if any.
fn seen(events: &[Event], at: usize) -> Option<usize> {
    (0..at).rev().find(|&n| events[n].writes() && events[n].word == events[at].word)
}

/// The writes that precede a read in observation order.
fn observed(events: &[Event], read: usize) -> Vec<usize> {
    let mut found = vec![];
    let mut at = read;
    while let Some(write) = seen(events, at) {
        if !events[write].is_morally_strong_with(&events[at]) {
            break;
        }
        found.push(write);
        if !matches!(events[write].what, What::Update(_)) {
            break;
        }
        at = write;
    }
    found
}

/// Happens before, as a matrix. With `lenient`, a read-modify-write acquires at the next
/// barrier even without a fence, and fences are those that come before the write and behind
/// the read by a barrier, too.
fn happens_before(events: &[Event], lenient: bool) -> Vec<Vec<bool>> {
    let count = events.len();
    let mut before = vec![vec![false; count]; count];
    for a in 0..count {
        for b in 0..count {
            let (one, two) = (&events[a], &events[b]);
            let in_program = one.thread == two.thread && a < b;
            let at_barrier =
                one.what == What::Barrier && one.step == two.step && one.block() == two.block();
            before[a][b] = in_program || at_barrier;
        }
    }
    let mut by_barriers = before.clone();
    close(&mut by_barriers);
    for read in (0..count).filter(|&n| events[n].reads()) {
        for write in observed(events, read) {
            synchronise(events, write, read, lenient, &mut before);
            if lenient {
                synchronise_fences(events, write, read, &by_barriers, &mut before);
            }
        }
    }
    close(&mut before);
    before
}

fn close(before: &mut [Vec<bool>]) {
    let count = before.len();
    for via in 0..count {
        for a in 0..count {
            for b in 0..count {
                before[a][b] |= before[a][via] && before[via][b];
            }
        }
    }
}

fn is_fence(event: &Event) -> bool {
    matches!(event.what, What::Fence(_))
}

fn synchronise(
    events: &[Event],
    write: usize,
    read: usize,
    lenient: bool,
    before: &mut [Vec<bool>],
) {
    let is_release = |&n: &usize| {
        let own = events[n].thread == events[write].thread && is_fence(&events[n]);
        events[n].releases() && (n == write || own && n < write)
    };
    for release in (0..=write).filter(is_release) {
        for acquire in read..events.len() {
            let one = &events[acquire];
            let own = one.thread == events[read].thread && acquire > read;
            let by_order = one.acquires()
                && (acquire == read || own && is_fence(one))
                && events[release].is_morally_strong_with(one);
            let narrow = events[release].narrow() == Some(true);
            let is_reached = !narrow || events[release].block() == one.block();
            let by_barrier = lenient
                && own
                && one.what == What::Barrier
                && matches!(events[read].what, What::Update(_))
                && is_reached;
            before[release][acquire] |= by_order || by_barrier;
        }
    }
}

/// Fences before the write and behind the read, in whatever thread.
fn synchronise_fences(
    events: &[Event],
    write: usize,
    read: usize,
    by_barriers: &[Vec<bool>],
    before: &mut [Vec<bool>],
) {
    let fences = || (0..events.len()).filter(|&n| is_fence(&events[n]));
    let first = |&n: &usize| {
        n == write && events[n].releases() || events[n].releases() && by_barriers[n][write]
    };
    let second = |&n: &usize| {
        n == read && events[n].acquires() || events[n].acquires() && by_barriers[read][n]
    };
    for release in fences().chain([write]).filter(first) {
        for acquire in fences().chain([read]).filter(second) {
            before[release][acquire] |= events[release].is_morally_strong_with(&events[acquire]);
        }
    }
}

/// Causality order: happens before, and what was observed before that. It is not transitive.
fn caused(events: &[Event], before: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    let mut caused = before.clone();
    for read in (0..events.len()).filter(|&n| events[n].reads()) {
        for write in observed(events, read) {
            for (after, is_after) in before[read].iter().enumerate() {
                caused[write][after] |= is_after;
            }
        }
    }
    caused
}

/// The racing pairs by their lines.
fn races(events: &[Event], lines: &[u32], lenient: bool) -> BTreeSet<(u32, u32)> {
    let before = caused(events, happens_before(events, lenient));
    let mut found = BTreeSet::new();
    for a in 0..events.len() {
        for b in a + 1..events.len() {
            let (one, two) = (&events[a], &events[b]);
            let is_access = |event: &Event| event.reads() || event.writes();
            let conflict = is_access(one)
                && is_access(two)
                && one.word == two.word
                && one.thread != two.thread
                && (one.writes() || two.writes());
            if conflict && !before[a][b] && !one.is_morally_strong_with(two) {
                let (x, y) = (lines[one.step], lines[two.step]);
                found.insert((x.min(y), x.max(y)));
            }
        }
    }
    found
}

fn found_races(text: &Text) -> BTreeSet<(u32, u32)> {
    let inputs = Inputs::new().array("g", Fill::Zero, 16);
    let options = RunOptions::scheduled(Schedule::InOrder);
    let kernel = text.kernel("k").expect("the kernel");
    let launch = Launch::linear(BLOCKS as u32, THREADS as u32);
    let outcome = duet_interp::run(&text.module, kernel, &launch, &inputs, &options).expect("runs");
    assert_eq!(outcome.status, Status::Finished);
    let line = |site: Site| text.lines.line_of(Place::Inst(site.func, site.inst));
    let pairs = outcome.findings.iter().filter_map(|finding| match &finding.kind {
        FindingKind::Race(race) | FindingKind::BenignRace(race) => {
            let (a, b) = (line(race.first.site), line(race.second.site));
            Some((a.min(b), a.max(b)))
        }
        _ => None,
    });
    pairs.collect()
}

/// What came of a program: was a race there, and is one excused by the lenient order?
struct Outcome {
    strict: usize,
    lenient: usize,
}

/// What is strictly unordered and not excused by the lenient order is reported, and nothing
/// else.
fn compare(steps: &mut Vec<Step>) -> Outcome {
    // Clocks are kept in kernels that have fences.
    steps.push(Step::new(0, 0, What::Fence(false)));
    let (source, lines) = to_text(steps);
    let text = Text::parse(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let events = run_in_order(steps);
    let (strict, lenient) = (races(&events, &lines, false), races(&events, &lines, true));
    assert_eq!(found_races(&text), lenient, "{steps:#?}\n{source}");
    Outcome { strict: strict.len(), lenient: lenient.len() }
}

#[test]
fn clocks_order_what_the_patterns_order() {
    let mut rng = Rng(11);
    let (mut ordered, mut excused, mut racing) = (0, 0, 0);
    for round in 0..6000 {
        let count = 4 + rng.below(14);
        let mut steps: Vec<Step> = match round % 3 {
            0 => (0..count).map(|_| random_step(&mut rng)).collect(),
            _ => random_message(&mut rng),
        };
        let outcome = compare(&mut steps);
        let is_fence = |step: &Step| matches!(step.what, What::Fence(_));
        let mut plain: Vec<Step> = steps.iter().copied().filter(|step| !is_fence(step)).collect();
        plain.iter_mut().for_each(|step| step.order = Order::Usual);
        let (_, plain_lines) = to_text(&plain);
        let unordered = races(&run_in_order(&plain), &plain_lines, false).len();
        ordered += usize::from(unordered > outcome.strict);
        excused += usize::from(outcome.lenient < outcome.strict);
        racing += usize::from(outcome.lenient > 0);
    }
    assert!(ordered > 1000 && excused > 50 && racing > 1000, "{ordered} {excused} {racing}");
}

/// A step of a shape: of which role, and what is done.
#[derive(Clone, Copy)]
enum Part {
    /// A plain store or load of the data word.
    Put(u64),
    Get(u64),
    /// A strong write, read or update of the flag.
    Set(u64),
    Look(u64),
    Draw(u64),
    /// A place for a fence.
    Gap,
    /// A barrier of the block.
    Meet,
}

/// The shapes, as the parts of each role. Words 0 and 1 are flags, 2 and 3 data.
fn shapes() -> Vec<(&'static str, Vec<Vec<Part>>)> {
    use Part::{Draw, Gap, Get, Look, Meet, Put, Set};
    vec![
        ("message", vec![vec![Put(2), Gap, Set(0)], vec![Look(0), Gap, Get(2)]]),
        ("counted", vec![vec![Put(2), Gap, Draw(0)], vec![Draw(0), Gap, Get(2)]]),
        (
            "store buffering",
            vec![
                vec![Put(2), Set(0), Gap, Look(1), Get(3)],
                vec![Put(3), Set(1), Gap, Look(0), Get(2)],
            ],
        ),
        (
            "load buffering",
            vec![
                vec![Get(2), Look(0), Gap, Set(1), Put(3)],
                vec![Get(3), Look(1), Gap, Set(0), Put(2)],
            ],
        ),
        (
            "IRIW",
            vec![
                vec![Put(2), Gap, Set(0)],
                vec![Put(3), Gap, Set(1)],
                vec![Look(0), Gap, Look(1), Get(2), Get(3)],
                vec![Look(1), Gap, Look(0), Get(3), Get(2)],
            ],
        ),
        (
            "coherence",
            vec![vec![Set(0), Set(0), Gap], vec![Look(0), Gap, Look(0)], vec![Set(0), Look(0)]],
        ),
        (
            "relay",
            vec![vec![Put(2), Gap, Set(0)], vec![Look(0), Gap, Set(1)], vec![Look(1), Gap, Get(2)]],
        ),
        ("chain", vec![vec![Put(2), Gap, Set(0)], vec![Draw(0)], vec![Look(0), Gap, Get(2)]]),
        (
            "broken chain",
            vec![vec![Put(2), Gap, Set(0)], vec![Look(0), Set(0)], vec![Look(0), Gap, Get(2)]],
        ),
        (
            "for the block",
            vec![
                vec![Put(2), Gap, Meet],
                vec![Meet, Gap, Set(0)],
                vec![Look(0), Gap],
                vec![Meet, Gap, Get(2)],
            ],
        ),
    ]
}

/// The steps of a shape: every part as its choice says, roles in the order of the threads.
fn steps_of(roles: &[Vec<Part>], threads: &[usize], choices: &mut Rng, all: &mut u64) -> Vec<Step> {
    let mut digit = |base: u64| {
        let digit = if *all > 0 { *all % base } else { choices.below(base) };
        *all /= base;
        digit
    };
    let orders = [Order::Usual, Order::Acquire, Order::Release, Order::Both];
    let mut steps: Vec<Step> = vec![];
    // Barriers are made by both threads of a block: what comes behind one comes later.
    let mut late = vec![];
    for (role, &thread) in roles.iter().zip(threads) {
        let mut is_late = false;
        for &part in role {
            let narrow = digit(3) == 0;
            let order = orders[digit(4) as usize];
            let (word, what) = match part {
                Part::Put(word) => (word, What::Store(How::Plain)),
                Part::Get(word) => (word, What::Load(How::Plain)),
                Part::Set(word) if digit(3) == 0 => (word, What::Store(How::Volatile)),
                Part::Set(word) => (word, What::Store(How::Atomic(narrow))),
                Part::Look(word) if digit(3) == 0 => (word, What::Load(How::Volatile)),
                Part::Look(word) => (word, What::Load(How::Atomic(narrow))),
                Part::Draw(word) => (word, What::Update(narrow)),
                Part::Gap if digit(4) == 0 => continue,
                Part::Gap => (0, What::Fence(narrow)),
                Part::Meet => {
                    is_late = true;
                    continue;
                }
            };
            let step = Step { order, ..Step::new(thread, word, what) };
            if is_late { late.push(step) } else { steps.push(step) }
        }
    }
    if !late.is_empty() {
        steps.push(Step::new(0, 0, What::Barrier));
    }
    steps.extend(late);
    steps
}

/// The usual shapes with combinations of fences, scopes, orders and threads.
#[test]
fn usual_shapes_are_ordered_as_enumerated() {
    let mut rng = Rng(7);
    let (mut programs, mut ordered, mut racing) = (0, 0, 0);
    for (_, roles) in shapes() {
        for number in 0..600 {
            // Any threads, in any order: so a flag is seen before and after it is set.
            let mut threads: Vec<usize> = (0..BLOCKS * THREADS).collect();
            for at in (1..threads.len()).rev() {
                threads.swap(at, rng.below(at as u64 + 1) as usize);
            }
            let mut all = number;
            let mut steps = steps_of(&roles, &threads[..roles.len()], &mut rng, &mut all);
            let outcome = compare(&mut steps);
            ordered += usize::from(outcome.strict == 0);
            racing += usize::from(outcome.lenient > 0);
            programs += 1;
        }
    }
    assert!(programs >= 6000 && ordered > 500 && racing > 1000, "{programs} {ordered} {racing}");
}
