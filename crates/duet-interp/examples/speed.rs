//! Prints how many IR instructions per second the interpreter runs, on one core:
//! arithmetic alone, a shared-memory reduction, and an in-place stencil over
//! global memory, the latter two with and without the race log. Best of three.
//!
//! `cargo run --release -p duet-interp --example speed`

use std::time::Instant;

use duet_interp::{Fill, Inputs, Launch, RunOptions, run};
use duet_ir::Module;

const ARITHMETIC: &str = "module cuda 64
array @out global param granule 4
kernel arithmetic symbol arithmetic (out: @out, n: i32 v0) {
bb0:
  v1 = block_id.x
  v2 = block_dim.x
  v3 = mul i32 v1, v2
  v4 = thread_id.x
  v5 = add i32 v3, v4
  jump bb1(i32 0, v5)
bb1(i32 v6, i32 v7):
  v8 = icmp slt i32 v6, v0
  br v8, bb2, bb3
bb2:
  v9 = mul i32 v7, 1664525
  v10 = add i32 v9, 1013904223
  v11 = xor i32 v10, v6
  v12 = add nsw i32 v6, 1
  jump bb1(v12, v11)
bb3:
  v13 = sext v5 to i64
  v14 = mul i64 v13, 4
  store i32 @out[v14], v7 align 4
  return
}
";

const REDUCTION: &str = "module cuda 64
array @in global param granule 4
array @out global param granule 4
array @s shared local granule 4 size 1024
kernel reduction symbol reduction (in: @in, out: @out) {
bb0:
  v1 = block_id.x
  v2 = block_dim.x
  v3 = mul i32 v1, v2
  v4 = thread_id.x
  v5 = add i32 v3, v4
  v6 = sext v5 to i64
  v7 = mul i64 v6, 4
  v8 = load f32 @in[v7] align 4
  v9 = sext v4 to i64
  v10 = mul i64 v9, 4
  store f32 @s[v10], v8 align 4
  v11 = lshr i32 v2, 1
  jump bb1(v11)
bb1(i32 v12):
  barrier block 3
  v13 = icmp eq i32 v12, 0
  br v13, bb4, bb2
bb2:
  v14 = icmp slt i32 v4, v12
  br v14, bb3, bb5
bb3:
  v15 = add nsw i32 v4, v12
  v16 = sext v15 to i64
  v17 = mul i64 v16, 4
  v18 = load f32 @s[v17] align 4
  v19 = load f32 @s[v10] align 4
  v20 = fadd f32 v18, v19
  store f32 @s[v10], v20 align 4
  jump bb5
bb5:
  v21 = lshr i32 v12, 1
  jump bb1(v21)
bb4:
  v22 = icmp eq i32 v4, 0
  br v22, bb6, bb7
bb6:
  v23 = load f32 @s[0] align 4
  v24 = sext v1 to i64
  v25 = mul i64 v24, 4
  store f32 @out[v25], v23 align 4
  jump bb7
bb7:
  return
}
";

const STENCIL: &str = "module cuda 64
array @a global param granule 4
kernel stencil symbol stencil (a: @a, n: i32 v0) {
bb0:
  v1 = block_id.x
  v2 = block_dim.x
  v3 = mul i32 v1, v2
  v4 = thread_id.x
  v5 = add i32 v3, v4
  v6 = sext v5 to i64
  v7 = mul i64 v6, 4
  jump bb1(i32 0)
bb1(i32 v8):
  v9 = icmp slt i32 v8, v0
  br v9, bb2, bb3
bb2:
  v10 = load i32 @a[v7] align 4
  v11 = mul i32 v10, 3
  v12 = add i32 v11, v8
  store i32 @a[v7], v12 align 4
  v13 = add nsw i32 v8, 1
  jump bb1(v13)
bb3:
  return
}
";

fn measure(name: &str, text: &str, launch: &Launch, inputs: &Inputs, races: bool) {
    let module = Module::parse(text).expect("the kernels of this file are correct");
    let (kernel, _) = module.kernels().next().expect("a kernel");
    let options = RunOptions { races, ..RunOptions::default() };
    let mut seconds = f64::INFINITY;
    let mut outcome = None;
    for _ in 0..3 {
        let start = Instant::now();
        outcome = Some(run(&module, kernel, launch, inputs, &options).expect("a run"));
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    let outcome = outcome.expect("three runs");
    assert!(outcome.is_clean(), "{name}: {:?} {:?}", outcome.status, outcome.findings);
    let millions = outcome.instructions as f64 / 1e6;
    let log = if races { "with race log" } else { "without" };
    println!("{name:<12} {log:<14} {millions:8.1} M instructions, {:6.1} M/s", millions / seconds);
}

fn main() {
    let big = 1 << 22;
    let arithmetic = Inputs::new().scalar("n", 1000).array("out", Fill::Zero, big);
    let reduction = Inputs::new().array("in", Fill::Iota, big).array("out", Fill::Zero, big);
    let stencil = Inputs::new().scalar("n", 200).array("a", Fill::Iota, big);
    let few = Launch::linear(64, 256);
    let many = Launch::linear(4096, 256);
    measure("arithmetic", ARITHMETIC, &few, &arithmetic, true);
    for races in [false, true] {
        measure("reduction", REDUCTION, &many, &reduction, races);
        measure("stencil", STENCIL, &few, &stencil, races);
    }
}
