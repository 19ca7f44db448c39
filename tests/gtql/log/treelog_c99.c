/* The implementation as C99 compiles it; the tests call it from C++. */
#define TREELOG_IMPLEMENTATION
#include "treelog.h"
