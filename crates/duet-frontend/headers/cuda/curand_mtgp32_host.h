// MTGP32 on the host, declared by curand.h.
#pragma once
#include <curand.h>
