/* The parts of a path. Pure; the caller frees what is returned. */
#ifndef BASE_PATH_PARTS_H
#define BASE_PATH_PARTS_H

/* The folder that a file is in: "a" of "a/b", "/" of "/b", "." of "b". */
char *path_folder(const char *path);

/* The last name: "b" of "a/b" and of "a/b/"; "" of "/". */
char *path_name(const char *path);

#endif
