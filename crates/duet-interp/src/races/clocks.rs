//! Order by fences and flags: what a thread has learned of others.
//!
//! A *release pattern* is a fence and then a strong write of a flag (an atomic operation, or
//! in CUDA a volatile store). An *acquire pattern* is a strong read that sees that write, or
//! a chain of read-modify-writes that it heads, and then a fence. Where each of the four is
//! in the scope of the other thread, all that came before the first fence happens before all
//! that comes after the second.
//!
//! Each thread has a [`Clock`]: for other threads, the stamp below which their accesses
//! happened before what it does now. Fences and barriers take a stamp each, so that an
//! access is older than a fence exactly if its stamp is smaller. What a release publishes is
//! the clock at its *fence*; it is taken over at the fence of the acquire, not when the flag
//! is read. Barriers join the clocks of all who take part, so chains compose: a block
//! barrier, then a fence and a flag of one thread.
//!
//! A thread that drew from a chain of read-modify-writes and then passed a block barrier
//! without a fence *almost* learned what the chain published. Real code does this; whether
//! it is right is left open, so a race that only this excludes is not reported.
//!
//! So is one that fences of other threads exclude: each thread of a block has a fence, then
//! comes a barrier, and one of them sets the flag; or one reads the flag, then comes a
//! barrier, and each has a fence. A pattern is of one thread, so this is none. But fences
//! that are sequentially consistent, as those of CUDA are, come in one order that does not
//! contradict causality (PTX: Fence-SC order), so that the first precedes the second here as
//! well. The kinds of fences are not told apart in runs.
//!
//! The strong writes to the flag are not part of what a release publishes, since they come
//! behind its fence. But a thread that reads such a write, directly or through a chain of
//! read-modify-writes, has *observed* it, and it comes before all that the reader does from
//! then on, without any fence (PTX: observation order, followed by base causality order). So
//! the last block may reset a counter by a plain store. What came before the write in its own
//! thread is not ordered by this. Writes are counted along their chain, and how far a chain
//! was observed is an entry of the clock, so that it is passed on like everything else.
//!
//! An atomic operation with an order of its own is both at once: it publishes, in its word
//! only, what came before it, or takes over what it reads itself. A compare-and-swap that
//! fails is a read.
//!
//! Only runs of kernels that have fences or such operations keep clocks.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use duet_ir::MemoryOrder;

/// For each thread, the stamp below which its accesses are known; for each chain of writes to
/// a flag, the place below which they were observed.
pub(crate) type Clock = Rc<HashMap<u32, u32>>;

/// Marks the numbers of chains among those of threads.
const CHAIN: u32 = 1 << 31;

/// A place in a chain of writes, of which each reads the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Link {
    chain: u32,
    place: u32,
}

/// Takes over what another clock knows.
fn join(clock: &mut Clock, other: &Clock) {
    if Rc::ptr_eq(clock, other) || other.is_empty() {
        return;
    }
    let known = Rc::make_mut(clock);
    for (&thread, &time) in other.iter() {
        let entry = known.entry(thread).or_default();
        *entry = (*entry).max(time);
    }
}

/// Who is reached by a fence or a strong access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Reach {
    Block,
    Device,
}

/// What the authors of one block published in a flag.
#[derive(Clone, Debug)]
struct Part {
    block: u32,
    /// The clocks at their latest fences: of any scope, and of the device's.
    released: [Clock; 2],
    /// Those at fences that came before by a barrier, which is left open.
    passed: [Clock; 2],
}

/// Does a clock know all that another does?
fn covers(clock: &Clock, other: &Clock) -> bool {
    let knows = |(thread, time): (&u32, &u32)| clock.get(thread).is_some_and(|known| known >= time);
    Rc::ptr_eq(clock, other) || other.iter().all(knows)
}

impl Part {
    /// Was all of it published there before?
    fn is_within(&self, parts: &[Part]) -> bool {
        if self.is_empty() {
            return true;
        }
        let own = parts.iter().find(|part| part.block == self.block);
        own.is_some_and(|own| own.clocks().zip(self.clocks()).all(|(old, new)| covers(old, new)))
    }

    fn clocks(&self) -> impl Iterator<Item = &Clock> {
        self.released.iter().chain(&self.passed)
    }

    fn is_empty(&self) -> bool {
        self.clocks().all(|clock| clock.is_empty())
    }

    /// What a thread of the block may take over at a fence: the two fences must reach each
    /// other.
    fn for_reader(&self, block: u32, fence: Reach) -> Option<&Clock> {
        self.reach_to(block, fence).map(|reach| &self.released[reach as usize])
    }

    /// The same, of what is left open.
    fn passed_to(&self, block: u32, fence: Reach) -> Option<&Clock> {
        self.reach_to(block, fence).map(|reach| &self.passed[reach as usize])
    }

    fn reach_to(&self, block: u32, fence: Reach) -> Option<Reach> {
        if block == self.block {
            return Some(Reach::Block);
        }
        (fence == Reach::Device).then_some(Reach::Device)
    }
}

/// What was seen in a flag, and whether by a read-modify-write.
type Seen = (Rc<Vec<Part>>, bool);

/// What a thread knows and what it has seen.
#[derive(Default, Debug)]
struct Learned {
    known: Clock,
    almost: Clock,
    /// The clocks at its latest fences: of any scope, and of the device's.
    released: [Clock; 2],
    /// The clocks at fences of threads that it passed a barrier with since.
    passed: [Clock; 2],
    /// What it read from flags and has not taken over yet.
    seen: Vec<Seen>,
    /// What threads that it passed a barrier with had read.
    heard: Vec<Seen>,
}

impl Learned {
    /// At a fence that acquires: what was published in what it has seen is known now, and
    /// what is left open is almost known.
    fn acquire(&mut self, block: u32, reach: Reach) {
        let parts = |seen: &[Seen]| -> Vec<Rc<Vec<Part>>> {
            seen.iter().map(|(parts, _)| parts.clone()).collect()
        };
        for part in parts(&self.seen).iter().flat_map(|parts| parts.iter()) {
            if let Some(clock) = part.for_reader(block, reach) {
                join(&mut self.known, clock);
            }
            if let Some(clock) = part.passed_to(block, reach) {
                join(&mut self.almost, clock);
            }
        }
        for part in parts(&self.heard).iter().flat_map(|parts| parts.iter()) {
            for clock in
                part.for_reader(block, reach).into_iter().chain(part.passed_to(block, reach))
            {
                join(&mut self.almost, clock);
            }
        }
        if reach == Reach::Device {
            self.seen.clear();
            self.heard.clear();
        }
    }

    /// At a fence that releases: what is almost known is passed on as such.
    fn release(&mut self, reach: Reach) {
        let reaches = [Reach::Block, Reach::Device].into_iter().filter(|one| *one <= reach);
        for one in reaches {
            self.released[one as usize] = self.known.clone();
            join(&mut self.passed[one as usize], &self.almost);
        }
    }
}

/// A flag: how long it is, who wrote it last, and what its present value publishes.
#[derive(Debug)]
struct Flag {
    len: u32,
    block: u32,
    reach: Reach,
    parts: Rc<Vec<Part>>,
    link: Link,
}

impl Flag {
    /// Do the last write and this access reach each other, and are they of the same bytes?
    fn is_seen_by(&self, access: &Strong) -> bool {
        let is_wide = [self.reach, access.reach] == [Reach::Device; 2];
        self.len == access.len && (self.block == access.block || is_wide)
    }
}

/// An array that flags are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Home {
    Global(u32),
    /// With the block, since each has another one.
    Shared(u32, u32),
}

/// A strong access to a word.
pub(crate) struct Strong {
    pub(crate) thread: u32,
    /// The instruction.
    pub(crate) site: u32,
    /// The thread's block.
    pub(crate) block: u32,
    pub(crate) home: Home,
    pub(crate) offset: u64,
    pub(crate) len: u32,
    pub(crate) reach: Reach,
    pub(crate) order: MemoryOrder,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

/// The clocks of all threads, and the flags of all arrays.
#[derive(Default, Debug)]
pub(crate) struct Clocks {
    threads: HashMap<u32, Learned>,
    /// By array, then by offset.
    flags: HashMap<Home, BTreeMap<u64, Flag>>,
    /// The latest strong write to a word by a thread at an instruction.
    written: HashMap<(Home, u64), HashMap<(u32, u32), Link>>,
    /// How many chains there are.
    chains: u32,
}

/// Bytes before an offset at which a flag that covers it may start.
const LONGEST_FLAG: u64 = 15;

impl Clocks {
    /// A thread passes a fence, which has this stamp: if it acquires, it takes over what it
    /// has seen; if it releases, what it writes from now on publishes what it knows.
    pub(crate) fn fence(
        &mut self,
        thread: u32,
        block: u32,
        (reach, order): (Reach, MemoryOrder),
        time: u32,
    ) {
        let own = self.threads.entry(thread).or_default();
        if order.acquires() {
            own.acquire(block, reach);
        }
        Rc::make_mut(&mut own.known).insert(thread, time);
        if order.releases() {
            own.release(reach);
        }
    }

    /// An acquiring read takes over what was published in what it reads itself. That comes
    /// before the read, too.
    pub(crate) fn acquire(&mut self, access: &Strong) {
        let &Strong { thread, block, home, offset, reach, .. } = access;
        let flag = self.flags.get(&home).and_then(|flags| flags.get(&offset));
        let parts = flag.filter(|flag| flag.is_seen_by(access)).map(|flag| flag.parts.clone());
        let own = self.threads.entry(thread).or_default();
        for part in parts.iter().flat_map(|parts| parts.iter()) {
            if let Some(clock) = part.for_reader(block, reach) {
                join(&mut own.known, clock);
            }
            if let Some(clock) = part.passed_to(block, reach) {
                join(&mut own.almost, clock);
            }
        }
    }

    /// A strong access with an order, which has this stamp. What a releasing write publishes
    /// is seen in its own word only.
    pub(crate) fn ordered(&mut self, access: &Strong, time: u32) {
        let &Strong { thread, reach, order, writes, .. } = access;
        if !(writes && order.releases()) {
            return self.strong(access);
        }
        self.observe(access);
        let own = self.threads.entry(thread).or_default();
        Rc::make_mut(&mut own.known).insert(thread, time);
        let before = own.released.clone();
        let known = own.known.clone();
        own.released[Reach::Block as usize] = known.clone();
        if reach == Reach::Device {
            own.released[Reach::Device as usize] = known;
        }
        self.strong(access);
        self.threads.entry(thread).or_default().released = before;
    }

    /// Threads pass a barrier, which has this stamp: each learns what all of them know.
    pub(crate) fn barrier(&mut self, members: &[(u32, u32)], time: u32) {
        let (mut known, mut almost) = (Clock::default(), Clock::default());
        let (mut passed, mut heard) = (<[Clock; 2]>::default(), vec![]);
        for &(thread, block) in members {
            Rc::make_mut(&mut known).insert(thread, time);
            let Some(own) = self.threads.get(&thread) else { continue };
            join(&mut known, &own.known);
            join(&mut almost, &own.almost);
            for (passed, own) in passed.iter_mut().zip(own.released.iter().zip(&own.passed)) {
                join(passed, own.0);
                join(passed, own.1);
            }
            for one in own.seen.iter().chain(&own.heard) {
                if !heard.iter().any(|(parts, _): &Seen| Rc::ptr_eq(parts, &one.0)) {
                    heard.push(one.clone());
                }
            }
            let drawn = own.seen.iter().filter(|(_, drawn)| *drawn);
            for part in drawn.flat_map(|(parts, _)| parts.iter()) {
                if let Some(clock) = part.for_reader(block, Reach::Device) {
                    join(&mut almost, clock);
                }
            }
        }
        for &(thread, _) in members {
            let own = self.threads.entry(thread).or_default();
            (own.known, own.almost) = (known.clone(), almost.clone());
            (own.passed, own.heard) = (passed.clone(), heard.clone());
        }
    }

    /// A read observes the latest write to the word, and those in whose chain it is; returns
    /// the place of that write.
    fn observe(&mut self, access: &Strong) -> Option<Link> {
        let flag = self.flags.get(&access.home)?.get(&access.offset)?;
        let is_observed = access.reads && flag.is_seen_by(access);
        let Link { chain, place } = Some(flag.link).filter(|_| is_observed)?;
        let own = self.threads.entry(access.thread).or_default();
        if own.known.get(&chain).is_none_or(|&known| known <= place) {
            Rc::make_mut(&mut own.known).insert(chain, place + 1);
        }
        Some(Link { chain, place })
    }

    /// A strong access: a read sees what the word's value publishes, a write publishes.
    pub(crate) fn strong(&mut self, access: &Strong) {
        let &Strong { thread, site, block, home, offset, len, reach, reads, writes, .. } = access;
        let last = self.observe(access);
        let own = self.threads.entry(thread).or_default();
        let flags = self.flags.entry(home).or_default();
        let flag = flags.get(&offset).filter(|flag| flag.is_seen_by(access));
        let before = flag.map(|flag| flag.parts.clone()).unwrap_or_default();
        if reads && !before.is_empty() {
            let same = |(parts, drawn): &Seen| Rc::ptr_eq(parts, &before) && (*drawn || !writes);
            if !own.seen.iter().any(same) {
                own.seen.push((before.clone(), writes));
            }
        }
        if !writes {
            return;
        }
        // A read-modify-write carries on what it has read. A thread that spins with one adds
        // nothing new, and what it has seen must not grow with every iteration.
        let new = Part { block, released: own.released.clone(), passed: own.passed.clone() };
        let parts = match reads && new.is_within(&before) {
            true => before,
            false => {
                let mut parts = if reads { before.to_vec() } else { vec![] };
                if !new.is_empty() {
                    add_part(&mut parts, new);
                }
                Rc::new(parts)
            }
        };
        let link = last.map(|Link { chain, place }| Link { chain, place: place + 1 });
        let link = link.unwrap_or(Link { chain: CHAIN | self.chains, place: 0 });
        self.chains += u32::from(link.place == 0);
        self.written.entry((home, offset)).or_default().insert((thread, site), link);
        forget(flags, offset, len);
        flags.insert(offset, Flag { len, block, reach, parts, link });
    }

    /// A weak write: what was published there is gone.
    pub(crate) fn weak_write(&mut self, home: Home, offset: u64, len: u32) {
        if let Some(flags) = self.flags.get_mut(&home) {
            forget(flags, offset, len);
        }
    }

    /// Does an access of `other` with this stamp happen before what the thread does now, or
    /// is that left open?
    pub(crate) fn is_after(&self, thread: u32, other: u32, time: u32) -> bool {
        let knows = |clock: &Clock| clock.get(&other).is_some_and(|&known| time < known);
        self.threads.get(&thread).is_some_and(|own| knows(&own.known) || knows(&own.almost))
    }

    /// Was the latest strong write of `other` at an instruction to the word observed before
    /// what the thread does now?
    pub(crate) fn has_observed(
        &self,
        thread: u32,
        (home, offset): (Home, u64),
        (other, site): (u32, u32),
    ) -> bool {
        let link = self.written.get(&(home, offset)).and_then(|by| by.get(&(other, site)));
        let known = self.threads.get(&thread).map(|own| &own.known);
        link.zip(known).is_some_and(|(link, known)| {
            known.get(&link.chain).is_some_and(|&observed| link.place < observed)
        })
    }
}

/// Adds what an author published to what others of its block did.
fn add_part(parts: &mut Vec<Part>, new: Part) {
    match parts.iter_mut().find(|old| old.block == new.block) {
        Some(old) => {
            let clocks = old.released.iter_mut().chain(&mut old.passed);
            clocks.zip(new.clocks()).for_each(|(old, new)| join(old, new));
        }
        None => parts.push(new),
    }
}

/// Forgets the flags that the bytes overlap.
fn forget(flags: &mut BTreeMap<u64, Flag>, offset: u64, len: u32) {
    let from = offset.saturating_sub(LONGEST_FLAG);
    let end = offset.saturating_add(u64::from(len));
    let covers = |at: u64, flag: &Flag| at + u64::from(flag.len) > offset;
    let gone = flags.range(from..end).filter(|(at, flag)| covers(**at, flag));
    let gone: Vec<u64> = gone.map(|(at, _)| *at).collect();
    for at in gone {
        flags.remove(&at);
    }
}
