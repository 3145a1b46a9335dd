#include "asperity/record/paraview.h"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <map>
#include <string>

#include "asperity/record/text_file.h"

namespace asperity::record {
namespace {

// A VTK XML PolyData file, put together piece by piece.
class PolyData {
public:
    PolyData(std::size_t points, std::size_t vertices, std::size_t lines, std::size_t polygons) {
        add("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<PolyData>\n"
            "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
            points, vertices, lines, polygons);
    }

    void open(const char* tag) { add("<{}>\n", tag); }
    void close(const char* tag) { add("</{}>\n", tag); }

    template <class Row>
    void numbers(const char* name, const std::vector<Row>& rows, const std::function<double(const Row&)>& of) {
        add("<DataArray type=\"Float64\" Name=\"{}\" format=\"ascii\">\n", name);
        for (const Row& row : rows) add("{:.17g}\n", of(row));
        close("DataArray");
    }
    template <class Row>
    void vectors(const char* name, const std::vector<Row>& rows, const std::function<Vec3(const Row&)>& of) {
        add("<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"3\" format=\"ascii\">\n", name);
        for (const Row& row : rows) {
            const Vec3 a = of(row);
            add("{:.17g} {:.17g} {:.17g}\n", a.x, a.y, a.z);
        }
        close("DataArray");
    }
    void integers(const char* name, const std::vector<std::int64_t>& numbers) {
        add("<DataArray type=\"Int64\" Name=\"{}\" format=\"ascii\">\n", name);
        for (const std::int64_t n : numbers) add("{}\n", n);
        close("DataArray");
    }
    std::string text() && {
        add("</Piece>\n</PolyData>\n</VTKFile>\n");
        return std::move(text_);
    }

private:
    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    }
    std::string text_;
};

std::string surface_text(const Surface& surface, const std::vector<FacetNumbers>& numbers) {
    PolyData file(surface.vertices.size(), 0, 0, surface.facets.size());
    if (!numbers.empty()) file.open("CellData");
    for (const FacetNumbers& n : numbers) file.numbers<double>(n.name.c_str(), n.values, [](double value) { return value; });
    if (!numbers.empty()) file.close("CellData");
    file.open("Points");
    file.vectors<Vec3>("Points", surface.vertices, [](const Vec3& a) { return a; });
    file.close("Points");
    std::vector<std::int64_t> corners;
    std::vector<std::int64_t> ends;
    for (const auto& facet : surface.facets) {
        corners.insert(corners.end(), facet.begin(), facet.end());
        ends.push_back(static_cast<std::int64_t>(corners.size()));
    }
    file.open("Polys");
    file.integers("connectivity", corners);
    file.integers("offsets", ends);
    file.close("Polys");
    return std::move(file).text();
}

std::string trajectory_text(const std::vector<model::Sample>& samples) {
    std::map<std::int64_t, std::vector<std::int64_t>> rows_by_body;
    for (std::size_t i = 0; i < samples.size(); ++i) rows_by_body[samples[i].body].push_back(static_cast<std::int64_t>(i));
    std::vector<std::int64_t> connectivity;
    std::vector<std::int64_t> ends;
    for (const auto& [body, rows] : rows_by_body) {
        connectivity.insert(connectivity.end(), rows.begin(), rows.end());
        ends.push_back(static_cast<std::int64_t>(connectivity.size()));
    }
    using model::Sample;
    PolyData file(samples.size(), 0, ends.size(), 0);
    file.open("PointData");
    file.numbers<Sample>("time", samples, [](const Sample& s) { return s.time; });
    file.numbers<Sample>("body", samples, [](const Sample& s) { return static_cast<double>(s.body); });
    file.numbers<Sample>("mode", samples, [](const Sample& s) { return static_cast<double>(s.mode); });
    file.numbers<Sample>("configuration", samples, [](const Sample& s) { return static_cast<double>(s.configuration); });
    file.numbers<Sample>("speed", samples, [](const Sample& s) { return norm(s.velocity); });
    file.numbers<Sample>("slip_speed", samples, [](const Sample& s) { return s.slip_speed; });
    file.numbers<Sample>("kinetic", samples, [](const Sample& s) { return s.ledger.kinetic; });
    file.numbers<Sample>("rotational", samples, [](const Sample& s) { return s.ledger.rotational; });
    file.numbers<Sample>("potential", samples, [](const Sample& s) { return s.ledger.potential; });
    file.numbers<Sample>("heat_impact", samples, [](const Sample& s) { return s.ledger.heat_impact; });
    file.numbers<Sample>("heat_friction", samples, [](const Sample& s) { return s.ledger.heat_friction; });
    file.numbers<Sample>("heat_rolling", samples, [](const Sample& s) { return s.ledger.heat_rolling; });
    file.numbers<Sample>("heat_tide", samples, [](const Sample& s) { return s.ledger.heat_tide; });
    file.vectors<Sample>("velocity", samples, [](const Sample& s) { return s.velocity; });
    file.vectors<Sample>("spin", samples, [](const Sample& s) { return s.spin; });
    file.close("PointData");
    file.open("Points");
    file.vectors<Sample>("Points", samples, [](const Sample& s) { return s.position; });
    file.close("Points");
    file.open("Lines");
    file.integers("connectivity", connectivity);
    file.integers("offsets", ends);
    file.close("Lines");
    return std::move(file).text();
}

std::string events_text(const std::vector<model::Event>& events) {
    std::vector<std::int64_t> connectivity;
    std::vector<std::int64_t> ends;
    for (std::size_t i = 0; i < events.size(); ++i) {
        connectivity.push_back(static_cast<std::int64_t>(i));
        ends.push_back(static_cast<std::int64_t>(i) + 1);
    }
    using model::Event;
    PolyData file(events.size(), events.size(), 0, 0);
    file.open("PointData");
    file.numbers<Event>("time", events, [](const Event& e) { return e.time; });
    file.numbers<Event>("kind", events, [](const Event& e) { return static_cast<double>(e.kind); });
    file.numbers<Event>("normal_speed_in", events, [](const Event& e) { return e.normal_speed_in; });
    file.numbers<Event>("normal_speed_out", events, [](const Event& e) { return e.normal_speed_out; });
    file.numbers<Event>("heat", events, [](const Event& e) { return e.heat; });
    file.vectors<Event>("normal", events, [](const Event& e) { return e.normal; });
    file.vectors<Event>("velocity", events, [](const Event& e) { return e.velocity; });
    file.close("PointData");
    file.open("Points");
    file.vectors<Event>("Points", events, [](const Event& e) { return e.position; });
    file.close("Points");
    file.open("Verts");
    file.integers("connectivity", connectivity);
    file.integers("offsets", ends);
    file.close("Verts");
    return std::move(file).text();
}

// A frame of a group: points, to be shown as spheres.
std::string frame_text(const GroupHead& head, const Frame& frame) {
    std::vector<std::int64_t> body, ends;
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
        body.push_back(head.first + static_cast<std::int64_t>(i) * head.stride);
        ends.push_back(static_cast<std::int64_t>(i) + 1);
    }
    PolyData file(frame.position.size(), frame.position.size(), 0, 0);
    file.open("PointData");
    file.integers("body", body);
    if (head.has_velocity) file.vectors<Vec3>("velocity", frame.velocity, [](const Vec3& a) { return a; });
    if (head.has_spin) file.vectors<Vec3>("spin", frame.spin, [](const Vec3& a) { return a; });
    file.close("PointData");
    file.open("Points");
    file.vectors<Vec3>("Points", frame.position, [](const Vec3& a) { return a; });
    file.close("Points");
    std::vector<std::int64_t> connectivity(ends.size());
    for (std::size_t i = 0; i < ends.size(); ++i) connectivity[i] = static_cast<std::int64_t>(i);
    file.open("Verts");
    file.integers("connectivity", connectivity);
    file.integers("offsets", ends);
    file.close("Verts");
    return std::move(file).text();
}

// A file for each frame, and a list of them with their times.
void write_frames(const Hdf5File& file, std::size_t index, const Group& group, const std::filesystem::path& folder) {
    std::string list = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
    for (std::size_t k = 0; k < group.frame_times.size(); ++k) {
        const std::string name = fmt::format("group-{}-{:05}.vtp", index, k);
        write_text_file(folder / name, frame_text(group.head, read_frame(file, index, group.head, static_cast<std::int64_t>(k))));
        list += fmt::format("<DataSet timestep=\"{:.17g}\" file=\"{}\"/>\n", group.frame_times[k], name);
    }
    write_text_file(folder / fmt::format("group-{}.pvd", index), list + "</Collection>\n</VTKFile>\n");
}

}  // namespace

void write_paraview_groups(const std::filesystem::path& path, const Record& record, const std::filesystem::path& folder) {
    if (record.groups.empty()) return;
    const Hdf5File file = Hdf5File::open(path);
    for (std::size_t g = 0; g < record.groups.size(); ++g) write_frames(file, g, record.groups[g], folder);
}

void write_paraview(const Record& record, const std::filesystem::path& folder) {
    if (!record.surface.facets.empty()) write_text_file(folder / "surface.vtp", surface_text(record.surface, {}));
    if (!record.samples.empty()) write_text_file(folder / "trajectory.vtp", trajectory_text(record.samples));
    if (!record.events.empty()) write_text_file(folder / "events.vtp", events_text(record.events));
}

void write_facet_numbers(const std::filesystem::path& path, const Surface& surface, const std::vector<FacetNumbers>& numbers) {
    write_text_file(path, surface_text(surface, numbers));
}

}  // namespace asperity::record
