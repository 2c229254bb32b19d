-- What Video shows: channels, their videos, and the comments below them.
-- Channels and videos are known by their place in their list.

local new_number = content.new_number
local new_person = content.another_person

-- What videos are about, and the motif of their pictures.
local all_subjects = {
    { en = "homemade pizza", zh = "自制披萨", art = "pizza" },
    { en = "hand-made dumplings", zh = "手工饺子", art = "dumplings" },
    { en = "filter coffee", zh = "手冲咖啡", art = "coffee" },
    { en = "beef noodles", zh = "牛肉面", art = "noodles" },
    { en = "birthday cakes", zh = "生日蛋糕", art = "cake" },
    { en = "sushi rolls", zh = "寿司卷", art = "sushi" },
    { en = "balcony plants", zh = "阳台绿植", art = "plant" },
    { en = "mechanical keyboards", zh = "机械键盘", art = "keyboard" },
    { en = "street photography", zh = "街头摄影", art = "camera" },
    { en = "wooden chairs", zh = "实木椅子", art = "chair" },
    { en = "log cabins", zh = "林间木屋", art = "cabin" },
    { en = "hiking backpacks", zh = "徒步背包", art = "backpack" },
    { en = "green tea", zh = "绿茶", art = "tea" },
    { en = "running shoes", zh = "跑鞋", art = "shoe" },
    { en = "watch repair", zh = "手表维修", art = "watch" },
    { en = "mountain hikes", zh = "高山徒步", art = "landscape" },
    { en = "cities at night", zh = "城市夜景", art = "skyline" },
    { en = "old laptops", zh = "旧笔记本电脑", art = "laptop" },
}
local patterns = {
    { en = "%s for beginners", zh = "零基础入门%s" },
    { en = "%s: ten mistakes to avoid", zh = "%s的十个常见错误" },
    { en = "Thirty days of %s", zh = "和%s共度的三十天" },
    { en = "The truth about %s", zh = "%s的真相" },
    { en = "%s on a small budget", zh = "低预算玩转%s" },
    { en = "My favourite tricks for %s", zh = "关于%s的独家小窍门" },
    { en = "A complete guide to %s", zh = "%s完全指南" },
    { en = "%s, as the professionals see it", zh = "专业人士眼中的%s" },
    { en = "What they hide about %s", zh = "没人会说的%s内幕" },
    { en = "My grandmother on %s", zh = "奶奶聊%s" },
    { en = "%s: is it worth it?", zh = "%s到底值不值" },
    { en = "Everything I know about %s", zh = "我所知道的%s" },
}
local adjectives = {
    { en = "Curious", zh = "好奇的" }, { en = "Slow", zh = "慢悠悠的" },
    { en = "Brave", zh = "勇敢的" }, { en = "Quiet", zh = "安静的" },
    { en = "Sunny", zh = "晴天的" }, { en = "Little", zh = "小小的" },
    { en = "Clever", zh = "聪明的" }, { en = "Lazy", zh = "懒懒的" },
    { en = "Happy", zh = "快乐的" }, { en = "Wandering", zh = "流浪的" },
    { en = "Northern", zh = "北方的" }, { en = "Sleepy", zh = "困困的" },
    { en = "Honest", zh = "诚实的" }, { en = "Tiny", zh = "迷你的" },
    { en = "Purple", zh = "紫色的" }, { en = "Lucky", zh = "幸运的" },
}
local animals = {
    { en = "Otter", zh = "水獭" }, { en = "Badger", zh = "獾" },
    { en = "Heron", zh = "苍鹭" }, { en = "Fox", zh = "狐狸" },
    { en = "Panda", zh = "熊猫" }, { en = "Walrus", zh = "海象" },
    { en = "Sparrow", zh = "麻雀" }, { en = "Hedgehog", zh = "刺猬" },
    { en = "Lynx", zh = "猞猁" }, { en = "Beaver", zh = "河狸" },
    { en = "Penguin", zh = "企鹅" }, { en = "Camel", zh = "骆驼" },
    { en = "Owl", zh = "猫头鹰" }, { en = "Squirrel", zh = "松鼠" },
    { en = "Whale", zh = "鲸鱼" }, { en = "Rabbit", zh = "兔子" },
}
local countries = {
    { en = "Portugal", zh = "葡萄牙" }, { en = "Norway", zh = "挪威" },
    { en = "Canada", zh = "加拿大" }, { en = "Japan", zh = "日本" },
    { en = "Ireland", zh = "爱尔兰" }, { en = "China", zh = "中国" },
    { en = "Chile", zh = "智利" }, { en = "Kenya", zh = "肯尼亚" },
}

local CHANNELS = 10
local SUBJECTS = 10
local OF_SUBJECT = 8 -- videos

local channels, videos = {}, {}
local subjects = { table.unpack(random("subjects").shuffle(all_subjects), 1,
                                SUBJECTS) }

-- ---- channels ----

local function make_channels()
    local first = random("adjectives").shuffle(adjectives)
    local second = random("animals").shuffle(animals)
    local sizes, ages = {}, {}
    for id = 1, CHANNELS do
        local r = random("channel", id)
        local animal = second[id]
        channels[id] = { id = id, seed = r.int(1, 9999),
            name = { en = "The " .. first[id].en .. " " .. animal.en,
                     zh = first[id].zh .. animal.zh },
            handle = "@" .. (first[id].en .. animal.en):lower() ..
                     r.int(10, 99),
            subscribers = new_number(r, 4000, 3900000, sizes),
            joined = new_number(r, 900, 5200, ages), -- days ago
            country = r.pick(countries), videos = {} }
    end
end

make_channels()

-- ---- videos ----

-- Minutes of the eight videos on a subject, from the most viewed to the least.
local lengths = { { 5, 19 }, { 1, 3 }, { 21, 64 }, { 5, 19 }, { 1, 3 },
                  { 21, 64 }, { 5, 19 }, { 1, 3 } }

local function title_of(pattern, subject)
    local title = pattern.en:replace("%s", subject.en)
    return { en = title:sub(1, 1):upper() .. title:sub(2),
             zh = pattern.zh:replace("%s", subject.zh) }
end

-- Different numbers, the largest first.
local function numbers(r, count, low, high)
    local list = {}
    for _ = 1, count do
        new_number(r, low, high, list)
    end
    return table.sort(list, function(a, b) return a > b end)
end

-- Days since each was uploaded: the newest is not among the most viewed.
local function ages(r)
    local days = numbers(r, OF_SUBJECT, 8, 1400)
    days[OF_SUBJECT] = r.int(1, 5)
    local newest = r.int(4, OF_SUBJECT)
    local older = r.shuffle{ table.unpack(days, 1, OF_SUBJECT - 1) }
    table.insert(older, newest, days[OF_SUBJECT])
    return older
end

-- The seventh has the title of the second, and another channel.
local function add_videos(subject, number)
    local r = random("subject", number)
    local of = r.shuffle(channels)
    local chosen = r.shuffle(patterns)
    local views = numbers(r, OF_SUBJECT, 2100, 9400000)
    local days, liked = ages(r), {}
    chosen[7] = chosen[2]
    for place = 1, OF_SUBJECT do
        local minutes = r.int(table.unpack(lengths[place]))
        videos[#videos + 1] = { id = #videos + 1, subject = number,
            channel = of[place].id, title = title_of(chosen[place], subject),
            views = views[place], days = days[place],
            seconds = minutes * 60 + r.int(2, 58),
            liked = new_number(r, 610, 995, liked), -- in tenths of a percent
            captions = r.chance(0.6), score = r.int(1, 1000000),
            best = r.pick{ 720, 1080, 2160 }, seed = r.int(1, 9999) }
        table.insert(of[place].videos, #videos)
    end
end

for number, subject in ipairs(subjects) do
    add_videos(subject, number)
end

-- ---- comments ----

local remarks = {
    { en = "I come back to this every winter.", zh = "每年冬天都会回来重温。" },
    { en = "The part in the middle saved my weekend.", zh = "中间那段拯救了我的周末。" },
    { en = "Could you make a longer version?", zh = "能不能出个加长版？" },
    { en = "My father showed me this channel.", zh = "我爸爸推荐我看这个频道的。" },
    { en = "The sound is much better than last time.", zh = "这次收音比上次好多了。" },
    { en = "I tried it today and it worked at once.", zh = "今天试了，一次就成功。" },
    { en = "Can we talk about the ending?", zh = "怎么没人讨论结尾？" },
    { en = "Watched it three times already.", zh = "已经看了三遍了。" },
    { en = "What is the name of the music?", zh = "背景音乐叫什么名字？" },
    { en = "Please show the tools at the start.", zh = "请在开头介绍一下工具。" },
    { en = "You explain this better than my teacher.", zh = "讲得比我老师还清楚。" },
    { en = "Not convinced, but nicely filmed.", zh = "不太认同，但拍得很美。" },
    { en = "Greetings from a rainy island.", zh = "来自雨中小岛的问候。" },
    { en = "I needed exactly this today.", zh = "今天正好需要这个。" },
    { en = "The cat in the background is the star.", zh = "背景里的猫才是主角。" },
    { en = "Too fast for me, I had to slow it down.", zh = "语速太快了，我调慢了看。" },
    { en = "Subscribed after one minute.", zh = "看了一分钟就订阅了。" },
    { en = "Where did you buy the table?", zh = "这张桌子在哪里买的？" },
}
local answers = {
    { en = "Same here!", zh = "我也是！" },
    { en = "Thank you, that means a lot.", zh = "谢谢，很受鼓舞。" },
    { en = "I do not agree at all.", zh = "我完全不同意。" },
    { en = "Try it with less pressure.", zh = "轻一点试试。" },
    { en = "Second that.", zh = "附议。" },
}

local function replies_to(r, people)
    local list = {}
    for i = 1, math.max(0, r.int(-2, 4)) do
        people[#people + 1] = new_person(r, people)
        list[i] = { who = people[#people], text = r.pick(answers) }
    end
    return list
end

-- The comments on a video by other people, in no order; all of different
-- people. The newest has few likes.
local function comments_of(id)
    local r, people, list = random("comments", id), {}, {}
    local texts = r.shuffle(remarks)
    local hours, likes = {}, {}
    local most = math.min(24 * videos[id].days, 4000)
    for i = 1, r.int(9, 13) do
        people[#people + 1] = new_person(r, people)
        list[i] = { id = i, who = people[#people], text = texts[i],
                    hours = i == 1 and r.int(1, 5) or
                        new_number(r, 6, most, hours),
                    likes = i == 1 and r.int(0, 3) or
                        new_number(r, 12, 3800, likes) }
        list[i].replies = replies_to(r, people)
    end
    return r.shuffle(list)
end

-- ---- what is there already ----

local list_names = {
    { en = "Rainy Sundays", zh = "下雨的周日" },
    { en = "For the train", zh = "火车上看" },
    { en = "With the kids", zh = "和孩子一起看" },
    { en = "Weekend project", zh = "周末计划" },
    { en = "To try at home", zh = "回家试试" },
    { en = "While cooking", zh = "做饭时看" },
}

local function some_videos(r, count)
    local taken = {}
    for _ = 1, count do
        new_number(r, 1, #videos, taken)
    end
    return taken
end

local function make_playlists()
    local names, lists = random("lists").shuffle(list_names), {}
    for i = 1, 2 do
        local r = random("list", i)
        lists[i] = { id = i, name = names[i],
                     videos = some_videos(r, r.int(6, 8)) }
    end
    return lists
end

-- What was watched, the last first; four days of three videos.
local function make_history()
    local list = {}
    for place, id in ipairs(some_videos(random("history"), 12)) do
        list[place] = { id = id, days = (place - 1) // 3 }
    end
    return list
end

-- Four channels, of which few notifications come.
local function make_subscriptions()
    local list = random("subscriptions").shuffle(channels)
    return table.map({ table.unpack(list, 1, 4) }, function(channel)
        return { id = channel.id, bell = "some" }
    end)
end

return { channels = channels, videos = videos, subjects = subjects,
         comments_of = comments_of, playlists = make_playlists(),
         history = make_history(), subscriptions = make_subscriptions(),
         later = some_videos(random("later"), 3) }
