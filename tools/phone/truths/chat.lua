-- When the tasks in Chats are done.
local chat = use("chat")

local truths = {}

local function person_facts(fact, key, id)
    fact[key .. "id"], fact[key .. "name"] = id, t(chat.people[id].name)
    return fact
end

-- Messages that were sent, by chat.
local function sent_to(state, number)
    local own = state and state.chats[number]
    return own and own.sent or {}
end

local function others_sent(state, number)
    local count = 0
    for other, own in ipairs(state and state.chats or {}) do
        count = count + (other ~= number and #own.sent or 0)
    end
    return count
end

-- ---- a group ----

truths.group = {
    facts = function()
        local r = random("group task")
        local ids = r.shuffle{ 1, 2, 4, 5, 6, 7, 8 }
        local fact = { title = t(r.pick{
            { en = "Birthday surprise", zh = "生日惊喜" },
            { en = "Lake trip", zh = "湖边之旅" },
            { en = "Film night", zh = "电影之夜" } }) }
        person_facts(fact, "a_", ids[1])
        person_facts(fact, "b_", ids[2])
        return person_facts(fact, "c_", ids[3])
    end,
    clauses = function(fact)
        local state = ended("chat")
        local made = state and state.chats[#chat.chats + 1]
        local members = made and made.members or {}
        return {
            { "members", #members == 2 and
              table.index(members, fact.a_id) and
              table.index(members, fact.b_id) },
            { "title", made and made.name == fact.title },
            { "one_group", state and #state.chats == #chat.chats + 1 },
        }
    end,
}

-- ---- what was written ----

truths.meeting = {
    facts = function()
        local fact = person_facts({}, "", 3)
        fact.place, fact.wrong = t(chat.meeting.right), t(chat.meeting.wrong)
        return fact
    end,
    clauses = function(fact, answer)
        local seen = false
        for _, event in ipairs(all("chat.earlier")) do
            seen = seen or on_screen(before(event), "chat", 3)
        end
        return {
            { "earlier_read", seen },
            { "answered", says(answer, fact.place) and
              not says(answer, fact.wrong) },
        }
    end,
}

truths.busiest = {
    facts = function()
        local groups = table.sort(table.filter(chat.chats, function(one)
            return #one.members > 1
        end), function(a, b) return a.unread > b.unread end)
        return { id = groups[1].id, name = t(groups[1].name),
                 other_id = groups[2].id, other_name = t(groups[2].name) }
    end,
    clauses = function(fact)
        local state = ended("chat")
        local quiet = {}
        for number, own in ipairs(state and state.chats or {}) do
            if own.muted then
                quiet[#quiet + 1] = number
            end
        end
        return {
            { "muted", table.index(quiet, fact.id) },
            { "no_other_muted", #quiet < 2 },
            { "not_left", not state or not state.chats[fact.id].left },
        }
    end,
}

truths.tell = {
    facts = function()
        local r = random("tell task")
        local groups = r.shuffle(table.filter(chat.chats, function(one)
            return #one.members > 1
        end))
        return { id = groups[1].id, name = t(groups[1].name),
                 other_id = groups[2].id, text = t(r.pick{
                    { en = "I will bring the drinks", zh = "饮料我来带" },
                    { en = "Count me in", zh = "算我一个" },
                    { en = "I cannot come this time", zh = "这次我去不了" } }) }
    end,
    clauses = function(fact)
        local state = ended("chat")
        local said = sent_to(state, fact.id)
        return {
            { "written", #said == 1 and says(said[1].text, fact.text) },
            { "to_no_other", others_sent(state, fact.id) == 0 },
        }
    end,
}

-- ---- contacts ----

truths.alias = {
    facts = function()
        local r = random("alias task")
        local ids = r.shuffle{ 4, 6, 7, 9, 10 }
        local fact = { alias = t(r.pick{
            { en = "Piano teacher", zh = "钢琴老师" },
            { en = "Landlord", zh = "房东" },
            { en = "Dentist", zh = "牙医" } }) }
        return person_facts(person_facts(fact, "", ids[1]), "other_", ids[2])
    end,
    clauses = function(fact)
        local state = ended("chat")
        local some = state and state.aliases or {}
        return {
            { "alias", #table.filter(some, function(one)
                return one.person == fact.id and one.name == fact.alias
            end) == 1 },
            { "no_other", #some < 2 },
        }
    end,
}

-- ---- moments ----

local function moments_of(id)
    return table.filter(chat.moments, function(one)
        return one.author == id
    end)
end

truths.comment = {
    facts = function()
        local r = random("comment task")
        local id = r.pick{ 1, 2 }
        local some = moments_of(id)
        local fact = person_facts({ moment = some[1].id, older = some[2].id,
            mood = t(some[1].mood), text = t(r.pick{
                { en = "I want to go there too", zh = "我也想去" },
                { en = "That made my day", zh = "看了心情真好" },
                { en = "Well done", zh = "太棒了" } }) }, "", id)
        return fact
    end,
    clauses = function(fact)
        local state = ended("chat")
        local some = state and state.comments or {}
        local one = some[1] or {}
        return {
            { "on_the_latest", one.moment == fact.moment },
            { "text", one.text == fact.text },
            { "once", #some == 1 },
        }
    end,
}

truths.remark = {
    facts = function()
        local moment = moments_of(0)[1]
        local said = moment.comments
        return { moment = moment.id, name = t(chat.people[said[#said].from]
                 .name), wrong = t(chat.people[said[2].from].name),
                 other = moments_of(0)[2].id }
    end,
    clauses = function(fact, answer)
        return {
            { "unfolded", happened("chat.unfold " .. fact.moment) },
            { "answered", says(answer, fact.name) },
        }
    end,
}

truths.likes = {
    facts = function()
        local id = random("likes task").pick{ 1, 2 }
        local some = moments_of(id)
        return person_facts({ first = some[1].id, second = some[2].id,
            first_mood = t(some[1].mood), second_mood = t(some[2].mood),
            other = moments_of(3)[1].id }, "", id)
    end,
    clauses = function(fact)
        local state = ended("chat")
        local liked = state and state.liked or {}
        return {
            { "both", table.index(liked, fact.first) and
              table.index(liked, fact.second) },
            { "no_other", #liked < 3 },
        }
    end,
}

-- ---- settings ----

truths.privacy = {
    clauses = function()
        local state = ended("chat")
        return {
            { "three_days", state and state.privacy == "three_days" },
            { "others_kept", not state or state.receipts and state.sounds },
        }
    end,
}

truths.receipts = {
    clauses = function()
        local state = ended("chat")
        return {
            { "off", state and not state.receipts },
            { "others_kept", not state or state.sounds and
              state.privacy == "everyone" },
        }
    end,
}

return truths
