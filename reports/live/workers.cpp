#include "reports/live/workers.h"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

namespace assay::reports::live {

struct Workers::Pool {
    explicit Pool(int count) : threads(static_cast<std::size_t>(count)) {}

    boost::asio::thread_pool threads;
};

Workers::Workers(int threads, std::function<void(Work)> home)
    : threads_(threads), home_(std::move(home)), pool_(std::make_unique<Pool>(threads)) {}

Workers::~Workers() = default;

void Workers::post(Work work) {
    boost::asio::post(pool_->threads, std::move(work));
}

}  // namespace assay::reports::live
