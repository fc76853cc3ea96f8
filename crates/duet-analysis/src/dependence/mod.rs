//! What depends on what: blocks on branches ([`ControlDependence`]), values on values
//! ([`DataDependence`]).

mod control;
mod data;

pub use control::{ControlDependence, EdgeId};
pub use data::{DataDependence, decisions, offsets};
