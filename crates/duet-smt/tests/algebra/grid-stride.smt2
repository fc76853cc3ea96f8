; i = t + n*k, threads t below the number n of threads, no wrap by i < 2^31 as
; a 64-bit fact; byte addresses 4*i through a sign extension.
(set-info :status unsat)
(declare-const n (_ BitVec 32))
(declare-const t1 (_ BitVec 32))(declare-const k1 (_ BitVec 32))(declare-const i1 (_ BitVec 32))
(declare-const t2 (_ BitVec 32))(declare-const k2 (_ BitVec 32))(declare-const i2 (_ BitVec 32))
(assert (bvult t1 n))(assert (bvult t2 n))
(assert (= ((_ zero_extend 32) i1) (bvadd ((_ zero_extend 32) t1) (bvmul ((_ zero_extend 32) n) ((_ zero_extend 32) k1)))))
(assert (= ((_ zero_extend 32) i2) (bvadd ((_ zero_extend 32) t2) (bvmul ((_ zero_extend 32) n) ((_ zero_extend 32) k2)))))
(assert (bvslt i1 #x7fffffff))(assert (bvsge i1 #x00000000))
(assert (bvslt i2 #x7fffffff))(assert (bvsge i2 #x00000000))
(assert (= (bvmul #x0000000000000004 ((_ sign_extend 32) i1)) (bvmul #x0000000000000004 ((_ sign_extend 32) i2))))
(assert (distinct t1 t2))
