; Fields of 12-byte records: bytes 4..8 of one, 8..12 of another.
(set-info :status unsat)
(declare-const i (_ BitVec 32))(declare-const j (_ BitVec 32))
(declare-const w (_ BitVec 64))
(define-fun p () (_ BitVec 64) (bvadd #x0000000000000004 (bvmul #x000000000000000c ((_ sign_extend 32) i))))
(define-fun q () (_ BitVec 64) (bvadd #x0000000000000008 (bvmul #x000000000000000c ((_ sign_extend 32) j))))
(assert (bvult (bvsub w p) #x0000000000000004))(assert (bvult (bvsub w q) #x0000000000000004))
