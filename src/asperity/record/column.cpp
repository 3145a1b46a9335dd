#include "asperity/record/column.h"

namespace asperity::record {

std::int64_t Column::rows() const {
    return std::visit([&](const auto& values) { return static_cast<std::int64_t>(values.size()) / width; }, values);
}

}  // namespace asperity::record
