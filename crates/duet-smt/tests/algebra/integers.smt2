; Integers go the same way.
(set-info :status unsat)
(declare-const a Int)(declare-const x Int)(declare-const y Int)(declare-const u Int)(declare-const v Int)
(assert (<= 0 x))(assert (< x a))(assert (<= 0 u))(assert (< u a))
(assert (= (+ x (* a y)) (+ u (* a v))))
(assert (distinct y v))
