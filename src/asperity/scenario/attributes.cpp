#include "asperity/scenario/attributes.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <variant>

#include "asperity/core/errors.h"
#include "asperity/scenario/variable.h"

namespace asperity::scenario {
namespace {

namespace fs = std::filesystem;

// Visits every field, and tells files with their key path, and the numbers of scatter.
template <class OnPath, class OnScatter>
class Walk {
public:
    Walk(const OnPath& on_path, const OnScatter& on_scatter) : on_path_(on_path), on_scatter_(on_scatter) {}

    template <class T, class... Rest>
    void required(const char* name, T& value, const Rest&...) {
        field(name, value);
    }
    template <class T, class... Rest>
    void optional(const char* name, T& value, const Rest&...) {
        field(name, value);
    }
    template <class T, class... Rest>
    void optional(const char* name, std::optional<T>& value, const Rest&...) {
        if (value) field(name, *value);
    }
    template <class Variant, std::size_t N>
    void kinds(const char*, Variant& value, const std::array<Kind, N>&, const char*) {
        std::visit([&](auto& alternative) { describe(*this, alternative); }, value);
    }
    template <class Variant, std::size_t N>
    void one_of(Variant& value, const std::array<Kind, N>&, const char*) {
        std::visit([&](auto& alternative) { describe(*this, alternative); }, value);
    }
    template <class T>
    void section(const std::string& name, T& value, const char*) {
        const std::string outer = std::exchange(prefix_, prefix_ + name + ".");
        describe(*this, value);
        prefix_ = outer;
    }
    template <class T>
    void optional_section(const char* name, std::optional<T>& value, const char* sentence) {
        if (value) section(name, *value, sentence);
    }
    template <class T>
    void list(const char* name, std::vector<T>& values, const char* sentence) {
        for (std::size_t i = 0; i < values.size(); ++i) section(fmt::format("{}.{}", name, i), values[i], sentence);
    }
    template <class T>
    void tables(const char* name, std::vector<T>& values, const char*, const char* sentence) {
        for (T& value : values) section(fmt::format("{}.{}", name, value.name), value, sentence);
    }
    template <class Fields>
    void when(bool is_there, const Fields& fields) {
        if (is_there) fields(*this);
    }
    template <class Fields>
    void scatter(const Fields& fields) {
        const bool outer = std::exchange(is_scatter_, true);
        fields(*this);
        is_scatter_ = outer;
    }
    template <class When, class Fields>
    void loaded(When, const Fields& fields) {
        fields(*this);
    }
    void expectations(const char*, std::vector<Expectation>&, const char*) {}
    void include(const char*, const char*) {}

private:
    template <class T>
    void field(const char*, T&) {}
    void field(const char* name, Path& value) { on_path_(prefix_ + name, value); }
    void field(const char*, double& value) {
        if (is_scatter_) on_scatter_(value);
    }
    void field(const char*, Vec3& value) {
        if (!is_scatter_) return;
        for (double* component : {&value.x, &value.y, &value.z}) on_scatter_(*component);
    }

    const OnPath& on_path_;
    const OnScatter& on_scatter_;
    std::string prefix_;
    bool is_scatter_ = false;
};

template <class File, class OnPath>
void for_each_path(File& file, const OnPath& on_path) {
    const auto ignore = [](double&) {};
    Walk walk(on_path, ignore);
    describe(walk, file);
}

template <class OnScatter>
void for_each_scatter(Scenario& scenario, const OnScatter& on_scatter) {
    const auto ignore = [](const std::string&, Path&) {};
    Walk walk(ignore, on_scatter);
    describe(walk, scenario);
}

template <class File>
void rebase(File& file) {
    for_each_path(file, [&](const std::string& key, Path& path) {
        const auto place = file.places.find(key);
        if (path.empty() || place == file.places.end() || place->second.line == 0 || place->second.file == file.file) return;
        const fs::path from_here = (fs::path(place->second.file).parent_path() / path.text).lexically_normal();
        const fs::path base = fs::path(file.file).parent_path();
        const fs::path relative =
            from_here.is_absolute() == base.is_absolute() ? from_here.lexically_relative(base.empty() ? "." : base) : fs::path{};
        path.text = relative.empty() ? from_here.string() : relative.string();
    });
}

bool has_drawn_surface(const Scenario& scenario) {
    for (const Body& body : scenario.bodies)
        if (const auto* surface = body.as<SurfaceShape>())
            if (const auto* spike = std::get_if<SpikeSurface>(&surface->kind); spike != nullptr && !spike->seed) return true;
    return false;
}

}  // namespace

std::vector<std::string> named_files(const Scenario& scenario) {
    const fs::path folder = fs::path(scenario.file).parent_path();
    std::vector<std::string> files;
    Scenario copy = scenario;  // describe() takes what it visits as mutable, since a reader fills it
    for_each_path(copy, [&](const std::string&, const Path& path) {
        std::error_code error;
        if (!path.empty() && fs::is_regular_file(folder / path.text, error)) files.push_back((folder / path.text).string());
    });
    return files;
}

void rebase_paths(Scenario& scenario) { rebase(scenario); }
void rebase_paths(Study& study) { rebase(study); }

bool changes_assets(const Scenario& scenario, const std::string& key) {
    const std::optional<Loaded> loaded = find_variable(scenario, key).loaded;
    if (!loaded) return false;
    switch (*loaded) {
        case Loaded::always: return true;
        case Loaded::with_rock_field: return scenario.rocks && scenario.rocks->model == RockModel::field;
        case Loaded::with_drawn_surface: break;
    }
    return has_drawn_surface(scenario);
}

Scenario without_scatter(Scenario scenario) {
    for_each_scatter(scenario, [](double& value) { value = 0; });
    return scenario;
}

bool draws_by_run(const Scenario& scenario) {
    bool has_scatter = false;
    Scenario copy = scenario;
    for_each_scatter(copy, [&](const double& value) { has_scatter = has_scatter || value != 0; });
    return has_scatter || (scenario.rocks && scenario.rocks->model == RockModel::stochastic);
}

}  // namespace asperity::scenario
