#pragma once
#pragma clang system_header
#include <duet/cub.h>
