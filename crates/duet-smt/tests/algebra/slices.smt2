; Private slices: s[t*K + i], i < K, K free.
(set-info :status unsat)
(declare-const K (_ BitVec 32))(declare-const t1 (_ BitVec 32))(declare-const i1 (_ BitVec 32))(declare-const t2 (_ BitVec 32))(declare-const i2 (_ BitVec 32))
(assert (bvult K #x00000100))(assert (bvult t1 #x00000400))(assert (bvult t2 #x00000400))
(assert (bvsge i1 #x00000000))(assert (bvslt i1 K))(assert (bvsge i2 #x00000000))(assert (bvslt i2 K))
(assert (= (bvadd (bvmul t1 K) i1) (bvadd (bvmul t2 K) i2)))
(assert (distinct t1 t2))
