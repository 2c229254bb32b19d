/*
 * proctor-stf-releaser: releases phones of an STF when its caller has ended,
 * also by a kill.
 *
 * Reads lines: the address of the STF, its token, then "+SERIAL" when a phone
 * is reserved and "-SERIAL" when it was released. At the end of its input it
 * releases those that are left. The token is not in its command line or
 * environment, which others could read.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/farm_phones/stf_client.h"

#define PHONES_MAX 256
#define RELEASE_MS 10000
#define LINE_SIZE 4096

struct keeper {
    char url[LINE_SIZE];
    char token[LINE_SIZE];
    char serials[PHONES_MAX][STF_SERIAL_MAX]; /* "": not used */
};

static bool read_line(char line[LINE_SIZE])
{
    if (!fgets(line, LINE_SIZE, stdin))
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static void note(struct keeper *keeper, const char *line)
{
    size_t at = 0;
    const char *wanted = line[0] == '+' ? "" : line + 1;

    if (strlen(line) > STF_SERIAL_MAX || !stf_client_is_serial(line + 1))
        return;
    while (at < PHONES_MAX && strcmp(keeper->serials[at], wanted) != 0)
        at++;
    if (at == PHONES_MAX)
        return;
    snprintf(keeper->serials[at], STF_SERIAL_MAX, "%s",
             line[0] == '+' ? line + 1 : "");
}

static int release_all(const struct keeper *keeper)
{
    struct stf_client *client;
    struct err err = ERR_INIT;
    int status = 0;

    if (!stf_client_open(keeper->url, keeper->token, &client, &err))
        return 1;
    for (size_t i = 0; i < PHONES_MAX; i++) {
        if (keeper->serials[i][0] &&
            !stf_client_release(client, keeper->serials[i],
                                deadline_in_ms(RELEASE_MS), &err))
            status = 1;
    }
    stf_client_close(client);
    return status;
}

int main(void)
{
    struct keeper keeper = {.url = ""};
    char line[LINE_SIZE];

    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    if (!read_line(keeper.url) || !read_line(keeper.token))
        return 0;
    while (read_line(line))
        note(&keeper, line);
    return release_all(&keeper);
}
