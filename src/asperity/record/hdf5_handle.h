// What callers of the HDF5 library share: handles that close themselves, silence, its reasons, types. Only sources include this.
#pragma once
#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace asperity::record {

// Fastest level: records are small, and half of what is saved comes from the byte shuffle before it.
inline constexpr unsigned deflate_level = 1;
// Deflate cannot shrink below about 1/1032; a data set that claims more than that of its bytes on disk is damaged.
inline constexpr double most_shrinkage = 1100;

// One handle, closed by the function that belongs to its kind.
class Handle {
public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

// Before any other call. All files are closed by their owners; see Hdf5File.
inline void start_library() { H5dont_atexit(); }

// Keeps the library from printing its errors; ours say them.
class Quiet {
public:
    Quiet() {
        H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;
    ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

// The library's reason: the innermost entry of its error stack.
inline std::string reason() {
    std::string text;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
            auto& found = *static_cast<std::string*>(data);
            if (found.empty() && error->desc != nullptr) found = error->desc;
            return 0;
        },
        &text);
    // Where the system refused, its own words say it best; the library's are about buffers and offsets, over several lines.
    constexpr std::string_view mark = "error message = '";
    const std::size_t begin = text.find(mark);
    if (begin != std::string::npos) {
        const std::size_t from = begin + mark.size();
        return text.substr(from, text.find('\'', from) - from);
    }
    return text.empty() ? "the HDF5 library gives no reason" : text;
}

inline Handle fixed_text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, std::max<std::size_t>(size, 1));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

}  // namespace asperity::record
