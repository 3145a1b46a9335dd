# The parts of the report's page: those of page/ as one generated header, asperity/report/embedded.h, and the viewer (viewer/, with three.js
# from npm) as one script in a generated source.
set(page ${CMAKE_CURRENT_LIST_DIR}/page)
set(page_scripts shared.js common.js plots.js scene.js view.js page.js)
set(campaign_scripts shared.js scene.js body.js campaign.js)

file(READ ${page}/page.css ASPERITY_PAGE_CSS)
file(READ ${page}/campaign.css ASPERITY_CAMPAIGN_CSS)
file(READ ${page}/page.html ASPERITY_PAGE_HTML)
file(READ ${page}/motion.html ASPERITY_PAGE_MOTION_HTML)
# one scope, so that a page has no globals
foreach(name PAGE CAMPAIGN)
    string(TOLOWER ${name}_scripts scripts)
    set(ASPERITY_${name}_SCRIPT "\"use strict\";\n{\n")
    foreach(script ${${scripts}})
        file(READ ${page}/${script} text)
        string(APPEND ASPERITY_${name}_SCRIPT "${text}")
    endforeach()
    string(APPEND ASPERITY_${name}_SCRIPT "}")
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/embedded.h.in ${PROJECT_BINARY_DIR}/generated/asperity/report/embedded.h @ONLY)

set(page_parts page.css campaign.css page.html motion.html ${page_scripts} ${campaign_scripts})
list(REMOVE_DUPLICATES page_parts)
list(TRANSFORM page_parts PREPEND ${page}/)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_parts})

find_program(ASPERITY_ESBUILD esbuild REQUIRED)
find_program(ASPERITY_NPM npm REQUIRED)
set(viewer ${CMAKE_CURRENT_LIST_DIR}/viewer)
set(npm_packages ${viewer}/node_modules/.package-lock.json)  # written by npm when it has done its work
set(viewer_source ${PROJECT_BINARY_DIR}/generated/asperity/report/viewer.cpp)
add_custom_command(OUTPUT ${npm_packages}
    COMMAND ${ASPERITY_NPM} ci --ignore-scripts --prefer-offline --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${npm_packages}
    DEPENDS ${viewer}/package-lock.json
    WORKING_DIRECTORY ${viewer} COMMENT "npm ci (three.js)" VERBATIM)
add_custom_command(OUTPUT ${viewer_source}
    COMMAND ${ASPERITY_ESBUILD} stage.js --bundle --minify --target=es2020 --global-name=viewer --log-level=warning --outfile=${viewer_source}.js
    COMMAND ${CMAKE_COMMAND} -DSCRIPT=${viewer_source}.js -DSOURCE=${viewer_source} -P ${CMAKE_CURRENT_LIST_DIR}/embed_script.cmake
    DEPENDS ${npm_packages} ${viewer}/materials.js ${viewer}/shapes.js ${viewer}/stage.js ${CMAKE_CURRENT_LIST_DIR}/embed_script.cmake
    WORKING_DIRECTORY ${viewer} COMMENT "bundling the viewer" VERBATIM)
target_sources(asperity_lib PRIVATE ${viewer_source})
set_source_files_properties(${viewer_source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
