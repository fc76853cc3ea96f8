; The same without the bound on the number of threads: it wraps.
(set-info :status sat)
(declare-const B (_ BitVec 32))(declare-const G (_ BitVec 32))
(declare-const t1 (_ BitVec 32))(declare-const b1 (_ BitVec 32))
(declare-const t2 (_ BitVec 32))(declare-const b2 (_ BitVec 32))
(assert (bvult t1 B))(assert (bvult t2 B))(assert (bvult b1 G))(assert (bvult b2 G))
(assert (= (bvadd (bvmul b1 B) t1) (bvadd (bvmul b2 B) t2)))
(assert (or (distinct t1 t2) (distinct b1 b2)))
