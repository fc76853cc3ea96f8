; i mod n = t, j mod n = u, t /= u give i /= j.
(set-info :status unsat)
(declare-const n (_ BitVec 32))(declare-const i (_ BitVec 32))(declare-const j (_ BitVec 32))
(declare-const t (_ BitVec 32))(declare-const u (_ BitVec 32))
(assert (distinct n #x00000000))
(assert (= (bvurem i n) t))(assert (= (bvurem j n) u))
(assert (distinct t u))
(assert (= i j))
