//! Sources that clang rejects and other compilers take: changed copies of files.
//!
//! | what clang says | what is compiled instead |
//! |---|---|
//! | `__device__` is not allowed on a local variable | `__shared__` without `__device__` |
//! | a struct parameter of an OpenCL kernel contains pointers | functions that are marked as kernels, for which there is no such rule |
//! | an attribute list cannot appear here | `__shared__ alignas(16) float s[64]` with an alignment as an attribute of the older kind |
//! | (a template that nothing instantiates) | the file with an instantiation at its end |
//!
//! A copy has the lines and columns of the file, and takes its place under its name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use duet_ir::{Diagnostic, Language};
use inkwell::llvm_sys::LLVMValueKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use crate::llvm::{self, Val};

/// What marks a function as a kernel.
const KERNEL_MARK: &str = "duet.kernel";

/// What a second attempt at compiling does otherwise.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Repair {
    /// Contents that files have instead.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Macros that are defined.
    pub defines: Vec<String>,
}

/// What may help against these errors, if anything.
pub fn repair(errors: &[Diagnostic], source: &Path, language: Language) -> Option<Repair> {
    let mut repair = Repair::default();
    for error in errors {
        let Some(place) = &error.primary else { continue };
        if error.headline.contains("not allowed on non-static local variables") {
            let text = std::fs::read(&place.file).ok()?;
            repair.files.insert(place.file.clone(), without_device_on_shared(text));
        } else if error.headline.contains("kernel parameters may not contain pointers") {
            // A size that the source requires would be lost with the kernel.
            let text = std::fs::read_to_string(source).ok()?;
            let is_sized = text.contains("reqd_work_group_size");
            (language == Language::OpenCl && !is_sized).then_some(())?;
            let mark = format!("__kernel=__attribute__((annotate(\"{KERNEL_MARK}\")))");
            repair.defines = vec![mark, "kernel=__kernel".to_string()];
        } else if error.headline.contains("an attribute list cannot appear here")
            && language == Language::Cuda
        {
            repair.defines = vec!["alignas(x)=__attribute__((aligned(x)))".to_string()];
        }
    }
    (repair != Repair::default()).then_some(repair)
}

/// Blanks `__device__` where `__shared__` stands beside it.
fn without_device_on_shared(mut text: Vec<u8>) -> Vec<u8> {
    const DEVICE: &[u8] = b"__device__";
    const SHARED: &[u8] = b"__shared__";
    let starts: Vec<usize> = (0..text.len()).filter(|&at| text[at..].starts_with(DEVICE)).collect();
    for at in starts {
        let after = text[at + DEVICE.len()..].trim_ascii_start();
        let before = text[..at].trim_ascii_end();
        if after.starts_with(SHARED) || before.ends_with(SHARED) {
            text[at..at + DEVICE.len()].fill(b' ');
        }
    }
    text
}

/// The file with instantiations of these templates at its end.
pub fn instantiating(source: &Path, wanted: &[&str]) -> Option<Repair> {
    let mut text = std::fs::read(source).ok()?;
    for (number, name) in wanted.iter().enumerate() {
        text.extend_from_slice(
            format!("\n#line 1 \"--kernel={}\"\n", name.replace(['"', '\\', '\n'], " ")).as_bytes(),
        );
        text.extend_from_slice(
            format!("__attribute__((unused)) static auto *duet_instantiates_{number} = &{name};\n")
                .as_bytes(),
        );
    }
    let files = BTreeMap::from([(source.to_path_buf(), text)]);
    Some(Repair { files, defines: vec![] })
}

/// Gives the functions that are marked the calling convention of kernels.
pub fn mark_kernels(module: LLVMModuleRef) {
    /// LLVM's number of the convention.
    const SPIR_KERNEL: u32 = 76;
    let named = |value: &Val| value.name() == "llvm.global.annotations";
    let Some(list) = llvm::globals(module).into_iter().find(named) else { return };
    let Some(entries) = list.initializer() else { return };
    for index in 0..entries.ty().len() {
        let Some(entry) = entries.element(index as u32) else { continue };
        let (Some(function), Some(mark)) = (entry.element(0), entry.element(1)) else { continue };
        let function = base(function);
        if function.is_function() && text_of(base(mark)).as_deref() == Some(KERNEL_MARK) {
            // SAFETY: the value is a function of the module, which is alive.
            unsafe { LLVMSetFunctionCallConv(function.0, SPIR_KERNEL) };
        }
    }
}

/// The global behind casts.
fn base(mut value: Val) -> Val {
    while value.kind() == LLVMValueKind::LLVMConstantExprValueKind {
        value = value.operand(0);
    }
    value
}

/// The text that a global holds.
fn text_of(global: Val) -> Option<String> {
    (global.kind() == LLVMValueKind::LLVMGlobalVariableValueKind).then_some(())?;
    let data = global.initializer()?;
    let bytes: Option<Vec<u8>> =
        (0..data.ty().len()).map(|at| Some(data.element(at as u32)?.const_u64()? as u8)).collect();
    let text = String::from_utf8(bytes?).ok()?;
    Some(text.trim_end_matches('\0').to_string())
}

#[cfg(test)]
mod tests {
    use super::without_device_on_shared;

    #[test]
    fn columns_stay_where_they_are() {
        let changed = |text: &str| {
            let text = without_device_on_shared(text.as_bytes().to_vec());
            String::from_utf8(text).expect("text")
        };
        assert_eq!(changed("__device__ __shared__ int s;"), "           __shared__ int s;");
        assert_eq!(changed("__shared__ __device__ int s;"), "__shared__            int s;");
        assert_eq!(
            changed("__device__ int f();\n__shared__ int s;"),
            "__device__ int f();\n__shared__ int s;"
        );
    }
}
