//! Reads small sources for the tests.

#![allow(dead_code)] // each test program uses a part

use std::path::Path;

use duet_frontend::{Loaded, Options};
use duet_ir::Diagnostic;

/// Default options, with a cache of the tests' own.
pub fn reading() -> Options {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    Options { cache_dir: Some(cache), ..Options::default() }
}

/// Reads a text as a file of this name.
pub fn load_with(name: &str, text: &str, options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("a file");
    duet_frontend::load(&path, options)
}

/// Reads CUDA that must be read without a message; the IR as text, without
/// locations.
#[track_caller]
pub fn cuda(text: &str) -> String {
    ir(load_with("k.cu", text, &reading()))
}

/// The same for OpenCL.
#[track_caller]
pub fn opencl(text: &str) -> String {
    ir(load_with("k.cl", text, &reading()))
}

/// The IR's text, without locations.
#[track_caller]
pub fn ir(loaded: Result<Loaded, Vec<Diagnostic>>) -> String {
    let loaded = loaded.unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
    assert_eq!(loaded.diagnostics, [], "there are messages");
    let text = loaded.module.to_string();
    let lines = text.lines().filter(|line| !line.starts_with('!') && !line.starts_with("file"));
    lines.map(|line| line.split(" !").next().unwrap_or(line).to_string() + "\n").collect()
}

/// The messages about a source that cannot be read.
#[track_caller]
pub fn errors_of(name: &str, text: &str) -> Vec<Diagnostic> {
    match load_with(name, text, &reading()) {
        Ok(loaded) => panic!("it was read:\n{}", *loaded.module),
        Err(diagnostics) => diagnostics,
    }
}

/// Asserts that each text is a part of the IR.
#[track_caller]
pub fn assert_has(ir: &str, parts: &[&str]) {
    for part in parts {
        assert!(ir.contains(part), "`{part}` is not in\n{ir}");
    }
}

/// Asserts that none of the texts is a part of the IR.
#[track_caller]
pub fn assert_lacks(ir: &str, parts: &[&str]) {
    for part in parts {
        assert!(!ir.contains(part), "`{part}` is in\n{ir}");
    }
}

/// Bitcode of LLVM's text form.
fn bitcode(text: &str) -> Vec<u8> {
    let context = inkwell::context::Context::create();
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    let buffer =
        inkwell::memory_buffer::MemoryBuffer::create_from_memory_range_copy(&bytes, "text");
    let module = context.create_module_from_ir(buffer).expect("valid LLVM IR");
    module.write_bitcode_to_memory().as_slice().to_vec()
}

/// Reads a kernel with a pointer `%p` whose body is LLVM's text form.
pub fn load_llvm(body: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n\
         define ptx_kernel void @k(ptr %p) {{\n{body}\n  ret void\n}}\n\
         declare void @llvm.assume(i1)\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.bc");
    std::fs::write(&path, bitcode(&text)).expect("a file");
    duet_frontend::load(&path, &reading())
}
