#include "tools/benchmark/peers/npm_client.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/benchmark/harness/child_process.h"

/* The next line that it says, without its end. */
static bool receive(struct npm_client *client, char line[64], struct err *err)
{
    if (!fgets(line, 64, client->replies))
        return err_set(err, ERR_CLOSED, "it has ended");
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static bool start(struct npm_client *client, const char *const argv[],
                  struct err *err)
{
    char line[64];
    int in;
    int out;

    if (!child_process_start_piped(argv, &client->pid, &in, &out, err))
        return false;
    client->commands = fdopen(in, "w");
    client->replies = fdopen(out, "r");
    if (!client->commands || !client->replies)
        return err_set(err, ERR_IO, "no memory for its pipes");
    return receive(client, line, err) &&
           (!strcmp(line, "ready") || err_set(err, ERR_PROTOCOL, "%s", line));
}

bool npm_client_start(struct npm_client *client, const char *script,
                      const char *a, const char *b, struct err *err)
{
    char path[PATH_MAX];
    const char *const argv[] = {"node", path, a, b, NULL};

    snprintf(path, sizeof(path), "%s/%s", NPM_FOLDER, script);
    *client = (struct npm_client){0};
    if (access(path, R_OK))
        return err_set(err, ERR_NOT_FOUND, "%s is not installed", script);
    if (start(client, argv, err))
        return true;
    npm_client_stop(client);
    return err_wrap(err, "%s", script);
}

bool npm_client_ask(struct npm_client *client, const char *command,
                    double *value, struct err *err)
{
    char line[64];
    char *end;
    double number;

    if (fprintf(client->commands, "%s\n", command) < 0 ||
        fflush(client->commands))
        return err_set(err, ERR_CLOSED, "it does not listen");
    if (!receive(client, line, err))
        return false;
    number = strtod(line, &end);
    if (end == line || *end)
        return err_set(err, ERR_PROTOCOL, "%s", line);
    *value = number;
    return true;
}

bool npm_client_run(struct npm_client *client, const char *operation, int times,
                    size_t bytes, struct err *err)
{
    char command[64];

    snprintf(command, sizeof(command), "%s %d %zu", operation, times, bytes);
    return npm_client_ask(client, command, &client->us, err);
}

void npm_client_stop(struct npm_client *client)
{
    if (client->commands)
        fclose(client->commands);
    if (client->replies)
        fclose(client->replies);
    child_process_stop(client->pid);
    *client = (struct npm_client){0};
}
