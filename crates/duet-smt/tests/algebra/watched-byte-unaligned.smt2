; Two-byte accesses at every byte overlap.
(set-info :status sat)
(declare-const w (_ BitVec 64))(declare-const i (_ BitVec 32))(declare-const j (_ BitVec 32))
(assert (bvult (bvsub w ((_ sign_extend 32) i)) #x0000000000000002))
(assert (bvult (bvsub w ((_ sign_extend 32) j)) #x0000000000000002))
(assert (distinct i j))
