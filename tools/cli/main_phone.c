/*
 * proctor with the built-in phone and nothing else: the libraries for judges
 * and models are not loaded, so that many phones fit into memory.
 */
#include <malloc.h>

#include "tools/cli/cli_main.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/phone_page.h"

/* malloc's default: larger blocks are returned to the system when freed. */
#define LARGE (128 * 1024)

const struct command *const commands[] = {&cmd_phone, NULL};
const struct phone_page *const phone_page = NULL;

int main(int argc, char **argv)
{
    /* Set explicitly, it is fixed: otherwise it grows beyond the size of a
     * frame. */
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
    return cli_main(argc, argv);
}
