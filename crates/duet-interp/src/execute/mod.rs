//! The run itself: a [`schedule::Scheduler`] decides who runs, an `Engine` executes what
//! threads do on a `Memory`, a `RaceLog` knows what is ordered, and a `Recorder` keeps
//! what was found.
//!
//! | file | holds |
//! |---|---|
//! | `setup`, `thread` | how a run begins; the state of threads and blocks |
//! | `schedule` | the scheduler: who runs when |
//! | `barrier`, `warp` | what it does when threads wait: barriers, exchanges |
//! | `lockstep` | warps in lock step, and the control flow that it needs |
//! | `engine`, `step` | the engine, and its loop over the operations of one thread |
//! | `access`, `copies` | loads, stores and atomics; asynchronous copies |
//! | `memory` | instances of arrays |
//! | `race_log` | order between accesses, and conflicts |
//! | `recorder` | findings, and whether the run goes on |
//! | `observer` | hooks for those who watch |

mod access;
mod barrier;
mod copies;
mod engine;
mod lockstep;
mod memory;
pub(crate) mod observer;
mod race_log;
mod recorder;
pub(crate) mod schedule;
pub(crate) mod setup;
mod step;
mod thread;
mod warp;
