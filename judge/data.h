/* Files of data that are part of the program: prompts, and words for UIs. */
#ifndef JUDGE_DATA_H
#define JUDGE_DATA_H

#include <stddef.h>

struct data_file {
    const char *name; /* as in judge/: "prompts/state.txt" */
    const char *text;
    size_t length;
};

/* Made by the build. */
extern const struct data_file data_files[];
extern const size_t data_files_count;

/* The text of that name, which must be there. */
const char *data_text(const char *name);

#endif
