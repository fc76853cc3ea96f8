; Grid-stride loop in closed form: i = b*B + t + k*(B*G), all sizes free.
(set-info :status unsat)
(declare-const B (_ BitVec 64))(declare-const G (_ BitVec 64))(declare-const t1 (_ BitVec 64))(declare-const b1 (_ BitVec 64))(declare-const k1 (_ BitVec 64))(declare-const t2 (_ BitVec 64))(declare-const b2 (_ BitVec 64))(declare-const k2 (_ BitVec 64))
(assert (bvult B #x0000000000000401))(assert (bvult G #x0000000080000000))
(assert (bvult k1 #x0000000000100000))(assert (bvult k2 #x0000000000100000))
(assert (bvult t1 B))(assert (bvult t2 B))(assert (bvult b1 G))(assert (bvult b2 G))
(assert (= (bvadd (bvmul b1 B) t1 (bvmul k1 B G)) (bvadd (bvmul b2 B) t2 (bvmul k2 B G))))
(assert (or (distinct t1 t2) (distinct b1 b2)))
