// Shared parts of the callers of the HDF5 library: RAII handles, suppressed printing, error texts, types, attributes, extendible columns.
// Only sources include this: hdf5_file.cpp, and batch/table_hdf5.cpp, whose tables are never copied while they are open and are read in
// blocks.
//
// check(result) passes a result on, or throws where it is below zero: what failed, and whose fault it is, only the caller knows.
#pragma once
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

// To be called before any other function. All files are closed by their owners; see Hdf5File.
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
    // If the system refused, its own message is the clearest; the library's is about buffers and offsets, over several lines.
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

// Links are kept in the order in which they were made, and nothing says when: equal contents have equal bytes.
inline Handle file_creation() {
    Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(creation, false);
    return creation;
}

// A data set that grows by chunks of rows, with checksums.
template <class Check>
Handle growing_creation(std::span<const hsize_t> chunk, bool is_text, const Check& check) {
    Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_obj_track_times(creation, false));
    check(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()));
    if (!is_text) check(H5Pset_shuffle(creation));
    check(H5Pset_deflate(creation, deflate_level));
    check(H5Pset_fletcher32(creation));
    return creation;
}

template <class Check>
void write_text_attribute(hid_t object, const char* name, const std::string& text, const Check& check) {
    const Handle type = fixed_text_type(text.size());
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(check(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
    check(H5Awrite(attribute, type, text.c_str()));
}

template <class Check>
void write_integer_attribute(hid_t object, const char* name, std::int64_t number, const Check& check) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(check(H5Acreate2(object, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
    check(H5Awrite(attribute, H5T_NATIVE_INT64, &number));
}

// The attribute as text; none if it is not one text of fixed length.
template <class Check>
std::optional<std::string> text_attribute(hid_t object, const char* name, const Check& check) {
    const Handle attribute(check(H5Aopen(object, name, H5P_DEFAULT)), H5Aclose);
    const Handle type(check(H5Aget_type(attribute)), H5Tclose);
    const Handle space(check(H5Aget_space(attribute)), H5Sclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || H5Sget_simple_extent_npoints(space) != 1) return {};
    std::string text(H5Tget_size(type), '\0');
    check(H5Aread(attribute, fixed_text_type(text.size()), text.data()));
    return text.c_str();
}

// Adds rows of `width` values at the end of a data set. write(memory space, file space) writes them.
template <class Check, class Write>
void append_rows(hid_t dataset, hsize_t rows, hsize_t width, const Check& check, const Write& write) {
    std::array<hsize_t, 2> sizes{};
    {
        const Handle space(check(H5Dget_space(dataset)), H5Sclose);
        check(H5Sget_simple_extent_dims(space, sizes.data(), nullptr));
    }
    const std::array<hsize_t, 2> start{sizes[0], 0}, count{rows, width};
    sizes[0] += rows;
    check(H5Dset_extent(dataset, sizes.data()));
    const Handle file_space(check(H5Dget_space(dataset)), H5Sclose);
    check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    const Handle memory_space(H5Screate_simple(width > 1 ? 2 : 1, count.data(), nullptr), H5Sclose);
    check(write(hid_t{memory_space}, hid_t{file_space}));
}

// Whether a data set claims more rows than its bytes on the disk can hold: it is damaged.
inline bool claims_too_much(hid_t dataset, double bytes) {
    return bytes > most_shrinkage * (static_cast<double>(H5Dget_storage_size(dataset)) + 1024.0);
}

}  // namespace asperity::record
