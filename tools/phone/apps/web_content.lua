-- The web of the browser: an encyclopedia and a site that copies old figures
-- from it, a newspaper, a shop, a city's site and an agency that charges for
-- the same services. Things are known by their place in their list.

local content_of = {}

-- ---- names and numbers ----

local cores = {}

local function is_new(name)
    for _, core in ipairs(cores) do
        if core.en:find(name.en) or name.en:find(core.en) or
           core.zh:find(name.zh) or name.zh:find(core.zh) then
            return false
        end
    end
    return true
end

-- An invented name that is part of no other.
local function new_core(r)
    local name
    repeat
        name = content.brand(r)
        name.en = name.en:lower()
    until is_new(name)
    cores[#cores + 1] = name
    return { en = name.en:sub(1, 1):upper() .. name.en:sub(2), zh = name.zh }
end

local function named(core, en, zh)
    return { en = string.format(en, core.en), zh = string.format(zh, core.zh) }
end

-- A text with others, or numbers, filled in.
local function fill(text, ...)
    local filled = {}
    for _, language in ipairs{ "en", "zh" } do
        filled[language] = string.format(text[language],
            table.unpack(table.map({ ... }, function(part)
                return type(part) == "table" and part[language] or part
            end)))
    end
    return filled
end

-- 1234567 as 1,234,567.
local function grouped(number)
    local whole, done = tostring(number), ""
    while #whole > 3 do
        done = "," .. whole:sub(-3) .. done
        whole = whole:sub(1, -4)
    end
    return whole .. done
end

local function numbers(r)
    local taken = {}
    return function(low, high)
        local number
        repeat
            number = r.int(low, high)
        until not taken[number]
        taken[number] = true
        return number
    end
end

-- ---- sites ----

local function site(r, id, en, zh)
    local core = new_core(r)
    return { id = id, core = core, name = named(core, en, zh),
             domain = core.en:lower() .. ".example" }
end

local function make_sites()
    local r = random("sites")
    local sites = {
        engine1 = site(r, "engine1", "%s", "%s搜索"),
        engine2 = site(r, "engine2", "%s Search", "%s一下"),
        engine3 = site(r, "engine3", "%sGo", "%s速搜"),
        wiki = site(r, "wiki", "%spedia", "%s百科"),
        news = site(r, "news", "The %s Post", "%s日报"),
        shop = site(r, "shop", "%s Store", "%s商城"),
        city = site(r, "city", "City of %s", "%s市政府"),
        ad = site(r, "ad", "%s Deals", "%s特卖"),
    }
    local wiki, city = sites.wiki, sites.city
    sites.copy = { id = "copy", core = wiki.core,
        name = named(wiki.core, "%s Facts", "%s知识库"),
        domain = wiki.core.en:lower() .. "-facts.example" }
    sites.agency = { id = "agency", core = city.core,
        name = named(city.core, "%s Documents Direct", "%s证件快办"),
        domain = city.core.en:lower() .. "-documents.example" }
    return sites
end

local sites = make_sites()
content_of.sites = sites

-- ---- the encyclopedia ----

local fields = {
    { en = "painter", zh = "画家" }, { en = "chemist", zh = "化学家" },
    { en = "composer", zh = "作曲家" }, { en = "botanist", zh = "植物学家" },
    { en = "novelist", zh = "小说家" }, { en = "architect", zh = "建筑师" },
}
local works = {
    { en = "The Winter Ferry", zh = "《冬日渡船》" },
    { en = "Salts of the Sea", zh = "《海盐研究》" },
    { en = "Songs for Two Cities", zh = "《双城之歌》" },
    { en = "Ferns of the North", zh = "《北方蕨类》" },
    { en = "The Glass Orchard", zh = "《玻璃果园》" },
    { en = "Houses on Water", zh = "《水上之屋》" },
    { en = "A Red Umbrella", zh = "《红伞》" },
    { en = "On Slow Fire", zh = "《文火》" },
    { en = "Night Bells", zh = "《夜钟》" },
    { en = "The Moss Book", zh = "《苔藓志》" },
    { en = "Eleven Letters", zh = "《十一封信》" },
    { en = "Open Stairs", zh = "《开放的阶梯》" },
}
local ranges = {
    { en = "the Grey Hills", zh = "灰丘" }, { en = "the Tooth Range", zh = "齿岭" },
    { en = "Mount Sable", zh = "黑貂山" }, { en = "the High Moors", zh = "高沼原" },
}

local function make_rivers(r)
    local length, rivers = numbers(r), {}
    for id = 1, 6 do
        rivers[id] = { id = id, kind = "river",
            name = named(new_core(r), "River %s", "%s河"),
            length = length(84, 690), source = r.pick(ranges),
            height = r.int(410, 1900) }
        rivers[id].old = rivers[id].length - r.int(7, 30)
    end
    return rivers
end

local function make_people(r)
    local year, people = numbers(r), {}
    local names = {}
    for id = 1, 12 do
        local name
        repeat
            name = content.person(r)
        until not names[name.en] and not names[name.zh]
        names[name.en], names[name.zh] = true, true
        local born = year(1810, 1935)
        people[id] = { id = id, kind = "person", name = name, born = born,
            old = born + r.int(2, 6), died = born + r.int(48, 83),
            field = fields[(id - 1) % #fields + 1], work = works[id],
            work_year = born + r.int(24, 45) }
    end
    return people
end

local function make_towns(r, rivers, people)
    local count, year, towns = numbers(r), numbers(r), {}
    for id = 1, 12 do
        local population = count(6100, 98000)
        towns[id] = { id = id, kind = "town",
            name = named(new_core(r), "%sford", "%s镇"),
            population = population, old = population - r.int(300, 1900),
            founded = year(960, 1790), river = (id - 1) % #rivers + 1,
            height = r.int(12, 640), person = id }
    end
    -- Twin towns come in pairs.
    local order = r.shuffle(table.map(towns, function(town)
        return town.id
    end))
    for i = 1, #order, 2 do
        towns[order[i]].twin, towns[order[i + 1]].twin = order[i + 1], order[i]
    end
    for id, birthplace in ipairs(r.shuffle(order)) do
        people[id].birthplace = birthplace
        towns[birthplace].person = id
    end
    return towns
end

local function make_bridges(r, rivers)
    local length, year, bridges = numbers(r), numbers(r), {}
    for id = 1, 6 do
        bridges[id] = { id = id, kind = "bridge",
            name = named(new_core(r), "%s Bridge", "%s大桥"),
            length = length(130, 1480), opened = year(1871, 2011),
            river = rivers[id].id,
            architect = id * 2 }
        bridges[id].old = bridges[id].length - r.int(9, 60)
    end
    return bridges
end

local function make_encyclopedia()
    local r = random("encyclopedia")
    local rivers, people = make_rivers(r), make_people(r)
    local towns = make_towns(r, rivers, people)
    local bridges = make_bridges(r, rivers)
    local articles = table.join(towns, people, rivers, bridges)
    for number, article in ipairs(articles) do
        article.article = number
        article.edited = r.int(1, 200)
    end
    return { towns = towns, people = people, rivers = rivers,
             bridges = bridges, articles = articles }
end

local wiki = make_encyclopedia()
content_of.wiki = wiki

-- ---- the newspaper ----

local closings = {
    { en = "Our reporters will follow the matter.",
      zh = "本报将持续关注此事。" },
    { en = "The council meets again next month.",
      zh = "市议会下个月将再次开会。" },
    { en = "Readers have sent us more than a hundred letters about it.",
      zh = "已有一百多位读者就此来信。" },
    { en = "No one we asked wanted to say more.",
      zh = "受访者均不愿透露更多。" },
}

local function repairs(r, bridge, list, days)
    local cost = r.int(21, 60)
    local titles = {
        { en = "%s needs new cables", zh = "%s需要更换缆索" },
        { en = "Repair of %s takes longer", zh = "%s维修工期延长" },
        { en = "%s: the bill keeps growing", zh = "%s维修费用持续攀升" },
    }
    for i, title in ipairs(titles) do
        cost = cost + r.int(4, 19)
        list[#list + 1] = { section = "local", days = days[i], kind = "repair",
            bridge = bridge.id, cost = cost, title = fill(title, bridge.name),
            lead = fill({ en = "The repair of %s will cost $%s million, the " ..
                               "builders now say.",
                          zh = "施工方表示，%s的维修费用将达到%s万元。" },
                        bridge.name, { en = string.format("%.1f", cost / 10),
                                       zh = tostring(cost * 10) }) }
    end
end

local function new_code(r)
    local letters, code = { "A", "C", "E", "F", "H", "K", "L", "M", "N", "P",
                            "R", "T", "W", "X", "Y" }, ""
    for _ = 1, 5 do
        code = code .. r.pick(letters)
    end
    return code .. r.int(2, 9)
end

local function coupons(r, list)
    local percents = r.shuffle{ 10, 15, 20, 25 }
    for i, days in ipairs{ 61, 3 } do
        list[#list + 1] = { section = "money", days = days, kind = "coupon",
            code = new_code(r), percent = percents[i], valid = i == 2,
            title = fill(i == 2 and
                { en = "%s gives our readers a discount",
                  zh = "%s为本报读者提供优惠" } or
                { en = "Anniversary: %s lowers its prices",
                  zh = "周年庆：%s降价促销" }, sites.shop.name) }
        local one = list[#list]
        one.lead = fill({ en = "With the code %s readers pay %d percent less " ..
                               "at %s%s.",
                          zh = "读者凭优惠码%s可享%d%%的折扣，适用于%s%s。" },
            one.code, one.percent, sites.shop.name,
            i == 2 and { en = " until the end of next month",
                         zh = "，有效期至下月底" } or
                { en = " for two weeks", zh = "，为期两周" })
    end
end

local function others(r, list)
    local fee = numbers(r)
    for i = 1, 3 do
        local town = wiki.towns[i * 3]
        list[#list + 1] = { section = "culture", days = 4 + i * 5,
            kind = "festival", town = town.id, fee = fee(6, 29),
            title = fill({ en = "%s gets ready for its summer festival",
                           zh = "%s筹备夏日节" }, town.name) }
        local one = list[#list]
        one.lead = fill({ en = "A ticket costs $%d for each evening; children " ..
                               "get in free.",
                          zh = "每晚门票%d元，儿童免费入场。" }, one.fee)
    end
    for i = 1, 3 do
        local person = wiki.people[i * 4]
        list[#list + 1] = { section = "culture", days = 2 + i * 6,
            kind = "exhibition", person = person.id, visitors = r.int(310, 4900),
            title = fill({ en = "Exhibition on %s draws crowds",
                           zh = "%s展览人气爆棚" }, person.name) }
        local one = list[#list]
        one.lead = fill({ en = "%s people came on the first weekend alone.",
                          zh = "仅首个周末就有%s人前来参观。" },
                        grouped(one.visitors))
    end
end

local function make_news()
    local r, list = random("newspaper"), {}
    repairs(r, wiki.bridges[1], list, { 33, 17, 6 })
    repairs(r, wiki.bridges[2], list, { 40, 12, 2 })
    coupons(r, list)
    others(r, list)
    for id, one in ipairs(list) do
        one.id, one.author = id, content.person(r)
        one.minute = r.int(300, 1300)
        one.more = r.pick(closings)
        one.seed = r.int(1, 9999)
    end
    return list
end

content_of.news = make_news()
content_of.sections = { "all", "local", "culture", "money" }

-- ---- the shop ----

content_of.kinds = {
    { id = "lamp", en = "Desk lamp", zh = "台灯" },
    { id = "backpack", en = "Backpack", zh = "双肩包" },
    { id = "bottle", en = "Water bottle", zh = "保温杯" },
    { id = "umbrella", en = "Umbrella", zh = "雨伞" },
}
content_of.colours = {
    { id = "black", en = "Black", zh = "黑色" },
    { id = "green", en = "Green", zh = "绿色" },
    { id = "red", en = "Red", zh = "红色" },
}
content_of.shipping = { standard = 499, express = 1190 }

local OF_ONE_KIND = 9

local function make_products()
    local r, price = random("products"), content.prices("web shop")
    local list = {}
    for _, kind in ipairs(content_of.kinds) do
        local makers = { new_core(r), new_core(r), new_core(r) }
        local of_kind = {}
        for i = 1, OF_ONE_KIND do
            local maker = makers[(i - 1) % #makers + 1]
            local model = 100 + (i - 1) // #makers * 10
            of_kind[i] = { kind = kind.id, seed = r.int(1, 9999),
                name = { en = maker.en .. " " .. kind.en:lower() .. " " ..
                              model,
                         zh = maker.zh .. kind.zh .. " " .. model },
                price = price(1500, 9000), rating = content.rating(r),
                reviews = r.int(4, 900), days = r.int(1, 9), stock = true }
        end
        -- The cheapest of all cannot be had.
        table.sort(of_kind, function(a, b) return a.price < b.price end)
        of_kind[1].stock = false
        list = table.join(list, r.shuffle(of_kind))
    end
    for id, product in ipairs(list) do
        product.id = id
    end
    return list
end

content_of.products = make_products()

-- ---- the city ----

content_of.services = {
    { id = "passport", en = "Passport", zh = "护照" },
    { id = "identity", en = "Identity card", zh = "身份证" },
    { id = "parking", en = "Residents' parking permit", zh = "居民停车证" },
    { id = "fishing", en = "Fishing licence", zh = "钓鱼许可证" },
    { id = "dog", en = "Dog licence", zh = "养犬登记证" },
}
content_of.offices = {
    { id = 1, en = "Old Town Hall", zh = "老城办事处" },
    { id = 2, en = "Harbour Office", zh = "港口办事处" },
    { id = 3, en = "North Office", zh = "城北办事处" },
}
content_of.topics = {
    { id = "light", en = "Street lights", zh = "路灯" },
    { id = "waste", en = "Waste and recycling", zh = "垃圾与回收" },
    { id = "noise", en = "Noise", zh = "噪音" },
    { id = "parks", en = "Parks and playgrounds", zh = "公园与游乐场" },
}
content_of.replies = {
    { id = "mail", en = "By e-mail", zh = "电子邮件" },
    { id = "phone", en = "By phone", zh = "电话" },
    { id = "none", en = "No reply needed", zh = "无需回复" },
}

-- Questions of the survey, each with its page.
content_of.questions = {
    { id = "often", page = 1, en = "How often do you use the library?",
      zh = "您多久去一次图书馆？", choices = {
        { id = "weekly", en = "Every week", zh = "每周" },
        { id = "monthly", en = "Every month", zh = "每月" },
        { id = "rarely", en = "Less often", zh = "更少" },
        { id = "never", en = "Never", zh = "从不" } } },
    { id = "branch", page = 1, en = "Which branch do you use?",
      zh = "您去哪个分馆？", choices = {
        { id = "central", en = "Central library", zh = "总馆" },
        { id = "harbour", en = "Harbour branch", zh = "港口分馆" },
        { id = "bus", en = "Library bus", zh = "流动图书车" } } },
    { id = "hours", page = 2, en = "When should it be open longer?",
      zh = "您希望延长什么时候的开放时间？", choices = {
        { id = "morning", en = "In the morning", zh = "早上" },
        { id = "evening", en = "In the evening", zh = "晚上" },
        { id = "sunday", en = "On Sundays", zh = "星期日" } } },
    { id = "age", page = 2, en = "How old are you?", zh = "您的年龄？",
      choices = {
        { id = "young", en = "Under 25", zh = "25岁以下" },
        { id = "middle", en = "25 to 59", zh = "25至59岁" },
        { id = "old", en = "60 or older", zh = "60岁及以上" } } },
}
content_of.wishes = {
    { id = "games", en = "More games", zh = "更多游戏" },
    { id = "films", en = "More films", zh = "更多影片" },
    { id = "quiet", en = "Quiet rooms", zh = "安静的阅览室" },
    { id = "courses", en = "Courses", zh = "培训课程" },
}
content_of.survey_pages = 3

local function make_fees()
    local r = random("fees")
    local fee = numbers(r)
    for _, service in ipairs(content_of.services) do
        service.child = fee(9, 38)
        service.adult = service.child + fee(12, 47)
        service.charged = service.child + r.int(19, 60)
        service.days = fee(4, 30)
    end
end

make_fees()

-- Free appointments: by office, a list of days (from today on), each with its
-- minutes. The first free day of each office is another one.
local function make_slots()
    local r, slots = random("slots"), {}
    local firsts = r.shuffle{ 2, 3, 5 }
    for office = 1, #content_of.offices do
        local days = {}
        for i = 0, 3 do
            local minutes, time = {}, r.int(24, 27) * 20
            for _ = 1, 3 do
                minutes[#minutes + 1] = time
                time = time + r.int(2, 7) * 20
            end
            days[#days + 1] = { day = firsts[office] + i * 2,
                                minutes = minutes }
        end
        slots[office] = days
    end
    return slots
end

content_of.slots = make_slots()

-- ---- what is there at first ----

local function first_history()
    local r = random("visited")
    local list = {}
    local urls = r.shuffle{
        "wiki/article/" .. wiki.towns[2].article,
        "wiki/article/" .. wiki.people[3].article,
        "copy/article/" .. wiki.rivers[2].article,
        "wiki/article/" .. wiki.rivers[3].article,
        "news/article/7", "news/article/10", "news/article/12",
        "news/section/culture", "shop/home", "shop/kind/umbrella",
        "city/home", "shop/product/30", "wiki/home",
        "wiki/article/" .. wiki.bridges[5].article,
    }
    local ago = 1500
    for id, url in ipairs(urls) do
        list[id] = { id = id, url = url, ago = ago }
        ago = ago + r.int(20, 190) * 60
        if id % 3 == 1 then
            ago = ago + r.int(2, 3) * 86400
        end
    end
    return list
end

-- The newest first; `ago` is in seconds.
content_of.visited = first_history()
content_of.bookmarked = { "news/home", "shop/kind/bottle",
                          "wiki/article/" .. wiki.towns[7].article }
content_of.open = { "wiki/article/" .. wiki.towns[4].article, "shop/home",
                    "news/article/9",
                    "wiki/article/" .. wiki.rivers[4].article }

content_of.fill, content_of.grouped = fill, grouped

return content_of
