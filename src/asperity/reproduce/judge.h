// The standings of a table's rows: whether our runs bear out what the table declares. papers/README.md has the rules.
#pragma once
#include "asperity/reproduce/reproduce.h"

namespace asperity::reproduce {

// Of a table whose runs are done: takes distances between groups and differences, and adds the findings of every row.
void judge_rows(TableResult& result);

}  // namespace asperity::reproduce
