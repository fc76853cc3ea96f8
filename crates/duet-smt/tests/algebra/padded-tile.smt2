; A tile with a padded pitch, s[y*(T+1) + x].
(set-info :status unsat)
(declare-const T (_ BitVec 32))
(declare-const x1 (_ BitVec 32))(declare-const y1 (_ BitVec 32))
(declare-const x2 (_ BitVec 32))(declare-const y2 (_ BitVec 32))
(assert (bvule T #x00000020))
(assert (bvult x1 T))(assert (bvult x2 T))(assert (bvult y1 T))(assert (bvult y2 T))
(assert (= (bvadd (bvmul y1 (bvadd T #x00000001)) x1) (bvadd (bvmul y2 (bvadd T #x00000001)) x2)))
(assert (or (distinct x1 x2) (distinct y1 y2)))
