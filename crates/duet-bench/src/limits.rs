//! What the check of one file may cost.

use std::time::Duration;

/// What the check of one file may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The process is ended after this time.
    pub wall: Duration,
    /// Address space of each process, in megabytes.
    pub memory_mb: u64,
}

impl Limits {
    /// The time that the checker itself may take for a kernel: a little less than
    /// the fence, so that it can still say what it has not decided.
    pub fn for_checker(&self) -> Duration {
        self.wall.mul_f64(0.9)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { wall: Duration::from_secs(60), memory_mb: 4096 }
    }
}
