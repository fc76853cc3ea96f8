//! Options that several commands share: the input.
//!
//! | file | holds |
//! |---|---|
//! | `frontend_args` | the file and how it is read |
//! | `sizes` | launch sizes |

pub mod frontend_args;
pub mod sizes;
