#pragma once
#pragma clang system_header
#include <duet/thrust.h>
