//! What depends on what: blocks on branches ([`ControlDependence`]), values on values
//! ([`DataDependence`]), instructions on the paths to them ([`Paths`]).

mod control;
mod data;
mod paths;

pub use control::{ControlDependence, EdgeId};
pub use data::{DataDependence, decisions, offsets};
pub use paths::{Condition, Paths};
