-- Who is in Chats: people, groups, what they wrote, and their moments.

local COUNT = 12

local function make_people()
    local r, people, taken = random("people"), {}, {}
    while #people < COUNT do
        local name = content.person(r)
        if not taken[name.en] and not taken[name.zh] then
            taken[name.en], taken[name.zh] = true, true
            table.insert(people, { id = #people + 1, name = name,
                phone = string.format("555-%04d", r.int(0, 9999)),
                city = r.pick{ { en = "Halden", zh = "海登" },
                               { en = "Westport", zh = "西港" },
                               { en = "Marwick", zh = "马威克" } } })
        end
    end
    return people
end

local people = make_people()

-- ---- chats ----

local small_talk = {
    { en = "Did you see the game yesterday?", zh = "昨天的比赛看了吗？" },
    { en = "I am running late, sorry!", zh = "不好意思我要晚到了！" },
    { en = "Thanks again for the cake.", zh = "再次感谢你的蛋糕。" },
    { en = "Let us talk tomorrow.", zh = "明天再聊吧。" },
    { en = "The photos came out great.", zh = "照片拍得真好。" },
    { en = "Can you water my plants?", zh = "能帮我浇一下花吗？" },
    { en = "Haha, that is so true.", zh = "哈哈，太对了。" },
    { en = "I found your umbrella.", zh = "你的雨伞我找到了。" },
}

local group_names = {
    { en = "Hiking friends", zh = "徒步小队" },
    { en = "Book club", zh = "读书会" },
    { en = "Neighbours", zh = "邻居群" },
}

-- Messages: from (0 is the user), text, age in minutes; the oldest first.
local function make_chats()
    local chats, ages = {}, {}
    local r = random("chats")
    local function age(low, high)
        local minutes
        repeat
            minutes = r.int(low, high)
        until not ages[minutes]
        ages[minutes] = true
        return minutes
    end

    local function talk(members, count, unread)
        local messages = {}
        for i, said in ipairs(r.shuffle(small_talk)) do
            if i <= count then
                table.insert(messages, { from = i == count and
                    members[1] or r.chance(0.4) and 0 or r.pick(members),
                    text = said, age = age(60, 9000) })
            end
        end
        table.sort(messages, function(a, b) return a.age > b.age end)
        for i = #messages - unread + 1, #messages do
            if messages[i] then
                messages[i].from = r.pick(members)
            end
        end
        return messages
    end

    for i = 1, 8 do
        local unread = (i == 2 or i == 5) and r.int(1, 3) or 0
        chats[i] = { id = i, members = { i }, unread = unread,
                     messages = talk({ i }, 6, unread) }
    end
    local counts = r.shuffle{ 2, 4, 5 }
    for i, name in ipairs(group_names) do
        local members = { i, i + 3, i + 6, i + 9 }
        chats[8 + i] = { id = 8 + i, name = name, members = members,
            unread = counts[i], messages = talk(members, 8, counts[i]) }
    end

    -- A meeting point that is changed once.
    local first, second = content.address(r), content.address(r)
    local talk_of = chats[3].messages
    table.insert(talk_of, 1, { from = 3, age = 9400, text = {
        en = "We meet on Friday at " .. first.en .. ".",
        zh = "周五在" .. first.zh .. "见。" } })
    table.insert(talk_of, 3, { from = 3, age = talk_of[2].age - 1, text = {
        en = "Sorry, Friday moved: we meet at " .. second.en .. " instead.",
        zh = "抱歉，周五改地方了，改在" .. second.zh .. "见。" } })
    return chats, { wrong = first, right = second }
end

local chats, meeting = make_chats()

-- ---- moments ----

local moods = {
    { en = "What a view this morning!", zh = "今早的风景真美！", art = "landscape" },
    { en = "Baked it myself.", zh = "自己烤的。", art = "cake" },
    { en = "New shoes, old streets.", zh = "新鞋子，老街道。", art = "shoe" },
    { en = "Coffee first.", zh = "先来杯咖啡。", art = "coffee" },
    { en = "Found at the flea market.", zh = "旧货市场淘到的。", art = "camera" },
    { en = "My balcony in summer.", zh = "夏天的阳台。", art = "plant" },
    { en = "Reading weekend.", zh = "周末读书。", art = "book" },
    { en = "Dinner is ready.", zh = "开饭啦。", art = "dumplings" },
    { en = "Rain all day.", zh = "下了一整天雨。", art = "umbrella" },
    { en = "A light for the long evenings.", zh = "长夜里的一盏灯。", art = "lamp" },
}
local remarks = {
    { en = "Lovely!", zh = "真好看！" }, { en = "Where is that?", zh = "这是哪里？" },
    { en = "Save me some.", zh = "给我留点。" }, { en = "So jealous.", zh = "羡慕！" },
    { en = "See you there next time.", zh = "下次一起。" },
}

-- 0 is the user. The newest has the id 1; comments: the oldest first.
local function make_moments()
    local made, r, likes = {}, random("moments"), {}
    local moods = r.shuffle(moods)
    local authors = r.shuffle{ 0, 1, 2, 3, 1, 2, 0 }
    for id, author in ipairs(authors) do
        local count
        repeat
            count = r.int(3, 80)
        until not likes[count]
        likes[count] = true
        local comments, speakers = {}, r.shuffle{ 7, 8, 9, 10, 11, 12 }
        for i = 1, r.int(3, 5) do
            comments[i] = { from = speakers[i], text = r.pick(remarks) }
        end
        made[id] = { id = id, author = author, mood = moods[id],
            likes = count, hours = id * 7 + r.int(0, 5),
            comments = comments }
    end
    return made
end

return { people = people, chats = chats, meeting = meeting,
         moments = make_moments() }
