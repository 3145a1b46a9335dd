#include "asperity/batch/run_order.h"

#include <algorithm>
#include <array>

#include "asperity/record/durable_file.h"

namespace asperity::batch {
namespace {

constexpr std::size_t block_runs = 4096;

// Offsets of rows by run; 0, the place of the journal's head, means none.
class OffsetFile {
public:
    explicit OffsetFile(const std::filesystem::path& beside) : file_(record::DurableFile::create_beside(beside)) { file_.unlink(); }

    void set(std::uint64_t run, std::uint64_t offset) {
        file_.write(run * sizeof offset, {reinterpret_cast<const char*>(&offset), sizeof offset});
    }

    std::uint64_t get(std::uint64_t run) const {
        std::uint64_t offset = 0;
        file_.read(run * sizeof offset, {reinterpret_cast<char*>(&offset), sizeof offset});
        return offset;
    }

    using Block = std::array<std::uint64_t, block_runs>;
    void get_block(std::uint64_t run, Block& offsets) const {
        offsets.fill(0);
        file_.read(run * sizeof run, {reinterpret_cast<char*>(offsets.data()), sizeof offsets});
    }

private:
    record::DurableFile file_;
};

}  // namespace

OrderReport for_each_in_order(const std::filesystem::path& journal, const std::string& identity, std::uint64_t run_count,
                              const VisitRun& visit) {
    OrderReport report;
    JournalRows rows(journal, identity);
    OffsetFile offsets(journal);
    report.journal = read_journal(journal, identity, [&](std::uint64_t run, std::string_view row, std::uint64_t offset) {
        if (run >= run_count) return;
        const std::uint64_t first = offsets.get(run);
        if (first == 0) return offsets.set(run, offset);
        if (rows.row(run, first) == row) return;
        ++report.contradictions;
        if (report.contradicted.size() < JournalReport::most_damages) report.contradicted.push_back(run);
    });

    OffsetFile::Block block;
    for (std::uint64_t run = 0; run < run_count; ++run) {
        if (run % block_runs == 0) offsets.get_block(run, block);
        const std::uint64_t offset = block[run % block_runs];
        if (offset == 0) {
            ++report.missing;
            visit(run, std::nullopt);
        } else {
            visit(run, rows.row(run, offset));
        }
    }
    return report;
}

}  // namespace asperity::batch
