// SIMD within a word: `__vadd2`, `__vmaxs4` and the rest, exactly, one lane at a
// time. A lane operation is a struct with a static function on lane values.
#pragma once
#pragma clang system_header

namespace duet {
namespace lanes {

// The lane at bit `At`; `Lane` is its width and says how its bits are read
// (signed or unsigned). Written out lane by lane: a loop here would be a loop of
// the kernel.
template <class Op, class Lane, int At> __DUET_FN unsigned lane(unsigned a, unsigned b) {
  return (unsigned)Op::template of<Lane>((Lane)(a >> At), (Lane)(b >> At));
}

// Lane `At` of the result, in place.
template <class Op, class Lane, int At> __DUET_FN unsigned placed(unsigned a, unsigned b) {
  constexpr unsigned mask = ~0u >> (32 - 8 * sizeof(Lane));
  return (lane<Op, Lane, At>(a, b) & mask) << At;
}

template <class Op, class Lane> __DUET_FN unsigned map(unsigned a, unsigned b) {
  if constexpr (sizeof(Lane) == 2)
    return placed<Op, Lane, 0>(a, b) | placed<Op, Lane, 16>(a, b);
  else
    return placed<Op, Lane, 0>(a, b) | placed<Op, Lane, 8>(a, b) | placed<Op, Lane, 16>(a, b) |
           placed<Op, Lane, 24>(a, b);
}

template <class Op, class Lane> __DUET_FN unsigned sum(unsigned a, unsigned b) {
  if constexpr (sizeof(Lane) == 2)
    return lane<Op, Lane, 0>(a, b) + lane<Op, Lane, 16>(a, b);
  else
    return lane<Op, Lane, 0>(a, b) + lane<Op, Lane, 8>(a, b) + lane<Op, Lane, 16>(a, b) +
           lane<Op, Lane, 24>(a, b);
}

template <class Lane> __DUET_FN int clamp(int x) {
  constexpr int low = Lane(-1) < Lane(0) ? -(1 << (8 * sizeof(Lane) - 1)) : 0;
  constexpr int high = low ? -low - 1 : (1 << 8 * sizeof(Lane)) - 1;
  return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);
}

#define __DUET_LANE_OP(NAME, EXPR)                                                                 \
  struct NAME {                                                                                    \
    template <class Lane> static __DUET_FN int of(int a, int b) { return EXPR; }                   \
  };
__DUET_LANE_OP(add, a + b)
__DUET_LANE_OP(sub, a - b)
__DUET_LANE_OP(add_saturating, clamp<Lane>(a + b))
__DUET_LANE_OP(sub_saturating, clamp<Lane>(a - b))
__DUET_LANE_OP(neg, b - a)
__DUET_LANE_OP(neg_saturating, clamp<Lane>(b - a))
__DUET_LANE_OP(absolute, __builtin_elementwise_max(a, -a))
__DUET_LANE_OP(absolute_saturating, clamp<Lane>(__builtin_elementwise_max(a, -a)))
__DUET_LANE_OP(difference, __builtin_elementwise_max(a - b, b - a))
__DUET_LANE_OP(minimum, __builtin_elementwise_min(a, b))
__DUET_LANE_OP(maximum, __builtin_elementwise_max(a, b))
__DUET_LANE_OP(average, (a + b) >> 1)
// A half goes away from zero.
__DUET_LANE_OP(average_rounded, (a + b + (a + b >= 0)) >> 1)
__DUET_LANE_OP(equal, -(a == b))
__DUET_LANE_OP(not_equal, -(a != b))
__DUET_LANE_OP(less, -(a < b))
__DUET_LANE_OP(less_equal, -(a <= b))
__DUET_LANE_OP(greater, -(a > b))
__DUET_LANE_OP(greater_equal, -(a >= b))
__DUET_LANE_OP(set_equal, a == b)
__DUET_LANE_OP(set_not_equal, a != b)
__DUET_LANE_OP(set_less, a < b)
__DUET_LANE_OP(set_less_equal, a <= b)
__DUET_LANE_OP(set_greater, a > b)
__DUET_LANE_OP(set_greater_equal, a >= b)
#undef __DUET_LANE_OP

} // namespace lanes
} // namespace duet

#define __DUET_LANES_AS(NAME, OP, L2, L4)                                                          \
  __DUET_WEAK_DEVICE unsigned NAME##2(unsigned a, unsigned b) { return duet::lanes::map<duet::lanes::OP, L2>(a, b); } \
  __DUET_WEAK_DEVICE unsigned NAME##4(unsigned a, unsigned b) { return duet::lanes::map<duet::lanes::OP, L4>(a, b); }
#define __DUET_LANES_S(NAME, OP) __DUET_LANES_AS(NAME, OP, short, signed char)
#define __DUET_LANES_U(NAME, OP) __DUET_LANES_AS(NAME, OP, unsigned short, unsigned char)
__DUET_LANES_U(__vadd, add)
__DUET_LANES_U(__vsub, sub)
__DUET_LANES_S(__vaddss, add_saturating)
__DUET_LANES_U(__vaddus, add_saturating)
__DUET_LANES_S(__vsubss, sub_saturating)
__DUET_LANES_U(__vsubus, sub_saturating)
__DUET_LANES_S(__vabsdiffs, difference)
__DUET_LANES_U(__vabsdiffu, difference)
__DUET_LANES_S(__vmins, minimum)
__DUET_LANES_U(__vminu, minimum)
__DUET_LANES_S(__vmaxs, maximum)
__DUET_LANES_U(__vmaxu, maximum)
__DUET_LANES_U(__vhaddu, average)
__DUET_LANES_S(__vavgs, average_rounded)
__DUET_LANES_U(__vavgu, average_rounded)
__DUET_LANES_U(__vcmpeq, equal)
__DUET_LANES_U(__vcmpne, not_equal)
__DUET_LANES_S(__vcmplts, less)
__DUET_LANES_U(__vcmpltu, less)
__DUET_LANES_S(__vcmples, less_equal)
__DUET_LANES_U(__vcmpleu, less_equal)
__DUET_LANES_S(__vcmpgts, greater)
__DUET_LANES_U(__vcmpgtu, greater)
__DUET_LANES_S(__vcmpges, greater_equal)
__DUET_LANES_U(__vcmpgeu, greater_equal)
__DUET_LANES_U(__vseteq, set_equal)
__DUET_LANES_U(__vsetne, set_not_equal)
__DUET_LANES_S(__vsetlts, set_less)
__DUET_LANES_U(__vsetltu, set_less)
__DUET_LANES_S(__vsetles, set_less_equal)
__DUET_LANES_U(__vsetleu, set_less_equal)
__DUET_LANES_S(__vsetgts, set_greater)
__DUET_LANES_U(__vsetgtu, set_greater)
__DUET_LANES_S(__vsetges, set_greater_equal)
__DUET_LANES_U(__vsetgeu, set_greater_equal)
#undef __DUET_LANES_U
#undef __DUET_LANES_S
#undef __DUET_LANES_AS

#define __DUET_LANES_1(NAME, OP)                                                                   \
  __DUET_WEAK_DEVICE unsigned NAME##2(unsigned a) { return duet::lanes::map<duet::lanes::OP, short>(a, 0); } \
  __DUET_WEAK_DEVICE unsigned NAME##4(unsigned a) { return duet::lanes::map<duet::lanes::OP, signed char>(a, 0); }
__DUET_LANES_1(__vneg, neg)
__DUET_LANES_1(__vnegss, neg_saturating)
__DUET_LANES_1(__vabs, absolute)
__DUET_LANES_1(__vabsss, absolute_saturating)
#undef __DUET_LANES_1

__DUET_WEAK_DEVICE unsigned __vsads2(unsigned a, unsigned b) { return duet::lanes::sum<duet::lanes::difference, short>(a, b); }
__DUET_WEAK_DEVICE unsigned __vsadu2(unsigned a, unsigned b) { return duet::lanes::sum<duet::lanes::difference, unsigned short>(a, b); }
__DUET_WEAK_DEVICE unsigned __vsads4(unsigned a, unsigned b) { return duet::lanes::sum<duet::lanes::difference, signed char>(a, b); }
__DUET_WEAK_DEVICE unsigned __vsadu4(unsigned a, unsigned b) { return duet::lanes::sum<duet::lanes::difference, unsigned char>(a, b); }
// Sum of absolute differences of four bytes on top of a third operand.
__DUET_WEAK_DEVICE unsigned __usad4(unsigned a, unsigned b, unsigned sum = 0) { return sum + __vsadu4(a, b); }

// Three-way minimum and maximum, optionally clamped at zero.
__DUET_WEAK_DEVICE int __vimax3_s32(int a, int b, int c) { return max(max(a, b), c); }
__DUET_WEAK_DEVICE int __vimin3_s32(int a, int b, int c) { return min(min(a, b), c); }
__DUET_WEAK_DEVICE unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) { return max(max(a, b), c); }
__DUET_WEAK_DEVICE unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) { return min(min(a, b), c); }
__DUET_WEAK_DEVICE int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
__DUET_WEAK_DEVICE int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
