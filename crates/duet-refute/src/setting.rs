//! The [`Setting`]: what a kernel is run for, and what counts as a defect.

use duet_ask::Likely;
use duet_vc::LaunchSpec;

/// What a kernel is run for, and what counts as a defect.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The launch; runs choose the sizes that are free.
    pub launch: LaunchSpec,
    /// Threads of the whole grid along each dimension, where they are given while
    /// the block's size is free: blocks times threads come to this.
    pub global_size: [Option<u32>; 3],
    /// Values of scalar parameters, by position among them.
    pub scalar_args: Vec<Option<u128>>,
    /// Sizes in bytes of the arrays that pointer parameters point to, by position
    /// among them.
    pub array_sizes: Vec<Option<u64>>,
    /// Different pointers may point into the same memory.
    pub may_alias: bool,
    /// Threads of a warp, if warps run in lock step.
    pub warp_sync: Option<u32>,
    /// Two writes of the same value are no race.
    pub tolerate_benign: bool,
    /// Only races within a block count.
    pub only_intra_group: bool,
    /// No race counts.
    pub only_divergence: bool,
    /// A thread that returns before a barrier is a defect in CUDA too.
    pub strict: bool,
    /// An access outside its array is a defect.
    pub check_bounds: bool,
    /// A launch with arguments that is run before all others.
    pub likely: Option<Likely>,
}
