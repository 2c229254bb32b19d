#include "tools/benchmark/peers/adb_program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* The paths of both in Debian on amd64, the only machine with these peers. */
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#define LIBRARIES "/usr/lib/x86_64-linux-gnu"

void adb_program_init_own(struct adb_program *program)
{
    program->loader[0] = '\0';
    snprintf(program->path, sizeof(program->path), "adb");
}

void adb_program_init_below(struct adb_program *program, const char *root)
{
    snprintf(program->loader, sizeof(program->loader), "%s" LOADER, root);
    snprintf(program->libraries, sizeof(program->libraries),
             "%s" LIBRARIES "/android:%s" LIBRARIES, root, root);
    snprintf(program->path, sizeof(program->path), "%s/usr/bin/adb", root);
}

void adb_program_tune(void)
{
    setenv("ADB_DELAYED_ACK", "1", 1);
    setenv("ADB_COMPRESSION", "0", 1);
}

void adb_program_argv(const struct adb_program *program,
                      const char *const *arguments,
                      const char *argv[ADB_PROGRAM_ARGV_MAX])
{
    size_t count = 0;

    if (program->loader[0]) {
        argv[count++] = program->loader;
        argv[count++] = "--library-path";
        argv[count++] = program->libraries;
    }
    argv[count++] = program->path;
    while (*arguments && count < ADB_PROGRAM_ARGV_MAX - 1)
        argv[count++] = *arguments++;
    assert(!*arguments);
    argv[count] = NULL;
}
