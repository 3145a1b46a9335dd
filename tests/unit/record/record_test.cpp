#include "asperity/record/record.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <limits>

#include "asperity/core/errors.h"
#include "asperity/record/columns.h"
#include "asperity/record/text_file.h"
#include "asperity/record/writer.h"
#include "unit/record/bouncing_ball.h"
#include "unit/record/write_record.h"

namespace asperity::record::record_test {
namespace {

using test::bouncing_record;
using test::fresh_folder;

template <class Row>
void expect_same_rows(const std::vector<Row>& a, const std::vector<Row>& b) {
    EXPECT_EQ(columns_of(a), columns_of(b));
}

template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.problems.front().what;
    }
    return "no InputError";
}

TEST(Record, EverythingComesBackAsItWas) {
    const auto path = fresh_folder("round_trip") / "record.h5";
    const Record wrote = bouncing_record(0.05);  // more samples than one block
    ASSERT_GT(wrote.samples.size(), 4096u);
    write_record(path, wrote);
    const Record got = read_record(path);
    EXPECT_EQ(got.header, wrote.header);
    EXPECT_EQ(got.scenario, wrote.scenario);
    EXPECT_EQ(got.surface, wrote.surface);
    expect_same_rows(got.samples, wrote.samples);
    expect_same_rows(got.events, wrote.events);
    EXPECT_EQ(got.checkpoints, wrote.checkpoints);
    EXPECT_EQ(got.tables, wrote.tables);
    EXPECT_EQ(got.metrics, wrote.metrics);
    EXPECT_EQ(got.warnings, wrote.warnings);
    ASSERT_TRUE(got.outcome);
    EXPECT_EQ(got.outcome->kind, wrote.outcome->kind);
    EXPECT_EQ(got.outcome->time, wrote.outcome->time);
    EXPECT_EQ(got.outcome->message, wrote.outcome->message);
    EXPECT_EQ(record_hash(path), record_hash(wrote));
}

Record with_bodies(double sample_every) {
    Record record = bouncing_record(sample_every);
    record.bodies = {.rows = {{.mass = 2, .semi_axes = {3, 2, 1}, .inertia = {2, 4, 5.2}}, {.mass = 7, .semi_axes = {1, 1, 1}}},
                     .gravitational_constant = 6.67384e-11};
    return record;
}

TEST(Record, BodiesComeBackAndCountInTheHash) {
    const auto folder = fresh_folder("bodies");
    const Record wrote = with_bodies(20);
    write_record(folder / "record.h5", wrote);
    EXPECT_EQ(read_record(folder / "record.h5").bodies, wrote.bodies);
    EXPECT_EQ(record_hash(folder / "record.h5"), record_hash(wrote));
    RecordWriter::continue_from(folder / "record.h5", 1, folder / "on.h5").close();
    EXPECT_EQ(read_record(folder / "on.h5").bodies, wrote.bodies);

    const auto changed = [&](const auto& change) {
        Record other = wrote;
        change(other.bodies);
        return record_hash(other);
    };
    EXPECT_NE(record_hash(wrote), changed([](Bodies& b) { b.rows[1].mass = std::nextafter(7, 8); }));
    EXPECT_NE(record_hash(wrote), changed([](Bodies& b) { b.rows[0].semi_axes.z = std::nextafter(1, 2); }));
    EXPECT_NE(record_hash(wrote), changed([](Bodies& b) { b.rows[0].inertia.x = std::nextafter(2, 3); }));
    EXPECT_NE(record_hash(wrote), changed([](Bodies& b) { b.gravitational_constant *= 2; }));
    EXPECT_NE(record_hash(wrote), changed([](Bodies& b) { b.rows[0].name = "another"; }));
    EXPECT_NE(record_hash(wrote), changed([](Bodies& b) { b.rows[1].group = 7; }));
    // a record of verdicts or of maps has none
    write_record(folder / "none.h5", bouncing_record(20));
    EXPECT_TRUE(read_record(folder / "none.h5").bodies.is_empty());
    EXPECT_FALSE(Hdf5File::open(folder / "none.h5").has("/bodies"));
}

TEST(Record, AnEmptyRecordComesBackEmpty) {
    const auto path = fresh_folder("empty") / "record.h5";
    write_record(path, {});
    const Record got = read_record(path);
    EXPECT_TRUE(got.samples.empty() && got.events.empty() && got.checkpoints.empty() && got.metrics.empty() && got.tables.empty());
    EXPECT_FALSE(got.outcome);
    EXPECT_EQ(got.scenario, "");
}

TEST(Record, OddNumbersAndTextsSurvive) {
    const auto path = fresh_folder("odd") / "record.h5";
    Record wrote;
    model::Sample sample{.time = std::numeric_limits<double>::denorm_min()};
    sample.position = {std::numeric_limits<double>::infinity(), -0.0, std::numeric_limits<double>::max()};
    wrote.samples = {sample};
    wrote.scenario = "ü — ∞ \"<&>\"\n";
    wrote.tables = {{"a/b", "", {{"m/s", "m/s", "", std::vector<std::string>{"", "x\ny"}}}}};
    wrote.metrics = {{"worst/case", std::numeric_limits<double>::quiet_NaN(), ""}};
    write_record(path, wrote);
    const Record got = read_record(path);
    EXPECT_EQ(got.scenario, wrote.scenario);
    EXPECT_EQ(got.tables, wrote.tables);
    expect_same_rows(got.samples, wrote.samples);
    EXPECT_TRUE(std::signbit(got.samples[0].position.y));
    EXPECT_EQ(got.metrics[0].name, "worst/case");
    EXPECT_TRUE(std::isnan(std::get<double>(got.metrics[0].value)));
}

// Every value that counts, changed in its last bit, changes the hash; header and warnings do not.
TEST(Record, TheHashSeesOneBitOfEveryContent) {
    const Record record = bouncing_record(1);
    const std::string hash = record_hash(record);
    const auto flip = [](double& value) { value = std::nextafter(value, 1e300); };
    const auto changed = [&](const auto& change) {
        Record other = record;
        change(other);
        return record_hash(other);
    };
    EXPECT_EQ(hash.size(), 32u);
    EXPECT_NE(hash, changed([&](Record& r) { flip(r.samples[7].orientation.z); }));
    EXPECT_NE(hash, changed([&](Record& r) { flip(r.samples.back().ledger.heat_rolling); }));
    EXPECT_NE(hash, changed([&](Record& r) { r.samples.pop_back(); }));
    EXPECT_NE(hash, changed([&](Record& r) { flip(r.events[2].normal_speed_out); }));
    EXPECT_NE(hash, changed([&](Record& r) { r.events[2].kind = model::EventKind::slide; }));
    EXPECT_NE(hash, changed([&](Record& r) { r.checkpoints[1].samples++; }));
    EXPECT_NE(hash, changed([&](Record& r) { flip(std::get<std::vector<double>>(r.tables[0].columns[1].values)[0]); }));
    EXPECT_NE(hash, changed([&](Record& r) { r.tables[0].columns[1].unit = "m"; }));
    EXPECT_NE(hash, changed([&](Record& r) { flip(std::get<double>(r.metrics[0].value)); }));
    EXPECT_NE(hash, changed([&](Record& r) { r.metrics[0].unit = "h"; }));
    EXPECT_NE(hash, changed([&](Record& r) { r.metrics[3].value = 1.5; }));  // a number is not a list of one
    EXPECT_NE(hash, changed([&](Record& r) { flip(r.outcome->time); }));
    EXPECT_NE(hash, changed([&](Record& r) { r.outcome.reset(); }));
    EXPECT_NE(hash, changed([&](Record& r) { r.scenario += " "; }));
    EXPECT_NE(hash, changed([&](Record& r) { flip(r.surface.vertices[5].z); }));
    EXPECT_EQ(hash, changed([&](Record& r) { r.header.compiler = "clang 15"; }));
    EXPECT_EQ(hash, changed([&](Record& r) { r.warnings.clear(); }));
    EXPECT_EQ(hash, changed([&](Record& r) { r.tables[0].description = "other words"; }));
}

// Changes the last bit of the field of that number, and says whether there was one.
class ChangeField {
public:
    explicit ChangeField(int number) : left_(number) {}
    bool is_done() const { return left_ < 0; }

    template <class Block>
    void block(const char*, Block& block) {
        describe(*this, block);
    }
    template <class T>
    void field(const char*, T& value, const char*, const char*) {
        if (left_-- == 0) change(value);
    }

private:
    static void change(double& value) { value = std::nextafter(value, 1e300); }
    template <class Integer>
    requires std::is_integral_v<Integer> || std::is_enum_v<Integer>
    static void change(Integer& value) { value = static_cast<Integer>(static_cast<std::int64_t>(value) ^ 1); }
    static void change(Vec3& value) { change(value.z); }
    static void change(Quat& value) { change(value.z); }
    template <class T>
    static void change(std::vector<T>& values) {
        change(values.at(0));
    }
    int left_;
};

TEST(Record, TheHashSeesOneBitOfEveryFieldOfState) {
    const Record record = bouncing_record(20);
    const std::string hash = record_hash(record);
    int fields = 0;
    for (bool was_there = true; was_there; ++fields) {
        Record other = record;
        ChangeField change(fields);
        describe(change, other.checkpoints[1].state);
        was_there = change.is_done();
        EXPECT_EQ(record_hash(other) != hash, was_there) << "field " << fields;
        EXPECT_EQ(state_of(tables_of(other.checkpoints[1].state), "/"), other.checkpoints[1].state) << "field " << fields;
    }
    EXPECT_GT(fields, 15);
}

TEST(Record, CheckpointsAreFoundByNumberAndByTime) {
    const auto path = fresh_folder("checkpoints") / "record.h5";
    const Record record = bouncing_record(1);
    write_record(path, record);
    EXPECT_EQ(last_checkpoint(path), 2);
    EXPECT_EQ(last_checkpoint_before(path, 45), 1);
    EXPECT_EQ(last_checkpoint_before(path, 44.999), 0);
    EXPECT_EQ(message_of([&] { last_checkpoint_before(path, 9); }), path.string() + " holds no checkpoint at or before 9 s");
    EXPECT_EQ(message_of([&] { RecordWriter::continue_from(path, 3, path); }),
              path.string() + " has 3 checkpoints, there is no checkpoint 3");
    write_record(path, {});
    EXPECT_EQ(message_of([&] { last_checkpoint(path); }), path.string() + " holds no checkpoints");
}

TEST(Record, WhatIsNotARecordIsRefusedInPlainWords) {
    const auto folder = fresh_folder("not_a_record");
    EXPECT_EQ(message_of([&] { read_record(folder / "none.h5"); }), "no record at " + (folder / "none.h5").string());
    EXPECT_EQ(message_of([&] { read_record(folder); }), "no record at " + folder.string());
    write_text_file(folder / "text.h5", "not a record\n");
    EXPECT_EQ(message_of([&] { read_record(folder / "text.h5"); }),
              (folder / "text.h5").string() + " is not a record: it is not an HDF5 file");
    write_text_file(folder / "nothing.h5", "");
    EXPECT_EQ(message_of([&] { read_record(folder / "nothing.h5"); }),
              (folder / "nothing.h5").string() + " is not a record: it is not an HDF5 file");
    Hdf5File::create(folder / "other.h5").close();
    EXPECT_EQ(message_of([&] { read_record(folder / "other.h5"); }),
              (folder / "other.h5").string() + " is an HDF5 file, but not a record of Asperity");
}

TEST(Record, ATruncatedRecordIsAnInputError) {
    const auto path = fresh_folder("truncated") / "record.h5";
    write_record(path, bouncing_record(1));
    const auto size = std::filesystem::file_size(path);
    for (const double part : {0.99, 0.5, 0.1, 0.01}) {
        std::filesystem::resize_file(path, static_cast<std::uintmax_t>(part * static_cast<double>(size)));
        const std::string message = message_of([&] { read_record(path); });
        EXPECT_NE(message.find("cannot open " + path.string() + ": "), std::string::npos) << part << ": " << message;
    }
}

// What a child process made of it: its exit status, or -1 where it was taken down.
template <class Call>
int status_of_child(const Call& call) {
    const pid_t child = fork();
    if (child == 0) call();
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Damage in the middle of the file: InputError or, where the bytes do not matter, a record; never a crash, never another exception. In
// children, since the HDF5 library drops memory on its way out of a damaged file, which a leak checker would report.
TEST(Record, DamagedBytesAreAnInputErrorOrHarmless) {
    const auto folder = fresh_folder("damaged");
    write_record(folder / "record.h5", bouncing_record(5));
    const std::string good = read_text_file(folder / "record.h5");
    std::uint64_t draw = 12345;
    int refused = 0;
    for (int run = 0; run < 100; ++run) {
        std::string bad = good;
        for (int k = 0; k <= run % 30; ++k) {
            draw = draw * 6364136223846793005ULL + 1442695040888963407ULL;
            bad[(draw >> 20) % bad.size()] = static_cast<char>(draw >> 56);
        }
        write_text_file(folder / "bad.h5", bad);
        const int status = status_of_child([&] {
            try {
                read_record(folder / "bad.h5");
            } catch (const InputError&) {
                ::_exit(1);
            } catch (...) {
                ::_exit(2);
            }
            ::_exit(0);
        });
        EXPECT_TRUE(status == 0 || status == 1) << "run " << run << ": " << status;
        refused += status == 1 ? 1 : 0;
    }
    EXPECT_GT(refused, 50);
}

TEST(Record, AnotherFormatIsRefused) {
    const auto path = fresh_folder("other_format") / "record.h5";
    for (const std::int64_t format : {1, 99}) {
        Hdf5File file = Hdf5File::create(path);
        file.write_attribute("/", "format", format);
        file.make_group("/samples");
        file.write("/scenario", {"scenario", "", "", std::vector<std::string>{""}, 1, true});
        file.close();
        EXPECT_EQ(message_of([&] { read_record(path); }),
                  fmt::format("{} is a record of format {}; this program reads format 2", path.string(), format));
    }
}

// A method follows the rows of a contact without a look: what a file says is looked at when it is read.
TEST(Record, AContactOfABodyThatThereIsNotIsRefused) {
    const auto path = fresh_folder("contact_rows") / "record.h5";
    Record record = bouncing_record(20);
    record.checkpoints[0].state.contacts.b = {1};
    write_record(path, record);
    EXPECT_NE(message_of([&] { read_record(path); }).find("`/checkpoints/0/contacts` names a body that there is not"), std::string::npos);
    record.checkpoints[0].state.contacts.b = {};
    write_record(path, record);
    EXPECT_NE(message_of([&] { read_record(path); }).find("columns of `/checkpoints/0/contacts` differ in length"), std::string::npos);
}

TEST(Record, AMissingColumnIsNamed) {
    const auto path = fresh_folder("missing_column") / "record.h5";
    Hdf5File file = Hdf5File::create(path);
    file.write_attribute("/", "format", format_version);
    for (const char* name : {"asperity_version", "git_commit", "compiler", "compiler_flags", "scenario_name", "scenario_hash"})
        file.write_attribute("/", name, std::string());
    file.write("/scenario", {"scenario", "", "", std::vector<std::string>{""}, 1, true});
    file.make_group("/samples");
    file.write("/samples/time", {"time", "s", "", std::vector<double>{1}});
    file.close();
    EXPECT_EQ(message_of([&] { read_record(path); }), "cannot read " + path.string() + ": `/samples/body` is missing");
}

// Permission bits do not bind root, so the folder lies below a file.
TEST(Record, AnUnwritablePlaceIsARuntimeError) {
    const auto folder = fresh_folder("unwritable");
    write_text_file(folder / "file", "x");
    EXPECT_THROW(RecordWriter(folder / "file" / "below" / "record.h5", {}, ""), RuntimeError);
    std::filesystem::create_directory(folder / "record.h5");
    EXPECT_THROW(RecordWriter(folder / "record.h5", {}, ""), RuntimeError);
    EXPECT_THROW(write_text_file(folder / "file" / "summary.json", "{}"), RuntimeError);
}

TEST(Record, ATextWithNulIsRefused) {
    const auto path = fresh_folder("nul") / "record.h5";
    EXPECT_THROW(RecordWriter(path, {}, std::string_view("a\0b", 3)), InputError);
    EXPECT_TRUE(std::filesystem::is_empty(path.parent_path()));
}

// A full disk, played by a limit on the size of files. The child leaves through exit(), since the HDF5 library must not take it down there
// either; but it keeps the file that it failed to write, which a leak checker would report.
TEST(Record, AFullDiskIsARuntimeErrorWithThePath) {
#ifdef __SANITIZE_ADDRESS__
    const auto leave = [](int status) { ::_exit(status); };
#else
    const auto leave = [](int status) { std::exit(status); };
#endif
    const auto path = fresh_folder("full") / "record.h5";
    const Record record = bouncing_record(0.05);
    const int status = status_of_child([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{100'000, 100'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        try {
            write_record(path, record);
        } catch (const RuntimeError& error) {
            const bool is_told = std::string(error.what()).find("cannot write " + path.string()) == 0;
            leave(is_told && std::filesystem::is_empty(path.parent_path()) ? 42 : 43);
        }
        leave(44);
    });
    EXPECT_EQ(status, 42);
}

}  // namespace
}  // namespace asperity::record::record_test
