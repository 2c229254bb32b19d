/*
 * emulator: behaves as the Android SDK's, with a built-in phone in place of
 * Android.
 *
 *     emulator -list-avds
 *     emulator -avd NAME -port PORT [-read-only] [OPTION...]
 *
 * An AVD is NAME.ini and the folder NAME.avd in ANDROID_AVD_HOME. The folder
 * may have a file "fake" of words that say how it behaves:
 *
 *     boot=MS      how long Android takes to boot (300)
 *     quickboot    its first start leaves the snapshot "default_boot"
 *     kvm, space   it ends with the message of that trouble
 *     deaf         it never boots
 *
 * and gets "log", a line per start: its process, its helper's, its arguments.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/deadline.h"
#include "tools/phone/phone.h"

#define FIRST_PORT 5554
#define LAST_PORT 5682
#define BOOT_MS 300

struct command_line {
    const char *avd;
    int port;
    bool read_only;
    bool list;
};

struct avd {
    char folder[PATH_MAX];
    char fake[4096];
};

static int fail(const char *text)
{
    printf("INFO         | Android emulator version 36.2.12.0\n%s\n", text);
    fflush(stdout);
    return 1;
}

/* ---- the command line ---- */

static bool is_flag(const char *word)
{
    static const char *const flags[] = {"-no-window",    "-no-audio",
                                        "-no-boot-anim", "-no-snapshot-save",
                                        "-no-snapshot",  "-wipe-data"};

    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (!strcmp(flags[i], word))
            return true;
    }
    return false;
}

static bool parse(int argc, char **argv, struct command_line *line)
{
    *line = (struct command_line){.port = FIRST_PORT};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (!strcmp(argv[i], "-list-avds")) {
            line->list = true;
        } else if (!strcmp(argv[i], "-read-only")) {
            line->read_only = true;
        } else if (!strcmp(argv[i], "-avd") && value) {
            line->avd = argv[++i];
        } else if (!strcmp(argv[i], "-port") && value) {
            line->port = (int)strtol(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "-gpu") && value) {
            i++;
        } else if (!is_flag(argv[i])) {
            printf("unknown option: %s\nplease use -help for a list of valid "
                   "options\n",
                   argv[i]);
            return false;
        }
    }
    return true;
}

static const char *avd_home(void)
{
    const char *home = getenv("ANDROID_AVD_HOME");

    return home ? home : ".";
}

static int list_avds(void)
{
    DIR *folder = opendir(avd_home());
    struct dirent *entry;

    printf("INFO    | Storing crashdata in: /tmp/android/emu-crash.db\n");
    while (folder && (entry = readdir(folder))) {
        char *end = strstr(entry->d_name, ".ini");

        if (end && !end[4])
            printf("%.*s\n", (int)(end - entry->d_name), entry->d_name);
    }
    if (folder)
        closedir(folder);
    return 0;
}

/* ---- the AVD ---- */

static bool open_avd(const char *name, struct avd *avd)
{
    char path[PATH_MAX + 64];
    FILE *file;
    size_t length = 0;

    snprintf(path, sizeof(path), "%s/%s.ini", avd_home(), name);
    if (access(path, R_OK))
        return false;
    snprintf(avd->folder, sizeof(avd->folder), "%.3000s/%.200s.avd", avd_home(),
             name);
    snprintf(path, sizeof(path), "%s/fake", avd->folder);
    file = fopen(path, "re");
    if (file) {
        length = fread(avd->fake, 1, sizeof(avd->fake) - 1, file);
        fclose(file);
    }
    avd->fake[length] = '\0';
    return true;
}

static bool behaves(const struct avd *avd, const char *word)
{
    return strstr(avd->fake, word) != NULL;
}

static int boot_ms(const struct avd *avd)
{
    const char *given = strstr(avd->fake, "boot=");

    return given ? (int)strtol(given + 5, NULL, 10) : BOOT_MS;
}

/* Without -read-only an AVD is used by one emulator. */
static bool lock_avd(const struct avd *avd, bool read_only)
{
    char path[PATH_MAX + 64];
    int fd;

    snprintf(path, sizeof(path), "%s/multiinstance.lock", avd->folder);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return fd >= 0 && !flock(fd, (read_only ? LOCK_SH : LOCK_EX) | LOCK_NB);
}

/* As netsimd, it is in another session. */
static pid_t start_helper(void)
{
    pid_t helper = fork();

    if (helper)
        return helper;
    setsid();
    signal(SIGTERM, SIG_IGN);
    for (;;)
        pause();
}

static void log_start(const struct avd *avd, int argc, char **argv)
{
    const char *server = getenv("ANDROID_ADB_SERVER_PORT");
    char path[PATH_MAX + 64];
    FILE *file;

    snprintf(path, sizeof(path), "%s/log", avd->folder);
    file = fopen(path, "ae");
    if (!file)
        return;
    fprintf(file, "%d %d adb=%s", (int)getpid(), (int)start_helper(),
            server ? server : "5037");
    for (int i = 1; i < argc; i++)
        fprintf(file, " %s", argv[i]);
    fprintf(file, "\n");
    fclose(file);
}

/* ---- booting ---- */

/* Until adbd runs, its port accepts connections and answers nothing. */
static bool wait_silently(int port, int64_t milliseconds)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    struct deadline by = deadline_in_ms(milliseconds);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int one = 1;
    bool done = fd >= 0 &&
                !setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) &&
                !bind(fd, (const struct sockaddr *)&address, sizeof(address)) &&
                !listen(fd, 8);

    while (done && !deadline_passed(by))
        poll(NULL, 0, 20);
    if (fd >= 0)
        close(fd);
    return done;
}

static void run_command(struct phone *phone, const char *command)
{
    struct buf out = BUF_INIT(4096);
    struct buf errors = BUF_INIT(4096);

    (void)phone_run(phone, command, &out, &errors);
    buf_release(&out);
    buf_release(&errors);
}

static void leave(void *context)
{
    (void)context;
    kill(getpid(), SIGTERM);
}

static void keep_quickboot(const struct avd *avd, struct phone *phone)
{
    char path[PATH_MAX + 64];
    char fresh[PATH_MAX + 96];
    struct err err = ERR_INIT;

    snprintf(path, sizeof(path), "%s/snapshots/default_boot.snapshot",
             avd->folder);
    snprintf(fresh, sizeof(fresh), "%s.%d", path, (int)getpid());
    if (!access(path, F_OK))
        return;
    if (!phone_save(phone, fresh, &err) || rename(fresh, path))
        printf("ERROR        | %s\n", err.text);
}

static int run_phone(const struct avd *avd, int port)
{
    char snapshots[PATH_MAX + 64];
    char token[PATH_MAX];
    struct phone *phone = NULL;
    struct err err = ERR_INIT;
    const struct phone_options options = {
        .port = (uint16_t)(port + 1),
        .console = true,
        .console_port = (uint16_t)port,
        .console_token = token,
        .snapshots = snapshots,
        .realtime = true,
        .kill = leave,
    };
    sigset_t ending;
    int number;

    snprintf(snapshots, sizeof(snapshots), "%s/snapshots", avd->folder);
    snprintf(token, sizeof(token), "%s/.emulator_console_auth_token",
             getenv("HOME"));
    (void)mkdir(snapshots, 0700);
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ending, NULL);
    if (!wait_silently(port + 1, boot_ms(avd) / 2))
        return fail("ERROR        | bind: address already in use");
    if (behaves(avd, "deaf"))
        sigwait(&ending, &number);
    if (!phone_start(&options, &phone, &err))
        return fail(err.text);
    run_command(phone, "setprop sys.boot_completed 0");
    poll(NULL, 0, boot_ms(avd) / 2);
    run_command(phone, "setprop sys.boot_completed 1");
    if (behaves(avd, "quickboot"))
        keep_quickboot(avd, phone);
    printf("INFO         | Boot completed in %d ms\n", boot_ms(avd));
    fflush(stdout);
    sigwait(&ending, &number);
    poll(NULL, 0, 50); /* the console's answer is sent */
    phone_stop(phone);
    return 0;
}

int main(int argc, char **argv)
{
    struct command_line line;
    struct avd avd;

    if (!parse(argc, argv, &line))
        return 1;
    if (line.list)
        return list_avds();
    if (!line.avd)
        return fail(
            "FATAL        | No AVD specified. Use '@foo' or '-avd foo'");
    if (!open_avd(line.avd, &avd))
        return fail("FATAL        | Unknown AVD name, use -list-avds to see "
                    "valid list.");
    if (line.port < FIRST_PORT || line.port > LAST_PORT || line.port % 2)
        return fail("ERROR        | option -port must be followed by an even "
                    "integer between 5554 and 5682");
    if (behaves(&avd, "kvm"))
        return fail("ERROR        | x86_64 emulation currently requires "
                    "hardware acceleration!\nCPU acceleration status: KVM "
                    "requires a CPU that supports vmx or svm");
    if (behaves(&avd, "space"))
        return fail("FATAL        | Not enough space to create userdata "
                    "partition. Available: 6341.54 MB at /home/a/.android/avd, "
                    "need 7372.80 MB.");
    if (!lock_avd(&avd, line.read_only))
        return fail("FATAL        | Running multiple emulators with the same "
                    "AVD is an experimental feature. Please use -read-only "
                    "flag to enable this feature.");
    log_start(&avd, argc, argv);
    return run_phone(&avd, line.port);
}
