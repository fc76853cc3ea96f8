//! What a run is given: launch sizes, arguments, array contents, options and
//! limits. Plain data; nothing here runs.

use std::collections::BTreeMap;

/// Sizes of a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Added to OpenCL global ids; cut to 32 bits like every geometry value.
    pub global_offset: [u32; 3],
    /// Number of dimensions that `get_work_dim` reports.
    pub work_dim: u32,
    /// Bytes of dynamic shared memory. `None`: unknown, grows on demand.
    pub dynamic_shared: Option<u64>,
}

impl Launch {
    /// A launch without global offset; the work dimension is the highest
    /// dimension that is not 1.
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> Launch {
        let used = |d: usize| grid[d] > 1 || block[d] > 1;
        let work_dim = if used(2) { 3 } else { 1 + u32::from(used(1)) };
        Launch { grid, block, global_offset: [0; 3], work_dim, dynamic_shared: None }
    }

    /// A launch along x only.
    pub fn linear(blocks: u32, threads: u32) -> Launch {
        Launch::new([blocks, 1, 1], [threads, 1, 1])
    }

    /// The same with a known amount of dynamic shared memory.
    pub fn with_dynamic_shared(mut self, bytes: u64) -> Launch {
        self.dynamic_shared = Some(bytes);
        self
    }

    /// Threads of a block.
    pub fn threads_per_block(&self) -> u64 {
        self.block.iter().map(|&n| u64::from(n)).product()
    }

    /// Blocks of the grid; saturates.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().fold(1, |product, &n| product.saturating_mul(u64::from(n)))
    }

    /// Threads of the grid; saturates.
    pub fn threads(&self) -> u64 {
        self.blocks().saturating_mul(self.threads_per_block())
    }
}

/// Names a parameter or an array.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// By its name in the source.
    Name(String),
    /// By its position among the kernel's parameters.
    Index(usize),
}

impl From<&str> for Key {
    fn from(name: &str) -> Key {
        Key::Name(name.to_string())
    }
}

impl From<usize> for Key {
    fn from(index: usize) -> Key {
        Key::Index(index)
    }
}

/// Initial contents of an array.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Fill {
    /// All bits zero.
    Zero,
    /// Every element is the integer 1 (an element is a granule of the array).
    Ones,
    /// Every byte is this one.
    Byte(u8),
    /// Random bytes, the same for the same seed.
    Random(u64),
    /// Element `i` is the integer `i` (an element is a granule of the array).
    Iota,
    /// Small random numbers, the same for the same seed.
    Small(Small),
    /// These elements by their index, all others zero. Says nothing of a length.
    Cells(BTreeMap<u64, u128>),
    /// These bytes, then zeros. Without a given length the array has just these.
    Bytes(Vec<u8>),
    /// Unknown: the array's initialiser, or what the host filled it with, if that is known,
    /// else random bytes drawn from the run's seed.
    #[default]
    Unknown,
}

/// Small random numbers as contents of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Small {
    /// Where the numbers come from.
    pub seed: u64,
    /// So many different ones are drawn.
    pub below: u32,
    /// What kind of numbers they are.
    pub kind: SmallKind,
}

/// What kind of small numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SmallKind {
    /// Integers from 0 on.
    Natural,
    /// Integers from -1 on.
    Signed,
    /// Floating-point numbers from 0 on, where elements have 4 or 8 bytes.
    Float,
}

/// Contents and length of one array.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArrayInput {
    /// Initial contents.
    pub fill: Fill,
    /// Length in bytes. `None`: the size that the module knows, else that of
    /// `Fill::Bytes`, else unknown: the array is then sparse, grows on demand at
    /// any non-negative offset, and no access to it is out of bounds.
    pub bytes: Option<u64>,
}

impl ArrayInput {
    /// Contents and length in bytes.
    pub fn new(fill: Fill, bytes: u64) -> ArrayInput {
        ArrayInput { fill, bytes: Some(bytes) }
    }
}

/// Arguments of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// Scalar arguments, as bits.
    pub scalars: BTreeMap<Key, u128>,
    /// Arrays, by name or by parameter. Shared and private arrays have no
    /// contents to give, but may be given a length.
    pub arrays: BTreeMap<Key, ArrayInput>,
    /// Pointer parameters that point into another one's array, and how many bytes
    /// from its start (modulo 2^64). Contents and length are that array's.
    pub aliases: BTreeMap<Key, (Key, u64)>,
    /// For scalars not named above. `None`: leaving one out is an error.
    pub other_scalars: Option<u128>,
    /// For arrays not named above.
    pub other_arrays: ArrayInput,
}

impl Inputs {
    /// No arguments.
    pub fn new() -> Inputs {
        Inputs::default()
    }

    /// The same with a scalar argument.
    pub fn scalar(mut self, key: impl Into<Key>, bits: u128) -> Inputs {
        self.scalars.insert(key.into(), bits);
        self
    }

    /// The same with an array.
    pub fn array(mut self, key: impl Into<Key>, fill: Fill, bytes: u64) -> Inputs {
        self.arrays.insert(key.into(), ArrayInput::new(fill, bytes));
        self
    }
}

/// The order in which threads run between barriers. Every order lets every
/// thread run again and again, so that spin loops make progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Schedule {
    /// Block after block, thread after thread, each as far as it gets.
    #[default]
    InOrder,
    /// The same from the last block and thread to the first.
    Reversed,
    /// Random threads of a random window of blocks, preempted at random.
    Seeded(u64),
}

/// Where a run gives up. It then ends with `Status::DidNotFinish`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions of all threads together.
    pub steps: u64,
    /// Instructions of one thread.
    pub thread_steps: u64,
    /// Bytes of memory, for arrays, thread states and the race log.
    pub memory: u64,
    /// Nested calls.
    pub call_depth: u32,
    /// Pairs of accesses in conflict, however often the same two instructions make
    /// them.
    pub conflicts: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 1 << 32,
            thread_steps: 1 << 30,
            memory: 2 << 30,
            call_depth: 256,
            conflicts: u64::MAX,
        }
    }
}

/// How to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunOptions {
    /// Order of the threads.
    pub schedule: Schedule,
    /// Seed of all unknown values: `fresh`, unknown contents, uninitialised
    /// memory. They do not depend on the schedule.
    pub seed: u64,
    /// Where to give up.
    pub limits: Limits,
    /// Look for data races? Off, runs are faster.
    pub races: bool,
    /// `fresh` and other unknown results, and the elements of memory that no thread has
    /// written, are below this, so that they have a chance to be equal. `None`: any
    /// bits.
    pub unknown_below: Option<u32>,
    /// Run only these blocks, by their numbers (x fastest): the start of a run in
    /// which the others come later. Not for kernels with barriers of the grid.
    pub only_blocks: Option<Vec<u32>>,
    /// Of the blocks that run, only these threads, by their numbers in the grid
    /// (block by block, x fastest): likewise the start of a run. Only for kernels in
    /// which no thread waits for another.
    pub only_threads: Option<Vec<u32>>,
    /// Warps of so many threads run in lock step. The order of threads within a
    /// block is then that of lock step.
    pub lock_step: Option<u32>,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            schedule: Schedule::InOrder,
            seed: 0,
            limits: Limits::default(),
            races: true,
            unknown_below: None,
            only_blocks: None,
            only_threads: None,
            lock_step: None,
        }
    }
}

impl RunOptions {
    /// The default options under another schedule.
    pub fn scheduled(schedule: Schedule) -> RunOptions {
        RunOptions { schedule, ..RunOptions::default() }
    }
}

/// A run that could not start.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// The function is not a kernel.
    #[error("`{0}` is not a kernel")]
    NotAKernel(String),
    /// A dimension of the launch is zero.
    #[error("a dimension of the launch is zero")]
    EmptyLaunch,
    /// More threads than the interpreter numbers.
    #[error("a launch of {0} threads is too large to run")]
    TooManyThreads(u64),
    /// Only some blocks are to be run, and this is none of the launch.
    #[error("the launch has no block {0}")]
    NoSuchBlock(u32),
    /// Only some threads are to be run, and the kernel has a place where threads wait
    /// for others.
    #[error("the kernel cannot be run for some threads only: its threads wait for others")]
    ThreadsWait,
    /// The kernel calls functions or has loops with several entries.
    #[error("the kernel cannot be run in lock step")]
    NotInStep,
    /// A scalar argument is missing.
    #[error("no value is given for parameter `{0}`")]
    MissingScalar(String),
    /// An input names nothing in the kernel.
    #[error("an input names `{0}`, which the kernel does not have")]
    UnknownInput(String),
    /// Not two pointer parameters to global memory that the kernel only accesses
    /// memory through.
    #[error("`{0}` cannot be made to point into another parameter's array")]
    NotAliased(String),
    /// The arrays alone exceed the memory limit.
    #[error("the arrays need {needed} bytes; the limit is {limit}")]
    Memory {
        /// Bytes that the arrays need.
        needed: u64,
        /// The limit.
        limit: u64,
    },
}
