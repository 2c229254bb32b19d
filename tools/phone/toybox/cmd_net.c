/* Commands that connect to the phone's sockets. */
#include <stdio.h>
#include <string.h>

#include "tools/phone/shell/sh_private.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/toybox/cmd.h"

/*
 * A command's ports as one end of a connection. The other end may read and
 * write in separate threads, so both directions take turns with the rest of the
 * shell, while the command's own thread is outside.
 */
struct call_stream {
    struct stream stream;
    struct command_call *call;
    struct sh_turns *turns;
    struct sh_turn *reading; /* of the command */
    struct sh_turn writing;
};

static bool stream_is_over(struct err *err)
{
    return err_set(err, ERR_CLOSED, "the command has ended");
}

static bool call_stream_read(struct stream *stream, void *data, size_t size,
                             struct deadline by, size_t *got, struct err *err)
{
    struct call_stream *self = (struct call_stream *)stream;
    bool fine;

    (void)by; /* typed input has no deadline */
    sh_turns_return(self->turns, self->reading);
    fine = call_read(self->call, self->call->ports.in, data, size, got);
    sh_turns_leave(self->turns);
    return fine || stream_is_over(err);
}

static bool call_stream_write(struct stream *stream, const void *data,
                              size_t size, struct deadline by, struct err *err)
{
    struct call_stream *self = (struct call_stream *)stream;
    bool fine;

    (void)by;
    sh_turns_return(self->turns, &self->writing);
    fine = call_step(self->call) &&
           sh_out_write(self->call->ports.out, data, size);
    sh_turns_leave(self->turns);
    return fine || stream_is_over(err);
}

/* A pending read of input ends only with more input or its end. */
static void call_stream_interrupt(struct stream *stream)
{
    (void)stream;
}

static void call_stream_close(struct stream *stream)
{
    (void)stream;
}

static const struct stream_ops call_stream_ops = {
    .read = call_stream_read,
    .write = call_stream_write,
    .interrupt = call_stream_interrupt,
    .close = call_stream_close,
};

static bool connect_to(struct command_call *call, const char *spec,
                       struct err *err)
{
    struct handset *handset = call->context;
    struct sh_turns *turns = &call->shell->session->turns;
    struct call_stream stream = {
        .stream = {&call_stream_ops}, .call = call, .turns = turns};
    bool done;

    sh_turns_list(turns, &stream.writing, SH_TURN_OUTSIDE);
    stream.reading = sh_turns_leave(turns);
    done = sockets_connect(&handset->sockets, spec, &stream.stream, err);
    sh_turns_return(turns, stream.reading);
    sh_turns_unlist(turns, &stream.writing);
    return done;
}

static int run_nc(struct command_call *call,
                  const struct command_options *options)
{
    char spec[SOCKETS_NAME_MAX];
    struct err err;
    int length;

    if (options->given['U'] && options->count == 1)
        length = snprintf(spec, sizeof(spec), "localfilesystem:%s",
                          options->operands[0]);
    else if (!options->given['U'] && options->count == 2)
        length = snprintf(spec, sizeof(spec), "tcp:%s:%s", options->operands[0],
                          options->operands[1]);
    else
        return call_fail(call, "bad argument count (see \"nc --help\")");
    if (length >= (int)sizeof(spec))
        return call_fail(call, "bad address");
    return connect_to(call, spec, &err) ? 0 : call_fail(call, "%s", err.text);
}

static int do_nc(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "46LUW:f:lp:q:s:tuw:", &options, &status))
        return status;
    if (options.given['l'] && !options.values['p'])
        status = call_fail(call, "needs -p PORT with -l");
    else if (options.given['l'])
        status = do_nc_listen(call, options.values['p']);
    else
        status = run_nc(call, &options);
    call_options_release(&options);
    return status;
}

static const struct phone_command commands[] = {
    {"nc", do_nc, "[-46] HOST PORT | -U PATH | -l -p PORT"},
    {"netcat", do_nc, "[-46] HOST PORT | -U PATH | -l -p PORT"},
};

const struct command_set net_commands = {commands, ARRAY_LEN(commands)};
