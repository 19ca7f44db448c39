// The one place where Boost.Process v2's own sources are compiled; see process.cpp.
#define BOOST_PROCESS_V2_SEPARATE_COMPILATION
#include <boost/process/v2/src.hpp>
