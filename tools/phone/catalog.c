#include "tools/phone/catalog.h"

const struct catalog_app catalog[] = {
    {"com.android.settings", {"Settings", "设置"}, "14", &icon_settings, false},
    {"com.android.deskclock", {"Clock", "时钟"}, "7.8", &icon_clock, false},
    {"com.android.calculator2",
     {"Calculator", "计算器"},
     "8.6",
     &icon_calculator,
     false},
    {"org.proctor.shop", {"Shop", "商城"}, "3.2.1", &icon_shop, false},
    {"org.proctor.eats", {"Eats", "美食"}, "5.0.4", &icon_eats, false},
    {"com.android.documentsui", {"Files", "文件"}, "14", &icon_files, false},
    {"com.android.gallery3d", {"Photos", "相册"}, "1.1.4", &icon_photos, false},
    {"org.proctor.notes", {"Notes", "便签"}, "2.4", &icon_notes, false},
    {"com.android.dialer", {"Phone", "电话"}, "23.0", &icon_phone, true},
    {"com.android.messaging",
     {"Messages", "信息"},
     "1.0.1",
     &icon_messages,
     true},
    {"org.proctor.browser", {"Browser", "浏览器"}, "11.7", &icon_browser, true},
    {"com.android.camera2", {"Camera", "相机"}, "2.0.2", &icon_camera, true},
};

const size_t catalog_count = ARRAY_LEN(catalog);
