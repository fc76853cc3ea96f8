; Two halves of one array: a[t] and a[u + n], t, u < n.
(set-info :status unsat)
(declare-const n (_ BitVec 32))(declare-const t (_ BitVec 32))(declare-const u (_ BitVec 32))
(assert (bvult n #x40000000))(assert (bvult t n))(assert (bvult u n))
(assert (= (bvmul #x0000000000000008 ((_ sign_extend 32) t)) (bvmul #x0000000000000008 ((_ sign_extend 32) (bvadd u n)))))
