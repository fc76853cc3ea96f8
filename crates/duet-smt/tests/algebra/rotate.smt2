; s[(t+1) % n], any n: a rotation keeps threads apart.
(set-info :status unsat)
(declare-const n (_ BitVec 32))(declare-const t1 (_ BitVec 32))(declare-const t2 (_ BitVec 32))
(assert (bvule n #x00000400))(assert (bvult t1 n))(assert (bvult t2 n))
(assert (= (bvurem (bvadd t1 #x00000001) n) (bvurem (bvadd t2 #x00000001) n)))
(assert (distinct t1 t2))
