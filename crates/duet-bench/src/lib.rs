//! Runs a folder of kernel files and says what came of it.
//!
//! Each file is checked by the `duet` program in a process of its own, so a crash,
//! a kernel that eats memory or one that never ends concerns that file alone. What
//! came of it is a [`Record`]; records are kept as they come ([`Store`]), so an
//! interrupted run goes on where it stopped. Everything else is arithmetic over
//! records: [`Summary`], [`compare()`], and the studies ([`Study`]).
//!
//! This crate never looks into a kernel and never judges one: verdicts are the
//! checker's. It prints nothing; a [`Observer`] is told what happens.

mod chart;
mod compare;
mod csv;
mod find;
mod limits;
mod outcome;
mod page;
mod process;
mod record;
mod run;
mod shard;
mod statistics;
mod store;
mod study;
mod summary;
mod table;

pub use chart::Chart;
pub use compare::{Change, Comparison, compare};
pub use csv::render_csv;
pub use find::{KernelFile, Search, find_kernels};
pub use limits::Limits;
pub use outcome::judge;
pub use page::{Page, Part};
pub use process::{Ended, Finished, run_limited};
pub use record::{Expected, KernelRecord, Outcome, Record};
pub use run::{Configuration, Observer, Plan, Results, run};
pub use shard::Shard;
pub use statistics::{geometric_mean, median, percentile};
pub use store::{ResultFile, Store, StoreError, merge, read_results, write_file, write_results};
pub use study::Study;
pub use summary::{Group, Summary};
pub use table::{Align, Table};
