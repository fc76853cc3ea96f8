//! A conformance case: one kernel file, read with its header.
//!
//! The format is described in `kernels/conformance/README.md`. Reading is
//! strict: a word that is not understood is an error, never skipped.

use std::path::{Path, PathBuf};

use crate::buffers::{Buffer, Buffers, Element, Fill};

/// A kernel and how to run it.
#[derive(Debug, Clone)]
pub struct Case {
    /// The file's name without `.cl`.
    pub name: String,
    /// The OpenCL source.
    pub source: String,
    /// The name of the one kernel function.
    pub kernel: String,
    /// Sizes of the launch.
    pub launch: Launch,
    /// Arguments in the order of the kernel's parameters.
    pub args: Vec<Arg>,
}

/// Sizes of a launch; absent dimensions have size 1 and offset 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
    /// What `get_work_dim()` returns.
    pub dimensions: usize,
    /// Work-items in a group.
    pub local_size: [usize; 3],
    /// Groups.
    pub num_groups: [usize; 3],
    /// The first global id.
    pub global_offset: [usize; 3],
}

impl Launch {
    /// Work-items in all, by dimension.
    pub fn global_size(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.local_size[d] * self.num_groups[d])
    }
}

/// One argument of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arg {
    /// A pointer to global or constant memory.
    Buffer(BufferSpec),
    /// A pointer to local memory.
    Local(LocalSpec),
    /// A number.
    Scalar(ScalarSpec),
}

impl Arg {
    /// The parameter's name.
    pub fn name(&self) -> &str {
        match self {
            Arg::Buffer(buffer) => &buffer.name,
            Arg::Local(local) => &local.name,
            Arg::Scalar(scalar) => &scalar.name,
        }
    }
}

/// A buffer as the header describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferSpec {
    /// The parameter's name.
    pub name: String,
    /// Type of the elements.
    pub element: Element,
    /// Number of elements.
    pub count: usize,
    /// Contents at the start.
    pub fill: Fill,
}

/// Local memory given as an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSpec {
    /// The parameter's name.
    pub name: String,
    /// Size in bytes.
    pub bytes: usize,
}

/// A scalar argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalarSpec {
    /// The parameter's name.
    pub name: String,
    /// Its type.
    pub element: Element,
    /// Its value, little-endian.
    pub bytes: Vec<u8>,
}

/// Why a file is no conformance case.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file or folder cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// What was to be read.
        path: PathBuf,
        /// Why it could not be.
        source: std::io::Error,
    },
    /// The header is not in the format.
    #[error("{case}: {problem}")]
    Header {
        /// The case's name.
        case: String,
        /// What is wrong, with the offending word.
        problem: String,
    },
}

impl Case {
    /// Reads a case from a file.
    pub fn from_file(path: &Path) -> Result<Case, CaseError> {
        let source = std::fs::read_to_string(path)
            .map_err(|source| CaseError::Read { path: path.to_owned(), source })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Case::parse(&name, &source)
    }

    /// Reads every `.cl` file of a folder, in the order of their names.
    pub fn from_folder(folder: &Path) -> Result<Vec<Case>, CaseError> {
        let read_error = |source| CaseError::Read { path: folder.to_owned(), source };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(read_error)? {
            let path = entry.map_err(read_error)?.path();
            if path.extension().is_some_and(|extension| extension == "cl") {
                paths.push(path);
            }
        }
        paths.sort();
        paths.iter().map(|path| Case::from_file(path)).collect()
    }

    /// Reads a case from its text.
    pub fn parse(name: &str, source: &str) -> Result<Case, CaseError> {
        parse(name, source).map_err(|problem| CaseError::Header { case: name.to_owned(), problem })
    }

    /// The buffers before the run: the same on every machine and in every run.
    pub fn initial_buffers(&self) -> Buffers {
        let fill = |spec: &BufferSpec| {
            let seed = format!("{}/{}", self.name, spec.name);
            Buffer::filled(&spec.name, spec.element, spec.count, spec.fill, &seed)
        };
        Buffers(self.args.iter().filter_map(|arg| buffer_spec(arg).map(fill)).collect())
    }
}

fn buffer_spec(arg: &Arg) -> Option<&BufferSpec> {
    match arg {
        Arg::Buffer(spec) => Some(spec),
        Arg::Local(_) | Arg::Scalar(_) => None,
    }
}

fn parse(name: &str, source: &str) -> Result<Case, String> {
    let mut lines = source.lines();
    if lines.next() != Some("//pass") {
        return Err("the first line is not `//pass`".to_owned());
    }
    let options = lines.next().and_then(|line| line.strip_prefix("//"));
    let launch = parse_launch(options.ok_or("the second line has no launch options")?)?;
    let mut args = Vec::new();
    for word in words_after(source, "// buffers:") {
        args.push(parse_buffer(word)?);
    }
    for word in words_after(source, "// scalars:") {
        args.push(parse_scalar(word)?);
    }
    Ok(Case {
        name: name.to_owned(),
        source: source.to_owned(),
        kernel: kernel_name(source)?,
        launch,
        args,
    })
}

/// The words of every line that starts with `key`.
fn words_after<'a>(source: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    source.lines().filter_map(move |line| line.strip_prefix(key)).flat_map(str::split_whitespace)
}

fn parse_launch(options: &str) -> Result<Launch, String> {
    let mut local_size = None;
    let mut num_groups = None;
    let mut global_offset = None;
    for option in options.split_whitespace() {
        let (key, value) =
            option.split_once('=').ok_or(format!("option `{option}` has no value"))?;
        let slot = match key {
            "--local_size" => &mut local_size,
            "--num_groups" => &mut num_groups,
            "--global_offset" => &mut global_offset,
            _ => return Err(format!("option `{key}` is not for conformance kernels")),
        };
        *slot = Some(parse_sizes(value)?);
    }
    let local_size = local_size.ok_or("no --local_size")?;
    let num_groups = num_groups.ok_or("no --num_groups")?;
    Ok(Launch {
        dimensions: num_groups.len(),
        local_size: extend(&local_size, 1),
        num_groups: extend(&num_groups, 1),
        global_offset: extend(&global_offset.unwrap_or_default(), 0),
    })
}

/// `64`, `[16,16]` or `8,8,2`.
fn parse_sizes(text: &str) -> Result<Vec<usize>, String> {
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let sizes: Result<Vec<usize>, _> = inner.split(',').map(str::parse).collect();
    match sizes {
        Ok(sizes) if sizes.len() <= 3 => Ok(sizes),
        _ => Err(format!("`{text}` is not one to three sizes")),
    }
}

fn extend(sizes: &[usize], missing: usize) -> [usize; 3] {
    std::array::from_fn(|d| sizes.get(d).copied().unwrap_or(missing))
}

/// `name:type:count` with an optional fourth part: a fill, or `local`.
fn parse_buffer(word: &str) -> Result<Arg, String> {
    let wrong = || format!("`{word}` is not name:type:count or name:type:count:fill");
    let parts: Vec<&str> = word.split(':').collect();
    let (name, element, count, fill) = match parts[..] {
        [name, element, count] => (name, element, count, "zero"),
        [name, element, count, fill] => (name, element, count, fill),
        _ => return Err(wrong()),
    };
    let element: Element = element.parse().map_err(|()| format!("`{word}` has an unknown type"))?;
    let count: usize = count.parse().map_err(|_| wrong())?;
    let name = name.to_owned();
    let fill = match fill {
        "local" => return Ok(Arg::Local(LocalSpec { name, bytes: count * element.size() })),
        "zero" => Fill::Zero,
        "random" => Fill::Random,
        "iota" => Fill::Iota,
        "small" => Fill::Small,
        _ => return Err(format!("`{word}` has an unknown fill")),
    };
    Ok(Arg::Buffer(BufferSpec { name, element, count, fill }))
}

/// `name=value` for an int, or `name=value:type`.
fn parse_scalar(word: &str) -> Result<Arg, String> {
    let (name, rest) = word.split_once('=').ok_or(format!("`{word}` is not name=value"))?;
    let (value, element) = rest.split_once(':').unwrap_or((rest, "int"));
    let element: Element = element.parse().map_err(|()| format!("`{word}` has an unknown type"))?;
    let bytes = element.encode(value).ok_or(format!("`{word}` does not fit its type"))?;
    Ok(Arg::Scalar(ScalarSpec { name: name.to_owned(), element, bytes }))
}

/// The name after `void` after the one `__kernel`.
fn kernel_name(source: &str) -> Result<String, String> {
    let mut parts = source.split("__kernel ").skip(1);
    let (Some(declaration), None) = (parts.next(), parts.next()) else {
        return Err("a conformance file has exactly one __kernel function".to_owned());
    };
    let name: Option<String> = declaration.split_once("void").map(|(_, rest)| {
        rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    });
    name.filter(|name| !name.is_empty()).ok_or("the kernel function has no name".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Arg, Case, LocalSpec, ScalarSpec};
    use crate::buffers::Element;

    const GOOD: &str = "//pass\n//--local_size=[8,4] --num_groups=2,3 --global_offset=[5,7]\n\n\
        // buffers: out:int:128 s:short:16:local\n// buffers: a:float:4:small\n\
        // scalars: n=-3 k=200:uchar\n\n\
        __kernel __attribute__((reqd_work_group_size(8, 4, 1))) void\nf(__global int *out) {}\n";

    #[test]
    fn reads_a_header() {
        let case = Case::parse("good", GOOD).expect("a good header");
        assert_eq!(case.kernel, "f");
        assert_eq!(case.launch.dimensions, 2);
        assert_eq!(case.launch.global_size(), [16, 12, 1]);
        assert_eq!(case.launch.global_offset, [5, 7, 0]);
        let names: Vec<&str> = case.args.iter().map(Arg::name).collect();
        assert_eq!(names, ["out", "s", "a", "n", "k"]);
        assert_eq!(case.args[1], Arg::Local(LocalSpec { name: "s".into(), bytes: 32 }));
        let k = ScalarSpec { name: "k".into(), element: Element::U8, bytes: vec![200] };
        assert_eq!(case.args[4], Arg::Scalar(k));
        assert_eq!(case.initial_buffers().0.len(), 2);
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for (from, to, problem) in [
            ("//pass", "// pass", "first line"),
            ("--local_size=[8,4]", "--blockDim=8", "`--blockDim`"),
            ("num_groups=2,3", "num_groups=2,*", "`2,*`"),
            ("out:int:128", "out:int4:128", "unknown type"),
            ("a:float:4:small", "a:float:4:tiny", "unknown fill"),
            ("k=200:uchar", "k=256:uchar", "does not fit"),
            ("__kernel ", "", "exactly one"),
        ] {
            let error = Case::parse("bad", &GOOD.replace(from, to)).expect_err(to).to_string();
            assert!(error.contains(problem), "{to}: {error}");
        }
    }
}
