# cmake -D ROOT=DIR -D FILES=a.lua:b.lua -D OUTPUT=x.c -P EmbedLua.cmake:
# write the table of tools/phone/lua_files.h.
string(REPLACE ":" ";" FILES "${FILES}")
set(texts "")
set(table "")
set(number 0)
foreach(name IN LISTS FILES)
    file(READ "${ROOT}/${name}" bytes HEX)
    string(LENGTH "${bytes}" length)
    math(EXPR length "${length} / 2")
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
    string(REGEX REPLACE "(\\\\x0a)" "\\1\"\n    \"" bytes "${bytes}")
    string(APPEND texts
        "static const char text_${number}[] =\n    \"${bytes}\";\n\n")
    string(APPEND table "    {\"${name}\", text_${number}, ${length}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "#include \"tools/phone/lua_files.h\"

${texts}const struct lua_file lua_files[] = {
${table}};

const size_t lua_files_count = ${number};
")
