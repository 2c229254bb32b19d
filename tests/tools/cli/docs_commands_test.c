/*
 * Every command of the README and of docs/ runs as written. Real phones and
 * model services are replaced by the built-in phone and a server of this test,
 * and long runs by one short task.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "tests/support/model_server.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tools/phone/phone.h"

#define PAGE_MAX ((size_t)1 << 20)
#define LINE_MAX_LENGTH 1024

#define SHORT_RUN "proctor run phone --task settings.dark --agent gold "

/* A run by gold, and copies of it that are taken for recordings. */
#define RECORDINGS                                                             \
    SHORT_RUN                                                                  \
    "--out runs/gold\n"                                                        \
    "mkdir recordings\n"                                                       \
    "for name in dark a b cheapest dark-theme; do\n"                           \
    "    cp -r runs/gold/episodes/settings.dark/0/0 "                          \
    "recordings/$name\n"                                                       \
    "    cd recordings/$name && rm task.json truth.json\n"                     \
    "    { echo '{\"format\":\"proctor-recording\",\"version\":1}'\n"          \
    "    echo '{\"edit\":\"star\",\"step\":1,\"on\":true}'; } "                \
    ">edits.jsonl\n"                                                           \
    "    cd ../..\n"                                                           \
    "done"

/* A page with commands, and what they need in the folder they run in. */
static const struct page {
    const char *path;
    const char *set_up; /* a script; may be NULL */
    size_t commands;    /* minimum number of commands */
} pages[] = {
    {"README.md", NULL, 20},
    {"docs/agents.md", "echo 'print(1)' >my_agent.py", 1},
    {"docs/env.md", "proctor tasks new my.json", 4},
    {"docs/judging.md", SHORT_RUN "--out runs/phone-1", 3},
    {"docs/mcp.md", NULL, 4},
    {"docs/meter.md", NULL, 5},
    {"docs/models.md", "proctor shot -s PHONE -o screen.png", 4},
    {"docs/observing.md", NULL, 6},
    {"docs/phone-apps.md", NULL, 1},
    {"docs/phone.md", "mkdir DIR", 6},
    {"docs/profiles.md",
     "proctor shot -s PHONE -o screen.png\n"
     "echo '{\"extends\":\"generic\",\"name\":\"mine\"}' >mine.json\n"
     "echo 'Action: Click(100, 238)' >reply.txt",
     6},
    {"docs/recording.md", RECORDINGS, 11},
    {"docs/reports.md",
     SHORT_RUN "--out runs/a && " SHORT_RUN "--out runs/b && "
               "proctor judge runs/a runs/b",
     6},
    {"docs/runs.md", "proctor tasks new my.json; echo 3.1 >scrcpy-server", 3},
    {"docs/serve.md", NULL, 3},
    {"docs/tasks.md", NULL, 5},
};

/* Pages whose commands build and test proctor: tools/test runs those. */
static const char *const developer_pages[] = {
    "docs/benchmarks.md",
    "docs/develop.md",
    /* These need a database and computers. */
    "docs/farm.md",
    "docs/farm-avd.md",
    "docs/farm-desks.md",
    "docs/farm-kubernetes.md",
    "docs/farm-slurm.md",
    "docs/farm-stf.md",
};

/* The beginnings of lines that are not for this test, and why. */
static const char *const not_run[] = {
    "tools/",  /* the set-up scripts: one runs this test, one has its own */
    "adb ",    /* the console is tested with adb in the tests of the phone */
    "telnet ", /* interactive */
    /* these two need fingers: record_on_phone_test */
    "proctor phone --realtime --port 6000",
    "proctor record touched",
    /* This one needs a database: farm_browser_test. */
    "proctor serve postgresql:",
};

struct docs {
    const struct page *page;
    struct phone *phone; /* replaces real phones and emulators */
    struct model_server *models;
    char address[32];
    char shot[64]; /* the command, of this phone among all that are there */
    char url[64];
};

/* ---- replacements ---- */

/* Says that the task is complete, and of any question that it is so. */
static void answer(void *context, const struct model_question *question,
                   struct model_answer *reply)
{
    (void)context, (void)question;
    reply->body =
        mem_dup("{\"model\":\"m-1\",\"choices\":[{\"message\":{\"content\":"
                "\"<think>Done.</think><answer>Complete()</answer>\"},"
                "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":12,"
                "\"completion_tokens\":3}}");
}

static int start(void **state)
{
    const struct phone_options options = {.adb_keyboard = true};
    struct docs *docs = mem_new(1, sizeof(*docs));
    char server[4096];
    struct err err;

    docs->page = *state;
    if (!phone_start(&options, &docs->phone, &err) ||
        scratch_folder_enter(state))
        return -1;
    docs->models = model_server_start(answer, NULL);
    snprintf(docs->address, sizeof(docs->address), "127.0.0.1:%u",
             phone_port(docs->phone));
    snprintf(docs->shot, sizeof(docs->shot), "proctor shot -s %s -o",
             docs->address);
    snprintf(docs->url, sizeof(docs->url), "http://127.0.0.1:%u/v1",
             model_server_port(docs->models));
    setenv("OPENAI_BASE_URL", docs->url, 1);
    setenv("OPENAI_API_KEY", "sk-test-Xq7Lp2Vn9Rk4Tz8W", 1);
    setenv("HOME", scratch_folder_path(), 1);
    setenv("XDG_STATE_HOME", scratch_folder_path(), 1);
    snprintf(server, sizeof(server), "%s/scrcpy-server", scratch_folder_path());
    setenv("SCRCPY_SERVER_PATH", server, 1);
    setenv("ANDROID_ADB_SERVER_PORT", "1", 1); /* no server listens there */
    *state = docs;
    return 0;
}

static int stop(void **state)
{
    struct docs *docs = *state;

    model_server_stop(docs->models);
    phone_stop(docs->phone);
    free(docs);
    return scratch_folder_leave(state);
}

/* Replace what the test does not have, or has no time for. */
static void translate(const struct docs *docs, const char *line,
                      char result[LINE_MAX_LENGTH])
{
    const char *const table[][2] = {
        {"192.168.1.20:5555", docs->address},
        {"emulator-5554", docs->address},
        {"proctor shot -o", docs->shot},
        {"proctor replay ", "proctor replay -s phone "},
        {"PHONE", docs->address},
        {"http://127.0.0.1:8000/v1", docs->url},
        {"gemini:gemini-2.5-pro", "openai:m"},
        {"anthropic:…", "openai:m"},
        {"preflight probench-en ", "preflight my.json -s phone "},
        {"run probench-en ", "run phone --task settings.dark --steps 3 "},
        {"run phone --task ", "run phone --task "},
        {"run phone ", "run phone --task settings.dark --steps 3 "},
        {"run mine.json ", "run mine.json --steps 2 "},
        {"judge RUN", "judge runs/*"},
        {"--truth shop.cheapest", "--truth settings.dark"},
        {"shop.order", "settings.dark"},
        {"run my.json --agent human", "run my.json -s phone --agent nothing"},
        {"preflight my.json", "preflight my.json -s phone"},
        {"--task shop.cheapest --locale", "--task settings.timeout --locale"},
        {"proctor meter --suite world --sample 16:4f7a",
         "proctor meter --sample 1:4f7a"},
        {"proctor meter --suite world --sample 36:e",
         "proctor meter --sample 1:e"},
        {"proctor meter", "proctor meter --task settings.timeout"},
        {"proctor zoo world --sample 16:4f7a", "proctor zoo --sample 1"},
        {"proctor zoo phone", "proctor zoo --task settings.timeout"},
        {"phone --gallery", "phone --app calculator --gallery"},
        {"proctor zoo --task shop.cheapest --seed 1 --seed 2",
         "proctor zoo --task settings.timeout --seed 2"},
        {"proctor zoo", "proctor zoo --task settings.timeout"},
        {" --seed 2 --seed 3 --seed 4 --seed 5", ""},
        {"--skin 0 --skin 3 --skin 4", "--skin 3"},
        {"-o /tmp/m", "-o m"},
        {"--http 8765", "--http 0"},
        {"proctor shot screen.png", "true"},
        {"--snapshot FILE", ""},
        {"--console 5554", "--console 0"},
        {"--fail-under 90", "--fail-under 0"},
        {" --open", ""}, /* no browser: serve_browser_test has one */
        {"tools/phone/apps", PHONE_APPS},
    };
    struct buf text = BUF_INIT(LINE_MAX_LENGTH - 1);

    while (*line) {
        bool found = false;

        for (size_t i = 0; !found && i < ARRAY_LEN(table); i++) {
            size_t length = strlen(table[i][0]);

            found = !strncmp(line, table[i][0], length);
            if (found) {
                buf_text(&text, table[i][1]);
                line += length;
            }
        }
        if (!found)
            buf_byte(&text, *line++);
    }
    assert_false(text.overflow);
    snprintf(result, LINE_MAX_LENGTH, "%s", buf_cstr(&text));
    buf_release(&text);
}

/* ---- examples ---- */

/* The text between a fence of that language and its end; then what follows. */
static const char *next_example(const char *from, const char *language,
                                struct buf *example)
{
    char fence[32];
    const char *start;
    const char *end;

    snprintf(fence, sizeof(fence), "\n```%s\n", language);
    start = strstr(from, fence);
    if (!start)
        return NULL;
    start += strlen(fence);
    end = strstr(start, "```");
    assert_non_null(end);
    buf_clear(example);
    buf_append(example, start, (size_t)(end - start));
    return end;
}

/* The page's first example of that language becomes a file. */
static void save_example(const struct buf *page, const char *language,
                         const char *name)
{
    struct buf example = BUF_INIT(PAGE_MAX);
    struct err err;

    assert_non_null(next_example(buf_cstr(page), language, &example));
    assert_true(file_save(name, 0666, example.data, example.length, &err));
    buf_release(&example);
}

static bool is_for_this_test(const char *line)
{
    for (size_t i = 0; i < ARRAY_LEN(not_run); i++)
        if (!strncmp(line, not_run[i], strlen(not_run[i])))
            return false;
    return *line && strncmp(line, "export ", 7) != 0;
}

static bool is_service(const char *script)
{
    if (!strncmp(script, "proctor mcp ", 12))
        return strstr(script, "--http") != NULL;
    return (!strncmp(script, "proctor phone", 13) ||
            !strncmp(script, "proctor serve", 13)) &&
           !strstr(script, "--help");
}

/* A service runs until it is ended: it is, once it has said where it listens.
 */
static void run_service(const char *command)
{
    struct command_run run = {0};
    char script[LINE_MAX_LENGTH + 128];

    snprintf(script, sizeof(script),
             "%s%s >port 2>errors & service=$!\n"
             "await test -s port && kill $service && wait $service; rm port",
             command, strstr(command, "--http") ? "" : " --port 0");
    command_run(&run, NULL, script);
    if (run.status)
        fail_msg("%s: %s", command, buf_cstr(&run.errors));
    command_run_release(&run);
}

static void run_line(const struct docs *docs, const char *line)
{
    struct command_run run = {0};
    char script[LINE_MAX_LENGTH];
    char *comment;

    translate(docs, line, script);
    comment = strstr(script, "  #");
    if (comment)
        *comment = '\0';
    if (is_service(script)) {
        run_service(script);
        return;
    }
    RUN(&run, 0, script);
    command_run_release(&run);
}

/* The command of a line in an example; NULL: the line is none. */
static const char *command_of(const char *line, const char *fence)
{
    if (!strncmp(line, "$ ", 2))
        return line + 2;
    return !strcmp(fence, "```sh") ? line : NULL;
}

/* Returns how many commands were run. */
static size_t run_page(const struct docs *docs, const struct buf *page)
{
    char *text = mem_dup(buf_cstr(page));
    char *rest = text;
    const char *fence = NULL;
    const char *line;
    size_t count = 0;

    while ((line = strsep(&rest, "\n"))) {
        line += strspn(line, " ");
        if (!strncmp(line, "```", 3)) {
            fence = fence ? NULL : line;
            continue;
        }
        line = fence ? command_of(line, fence) : NULL;
        if (line && is_for_this_test(line)) {
            run_line(docs, line);
            count++;
        }
    }
    free(text);
    return count;
}

/* ---- tests ---- */

static void load_page(const char *path, struct buf *page)
{
    char full[4096];
    struct err err;

    snprintf(full, sizeof(full), "%s/%s", SOURCES, path);
    if (!file_load(full, page, &err))
        fail_msg("%s", err.text);
}

static void set_up(const struct docs *docs, const struct page *page,
                   const struct buf *text)
{
    struct command_run run = {0};
    char script[LINE_MAX_LENGTH];

    if (!strcmp(page->path, "README.md")) {
        save_example(text, "python", "agent.py");
        save_example(text, "json", "mine.json");
    }
    if (page->set_up) {
        translate(docs, page->set_up, script);
        RUN(&run, 0, script);
        command_run_release(&run);
    }
}

static void every_command_of_a_page_works(void **state)
{
    const struct docs *docs = *state;
    struct buf text = BUF_INIT(PAGE_MAX);
    size_t count;

    load_page(docs->page->path, &text);
    set_up(docs, docs->page, &text);
    count = run_page(docs, &text);
    if (count < docs->page->commands)
        fail_msg("only %zu commands were found", count);
    buf_release(&text);
}

/* The README's example of a task. */
static void example_task_of_the_readme_succeeds(void **state)
{
    const struct docs *docs = *state;
    struct command_run run = {0};
    struct buf text = BUF_INIT(PAGE_MAX);

    load_page("README.md", &text);
    set_up(docs, &pages[0], &text);
    RUN(&run, 0,
        "proctor run mine.json --agent gold --device phone --out runs/mine && "
        "proctor judge runs/mine");
    assert_non_null(strstr(buf_cstr(&run.out), "1 success"));
    command_run_release(&run);
    buf_release(&text);
}

static bool is_listed(const char *path)
{
    for (size_t i = 0; i < ARRAY_LEN(pages); i++)
        if (!strcmp(pages[i].path, path))
            return true;
    for (size_t i = 0; i < ARRAY_LEN(developer_pages); i++)
        if (!strcmp(developer_pages[i], path))
            return true;
    return false;
}

static void every_page_with_commands_is_listed(void **state)
{
    struct buf text = BUF_INIT(PAGE_MAX);
    DIR *folder = opendir(SOURCES "/docs");
    const struct dirent *entry;

    (void)state;
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        char path[sizeof(entry->d_name) + 8];

        snprintf(path, sizeof(path), "docs/%s", entry->d_name);
        if (!strstr(entry->d_name, ".md"))
            continue;
        buf_clear(&text);
        load_page(path, &text);
        if ((strstr(buf_cstr(&text), "```sh\n") ||
             strstr(buf_cstr(&text), "\n$ ")) &&
            !is_listed(path))
            fail_msg("%s has commands, but this test does not run them", path);
    }
    closedir(folder);
    buf_release(&text);
}

int main(void)
{
    struct CMUnitTest tests[ARRAY_LEN(pages) + 2] = {
        cmocka_unit_test(every_page_with_commands_is_listed),
        cmocka_unit_test_setup_teardown(example_task_of_the_readme_succeeds,
                                        start, stop),
    };

    for (size_t i = 0; i < ARRAY_LEN(pages); i++)
        tests[i + 2] = (struct CMUnitTest){
            .name = pages[i].path,
            .test_func = every_command_of_a_page_works,
            .setup_func = start,
            .teardown_func = stop,
            .initial_state = (void *)&pages[i],
        };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
