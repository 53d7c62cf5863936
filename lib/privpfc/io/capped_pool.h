#pragma once

#include <arrow/memory_pool.h>

#include <atomic>

namespace privpfc {

// Arrow allocates through this, so that a few bytes of input cannot ask for gigabytes.
class CappedPool final : public arrow::MemoryPool {
 public:
  explicit CappedPool(std::size_t limit) : limit_(static_cast<std::int64_t>(limit)) {}

  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override;
  arrow::Status Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment,
                           std::uint8_t** pointer) override;
  void Free(std::uint8_t* buffer, std::int64_t size, std::int64_t alignment) override;

  std::int64_t bytes_allocated() const override { return allocated_; }
  std::int64_t max_memory() const override { return peak_; }
  std::int64_t total_bytes_allocated() const override { return wrapped_->total_bytes_allocated(); }
  std::int64_t num_allocations() const override { return wrapped_->num_allocations(); }
  std::string backend_name() const override { return wrapped_->backend_name(); }

  // Some allocation was refused. Arrow does not always pass the reason on.
  bool was_exceeded() const { return exceeded_; }
  std::int64_t limit() const { return limit_; }

 private:
  arrow::Status reserve(std::int64_t size);

  arrow::MemoryPool* wrapped_ = arrow::default_memory_pool();
  std::int64_t limit_;
  std::atomic<std::int64_t> allocated_ = 0;
  std::atomic<std::int64_t> peak_ = 0;
  std::atomic<bool> exceeded_ = false;
};

}  // namespace privpfc
