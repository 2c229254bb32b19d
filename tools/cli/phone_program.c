/*
 * proctor with the phone made of software and nothing else: what judges and
 * models need is not loaded, so that many phones fit.
 */
#include "tools/cli/cmd.h"
#include "tools/cli/program.h"

const struct command *const commands[] = {&cmd_phone, NULL};

int main(int argc, char **argv)
{
    return program_main(argc, argv);
}
