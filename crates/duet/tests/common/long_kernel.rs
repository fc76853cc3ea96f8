//! Kernels that are long rather than deep: an unrolled hash in straight-line code that no
//! address depends on. They are made here, of any length.

use std::fmt::Write;

/// Instructions that a round of the hash becomes, about.
const PER_ROUND: usize = 14;

/// A kernel of about so many instructions that hashes a few words for each thread and
/// stores the result at `place`, an expression over the thread's number `i`.
pub fn unrolled_hash(instructions: usize, place: &str) -> String {
    let mut text = String::from(
        "__global__ void hash(const unsigned *in, unsigned *out, unsigned n) {\n\
         \x20 __requires(n <= 65536);\n\
         \x20 unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n\
         \x20 if (i >= n) return;\n\
         \x20 unsigned a = in[i * 4], b = in[i * 4 + 1], c = in[i * 4 + 2], d = in[i * 4 + 3], t;\n",
    );
    for round in 0..instructions / PER_ROUND {
        let key = (round as u32).wrapping_mul(0x9e37_79b9) ^ 0x85eb_ca6b;
        let _ = writeln!(
            text,
            "  t = d + ((a >> 6) | (a << 26)) + ((a & b) ^ (~a & c)) + {key}u;\n\
             \x20 d = c; c = b; b = a; a = t ^ ((t << 11) | (t >> 21));"
        );
    }
    let _ = write!(text, "  out[{place}] = a + b + c + d;\n}}\n");
    text
}
