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
    {"alipay", "com.eg.android.AlipayGphone"},
    {"支付宝", "com.eg.android.AlipayGphone"},
    {"amazon", "com.amazon.mShop.android.shopping"},
    {"amap", "com.autonavi.minimap"},
    {"高德地图", "com.autonavi.minimap"},
    {"baidu maps", "com.baidu.BaiduMap"},
    {"百度地图", "com.baidu.BaiduMap"},
    {"bilibili", "tv.danmaku.bili"},
    {"哔哩哔哩", "tv.danmaku.bili"},
    {"booking.com", "com.booking"},
    {"browser", "org.proctor.browser"},
    {"浏览器", "org.proctor.browser"},
    {"calculator", "com.android.calculator2"},
    {"calculator", "com.google.android.calculator"},
    {"计算器", "com.android.calculator2"},
    {"calendar", "com.google.android.calendar"},
    {"camera", "com.android.camera2"},
    {"相机", "com.android.camera2"},
    {"chrome", "com.android.chrome"},
    {"clock", "com.android.deskclock"},
    {"clock", "com.google.android.deskclock"},
    {"时钟", "com.android.deskclock"},
    {"contacts", "com.google.android.contacts"},
    {"ctrip", "ctrip.android.view"},
    {"携程", "ctrip.android.view"},
    {"douyin", "com.ss.android.ugc.aweme"},
    {"抖音", "com.ss.android.ugc.aweme"},
    {"eats", "org.proctor.eats"},
    {"美食", "org.proctor.eats"},
    {"ele.me", "me.ele"},
    {"饿了么", "me.ele"},
    {"facebook", "com.facebook.katana"},
    {"files", "com.android.documentsui"},
    {"files", "com.google.android.documentsui"},
    {"文件", "com.android.documentsui"},
    {"gmail", "com.google.android.gm"},
    {"google", "com.google.android.googlequicksearchbox"},
    {"google maps", "com.google.android.apps.maps"},
    {"instagram", "com.instagram.android"},
    {"jd", "com.jingdong.app.mall"},
    {"京东", "com.jingdong.app.mall"},
    {"maps", "com.google.android.apps.maps"},
    {"meituan", "com.sankuai.meituan"},
    {"美团", "com.sankuai.meituan"},
    {"messages", "com.android.messaging"},
    {"messages", "com.google.android.apps.messaging"},
    {"信息", "com.android.messaging"},
    {"phone", "com.android.dialer"},
    {"phone", "com.google.android.dialer"},
    {"电话", "com.android.dialer"},
    {"photos", "com.android.gallery3d"},
    {"photos", "com.google.android.apps.photos"},
    {"相册", "com.android.gallery3d"},
    {"pinduoduo", "com.xunmeng.pinduoduo"},
    {"拼多多", "com.xunmeng.pinduoduo"},
    {"play store", "com.android.vending"},
    {"qq音乐", "com.tencent.qqmusic"},
    {"reddit", "com.reddit.frontpage"},
    {"settings", "com.android.settings"},
    {"设置", "com.android.settings"},
    {"shop", "org.proctor.shop"},
    {"商城", "org.proctor.shop"},
    {"spotify", "com.spotify.music"},
    {"taobao", "com.taobao.taobao"},
    {"淘宝", "com.taobao.taobao"},
    {"telegram", "org.telegram.messenger"},
    {"tiktok", "com.zhiliaoapp.musically"},
    {"twitter", "com.twitter.android"},
    {"wechat", "com.tencent.mm"},
    {"微信", "com.tencent.mm"},
    {"weibo", "com.sina.weibo"},
    {"微博", "com.sina.weibo"},
    {"x", "com.twitter.android"},
    {"xiaohongshu", "com.xingin.xhs"},
    {"小红书", "com.xingin.xhs"},
    {"youtube", "com.google.android.youtube"},
    {"zhihu", "com.zhihu.android"},
    {"知乎", "com.zhihu.android"},
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
                       "no app on the phone is called '%.100s'", name);
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
