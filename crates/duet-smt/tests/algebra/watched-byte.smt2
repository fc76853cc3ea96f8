; One watched byte inside two 4-byte elements at 4*sext(i), 4*sext(j), i /= j.
(set-info :status unsat)
(declare-const w (_ BitVec 64))(declare-const i (_ BitVec 32))(declare-const j (_ BitVec 32))
(assert (bvult (bvsub w (bvmul #x0000000000000004 ((_ sign_extend 32) i))) #x0000000000000004))
(assert (bvult (bvsub w (bvmul #x0000000000000004 ((_ sign_extend 32) j))) #x0000000000000004))
(assert (distinct i j))
