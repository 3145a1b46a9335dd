// Judges the rows of a table: whether our runs confirm the standings that the table declares. papers/README.md has the rules.
#pragma once
#include "asperity/reproduce/reproduce.h"

namespace asperity::reproduce {

// Completes a table whose runs are done: computes distances between groups and differences, and adds the findings of every row.
void judge_rows(TableResult& result);

}  // namespace asperity::reproduce
