/* The programs that run on the phone, as ps shows them. */
#ifndef PHONE_PROCESSES_H
#define PHONE_PROCESSES_H

#include <stddef.h>

struct process {
    const char *user;
    unsigned pid;
    unsigned parent;
    unsigned long size;     /* KiB */
    unsigned long resident; /* KiB */
    const char *waits_in;
    char state;
    const char *name;
};

extern const struct process processes[];
extern const size_t process_count;

/* The numbers of the shell and of what it runs. */
#define PROCESS_SHELL 4242U
#define PROCESS_COMMAND 4243U

#endif
