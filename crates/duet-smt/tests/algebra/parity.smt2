; 2*i and 2*j + 1 never meet, wrapping or not.
(set-info :status unsat)
(declare-const i (_ BitVec 32))(declare-const j (_ BitVec 32))(declare-const k (_ BitVec 32))
(assert (= k (bvadd (bvmul #x00000002 j) #x00000001)))
(assert (= (bvmul #x00000002 i) k))
