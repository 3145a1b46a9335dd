# Writes HEADER with the version and the commit that SOURCE is at; leaves it alone if it would not change.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE COMMIT ERROR_QUIET RESULT_VARIABLE FAILED OUTPUT_STRIP_TRAILING_WHITESPACE)
if(FAILED)
    set(COMMIT "unknown")
endif()
set(TEXT "#define ASPERITY_VERSION \"${VERSION}\"\n#define ASPERITY_COMMIT \"${COMMIT}\"\n#define ASPERITY_BUILD_FLAGS \"${FLAGS}\"\n")
set(OLD "")
if(EXISTS ${HEADER})
    file(READ ${HEADER} OLD)
endif()
if(NOT TEXT STREQUAL OLD)
    file(WRITE ${HEADER} "${TEXT}")
endif()
