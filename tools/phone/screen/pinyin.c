#include "tools/phone/screen/pinyin.h"

#include <stdio.h>
#include <string.h>

#include "base/macros.h"

/*
 * A syllable and its characters, the most frequent first, separated by blanks.
 */
static const struct sound {
    const char *letters;
    const char *words;
} sounds[] = {
    {"a", "啊 阿 吖"},
    {"ai", "爱 哎 唉 矮 艾"},
    {"an", "安 按 案 暗 岸"},
    {"ba", "吧 把 八 爸 罢"},
    {"bai", "白 百 摆 败 拜"},
    {"ban", "办 半 班 版 搬"},
    {"bang", "帮 棒 绑 榜"},
    {"bao", "包 报 保 宝 抱"},
    {"baozi", "包子"},
    {"bei", "被 北 杯 背 倍"},
    {"beijing", "北京 背景"},
    {"ben", "本 笨 奔"},
    {"bi", "比 必 笔 币 避"},
    {"bian", "边 变 便 遍"},
    {"biao", "表 标 彪"},
    {"bing", "冰 病 饼 并 兵"},
    {"bu", "不 步 部 布 补"},
    {"cai", "菜 才 财 采 猜"},
    {"can", "餐 参 残 惨"},
    {"canting", "餐厅"},
    {"cha", "茶 查 差 插"},
    {"chang", "长 常 场 厂 唱"},
    {"che", "车 彻 扯"},
    {"chi", "吃 持 迟 尺 齿"},
    {"chongdianbao", "充电宝"},
    {"chu", "出 处 初 除 厨"},
    {"ci", "次 词 此 刺"},
    {"cong", "从 聪 匆"},
    {"da", "大 打 达 答"},
    {"dan", "但 单 蛋 淡 担"},
    {"dangao", "蛋糕"},
    {"dao", "到 道 倒 刀 岛"},
    {"de", "的 得 地 德"},
    {"deng", "等 灯 登 邓"},
    {"di", "地 第 低 底 弟"},
    {"dian", "点 电 店 典"},
    {"diannao", "电脑"},
    {"ding", "定 订 顶 丁"},
    {"dong", "东 动 冬 懂"},
    {"dou", "都 豆 斗"},
    {"duo", "多 朵 夺"},
    {"er", "二 儿 耳 而"},
    {"erji", "耳机"},
    {"fa", "发 法 罚"},
    {"fan", "饭 反 返 番"},
    {"fang", "方 放 房 防"},
    {"fei", "非 飞 费 肥"},
    {"fen", "分 份 粉 纷"},
    {"gao", "高 告 搞 糕"},
    {"ge", "个 歌 哥 各"},
    {"gei", "给"},
    {"gong", "公 工 共 功"},
    {"gou", "购 够 狗 沟"},
    {"gouwu", "购物"},
    {"guang", "光 广 逛"},
    {"guo", "国 过 果 锅"},
    {"hai", "还 海 害 孩"},
    {"hao", "好 号 毫 豪"},
    {"haochi", "好吃"},
    {"he", "和 喝 合 河 盒"},
    {"hei", "黑 嘿"},
    {"hen", "很 恨 狠"},
    {"hong", "红 洪 虹"},
    {"huo", "火 或 活 货"},
    {"huoguo", "火锅"},
    {"ji", "机 几 鸡 记 极"},
    {"jia", "家 加 价 假"},
    {"jian", "见 件 间 减 简"},
    {"jiao", "叫 交 饺 脚"},
    {"jiaozi", "饺子"},
    {"jie", "接 节 街 姐"},
    {"jin", "今 进 近 金"},
    {"jintian", "今天"},
    {"jiu", "就 九 酒 久"},
    {"ka", "卡 咖"},
    {"kafei", "咖啡"},
    {"kai", "开 凯"},
    {"kan", "看 砍 刊"},
    {"ke", "可 课 客 刻"},
    {"keyi", "可以"},
    {"kou", "口 扣"},
    {"kuai", "快 块 筷"},
    {"la", "辣 拉 啦 蜡"},
    {"lai", "来 赖"},
    {"lan", "蓝 兰 篮 烂"},
    {"lao", "老 劳 捞"},
    {"le", "了 乐"},
    {"li", "里 理 力 利"},
    {"liang", "两 量 凉 亮"},
    {"ling", "零 领 另 铃"},
    {"lu", "路 绿 录 露"},
    {"ma", "吗 妈 马 麻"},
    {"mai", "买 卖 麦 迈"},
    {"mala", "麻辣"},
    {"mian", "面 免 棉"},
    {"mianbao", "面包"},
    {"miantiao", "面条"},
    {"mifan", "米饭"},
    {"ming", "明 名 命"},
    {"mingtian", "明天"},
    {"na", "那 拿 哪"},
    {"nai", "奶 耐"},
    {"naicha", "奶茶"},
    {"ni", "你 呢 泥"},
    {"nihao", "你好"},
    {"nin", "您"},
    {"niu", "牛 扭"},
    {"niurou", "牛肉"},
    {"pi", "皮 批 啤"},
    {"pijiu", "啤酒"},
    {"pingguo", "苹果"},
    {"pisa", "披萨"},
    {"qi", "七 起 气 期"},
    {"qian", "钱 前 千 签"},
    {"qing", "请 轻 清 情"},
    {"qu", "去 取 区 趣"},
    {"ren", "人 认 任"},
    {"rou", "肉 柔"},
    {"san", "三 散 伞"},
    {"shang", "上 商 伤"},
    {"shanghai", "上海 伤害"},
    {"shao", "少 烧 稍"},
    {"shaokao", "烧烤"},
    {"she", "设 社 射"},
    {"shezhi", "设置"},
    {"shi", "是 时 十 事 市"},
    {"shijie", "世界"},
    {"shou", "手 收 受 首"},
    {"shouji", "手机"},
    {"shu", "书 数 树 输"},
    {"shubiao", "鼠标"},
    {"shui", "水 谁 睡"},
    {"shuiguo", "水果"},
    {"si", "四 死 思 丝"},
    {"song", "送 松 宋"},
    {"su", "素 速 苏"},
    {"suan", "酸 算 蒜"},
    {"ta", "他 她 它"},
    {"tai", "太 台 抬"},
    {"tang", "汤 糖 堂"},
    {"tian", "天 甜 填"},
    {"tiao", "条 跳 挑"},
    {"ting", "听 停 厅"},
    {"tu", "图 土 兔"},
    {"wai", "外 歪"},
    {"waimai", "外卖"},
    {"wan", "完 晚 万 玩"},
    {"wang", "网 忘 王 望"},
    {"wei", "为 位 味 喂"},
    {"wo", "我 握 卧"},
    {"women", "我们"},
    {"wu", "五 无 物 午"},
    {"xi", "西 喜 洗 系"},
    {"xia", "下 夏 虾"},
    {"xian", "先 线 现 鲜"},
    {"xiang", "想 向 香 像"},
    {"xiao", "小 笑 校"},
    {"xie", "谢 写 鞋 些"},
    {"xiexie", "谢谢"},
    {"xin", "新 心 信"},
    {"xing", "行 星 型 性"},
    {"yan", "盐 眼 言 烟"},
    {"yao", "要 药 摇"},
    {"ye", "也 夜 叶 业"},
    {"yi", "一 以 已 意"},
    {"yifu", "衣服"},
    {"yin", "音 银 因"},
    {"yinyue", "音乐"},
    {"yong", "用 永 勇"},
    {"you", "有 又 右 油"},
    {"yu", "鱼 与 雨 语"},
    {"yundong", "运动"},
    {"zai", "在 再 载"},
    {"zao", "早 造 枣"},
    {"zaoshang", "早上"},
    {"zen", "怎"},
    {"zenme", "怎么"},
    {"zhe", "这 着 者"},
    {"zhi", "只 之 直 知"},
    {"zhong", "中 种 重 钟"},
    {"zhongguo", "中国"},
    {"zhu", "主 住 猪 祝"},
    {"zi", "字 子 自"},
    {"zou", "走 奏"},
    {"zui", "最 嘴 醉"},
    {"zuo", "做 坐 作 左"},
};

struct pinyin_search {
    struct pinyin_word *words;
    size_t count;
    size_t most;
};

static void add_words(struct pinyin_search *search, const struct sound *sound,
                      size_t letters)
{
    const char *at = sound->words;

    while (*at && search->count < search->most) {
        struct pinyin_word *word = &search->words[search->count++];
        size_t length = strcspn(at, " ");

        snprintf(word->text, sizeof(word->text), "%.*s", (int)length, at);
        word->letters = letters;
        at += length + strspn(at + length, " ");
    }
}

size_t pinyin_find(const char *letters, struct pinyin_word *words, size_t most)
{
    struct pinyin_search search = {words, 0, most};
    size_t length = strlen(letters);

    for (size_t i = 0; length && i < ARRAY_LEN(sounds); i++) {
        if (!strcmp(sounds[i].letters, letters))
            add_words(&search, &sounds[i], length);
    }
    for (size_t i = 0; length && i < ARRAY_LEN(sounds); i++) {
        if (strlen(sounds[i].letters) > length &&
            !strncmp(sounds[i].letters, letters, length))
            add_words(&search, &sounds[i], length);
    }
    for (size_t part = length; part-- > 1;) {
        for (size_t i = 0; i < ARRAY_LEN(sounds); i++) {
            if (strlen(sounds[i].letters) == part &&
                !strncmp(sounds[i].letters, letters, part))
                add_words(&search, &sounds[i], part);
        }
    }
    return search.count;
}
