//! What a run is given and what comes of it, as plain data.
//!
//! | file | holds |
//! |---|---|
//! | `launch` | sizes, arguments, contents of arrays, options and limits |
//! | `findings` | each kind of defect, with its threads and instructions |
//! | `outcome` | how the run ended, what it found and left in memory |

pub(crate) mod findings;
pub(crate) mod launch;
pub(crate) mod outcome;
