#include "tools/cli/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/input.h"
#include "adb/shell.h"
#include "base/macros.h"

#define PATH_LIMIT 4096
#define ANSWER_MS 3000
#define INPUT_MS 8000 /* a phone starts a virtual machine for it */
#define ANSWER_LIMIT 4096

void doctor_check_server(const struct cli *cli, struct findings *findings)
{
    static const char topic[] = "adb server";
    struct finding *finding;
    struct server server;
    struct err err;
    unsigned version;

    if (!server_from_environment(&server, &err)) {
        finding = findings_add(findings, topic, FINDING_WRONG, "%s", err.text);
        finding_advise(finding, "correct the variable, or unset it");
        return;
    }
    server.cancel = cli->cancel;
    server.log = cli->log;
    if (server_version(&server, cli_soon(cli), &version, &err)) {
        findings_add(findings, topic, FINDING_GOOD,
                     "one runs at %s port %u and speaks version %u; proctor "
                     "uses it and never stops it",
                     server.host, server.port, version);
        return;
    }
    if (err.code == ERR_UNREACHABLE) {
        findings_add(findings, topic, FINDING_NOTE,
                     "none runs at %s port %u, and none is needed", server.host,
                     server.port);
        return;
    }
    finding = findings_add(findings, topic, FINDING_WRONG,
                           "what answers at %s port %u is no adb server: %s",
                           server.host, server.port, err.text);
    finding_advise(finding, "end that program, or name another port in "
                            "ANDROID_ADB_SERVER_PORT");
}

/* What the phone can do, in words. */
static void put_abilities(const struct device *device, struct buf *text)
{
    static const struct {
        enum feature feature;
        const char *name;
    } compressions[] = {
        {FEATURE_SENDRECV_V2_BROTLI, "brotli"},
        {FEATURE_SENDRECV_V2_LZ4, "lz4"},
        {FEATURE_SENDRECV_V2_ZSTD, "zstd"},
    };
    const char *begin = "; compression with ";

    buf_text(text, device_has(device, FEATURE_SHELL_V2)
                       ? "shell with exit codes"
                       : "old shell without exit codes");
    buf_text(text, device_has(device, FEATURE_STAT_V2)
                       ? "; files of any size"
                       : "; sizes of files below 4 GiB only");
    for (size_t i = 0; i < ARRAY_LEN(compressions); i++) {
        if (!device_has(device, compressions[i].feature))
            continue;
        buf_printf(text, "%s%s", begin, compressions[i].name);
        begin = ", ";
    }
}

/* The shortest of a few round trips, in milliseconds. */
static bool measure(const struct cli *cli, struct device *device, double *ms,
                    struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(ANSWER_MS));
    double best = 0;

    for (int i = 0; i < 3; i++) {
        struct shell_result result;
        int64_t start = clock_ns();
        double took;

        if (!shell_run(device, "echo", ANSWER_LIMIT, by, &result, err))
            return false;
        shell_result_release(&result);
        took = (double)(clock_ns() - start) / 1e6;
        best = i && best < took ? best : took;
    }
    *ms = best;
    return true;
}

/* Press a key that means nothing: some phones let nobody but people do it. */
static void check_input(const struct cli *cli,
                        const struct discover_entry *entry,
                        struct device *device, struct findings *findings)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(INPUT_MS));
    enum input_answer answer;
    struct finding *finding;
    struct err err;

    if (!input_try(device, by, &answer, &err) || answer != INPUT_FORBIDDEN)
        return;
    finding = findings_add(findings, "Phones", FINDING_WRONG,
                           "%.60s forbids keys and taps from adb, so no agent "
                           "can operate it",
                           entry->serial);
    finding_advise(finding, "%s", input_forbidden_advice);
}

static void check_usable(const struct cli *cli, const struct discover *discover,
                         const struct discover_entry *entry,
                         struct findings *findings)
{
    static const char *const hows[] = {
        [DISCOVER_USB] = "on USB",
        [DISCOVER_DIRECT] = "directly",
        [DISCOVER_SERVER] = "through the adb server",
    };
    struct buf abilities = BUF_INIT(256);
    struct device *device = NULL;
    struct finding *finding;
    struct err err;
    double ms;

    if (discover_open(discover, entry->serial, cli_soon(cli), &device, &err) &&
        measure(cli, device, &ms, &err)) {
        put_abilities(device, &abilities);
        findings_add(findings, "Phones", FINDING_GOOD,
                     "%.60s%s%.40s%s answers %s in %.1f ms: %s", entry->serial,
                     entry->model[0] ? " (" : "", entry->model,
                     entry->model[0] ? ")" : "", hows[entry->route], ms,
                     buf_cstr(&abilities));
        if (entry->reason[0])
            findings_add(findings, "Phones", FINDING_NOTE, "%s: using it",
                         entry->reason);
        check_input(cli, entry, device, findings);
    } else {
        finding = findings_add(findings, "Phones", FINDING_WRONG,
                               "%.60s is listed but does not work: %s",
                               entry->serial, err.text);
        finding_advise(finding, "turn debugging on the phone off and on again");
    }
    device_close(device);
    buf_release(&abilities);
}

static void explain_unusable(const struct discover_entry *entry,
                             struct findings *findings)
{
    struct finding *finding =
        findings_add(findings, "Phones", FINDING_HINT,
                     "%.60s cannot be used: %s%s%s", entry->serial,
                     entry->state, entry->reason[0] ? ", " : "", entry->reason);

    if (!strcmp(entry->state, "unauthorized"))
        finding_advise(finding, "look at the phone and allow debugging from "
                                "this computer");
    else if (entry->route == DISCOVER_USB)
        finding_advise(finding, "plug the phone in again");
    else if (!strcmp(entry->state, "offline"))
        finding_advise(finding,
                       "wake the phone, and see that it is on this "
                       "network; to forget an address: proctor "
                       "disconnect %.60s",
                       entry->serial);
}

static void advise_no_phone(struct findings *findings)
{
    struct finding *finding =
        findings_add(findings, "Phones", FINDING_HINT, "no phone is there");

    finding_advise(finding,
                   "plug in a phone that has USB debugging on, start an "
                   "emulator, or let a phone on this network listen on port "
                   "5555 and run: proctor connect HOST");
}

/* ANDROID_SERIAL or -s must name one of them, or an address. */
static void check_choice(const struct cli *cli,
                         const struct discover_entries *entries,
                         struct findings *findings)
{
    const char *serial = cli->shared.device;
    struct finding *finding;

    if (!serial || !*serial || strchr(serial, ':'))
        return;
    for (size_t i = 0; i < entries->count; i++) {
        if (!strcmp(entries->items[i].serial, serial))
            return;
    }
    finding = findings_add(findings, "Phones", FINDING_WRONG,
                           "ANDROID_SERIAL is \"%.60s\", and no such phone is "
                           "there",
                           serial);
    finding_advise(finding, entries->count
                                ? "unset it, or name one of the above"
                                : "unset it");
}

bool doctor_check_phones(const struct cli *cli, struct findings *findings,
                         struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(ANSWER_MS));
    struct discover_entries entries = {0};
    struct places places;
    struct err no_places; /* what is wrong with them has its own check */

    if (!cli_places(cli, &places, &no_places))
        places.discover.server = NULL;
    if (!discover_list(&places.discover, by, &entries, err)) {
        places_release(&places);
        return false;
    }
    for (size_t i = 0; i < entries.count; i++) {
        if (discover_usable(&entries.items[i]))
            check_usable(cli, &places.discover, &entries.items[i], findings);
        else
            explain_unusable(&entries.items[i], findings);
    }
    if (!entries.count)
        advise_no_phone(findings);
    check_choice(cli, &entries, findings);
    discover_entries_release(&entries);
    places_release(&places);
    return true;
}

void doctor_check_known(struct findings *findings)
{
    static const char topic[] = "Remembered addresses";
    struct buf path = BUF_INIT(PATH_LIMIT);
    struct known known = {0};
    struct err err;

    if (!known_path(&path, &err) || !known_read(buf_cstr(&path), &known, &err))
        findings_add(findings, topic, FINDING_WRONG, "%s", err.text);
    else if (!known.count)
        findings_add(findings, topic, FINDING_NOTE,
                     "none; proctor connect HOST adds one");
    for (size_t i = 0; i < known.count; i++)
        findings_add(findings, topic, FINDING_NOTE, "%s", known.addresses[i]);
    known_release(&known);
    buf_release(&path);
}

static void check_key(const char *path, struct findings *findings)
{
    static const char topic[] = "Keys";
    struct finding *finding;
    struct stat stat;

    if (lstat(path, &stat)) {
        findings_add(findings, topic, FINDING_NOTE,
                     "%s is not there; it is made once a phone asks for it",
                     path);
        return;
    }
    if (stat.st_mode & (S_IRWXG | S_IRWXO)) {
        finding = findings_add(findings, topic, FINDING_WRONG,
                               "others on this computer can use the key %s "
                               "that phones trust",
                               path);
        finding_advise(finding, "chmod 600 %s", path);
        return;
    }
    if (access(path, R_OK)) {
        findings_add(findings, topic, FINDING_WRONG, "%s: %s", path,
                     strerror(errno));
        return;
    }
    findings_add(findings, topic, FINDING_GOOD, "%s is there, for you alone",
                 path);
}

void doctor_check_keys(struct findings *findings)
{
    const char *home = getenv("HOME");
    const char *more = getenv("ADB_VENDOR_KEYS");
    char path[PATH_LIMIT];

    if (home && *home) {
        snprintf(path, sizeof(path), "%s/.android/adbkey", home);
        check_key(path, findings);
    }
    while (more && *more) {
        size_t length = strcspn(more, ":");

        snprintf(path, sizeof(path), "%.*s",
                 length < sizeof(path) ? (int)length : 0, more);
        if (*path && access(path, R_OK))
            findings_add(findings, "Keys", FINDING_WRONG,
                         "ADB_VENDOR_KEYS names %s: %s", path, strerror(errno));
        more += length + (more[length] == ':');
    }
}

static void check_usb_phone(const struct usb_phone *phone,
                            struct findings *findings)
{
    struct finding *finding;

    if (phone->open_to_us) {
        findings_add(findings, "USB", FINDING_GOOD,
                     "%.60s (%.40s %.40s) is plugged in at %s, and open to you",
                     phone->serial, phone->manufacturer, phone->product,
                     phone->path);
        return;
    }
    finding = findings_add(findings, "USB", FINDING_WRONG,
                           "%.60s (%.40s %.40s) is plugged in at %s, and "
                           "closed to you (%s)",
                           phone->serial, phone->manufacturer, phone->product,
                           phone->path, phone->node);
    finding_advise(finding,
                   "install the udev rule that opens phones to whoever sits "
                   "here: cmake --install does, or copy "
                   "51-proctor-android.rules to /etc/udev/rules.d; then run: "
                   "sudo udevadm control --reload, and plug the phone in "
                   "again");
}

void doctor_check_usb(struct findings *findings)
{
    struct usb_phones phones = {0};
    struct err err;

    if (!usb_list(&phones, &err))
        findings_add(findings, "USB", FINDING_NOTE, "%s", err.text);
    else if (!phones.count)
        findings_add(findings, "USB", FINDING_NOTE,
                     "no phone with USB debugging on is plugged in");
    for (size_t i = 0; i < phones.count; i++)
        check_usb_phone(&phones.items[i], findings);
    usb_phones_release(&phones);
}

void doctor_check_environment(struct findings *findings)
{
    const char *socket = getenv("ADB_SERVER_SOCKET");
    struct finding *finding;

    if (socket && *socket &&
        (getenv("ANDROID_ADB_SERVER_PORT") ||
         getenv("ANDROID_ADB_SERVER_ADDRESS"))) {
        finding = findings_add(findings, "Environment", FINDING_HINT,
                               "ADB_SERVER_SOCKET is set, so the "
                               "ANDROID_ADB_SERVER_ variables are not looked "
                               "at");
        finding_advise(finding, "keep one of them");
    }
}
