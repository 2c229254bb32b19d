# One interface target carries what every file is compiled with.
add_library(proctor_flags INTERFACE)
target_include_directories(proctor_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(proctor_flags INTERFACE
    _GNU_SOURCE PROCTOR_VERSION="${PROJECT_VERSION}")
target_compile_options(proctor_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
    -Wmissing-prototypes -Wvla -Wswitch-enum -Wformat=2)
# Messages are cut to their buffer on purpose: struct err has a fixed size.
target_compile_options(proctor_flags INTERFACE
    $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>)
target_link_libraries(proctor_flags INTERFACE Threads::Threads)

if(PROCTOR_WERROR)
    target_compile_options(proctor_flags INTERFACE -Werror)
endif()
if(PROCTOR_SANITIZE)
    target_compile_options(proctor_flags INTERFACE
        -fsanitize=${PROCTOR_SANITIZE} -fno-omit-frame-pointer
        -fno-sanitize-recover=all)
    target_link_options(proctor_flags INTERFACE
        -fsanitize=${PROCTOR_SANITIZE})
endif()
if(PROCTOR_COVERAGE)
    target_compile_options(proctor_flags INTERFACE --coverage)
    target_link_options(proctor_flags INTERFACE --coverage)
endif()
if(PROCTOR_FUZZ)
    target_compile_options(proctor_flags INTERFACE
        -fsanitize=fuzzer-no-link)
endif()

# Tests are hundreds of programs: a faster linker halves the time of a build.
if(PROCTOR_FAST_LINKER)
    find_program(PROCTOR_LINKER NAMES ld.lld ld.gold)
    if(PROCTOR_LINKER MATCHES "/ld\\.(lld|gold)$")
        add_link_options(-fuse-ld=${CMAKE_MATCH_1})
    endif()
endif()
