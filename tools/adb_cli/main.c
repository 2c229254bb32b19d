#include "tools/adb_cli/adb_cli.h"

int main(int argc, char **argv)
{
    return adb_cli_main(argc, argv);
}
