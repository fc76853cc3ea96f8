; Neither t nor s is at least one, so both are zero: each part of the negated disjunction is
; the negation of a bound, which is no longer a comparison of that shape.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const t (_ BitVec 32))
(declare-const s (_ BitVec 32))
(assert (not (or (bvule #x00000001 t) (bvule #x00000001 s))))
(assert (bvule #x00000001 (bvadd t s)))
(check-sat)
