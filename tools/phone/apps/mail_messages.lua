-- Who writes to the user of Mail, and what.

-- ---- people, companies, labels ----

local PEOPLE = 9

-- Names that differ, and so addresses that do.
local function make_people()
    local r, people, taken = random("people"), {}, {}
    while #people < PEOPLE do
        local name = content.person(r)
        if not taken[name.en] and not taken[name.zh] then
            taken[name.en], taken[name.zh] = true, true
            table.insert(people, { id = #people + 1, name = name,
                address = name.en:lower():replace(" ", ".") .. "@example.com" })
        end
    end
    return people
end

local function make_companies()
    local kinds = {
        railway = { en = "%s Rail", zh = "%s铁路", sign = "bus" },
        bank = { en = "%s Bank", zh = "%s银行", sign = "shield" },
        energy = { en = "%s Energy", zh = "%s能源", sign = "lightbulb" },
        telecom = { en = "%s Mobile", zh = "%s通信", sign = "phone_device" },
        books = { en = "%s Books", zh = "%s书店", sign = "file" },
        garden = { en = "%s Garden", zh = "%s园艺", sign = "display" },
        travel = { en = "%s Travel", zh = "%s旅行", sign = "airplane" },
    }
    local companies, number = {}, PEOPLE
    for key, name in pairs(kinds) do
        local brand = content.brand(random("company", key))
        number = number + 1
        companies[key] = { id = number, sign = name.sign,
            name = { en = string.format(name.en, brand.en),
                     zh = string.format(name.zh, brand.zh) },
            address = "service@" .. brand.en:lower() .. ".example" }
    end
    return companies
end

local people = make_people()
local companies = make_companies()

local labels = {
    { id = "family", name = { en = "Family", zh = "家人" }, ink = "#d81b60" },
    { id = "work", name = { en = "Work", zh = "工作" }, ink = "#1e88e5" },
    { id = "travel", name = { en = "Travel", zh = "旅行" }, ink = "#00897b" },
    { id = "bills", name = { en = "Bills", zh = "账单" }, ink = "#f4511e" },
    { id = "later", name = { en = "Read later", zh = "稍后阅读" },
      ink = "#8e24aa" },
}

-- ---- messages ----

-- Each: from, subject, body (paragraphs), folder, age in minutes, files, and
-- what it is about. The newest has the id 1.
local function make_messages()
    local made, ages = {}, {}
    local r = random("messages")

    local function fresh_age(low, high)
        local age
        repeat
            age = r.int(low, high)
        until not ages[age]
        ages[age] = true
        return age
    end

    local function add(from, low, high, subject, body, parts)
        local message = { from = from, subject = subject, body = body,
            age = fresh_age(low * 60, high * 60), folder = "inbox",
            files = {}, labels = {}, cc = {} }
        for key, value in pairs(parts or {}) do
            message[key] = value
        end
        table.insert(made, message)
        return message
    end

    local function file(name, low, high)
        return { name = name, kb = r.int(low, high) }
    end

    local cities = r.shuffle{
        { en = "Halden", zh = "海登" }, { en = "Westport", zh = "西港" },
        { en = "Marwick", zh = "马威克" }, { en = "Lindau", zh = "林岛" },
        { en = "Ostera", zh = "奥斯特拉" }, { en = "Calvora", zh = "卡沃拉" },
    }

    -- Two journeys; the second was changed, so that its older mail is wrong.
    local function journey(city, low, high, changed)
        local coach, seat = r.int(2, 14), r.int(11, 98)
        local subject = changed and
            { en = "Change of your journey to " .. city.en,
              zh = "您前往" .. city.zh .. "的行程变更" } or
            { en = "Your ticket to " .. city.en,
              zh = "您前往" .. city.zh .. "的车票" }
        add(companies.railway, low, high, subject, {
            changed and { en = "We had to move you to another coach. Your "
                .. "ticket stays valid.", zh = "我们不得不为您更换车厢，原车票仍然有效。" } or
                { en = "Thank you for booking with us.",
                  zh = "感谢您的预订。" },
            { en = "Coach " .. coach .. ", seat " .. seat .. ".",
              zh = coach .. "号车厢，" .. seat .. "号座位。" } },
            { kind = "journey", city = city, coach = coach, seat = seat,
              changed = changed or false, labels = { "travel" },
              files = { file("ticket-" .. seat .. coach .. ".pdf", 80, 400) },
              read = not changed })
    end
    journey(cities[1], 300, 500)
    journey(cities[2], 260, 290)
    journey(cities[2], 30, 120, true)

    -- Codes: only the last one is valid.
    for i = 1, 3 do
        local code = tostring(r.int(100000, 999999))
        add(companies.bank, i == 1 and 1 or 20 * i, i == 1 and 3 or 20 * i + 15,
            { en = "Your security code", zh = "您的安全验证码" },
            { { en = "A new sign-in to your account was started. If it is you, "
                  .. "this code completes it:",
                zh = "有人正在登录您的账户。如果是您本人，请输入以下验证码：" },
              { en = code, zh = code },
              { en = "It is valid for ten minutes. Older codes do not work.",
                zh = "有效期十分钟，旧验证码无效。" } },
            { kind = "code", code = code, read = i == 3 })
    end

    -- Bills of two companies, some of them in the archive.
    local price = content.prices("bills")
    local function bills(company, count, name)
        for i = 1, count do
            local cents = price(1800, 14900)
            local amount = string.format("%d.%02d", cents // 100, cents % 100)
            add(company, 40 + (i - 1) * 720, 300 + (i - 1) * 720,
                { en = "Your bill from " .. company.name.en,
                  zh = company.name.zh .. "账单" },
                { { en = "We have prepared your monthly bill. You find it in "
                      .. "the attachment.", zh = "您的本月账单已生成，详见附件。" },
                  { en = "Amount due: $" .. amount, zh = "应付金额：¥" .. amount } },
                { kind = "bill", cents = cents, labels = { "bills" },
                  files = { file(name .. "-" .. r.int(1000, 9999) .. ".pdf",
                                 90, 700) },
                  folder = i == count and "archive" or "inbox",
                  read = i > 1 and r.chance(0.6) })
        end
    end
    bills(companies.energy, 3, "energy")
    bills(companies.telecom, 3, "phone")

    -- Newsletters.
    local offers = {
        { en = "What is new this week", zh = "本周上新" },
        { en = "Our favourites of the season", zh = "当季精选" },
        { en = "Only until Sunday: free delivery", zh = "周日前免运费" },
        { en = "A little something for you", zh = "给您准备的小惊喜" },
    }
    for _, key in ipairs{ "books", "garden", "travel" } do
        for i = 1, 2 do
            add(companies[key], 10 + i * 90, 90 + i * 90, r.pick(offers),
                { { en = "Hello, here is what " .. companies[key].name.en ..
                      " has found for you.",
                    zh = "您好，以下是" .. companies[key].name.zh .. "为您精选的内容。" },
                  { en = "Have a look before it is gone.",
                    zh = "数量有限，先到先得。" } },
                { kind = "newsletter", read = r.chance(0.5) })
        end
    end

    -- What people write. Meetings are moved once.
    local rooms = r.shuffle{ "Aspen", "Birch", "Cedar", "Elm", "Hazel", "Oak",
                             "Pine", "Rowan" }
    local function meeting(person, low, high, room, moved)
        add(person, low, high,
            moved and { en = "Another room for our review",
                        zh = "评审会更换会议室" } or
                { en = "Our review on Thursday", zh = "周四的评审会" },
            { moved and { en = "Sorry, the other room is taken. We meet in "
                .. room .. " instead.", zh = "抱歉，原会议室被占用，改在 " .. room ..
                " 会议室。" } or
                { en = "Let us meet at ten in " .. room .. ".",
                  zh = "十点在 " .. room .. " 会议室见。" },
              { en = "Please bring the figures.", zh = "请带上数据。" } },
            { kind = "meeting", room = room, labels = { "work" },
              moved = moved or false, read = not moved })
    end
    meeting(people[1], 150, 240, rooms[1])
    meeting(people[1], 5, 20, rooms[2], true)
    meeting(people[2], 100, 140, rooms[3])

    -- A contract in several versions; not the newest file has the highest
    -- number.
    local deal = content.brand(random("deal"))
    local lowest = r.int(2, 6)
    for i, version in ipairs{ lowest + 1, lowest + 2, lowest } do
        add(people[3], 15 + i * 50, 60 + i * 50,
            { en = "Contract with " .. deal.en, zh = "与" .. deal.zh .. "的合同" },
            { { en = i == 1 and "We went back to the shorter text. This one "
                  .. "is what we sign." or "What do you think of this one?",
                zh = i == 1 and "我们改回了较短的版本，最终签这一份。" or
                  "你觉得这一版怎么样？" } },
            { kind = "contract", deal = deal, labels = { "work" }, read = i > 1,
              files = { file("contract_v" .. version .. ".pdf", 200, 900) } })
    end

    local letters = {
        { { en = "Dinner on Saturday?", zh = "周六一起吃饭？" },
          { en = "We are cooking on Saturday. Would you like to come? Let me "
              .. "know by tomorrow.", zh = "周六我们做饭，你来吗？明天前告诉我。" } },
        { { en = "The weekend", zh = "周末" },
          { en = "It was so nice to see you. Let us do that again soon.",
            zh = "见到你太开心了，下次再约。" } },
        { { en = "A question", zh = "问个问题" },
          { en = "Do you still have the ladder I lent you last spring?",
            zh = "春天借你的梯子还在吗？" } },
        { { en = "Good news", zh = "好消息" },
          { en = "They said yes! I start next month.",
            zh = "他们同意了！我下个月开始。" } },
        { { en = "Recipe", zh = "菜谱" },
          { en = "Here is the recipe you asked for. Less sugar is fine, too.",
            zh = "这是你要的菜谱，少放点糖也行。" } },
    }
    local function letter(person, number, low, high, parts)
        local said = letters[(number - 1) % #letters + 1]
        return add(person, low, high, said[1], { said[2] }, parts)
    end
    for i = 4, PEOPLE do
        local others = i == 5 and { people[6].id, people[7].id } or {}
        letter(people[i], i, 24, 70, { kind = "letter", cc = others,
            read = r.chance(0.4) })
        letter(people[i], i + 2, 130, 400, { kind = "letter", read = true })
    end

    -- Large files, one of them long archived.
    local large = r.shuffle{ "video.mp4", "photos.zip", "scans.pdf" }
    for i, name in ipairs(large) do
        add(people[3 + i], 500 * i, 500 * i + 200,
            { en = "As promised", zh = "答应给你的" },
            { { en = "Here they are. Tell me when you have them.",
                zh = "发给你了，收到说一声。" } },
            { kind = "large", read = true,
              folder = i == 2 and "archive" or "inbox",
              files = { file(name, 1000 + i * 900, 1800 + i * 900) } })
    end

    -- Spam, and a friend among it.
    local junk = {
        { en = "You have won!", zh = "恭喜您中奖了！" },
        { en = "Final notice", zh = "最后通知" },
        { en = "Cheap watches", zh = "低价名表" },
        { en = "Work from home", zh = "在家轻松赚钱" },
    }
    for i, subject in ipairs(junk) do
        local brand = content.brand(random("junk", i))
        add({ id = 100 + i, sign = "warning", name = brand,
              address = "offer@" .. brand.en:lower() .. ".invalid" },
            i * 40, i * 40 + 30, subject,
            { { en = "Click here now, before it is too late.",
                zh = "立即点击，机不可失。" } },
            { kind = "junk", folder = "spam" })
    end
    letter(people[8], 3, 50, 90, { kind = "lost", folder = "spam" })

    table.sort(made, function(a, b) return a.age < b.age end)
    for id, message in ipairs(made) do
        message.id = id
        message.read = message.read or false
    end
    return made
end

local messages = make_messages()

-- Texts of a draft that is never finished.
local unfinished = { to = people[9].id,
    body = { en = "Thank you for the flowers. They still look lovely.",
             zh = "谢谢你送的花，现在还开得很好。" } }

return { people = people, companies = companies, labels = labels,
         messages = messages, unfinished = unfinished }
