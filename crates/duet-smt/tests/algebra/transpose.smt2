; out[x*height + y] with y < height and x < width, int-indexed, assumed not to
; overflow (stated by the 64-bit product).
(set-info :status unsat)
(declare-const h (_ BitVec 32))(declare-const w (_ BitVec 32))
(declare-const x1 (_ BitVec 32))(declare-const y1 (_ BitVec 32))
(declare-const x2 (_ BitVec 32))(declare-const y2 (_ BitVec 32))
(assert (bvsgt h #x00000000))(assert (bvsgt w #x00000000))
(assert (bvsge x1 #x00000000))(assert (bvsge y1 #x00000000))(assert (bvsge x2 #x00000000))(assert (bvsge y2 #x00000000))
(assert (bvslt x1 w))(assert (bvslt x2 w))(assert (bvslt y1 h))(assert (bvslt y2 h))
(assert (bvsle (bvmul ((_ sign_extend 32) w) ((_ sign_extend 32) h)) #x000000007fffffff))
(assert (= (bvmul #x0000000000000004 ((_ sign_extend 32) (bvadd (bvmul x1 h) y1)))
           (bvmul #x0000000000000004 ((_ sign_extend 32) (bvadd (bvmul x2 h) y2)))))
(assert (or (distinct x1 x2) (distinct y1 y2)))
