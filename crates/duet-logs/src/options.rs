//! How accesses are logged, and what is left out, as plain data.

/// How accesses of the first thread are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Instrumenter {
    /// One unknown offset is watched, the same for all arrays.
    #[default]
    WatchdogSingle,
    /// One unknown offset is watched for each array.
    WatchdogMultiple,
    /// Each access may or may not be logged, with its offset; the last one logged counts.
    Original,
}

impl Instrumenter {
    /// Every one, with its name on the command line.
    pub const ALL: [(&'static str, Instrumenter); 3] = [
        ("watchdog-single", Instrumenter::WatchdogSingle),
        ("watchdog-multiple", Instrumenter::WatchdogMultiple),
        ("original", Instrumenter::Original),
    ];
}

/// What is known of the contents of an array that the kernel writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Abstraction {
    /// Between barriers the two threads of a block see one memory.
    #[default]
    Equality,
    /// Nothing: every read yields anything.
    Adversarial,
}

/// How a kernel is checked by logs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogOptions {
    /// How accesses are remembered.
    pub instrumenter: Instrumenter,
    /// What is known of arrays.
    pub abstraction: Abstraction,
    /// Log accesses, and never check them.
    pub only_log: bool,
    /// Threads that take the same way by the uniformity analysis share their symbols.
    pub uniformity: bool,
    /// Arrays that the kernel never writes are not logged.
    pub read_only_arrays: bool,
    /// What a thread stores in its private arrays is known when it loads it.
    pub private_arrays: bool,
}

impl Default for LogOptions {
    fn default() -> LogOptions {
        LogOptions {
            instrumenter: Instrumenter::default(),
            abstraction: Abstraction::default(),
            only_log: false,
            uniformity: true,
            read_only_arrays: true,
            private_arrays: true,
        }
    }
}
