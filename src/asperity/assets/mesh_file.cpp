#include "asperity/assets/mesh_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string>

#include "asperity/assets/mesh_common.h"
#include "asperity/assets/mesh_obj.h"
#include "asperity/assets/mesh_pds.h"
#include "asperity/assets/mesh_ply.h"
#include "asperity/assets/mesh_stl.h"

namespace asperity::assets {
namespace {

std::string ending(const std::string& name) {
    std::string text = std::filesystem::path(name).extension().string();
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::optional<MeshFormat> format_by_name(const std::string& name) {
    const std::string text = ending(name);
    if (text == ".obj") return MeshFormat::obj;
    if (text == ".ply") return MeshFormat::ply;
    if (text == ".stl") return MeshFormat::stl;
    if (text == ".tab" || text == ".plt") return MeshFormat::pds;
    return std::nullopt;
}

// Decides by the first line that is no comment, among the first few lines of the file.
std::optional<MeshFormat> format_by_line(std::string_view text) {
    constexpr std::array<std::string_view, 10> keys{"v", "f", "vt", "vn", "vp", "o", "g", "s", "usemtl", "mtllib"};
    LineReader reader(text.substr(0, 65536), 1);
    while (reader.next_line()) {
        const Word word = reader.next_word();
        if (word.column == 0 || word.text.front() == '#') continue;
        if (std::find(keys.begin(), keys.end(), word.text) != keys.end()) return MeshFormat::obj;
        if (number<double>(word.text)) return MeshFormat::pds;
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

MeshFormat mesh_format(std::string_view bytes, const std::string& name) {
    if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r")) return MeshFormat::ply;
    if (is_binary_stl(bytes)) return MeshFormat::stl;
    const auto by_name = format_by_name(name);
    if (by_name) return *by_name;
    if (bytes.starts_with("solid")) return MeshFormat::stl;
    if (const auto by_line = format_by_line(bytes)) return *by_line;
    throw InputError({Problem{.what = "not a mesh of a kind that is read",
                              .file = name,
                              .hint = "Wavefront OBJ (.obj), PLY (.ply), STL (.stl) and PDS plate tables (.tab, .plt) are"}});
}

geometry::RawMesh parse_mesh(std::string_view bytes, const std::string& name, double unit) {
    switch (mesh_format(bytes, name)) {
        case MeshFormat::obj: return parse_obj(bytes, name, unit);
        case MeshFormat::ply: return parse_ply(bytes, name, unit);
        case MeshFormat::stl: return parse_stl(bytes, name, unit);
        case MeshFormat::pds: return parse_pds(bytes, name, unit);
    }
    ASPERITY_REQUIRE(false, "a format without a reader");
}

geometry::RawMesh read_mesh(const std::string& path, double unit) { return parse_mesh(read_bytes(path), path, unit); }

void check_mesh_name(const std::string& path) {
    const auto format = format_by_name(path);
    if (format != MeshFormat::pds && (format || ending(path).empty())) return;
    throw InputError(fmt::format("`{}` is not the name of a mesh that can be written", path), "end it in .obj, .ply or .stl");
}

void write_mesh(const std::string& path, const geometry::RawMesh& mesh, double unit) {
    check_mesh_name(path);
    switch (format_by_name(path).value_or(MeshFormat::obj)) {
        case MeshFormat::ply: return write_bytes(path, format_ply(mesh, unit));
        case MeshFormat::stl: return write_bytes(path, format_stl(mesh, unit));
        default: return write_obj(path, mesh, unit);
    }
}

}  // namespace asperity::assets
