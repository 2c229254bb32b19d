/* The programs that run on the phone, as ps shows them: safe from any thread.
 */
#ifndef PHONE_PROCESSES_H
#define PHONE_PROCESSES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/parcel.h"
#include "tools/phone/users.h"

#define PROCESSES_MAX 256U
#define PROCESS_NAME_SIZE 128

struct process {
    char user[USERS_NAME_SIZE];
    unsigned pid;
    unsigned parent;
    unsigned long size;     /* KiB */
    unsigned long resident; /* KiB */
    const char *waits_in;   /* static */
    char state;
    char name[PROCESS_NAME_SIZE];
};

struct processes {
    pthread_mutex_t lock; /* guards all below */
    struct process *all;  /* owned; sorted by pid */
    size_t count;
    unsigned next_pid;
};

/* The numbers of the shell, of what it runs, and of the first app started. */
#define PROCESS_SERVER 743U
#define PROCESS_SHELL 4242U
#define PROCESS_COMMAND 4243U
#define PROCESS_APP_FIRST 4300U

/* Those of a phone that has just started. */
void processes_init(struct processes *processes);
void processes_release(struct processes *processes);

/*
 * The process of that name, begun for uid if there is none; *pid is its
 * number. Was it begun? Where there are too many, none is, and *pid is 0.
 */
bool processes_begin(struct processes *processes, const char *name,
                     uint32_t uid, unsigned *pid);

/* End it; its number, or 0 when there is none. */
unsigned processes_end(struct processes *processes, const char *name);

/* The process at or behind a number, by which they are sorted. */
MUST_USE bool processes_next(struct processes *processes, unsigned pid,
                             struct process *process);

/* The number of the process of that name, or 0. */
unsigned processes_find(struct processes *processes, const char *name);

void processes_save(struct processes *processes, struct buf *out);
void processes_load(struct processes *processes, struct parcel *in);

#endif
