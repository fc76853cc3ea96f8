//! What `duet check` says about kernels: the reports of `duet-engine` as text for
//! people, as JSON, and as a [`Run`](crate::Run) for the other renderers.
//!
//! | file | holds |
//! |---|---|
//! | `text` | verdict, launch, assumptions, details, times |
//! | `json` | all of it as JSON |
//! | `evidence`, `replay` | a run that shows a defect, and the command that repeats it |
//! | `witness` | the same for tables and pictures |
//! | `requires` | a precondition under which a kernel is proved |
//! | `explain` | every question and its answer |
//! | `findings` | the findings with what the user accepts |
//! | `fixes` | suggested lines in the source |
//! | `order_fixes` | lines that may mend an order by fences and flags |

mod evidence;
pub mod explain;
pub mod findings;
pub mod fixes;
mod json;
mod order_fixes;
mod replay;
mod requires;
mod text;
mod witness;

pub use json::{json, unreadable_json};
pub use order_fixes::{Source, order_fixes};
pub use replay::Replay;
pub(crate) use replay::shell_line;
pub use text::{aside, details, diagnostics, generalised, invariants, summary, timings, total};
