// The meaning of every key of a scenario file: text for `asperity explain`, and the reference page. Both come from describe().
#pragma once
#include <string>
#include <vector>

namespace asperity::scenario {

// `key` is a key path ("body.lander.mass"), a section ("contact"), a bare key name ("restitution"), or empty for all of them.
// Throws InputError with a suggestion where there is no such key.
std::string explain(const std::string& key);

// docs/reference/scenario.md and study.md
std::string reference_page();
std::string study_reference_page();

// The heading of a section as a file has it: "[body.NAME.start]", "[contact.\"A/B\"]".
std::string heading_of(const std::string& section);

// One key, as describe() lists it.
struct KeyEntry {
    std::string section;   // "body.NAME.start"; empty at the top of the file
    std::string kind;      // for keys that exist only under one kind: "flat"
    std::string kind_key;  // and the key that says which: "kind"
    std::string name;      // "restitution"
    std::string type;      // "number", "length", "three lengths", "text", "one of"
    std::string bounds;    // "between 0 and 1"; empty where there are none
    bool is_required = false;
    std::string default_text;  // "\"1 kg\""; empty for a required key
    std::string sentence;
    std::vector<std::string> choices;           // names, for "one of"
    std::vector<std::string> choice_sentences;  // same order

    std::string path() const { return section.empty() ? name : section + "." + name; }
};

struct SectionEntry {
    std::string name;     // "gravity", "body.NAME.start"
    std::string heading;  // "[gravity]", "[[phase]]"
    std::string sentence;
    bool is_required = false;
};

struct Schema {
    std::vector<SectionEntry> sections;
    std::vector<KeyEntry> keys;
};

// Every key and section, in the order of the file.
Schema scenario_schema();
Schema study_schema();

}  // namespace asperity::scenario
