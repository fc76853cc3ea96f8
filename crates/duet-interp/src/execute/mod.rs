//! The run itself. [`engine::Engine`] is its state; the other files add to it what
//! threads do.
//!
//! | file | holds |
//! |---|---|
//! | `setup`, `engine` | how a run begins, its state, how findings are noted |
//! | `thread` | the state of threads and blocks |
//! | `schedule` | who runs when |
//! | `step` | the step loop of one thread |
//! | `access`, `copies` | loads, stores and atomics; asynchronous copies |
//! | `barrier`, `warp` | barriers of blocks and grids; those of warps, and exchanges |
//! | `lockstep`, `flow` | warps in lock step, and the control flow that it needs |
//! | `observer` | hooks for those who watch |

mod access;
mod barrier;
mod copies;
pub(crate) mod engine;
mod flow;
mod lockstep;
pub(crate) mod observer;
mod schedule;
pub(crate) mod setup;
mod step;
mod thread;
mod warp;
