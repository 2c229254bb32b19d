-- What News shows: sources, events with several reports each, and the comments
-- below them. Sources, events and articles are known by their place in their
-- list, and columns by a name.

local new_number = content.new_number
local new_person = content.another_person

local columns = {
    { id = "local", en = "Local", zh = "本地" },
    { id = "world", en = "World", zh = "国际" },
    { id = "business", en = "Business", zh = "财经" },
    { id = "tech", en = "Tech", zh = "科技" },
    { id = "science", en = "Science", zh = "科学" },
    { id = "health", en = "Health", zh = "健康" },
    { id = "sports", en = "Sports", zh = "体育" },
    { id = "culture", en = "Culture", zh = "文化" },
    { id = "travel", en = "Travel", zh = "旅游" },
    { id = "food", en = "Food", zh = "美食" },
}

-- The three events of a column: their title, the question that their figure
-- answers, and the sentence that names it.
local plots = {
    ["local"] = { art = { "skyline", "house", "lamp", "umbrella" },
        { title = { en = "The tram line to %s opens", zh = "通往%s的电车线路开通" },
          ask = { en = "how many passengers were counted on the first day",
                  zh = "首日统计到多少名乘客" },
          figure = { en = "%s passengers were counted on the first day.",
                     zh = "首日共统计到%s名乘客。" } },
        { title = { en = "A burst pipe floods the old town of %s",
                    zh = "%s老城区水管爆裂" },
          ask = { en = "how many homes were without water",
                  zh = "有多少户停水" },
          figure = { en = "%s homes were without water.",
                     zh = "共有%s户居民停水。" } },
        { title = { en = "The night market in %s will stay", zh = "%s夜市将继续保留" },
          ask = { en = "how many people signed the petition",
                  zh = "有多少人参加了联名请愿" },
          figure = { en = "%s people signed the petition.",
                     zh = "共有%s人参加联名请愿。" } } },
    world = { art = { "landscape", "skyline", "flat", "cover_waves" },
        { title = { en = "A storm crosses the coast of %s", zh = "风暴席卷%s沿海" },
          ask = { en = "how many people had to leave their homes",
                  zh = "有多少人被迫撤离" },
          figure = { en = "%s people had to leave their homes.",
                     zh = "共有%s人被迫撤离。" } },
        { title = { en = "The ferry strike in %s is over", zh = "%s渡轮罢工结束" },
          ask = { en = "how many crossings were cancelled",
                  zh = "一共取消了多少班次" },
          figure = { en = "%s crossings were cancelled.",
                     zh = "一共取消了%s个班次。" } },
        { title = { en = "%s elects a new council", zh = "%s选出新一届议会" },
          ask = { en = "how many votes were counted", zh = "一共统计了多少张选票" },
          figure = { en = "%s votes were counted.", zh = "一共统计了%s张选票。" } } },
    business = { art = { "skyline", "laptop", "mug", "shirt" },
        { title = { en = "%s will build a second factory", zh = "%s将建第二座工厂" },
          ask = { en = "how many jobs are planned", zh = "计划提供多少个岗位" },
          figure = { en = "%s jobs are planned.", zh = "计划提供%s个岗位。" } },
        { title = { en = "%s recalls its kettles", zh = "%s召回电热水壶" },
          ask = { en = "how many kettles have to be returned",
                  zh = "需要召回多少台热水壶" },
          figure = { en = "%s kettles have to be returned.",
                     zh = "需要召回%s台热水壶。" } },
        { title = { en = "%s buys its largest rival", zh = "%s收购最大竞争对手" },
          ask = { en = "how many shops will get a new name",
                  zh = "有多少家门店将要更名" },
          figure = { en = "%s shops will get a new name.",
                     zh = "将有%s家门店更名。" } } },
    tech = { art = { "phone", "laptop", "watch", "speaker" },
        { title = { en = "%s shows a phone that folds twice", zh = "%s发布双折叠手机" },
          ask = { en = "how many phones were ordered in advance",
                  zh = "预订了多少台手机" },
          figure = { en = "%s phones were ordered in advance.",
                     zh = "已有%s台手机被预订。" } },
        { title = { en = "After the outage, %s is back online",
                    zh = "%s服务中断后恢复" },
          ask = { en = "how many people were cut off", zh = "有多少用户受到影响" },
          figure = { en = "%s people were cut off.", zh = "共有%s名用户受到影响。" } },
        { title = { en = "Delivery robots of %s take to the street",
                    zh = "%s送货机器人上路" },
          ask = { en = "how many parcels they delivered in the first week",
                  zh = "首周送出了多少个包裹" },
          figure = { en = "They delivered %s parcels in the first week.",
                     zh = "首周共送出%s个包裹。" } } },
    science = { art = { "landscape", "plant", "camera", "cover_dunes" },
        { title = { en = "Researchers find a lake below %s",
                    zh = "科学家在%s地下发现湖泊" },
          ask = { en = "how many samples were taken", zh = "采集了多少份样本" },
          figure = { en = "%s samples were taken.", zh = "共采集%s份样本。" } },
        { title = { en = "A rare frog is back in %s", zh = "珍稀蛙类重现%s" },
          ask = { en = "how many frogs were counted", zh = "统计到多少只蛙" },
          figure = { en = "%s frogs were counted.", zh = "共统计到%s只蛙。" } },
        { title = { en = "The telescope near %s sees its first stars",
                    zh = "%s附近的望远镜首次观测" },
          ask = { en = "how many stars are in the first picture",
                  zh = "首张照片里有多少颗恒星" },
          figure = { en = "%s stars are in the first picture.",
                     zh = "首张照片里共有%s颗恒星。" } } },
    health = { art = { "salad", "bottle", "shoe", "tea" },
        { title = { en = "Free eye tests in %s", zh = "%s提供免费视力检查" },
          ask = { en = "how many people were tested", zh = "有多少人接受了检查" },
          figure = { en = "%s people were tested.", zh = "共有%s人接受检查。" } },
        { title = { en = "The flu reaches %s", zh = "流感蔓延至%s" },
          ask = { en = "how many cases were reported", zh = "报告了多少例病例" },
          figure = { en = "%s cases were reported.", zh = "共报告%s例病例。" } },
        { title = { en = "The hospital of %s opens a new wing",
                    zh = "%s医院新楼启用" },
          ask = { en = "how many patients it will treat a year",
                  zh = "每年可以接诊多少名患者" },
          figure = { en = "It will treat %s patients a year.",
                     zh = "每年可接诊%s名患者。" } } },
    sports = { art = { "shoe", "shirt", "bottle", "backpack" },
        { title = { en = "A record in the rain at the %s marathon",
                    zh = "%s马拉松雨中破纪录" },
          ask = { en = "how many runners reached the finish",
                  zh = "有多少名选手完赛" },
          figure = { en = "%s runners reached the finish.",
                     zh = "共有%s名选手完赛。" } },
        { title = { en = "%s wins the cup with the last penalty",
                    zh = "%s凭点球夺冠" },
          ask = { en = "how many spectators saw the final",
                  zh = "有多少名观众观看了决赛" },
          figure = { en = "%s spectators saw the final.",
                     zh = "共有%s名观众观看决赛。" } },
        { title = { en = "The old stadium of %s is rebuilt", zh = "%s老体育场重建" },
          ask = { en = "how many seats it will have", zh = "将有多少个座位" },
          figure = { en = "It will have %s seats.", zh = "将设%s个座位。" } } },
    culture = { art = { "band", "book", "cover_blocks", "camera" },
        { title = { en = "The museum of %s opens its cellar",
                    zh = "%s博物馆开放地下库房" },
          ask = { en = "how many objects are on show", zh = "展出了多少件藏品" },
          figure = { en = "%s objects are on show.", zh = "共展出%s件藏品。" } },
        { title = { en = "Street music returns to %s", zh = "街头音乐重返%s" },
          ask = { en = "how many visitors came", zh = "来了多少名观众" },
          figure = { en = "%s visitors came.", zh = "共有%s名观众到场。" } },
        { title = { en = "The library of %s lends out paintings",
                    zh = "%s图书馆开始外借画作" },
          ask = { en = "how many paintings were lent", zh = "借出了多少幅画" },
          figure = { en = "%s paintings were lent.", zh = "已借出%s幅画。" } } },
    travel = { art = { "landscape", "cabin", "backpack", "cover_sun" },
        { title = { en = "The night train to %s runs again",
                    zh = "开往%s的夜车恢复运行" },
          ask = { en = "how many tickets were sold", zh = "售出了多少张车票" },
          figure = { en = "%s tickets were sold.", zh = "共售出%s张车票。" } },
        { title = { en = "%s limits its visitors", zh = "%s限制游客人数" },
          ask = { en = "how many visitors a day are allowed",
                  zh = "每天最多接待多少名游客" },
          figure = { en = "%s visitors a day are allowed.",
                     zh = "每天最多接待%s名游客。" } },
        { title = { en = "A new path along the cliffs of %s",
                    zh = "%s悬崖步道建成" },
          ask = { en = "how many steps it has", zh = "有多少级台阶" },
          figure = { en = "It has %s steps.", zh = "共有%s级台阶。" } } },
    food = { art = { "noodles", "pizza", "cake", "coffee" },
        { title = { en = "The noodle festival of %s breaks a record",
                    zh = "%s面食节刷新纪录" },
          ask = { en = "how many bowls were served", zh = "一共端出了多少碗面" },
          figure = { en = "%s bowls were served.", zh = "一共端出%s碗面。" } },
        { title = { en = "The longest cake of %s", zh = "%s做出最长蛋糕" },
          ask = { en = "how many people got a piece", zh = "有多少人分到了蛋糕" },
          figure = { en = "%s people got a piece.", zh = "共有%s人分到蛋糕。" } },
        { title = { en = "%s grows coffee now", zh = "%s种出了咖啡" },
          ask = { en = "how many bushes were planted", zh = "种了多少株咖啡树" },
          figure = { en = "%s bushes were planted.", zh = "共种下%s株咖啡树。" } } },
}

-- What a report makes of the title of its event.
local frames = {
    { en = "%s", zh = "%s" },
    { en = "%s: what is known", zh = "%s，目前已知这些" },
    { en = "%s – a closer look", zh = "深度｜%s" },
    { en = "%s: questions and answers", zh = "一文看懂：%s" },
    { en = "%s: voices from the place", zh = "%s，现场声音" },
}
local suffixes = {
    { en = "Times", zh = "时报" }, { en = "Herald", zh = "先驱报" },
    { en = "Evening News", zh = "晚报" }, { en = "Daily", zh = "日报" },
    { en = "Observer", zh = "观察" }, { en = "Courier", zh = "快报" },
    { en = "Live", zh = "在线" }, { en = "Review", zh = "评论" },
    { en = "Weekly", zh = "周刊" },
}
local motto = {
    { en = "News from the middle of town", zh = "城市中心的新闻" },
    { en = "Short, calm and checked twice", zh = "简洁、冷静、反复核实" },
    { en = "Reporters in forty places", zh = "四十地记者实时报道" },
    { en = "We read the small print", zh = "细节之处见新闻" },
    { en = "The whole story, every day", zh = "每天讲清一件事" },
}

local SOURCES = 9
local SILENT = SOURCES -- the source that has published nothing for days
local REPORTS = { 3, 2, 1 } -- of the events of a column

-- ---- sources ----

local function make_sources()
    local some, list, sizes = random("suffixes").shuffle(suffixes), {}, {}
    for id = 1, SOURCES do
        local r = random("source", id)
        local name = content.brand(r)
        list[id] = { id = id, seed = r.int(1, 9999),
            name = { en = name.en .. " " .. some[id].en,
                     zh = name.zh .. some[id].zh },
            followers = new_number(r, 1, 89, sizes) * 100000 +
                        r.int(0, 99999), -- differ when they are shortened
            motto = r.pick(motto), verified = r.chance(0.6) }
    end
    return list
end

local sources = make_sources()

-- ---- events and their reports ----

local HOUR, DAY = 60, 1440 -- in minutes

-- The ages of the reports of an event, the newest first.
local function ages(r, count)
    local newest = r.chance(0.2) and r.int(11, 55) or
                   r.int(1, 9) * HOUR + r.int(0, 50)
    return { table.unpack({ newest, r.int(26, 44) * HOUR,
                            r.int(5, 9) * DAY + r.int(0, 300) }, 1, count) }
end

-- Every other old report is by the source that has been silent since.
local function source_for(r, event, age, taken)
    if age > 4 * DAY and event % 2 == 0 then
        return SILENT
    end
    return new_number(r, 1, SOURCES - 1, taken)
end

local looks = { "side", "side", "three", "big", "text" }

local function framed(frame, title)
    return { en = frame.en:replace("%s", title.en),
             zh = frame.zh:replace("%s", title.zh) }
end

local events, articles = {}, {}

local function add_report(r, event, parts)
    local id = #articles + 1
    local look = parts.video and "video" or r.pick(looks)
    articles[id] = { id = id, event = event.id, column = event.column,
        title = framed(parts.frame, event.title), age = parts.age,
        source = parts.source, author = parts.author,
        reads = parts.reads, figure = parts.figure, look = look,
        seconds = look == "video" and r.int(40, 290) or 0,
        comments = r.int(7, 11), art = parts.art, seed = r.int(1, 9999),
        likes = r.int(30, 4000), score = r.int(1, 1000000) }
    event.reports[#event.reports + 1] = id
end

local reads_taken, heats = {}, {}

local function add_event(column, place)
    local r = random("event", column.id, place)
    local plot, about = plots[column.id][place], content.brand(r)
    local event = { id = #events + 1, column = column.id, reports = {},
        about = about, ask = plot.ask, sentence = plot.figure,
        title = { en = plot.title.en:replace("%s", about.en),
                  zh = plot.title.zh:replace("%s", about.zh) },
        heat = new_number(r, 210000, 9800000, heats),
        searches = r.int(3000, 90000) }
    events[event.id] = event
    local some, taken, figures = r.shuffle(frames), {}, {}
    local authors, video = {}, r.int(1, REPORTS[place])
    local arts = r.shuffle(plots[column.id].art)
    for number, age in ipairs(ages(r, REPORTS[place])) do
        authors[number] = new_person(r, authors)
        add_report(r, event, { frame = some[number], age = age,
            source = source_for(r, event.id, age, taken), author = authors[number],
            reads = new_number(r, 1200, 980000, reads_taken),
            figure = new_number(r, 1100, 9800, figures),
            art = arts[number], video = number == video and place < 3 })
    end
end

for _, column in ipairs(columns) do
    for place = 1, #REPORTS do
        add_event(column, place)
    end
end

local function by_heat(a, b) return events[a].heat > events[b].heat end

-- The ids of the hottest events, the hottest first.
local function make_hot_list()
    local ids = table.sort(table.map(events, function(one)
        return one.id
    end), by_heat)
    return { table.unpack(ids, 1, 20) }
end

-- ---- what articles say ----

local leads = {
    { en = "It is the talk of the week: what began quietly has become a "
        .. "matter for everyone who lives nearby.",
      zh = "这件事成了本周的热门话题：起初悄无声息，如今牵动着附近每一个人。" },
    { en = "Those who were there in the morning could hardly believe it. By "
        .. "noon the news had reached the whole region.",
      zh = "早上在场的人几乎不敢相信。到了中午，消息已传遍整个地区。" },
    { en = "After months of waiting there is now a decision, and it came "
        .. "sooner than most had expected.",
      zh = "经过数月等待，结果终于揭晓，而且比多数人预想的更早。" },
    { en = "Our reporter was on the spot and spoke with those who know best.",
      zh = "本报记者来到现场，采访了最了解情况的人。" },
}
local middles = {
    { en = "Officials asked people to wait. A second statement is expected "
        .. "before the end of the week, they said.",
      zh = "有关负责人呼吁大家耐心等待，并表示本周内将再次发布通报。" },
    { en = "Neighbours brought tea and sandwiches. Some stayed until late in "
        .. "the evening and talked about old times.",
      zh = "附近居民送来了热茶和点心，有人一直待到深夜，聊起了往事。" },
    { en = "Experts point out that similar cases elsewhere took years to "
        .. "settle. Here it went faster.",
      zh = "专家指出，其他地方的类似情况往往要数年才能解决，而这一次快得多。" },
    { en = "Not all agree. A small group wants to see the papers before it "
        .. "says anything.",
      zh = "并非所有人都认同，也有少数人希望先看到相关文件再表态。" },
    { en = "The weather had been kind all week, which helped more than any "
        .. "plan.",
      zh = "这一周天气一直不错，这比任何计划都更有帮助。" },
}
local ends = {
    { en = "We will keep following the story.", zh = "本报将持续关注。" },
    { en = "More on this in our next edition.", zh = "更多内容请关注后续报道。" },
    { en = "All numbers are as of the time of writing.",
      zh = "文中数据以发稿时为准。" },
}
local first_figures = {
    { en = "An earlier report had spoken of %s.", zh = "此前有报道称该数字为%s。" },
    { en = "At first the number had been given as %s.", zh = "最初公布的数字是%s。" },
}

local function filled(text, number)
    return { en = text.en:replace("%s", grouped(number)),
             zh = text.zh:replace("%s", grouped(number)) }
end

local function joined(a, b)
    return { en = a.en .. " " .. b.en, zh = a.zh .. b.zh }
end

-- The paragraphs of an article: what is shown at once, and what is folded. The
-- figure is folded, followed by that of the report before it, if there is one.
local function body_of(id)
    local article = articles[id]
    local event = events[article.event]
    local r = random("body", id)
    local some = r.shuffle(middles)
    local figure = filled(event.sentence, article.figure)
    local older = event.reports[table.index(event.reports, id) + 1]
    if older then
        figure = joined(figure, filled(r.pick(first_figures),
                                       articles[older].figure))
    end
    return { r.pick(leads), some[1] }, { some[2], figure, some[3],
                                         r.pick(ends) }
end

-- ---- comments ----

local remarks = {
    { en = "My aunt lives there, she called us last night.",
      zh = "我姨妈就住那边，昨晚就跟我们说了。" },
    { en = "About time!", zh = "早该这样了！" },
    { en = "Can anyone explain the second paragraph?",
      zh = "谁能解释一下第二段？" },
    { en = "I was there. It was louder than in the article.",
      zh = "我当时在现场，比文章里写的热闹多了。" },
    { en = "Good reporting, thank you.", zh = "报道得很好，谢谢。" },
    { en = "And who pays for it in the end?", zh = "最后谁来买单？" },
    { en = "We had the same thing five years ago.", zh = "五年前我们这里也发生过。" },
    { en = "The picture shows another street.", zh = "配图是另一条街吧。" },
    { en = "I will believe it when I see it.", zh = "眼见为实。" },
    { en = "Reading this on the bus, everyone talks about it.",
      zh = "公交车上刷到的，大家都在聊。" },
    { en = "Please keep us posted.", zh = "请持续跟进。" },
    { en = "The numbers do not add up.", zh = "这个数据对不上啊。" },
    { en = "Proud of all who helped.", zh = "为所有帮忙的人点赞。" },
    { en = "Why is this only news now?", zh = "为什么现在才报道？" },
}
local answers = {
    { en = "Exactly what I thought.", zh = "跟我想的一样。" },
    { en = "That is not how I remember it.", zh = "我记得不是这样。" },
    { en = "It is in the last paragraph.", zh = "最后一段写了。" },
    { en = "Well said.", zh = "说得好。" },
}
local towns = table.map({ 1, 2, 3, 4, 5, 6, 7, 8 }, function(number)
    return content.brand(random("town", number))
end)

-- The comments on an article by other people, in no order; all of different
-- people and places of different names.
local function comments_of(id)
    local r, people, list = random("comments", id), {}, {}
    local texts, hours, likes = r.shuffle(remarks), {}, {}
    local from = r.shuffle(towns)
    for number = 1, articles[id].comments do
        people[#people + 1] = new_person(r, people)
        local replies = {}
        for i = 1, math.max(0, r.int(-3, 3)) do
            people[#people + 1] = new_person(r, people)
            replies[i] = { who = people[#people], text = r.pick(answers) }
        end
        list[number] = { id = number, who = people[#people - #replies],
            text = texts[number], from = from[(number - 1) % #from + 1],
            minutes = new_number(r, 2, math.max(40, articles[id].age), hours),
            likes = new_number(r, 3, 2900, likes), replies = replies }
    end
    return r.shuffle(list)
end

-- ---- what is there already ----

local function some_ids(r, list, count)
    return { table.unpack(r.shuffle(list), 1, count) }
end

local function ids_of(list)
    return table.map(list, function(one) return one.id end)
end

local function written_by(source)
    return ids_of(table.filter(articles, function(one)
        return one.source == source
    end))
end

-- Three sources of which something new appears, and the silent one.
local function make_follows()
    local r = random("follows")
    local list = some_ids(r, { 1, 2, 3, 4, 5, 6, 7, 8 }, 3)
    table.insert(list, r.int(1, 4), SILENT)
    return table.map(list, function(id)
        return { id = id, alerts = false }
    end)
end

-- Six articles, three of them by one source.
local function make_collection()
    local r = random("collection")
    local source
    repeat
        source = r.int(1, SOURCES - 1)
    until #written_by(source) >= 3
    local others = table.filter(ids_of(articles), function(id)
        return articles[id].source ~= source
    end)
    return r.shuffle(table.join(some_ids(r, written_by(source), 3),
                                some_ids(r, others, 3))), source
end

-- How old is what was read today, yesterday, and the day before?
local read_at = { { 0, 2 * DAY, 4 }, { DAY, 4 * DAY, 4 },
                  { 4 * DAY, 10 * DAY, 2 } }

-- What was read, the last first. Each is the only one on its event, and of the
-- events of today and yesterday nothing was collected.
local function make_history(collected)
    local r, list, known = random("history"), {}, {}
    local kept = table.map(collected, function(id)
        return articles[id].event
    end)
    for number, when in ipairs(read_at) do
        local least, most, count = table.unpack(when)
        local choices = table.filter(articles, function(one)
            return one.age >= least and one.age < most and
                   not table.index(known, one.event) and
                   (number == 3 or not table.index(kept, one.event))
        end)
        for _, one in ipairs(r.shuffle(choices)) do
            if count > 0 and not table.index(known, one.event) then
                count = count - 1
                known[#known + 1] = one.event
                list[#list + 1] = { id = one.id, days = number - 1 }
            end
        end
    end
    return list
end

local function make_columns()
    return some_ids(random("columns"), ids_of(columns), 6)
end

local collection, collected_source = make_collection()

return { columns = columns, sources = sources, events = events,
         articles = articles, hot = make_hot_list(), body_of = body_of,
         comments_of = comments_of, collection = collection,
         collected_source = collected_source,
         history = make_history(collection), follows = make_follows(),
         chosen = make_columns(), silent = SILENT }
