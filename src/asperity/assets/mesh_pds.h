// Plate tables of the Planetary Data System: vertices and triangles in lines of plain numbers.
//
//   V F                a count line, or V alone, and then F alone on a line between the two blocks
//   [i] x y z          V vertices; the number i may be left out
//   [j] a b c          F plates
//
// or, without counts, lines `v x y z` and `f a b c` (as the table of 433 Eros). Exponents may be written 1.5D+00.
// Corners count from 0 or from 1: from 0 where a plate names vertex 0, from 1 where one names vertex V. Where neither occurs the number
// of the first vertex decides; both at once, or no way to tell, is an error. Numbers i and j must run without a gap from 0 or 1.
// Source: R. Gaskell, Gaskell shape models, PDS (plate files); NEAR-A-5-COLLECTED-MODELS (v and f lines).
#pragma once
#include <string>
#include <string_view>

#include "asperity/geometry/raw_mesh.h"

namespace asperity::assets {

// As parse_obj (mesh_obj.h).
geometry::RawMesh parse_pds(std::string_view text, const std::string& name, double unit = 1);

}  // namespace asperity::assets
