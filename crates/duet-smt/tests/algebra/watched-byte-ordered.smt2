; The same by order: off <= w < off + 4, with offsets below 2^34.
(set-info :status unsat)
(declare-const w (_ BitVec 64))(declare-const i (_ BitVec 32))(declare-const j (_ BitVec 32))
(define-fun p () (_ BitVec 64) (bvmul #x0000000000000004 ((_ zero_extend 32) i)))
(define-fun q () (_ BitVec 64) (bvmul #x0000000000000004 ((_ zero_extend 32) j)))
(assert (bvule p w))(assert (bvult w (bvadd p #x0000000000000004)))
(assert (bvule q w))(assert (bvult w (bvadd q #x0000000000000004)))
(assert (distinct i j))
