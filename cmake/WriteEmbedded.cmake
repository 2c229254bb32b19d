# cmake -D ROOT=DIR -D FILES=a:b -D NAME=lua_files -D OUTPUT=x.c
#       -P WriteEmbedded.cmake:
# write the struct embedded NAME: each file's name beneath ROOT, its text, and
# the text's length.
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
file(WRITE "${OUTPUT}" "#include \"base/embedded.h\"

${texts}static const struct embedded_file files[] = {
${table}};

extern const struct embedded ${NAME};
const struct embedded ${NAME} = {files, ${number}};
")
