//! From addresses to files and lines: the program's debug information, read by a program of
//! LLVM's. Where there is none, a place is an address in a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use duet_engine::programs::HostPlace;
use duet_tools::Tool;

const SYMBOLIZER: Tool = Tool { name: "llvm-symbolizer-19", variable: "DUET_SYMBOLIZER" };

/// An address of code, and the file that it is in.
#[derive(Clone, Debug)]
pub struct Code {
    /// The file of the program or library.
    pub file: PathBuf,
    /// Where the file begins in memory.
    pub base: u64,
}

/// The places of addresses.
#[derive(Default)]
pub struct Places {
    codes: BTreeMap<u64, Code>,
    /// With the symbol of the function.
    known: BTreeMap<u64, (HostPlace, String)>,
}

impl Places {
    /// Notes what an address is in.
    pub fn note(&mut self, address: u64, code: Code) {
        self.codes.insert(address, code);
    }

    /// Looks up the places of all addresses, the addresses of a file at once.
    pub fn look_up(&mut self) {
        let mut by_file: BTreeMap<PathBuf, Vec<(u64, u64)>> = BTreeMap::new();
        for (&address, code) in self.codes.iter().filter(|(_, code)| !is_between(&code.file)) {
            // The address is behind the call.
            let base = if is_fixed(&code.file) { 0 } else { code.base };
            let inside = address.saturating_sub(1).saturating_sub(base);
            by_file.entry(code.file.clone()).or_default().push((address, inside));
        }
        for (file, addresses) in by_file {
            let lines = lines(&file, &addresses);
            for (at, &(address, inside)) in addresses.iter().enumerate() {
                let (function, line) = lines.get(at).cloned().unwrap_or_default();
                let place = line.unwrap_or_else(|| {
                    let name = file.file_name().unwrap_or_default().to_string_lossy();
                    let file = PathBuf::from(format!("{name}+{inside:#x}"));
                    HostPlace { file, line: 0, column: 0 }
                });
                self.known.insert(address, (place, function));
            }
        }
    }

    /// The program's own places on the stack, the innermost first: neither ours nor OpenCL's,
    /// nor in functions that CUDA's compilers make for a launch of the kernel, and those with
    /// a line outside of the system's files if there are any. There is at least one.
    pub fn places(&self, frames: &[u64], kernel: &str) -> Vec<HostPlace> {
        let is_systems = |address: &u64| {
            let file = self.codes.get(address).map(|code| code.file.as_path());
            file.is_none_or(|file| ["/lib", "/usr"].iter().any(|root| file.starts_with(root)))
        };
        let own = frames.iter().filter(|address| !is_systems(address));
        let texts: Vec<HostPlace> = own
            .filter_map(|address| self.known.get(address))
            .filter(|(_, function)| !is_made_for(function, kernel))
            .map(|(place, _)| place)
            .filter(|place| place.line > 0 && !place.file.starts_with("/usr"))
            .cloned()
            .collect();
        if !texts.is_empty() {
            return texts;
        }
        let first = frames.iter().find_map(|address| self.known.get(address));
        let unknown = || HostPlace { file: "unknown place".into(), line: 0, column: 0 };
        vec![first.map(|(place, _)| place.clone()).unwrap_or_else(unknown)]
    }
}

/// Did a compiler of CUDA make the function for launches of the kernel?
fn is_made_for(function: &str, kernel: &str) -> bool {
    function == kernel
        || function.contains("__device_stub_")
        || function.contains("cudaLaunchKernel")
}

/// Does the file lie between the program and its OpenCL or CUDA?
fn is_between(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    ["libduet_layer.so", "libOpenCL.so", "libcudart.so", "libcuda.so"]
        .iter()
        .any(|library| name.starts_with(library))
}

/// Is it a program that is always at the same place in memory?
fn is_fixed(file: &Path) -> bool {
    use std::io::Read;
    let mut head = [0u8; 18];
    let read = std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head[..4] == *b"\x7fELF" && head[16] == 2
}

/// The functions and lines of addresses in a file; no line where there is no debug information.
fn lines(file: &Path, addresses: &[(u64, u64)]) -> Vec<(String, Option<HostPlace>)> {
    let Ok(found) = duet_tools::find(SYMBOLIZER, None) else { return vec![] };
    let mut command = Command::new(found.program);
    command.args(["--output-style=GNU", "--no-inlines", "--functions=linkage", "-e"]).arg(file);
    command.args(addresses.iter().map(|(_, inside)| format!("{inside:#x}")));
    let Ok(output) = command.output() else { return vec![] };
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().collect();
    let pair = |pair: &[&str]| match pair {
        [function, line] => (function.trim().to_string(), place(line)),
        _ => Default::default(),
    };
    lines.chunks(2).map(pair).collect()
}

/// `/home/me/main.c:12`.
fn place(line: &str) -> Option<HostPlace> {
    let (file, number) = line.trim().rsplit_once(':')?;
    let number = number.split_whitespace().next()?.parse().ok().filter(|&number| number > 0)?;
    Some(HostPlace { file: file.into(), line: number, column: 0 })
}
