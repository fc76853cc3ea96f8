//! Random functions with contracts, and calls of them.

use super::draw::{line, of};
use super::program::Piece;
use crate::random::Random;

/// A function, and statements that call it and rely on what it ensures.
pub(super) fn draw(number: usize, random: &mut Random) -> (String, Vec<Piece>) {
    match random.below(5) {
        0..=1 => value(number, random),
        2 => store(number, random),
        _ => waiting(number, random),
    }
}

/// A function of a number.
fn value(number: usize, random: &mut Random) -> (String, Vec<Piece>) {
    let bound = random.pick(&[8, 64, 100]);
    let (result, facts) = random.pick(&[
        ("x + 1", ["r == x + 1", "r > x", "r <= 100"]),
        ("x * 2", ["r == x + x", "r >= x", "(r & 1) == 0"]),
        ("x & 7", ["r < 8", "r <= x", "r < 7"]),
        ("x ^ 1", ["r != x", "(r >> 1) == (x >> 1)", "r <= x + 1"]),
        ("x > 3 ? 3 : x", ["r <= 3", "r <= x", "r == x"]),
    ]);
    let fact = random.pick(&facts);
    let ensured = fact.replace('r', "(unsigned)__return_val_int()");
    let ensured = if random.percent(25) { ensured.replace('x', "__old_int(x)") } else { ensured };
    let function = format!(
        "__device__ unsigned f{number}(unsigned x) {{\n  __requires(x < {bound});\n  \
         __ensures({ensured});\n  return {result};\n}}"
    );
    let argument = random.pick(&["t", "t & 7", "n", "t >> 1", "7"]);
    let relied = if random.percent(80) { fact } else { random.pick(&facts) };
    let relied = relied.replace('x', "y").replace('r', "v");
    let call = format!("{{ unsigned y = {argument}; v = f{number}(y); __assert({relied}); }}");
    (function, vec![line(call)])
}

/// A function that stores without waiting.
fn store(number: usize, random: &mut Random) -> (String, Vec<Piece>) {
    let (index, ensured, value) = (place(random), place(random), said(random));
    let (ensured, claimed) = match random.percent(70) {
        true => (index, value),
        false => (ensured, said(random)),
    };
    let function = format!(
        "__device__ void f{number}(unsigned *p, unsigned x) {{\n  unsigned t = threadIdx.x;\n  \
         __writes_to(p);\n  __ensures(p[{ensured}] == {claimed});\n  p[{index}] = {value};\n}}"
    );
    let call = vec![
        line(format!("f{number}(b, n);")),
        line("__syncthreads();"),
        line(format!("v = b[{}]; __assert(v == {});", ensured, claimed.replace('x', "n"))),
        line("__syncthreads();"),
    ];
    (function, call)
}

/// A function that ends with a barrier.
fn waiting(number: usize, random: &mut Random) -> (String, Vec<Piece>) {
    let (index, value) = (place(random), said(random));
    let (ensured, claimed) = match random.percent(65) {
        true => (index, value),
        false => (place(random), said(random)),
    };
    let first = if random.percent(40) { "p[t] = 0; __syncthreads(); " } else { "" };
    let first = if random.percent(8) { "if (x > 2) __syncthreads(); " } else { first };
    let last = if random.percent(92) { "__syncthreads();" } else { "" };
    let clause = match random.below(4) {
        0 => format!("p[{ensured}] != __other_int(p[{ensured}])"),
        _ => format!("p[{ensured}] == {claimed}"),
    };
    let mut second = String::new();
    if random.percent(20) {
        second = format!("p[{}] = {}; __syncthreads(); ", of(place(random), "t"), said(random));
    }
    let function = format!(
        "__device__ void f{number}(unsigned *p, unsigned x) {{\n  unsigned t = threadIdx.x;\n  \
         __requires(x <= 4);\n  __writes_to(p);\n  __ensures({clause});\n  {first}\
         p[{index}] = {value}; {second}{last}\n}}"
    );
    let argument = random.pick(&["n", "n", "3", "t & 3"]);
    let array = random.pick(&["a", "b", "out"]);
    let mut call = vec![line(format!("f{number}({array}, {argument});"))];
    call.push(match random.below(3) {
        0 => line(format!("{}[{array}[{ensured}]] = t;", if array == "out" { "a" } else { "out" })),
        1 => line(format!(
            "__unsafe_assert({array}[{ensured}] == {});",
            claimed.replace('x', argument)
        )),
        _ => line(format!(
            "v = {array}[{ensured}]; __assert(v == {});",
            claimed.replace('x', argument)
        )),
    });
    if random.percent(85) {
        call.push(line("__syncthreads();"));
    }
    (function, call)
}

fn place(random: &mut Random) -> &'static str {
    random.pick(&["t", "t", "t", "t ^ 1", "63 - t", "2 * t", "t + 1"])
}

fn said(random: &mut Random) -> &'static str {
    random.pick(&["t", "t", "t + 1", "0", "x", "7", "(t ^ 5)", "(t + x)"])
}
