; Interleaved reduction: s[2*s*t] written, s[2*s*u + s] read, in range.
(set-info :status unsat)
(declare-const s (_ BitVec 32))(declare-const t (_ BitVec 32))(declare-const u (_ BitVec 32))
(assert (bvuge s #x00000001))(assert (bvule s #x00000200))(assert (bvult t #x00000400))(assert (bvult u #x00000400))
(assert (= (bvmul #x00000002 s t) (bvadd (bvmul #x00000002 s u) s)))
