; s[(t+k) & 63] for 65 threads.
(set-info :status sat)
(declare-const k (_ BitVec 32))(declare-const t1 (_ BitVec 32))(declare-const t2 (_ BitVec 32))
(assert (bvult t1 #x00000041))(assert (bvult t2 #x00000041))
(assert (= (bvand (bvadd t1 k) #x0000003f) (bvand (bvadd t2 k) #x0000003f)))
(assert (distinct t1 t2))
