//! Launch sizes on the command line: `64`, `[16,16]`, `8,8,2`, `[*,4]`.

use std::fmt;
use std::str::FromStr;

use duet_ir::Language;

/// A vector of one to three sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes(pub Vec<Size>);

/// A size along one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// This number.
    Number(u32),
    /// Any positive number.
    Any,
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Sizes, String> {
        let inner = match text.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']').ok_or("a `]` is missing")?,
            None => text,
        };
        let sizes: Vec<Size> = inner.split(',').map(parse_size).collect::<Result<_, _>>()?;
        if sizes.len() > 3 {
            return Err("there are at most three dimensions".into());
        }
        Ok(Sizes(sizes))
    }
}

fn parse_size(text: &str) -> Result<Size, String> {
    match text.trim() {
        "*" => Ok(Size::Any),
        number => {
            number.parse().map(Size::Number).map_err(|_| format!("`{number}` is no size"))
        }
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self
            .0
            .iter()
            .map(|size| match size {
                Size::Number(number) => number.to_string(),
                Size::Any => "*".to_string(),
            })
            .collect();
        write!(f, "[{}]", sizes.join(","))
    }
}

/// Launch sizes, in the spelling of either language.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SizeArgs {
    /// Threads of a block
    #[arg(long, aliases = ["blockDim", "local_size", "local-size"], value_name = "SIZES")]
    pub block_dim: Option<Sizes>,
    /// Blocks of the grid
    #[arg(long, aliases = ["gridDim", "num_groups", "num-groups"], value_name = "SIZES", conflicts_with = "global_size")]
    pub grid_dim: Option<Sizes>,
    /// Threads of the grid: what blocks times threads must come to
    #[arg(long, alias = "global_size", value_name = "SIZES")]
    pub global_size: Option<Sizes>,
    /// Added to OpenCL's global ids
    #[arg(long, alias = "global_offset", value_name = "SIZES")]
    pub global_offset: Option<Sizes>,
}

impl SizeArgs {
    /// The sizes of the grid: given, or the global size divided by the block's.
    pub fn grid(&self) -> Result<Option<Sizes>, String> {
        let Some(global) = &self.global_size else { return Ok(self.grid_dim.clone()) };
        let block = self.block_dim.clone().unwrap_or(Sizes(vec![Size::Any]));
        let mut grid = vec![];
        for (dim, &size) in global.0.iter().enumerate() {
            let block = block.0.get(dim).copied().unwrap_or(Size::Number(1));
            grid.push(match (size, block) {
                (Size::Number(global), Size::Number(block)) if block > 0 && global % block == 0 => {
                    Size::Number(global / block)
                }
                (Size::Number(global), Size::Number(block)) => {
                    return Err(format!(
                        "the global size {global} is not a multiple of the block's size {block}"
                    ));
                }
                _ => Size::Any,
            });
        }
        Ok(Some(Sizes(grid)))
    }

    /// The macros that tell a source file its launch.
    pub fn macros(&self, language: Language) -> Vec<String> {
        let grid = self.grid().ok().flatten();
        let (ranks, block_name, grid_name) = match language {
            Language::Cuda => (("THREAD_BLOCK", "GRID"), "BLOCK_DIM", "GRID_DIM"),
            Language::OpenCl => (("WORK_GROUP", "GRID"), "LOCAL_SIZE", "NUM_GROUPS"),
        };
        let mut macros = vec![];
        for (sizes, rank, name) in
            [(&self.block_dim, ranks.0, block_name), (&grid, ranks.1, grid_name)]
        {
            let Some(sizes) = sizes else { continue };
            macros.push(format!("__{}D_{rank}", sizes.0.len()));
            macros.extend(dimension_macros(name, sizes));
        }
        if language == Language::OpenCl {
            for (sizes, name) in
                [(&self.global_size, "GLOBAL_SIZE"), (&self.global_offset, "GLOBAL_OFFSET")]
            {
                macros.extend(sizes.iter().flat_map(|sizes| dimension_macros(name, sizes)));
            }
        }
        macros
    }
}

/// `__NAME_0=64`, or `__NAME_0_FREE`.
fn dimension_macros(name: &str, sizes: &Sizes) -> Vec<String> {
    let one = |(dim, size): (usize, &Size)| match size {
        Size::Number(number) => format!("__{name}_{dim}={number}"),
        Size::Any => format!("__{name}_{dim}_FREE"),
    };
    sizes.0.iter().enumerate().map(one).collect()
}
