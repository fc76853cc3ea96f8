// The C library's list of functions that do nothing on 32-bit machines, asked
// for when a 64-bit system's headers are read for a 32-bit target. Of no
// interest to a parser.
#pragma once
