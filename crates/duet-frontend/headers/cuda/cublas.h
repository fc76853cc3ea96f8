// The old name of cuBLAS's header.
#pragma once
#include <cublas_v2.h>
