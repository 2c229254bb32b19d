#include "runner/classify/door_intent.h"

#include <string.h>

#include "base/name_table.h"

/* Options of am that take a value, beside those of the intent. */
static const char *const with_value[] = {"--user",
                                         "-R",
                                         "-P",
                                         "--start-profiler",
                                         "--sampling",
                                         "--streaming",
                                         "--attach-agent",
                                         "--attach-agent-bind",
                                         "--display",
                                         "--windowingMode",
                                         "--activityType",
                                         "--task",
                                         "-f",
                                         "-t",
                                         "-i",
                                         "--receiver-permission",
                                         "--splashscreen-style"};

static bool is_extra(const char *option)
{
    static const char *const extras[] = {
        "-e",     "--es",  "--ez",   "--ei",   "--el",  "--ef",   "--ed",
        "--eu",   "--ecn", "--eia",  "--eial", "--ela", "--elal", "--efa",
        "--efal", "--esa", "--esal", "--eda",  "--edal"};

    return NAME_TABLE_HAS(extras, option);
}

static void add_extra(struct door_intent *intent, const char *key,
                      const char *value)
{
    if (key && intent->extra_count < DOOR_EXTRAS_MAX)
        intent->extras[intent->extra_count++] = (struct door_extra){key, value};
    else
        intent->unknown = true;
}

/* How many words the option at index takes, with itself. */
static size_t read_option(struct door_args args, size_t index,
                          struct door_intent *intent)
{
    const char *option = args.words[index];
    const char *value = door_args_at(args, index + 1);

    if (is_extra(option)) {
        add_extra(intent, value, door_args_at(args, index + 2));
        return 3;
    }
    if (!strcmp(option, "--esn")) {
        add_extra(intent, value, NULL);
        return 2;
    }
    if (!strcmp(option, "-a"))
        intent->action = value;
    else if (!strcmp(option, "-d"))
        intent->data = value;
    else if (!strcmp(option, "-n"))
        intent->component = value;
    else if (!strcmp(option, "-p"))
        intent->package = value;
    else if (!strcmp(option, "-c"))
        intent->home =
            intent->home ||
            (value && !strcmp(value, "android.intent.category.HOME"));
    else
        return NAME_TABLE_HAS(with_value, option) ? 2 : 1;
    intent->unknown = intent->unknown || !value;
    return 2;
}

/* The last word alone: a URI, a component or a package. */
static void read_rest(const char *word, struct door_intent *intent)
{
    if (strchr(word, ':'))
        intent->data = word;
    else if (strchr(word, '/'))
        intent->component = word;
    else
        intent->package = word;
}

void door_intent_read(struct door_args args, struct door_intent *intent)
{
    *intent = (struct door_intent){.unknown = !door_args_all_known(args)};
    for (size_t i = 0; i < args.count;) {
        if (args.words[i][0] == '-' && args.words[i][1]) {
            i += read_option(args, i, intent);
        } else {
            if (args.known[i])
                read_rest(args.words[i], intent);
            i++;
        }
    }
}

const char *door_intent_extra(const struct door_intent *intent, const char *key)
{
    for (size_t i = 0; i < intent->extra_count; i++) {
        if (!strcmp(intent->extras[i].key, key))
            return intent->extras[i].value;
    }
    return NULL;
}

bool door_intent_package(const struct door_intent *intent,
                         char package[DOOR_PATH_MAX])
{
    const char *from = intent->component ? intent->component : intent->package;
    size_t length = from ? strcspn(from, "/") : 0;

    if (!length || length >= DOOR_PATH_MAX)
        return false;
    memcpy(package, from, length);
    package[length] = '\0';
    return true;
}
