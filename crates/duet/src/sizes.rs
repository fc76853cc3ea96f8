//! Launch sizes on the command line, in the spelling of either language.

use duet_engine::{LaunchSizes, Size, Sizes};
use duet_ir::Language;

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

    /// The sizes, if they make a launch of a kernel in this language.
    pub fn checked(&self, language: Language) -> Result<LaunchSizes, String> {
        let sizes = self.sizes();
        for (given, name) in [
            (&sizes.block, "--block-dim"),
            (&sizes.grid, "--grid-dim"),
            (&sizes.global, "--global-size"),
        ] {
            let zero = given.iter().flat_map(|sizes| &sizes.0).any(|size| *size == Size::Number(0));
            if zero {
                return Err(format!("{name}: a size must be positive"));
            }
        }
        let grid = sizes.grid().map_err(|error| format!("--global-size: {error}"))?;
        if let Some(offset) = &sizes.offset {
            check_offset(language, offset, grid.as_ref())
                .map_err(|error| format!("--global-offset: {error}"))?;
        }
        Ok(sizes)
    }
}

fn check_offset(language: Language, offset: &Sizes, grid: Option<&Sizes>) -> Result<(), String> {
    if language != Language::OpenCl {
        return Err("only OpenCL has it".to_string());
    }
    if offset.0.contains(&Size::Any) {
        return Err("it must be given as numbers".to_string());
    }
    match grid {
        Some(grid) if grid.0.len() != offset.0.len() => {
            Err(format!("{offset} has another number of dimensions than the grid {grid}"))
        }
        _ => Ok(()),
    }
}
