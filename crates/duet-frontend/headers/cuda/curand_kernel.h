// The device side is in the prelude; the host side in curand.h.
#pragma once
#include <curand.h>
