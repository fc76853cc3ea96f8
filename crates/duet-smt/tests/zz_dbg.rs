//! dbg
use duet_smt::solver::*;
use duet_smt::*;
use std::time::Instant;
#[test]
fn dbg() {
    for kind in [SolverKind::Z3, SolverKind::Cvc5] {
        let mut d = Decider::new(Box::new(ProcessSolver::find(kind, None).unwrap()), DeciderOptions { algebra: false, ..DeciderOptions::default() });
        let mut pool = TermPool::new();
        let start = Instant::now();
        for i in 0..200u128 {
            let x = pool.bv_var("x", 32); let y = pool.bv_var("y", 32);
            let p = pool.bv_xor(x, y); let c = pool.bv(32, i); let lits = [pool.eq(p, c), pool.ult(x, y)];
            let a = d.decide(&mut pool, &Question { literals: &lits, ..Question::default() }).unwrap();
            assert_eq!(a.answer.word(), if i == 0 { "unsat" } else { "sat" });
        }
        println!("{kind:?} reset: {:?} per query", start.elapsed() / 200);
        let mut s = ProcessSolver::find(kind, None).unwrap();
        let x = pool.bv_var("x", 32); let y = pool.bv_var("y", 32);
        let lt = pool.ult(x, y); s.assert(lt);
        let start = Instant::now();
        for i in 0..200u128 {
            let p = pool.bv_xor(x, y); let c = pool.bv(32, i); let e = pool.eq(p, c);
            s.check(&pool, &Query::new(&[e])).unwrap();
        }
        println!("{kind:?} assuming: {:?} per query", start.elapsed() / 200);
        // resource rate
        let cubes: Vec<TermId> = ["a", "b", "c"].iter().map(|n| { let v = pool.int_var(n); pool.int_product(&[v, v, v]) }).collect();
        let sum = pool.int_sum(&cubes); let t = pool.int(114); let h = pool.eq(sum, t);
        let (u,v,w) = (pool.bv_var("u", 64), pool.bv_var("v", 64), pool.bv(64, 0x123456789abcdef7));
        let m = pool.bv_mul(u,v); let f = pool.eq(m, w); let one = pool.bv(64, 1u128<<32); let g1 = pool.ult(u, one); let g2 = pool.ult(v, one);
        for lits in [vec![h], vec![f,g1,g2]] {
            for r in [2_000_000u64, 10_000_000] {
            s.reset(); lits.iter().for_each(|&t| s.assert(t));
            let start = Instant::now();
            let a = s.check(&pool, &Query { limits: Limits { resources: Some(r), ..Limits::wall_ms(30000) }, ..Query::new(&[]) }).unwrap();
            println!("{kind:?} {r} units: {:?} {}", start.elapsed(), a.word());
            }
        }
    }
}
