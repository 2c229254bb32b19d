# cmake -D ROOT=DIR -D FILES=a:b -D HEADER=x.h -D NAME=lua_file -D OUTPUT=x.c
#       -P EmbedFiles.cmake:
# write the table NAMEs of struct NAME that HEADER declares: each file's name
# beneath ROOT, its text, and the text's length.
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
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"

${texts}const struct ${NAME} ${NAME}s[] = {
${table}};

const size_t ${NAME}s_count = ${number};
")
