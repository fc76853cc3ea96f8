//! The check of a kernel, under one roof for the shells: what `duet-check` and the crates
//! below it offer to them.

pub use duet_ask::{
    Asked, Likely, Obstacle, Patience, Session, SessionOptions, Variable, WORK, installed_solvers,
};
pub use duet_check::{
    Abstraction, CheckOptions, Encoding, Finding, Instrumenter, KernelReport, LogOptions, Property,
    PropertyReport, PropertyStatus, STRATEGIES, Shortcuts, Strategy, Verdict, Why, check_in_range,
    check_kernel, kernel_conditions, kernel_invariants, kernel_loops, kernel_pairs, log_rules,
};
pub use duet_infer::{
    Composition, Engine, EngineWork, Inference, Invariant, RULES, RuleCount, Selection,
    inference_rules,
};
pub use duet_smt::solver::{SolverError, SolverKind};
pub use duet_smt::{Fence, Prefer};
pub use duet_transform::{AnnotationFilter, AnnotationOptions, select_annotations};
pub use duet_vc::{Position, Scalar, Touched, Witness};

pub use crate::describe::{
    array_name, describe_finding, describe_launch, describe_other_places, missing_restrict,
};
pub use crate::launch::{argument_values, array_sizes, global_size, launch_spec};
