//! Renderers of [`duet_ir::Diagnostic`]: text in the style of a compiler, and
//! JSON; of a whole [`Run`]: SARIF, HTML, annotations of GitHub, the list of GitLab; of the reports of a check
//! ([`check`]) and of the interpreter ([`execution`]); and of a terminal's text as a
//! picture. They show what they are given and recompute nothing; what a
//! message says is decided where it is made.
//!
//! The text form is drawn by `annotate-snippets`, the library behind rustc's
//! messages. This crate turns our spans into its snippets: it reads the source
//! file, finds the token that a column names, and copes with files that are
//! missing, not UTF-8, or made of very long lines.

pub mod check;
pub mod execution;
mod fingerprint;
mod github;
mod gitlab;
mod html;
mod human;
mod json;
pub mod prove;
mod read;
mod run;
mod sarif;
mod source;
mod suppress;
mod svg;
mod token;

pub use github::render_github;
pub use gitlab::{merge_gitlab, render_gitlab};
pub use html::render_html;
pub use human::{Options, render_diagnostic, render_diagnostics};
pub use json::{diagnostic_to_json, render_json};
pub use read::run_from_json;
pub use run::{
    KernelResult, Memory, MemoryAccess, Reported, Run, SuppressedBy, Suppression, Witness,
    WitnessThread,
};
pub use sarif::{add_help_uris, merge_sarif, render_sarif};
pub use source::Sources;
pub use suppress::{Baseline, suppress_by_comments};
pub use svg::render_svg;
