// What `asperity reproduce` says of a row.
#pragma once

namespace asperity::study {

enum class Verdict { ok, misprint, shown, failed };  // misprint and shown are notes
const char* name(Verdict verdict);

}  // namespace asperity::study
