//! Fills the templates in.

use std::fmt::Write;

use duet_ir::{ArrayOrigin, Function, Language, Module, Space};

use super::buffers::Reach;
use super::{Argument, Compiling, Passed, Watched};
use crate::Evidence;

/// How the program for OpenCL is built.
pub(super) const BUILD_OPENCL: &str = "cc -o repro repro.c -lOpenCL";

/// Annotations that stand where a statement or an operand stands.
const STATEMENTS: [&str; 18] = [
    "requires",
    "global_requires",
    "ensures",
    "global_ensures",
    "assume",
    "invariant",
    "global_invariant",
    "candidate_invariant",
    "candidate_global_invariant",
    "assert",
    "global_assert",
    "candidate_assert",
    "candidate_global_assert",
    "unsafe_assert",
    "unsafe_global_assert",
    "requires_fresh_array",
    "function_wide_invariant",
    "function_wide_candidate_invariant",
];

/// All that goes into a template.
pub(super) struct Template<'a> {
    pub module: &'a Module,
    pub func: &'a Function,
    pub evidence: &'a Evidence,
    pub compiling: &'a Compiling<'a>,
    pub arguments: Vec<Argument<'a>>,
    pub watched: Option<Watched>,
    pub reach: Reach,
}

impl Template<'_> {
    /// The program for OpenCL.
    pub(super) fn opencl(&self) -> String {
        let launch = &self.evidence.run.launch;
        let global =
            [0, 1, 2].map(|dim| u64::from(launch.block[dim]) * u64::from(launch.grid[dim]));
        let mut hidden = String::new();
        for line in hidden_annotations().lines() {
            let _ = writeln!(hidden, "    {}", quoted(&format!("{line}\n")));
        }
        self.common(include_str!("opencl.c"))
            .replace("@BUILD@", BUILD_OPENCL)
            .replace("@SOURCE@", "kernel.cl")
            .replace("@DIMENSIONS@", &launch.work_dim.clamp(1, 3).to_string())
            .replace("@OFFSET@", &list(&launch.global_offset.map(u64::from)))
            .replace("@GLOBAL@", &list(&global))
            .replace("@OPTIONS@", &quoted(&self.build_options()))
            .replace("@HIDDEN@", hidden.trim_end())
            .replace("@ORDERS@", &orders())
    }

    /// The program for CUDA.
    pub(super) fn cuda(&self) -> String {
        let launch = &self.evidence.run.launch;
        let shared = self.reach.dynamic_shared(self.module, &self.evidence.run);
        self.common(include_str!("cuda.cu"))
            .replace("@BUILD@", &self.build_cuda())
            .replace("@SOURCE@", "kernel.cu")
            .replace("@GRID@", &list(&launch.grid.map(u64::from)))
            .replace("@SHARED@", &shared.to_string())
            .replace("@SYMBOLS@", &self.symbols())
            .replace("@HIDDEN@", &hidden_annotations())
    }

    /// How the program for CUDA is built.
    pub(super) fn build_cuda(&self) -> String {
        let options = self.build_options();
        let space = if options.is_empty() { "" } else { " " };
        format!("nvcc{space}{options} -o repro repro.cu")
    }

    fn build_options(&self) -> String {
        let defines = self.compiling.defines.iter().map(|one| format!("-D{one}"));
        let folders = self.compiling.include_dirs.iter().map(|one| format!("-I{one}"));
        defines.chain(folders).collect::<Vec<_>>().join(" ")
    }

    fn common(&self, template: &str) -> String {
        let launch = &self.evidence.run.launch;
        let what: Vec<String> =
            self.compiling.what.lines().map(|line| format!("   {}", comment(line))).collect();
        let (number, first, bytes) = match &self.watched {
            Some(one) => (one.argument.to_string(), one.first, one.bytes),
            None => ("-1".to_string(), 0, 1),
        };
        template
            .replace("@KERNEL@", &self.func.name)
            .replace("@WHAT@", &what.join("\n"))
            .replace("@DATA@", &self.data())
            .replace("@ARGUMENTS@", &self.rows())
            .replace("@LOCAL@", &list(&launch.block.map(u64::from)))
            .replace("@WATCHED@", &number)
            .replace("@FIRST@", &first.to_string())
            .replace("@BYTES@", &bytes.to_string())
    }

    /// The bytes of numbers and contents.
    fn data(&self) -> String {
        let aligned = match self.module.language {
            Language::Cuda => "alignas(16) ",
            Language::OpenCl => "",
        };
        let mut text = String::new();
        for (index, argument) in self.arguments.iter().enumerate() {
            let bytes = match &argument.value {
                Passed::Number(bytes) => bytes,
                Passed::Buffer(buffer) if !buffer.bytes.is_empty() => &buffer.bytes,
                Passed::Buffer(_) | Passed::SameAs(..) | Passed::Local(_) => continue,
            };
            let _ = writeln!(
                text,
                "{aligned}static const unsigned char bytes_{index}[] = {{ /* {} */{}}};",
                comment(argument.name),
                bytes_text(bytes)
            );
        }
        text
    }

    /// The table of arguments.
    fn rows(&self) -> String {
        let mut text = String::new();
        let cuda = self.module.language == Language::Cuda;
        for (index, argument) in self.arguments.iter().enumerate() {
            let (kind, size, given, same, shift) = match &argument.value {
                Passed::Number(bytes) => ("NUMBER", bytes.len() as u64, bytes.len(), -1, 0),
                Passed::Buffer(buffer) => ("BUFFER", buffer.size, buffer.bytes.len(), -1, 0),
                Passed::SameAs(of, shift) => ("BUFFER", 0, 0, *of as i64, *shift),
                Passed::Local(size) => ("LOCAL", *size, 0, -1, 0),
            };
            let bytes = match given {
                0 => "0".to_string(),
                _ => format!("bytes_{index}"),
            };
            let shift = if cuda { format!(", {shift}") } else { String::new() };
            let name = quoted(argument.name);
            let _ =
                writeln!(text, "    {{{name}, {kind}, {size}, {bytes}, {given}, {same}{shift}}},");
        }
        text
    }

    /// Variables of the device that the run gives contents.
    fn symbols(&self) -> String {
        let mut text = String::new();
        for array in self.func.arrays_used() {
            let data = &self.module.arrays[array];
            let is_input = data.origin == ArrayOrigin::Variable
                && data.init.is_none()
                && matches!(data.space, Space::Global | Space::Constant);
            let Some(buffer) = is_input
                .then(|| self.reach.buffer(self.module, array, &self.evidence.run).ok())
                .flatten()
                .filter(|buffer| !buffer.bytes.is_empty())
            else {
                continue;
            };
            let (name, bytes) = (&data.name, bytes_text(&buffer.bytes));
            let _ = writeln!(text, "    {{ static const unsigned char first[] = {{{bytes}}};");
            let _ = writeln!(
                text,
                "      check(\"cudaMemcpyToSymbol\", cudaMemcpyToSymbol({name}, first, sizeof first)); }}"
            );
        }
        text
    }
}

/// For each order of work-items, what comes before the kernel: functions that delay
/// every other group, and for the second order ids that count from the last one. All
/// functions that tell ids agree, so it is another order and no other launch.
fn orders() -> String {
    let first = "void duet_delay(void);
void duet_delay(void) {
  volatile uint n = 0;
  if ((get_group_id(0) & 1) == DUET_ORDER)
    for (uint i = 0; i < 20000; i++) n = i;
}
size_t duet_local_id(uint d);
size_t duet_local_id(uint d) {
  duet_delay();
  return DUET_ORDER ? get_local_size(d) - 1 - get_local_id(d) : get_local_id(d);
}
size_t duet_group_id(uint d);
size_t duet_group_id(uint d) {
  return DUET_ORDER ? get_num_groups(d) - 1 - get_group_id(d) : get_group_id(d);
}
#define get_local_id(d) duet_local_id(d)
#define get_group_id(d) duet_group_id(d)
#define get_global_id(d) \\
  (get_global_offset(d) + duet_group_id(d) * get_local_size(d) + duet_local_id(d))
#define get_local_linear_id() \\
  ((duet_local_id(2) * get_local_size(1) + duet_local_id(1)) * get_local_size(0) \\
   + duet_local_id(0))
#define get_global_linear_id() \\
  (((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) \\
    - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0))
";
    let first = first.replace("\\\\", "\\");
    let mut text = String::new();
    for order in 0..2 {
        let _ = writeln!(text, "    {}", quoted(&format!("#define DUET_ORDER {order}\n")));
        for line in first.lines() {
            let _ = writeln!(text, "    {}", quoted(&format!("{line}\n")));
        }
        if order == 0 {
            text.push_str("    ,\n");
        }
    }
    text.trim_end().to_string()
}

/// Macros that hide annotations. Assertions are shown where they fail.
fn hidden_annotations() -> String {
    let mut text = String::new();
    for name in STATEMENTS {
        let meaning = match name {
            "assert" => "((void)((e) || printf(\"an assertion is false\\n\")))",
            _ => "((void)0)",
        };
        let _ = writeln!(text, "#define __{name}(e) {meaning}");
    }
    text.push_str("#define __axiom(e)\n");
    text
}

/// Without what would end a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// A string of C.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

fn list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn bytes_text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        text.push_str(if at % 16 == 0 { "\n    " } else { " " });
        let _ = write!(text, "{byte},");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{comment, quoted};

    #[test]
    fn text_stays_inside_strings_and_comments() {
        assert_eq!(quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\\n\"");
        assert_eq!(comment("x */ y"), "x * / y");
    }
}
