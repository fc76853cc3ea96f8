//! Control flow that is not structured is ordinary input.

mod common;

use common::{assert_has, assert_lacks, cuda, load_with, opencl, reading};
use duet_ir::{Block, Function};

/// Does every cycle of the control flow have one entry? Repeatedly removes loops
/// of one block and joins blocks with one predecessor; what is left of a
/// reducible graph is one block.
fn is_reducible(function: &Function) -> bool {
    let mut edges: Vec<(Block, Block)> = vec![];
    for &block in &function.layout {
        edges.extend(function.successors(block).map(|next| (block, next)));
    }
    let mut blocks = function.layout.clone();
    loop {
        edges.retain(|(from, to)| from != to);
        edges.sort_unstable();
        edges.dedup();
        let single = blocks.iter().copied().find(|&block| {
            block != function.entry() && edges.iter().filter(|(_, to)| *to == block).count() == 1
        });
        let Some(block) = single else { return blocks.len() == 1 };
        let (pred, _) = *edges.iter().find(|(_, to)| *to == block).expect("one edge");
        edges.retain(|(_, to)| *to != block);
        edges.iter_mut().filter(|(from, _)| *from == block).for_each(|edge| edge.0 = pred);
        blocks.retain(|&other| other != block);
    }
}

#[test]
fn an_irreducible_loop_is_made_reducible() {
    let text = "__global__ void k(int *out, int n) {
          int i = 0;
          if (n & 1) goto b;
        a: i += 2; out[i] = i;
        b: i += 3; if (i < n) goto a;
          out[0] = i;
        }";
    let loaded = load_with("k.cu", text, &reading()).expect("it is read");
    let (_, kernel) = loaded.module.kernels().next().expect("a kernel");
    assert!(is_reducible(kernel), "{}", *loaded.module);
    assert_eq!(loaded.module.to_string().matches("store i32").count(), 2, "{}", *loaded.module);
}

#[test]
fn a_loop_of_goto() {
    let ir = opencl(
        "__kernel void k(__global int *a, int n) { int i = 0;
         again: if (i >= n) return; a[i++] = 1; goto again; }",
    );
    assert_eq!(ir.matches("store").count(), 1, "{ir}");
    assert_eq!(ir.matches("return").count(), 1, "{ir}");
}

#[test]
fn a_switch_with_fallthrough() {
    let ir = cuda(
        "__global__ void k(int *out, int n) { switch (n) { case 1: out[0] = 1; break;
         case 7: case 9: out[1] = 2; default: out[2] = 3; } }",
    );
    assert_has(&ir, &["switch i32", "[1: ", ", 7: ", ", 9: "]);
    assert_eq!(ir.matches("store i32").count(), 3, "{ir}");
}

#[test]
fn short_circuits_are_branches_without_detours() {
    let ir = cuda("__global__ void k(int *a, int x, int y) { if (x > 1 && a[x] > 2) a[y] = 1; }");
    assert_eq!(ir.matches("\n  br ").count(), 2, "{ir}");
    assert_lacks(&ir, &["br i1 true", "br i1 false"]);
}

#[test]
fn a_barrier_under_a_branch_stays_there() {
    let ir = cuda("__global__ void k(int n) { if (threadIdx.x < n) __syncthreads(); }");
    assert_has(&ir, &["barrier block 3", "br "]);
}

#[test]
fn functions_stay_functions_without_inlining() {
    let text = "__device__ int f(int *a, int i) { return a[i]; }
         __global__ void k(int *a) { a[threadIdx.x] = f(a, threadIdx.x); }";
    let options = duet_frontend::Options { inline: false, ..reading() };
    let ir = common::ir(load_with("k.cu", text, &options));
    assert_has(&ir, &["device f symbol", "= call i32 \"_Z1fPii\"(@a, i64 0, "]);
    let inlined = cuda(text);
    assert_lacks(&inlined, &["device f", "call"]);
}
