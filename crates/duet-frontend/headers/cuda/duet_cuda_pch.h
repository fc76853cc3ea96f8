// What the precompiled prelude is made from: the prelude must not be the main
// file itself, or clang would not treat it as a system header.
#include "duet_cuda_prelude.h"
