/* proctor with all its commands. */
#include "tools/cli/cli_main.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
