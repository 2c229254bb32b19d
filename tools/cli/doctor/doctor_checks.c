#include "tools/cli/doctor/doctor_checks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/services/input_permission.h"
#include "adb/services/shell.h"
#include "adb/trust/keyring.h"
#include "base/macros.h"

#define PATH_LIMIT 4096
#define ANSWER_MS 3000
#define INPUT_MS 8000 /* a phone starts a virtual machine for it */
#define ANSWER_LIMIT 4096

static const char keys_topic[] = "Keys";

void doctor_check_server(const struct cli_context *cli,
                         struct findings *findings)
{
    static const char topic[] = "adb server";
    struct finding *finding;
    struct server_client server;
    struct err err;
    unsigned version;

    if (!server_client_from_environment(&server, &err)) {
        finding = findings_add(findings, topic, FINDING_WRONG, "%s", err.text);
        finding_advise(finding, "correct the variable, or unset it");
        return;
    }
    server.cancel = cli->cancel;
    server.log = cli->log;
    if (server_client_version(&server, cli_short_deadline(cli), &version,
                              &err)) {
        findings_add(findings, topic, FINDING_GOOD,
                     "running at %s port %u with version %u; proctor uses it "
                     "and never stops it",
                     server.host, server.port, version);
        return;
    }
    if (err.code == ERR_UNREACHABLE) {
        findings_add(findings, topic, FINDING_NOTE,
                     "not running at %s port %u, and not needed", server.host,
                     server.port);
        return;
    }
    finding = findings_add(findings, topic, FINDING_WRONG,
                           "another program answers at %s port %u: %s",
                           server.host, server.port, err.text);
    finding_advise(
        finding,
        "stop that program, or set ANDROID_ADB_SERVER_PORT to another port");
}

/* The phone's features, as text. */
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
static bool measure(const struct cli_context *cli, struct device *device,
                    double *ms, struct err *err)
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

/* Press a key without effect: some phones do not allow input from adb. */
static void check_input(const struct cli_context *cli,
                        const struct discover_entry *entry,
                        struct device *device, struct findings *findings)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(INPUT_MS));
    enum input_permission answer;
    struct finding *finding;
    struct err err;

    if (!input_permission_check(device, by, &answer, &err) ||
        answer != INPUT_PERMISSION_FORBIDDEN)
        return;
    finding = findings_add(
        findings, "Phones", FINDING_WRONG,
        "%.60s does not allow input from adb, so no agent can operate it",
        entry->serial);
    finding_advise(finding, "%s", input_permission_advice);
}

static void check_usable(const struct cli_context *cli,
                         const struct discover *discover,
                         struct discover_entry *entry,
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

    if (discover_open_entry(discover, entry, cli_short_deadline(cli), &device,
                            &err) &&
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
                       "wake the phone, and check that it is on this network; "
                       "to forget an address: proctor disconnect %.60s",
                       entry->serial);
}

static void advise_no_phone(struct findings *findings)
{
    struct finding *finding =
        findings_add(findings, "Phones", FINDING_HINT, "no phone is connected");

    finding_advise(
        finding,
        "plug in a phone that has USB debugging on, start an emulator, or "
        "enable ADB over the network on a phone and run: proctor connect HOST");
}

/* ANDROID_SERIAL or -s must name one of them, or an address. */
static void check_choice(const struct cli_context *cli,
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
    finding = findings_add(
        findings, "Phones", FINDING_WRONG,
        "ANDROID_SERIAL is \"%.60s\", and no such phone is connected", serial);
    finding_advise(finding, entries->count
                                ? "unset it, or set it to one of the above"
                                : "unset it");
}

bool doctor_check_phones(const struct cli_context *cli,
                         struct findings *findings, struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(ANSWER_MS));
    struct discover_entries entries = {0};
    struct discover_config discover_config;
    struct err no_config; /* another check reports what is wrong */

    if (!cli_discover_config(cli, &discover_config, &no_config))
        discover_config.discover.server = NULL;
    discover_config.discover.keep_open = true;
    if (!discover_list(&discover_config.discover, by, &entries, err)) {
        discover_config_release(&discover_config);
        return false;
    }
    for (size_t i = 0; i < entries.count; i++) {
        if (discover_usable(&entries.items[i]))
            check_usable(cli, &discover_config.discover, &entries.items[i],
                         findings);
        else
            explain_unusable(&entries.items[i], findings);
    }
    if (!entries.count)
        advise_no_phone(findings);
    check_choice(cli, &entries, findings);
    discover_entries_release(&entries);
    discover_config_release(&discover_config);
    return true;
}

void doctor_check_known(struct findings *findings)
{
    static const char topic[] = "Remembered addresses";
    struct buf path = BUF_INIT(PATH_LIMIT);
    struct known_hosts known_hosts = {0};
    struct err err;

    if (!known_hosts_path(&path, &err) ||
        !known_hosts_read(buf_cstr(&path), &known_hosts, &err))
        findings_add(findings, topic, FINDING_WRONG, "%s", err.text);
    else if (!known_hosts.count)
        findings_add(findings, topic, FINDING_NOTE,
                     "none; proctor connect HOST adds one");
    for (size_t i = 0; i < known_hosts.count; i++)
        findings_add(findings, topic, FINDING_NOTE, "%s",
                     known_hosts.addresses[i]);
    known_hosts_release(&known_hosts);
    buf_release(&path);
}

/* The folder for the key, or the first one above it that is there. */
static bool can_be_made(const char *home)
{
    char folder[PATH_LIMIT];

    snprintf(folder, sizeof(folder), "%s/.android", home);
    return !access(folder, W_OK) ||
           (errno == ENOENT && !access(home, W_OK | X_OK));
}

static void check_missing_key(const char *home, const char *path,
                              struct findings *findings)
{
    struct finding *finding;

    if (can_be_made(home)) {
        findings_add(
            findings, keys_topic, FINDING_NOTE,
            "%s does not exist yet; it is created when a phone asks for it",
            path);
        return;
    }
    finding = findings_add(findings, keys_topic, FINDING_WRONG,
                           "%s does not exist and cannot be created: %s", path,
                           strerror(errno));
    finding_advise(finding, "make %s writable, or set HOME to a folder that is",
                   home);
}

/* A key that others can read, or that phones do not take. */
static void check_key(const char *home, const char *path,
                      struct findings *findings)
{
    struct key *key = NULL;
    struct finding *finding;
    struct stat stat;
    struct err err;

    if (lstat(path, &stat) && errno == ENOENT) {
        check_missing_key(home, path, findings);
        return;
    }
    if (!key_read(path, &key, &err)) {
        finding =
            findings_add(findings, keys_topic, FINDING_WRONG, "%s", err.text);
        if (err.code == ERR_INVALID)
            finding_advise(
                finding,
                "move %s away: a new key is created when a phone asks for it",
                path);
        return;
    }
    key_close(key);
    if (stat.st_mode & (S_IRWXG | S_IRWXO)) {
        finding = findings_add(findings, keys_topic, FINDING_WRONG,
                               "other users of this computer can read the key "
                               "%s, which phones trust",
                               path);
        finding_advise(finding, "chmod 600 %s", path);
        return;
    }
    findings_add(findings, keys_topic, FINDING_GOOD,
                 "%s is usable, and readable only by you", path);
}

static void add_problem(void *context, const char *problem)
{
    struct finding *finding =
        findings_add(context, keys_topic, FINDING_WRONG, "%s", problem);

    finding_advise(finding, "correct ADB_VENDOR_KEYS; the other keys are used");
}

void doctor_check_keys(struct findings *findings)
{
    const char *home = getenv("HOME");
    struct keyring vendors = KEYRING_INIT;
    char path[PATH_LIMIT];

    if (home && *home) {
        snprintf(path, sizeof(path), "%s/.android/adbkey", home);
        check_key(home, path, findings);
    }
    keyring_add_vendors(&vendors, add_problem, findings);
    if (vendors.count)
        findings_add(findings, keys_topic, FINDING_GOOD,
                     "%zu of ADB_VENDOR_KEYS can be used", vendors.count);
    keyring_release(&vendors);
}

static void check_usb_phone(const struct usb_phone *phone,
                            struct findings *findings)
{
    struct finding *finding;

    if (phone->open_to_us) {
        findings_add(findings, "USB", FINDING_GOOD,
                     "%.60s (%.40s %.40s) is connected at %s, and accessible",
                     phone->serial, phone->manufacturer, phone->product,
                     phone->path);
        return;
    }
    finding = findings_add(
        findings, "USB", FINDING_WRONG,
        "%.60s (%.40s %.40s) is connected at %s, but not accessible (%s)",
        phone->serial, phone->manufacturer, phone->product, phone->path,
        phone->node);
    finding_advise(
        finding, "install the udev rule that gives logged-in users access to "
                 "phones: cmake --install does, or copy "
                 "51-proctor-android.rules to /etc/udev/rules.d; then run: "
                 "sudo udevadm control --reload, and plug the phone in again");
}

void doctor_check_usb(struct findings *findings)
{
    struct usb_phones phones = {0};
    struct err err;

    if (!usb_list(&phones, &err))
        findings_add(findings, "USB", FINDING_NOTE, "%s", err.text);
    else if (!phones.count)
        findings_add(findings, "USB", FINDING_NOTE,
                     "no phone with USB debugging is connected");
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
                               "ANDROID_ADB_SERVER_ variables are ignored");
        finding_advise(finding, "keep one of them");
    }
}
