// A TOML document as a tree that knows where each value was written: includes merged, overrides applied.
//
// The only part that knows toml++. Tables under a heading merge with those of an included file, key by key, and the including file
// wins; an inline table, an array and a list of tables are values, and replace what was included.
// Read into a tree of our own, since a merged tree has values of several files, and since toml++ is slow to compile.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/scenario/place.h"

namespace asperity::scenario {

// The place of a token: an index into Document::files, lines and columns from 1.
struct Mark {
    int file = 0;
    int line = 0;
    int column = 0;
    int length = 1;
};

struct Member;

struct Node {
    enum class Kind { boolean, integer, number, text, date, array, table };

    Kind kind = Kind::table;
    bool is_inline = false;  // a table in braces
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0;
    std::string text;
    std::vector<Node> items;      // array
    std::vector<Member> members;  // table, in the order of the file
    Mark mark;

    const Member* find(std::string_view key) const;
    Member* find(std::string_view key);
};

struct Member {
    std::string key;
    Mark key_mark;
    Node value;
};

// "a length of text", as messages call what they found: "text", "a number", "a section".
const char* name(Node::Kind kind);

struct SourceFile {
    std::string name;                // as the user typed it, or "--set key=value"
    std::vector<std::string> lines;  // none for --set
};

struct Document {
    Node root;
    std::vector<SourceFile> files;

    Place place(const Mark& mark, std::string section) const;
};

// Reads a file, or a text that errors call `file`. Throws InputError with every problem of syntax and of includes.
Document read_document(const std::string& file, const std::vector<std::string>& sets);
Document read_document_text(const std::string& text, const std::string& file, const std::vector<std::string>& sets);

}  // namespace asperity::scenario
