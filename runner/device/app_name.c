#include "runner/device/app_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/clean_text.h"
#include "base/macros.h"

#define LIST_MAX ((size_t)4 << 20)

/*
 * Well-known names that are not part of the package name. A name may have
 * several packages.
 */
static const struct {
    const char *name;
    const char *package;
} known[] = {
    {"Airbnb", "com.airbnb.android"},
    {"Alipay", "com.eg.android.AlipayGphone"},
    {"支付宝", "com.eg.android.AlipayGphone"},
    {"Amap", "com.autonavi.minimap"},
    {"高德地图", "com.autonavi.minimap"},
    {"Amazon", "com.amazon.mShop.android.shopping"},
    {"Baidu Maps", "com.baidu.BaiduMap"},
    {"百度地图", "com.baidu.BaiduMap"},
    {"Bilibili", "tv.danmaku.bili"},
    {"哔哩哔哩", "tv.danmaku.bili"},
    {"Booking.com", "com.booking"},
    {"Browser", "org.proctor.browser"},
    {"浏览器", "org.proctor.browser"},
    {"Calculator", "com.android.calculator2"},
    {"计算器", "com.android.calculator2"},
    {"Calculator", "com.google.android.calculator"},
    {"Calendar", "com.google.android.calendar"},
    {"Camera", "com.android.camera2"},
    {"相机", "com.android.camera2"},
    {"Chrome", "com.android.chrome"},
    {"Clock", "com.android.deskclock"},
    {"时钟", "com.android.deskclock"},
    {"Clock", "com.google.android.deskclock"},
    {"Contacts", "com.google.android.contacts"},
    {"Ctrip", "ctrip.android.view"},
    {"携程", "ctrip.android.view"},
    {"Douyin", "com.ss.android.ugc.aweme"},
    {"抖音", "com.ss.android.ugc.aweme"},
    {"Eats", "org.proctor.eats"},
    {"美食", "org.proctor.eats"},
    {"Ele.me", "me.ele"},
    {"饿了么", "me.ele"},
    {"ESPN", "com.espn.score_center"},
    {"Facebook", "com.facebook.katana"},
    {"Files", "com.android.documentsui"},
    {"文件", "com.android.documentsui"},
    {"Files", "com.google.android.documentsui"},
    {"Gmail", "com.google.android.gm"},
    {"Google", "com.google.android.googlequicksearchbox"},
    {"Google Maps", "com.google.android.apps.maps"},
    {"Haodf", "com.haodf.android"},
    {"好大夫", "com.haodf.android"},
    {"Huawei Browser", "com.huawei.browser"},
    {"华为浏览器", "com.huawei.browser"},
    {"Instagram", "com.instagram.android"},
    {"JD", "com.jingdong.app.mall"},
    {"京东", "com.jingdong.app.mall"},
    {"Maps", "com.google.android.apps.maps"},
    {"Meituan", "com.sankuai.meituan"},
    {"美团", "com.sankuai.meituan"},
    {"Merriam-Webster", "com.merriamwebster"},
    {"Messages", "com.android.messaging"},
    {"信息", "com.android.messaging"},
    {"Messages", "com.google.android.apps.messaging"},
    {"Phone", "com.android.dialer"},
    {"电话", "com.android.dialer"},
    {"Phone", "com.google.android.dialer"},
    {"Photos", "com.android.gallery3d"},
    {"相册", "com.android.gallery3d"},
    {"Photos", "com.google.android.apps.photos"},
    {"Pinduoduo", "com.xunmeng.pinduoduo"},
    {"拼多多", "com.xunmeng.pinduoduo"},
    {"Play Store", "com.android.vending"},
    {"Qunar", "com.Qunar"},
    {"去哪儿", "com.Qunar"},
    {"Reddit", "com.reddit.frontpage"},
    {"Settings", "com.android.settings"},
    {"设置", "com.android.settings"},
    {"Shop", "org.proctor.shop"},
    {"商城", "org.proctor.shop"},
    {"Spotify", "com.spotify.music"},
    {"Taobao", "com.taobao.taobao"},
    {"淘宝", "com.taobao.taobao"},
    {"Telegram", "org.telegram.messenger"},
    {"TikTok", "com.zhiliaoapp.musically"},
    {"Toutiao", "com.ss.android.article.news"},
    {"今日头条", "com.ss.android.article.news"},
    {"Twitter", "com.twitter.android"},
    {"Umetrip", "com.umetrip.android.msky.app"},
    {"航旅纵横", "com.umetrip.android.msky.app"},
    {"WeChat", "com.tencent.mm"},
    {"微信", "com.tencent.mm"},
    {"Weibo", "com.sina.weibo"},
    {"微博", "com.sina.weibo"},
    {"X", "com.twitter.android"},
    {"Xiaohongshu", "com.xingin.xhs"},
    {"小红书", "com.xingin.xhs"},
    {"Yelp", "com.yelp.android"},
    {"Youdao Dictionary", "com.youdao.dict"},
    {"有道词典", "com.youdao.dict"},
    {"Youloft Calendar", "com.youloft.calendar"},
    {"万年历", "com.youloft.calendar"},
    {"YouTube", "com.google.android.youtube"},
    {"Zhihu", "com.zhihu.android"},
    {"知乎", "com.zhihu.android"},
    {"QQ音乐", "com.tencent.qqmusic"},
};

/* In lower case without spaces. */
static void normalise(const char *name, char normal[APP_NAME_MAX])
{
    size_t length = 0;

    for (; *name && length < APP_NAME_MAX - 1; name++) {
        if (!isspace((unsigned char)*name))
            normal[length++] = (char)tolower((unsigned char)*name);
    }
    normal[length] = '\0';
}

/* The next package of the list; false at its end. */
static bool next_package(const char **at, char package[APP_NAME_MAX])
{
    while (**at) {
        const char *line = *at;
        size_t length = strcspn(line, "\r\n");

        *at = line + length + strspn(line + length, "\r\n");
        if (!strncmp(line, "package:", 8)) {
            line += 8;
            length -= 8;
        }
        if (length && length < APP_NAME_MAX) {
            clean_text_copy(package, APP_NAME_MAX, line, length);
            return true;
        }
    }
    return false;
}

static bool lists(const char *list, const char *wanted)
{
    char package[APP_NAME_MAX];

    while (next_package(&list, package)) {
        if (!strcmp(package, wanted))
            return true;
    }
    return false;
}

const char *app_name_known(const char *package, bool chinese)
{
    const char *name = NULL;

    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        bool is_ascii = (unsigned char)known[i].name[0] < 0x80;

        if (!strcmp(known[i].package, package) &&
            (!name || is_ascii == !chinese))
            name = known[i].name;
    }
    return name;
}

static bool choose_known(const char *list, const char *normal,
                         char package[APP_NAME_MAX])
{
    char name[APP_NAME_MAX];

    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        normalise(known[i].name, name);
        if (!strcmp(name, normal) && lists(list, known[i].package)) {
            snprintf(package, APP_NAME_MAX, "%s", known[i].package);
            return true;
        }
    }
    return false;
}

/* Is it a part of the package name, as "clock" of "com.android.clock"? */
static bool has_part(const char *package, const char *normal)
{
    char lower[APP_NAME_MAX];
    size_t length = strlen(normal);

    normalise(package, lower);
    for (const char *at = lower; at; at = strchr(at, '.')) {
        at += *at == '.';
        if (!strncmp(at, normal, length) && (at[length] == '.' || !at[length]))
            return true;
    }
    return false;
}

static bool looks_like_a_package(const char *name)
{
    return strchr(name, '.') && !strchr(name, ' ');
}

static bool choose_by_part(const char *list, const char *name,
                           const char *normal, char package[APP_NAME_MAX],
                           struct err *err)
{
    char found[APP_NAME_MAX], next[APP_NAME_MAX];
    char names[160] = "";
    int count = 0;

    while (next_package(&list, next)) {
        size_t length = strlen(names);

        if (!has_part(next, normal))
            continue;
        if (!count++)
            memcpy(found, next, sizeof(found));
        snprintf(names + length, sizeof(names) - length, "%s%s",
                 length ? ", " : "", next);
    }
    if (!count && looks_like_a_package(name))
        return err_set(err, ERR_INVALID, "%.100s is not installed on the phone",
                       name);
    if (!count)
        return err_set(err, ERR_INVALID,
                       "no app on the phone is called '%.100s': give its "
                       "package, such as com.android.settings",
                       name);
    if (count > 1)
        return err_set(err, ERR_INVALID, "several apps match '%.60s': %s", name,
                       names);
    memcpy(package, found, sizeof(found));
    return true;
}

bool app_name_choose(const char *list, const char *name,
                     char package[APP_NAME_MAX], struct err *err)
{
    char clean[APP_NAME_MAX], normal[APP_NAME_MAX];

    clean_text_copy(clean, sizeof(clean), name, strlen(name));
    normalise(clean, normal);
    if (!*normal)
        return err_set(err, ERR_INVALID, "the name of the app is empty");
    if (lists(list, clean)) {
        memcpy(package, clean, sizeof(clean));
        return true;
    }
    return choose_known(list, normal, package) ||
           choose_by_part(list, clean, normal, package, err);
}

bool app_name_find(struct device *device, const char *name, struct deadline by,
                   char package[APP_NAME_MAX], struct err *err)
{
    struct shell_result result;
    bool done;

    if (!shell_run(device, "pm list packages", LIST_MAX, by, &result, err))
        return false;
    done = app_name_choose(buf_cstr(&result.out), name, package, err);
    shell_result_release(&result);
    return done;
}
