/* dumpsys: the state of the services. */
#include "tools/phone/services/dumpsys.h"

#include <string.h>

#include "tools/phone/services/cmd_pm.h"
#include "tools/phone/services/service_names.h"
#include "tools/phone/system/input_methods.h"

#define TEXT_MAX ((size_t)4 << 20)

bool dumpsys_wants(const struct dumpsys *dump, const char *part)
{
    return !dump->count || !strcmp(dump->words[0], part);
}

unsigned dumpsys_number(const char *name, int more)
{
    unsigned hash = 2166136261U;

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619U;
    return (hash ^ (unsigned)more * 2654435761U) & 0xfffffffU;
}

void dumpsys_activity_record(const struct dumpsys *dump,
                             const struct task_info *task)
{
    char name[COMPONENT_TEXT_SIZE];

    component_short(&task->component, name);
    buf_printf(dump->text, "ActivityRecord{%07x u0 %s t%d}",
               dumpsys_number(name, task->id), name, task->id);
}

void dumpsys_window_of(const struct dumpsys *dump, const struct task_info *task)
{
    char name[COMPONENT_TEXT_SIZE];

    component_long(&task->component, name);
    buf_printf(dump->text, "Window{%07x u0 %s}", dumpsys_number(name, task->id),
               name);
}

/* ---- packages ---- */

static void dump_package(struct dumpsys *dump)
{
    struct phone_packages *packages = &dump->phone->handset->packages;
    struct package_list list;
    struct phone_package package;

    if (dump->count) {
        if (packages_find(packages, dump->words[dump->count - 1], &package))
            pm_describe(&package, dump->text);
        else
            buf_printf(dump->text, "Unable to find package: %.200s\n",
                       dump->words[dump->count - 1]);
        return;
    }
    list = packages_list(packages);
    for (size_t i = 0; i < list.count; i++)
        pm_describe(&list.packages[i], dump->text);
    package_list_release(&list);
}

/* ---- power ---- */

static void dump_power(struct dumpsys *dump)
{
    bool asleep = task_stack_is_asleep(dump->phone->task_stack);
    struct screen_display display = screen_display(dump->phone->screen);

    buf_printf(dump->text,
               "POWER MANAGER (dumpsys power)\n\n"
               "Power Manager State:\n"
               "  Settings power_manager_constants:\n"
               "    no_cached_wake_locks=true\n"
               "  mDirty=0x0\n"
               "  mWakefulness=%s\n"
               "  mWakefulnessChanging=false\n"
               "  mIsPowered=%s\n"
               "  mPlugType=2\n"
               "  mBatteryLevel=%d\n"
               "  mStayOn=false\n"
               "  mHoldingDisplaySuspendBlocker=%s\n"
               "  mScreenBrightnessBoostInProgress=false\n\n"
               "Wake Locks: size=0\n\n"
               "Display Power: state=%s\n",
               asleep ? "Asleep" : "Awake",
               dump->phone->handset->battery.usb ? "true" : "false",
               display.battery, asleep ? "false" : "true",
               asleep ? "OFF" : "ON");
}

/* ---- keyboards ---- */

static void dump_input_method(struct dumpsys *dump)
{
    struct task_info front = task_stack_front(dump->phone->task_stack);
    struct buf current = BUF_INIT(STRING_MAP_VALUE_MAX);
    const char *shown =
        screen_shows_keyboard(dump->phone->screen) ? "true" : "false";

    (void)!settings_get(&dump->phone->handset->settings, SETTINGS_SECURE,
                        "default_input_method", &current);
    buf_printf(dump->text,
               "Current Input Method Manager state:\n"
               "  mMethodMap:\n"
               "  mCurMethodId=%s\n"
               "  mCurFocusedWindowSoftInputMode=STATE_UNSPECIFIED|ADJUST_PAN\n"
               "  mCurId=%s mHaveConnection=true mBoundToMethod=true "
               "mVisibleBound=false\n"
               "  mCurClient=ClientState{%07x mUid=%u mPid=%u}\n"
               "  mShowRequested=%s mShowExplicitlyRequested=false "
               "mShowForced=false mInputShown=%s\n"
               "  mSystemReady=true mInteractive=%s\n",
               buf_cstr(&current), buf_cstr(&current),
               dumpsys_number(front.component.class, front.id),
               (unsigned)front.uid, front.pid, shown, shown,
               task_stack_is_asleep(dump->phone->task_stack) ? "false"
                                                             : "true");
    buf_release(&current);
}

/* ---- networks ---- */

static bool is_on(const struct dumpsys *dump, const char *setting)
{
    struct buf value = BUF_INIT(STRING_MAP_VALUE_MAX);
    bool on;

    (void)!settings_get(&dump->phone->handset->settings, SETTINGS_GLOBAL,
                        setting, &value);
    on = !strcmp(buf_cstr(&value), "1");
    buf_release(&value);
    return on;
}

static void dump_connectivity(struct dumpsys *dump)
{
    bool wifi = is_on(dump, "wifi_on");

    buf_printf(dump->text,
               "NetworkProviders for: mobile wifi\n\n"
               "Active default network: %s\n\n"
               "Current Networks:\n",
               wifi ? "100" : "none");
    if (wifi)
        buf_text(dump->text,
                 "  NetworkAgentInfo{network{100}  handle{432902426637}  "
                 "ni{WIFI CONNECTED extra: } Score(Policies : EVER_VALIDATED&"
                 "IS_VALIDATED)  created=2.1s  lp{{InterfaceName: wlan0 "
                 "LinkAddresses: [ 10.0.2.16/24 ] DnsAddresses: [ /10.0.2.3 ] "
                 "Routes: [ 0.0.0.0/0 -> 10.0.2.2 wlan0 ]}}  nc{[ Transports: "
                 "WIFI Capabilities: NOT_METERED&INTERNET&NOT_RESTRICTED&"
                 "TRUSTED&NOT_VPN&VALIDATED ]}}\n");
}

static void dump_wifi(struct dumpsys *dump)
{
    bool wifi = is_on(dump, "wifi_on");

    buf_printf(dump->text,
               "Wi-Fi is %s\nVerbose logging is off\nmWifiInfo SSID: "
               "\"AndroidWifi\", BSSID: 00:13:10:85:fe:01, Supplicant state: "
               "%s, RSSI: -50, Link speed: 866Mbps\n",
               wifi ? "enabled" : "disabled",
               wifi ? "COMPLETED" : "DISCONNECTED");
}

static void dump_telephony(struct dumpsys *dump)
{
    buf_text(dump->text, "last known state:\n  Phone Id=0\n"
                         "    mCallState=0\n"
                         "    mRingingCallState=0\n"
                         "    mForegroundCallState=0\n"
                         "    mBackgroundCallState=0\n"
                         "    mCallIncomingNumber=\n"
                         "    mServiceState={mVoiceRegState=1(OUT_OF_SERVICE), "
                         "mDataRegState=1(OUT_OF_SERVICE)}\n"
                         "    mDataConnectionState=0\n");
}

static void dump_surfaces(struct dumpsys *dump)
{
    if (dump->count && !strcmp(dump->words[0], "--display-id")) {
        buf_text(dump->text, "Display 4619827259835644672 (HWC display 0): "
                             "port=0 pnpId=PRO displayName=\"Built-in\"\n");
    } else if (dump->count && !strcmp(dump->words[0], "--list")) {
        dumpsys_window_of(
            dump, &(struct task_info){
                      .component =
                          task_stack_front(dump->phone->task_stack).component});
        buf_byte(dump->text, '\n');
    }
}

/* ---- graphics ---- */

/* Reading the statistics draws pending frames first. */
static void dump_graphics(struct dumpsys *dump)
{
    struct task_info front = task_stack_front(dump->phone->task_stack);
    struct phone_frame *frame;
    struct err err;

    buf_text(dump->text, "Applications Graphics Acceleration Info:\n");
    if (dump->count && strcmp(dump->words[0], front.component.package) != 0)
        return;
    if (!screen_look(dump->phone->screen, &frame, &err))
        return;
    buf_printf(dump->text,
               "\n** Graphics info for pid %u [%s] **\n\n"
               "Total frames rendered: %llu\n"
               "Janky frames: 0 (0.00%%)\n",
               front.pid, front.component.package,
               (unsigned long long)frame->number);
    screen_frame_drop(frame);
}

/* ---- the command ---- */

static const struct {
    const char *name;
    void (*dump)(struct dumpsys *dump);
} dumpers[] = {
    {"SurfaceFlinger", dump_surfaces},
    {"activity", dumpsys_activity},
    {"battery", dumpsys_battery},
    {"connectivity", dump_connectivity},
    {"display", dumpsys_display},
    {"gfxinfo", dump_graphics},
    {"input", dumpsys_input},
    {"input_method", dump_input_method},
    {"package", dump_package},
    {"power", dump_power},
    {"telephony.registry", dump_telephony},
    {"wifi", dump_wifi},
    {"window", dumpsys_window},
};

static void dump_one(struct dumpsys *dump, const char *service)
{
    for (size_t i = 0; i < ARRAY_LEN(dumpers); i++) {
        if (!strcmp(dumpers[i].name, service))
            dumpers[i].dump(dump);
    }
}

/* All services in turn, as in bug reports. */
static void dump_all(struct dumpsys *dump)
{
    for (size_t i = 0; i < service_count; i++) {
        buf_printf(dump->text,
                   "----------------------------------------"
                   "---------------------------------------\n"
                   "DUMP OF SERVICE %s:\n",
                   services[i].name);
        dump_one(dump, services[i].name);
    }
}

static int run_dumpsys(struct command_call *call)
{
    struct buf text = BUF_INIT(TEXT_MAX);
    struct dumpsys dump = {.call = call, .phone = call->context, .text = &text};
    size_t at = 1;

    while (at + 1 < call->argc && !strcmp(call->argv[at], "-t"))
        at += 2; /* a time limit has no effect: dumps are immediate */
    if (at < call->argc && !strcmp(call->argv[at], "-l")) {
        service_names_print(call);
        return 0;
    }
    if (at >= call->argc) {
        dump_all(&dump);
    } else if (!service_names_find(call->argv[at])) {
        call_error(call, "Can't find service: %.200s\n", call->argv[at]);
    } else {
        dump.words = call->argv + at + 1;
        dump.count = call->argc - at - 1;
        dump_one(&dump, call->argv[at]);
    }
    call_write(call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

static const struct phone_command commands[] = {
    {"dumpsys", run_dumpsys, "[-l] [-t TIMEOUT] [SERVICE [ARGUMENT...]]"},
};

const struct command_set dumpsys_commands = {commands, ARRAY_LEN(commands)};
