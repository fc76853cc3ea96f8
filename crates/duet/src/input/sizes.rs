//! Launch sizes on the command line, in the spelling of either language.

use duet_engine::{LaunchError, LaunchSizes, Size, SizeName, Sizes};

/// Threads of a block that today's hardware takes.
const MOST_THREADS: u64 = 1024;

/// Options for launch sizes.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SizeArgs {
    /// Threads of a block
    #[arg(long, aliases = ["blockDim", "local_size", "local-size"], value_name = "SIZES")]
    block_dim: Option<Sizes>,
    /// Blocks of the grid
    #[arg(long, aliases = ["gridDim", "num_groups", "num-groups"], value_name = "SIZES", conflicts_with = "global_size")]
    grid_dim: Option<Sizes>,
    /// Threads of the grid: what blocks times threads must come to
    #[arg(long, alias = "global_size", value_name = "SIZES")]
    global_size: Option<Sizes>,
    /// Added to OpenCL's global ids
    #[arg(long, alias = "global_offset", value_name = "SIZES")]
    global_offset: Option<Sizes>,
}

impl SizeArgs {
    /// The sizes as plain data.
    pub fn sizes(&self) -> LaunchSizes {
        LaunchSizes {
            block: self.block_dim.clone(),
            grid: self.grid_dim.clone(),
            global: self.global_size.clone(),
            offset: self.global_offset.clone(),
        }
    }

    /// What is odd about the sizes, though they make a launch.
    pub fn notes(&self) -> Option<String> {
        let sizes = self.block_dim.as_ref()?.0.iter();
        let threads = sizes.fold(1u64, |all, size| match size {
            Size::Number(number) => all.saturating_mul(u64::from(*number)),
            Size::Any => all,
        });
        (threads > MOST_THREADS).then(|| {
            format!(
                "a block of {threads} threads is more than hardware takes ({MOST_THREADS}): \
                 it is checked as given"
            )
        })
    }
}

/// Why sizes make no launch, with the option that gives them.
pub fn refusal(error: &LaunchError) -> String {
    let option = match error.name {
        SizeName::Block => "--block-dim",
        SizeName::Grid => "--grid-dim",
        SizeName::Global => "--global-size",
        SizeName::Offset => "--global-offset",
    };
    format!("{option}: {error}")
}
