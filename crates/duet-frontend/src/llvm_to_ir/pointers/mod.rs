//! What pointers point into.
//!
//! | file | holds |
//! |---|---|
//! | `arrays` | the arrays of a module |
//! | `points_to` | which of them a pointer may point into |
//! | `slots` | which bytes of a private array an access may touch |

pub mod arrays;
pub mod points_to;
mod slots;
