//! The race log against the definition: random straight-line kernels in which
//! every thread goes through the same steps, and a naive check of all pairs of
//! accesses.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;

use common::Text;
use duet_interp::{FindingKind, Inputs, Launch, Limits, RunOptions, Schedule, Site, Status};
use duet_ir::Place;

/// Threads of a block: a whole warp and a bit.
const THREADS: u32 = 34;
const BLOCKS: u32 = 2;
/// The threads (numbers in the block) that make accesses.
const ACTIVE: [u32; 5] = [0, 1, 5, 32, 33];

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, Debug)]
enum What {
    Read,
    Write(u64),
    Atomic { block_scope: bool },
}

#[derive(Clone, Copy, Debug)]
struct Access {
    thread: u32,
    shared: bool,
    offset: u64,
    len: u64,
    what: What,
}

#[derive(Clone, Debug)]
enum Step {
    Access(Access),
    /// Flags of even and of odd threads.
    Block([u32; 2]),
    Warp(u32),
    Grid,
    Return(u32),
}

fn random_access(rng: &mut Rng) -> Access {
    let thread = rng.pick(&ACTIVE) + THREADS * rng.below(u64::from(BLOCKS)) as u32;
    let len = rng.pick(&[1, 2, 4]);
    let what = match rng.below(5) {
        0 | 1 => What::Read,
        2 | 3 => What::Write(rng.pick(&[0, 0x0101_0101, 0x0100])),
        _ => What::Atomic { block_scope: rng.below(2) == 0 },
    };
    let (len, align) =
        if matches!(what, What::Atomic { .. }) { (rng.pick(&[2, 4]), 2) } else { (len, 1) };
    let offset = rng.below(5) / align * align;
    Access { thread, shared: rng.below(2) == 0, offset, len, what }
}

fn random_steps(rng: &mut Rng) -> Vec<Step> {
    (0..4 + rng.below(12))
        .map(|_| match rng.below(12) {
            0 | 1 => Step::Block([rng.below(4) as u32, rng.below(4) as u32]),
            2 => Step::Block([3, 3]),
            3 => Step::Warp(rng.pick(&[0xffff_ffff, 0x3, 0x21, 0x22])),
            4 if rng.below(2) == 0 => Step::Grid,
            5 if rng.below(3) == 0 => Step::Return(random_access(rng).thread),
            _ => Step::Access(random_access(rng)),
        })
        .collect()
}

/// The kernel's text, and the line of each access.
fn to_text(steps: &[Step]) -> (String, Vec<u32>) {
    let mut text = String::from(
        "module cuda 64
array @g global param granule 1
array @s shared local granule 1 size 16
kernel k symbol k (g: @g) {
bb0:
  v0 = thread_id.x
  v1 = block_id.x
  v2 = mul i32 v1, 34
  v3 = add i32 v2, v0
  v4 = trunc v0 to i1
  v5 = and i32 v0, 31
  jump bb1
",
    );
    let (mut block, mut value, mut lines) = (1, 6, vec![]);
    for step in steps {
        let _ = writeln!(text, "bb{block}:");
        let (inner, next) = (block + 1, block + 2);
        let guard = |text: &mut String, thread: u32| {
            let _ = writeln!(text, "  v{value} = icmp eq i32 v3, {thread}");
            let _ = writeln!(text, "  br v{value}, bb{inner}, bb{next}\nbb{inner}:");
        };
        let mut line = 0;
        match step {
            Step::Access(access) => {
                guard(&mut text, access.thread);
                line = text.lines().count() as u32 + 1;
                write_access(&mut text, access, value + 1);
                let _ = writeln!(text, "  jump bb{next}");
            }
            Step::Return(thread) => {
                guard(&mut text, *thread);
                let _ = writeln!(text, "  return");
            }
            Step::Block([even, odd]) => {
                let _ = writeln!(text, "  v{value} = select i32 v4, {odd}, {even}");
                let _ = writeln!(text, "  barrier block v{value}\n  jump bb{next}");
            }
            Step::Grid => {
                let _ = writeln!(text, "  barrier grid\n  jump bb{next}");
            }
            Step::Warp(mask) => {
                let (bit, mask) = (value + 1, *mask as i32);
                let _ = writeln!(text, "  v{value} = lshr i32 {mask}, v5");
                let _ = writeln!(text, "  v{bit} = trunc v{value} to i1");
                let _ = writeln!(text, "  br v{bit}, bb{inner}, bb{next}\nbb{inner}:");
                let _ = writeln!(text, "  barrier warp {mask}\n  jump bb{next}");
            }
        }
        lines.push(line);
        block = next;
        value += 2;
    }
    let _ = writeln!(text, "bb{block}:\n  return\n}}");
    (text, lines)
}

fn write_access(text: &mut String, access: &Access, value: u32) {
    let array = if access.shared { "s" } else { "g" };
    let Access { offset, len, .. } = access;
    let (width, place) = (8 * len, format!("@{array}[{offset}]"));
    let _ = match access.what {
        What::Read => writeln!(text, "  v{value} = load i{width} {place} align 1"),
        What::Write(x) => writeln!(text, "  store i{width} {place}, {} align 1", cut(x, *len)),
        What::Atomic { block_scope } => {
            let scope = if block_scope { "block" } else { "device" };
            writeln!(text, "  v{value} = atomic add {scope} i{width} {place}, 1 align 1")
        }
    };
}

fn cut(x: u64, len: u64) -> u64 {
    x & ((1 << (8 * len)) - 1)
}

/// The definition: which pairs of accesses race, and which of them are benign.
fn naive_races(steps: &[Step], lines: &[u32]) -> BTreeSet<(bool, u32, u32)> {
    let mut races = BTreeSet::new();
    for (i, first) in steps.iter().enumerate() {
        for (j, second) in steps.iter().enumerate().skip(i + 1) {
            let (Step::Access(a), Step::Access(b)) = (first, second) else { continue };
            let alive = !returned(steps, i, a.thread) && !returned(steps, j, b.thread);
            if alive && conflict(a, b) && !ordered(steps, i, j, a, b) {
                races.insert((benign(a, b), lines[i], lines[j]));
            }
        }
    }
    races
}

/// Has the thread returned before step `at`?
fn returned(steps: &[Step], at: usize, thread: u32) -> bool {
    steps[..at].iter().any(|step| matches!(step, Step::Return(who) if *who == thread))
}

fn conflict(a: &Access, b: &Access) -> bool {
    let same_block = a.thread / THREADS == b.thread / THREADS;
    let same_memory = a.shared == b.shared && (!a.shared || same_block);
    let overlap = a.offset < b.offset + b.len && b.offset < a.offset + a.len;
    let reads = |x: &Access| matches!(x.what, What::Read);
    let atomic = |x: &Access| matches!(x.what, What::Atomic { .. });
    let narrow = |x: &Access| matches!(x.what, What::Atomic { block_scope: true });
    let fits = (a.offset, a.len) == (b.offset, b.len) && (same_block || !narrow(a) && !narrow(b));
    a.thread != b.thread
        && same_memory
        && overlap
        && !(reads(a) && reads(b))
        && !(atomic(a) && atomic(b) && fits)
}

fn benign(a: &Access, b: &Access) -> bool {
    let (What::Write(x), What::Write(y)) = (a.what, b.what) else { return false };
    let byte = |access: &Access, value: u64, at: u64| value >> (8 * (at - access.offset)) & 0xff;
    let from = a.offset.max(b.offset);
    let to = (a.offset + a.len).min(b.offset + b.len);
    (from..to).all(|at| byte(a, x, at) == byte(b, y, at))
}

fn ordered(steps: &[Step], i: usize, j: usize, a: &Access, b: &Access) -> bool {
    let (block_a, block_b) = (a.thread / THREADS, b.thread / THREADS);
    let (local_a, local_b) = (a.thread % THREADS, b.thread % THREADS);
    let same_block = block_a == block_b;
    (i + 1..j).any(|at| {
        let here = !returned(steps, at, a.thread) && !returned(steps, at, b.thread);
        here && match steps[at] {
            Step::Grid => true,
            Step::Block(flags) => {
                let covers =
                    |local: u32| flags[local as usize % 2] >> u32::from(!a.shared) & 1 == 1;
                same_block && covers(local_a) && covers(local_b)
            }
            Step::Warp(mask) => {
                let named = |local: u32| mask >> (local % 32) & 1 == 1;
                same_block && local_a / 32 == local_b / 32 && named(local_a) && named(local_b)
            }
            Step::Access(_) | Step::Return(_) => false,
        }
    })
}

/// The races that a run found.
fn found_races(text: &Text, schedule: Schedule) -> BTreeSet<(bool, u32, u32)> {
    let inputs = Inputs::new().array("g", duet_interp::Fill::Zero, 16);
    let limits = Limits { steps: 1 << 20, ..Limits::default() };
    let options = RunOptions { limits, ..RunOptions::scheduled(schedule) };
    let kernel = text.kernel("k").unwrap();
    let launch = Launch::linear(BLOCKS, THREADS);
    let outcome = duet_interp::run(&text.module, kernel, &launch, &inputs, &options).unwrap();
    assert_eq!(outcome.status, Status::Finished);
    let line = |site: Site| text.lines.line_of(Place::Inst(site.func, site.inst));
    let pairs = outcome.findings.iter().filter_map(|finding| {
        let (benign, race) = match &finding.kind {
            FindingKind::Race(race) => (false, race),
            FindingKind::BenignRace(race) => (true, race),
            _ => return None,
        };
        let (a, b) = (line(race.first.site), line(race.second.site));
        Some((benign, a.min(b), a.max(b)))
    });
    pairs.collect()
}

#[test]
fn the_log_finds_the_pairs_of_the_definition() {
    let mut rng = Rng(7);
    let mut total = 0;
    for round in 0..300 {
        let steps = random_steps(&mut rng);
        let (source, lines) = to_text(&steps);
        let text = Text::parse(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        let wanted = naive_races(&steps, &lines);
        total += wanted.len();
        for schedule in [Schedule::InOrder, Schedule::Reversed, Schedule::Seeded(round)] {
            let found = found_races(&text, schedule);
            assert_eq!(found, wanted, "{schedule:?}\n{steps:#?}\n{source}");
        }
    }
    assert!(total > 300, "only {total} races in all the kernels");
}
