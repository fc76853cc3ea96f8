; Quotient and remainder say nothing about n = 0 that would hold otherwise.
(set-info :status sat)
(declare-const n (_ BitVec 32))(declare-const i (_ BitVec 32))
(assert (bvule n (bvurem i n)))
