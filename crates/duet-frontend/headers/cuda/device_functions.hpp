#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>
