//! Which accesses are ordered: time stamps of barriers and who took part.
//!
//! Every barrier instance, of whatever scope, gets the next value of one clock
//! when it is released; an access carries the clock's value when it is made. So
//! an access of thread A comes before an instance exactly if its stamp is
//! smaller, and two accesses are ordered exactly if the earlier one's stamp is
//! smaller than that of the latest instance in which both threads took part and
//! which covers the array's space for both. Ordering is not transitive through
//! third threads: DESIGN, meaning 6, asks for a barrier that both take part in.

/// A set of numbers.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    pub(crate) fn insert(&mut self, n: u32) {
        let word = (n / 64) as usize;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (n % 64);
    }

    pub(crate) fn contains(&self, n: u32) -> bool {
        self.0.get((n / 64) as usize).is_some_and(|word| word >> (n % 64) & 1 == 1)
    }

    /// Is every member of `other` a member?
    fn includes(&self, other: &BitSet) -> bool {
        other.0.iter().enumerate().all(|(n, &word)| word & !self.0.get(n).unwrap_or(&0) == 0)
    }
}

/// The spaces that barriers order, as indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fenced {
    Shared,
    Global,
    /// OpenCL's images, which barriers order by a flag of their own.
    Images,
}

impl Fenced {
    /// How many there are.
    pub(crate) const COUNT: usize = 3;
}

/// Time stamps of warp barriers: for each pair of lanes, the latest with both.
type LanePairs = [[u32; 32]; 32];

/// An instance that some threads of the group did not take part in, or whose
/// flags did not cover a space for all: for each space, who is covered.
#[derive(Clone, Debug)]
pub(crate) struct Partial {
    time: u32,
    covered: [BitSet; Fenced::COUNT],
}

/// Adds an instance; it makes those useless whose members it includes.
fn push_partial(list: &mut Vec<Partial>, new: Partial) {
    list.retain(|old| {
        !(0..Fenced::COUNT).all(|space| new.covered[space].includes(&old.covered[space]))
    });
    list.push(new);
}

/// The latest instance that covers both numbers for the space; 0 if none does.
fn latest_with(list: &[Partial], space: Fenced, a: u32, b: u32) -> u32 {
    let both = |partial: &&Partial| {
        let covered = &partial.covered[space as usize];
        covered.contains(a) && covered.contains(b)
    };
    list.iter().rev().find(both).map_or(0, |partial| partial.time)
}

/// The barriers that one block has passed.
#[derive(Default, Debug)]
pub(crate) struct BlockOrder {
    /// Latest instance with all threads, by space.
    all: [u32; Fenced::COUNT],
    partial: Vec<Partial>,
    warps: Vec<Option<Box<LanePairs>>>,
}

impl BlockOrder {
    /// Records a block barrier; `covered` holds the threads (numbers within the
    /// block) that took part with flags that cover each space.
    pub(crate) fn barrier(&mut self, time: u32, covered: [BitSet; Fenced::COUNT], threads: u32) {
        let full = |space: usize| (0..threads).all(|thread| covered[space].contains(thread));
        let full = [full(0), full(1), full(2)];
        for (all, _) in self.all.iter_mut().zip(full).filter(|(_, full)| *full) {
            *all = time;
        }
        if full == [true; Fenced::COUNT] {
            self.partial.clear();
        } else {
            push_partial(&mut self.partial, Partial { time, covered });
        }
    }

    /// Records a warp barrier among the lanes of `mask`.
    pub(crate) fn warp_barrier(&mut self, time: u32, warp: u32, mask: u32) {
        let warp = warp as usize;
        if warp >= self.warps.len() {
            self.warps.resize(warp + 1, None);
        }
        let pairs = self.warps[warp].get_or_insert_with(|| Box::new([[0; 32]; 32]));
        for a in lanes(mask) {
            for b in lanes(mask) {
                pairs[a as usize][b as usize] = time;
            }
        }
    }

    /// Latest block barrier with every thread of the block.
    pub(crate) fn all(&self, space: Fenced) -> u32 {
        self.all[space as usize]
    }

    /// Latest instance that orders two threads of the block.
    fn between(&self, space: Fenced, a: u32, b: u32) -> u32 {
        let mut time = self.all[space as usize];
        if !self.partial.is_empty() {
            time = time.max(latest_with(&self.partial, space, a, b));
        }
        if !self.warps.is_empty() && a / 32 == b / 32 {
            let pairs = self.warps.get((a / 32) as usize).and_then(Option::as_ref);
            time = time.max(pairs.map_or(0, |pairs| pairs[a as usize % 32][b as usize % 32]));
        }
        time
    }
}

/// The lanes of a mask.
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = u32> {
    (0..32).filter(move |lane| mask >> lane & 1 == 1)
}

/// The barriers of the whole grid, and the clock.
#[derive(Default, Debug)]
pub(crate) struct GridOrder {
    /// Stamp of accesses made now.
    pub(crate) clock: u32,
    /// Latest grid barrier with all threads.
    all: u32,
    partial: Vec<Partial>,
}

impl GridOrder {
    /// The stamp of a new barrier instance; `None` when the clock has run out.
    pub(crate) fn tick(&mut self) -> Option<u32> {
        self.clock = self.clock.checked_add(1)?;
        Some(self.clock)
    }

    /// Records a grid barrier; `members` are the threads that took part.
    pub(crate) fn barrier(&mut self, time: u32, members: BitSet, threads: u32) {
        if (0..threads).all(|thread| members.contains(thread)) {
            self.all = time;
            self.partial.clear();
        } else {
            push_partial(
                &mut self.partial,
                Partial { time, covered: std::array::from_fn(|_| members.clone()) },
            );
        }
    }
}

/// An asynchronous copy, as far as ordering goes: who has waited for it, when.
#[derive(Clone, Default, Debug)]
pub(crate) struct Waits(Vec<(u32, u32)>);

impl Waits {
    pub(crate) fn push(&mut self, thread: u32, time: u32) {
        self.0.push((thread, time));
    }

    /// Has someone waited before this time?
    pub(crate) fn before(&self, time: u32) -> bool {
        self.0.iter().any(|&(_, waited)| waited < time)
    }
}

/// The point of view of the thread that runs: decides which earlier accesses of
/// others come before its next one.
pub(crate) struct Now<'a> {
    /// The thread.
    pub(crate) thread: u32,
    /// First thread of its block, and how many threads a block has.
    pub(crate) block_first: u32,
    pub(crate) block_threads: u32,
    pub(crate) single_block: bool,
    pub(crate) block: &'a BlockOrder,
    pub(crate) grid: &'a GridOrder,
}

impl Now<'_> {
    /// The latest barrier that this thread and `other` took part in.
    pub(crate) fn latest(&self, other: u32, space: Fenced) -> u32 {
        let mut time = self.grid.all;
        if !self.grid.partial.is_empty() {
            time = time.max(latest_with(&self.grid.partial, space, self.thread, other));
        }
        let within = other.wrapping_sub(self.block_first);
        if within < self.block_threads {
            let own = self.thread - self.block_first;
            time = time.max(self.block.between(space, own, within));
        }
        time
    }

    /// Accesses stamped below this are ordered before everything that any thread
    /// that could conflict with them does from now on.
    pub(crate) fn settled(&self, space: Fenced) -> u32 {
        match space {
            Fenced::Shared => self.grid.all.max(self.block.all(space)),
            Fenced::Global | Fenced::Images if self.single_block => {
                self.grid.all.max(self.block.all(space))
            }
            Fenced::Global | Fenced::Images => self.grid.all,
        }
    }

    /// Does an asynchronous copy come before what this thread does now: has it
    /// waited itself, or met one who had waited at a later barrier?
    pub(crate) fn after_copy(&self, waits: &Waits, space: Fenced) -> bool {
        waits
            .0
            .iter()
            .any(|&(waiter, time)| waiter == self.thread || time < self.latest(waiter, space))
    }
}
