#include "tools/phone/system/app_catalog.h"

#include <stdio.h>
#include <string.h>

#include "tools/phone/system/intent.h"

#define SYSTEM 1000
#define TARGET_SDK 34
#define KEYBOARD "com.android.inputmethod.latin"
#define SETTINGS "com.android.settings"
#define CLOCK "com.android.deskclock"
#define BROWSER "org.proctor.browser"
#define DIALER "com.android.dialer"
#define MESSAGING "com.android.messaging"
#define CAMERA "com.android.camera2"
#define LAUNCHER "com.android.launcher3"

const struct app_catalog_app app_catalog[] = {
    {"com.android.settings",
     {"Settings", "设置"},
     "14",
     34,
     ".Settings",
     "/system/priv-app/Settings/Settings.apk",
     SYSTEM,
     &icon_settings,
     IN_GRID,
     {"WRITE_SETTINGS", "WRITE_SECURE_SETTINGS", "INTERNET"}},
    {"com.android.deskclock",
     {"Clock", "时钟"},
     "7.8",
     780,
     ".DeskClock",
     "/product/app/DeskClock/DeskClock.apk",
     10081,
     &icon_clock,
     IN_GRID,
     {"VIBRATE", "WAKE_LOCK", "POST_NOTIFICATIONS", "SET_ALARM"}},
    {"com.android.calculator2",
     {"Calculator", "计算器"},
     "8.6",
     86,
     ".Calculator",
     "/product/app/Calculator/Calculator.apk",
     10082,
     &icon_calculator,
     IN_GRID,
     {NULL}},
    {"org.proctor.shop",
     {"Shop", "商城"},
     "3.2.1",
     30201,
     ".MainActivity",
     "/data/app/~~c2hvcA==/org.proctor.shop-1/base.apk",
     0,
     &icon_shop,
     IN_GRID,
     {"INTERNET", "ACCESS_FINE_LOCATION", "POST_NOTIFICATIONS"}},
    {"org.proctor.eats",
     {"Eats", "美食"},
     "5.0.4",
     50004,
     ".MainActivity",
     "/data/app/~~ZWF0cw==/org.proctor.eats-1/base.apk",
     0,
     &icon_eats,
     IN_GRID,
     {"INTERNET", "ACCESS_FINE_LOCATION", "CALL_PHONE"}},
    {"org.proctor.mail",
     {"Mail", "邮箱"},
     "9.3.1",
     90301,
     ".MainActivity",
     "/data/app/~~bWFpbA==/org.proctor.mail-1/base.apk",
     0,
     &icon_mailbox,
     IN_GRID,
     {"INTERNET", "POST_NOTIFICATIONS", "READ_CONTACTS"}},
    {"org.proctor.stays",
     {"Stays", "民宿"},
     "24.2",
     24020,
     ".MainActivity",
     "/data/app/~~c3RheXM=/org.proctor.stays-1/base.apk",
     0,
     &icon_stays,
     IN_GRID,
     {"INTERNET", "ACCESS_FINE_LOCATION", "POST_NOTIFICATIONS"}},
    {"org.proctor.maps",
     {"Maps", "地图"},
     "11.4.2",
     110402,
     ".MainActivity",
     "/data/app/~~bWFwcw==/org.proctor.maps-1/base.apk",
     0,
     &icon_maps,
     IN_GRID,
     {"INTERNET", "ACCESS_FINE_LOCATION", "ACCESS_NETWORK_STATE"}},
    {"org.proctor.music",
     {"Music", "音乐"},
     "8.12",
     81200,
     ".MainActivity",
     "/data/app/~~bXVzaWM=/org.proctor.music-1/base.apk",
     0,
     &icon_music,
     IN_GRID,
     {"INTERNET", "POST_NOTIFICATIONS", "READ_MEDIA_AUDIO"}},
    {"org.proctor.chat",
     {"Chats", "微聊"},
     "8.0.49",
     80049,
     ".MainActivity",
     "/data/app/~~Y2hhdA==/org.proctor.chat-1/base.apk",
     0,
     &icon_chats,
     IN_GRID,
     {"INTERNET", "READ_CONTACTS", "RECORD_AUDIO", "POST_NOTIFICATIONS"}},
    {"org.proctor.dictionary",
     {"Dictionary", "词典"},
     "6.3",
     60300,
     ".MainActivity",
     "/data/app/~~ZGljdA==/org.proctor.dictionary-1/base.apk",
     0,
     &icon_dictionary,
     IN_GRID,
     {"INTERNET", "POST_NOTIFICATIONS"}},
    {"org.proctor.pay",
     {"Pay", "支付"},
     "10.5.20",
     105020,
     ".MainActivity",
     "/data/app/~~cGF5/org.proctor.pay-1/base.apk",
     0,
     &icon_pay,
     IN_GRID,
     {"INTERNET", "CAMERA", "READ_CONTACTS", "POST_NOTIFICATIONS"}},
    {"org.proctor.video",
     {"Video", "视频"},
     "19.20",
     192000,
     ".MainActivity",
     "/data/app/~~dmlkZW8=/org.proctor.video-1/base.apk",
     0,
     &icon_video,
     IN_GRID,
     {"INTERNET", "POST_NOTIFICATIONS", "RECORD_AUDIO"}},
    {"org.proctor.darkroom",
     {"Darkroom", "暗房"},
     "3.4.1",
     30401,
     ".MainActivity",
     "/data/app/~~ZGFyaw==/org.proctor.darkroom-1/base.apk",
     0,
     &icon_darkroom,
     IN_GRID,
     {"INTERNET", "READ_MEDIA_IMAGES", "POST_NOTIFICATIONS"}},
    {"org.proctor.sports",
     {"Sports", "体育"},
     "7.6.2",
     70602,
     ".MainActivity",
     "/data/app/~~c3BvcnRz/org.proctor.sports-1/base.apk",
     0,
     &icon_sports,
     IN_GRID,
     {"INTERNET", "POST_NOTIFICATIONS"}},
    {"org.proctor.news",
     {"News", "新闻"},
     "9.1.2",
     90102,
     ".MainActivity",
     "/data/app/~~bmV3cw==/org.proctor.news-1/base.apk",
     0,
     &icon_news,
     IN_GRID,
     {"INTERNET", "POST_NOTIFICATIONS", "ACCESS_COARSE_LOCATION"}},
    {"org.proctor.store",
     {"Store", "应用商店"},
     "40.8",
     40800,
     ".MainActivity",
     "/data/app/~~c3RvcmU=/org.proctor.store-1/base.apk",
     0,
     &icon_store,
     IN_GRID,
     {"INTERNET", "REQUEST_INSTALL_PACKAGES", "POST_NOTIFICATIONS"}},
    {"com.android.documentsui",
     {"Files", "文件"},
     "14",
     34,
     ".LauncherActivity",
     "/system/priv-app/DocumentsUI/DocumentsUI.apk",
     10069,
     &icon_files,
     NOT_SHOWN,
     {"MANAGE_DOCUMENTS", "READ_EXTERNAL_STORAGE"}},
    {"com.android.gallery3d",
     {"Photos", "相册"},
     "1.1.4",
     40030,
     ".app.GalleryActivity",
     "/product/app/Gallery2/Gallery2.apk",
     10083,
     &icon_photos,
     NOT_SHOWN,
     {"READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "INTERNET"}},
    {"org.proctor.notes",
     {"Notes", "便签"},
     "2.4",
     204,
     ".MainActivity",
     "/data/app/~~bm90ZXM=/org.proctor.notes-1/base.apk",
     0,
     &icon_notes,
     IN_GRID,
     {"POST_NOTIFICATIONS"}},
    {"com.android.dialer",
     {"Phone", "电话"},
     "23.0",
     2900000,
     ".main.impl.MainActivity",
     "/product/priv-app/Dialer/Dialer.apk",
     10084,
     &icon_phone,
     IN_DOCK,
     {"CALL_PHONE", "READ_CONTACTS", "READ_CALL_LOG", "WRITE_CALL_LOG"}},
    {"com.android.messaging",
     {"Messages", "信息"},
     "1.0.1",
     10001040,
     ".ui.conversationlist.ConversationListActivity",
     "/product/app/messaging/messaging.apk",
     10085,
     &icon_messages,
     NOT_SHOWN,
     {"READ_SMS", "SEND_SMS", "RECEIVE_SMS", "READ_CONTACTS"}},
    {"org.proctor.browser",
     {"Browser", "浏览器"},
     "11.7",
     1170,
     ".MainActivity",
     "/data/app/~~YnJvd3Nlcg==/org.proctor.browser-1/base.apk",
     0,
     &icon_browser,
     IN_GRID,
     {"INTERNET", "ACCESS_NETWORK_STATE"}},
    {"com.android.camera2",
     {"Camera", "相机"},
     "2.0.2",
     20002000,
     "com.android.camera.CameraLauncher",
     "/product/app/Camera2/Camera2.apk",
     10086,
     &icon_camera,
     NOT_SHOWN,
     {"CAMERA", "RECORD_AUDIO", "ACCESS_FINE_LOCATION"}},
    {LAUNCHER,
     {"Launcher", "启动器"},
     "14",
     34,
     NULL,
     "/system/system_ext/priv-app/Launcher3QuickStep/"
     "Launcher3QuickStep.apk",
     10072,
     NULL,
     IN_GRID,
     {"SET_WALLPAPER", "READ_PHONE_STATE"}},
    {"android",
     {"Android System", "Android 系统"},
     "14",
     34,
     NULL,
     "/system/framework/framework-res.apk",
     SYSTEM,
     NULL,
     IN_GRID,
     {NULL}},
    {"com.android.systemui",
     {"System UI", "系统界面"},
     "14",
     34,
     NULL,
     "/system/system_ext/priv-app/SystemUI/SystemUI.apk",
     10068,
     NULL,
     IN_GRID,
     {"STATUS_BAR_SERVICE"}},
    {"com.android.phone",
     {"Phone Services", "电话服务"},
     "14",
     34,
     NULL,
     "/system/priv-app/TeleService/TeleService.apk",
     1001,
     NULL,
     IN_GRID,
     {"CALL_PHONE"}},
    {"com.android.shell",
     {"Shell", "Shell"},
     "14",
     34,
     NULL,
     "/system/priv-app/Shell/Shell.apk",
     2000,
     NULL,
     IN_GRID,
     {"DUMP", "INJECT_EVENTS", "WRITE_SECURE_SETTINGS"}},
    {"com.android.inputmethod.latin",
     {"Android Keyboard (AOSP)", "Android 键盘 (AOSP)"},
     "14",
     34,
     NULL,
     "/product/app/LatinIME/LatinIME.apk",
     10061,
     NULL,
     IN_GRID,
     {"VIBRATE", "READ_CONTACTS"}},
};

const size_t app_catalog_count = ARRAY_LEN(app_catalog);

const struct app_catalog_answer app_catalog_answers[] = {
    {LAUNCHER, INTENT_HOME, "", ".uioverrides.QuickstepLauncher"},
    {SETTINGS, "android.settings.SETTINGS", "", ".Settings"},
    {SETTINGS, "android.settings.WIFI_SETTINGS", "",
     ".Settings$WifiSettingsActivity"},
    {SETTINGS, "android.settings.BLUETOOTH_SETTINGS", "",
     ".Settings$BluetoothSettingsActivity"},
    {SETTINGS, "android.settings.DISPLAY_SETTINGS", "",
     ".Settings$DisplaySettingsActivity"},
    {SETTINGS, "android.settings.SOUND_SETTINGS", "",
     ".Settings$SoundSettingsActivity"},
    {SETTINGS, "android.settings.DATE_SETTINGS", "",
     ".Settings$DateTimeSettingsActivity"},
    {SETTINGS, "android.settings.LOCALE_SETTINGS", "",
     ".Settings$LocalePickerActivity"},
    {SETTINGS, "android.settings.APPLICATION_SETTINGS", "",
     ".Settings$ManageApplicationsActivity"},
    {SETTINGS, "android.settings.MANAGE_APPLICATIONS_SETTINGS", "",
     ".Settings$ManageApplicationsActivity"},
    {SETTINGS, "android.settings.INTERNAL_STORAGE_SETTINGS", "",
     ".Settings$StorageDashboardActivity"},
    {SETTINGS, "android.settings.DEVICE_INFO_SETTINGS", "",
     ".Settings$MyDeviceInfoActivity"},
    {SETTINGS, "android.settings.WIRELESS_SETTINGS", "",
     ".Settings$NetworkDashboardActivity"},
    {SETTINGS, "android.settings.APPLICATION_DETAILS_SETTINGS", "package",
     ".applications.InstalledAppDetails"},
    {SETTINGS, "android.settings.*", "", ".Settings"},
    {CLOCK, "android.intent.action.SET_ALARM", "", ".HandleApiCalls"},
    {CLOCK, "android.intent.action.SET_TIMER", "", ".HandleApiCalls"},
    {CLOCK, "android.intent.action.SHOW_ALARMS", "", ".HandleApiCalls"},
    {BROWSER, INTENT_VIEW, "http", ".MainActivity"},
    {BROWSER, INTENT_VIEW, "https", ".MainActivity"},
    {BROWSER, "android.intent.action.WEB_SEARCH", "", ".MainActivity"},
    {DIALER, "android.intent.action.DIAL", "", ".main.impl.MainActivity"},
    {DIALER, INTENT_VIEW, "tel", ".main.impl.MainActivity"},
    {DIALER, "android.intent.action.CALL", "tel", ".main.impl.MainActivity"},
    {MESSAGING, "android.intent.action.SENDTO", "sms",
     ".ui.conversation.LaunchConversationActivity"},
    {MESSAGING, "android.intent.action.SENDTO", "smsto",
     ".ui.conversation.LaunchConversationActivity"},
    {CAMERA, "android.media.action.STILL_IMAGE_CAMERA", "",
     "com.android.camera.CameraActivity"},
    {CAMERA, "android.media.action.IMAGE_CAPTURE", "",
     "com.android.camera.CaptureActivity"},
};

const size_t app_catalog_answer_count = ARRAY_LEN(app_catalog_answers);

/* ---- installing ---- */

static void add_permissions(struct phone_package *package,
                            const struct app_catalog_app *app)
{
    char name[96];

    for (size_t i = 0; i < APP_CATALOG_PERMISSIONS && app->permissions[i];
         i++) {
        snprintf(name, sizeof(name), "android.permission.%s",
                 app->permissions[i]);
        package_ask_permission(package, name);
    }
}

static void add_answers(struct phone_package *package)
{
    for (size_t i = 0; i < app_catalog_answer_count; i++) {
        const struct app_catalog_answer *answer = &app_catalog_answers[i];

        if (!strcmp(answer->package, package->name))
            package_answer(package, answer->action, answer->scheme,
                           answer->activity);
    }
}

static struct phone_package package_of(const struct app_catalog_app *app,
                                       int64_t now)
{
    struct phone_package package = {
        .version_code = app->version_code,
        .target_sdk = TARGET_SDK,
        .uid = app->uid,
        .system = app->uid != 0,
        .docked = app->place == IN_DOCK,
        .hidden = app->place == NOT_SHOWN,
        .icon = app->icon,
        .installed = app->uid ? 0 : now,
        .updated = app->uid ? 0 : now,
    };

    snprintf(package.name, sizeof(package.name), "%s", app->package);
    for (size_t i = 0; i < ARRAY_LEN(package.labels); i++)
        snprintf(package.labels[i], sizeof(package.labels[i]), "%s",
                 app->names[i]);
    snprintf(package.version, sizeof(package.version), "%s", app->version);
    snprintf(package.apk, sizeof(package.apk), "%s", app->apk);
    if (app->activity)
        snprintf(package.activity, sizeof(package.activity), "%s",
                 component_of(app->package, app->activity).class);
    if (!strcmp(app->package, KEYBOARD))
        snprintf(package.ime, sizeof(package.ime), "%s",
                 component_of(app->package, ".LatinIME").class);
    add_permissions(&package, app);
    add_answers(&package);
    return package;
}

/* Before Android 5 an app had no folder, and there was one partition. */
static void flatten_path(struct phone_package *package)
{
    const char *name = strrchr(package->apk, '/') + 1;
    char flat[sizeof(package->apk)];

    if (!strncmp(package->apk, "/data/", 6))
        snprintf(flat, sizeof(flat), "/data/app/%s-1.apk", package->name);
    else if (strstr(package->apk, "/framework/"))
        return;
    else
        snprintf(flat, sizeof(flat), "/system/%s/%s",
                 strstr(package->apk, "/priv-app/") ? "priv-app" : "app", name);
    memcpy(package->apk, flat, sizeof(flat));
}

void app_catalog_install(struct phone_packages *packages, int64_t now,
                         bool flat)
{
    for (size_t i = 0; i < app_catalog_count; i++) {
        struct phone_package package = package_of(&app_catalog[i], now);

        if (flat)
            flatten_path(&package);
        (void)!packages_put(packages, &package); /* all of them fit */
    }
}
