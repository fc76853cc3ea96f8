//! A host program that runs both kernels of a difference on a device, and says whether they
//! leave the same there.

use std::fmt::Write;

use duet_interp::{ArrayInput, Contents, Key, initial_element};
use duet_ir::{Array, Language, ParamKind};

use crate::pair::request::{Kernel, Side};
use crate::search::Difference;

/// Bytes of a buffer at most.
const MOST_BYTES: usize = 1 << 16;
/// Instructions of the runs that say how much of each array is used.
const STEPS: u64 = 1_000_000;

/// The program: it includes `a.cu` and `b.cu`.
///
/// # Errors
/// If it cannot be written for these kernels.
pub fn host_program(kernels: &[Kernel<'_>; 2], difference: &Difference) -> Result<String, String> {
    if kernels.iter().any(|kernel| kernel.module.language != Language::Cuda) {
        return Err("--emit-repro: programs are written for CUDA only".to_string());
    }
    let mut text = String::from(
        "// Runs both kernels on the same contents. Build: nvcc -o repro repro.cu\n\
         #include <cstdio>\n#include <cstring>\n#include <cuda_runtime.h>\n\
         #define __requires(x)\n#define __invariant(x)\n#define __global_invariant(x)\n\
         #define __assume(x)\n\
         namespace side_a {\n#include \"a.cu\"\n}\nnamespace side_b {\n#include \"b.cu\"\n}\n\n",
    );
    let mut calls = String::new();
    for side in Side::BOTH {
        one_side(&mut text, &mut calls, side, kernels, difference)?;
    }
    let element = &difference.element;
    let (first, bytes) = (element.index * u64::from(element.bytes), element.bytes);
    let _ = write!(
        text,
        "int main() {{\n  unsigned char a[{bytes}], b[{bytes}];\n{calls}\
         \n  bool same = memcmp(a, b, sizeof a) == 0;\n\
         \n  printf(\"{}[{}] (byte {first}): %s\\n\", same ? \"the same\" : \"different\");\n\
         \n  return same ? 0 : 1;\n}}\n",
        element.array, element.index,
    );
    Ok(text)
}

fn one_side(
    text: &mut String,
    calls: &mut String,
    side: Side,
    kernels: &[Kernel<'_>; 2],
    difference: &Difference,
) -> Result<(), String> {
    let (kernel, run) = (&kernels[side.index()], &difference.runs[side.index()]);
    let func = kernel.function();
    let outcome = run
        .perform(kernel.module, kernel.func, STEPS)
        .map_err(|error| format!("--emit-repro: {error}"))?;
    let letter = side.letter();
    let (mut body, mut args, mut read) = (String::new(), vec![], None);
    for (number, param) in func.params.iter().enumerate() {
        match param.kind {
            ParamKind::Scalar(value) => {
                let bits = run.inputs.scalars.get(&Key::Index(number)).copied().unwrap_or(0);
                let ty = func.type_of(value);
                let bytes = ty.bits().unwrap_or(32).div_ceil(8);
                let scalar = match ty {
                    duet_ir::Type::F32 => "float",
                    duet_ir::Type::F64 => "double",
                    _ => match bytes {
                        1 => "char",
                        2 => "short",
                        4 => "int",
                        _ => "long long",
                    },
                };
                let _ = writeln!(body, "  unsigned long long bits{number} = {}ull;", bits as u64);
                let _ = writeln!(
                    body,
                    "  {scalar} arg{number}; memcpy(&arg{number}, &bits{number}, sizeof arg{number});"
                );
                args.push(format!("arg{number}"));
            }
            ParamKind::Array(array) => {
                let data = contents(kernel, run, &outcome, array);
                let list: Vec<String> = data.iter().map(|byte| byte.to_string()).collect();
                let _ = writeln!(
                    text,
                    "static const unsigned char {letter}{number}[] = {{{}}};",
                    list.join(",")
                );
                let _ = writeln!(
                    body,
                    "  void *arg{number}; cudaMalloc(&arg{number}, sizeof {letter}{number});"
                );
                let _ = writeln!(
                    body,
                    "  cudaMemcpy(arg{number}, {letter}{number}, sizeof {letter}{number}, cudaMemcpyHostToDevice);"
                );
                args.push(format!(
                    "(decltype(argument<{number}>(side_{letter}::{}))) arg{number}",
                    func.name
                ));
                let partner = kernels[0]
                    .function()
                    .params
                    .iter()
                    .find(|own| own.name == difference.element.array);
                let is_output = partner.is_some() && param.name == difference.element.array;
                if is_output {
                    read = Some(number);
                }
            }
            ParamKind::Pointer(..) => {
                return Err("--emit-repro: a parameter is no array".to_string());
            }
        }
    }
    let number = read.ok_or("--emit-repro: the array that differs is no parameter of both")?;
    let launch = &run.launch;
    let dims = |sizes: [u32; 3]| format!("dim3({}, {}, {})", sizes[0], sizes[1], sizes[2]);
    let (grid, block) = (dims(launch.grid), dims(launch.block));
    let first = difference.element.index * u64::from(difference.element.bytes);
    if !text.contains("template <int N") {
        text.push_str(
            "template <int N, class T, class... R> struct Nth { using type = typename Nth<N - 1, R...>::type; };\n\
             template <class T, class... R> struct Nth<0, T, R...> { using type = T; };\n\
             template <int N, class... P> typename Nth<N, P...>::type argument(void (*)(P...));\n",
        );
    }
    let _ = write!(
        text,
        "\nstatic void run_{letter}(unsigned char *left, size_t bytes) {{\n{body}\
         \n  side_{letter}::{}<<<{grid}, {block}, 48 * 1024>>>({});\n\
         \n  cudaError_t error = cudaDeviceSynchronize();\n\
         \n  if (error != cudaSuccess) printf(\"{letter}: %s\\n\", cudaGetErrorString(error));\n\
         \n  cudaMemcpy(left, (char *)arg{number} + {first}, bytes, cudaMemcpyDeviceToHost);\n}}\n",
        func.name,
        args.join(", "),
    );
    let _ = writeln!(calls, "  run_{letter}({letter}, sizeof {letter});");
    Ok(())
}

/// What an array holds at first, as far as the run touches it.
fn contents(
    kernel: &Kernel<'_>,
    run: &duet_engine::refute::Run,
    outcome: &duet_interp::Outcome,
    array: Array,
) -> Vec<u8> {
    let end = match outcome.arrays.get(&array) {
        Some(Contents::Dense(bytes)) => bytes.len(),
        Some(Contents::Sparse(pages)) => {
            pages.keys().max().map_or(4096, |start| *start as usize + 4096)
        }
        None => 4096,
    };
    let data = &kernel.module.arrays[array];
    let granule = data.granule.clamp(1, 16);
    let default = ArrayInput::default();
    let input = run.inputs.arrays.get(&Key::Name(data.name.clone())).unwrap_or(&default);
    let mut bytes = vec![];
    for index in 0..end.clamp(16, MOST_BYTES) as u64 / u64::from(granule) {
        let element = initial_element(&input.fill, granule, index);
        bytes.extend_from_slice(&element.to_le_bytes()[..granule as usize]);
    }
    bytes
}
