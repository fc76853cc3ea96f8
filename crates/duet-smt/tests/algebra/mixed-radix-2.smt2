; A two-level index b*B + t, any sizes below 2^31 threads: equal addresses,
; distinct threads.
(set-info :status unsat)
(declare-const B (_ BitVec 32))(declare-const G (_ BitVec 32))
(declare-const t1 (_ BitVec 32))(declare-const b1 (_ BitVec 32))
(declare-const t2 (_ BitVec 32))(declare-const b2 (_ BitVec 32))
(assert (bvult t1 B))(assert (bvult t2 B))(assert (bvult b1 G))(assert (bvult b2 G))
(assert (bvule (bvmul ((_ zero_extend 32) G) ((_ zero_extend 32) B)) #x000000007fffffff))
(assert (= (bvadd (bvmul b1 B) t1) (bvadd (bvmul b2 B) t2)))
(assert (or (distinct t1 t2) (distinct b1 b2)))
