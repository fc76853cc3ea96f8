//! Launches that are given on the command line or in the project file:
//! `--launch 'k<<<[4,4],[16,16]>>>(n=1024,m=*)'`.

use std::str::FromStr;

use duet_engine::check::{CheckOptions, launch_spec};
use duet_engine::load::LoadedFile;
use duet_engine::{LaunchSizes, Sizes};
use duet_ir::{Func, Function, ScalarParam};

use super::Args;
use super::args::names;
use super::program::Subject;

/// A launch of a kernel: blocks, threads, and values of scalar parameters by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenLaunch {
    kernel: String,
    grid: Sizes,
    block: Sizes,
    /// No value: any.
    arguments: Vec<(String, Option<i128>)>,
}

impl FromStr for GivenLaunch {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenLaunch, String> {
        const FORM: &str = "a launch looks like `kernel<<<GRID, BLOCK>>>(name=VALUE, ...)`";
        let (kernel, rest) = text.split_once("<<<").ok_or(FORM)?;
        let (sizes, arguments) = rest.split_once(">>>").ok_or(FORM)?;
        let kernel = kernel.trim();
        if kernel.is_empty() {
            return Err("the kernel's name is missing".to_string());
        }
        let [grid, block] = parts(sizes)[..] else { return Err(FORM.to_string()) };
        let size = |text: &str| text.trim().parse::<Sizes>().map_err(|error| error.to_string());
        Ok(GivenLaunch {
            kernel: kernel.to_string(),
            grid: size(grid)?,
            block: size(block)?,
            arguments: arguments_of(arguments.trim())?,
        })
    }
}

/// The parts between commas that are in no bracket.
fn parts(text: &str) -> Vec<&str> {
    let mut found = vec![];
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

/// `(n=1024,m=*)`, or nothing.
fn arguments_of(text: &str) -> Result<Vec<(String, Option<i128>)>, String> {
    let inner = match text {
        "" => return Ok(vec![]),
        _ => text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')),
    };
    let inner = inner.ok_or_else(|| format!("`{text}` is no list of arguments in parentheses"))?;
    let words = inner.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(argument).collect()
}

fn argument(word: &str) -> Result<(String, Option<i128>), String> {
    let (name, value) =
        word.split_once('=').ok_or_else(|| format!("`{word}` is not of the form name=VALUE"))?;
    let (name, value) = (name.trim().to_string(), value.trim());
    if value == "*" {
        return Ok((name, None));
    }
    let (sign, digits) = value.strip_prefix('-').map_or((1, value), |digits| (-1, digits));
    let number = match digits.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    };
    let number = number.ok_or_else(|| format!("`{value}` is neither a number nor `*`"))?;
    Ok((name, Some(sign * number)))
}

impl GivenLaunch {
    /// The sizes as plain data.
    fn sizes(&self) -> LaunchSizes {
        let (grid, block) = (Some(self.grid.clone()), Some(self.block.clone()));
        LaunchSizes { grid, block, ..LaunchSizes::default() }
    }

    /// The values of the kernel's scalar parameters, in order.
    fn values(&self, func: &Function) -> Result<Vec<Option<u128>>, String> {
        let scalars: Vec<ScalarParam<'_>> = func.scalar_params().collect();
        let mut values = vec![None; scalars.len()];
        for (name, value) in &self.arguments {
            let at = scalars.iter().position(|param| param.name == *name);
            let at = at.ok_or_else(|| {
                format!("--launch: kernel `{}` has no scalar parameter `{name}`", func.name)
            })?;
            let Some(value) = *value else { continue };
            let width = scalars[at].ty.bits().unwrap_or(64).min(127);
            let fits = value >= -(1 << (width - 1)) && value < 1 << width;
            if !fits {
                return Err(format!("--launch: {value} does not fit into `{name}`"));
            }
            values[at] = Some(value as u128 & ((1 << width) - 1));
        }
        Ok(values)
    }
}

/// The kernels as the given launches run them; others are not checked.
pub fn subjects(args: &Args, loaded: &LoadedFile) -> Result<Vec<Subject>, String> {
    let module = &loaded.module;
    let mut found = vec![];
    for launch in &args.launches {
        let fits = |kernel: &Func| names(&module.functions[*kernel], &launch.kernel);
        let kernels: Vec<Func> = loaded.kernels().into_iter().filter(fits).collect();
        if kernels.is_empty() && !args.is_one_of_many {
            return Err(format!("--launch: there is no kernel `{}`", launch.kernel));
        }
        for kernel in kernels {
            let func = &module.functions[kernel];
            let sizes = launch.sizes();
            sizes.check(module.language).map_err(|error| format!("--launch: {error}"))?;
            let usual = args.options(module, kernel, &sizes)?;
            let scalar_args = launch.values(func)?;
            let options = CheckOptions { scalar_args, launch: launch_spec(func, &sizes), ..usual };
            found.push(Subject::new(kernel, options));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::GivenLaunch;

    #[test]
    fn launches_are_read_as_cuda_writes_them() {
        let launch: GivenLaunch = "k<int><<<[4,4], *>>>(n=-1, m=*)".parse().expect("a launch");
        assert_eq!(launch.kernel, "k<int>");
        assert_eq!(launch.grid.to_string(), "[4,4]");
        assert_eq!(launch.block.to_string(), "[*]");
        assert_eq!(launch.arguments, [("n".to_string(), Some(-1)), ("m".to_string(), None)]);
        assert!("k<<<1, 2>>>".parse::<GivenLaunch>().is_ok());
        for wrong in ["k", "k<<<1>>>", "<<<1,2>>>", "k<<<1,2>>>(n)", "k<<<1,2>>>(n=x)", "k<<<1,2"] {
            assert!(wrong.parse::<GivenLaunch>().is_err(), "{wrong}");
        }
    }
}
