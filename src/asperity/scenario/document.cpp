#include "asperity/scenario/document.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "asperity/core/suggest.h"
#include "asperity/scenario/toml_text.h"

namespace asperity::scenario {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = 16u << 20;  // bytes
constexpr std::size_t deepest_include = 16;

struct Loader {
    Document document;
    std::vector<Problem> problems;
    std::vector<fs::path> open;           // canonical paths of the files that are being read
    std::vector<std::string> open_names;  // the same as the user knows them
};

void add_problem(Loader& loader, const Place& place, std::string what, std::string hint = {}) {
    Problem problem = problem_at({{"", place}}, "", std::move(what), std::move(hint));
    loader.problems.push_back(std::move(problem));
}

// Files of that folder whose names are near, for a mistyped one.
std::string near_file(const fs::path& path) {
    std::error_code error;
    std::vector<std::string> names;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    for (fs::directory_iterator it(folder, error), end; !error && it != end && names.size() < 1000; it.increment(error)) {
        names.push_back(it->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return did_you_mean(path.filename().string(), names);
}

// The content, or nothing and a problem at `place`.
std::optional<std::string> file_content(Loader& loader, const fs::path& path, const Place& place) {
    const std::string shown = path.string();
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        add_problem(loader, place, fmt::format("there is no file `{}`", shown), near_file(path));
    } else if (error) {
        add_problem(loader, place, fmt::format("cannot read `{}`: {}", shown, error.message()));
    } else if (status.type() == fs::file_type::directory) {
        add_problem(loader, place, fmt::format("`{}` is a folder", shown), "name the scenario file in it");
    } else if (status.type() != fs::file_type::regular) {
        add_problem(loader, place, fmt::format("`{}` is not a regular file", shown));
    } else if (fs::file_size(path, error) > largest_file) {
        add_problem(loader, place, fmt::format("`{}` is larger than 16 MiB", shown),
                    "a scenario is a short text; large data belong in a mesh file");
    } else {
        std::ifstream stream(path, std::ios::binary);
        std::string content{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        if (stream && stream.good()) return content;
        if (!stream.bad() && stream.eof()) return content;
        add_problem(loader, place, fmt::format("cannot read `{}`", shown), "is it readable for you?");
    }
    return {};
}

// `over` wins; tables under a heading merge.
Node merged(Node base, Node over) {
    const bool both_tables = base.kind == Node::Kind::table && over.kind == Node::Kind::table;
    if (!both_tables || base.is_inline || over.is_inline) return over;
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < base.members.size(); ++i) known.emplace(base.members[i].key, i);
    for (Member& member : over.members) {
        const auto found = known.find(member.key);
        if (found == known.end()) {
            base.members.push_back(std::move(member));
            continue;
        }
        Member& old = base.members[found->second];
        old.value = merged(std::move(old.value), std::move(member.value));
        old.key_mark = member.key_mark;
    }
    base.mark = over.mark;
    return base;
}

Node load_text(Loader& loader, std::string_view text, const fs::path& path);

// Takes `include` out of the root and puts what it names below the root.
Node with_includes(Loader& loader, Node root, const fs::path& path) {
    const auto found = std::find_if(root.members.begin(), root.members.end(), [](const Member& m) { return m.key == "include"; });
    if (found == root.members.end()) return root;
    const Member include = std::move(*found);
    root.members.erase(found);
    const Place place = loader.document.place(include.value.mark, "");
    if (include.value.kind != Node::Kind::text) {
        add_problem(loader, place, fmt::format("`include` needs text, got {}", name(include.value.kind)),
                    "write for example include = \"base.toml\"");
        return root;
    }
    const fs::path target = (path.parent_path() / include.value.text).lexically_normal();
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(target, error);
    const auto again = std::find(loader.open.begin(), loader.open.end(), canonical);
    if (!error && again != loader.open.end()) {
        std::string chain;
        for (auto it = again; it != loader.open.end(); ++it)
            chain += loader.open_names[static_cast<std::size_t>(it - loader.open.begin())] + " -> ";
        add_problem(loader, place, fmt::format("include in a circle: {}{}", chain, target.string()), "take one of these includes out");
        return root;
    }
    if (loader.open.size() >= deepest_include) {
        add_problem(loader, place, fmt::format("more than {} files include each other", deepest_include),
                    "put what they share into fewer files");
        return root;
    }
    const std::optional<std::string> content = file_content(loader, target, place);
    if (!content) return root;
    return merged(load_text(loader, *content, target), std::move(root));
}

Node load_text(Loader& loader, std::string_view text, const fs::path& path) {
    std::error_code error;
    loader.open.push_back(fs::weakly_canonical(path, error));
    loader.open_names.push_back(path.string());
    const int index = static_cast<int>(loader.document.files.size());
    loader.document.files.push_back({path.string(), lines_of(text)});
    TomlResult parsed = parse_toml(text, index);
    if (!parsed.error.empty()) {
        add_problem(loader, loader.document.place(parsed.error_mark, ""), parsed.error, parsed.hint);
    } else {
        parsed.root = with_includes(loader, std::move(parsed.root), path);
    }
    loader.open.pop_back();
    loader.open_names.pop_back();
    return std::move(parsed.root);
}

// A TOML value, or else the bare text.
Node value_of_set(const std::string& text, int file) {
    TomlResult parsed = parse_toml("x = " + text, file);
    Node node;
    if (parsed.error.empty() && parsed.root.members.size() == 1 && parsed.root.members[0].key == "x") {
        node = std::move(parsed.root.members[0].value);
    } else {
        node.kind = Node::Kind::text;
        node.text = text;
    }
    return node;
}

bool is_index(std::string_view element) {
    return !element.empty() && element.size() < 6 && element.find_first_not_of("0123456789") == std::string_view::npos;
}

// The item of a list that a path element such as "0", or its `name`, names; x, y and z are those of three components, as in studies.
Node* item_of(Node& list, const std::string& element) {
    const bool is_vector = list.items.size() == 3 && list.items[0].kind != Node::Kind::table;
    if (is_vector && element.size() == 1 && element[0] >= 'x' && element[0] <= 'z')
        return &list.items[static_cast<std::size_t>(element[0] - 'x')];
    if (!is_index(element)) {
        const auto named = std::find_if(list.items.begin(), list.items.end(), [&](const Node& item) {
            const Member* name = item.find("name");
            return name != nullptr && name->value.kind == Node::Kind::text && name->value.text == element;
        });
        return named == list.items.end() ? nullptr : &*named;
    }
    const auto index = static_cast<std::size_t>(std::stoul(element));
    return index < list.items.size() ? &list.items[index] : nullptr;
}

// Marks point at the override, not at a line.
void set_marks(Node& node, int file) {
    node.mark = {.file = file};
    for (Node& item : node.items) set_marks(item, file);
    for (Member& member : node.members) {
        member.key_mark = {.file = file};
        set_marks(member.value, file);
    }
}

// A list that no file has is begun by its item 0: what an override changes there are the defaults of that item.
Node begun_node(std::string_view path_below, int file) {
    Node node{.mark = {.file = file}};
    if (!is_index(path_below.substr(0, path_below.find('.')))) return node;
    node.kind = Node::Kind::array;
    node.items.push_back(Node{.mark = {.file = file}});
    return node;
}

void apply_set(Loader& loader, const std::string& set) {
    const int file = static_cast<int>(loader.document.files.size());
    loader.document.files.push_back({"--set " + set, {}});
    const Place place = loader.document.place({.file = file}, "");
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
        add_problem(loader, place, fmt::format("`--set {}` names no key and value", set),
                    "write --set key.path=value, for example --set body.lander.mass=\"5 kg\"");
        return;
    }
    const std::string path = set.substr(0, equals);
    if (path == "include") {
        add_problem(loader, place, "`include` cannot be set from outside", "write it into the file");
        return;
    }
    Node* node = &loader.document.root;
    std::size_t begin = 0;
    while (begin <= path.size() && begin < 1000) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string element = path.substr(begin, end - begin);
        if (node->kind == Node::Kind::array) {
            Node* item = item_of(*node, element);
            if (!item) {
                const std::string list = path.substr(0, begin == 0 ? 0 : begin - 1);
                const bool is_begun = node->mark.line == 0 && node->mark.file == file;
                add_problem(loader, place, fmt::format("`{}` has no item `{}`", list, element),
                            is_begun ? fmt::format("no file has a list `{0}`: set {0}.0 first, or write [[{0}]] into the file", list)
                                     : fmt::format("it has {}; they are counted from 0, or go by their `name`", node->items.size()));
                return;
            }
            node = item;
        } else if (node->kind == Node::Kind::table) {
            Member* member = node->find(element);
            if (!member)
                member = &node->members.emplace_back(
                    Member{element, {.file = file}, begun_node(std::string_view(path).substr(std::min(end + 1, path.size())), file)});
            if (end == path.size()) member->key_mark = {.file = file};
            node = &member->value;
        } else {
            add_problem(loader, place, fmt::format("`{}` is {}, not a section", path.substr(0, begin - 1), name(node->kind)));
            return;
        }
        if (end == path.size()) break;
        begin = end + 1;
    }
    *node = value_of_set(set.substr(equals + 1), file);
    set_marks(*node, file);
}

Document finished(Loader& loader, const std::vector<std::string>& sets) {
    if (loader.problems.empty()) {
        for (const std::string& set : sets) apply_set(loader, set);
    }
    if (!loader.problems.empty()) throw InputError(std::move(loader.problems));
    return std::move(loader.document);
}

}  // namespace

const Member* Node::find(std::string_view key) const {
    const auto found = std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.key == key; });
    return found == members.end() ? nullptr : &*found;
}

Member* Node::find(std::string_view key) { return const_cast<Member*>(std::as_const(*this).find(key)); }

const char* name(Node::Kind kind) {
    switch (kind) {
        case Node::Kind::boolean: return "true or false";
        case Node::Kind::integer: return "an integer";
        case Node::Kind::number: return "a number";
        case Node::Kind::text: return "text";
        case Node::Kind::date: return "a date";
        case Node::Kind::array: return "an array";
        case Node::Kind::table: return "a section";
    }
    return "";
}

Place Document::place(const Mark& mark, std::string section) const {
    const SourceFile& file = files[static_cast<std::size_t>(mark.file)];
    Place place{
        .file = file.name, .line = mark.line, .column = mark.column, .length = mark.length, .source = {}, .section = std::move(section)};
    const auto line = static_cast<std::size_t>(mark.line);
    if (mark.line > 0 && line <= file.lines.size()) place.source = file.lines[line - 1];
    return place;
}

Document read_document(const std::string& file, const std::vector<std::string>& sets) {
    Loader loader;
    const std::optional<std::string> content = file_content(loader, file, Place{.file = {}, .source = {}, .section = {}});
    if (content) loader.document.root = load_text(loader, *content, file);
    return finished(loader, sets);
}

Document read_document_text(const std::string& text, const std::string& file, const std::vector<std::string>& sets) {
    Loader loader;
    loader.document.root = load_text(loader, text, file);
    return finished(loader, sets);
}

}  // namespace asperity::scenario
