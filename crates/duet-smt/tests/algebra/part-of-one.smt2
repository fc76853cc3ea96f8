; Only one of the ways has x below n.
(set-info :status sat)
(declare-const x (_ BitVec 32))(declare-const n (_ BitVec 32))
(declare-const p Bool)(declare-const q Bool)
(assert (or (and (bvult x n) p) q))
(assert (bvule n x))
