/* proctor with all its commands. */
#include "tools/cli/program.h"

int main(int argc, char **argv)
{
    return program_main(argc, argv);
}
