//! Sources that clang rejects and other compilers take: changed copies of files.
//!
//! | what clang says | what is compiled instead |
//! |---|---|
//! | `__device__` is not allowed on a local variable | `__shared__` without `__device__` |
//! | a struct parameter of an OpenCL kernel contains pointers | functions that are marked as kernels, for which there is no such rule |
//! | an attribute list cannot appear here | `__shared__ alignas(16) float s[64]` with an alignment as an attribute of the older kind |
//! | invalid % escape in inline assembly string | `asm("mov.u32 %0, %laneid;")` with `%%laneid` |
//! | a reference to a kernel in code of the device | `child<<<1, n>>>(a)` as a call of a function without a body ([`crate::compiler::device_launch`]) |
//! | a header is not found, a name is not declared | declarations of names of which nothing is known ([`crate::compiler::unknown`]) |
//! | an error in the body of a host function | for the device side, the file without that body ([`crate::compiler::host_code`]) |
//! | (a template that nothing instantiates) | the file with an instantiation at its end |
//!
//! A copy has the lines and columns of the file, and takes its place under its name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use duet_ir::{Diagnostic, Language, Rule, SourceSpan};
use inkwell::llvm_sys::LLVMValueKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use crate::compiler::clang::LAUNCHES_KERNEL;
use crate::compiler::unknown::Unknown;
use crate::compiler::{device_launch, headers, host_code};
use crate::llvm::{self, Val};

/// What marks a function as a kernel.
const KERNEL_MARK: &str = "duet.kernel";

/// What a further attempt at compiling does otherwise.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Repair {
    /// Contents that files have instead.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Macros that are defined.
    pub defines: Vec<String>,
    /// Headers and names that are not known.
    pub unknown: Unknown,
    /// Host functions that are read without their bodies: the error, and the head.
    pub without_body: Vec<(Diagnostic, String)>,
    /// Errors about launches by code of the device that became calls.
    pub launches: Vec<Diagnostic>,
}

impl Repair {
    /// What may help against these errors, if anything.
    pub fn further(
        &self,
        errors: &[Diagnostic],
        source: &Path,
        language: Language,
    ) -> Option<Repair> {
        let mut repair = self.clone();
        for error in errors {
            repair.mend(error, source, language)?;
        }
        (repair != *self).then_some(repair)
    }

    /// Takes up what helps against one error; `None` if nothing can help.
    fn mend(&mut self, error: &Diagnostic, source: &Path, language: Language) -> Option<()> {
        let headline = error.headline.as_str();
        let Some(place) = &error.primary else { return Some(()) };
        if headline.contains("not allowed on non-static local variables") {
            let text = self.text(&place.file)?;
            self.files.insert(place.file.clone(), without_device_on_shared(text));
        } else if headline.contains("kernel parameters may not contain pointers") {
            // A size that the source requires would be lost with the kernel.
            let text = std::fs::read_to_string(source).ok()?;
            let is_sized = text.contains("reqd_work_group_size");
            (language == Language::OpenCl && !is_sized).then_some(())?;
            let mark = format!("__kernel=__attribute__((annotate(\"{KERNEL_MARK}\")))");
            self.defines = vec![mark, "kernel=__kernel".to_string()];
        } else if language == Language::Cuda {
            self.mend_cuda(error, place)?;
        }
        Some(())
    }

    fn mend_cuda(&mut self, error: &Diagnostic, place: &SourceSpan) -> Option<()> {
        if error.headline.contains("an attribute list cannot appear here") {
            let alignment = "alignas(x)=__attribute__((aligned(x)))".to_string();
            if !self.defines.contains(&alignment) {
                self.defines.push(alignment);
            }
        } else if error.headline.contains("invalid % escape in inline assembly") {
            let text = self.text(&place.file)?;
            self.files.insert(place.file.clone(), with_percent_signs(&text, place.line));
        } else if error.headline == LAUNCHES_KERNEL {
            let text = self.text(&place.file)?;
            let changed = device_launch::as_call(&text, place.line, place.column)?;
            self.files.insert(place.file.clone(), changed);
            self.launches.push(error.clone());
        } else {
            let text = self.text(&place.file);
            let text = text.as_deref().map(String::from_utf8_lossy);
            self.unknown.learn(error, text.as_deref());
        }
        Some(())
    }

    /// For the device side: the files without the bodies of host functions in which there are
    /// errors. `marks` are the macros that mark a function of the device.
    pub fn without_bodies(
        &self,
        errors: &[Diagnostic],
        marks: &BTreeSet<String>,
    ) -> Option<Repair> {
        let mut repair = self.clone();
        for error in errors {
            let Some(place) = &error.primary else { continue };
            if headers::is_ours(&place.file) {
                continue;
            }
            let Some(text) = repair.text(&place.file) else { continue };
            let blanked = host_code::without_body(&text, place.line, place.column, marks);
            if let Some(blanked) = blanked {
                repair.files.insert(place.file.clone(), blanked.text);
                repair.without_body.push((error.clone(), blanked.head));
            }
        }
        (repair != *self).then_some(repair)
    }

    /// The text of a file as it is compiled.
    fn text(&self, file: &Path) -> Option<Vec<u8>> {
        self.files.get(file).cloned().or_else(|| std::fs::read(file).ok())
    }

    /// What is said about it.
    pub fn notes(&self) -> Vec<Diagnostic> {
        let mut notes = self.unknown.notes();
        notes.extend(self.launches.iter().map(|error| {
            Diagnostic::new(Rule::UnknownFunction, LAUNCHES_KERNEL)
                .at(error.primary.clone())
                .note("nothing is proved of code that launches it, and every kernel is judged for any launch")
                .note("instances of templates that only such launches make are not judged")
        }));
        notes.extend(self.without_body.iter().map(|(error, head)| {
            let headline = format!("the body of the host function `{head}` is not read");
            Diagnostic::new(Rule::MissingHeader, headline)
                .at(error.primary.clone())
                .note(format!("it does not compile: {}", error.headline))
                .note("instances of kernel templates that only it launches are not judged")
        }));
        notes
    }
}

/// Doubles the percent signs of special registers on a line and those that it goes on with.
fn with_percent_signs(text: &[u8], line: u32) -> Vec<u8> {
    let mut changed = vec![];
    for (number, one) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let is_near = (line..line + 8).contains(&(number as u32 + 1));
        for (at, byte) in one.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| one.get(at));
            let is_register = *byte == b'%'
                && before != Some(&b'%')
                && SPECIAL.iter().any(|name| one[at + 1..].starts_with(name.as_bytes()));
            changed.extend((is_near && is_register).then_some(b'%'));
            changed.push(*byte);
        }
    }
    changed
}

/// Special registers of PTX, by the beginnings of their names.
const SPECIAL: &[&str] = &[
    "laneid",
    "lanemask",
    "smid",
    "nsmid",
    "warpid",
    "nwarpid",
    "clock",
    "globaltimer",
    "tid.",
    "ntid.",
    "ctaid.",
    "nctaid.",
    "gridid",
];

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
    Some(Repair { files, ..Repair::default() })
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
