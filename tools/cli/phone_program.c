/*
 * proctor with the phone made of software and nothing else: what judges and
 * models need is not loaded, so that many phones fit.
 */
#include <malloc.h>

#include "tools/cli/cmd.h"
#include "tools/cli/program.h"

/* malloc's own: what is as large goes back to the system when it is freed. */
#define LARGE (128 * 1024)

const struct command *const commands[] = {&cmd_phone, NULL};

int main(int argc, char **argv)
{
    /* Said aloud, it stays: it would grow until a frame is not large. */
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
    return program_main(argc, argv);
}
