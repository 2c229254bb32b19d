/* The text of "adb help". */
#ifndef TOOLS_ADB_CLI_ADB_HELP_H
#define TOOLS_ADB_CLI_ADB_HELP_H

extern const char adb_help_text[];

#endif
