#pragma once
#include <sys/resource.h>

namespace assay::test {

/// While it lives this process can open no file (EMFILE); what is open stays so.
class NoDescriptors {
public:
    NoDescriptors() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        rlimit now = before_;
        now.rlim_cur = 0;
        ::setrlimit(RLIMIT_NOFILE, &now);
    }

    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

    ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

}  // namespace assay::test
