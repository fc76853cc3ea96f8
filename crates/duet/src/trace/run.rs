//! A program run with the layer between it and its OpenCL or CUDA.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::ending;

/// The library's name.
const LIBRARY: &str = "libduet_layer.so";

/// Runs a program; what it does is recorded in the folder. How it ends is only noted: what it
/// did until then was recorded. `quiet_output`: its output goes where messages go.
pub fn run(folder: &Path, via: &str, words: &[String], quiet_output: bool) -> Result<(), String> {
    let [program, arguments @ ..] = words else { return Err("no program is named".to_string()) };
    let library = library()?;
    let shown = folder.display();
    std::fs::create_dir_all(folder).map_err(|error| format!("{shown}: {error}"))?;
    let mut items = std::fs::read_dir(folder).map_err(|error| format!("{shown}: {error}"))?;
    if items.next().is_some() {
        return Err(format!("{shown} is not empty; name another folder with --out"));
    }
    let folder = folder.canonicalize().map_err(|error| format!("{shown}: {error}"))?;
    let mut command = Command::new(program);
    command.args(arguments).env("DUET_TRACE", &folder);
    let is_layer = match via {
        "layer" => true,
        "preload" => false,
        _ => !uses_cuda(program) && loader_has_layers(),
    };
    let variable = if is_layer { "OPENCL_LAYERS" } else { "LD_PRELOAD" };
    command.env(variable, with_others(&library, variable));
    if quiet_output {
        command.stdout(Stdio::from(std::io::stderr()));
    }
    let status = ending::with_signals(&mut command)
        .status()
        .map_err(|error| format!("{program}: {error}"))?;
    if !status.success() {
        eprintln!("note: {program} did not end well ({status}); what it did is checked");
    }
    Ok(())
}

/// Does the program name a library of CUDA? If it has the runtime inside, that is told: calls
/// within a program cannot be seen.
fn uses_cuda(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).map(|folder| folder.join(program));
    let places = std::iter::once(PathBuf::from(program)).filter(|_| program.contains('/'));
    let Some(bytes) = places.chain(folders).find_map(|place| std::fs::read(place).ok()) else {
        return false;
    };
    let names = |word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
    if names(b"libcuda.so") && !names(b"libcudart.so") && names(b"cudaLaunchKernel") {
        eprintln!("note: {program} has the CUDA runtime inside; link it with `-cudart shared`");
    }
    names(b"libcudart.so") || names(b"libcuda.so") || names(b"libnvrtc.so")
}

/// The library before those that the user has there.
fn with_others(library: &Path, variable: &str) -> std::ffi::OsString {
    let mut value = library.as_os_str().to_os_string();
    if let Some(others) = std::env::var_os(variable).filter(|others| !others.is_empty()) {
        value.push(":");
        value.push(others);
    }
    value
}

/// The library: where the variable `DUET_LAYER` says, beside a program that was built here, or
/// in the installation.
fn library() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("DUET_LAYER").filter(|named| !named.is_empty()) {
        let path = PathBuf::from(named);
        return match path.is_file() {
            true => path.canonicalize().map_err(|error| error.to_string()),
            false => Err(format!("DUET_LAYER names {}, which is not there", path.display())),
        };
    }
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let program = program.map_err(|error| error.to_string())?;
    let folder = program.parent().unwrap_or(Path::new("/"));
    let places = [
        folder.join("deps").join(LIBRARY),
        folder.join(LIBRARY),
        folder.join("../lib/duet").join(LIBRARY),
    ];
    places.into_iter().find(|place| place.is_file()).ok_or_else(|| {
        format!("{LIBRARY} is missing; it belongs to the installation, or DUET_LAYER names it")
    })
}

/// Does the loader of OpenCL that programs find know layers? If none is found, programs bring
/// their own, and a layer is worth a try.
fn loader_has_layers() -> bool {
    let given = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let usual = [
        format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH),
        format!("/lib/{}-linux-gnu", std::env::consts::ARCH),
        "/usr/local/lib".to_string(),
        "/usr/lib64".to_string(),
        "/usr/lib".to_string(),
    ];
    let folders = std::env::split_paths(&given).chain(usual.iter().map(PathBuf::from));
    let loaders = folders.map(|folder| folder.join("libOpenCL.so.1"));
    let Some(bytes) = loaders.into_iter().find_map(|path| std::fs::read(path).ok()) else {
        return true;
    };
    let word = b"OPENCL_LAYERS";
    bytes.windows(word.len()).any(|window| window == word)
}
