//! Launch sizes as users write them: `64`, `[16,16]`, `8,8,2`, `[*,4]`.

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

/// Why sizes make no launch.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SizeError {
    /// An opening bracket without its partner.
    #[error("a `]` is missing")]
    Bracket,
    /// A word that is neither a number nor `*`.
    #[error("`{0}` is no size")]
    NotASize(String),
    /// More than x, y and z.
    #[error("there are at most three dimensions")]
    TooMany,
    /// Groups must divide the global size.
    #[error("the global size {global} is not a multiple of the block's size {block}")]
    NotAMultiple {
        /// The global size.
        global: u32,
        /// The block's size.
        block: u32,
    },
    /// A dimension without a thread or a block.
    #[error("a size must be positive")]
    Zero,
    /// CUDA's global ids start at 0.
    #[error("only OpenCL has it")]
    OffsetInCuda,
    /// An offset of any size.
    #[error("it must be given as numbers")]
    OpenOffset,
    /// An offset along other dimensions than the grid has.
    #[error("{offset} has another number of dimensions than the grid {grid}")]
    OffsetRank {
        /// The offset.
        offset: Sizes,
        /// The grid.
        grid: Sizes,
    },
}

/// One of the sizes of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeName {
    /// [`LaunchSizes::block`].
    Block,
    /// [`LaunchSizes::grid`].
    Grid,
    /// [`LaunchSizes::global`].
    Global,
    /// [`LaunchSizes::offset`].
    Offset,
}

/// Which of the sizes makes no launch, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct LaunchError {
    /// Which.
    pub name: SizeName,
    /// Why.
    pub error: SizeError,
}

impl FromStr for Sizes {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Sizes, SizeError> {
        let inner = match text.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']').ok_or(SizeError::Bracket)?,
            None => text,
        };
        let sizes: Vec<Size> = inner.split(',').map(parse_size).collect::<Result<_, _>>()?;
        if sizes.len() > 3 {
            return Err(SizeError::TooMany);
        }
        Ok(Sizes(sizes))
    }
}

fn parse_size(text: &str) -> Result<Size, SizeError> {
    match text.trim() {
        "*" => Ok(Size::Any),
        number => {
            number.parse().map(Size::Number).map_err(|_| SizeError::NotASize(number.to_string()))
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

/// The sizes of a launch, as far as they are given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaunchSizes {
    /// Threads of a block.
    pub block: Option<Sizes>,
    /// Blocks of the grid.
    pub grid: Option<Sizes>,
    /// Threads of the grid; stands in for `grid`.
    pub global: Option<Sizes>,
    /// Added to OpenCL's global ids.
    pub offset: Option<Sizes>,
}

impl LaunchSizes {
    /// Picks the sizes out of options, in the spelling of either language; other
    /// words are left to others.
    pub fn from_options(options: &[String]) -> Result<LaunchSizes, SizeError> {
        let mut sizes = LaunchSizes::default();
        for (name, value) in options.iter().filter_map(|word| word.split_once('=')) {
            let slot = match name {
                "--blockDim" | "--block-dim" | "--local_size" | "--local-size" => &mut sizes.block,
                "--gridDim" | "--grid-dim" | "--num_groups" | "--num-groups" => &mut sizes.grid,
                "--global_size" | "--global-size" => &mut sizes.global,
                "--global_offset" | "--global-offset" => &mut sizes.offset,
                _ => continue,
            };
            *slot = Some(value.parse()?);
        }
        Ok(sizes)
    }

    /// The sizes of the grid: given, or the global size divided by the block's.
    pub fn grid(&self) -> Result<Option<Sizes>, SizeError> {
        let Some(global) = &self.global else { return Ok(self.grid.clone()) };
        let block = self.block.clone().unwrap_or(Sizes(vec![Size::Any]));
        let mut grid = vec![];
        for (dim, &size) in global.0.iter().enumerate() {
            let block = block.0.get(dim).copied().unwrap_or(Size::Number(1));
            grid.push(divide(size, block)?);
        }
        Ok(Some(Sizes(grid)))
    }

    /// Do the sizes make a launch of a kernel in this language?
    ///
    /// # Errors
    /// If not.
    pub fn check(&self, language: Language) -> Result<(), LaunchError> {
        let refused = |name| move |error| LaunchError { name, error };
        for (given, name) in [
            (&self.block, SizeName::Block),
            (&self.grid, SizeName::Grid),
            (&self.global, SizeName::Global),
        ] {
            if given.iter().flat_map(|sizes| &sizes.0).any(|size| *size == Size::Number(0)) {
                return Err(refused(name)(SizeError::Zero));
            }
        }
        let grid = self.grid().map_err(refused(SizeName::Global))?;
        match &self.offset {
            Some(offset) => {
                check_offset(language, offset, grid.as_ref()).map_err(refused(SizeName::Offset))
            }
            None => Ok(()),
        }
    }

    /// The macros that tell a source file its launch.
    pub fn macros(&self, language: Language) -> Vec<String> {
        let grid = self.grid().ok().flatten();
        let (ranks, block_name, grid_name) = match language {
            Language::Cuda => (("THREAD_BLOCK", "GRID"), "BLOCK_DIM", "GRID_DIM"),
            Language::OpenCl => (("WORK_GROUP", "GRID"), "LOCAL_SIZE", "NUM_GROUPS"),
        };
        let mut macros = vec![];
        for (sizes, rank, name) in [(&self.block, ranks.0, block_name), (&grid, ranks.1, grid_name)]
        {
            let Some(sizes) = sizes else { continue };
            macros.push(format!("__{}D_{rank}", sizes.0.len()));
            macros.extend(dimension_macros(name, sizes));
        }
        if language == Language::OpenCl {
            for (sizes, name) in [(&self.global, "GLOBAL_SIZE"), (&self.offset, "GLOBAL_OFFSET")] {
                macros.extend(sizes.iter().flat_map(|sizes| dimension_macros(name, sizes)));
            }
        }
        macros
    }
}

fn check_offset(language: Language, offset: &Sizes, grid: Option<&Sizes>) -> Result<(), SizeError> {
    if language != Language::OpenCl {
        return Err(SizeError::OffsetInCuda);
    }
    if offset.0.contains(&Size::Any) {
        return Err(SizeError::OpenOffset);
    }
    match grid {
        Some(grid) if grid.0.len() != offset.0.len() => {
            Err(SizeError::OffsetRank { offset: offset.clone(), grid: grid.clone() })
        }
        _ => Ok(()),
    }
}

/// The number of blocks that make up a global size.
fn divide(global: Size, block: Size) -> Result<Size, SizeError> {
    match (global, block) {
        (Size::Number(global), Size::Number(block)) if block > 0 && global % block == 0 => {
            Ok(Size::Number(global / block))
        }
        (Size::Number(global), Size::Number(block)) => {
            Err(SizeError::NotAMultiple { global, block })
        }
        _ => Ok(Size::Any),
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

#[cfg(test)]
mod tests {
    use duet_ir::Language;

    use super::{LaunchSizes, Size, SizeError, Sizes};

    fn sizes(options: &str) -> Result<LaunchSizes, SizeError> {
        let words: Vec<String> = options.split_whitespace().map(str::to_string).collect();
        LaunchSizes::from_options(&words)
    }

    #[test]
    fn vectors_in_every_spelling() {
        for (text, shown) in
            [("64", "[64]"), ("[16,16]", "[16,16]"), ("8,8,2", "[8,8,2]"), ("[*, 4]", "[*,4]")]
        {
            assert_eq!(text.parse::<Sizes>().map(|sizes| sizes.to_string()).as_deref(), Ok(shown));
        }
        for text in ["", "[1", "1,2,3,4", "-1", "x", "1,,2"] {
            assert!(text.parse::<Sizes>().is_err(), "{text}");
        }
    }

    #[test]
    fn options_of_both_languages() {
        let cuda = sizes("--blockDim=[8,4] --strict --gridDim=2").expect("sizes");
        assert_eq!(cuda.block, Some(Sizes(vec![Size::Number(8), Size::Number(4)])));
        assert_eq!(
            cuda.macros(Language::Cuda),
            [
                "__2D_THREAD_BLOCK",
                "__BLOCK_DIM_0=8",
                "__BLOCK_DIM_1=4",
                "__1D_GRID",
                "__GRID_DIM_0=2"
            ]
        );
        let opencl = sizes("--local_size=* --num_groups=4 --global_offset=7").expect("sizes");
        assert_eq!(
            opencl.macros(Language::OpenCl),
            [
                "__1D_WORK_GROUP",
                "__LOCAL_SIZE_0_FREE",
                "__1D_GRID",
                "__NUM_GROUPS_0=4",
                "__GLOBAL_OFFSET_0=7"
            ]
        );
        assert_eq!(sizes("--blockDim=1,x"), Err(SizeError::NotASize("x".into())));
    }

    #[test]
    fn a_global_size_is_divided() {
        let grid = |text| sizes(text).expect("sizes").grid();
        let shown = |text| grid(text).map(|grid| grid.expect("a grid").to_string());
        assert_eq!(shown("--local_size=[8,2] --global_size=[64,6]").as_deref(), Ok("[8,3]"));
        assert_eq!(shown("--local_size=[8] --global_size=[64,6]").as_deref(), Ok("[8,6]"));
        assert_eq!(shown("--local_size=* --global_size=64").as_deref(), Ok("[*]"));
        assert_eq!(
            shown("--local_size=7 --global_size=64"),
            Err(SizeError::NotAMultiple { global: 64, block: 7 })
        );
        assert_eq!(grid("--local_size=7"), Ok(None));
    }
}
