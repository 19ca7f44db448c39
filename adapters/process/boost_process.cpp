// The one place where Boost.Process v2's own sources are compiled; see process.cpp.
#include <boost/process/v2/src.hpp>
