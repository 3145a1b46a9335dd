# The parts of the report's page (page/) as one generated header, asperity/report/embedded.h.
set(page ${CMAKE_CURRENT_LIST_DIR}/page)
set(page_scripts common.js plots.js view.js page.js)

file(READ ${page}/page.css ASPERITY_PAGE_CSS)
file(READ ${page}/page.html ASPERITY_PAGE_HTML)
file(READ ${page}/motion.html ASPERITY_PAGE_MOTION_HTML)
# one scope, so that the page has no globals
set(ASPERITY_PAGE_SCRIPT "\"use strict\";\n{\n")
foreach(script ${page_scripts})
    file(READ ${page}/${script} text)
    string(APPEND ASPERITY_PAGE_SCRIPT "${text}")
endforeach()
string(APPEND ASPERITY_PAGE_SCRIPT "}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/embedded.h.in ${PROJECT_BINARY_DIR}/generated/asperity/report/embedded.h @ONLY)

list(TRANSFORM page_scripts PREPEND ${page}/)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page}/page.css ${page}/page.html ${page}/motion.html ${page_scripts})
