; A counter below a bound, one further, may be the bound itself: the conjunction whose
; negation is asked about does not hold then.
(set-info :status sat)
(declare-fun visits () (_ BitVec 64))
(declare-fun n () (_ BitVec 32))
(define-fun i () (_ BitVec 32) ((_ extract 31 0) visits))
(define-fun next () (_ BitVec 32) (bvadd i #x00000001))
(assert (bvslt i n))
(assert (bvsle #x00000000 i))
(assert (or (bvslt next #x00000000) (not (and (bvsle #x00000000 next) (bvslt next n)))))
(check-sat)
