// MTGP32 tables, of no interest here.
#pragma once
#include <curand.h>
