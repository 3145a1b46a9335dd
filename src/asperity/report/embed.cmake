# The parts of every page: those of page/ that are text as one generated header, asperity/report/embedded.h; the scripts of page/ and viewer/, with
# three.js and Observable Plot from npm, as one script in a generated source.
set(page ${CMAKE_CURRENT_LIST_DIR}/page)
foreach(part page.css page.html motion.html events.html body.html)
    string(MAKE_C_IDENTIFIER ${part} name)
    string(TOUPPER ${name} name)
    string(REGEX REPLACE "^PAGE_" "" name ${name})
    file(READ ${page}/${part} ASPERITY_PAGE_${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page}/${part})
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/embedded.h.in ${PROJECT_BINARY_DIR}/generated/asperity/report/embedded.h @ONLY)

find_program(ASPERITY_ESBUILD esbuild REQUIRED)
find_program(ASPERITY_NPM npm REQUIRED)
set(viewer ${CMAKE_CURRENT_LIST_DIR}/viewer)
set(npm_packages ${viewer}/node_modules/.package-lock.json)  # written by npm when it has done its work
set(script_source ${PROJECT_BINARY_DIR}/generated/asperity/report/page_script.cpp)
file(GLOB page_scripts CONFIGURE_DEPENDS ${page}/*.js ${viewer}/*.js)
add_custom_command(OUTPUT ${npm_packages}
    COMMAND ${ASPERITY_NPM} ci --ignore-scripts --prefer-offline --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${npm_packages}
    DEPENDS ${viewer}/package-lock.json
    WORKING_DIRECTORY ${viewer} COMMENT "npm ci (three.js, Observable Plot)" VERBATIM)
add_custom_command(OUTPUT ${script_source}
    COMMAND ${ASPERITY_ESBUILD} ${page}/main.js --bundle --minify --target=es2020 --charset=utf8 --log-level=warning --outfile=${script_source}.js
    COMMAND ${CMAKE_COMMAND} -DSCRIPT=${script_source}.js -DSOURCE=${script_source} -P ${CMAKE_CURRENT_LIST_DIR}/embed_script.cmake
    DEPENDS ${npm_packages} ${page_scripts} ${CMAKE_CURRENT_LIST_DIR}/embed_script.cmake
    WORKING_DIRECTORY ${viewer} COMMENT "bundling the script of pages" VERBATIM)
target_sources(asperity_lib PRIVATE ${script_source})
set_source_files_properties(${script_source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
