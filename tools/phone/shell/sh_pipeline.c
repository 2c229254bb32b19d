#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_pipe.h"
#include "tools/phone/shell/sh_private.h"

/* A command of a pipeline, except the last, on its own thread. */
struct pipeline_stage {
    struct sh shell; /* a copy of the shell that runs the pipeline */
    const struct sh_node *node;
    struct sh_ports ports;
    struct sh_in
        *in; /* owned: reading end of the pipe before it; NULL for the first */
    struct sh_out *out; /* owned: writing end of the pipe behind it */
    struct sh_turn turn;
    bool listed; /* it has a turn, and its thread runs */
    bool done;
};

/* It will not read or write any more: close both ends. */
static void task_stack_close(struct pipeline_stage *stage)
{
    int number;

    sh_in_close(stage->in);
    (void)!sh_out_close(stage->out, &number); /* closing a pipe cannot fail */
    stage->done = true;
}

static void task_stack_main(void *context)
{
    struct pipeline_stage *stage = context;
    struct sh_session *session = stage->shell.session;

    sh_turns_enter(&session->turns, &stage->turn);
    sh_run_node(&stage->shell, stage->node, &stage->ports);
    task_stack_close(stage);
    sh_release(&stage->shell);
    sh_turns_end(&session->turns, stage);
}

/* Run it on its own thread, in a subshell. */
static bool task_stack_begin(struct pipeline_stage *stage, struct sh *shell,
                             struct sh_out *errors)
{
    struct sh_session *session = shell->session;

    if (!sh_init_sub(&stage->shell, shell, errors))
        return false;
    sh_turns_list(&session->turns, &stage->turn, SH_TURN_READY);
    if (thread_group_start(&session->thread_group, task_stack_main, stage))
        return true;
    sh_turns_unlist(&session->turns, &stage->turn);
    sh_release(&stage->shell);
    sh_complain(errors, shell->name, "can't fork - try again");
    return false;
}

/*
 * Start a command that reads from in; *next is the port to read its output
 * from.
 */
static void task_stack_start(struct pipeline_stage *stage, struct sh *shell,
                             const struct sh_node *node,
                             const struct sh_ports *ports, struct sh_in *in,
                             struct sh_in **next)
{
    struct sh_session *session = shell->session;

    stage->node = node;
    stage->in = in;
    sh_pipe_new(&session->turns, &session->stopped, next, &stage->out);
    stage->ports = *ports;
    stage->ports.out = stage->out;
    if (in)
        stage->ports.in = in;
    stage->listed = task_stack_begin(stage, shell, ports->errors);
    if (!stage->listed)
        task_stack_close(stage);
}

static void stages_wait(struct sh_session *session,
                        struct pipeline_stage *stages, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        while (!stages[i].done)
            sh_turns_wait(&session->turns, &stages[i]);
        if (stages[i].listed)
            sh_turns_unlist(&session->turns, &stages[i].turn);
    }
    session->stages -= count;
    free(stages);
}

void sh_run_pipeline(struct sh *shell, const struct sh_node *pipeline,
                     const struct sh_ports *ports)
{
    struct sh_session *session = shell->session;
    const struct sh_node *node = pipeline->body;
    struct sh_ports own = *ports;
    struct sh_in *in = NULL;
    struct pipeline_stage *stages;
    size_t count = 0;

    for (const struct sh_node *at = node; at->next; at = at->next)
        count++;
    if (count > SH_STAGES_MAX - session->stages) {
        sh_complain(ports->errors, shell->name, "can't fork - try again");
        shell->status = 1;
        return;
    }
    session->stages += count;
    stages = mem_new(count, sizeof(*stages));
    for (size_t i = 0; i < count; i++, node = node->next)
        task_stack_start(&stages[i], shell, node, ports, in, &in);
    own.in = in;
    sh_run_node(shell, node, &own);
    sh_in_close(in);
    stages_wait(session, stages, count);
}
