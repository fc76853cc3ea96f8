; s[min(t, n-1)] and s[n + min(u, m)]: a clamped index stays in its part.
(set-info :status unsat)
(declare-const n (_ BitVec 32))(declare-const m (_ BitVec 32))(declare-const t (_ BitVec 32))(declare-const u (_ BitVec 32))
(assert (bvult n #x00010000))(assert (bvult m #x00010000))(assert (bvult #x00000000 n))
(define-fun last () (_ BitVec 32) (bvsub n #x00000001))
(assert (= (ite (bvult t last) t last) (bvadd n (ite (bvult u m) u m))))
