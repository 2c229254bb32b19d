/* The processes of the phone, as ps shows them; safe from any thread. */
#ifndef TOOLS_PHONE_SYSTEM_PROCESSES_H
#define TOOLS_PHONE_SYSTEM_PROCESSES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/core/saved_state.h"
#include "tools/phone/files/users.h"

#define PROCESSES_MAX 256U
#define PROCESS_NAME_SIZE 128

struct phone_process {
    char user[USERS_NAME_SIZE];
    unsigned pid;
    unsigned parent;
    unsigned long size;     /* KiB */
    unsigned long resident; /* KiB */
    const char *waits_in;   /* static */
    char state;
    char name[PROCESS_NAME_SIZE];
};

/* A shell, and its running command. */
struct shell_process {
    unsigned pid;                    /* the command has the next number */
    unsigned parent;                 /* another shell's, or adbd's */
    int signal;                      /* a pending signal; 0: none */
    int command_signal;              /* the same for its command */
    char command[PROCESS_NAME_SIZE]; /* "" if none runs */
};

/* Shells at the same time; any others are not listed. */
#define PROCESSES_SHELLS_MAX 1024U
#define PROCESS_SHELL_FIRST 20000U
#define PROCESS_SHELL_LAST 32767U

struct phone_processes {
    pthread_mutex_t lock;         /* guards everything below */
    struct shell_process *shells; /* owned; unordered, not in snapshots */
    size_t shell_count;
    struct phone_process *all; /* owned; sorted by pid */
    size_t count;
    unsigned next_pid;
};

/* Process ids of adbd, of the system's services, and of the first app. */
#define PROCESS_ADBD 521U
#define PROCESS_SERVER 743U
#define PROCESS_APP_FIRST 4300U

/* The processes after boot; zygote is the name of the one that starts apps. */
void processes_init(struct phone_processes *processes, const char *zygote);
void processes_release(struct phone_processes *processes);

/*
 * Start the process of that name for uid, unless it runs; *pid is its id. True
 * if it was started. When there are too many, none is started and *pid is 0.
 */
bool processes_begin(struct phone_processes *processes, const char *name,
                     uint32_t uid, unsigned *pid);

/* End it; returns its id, or 0 if there is none. */
unsigned processes_end(struct phone_processes *processes, const char *name);

/*
 * List a shell, started by another (or adbd); returns its id. The id is derived
 * from seed, which depends on the command and the time: phones with the same
 * history have the same ids.
 */
unsigned processes_begin_shell(struct phone_processes *processes,
                               unsigned parent, uint64_t seed);
void processes_end_shell(struct phone_processes *processes, unsigned pid);

/* Set the command that the shell of that id runs; "" for none. */
void processes_set_command(struct phone_processes *processes, unsigned pid,
                           const char *name);

/*
 * Send a signal, or 0 to test whether that is possible. Returns 0, ESRCH, or
 * EPERM for a process that is no shell.
 */
int processes_signal(struct phone_processes *processes, unsigned pid,
                     int number);

/* Take the pending signal of a shell (or its command); 0: none. */
int processes_take_signal(struct phone_processes *processes, unsigned pid);

/* Is a signal pending for the shell or its command? */
bool processes_has_signal(struct phone_processes *processes, unsigned pid);

/* The process with that id, or the next greater one. */
MUST_USE bool processes_next(struct phone_processes *processes, unsigned pid,
                             struct phone_process *process);

/* The id of the process of that name, or 0. */
unsigned processes_find(struct phone_processes *processes, const char *name);

void processes_save(struct phone_processes *processes, struct buf *out);
void processes_load(struct phone_processes *processes, struct saved_state *in);

#endif
