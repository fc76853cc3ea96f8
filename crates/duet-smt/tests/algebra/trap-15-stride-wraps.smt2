; for (unsigned i = gid; i < n; i += 5) a[i] = gid;  n = 2^32-1, five threads:
; i wraps and meets another thread's cells.
(set-info :status sat)
(declare-const g1 (_ BitVec 32))(declare-const g2 (_ BitVec 32))
(declare-const k1 (_ BitVec 32))(declare-const k2 (_ BitVec 32))
(define-fun i1 () (_ BitVec 32) (bvadd g1 (bvmul #x00000005 k1)))
(define-fun i2 () (_ BitVec 32) (bvadd g2 (bvmul #x00000005 k2)))
(assert (bvult g1 #x00000005))(assert (bvult g2 #x00000005))
(assert (bvult i1 #xffffffff))(assert (bvult i2 #xffffffff))
(assert (= i1 i2))
(assert (distinct g1 g2))
