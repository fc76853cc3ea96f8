; if (c < w) out[r * w + c] = r;  unsigned, w = 65536: rows 2^16 apart collide.
(set-info :status sat)
(declare-const w (_ BitVec 32))
(declare-const r1 (_ BitVec 32))(declare-const c1 (_ BitVec 32))
(declare-const r2 (_ BitVec 32))(declare-const c2 (_ BitVec 32))
(assert (= w #x00010000))
(assert (bvult c1 w))(assert (bvult c2 w))
(assert (= (bvadd (bvmul r1 w) c1) (bvadd (bvmul r2 w) c2)))
(assert (distinct r1 r2))
