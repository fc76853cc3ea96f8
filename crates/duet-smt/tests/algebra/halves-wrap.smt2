; Without the bound on s the sum may wrap.
(set-info :status sat)
(declare-const s (_ BitVec 32))(declare-const t1 (_ BitVec 32))(declare-const t2 (_ BitVec 32))
(assert (bvult t1 s))(assert (bvult t2 s))
(assert (= t1 (bvadd t2 s s)))
