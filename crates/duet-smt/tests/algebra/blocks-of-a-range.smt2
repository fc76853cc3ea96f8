; Each b owns [b*N, (b+1)*N): no i in two of them.
(set-info :status unsat)
(declare-const N (_ BitVec 64))(declare-const i (_ BitVec 64))
(declare-const b1 (_ BitVec 64))(declare-const b2 (_ BitVec 64))
(assert (bvult N #x0000000010000000))(assert (bvult b1 #x0000000010000000))(assert (bvult b2 #x0000000010000000))
(assert (bvule (bvmul b1 N) i))(assert (bvult i (bvmul (bvadd b1 #x0000000000000001) N)))
(assert (bvule (bvmul b2 N) i))(assert (bvult i (bvmul (bvadd b2 #x0000000000000001) N)))
(assert (distinct b1 b2))
