#include "privpfc/io/capped_pool.h"

namespace privpfc {

arrow::Status CappedPool::reserve(std::int64_t size) {
  // What is beyond the limit by itself is not added: the sum would overflow.
  const bool is_possible = size <= limit_;
  const std::int64_t total = is_possible ? allocated_.fetch_add(size) + size : 0;
  if (!is_possible || total > limit_) {
    if (is_possible) allocated_ -= size;
    exceeded_ = true;
    return arrow::Status::OutOfMemory("");
  }
  std::int64_t peak = peak_;
  while (total > peak && !peak_.compare_exchange_weak(peak, total)) {
  }
  return arrow::Status::OK();
}

arrow::Status CappedPool::Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) {
  ARROW_RETURN_NOT_OK(reserve(size));
  const arrow::Status status = wrapped_->Allocate(size, alignment, out);
  if (!status.ok()) allocated_ -= size;
  return status;
}

arrow::Status CappedPool::Reallocate(std::int64_t old_size, std::int64_t new_size,
                                     std::int64_t alignment, std::uint8_t** pointer) {
  if (new_size > old_size) ARROW_RETURN_NOT_OK(reserve(new_size - old_size));
  const arrow::Status status = wrapped_->Reallocate(old_size, new_size, alignment, pointer);
  if (status.ok() == (new_size < old_size)) allocated_ -= std::abs(new_size - old_size);
  return status;
}

void CappedPool::Free(std::uint8_t* buffer, std::int64_t size, std::int64_t alignment) {
  wrapped_->Free(buffer, size, alignment);
  allocated_ -= size;
}

}  // namespace privpfc
