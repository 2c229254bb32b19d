# proctor_embed(TARGET NAME FILE...): the target carries these files of its
# folder, in the struct embedded NAME (base/embedded.h).
function(proctor_embed target name)
    set(script ${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake)
    set(table ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
    list(JOIN ARGN ":" files)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/
        OUTPUT_VARIABLE paths)
    add_custom_command(OUTPUT ${table}
        COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_CURRENT_SOURCE_DIR}
                -D FILES=${files} -D NAME=${name} -D OUTPUT=${table}
                -P ${script}
        DEPENDS ${paths} ${script}
        VERBATIM)
    set_source_files_properties(${table} PROPERTIES
        COMPILE_OPTIONS -Wno-overlength-strings)
    target_sources(${target} PRIVATE ${table})
endfunction()
