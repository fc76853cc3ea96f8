; Either way x is below n.
(set-info :status unsat)
(declare-const x (_ BitVec 32))(declare-const n (_ BitVec 32))
(declare-const p Bool)(declare-const q Bool)
(assert (or (and (bvult x n) p) (and q (bvult x n))))
(assert (bvule n x))
