; A reduction step: t < s writes t and reads t + s; writer below s, reader's
; other element at or above s.
(set-info :status unsat)
(declare-const s (_ BitVec 32))(declare-const t1 (_ BitVec 32))(declare-const t2 (_ BitVec 32))
(assert (bvule s #x00000200))
(assert (bvult t1 s))(assert (bvult t2 s))
(assert (= t1 (bvadd t2 s)))
