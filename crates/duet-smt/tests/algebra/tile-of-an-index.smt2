; i/16*16 + i%16 is i.
(set-info :status unsat)
(declare-const i (_ BitVec 32))(declare-const j (_ BitVec 32))
(assert (= (bvadd (bvmul #x00000010 (bvudiv i #x00000010)) (bvurem i #x00000010)) j))
(assert (distinct i j))
