// Part of the prelude, which every file has already.
#pragma once
#include <duet_cuda_prelude.h>
