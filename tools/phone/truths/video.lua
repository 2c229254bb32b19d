-- When the tasks in Video are done.
local video = use("video")
local videos, channels = video.videos, video.channels

local truths = {}

local no_filter = { sort = "relevance", date = "any", length = "any",
                    captions = false }

-- Has the list only values of the first one, and this value?
local function only(list, first, one)
    for _, value in ipairs(list) do
        if value ~= one and not table.has(first, value) then
            return false
        end
    end
    return true
end

-- Does the list still have all values of the first one?
local function keeps(list, first)
    for _, value in ipairs(first) do
        if not table.has(list, value) then
            return false
        end
    end
    return true
end

local function plays(state, id)
    return state and state.player.id == id and state.player.playing
end

local function title(id) return t(videos[id].title) end
local function channel_of(id) return t(channels[videos[id].channel].name) end

local function subject_number(r) return r.int(1, #video.subjects) end

-- The eight videos on a subject, from the most viewed to the least.
local function on_subject(number)
    return table.sort(table.filter(videos, function(one)
        return one.subject == number
    end), function(a, b) return a.views > b.views end)
end

local function ids(list)
    return table.map(list, function(one) return one.id end)
end

-- Are the results about all of a subject, and does the order, or all that was
-- loaded, tell which comes first?
local function compares(app, number, id, order)
    local state = on_screen(app, "results") and app.state
    if not state then
        return false
    end
    local found = ids(video.found(state.query, state.filter))
    return table.has(found, id) and
           (state.filter.sort == order or state.shown >= #found) and
           keeps(ids(video.found(state.query, no_filter)),
                 ids(on_subject(number)))
end

local function compared(number, id, order, to)
    return held("video", function(app)
        return compares(app, number, id, order)
    end, to)
end

-- ---- the most viewed short video ----

truths.short = {
    facts = function()
        local number = subject_number(random("short task"))
        local list = on_subject(number)
        local id = list[2].id
        return { subject = t(video.subjects[number]), number = number,
                 id = id, title = title(id), channel = channel_of(id),
                 second = list[5].id, longer = list[1].id,
                 twin = list[7].id }
    end,
    clauses = function(fact)
        local opened = last("video.open " .. fact.id)
        return {
            { "compared", compared(fact.number, fact.id, "views", opened) },
            { "playing", plays(ended("video"), fact.id) },
        }
    end,
}

-- ---- the newest video ----

local function by_age(list)
    return table.sort(list, function(a, b) return a.days < b.days end)
end

truths.newest = {
    facts = function()
        local number = subject_number(random("newest task"))
        local list = by_age(on_subject(number))
        return { subject = t(video.subjects[number]), number = number,
                 id = list[1].id, title = title(list[1].id),
                 second = list[2].id, second_title = title(list[2].id),
                 viewed = on_subject(number)[1].id }
    end,
    clauses = function(fact)
        local state = ended("video")
        return {
            { "compared", compared(fact.number, fact.id, "date") },
            { "saved", state and table.has(state.later, fact.id) },
            { "nothing_else", not state or
              only(state.later, video.later, fact.id) },
        }
    end,
}

-- ---- the exact number of views ----

truths.views = {
    facts = function()
        local list = on_subject(subject_number(random("views task")))
        local id, twin = list[2].id, list[7].id
        return { title = title(id), channel = channel_of(id), id = id,
                 views = videos[id].views, twin = twin,
                 twin_views = videos[twin].views }
    end,
    clauses = function(fact, answer)
        return {
            { "unfolded", held("video", function(app)
                return on_screen(app, "video", fact.id) and
                       app.state.unfolded
            end) },
            { "answered", number_in(answer) == fact.views },
        }
    end,
}

-- ---- every video of a channel ----

local function not_followed(r)
    return r.pick(table.filter(channels, function(channel)
        return #table.filter(video.subscriptions, function(one)
            return one.id == channel.id
        end) == 0
    end))
end

local function bell_of(state, id)
    for _, one in ipairs(state and state.subscriptions or {}) do
        if one.id == id then
            return one.bell
        end
    end
end

truths.bell = {
    facts = function()
        local r = random("bell task")
        local channel = not_followed(r)
        local other = channels[video.subscriptions[1].id]
        return { channel = t(channel.name), id = channel.id,
                 other = other.id }
    end,
    clauses = function(fact)
        local bell = bell_of(ended("video"), fact.id)
        return {
            { "subscribed", bell },
            { "all", not bell or bell == "all" },
        }
    end,
}

-- ---- a playlist of the most viewed ----

local new_names = {
    { en = "Best of the best", zh = "精选中的精选" },
    { en = "For Grandpa", zh = "给爷爷看" },
    { en = "Long evening", zh = "漫漫长夜" },
    { en = "On the treadmill", zh = "跑步机上看" },
}

truths.best = {
    facts = function()
        local r = random("best task")
        local channel = r.pick(channels)
        local top = video.videos_of(channel, "popular")
        return { name = t(r.pick(new_names)), channel = t(channel.name),
                 channel_id = channel.id, list = 3, a = top[1].id,
                 b = top[2].id, c = top[3].id, title = t(top[1].title),
                 second = t(top[2].title),
                 other_name = t{ en = "My list", zh = "我的列表" } }
    end,
    clauses = function(fact)
        local state = ended("video")
        local made = state and table.filter(state.lists, function(list)
            return list.id > 2
        end) or {}
        local list = made[1] or { name = "", videos = {} }
        return {
            { "one_new_list", #made == 1 },
            { "name", says(list.name, fact.name) },
            { "most_viewed", table.has(list.videos, fact.a) },
            { "second", table.has(list.videos, fact.b) },
            { "nothing_else", #list.videos <= 2 },
        }
    end,
}

-- ---- who wrote the latest comment ----

local function by_hours(list)
    return table.sort(list, function(a, b) return a.hours < b.hours end)
end

local function by_likes(list)
    return table.sort(list, function(a, b) return a.likes > b.likes end)
end

truths.latest = {
    facts = function()
        local id = on_subject(subject_number(random("latest task")))[1].id
        local newest = by_hours(video.comments_of(id))
        local top = by_likes(video.comments_of(id))
        return { title = title(id), channel = channel_of(id), id = id,
                 who = t(newest[1].who), top = t(top[1].who),
                 second = t(newest[2].who), count = #newest }
    end,
    clauses = function(fact, answer)
        return {
            { "newest_seen", held("video", function(app)
                return on_screen(app, "comments", fact.id) and
                       (app.state.comment_order == "newest" or
                        app.state.comments_shown >= fact.count)
            end) },
            { "answered", says(answer, fact.who) },
        }
    end,
}

-- ---- out of the history ----

local function history_ids(state)
    return state and ids(state.history) or {}
end

-- What was watched and has a title that nothing else there has.
local function from_history(r)
    local first = ids(video.history)
    return r.pick(table.filter(first, function(id)
        return #table.filter(first, function(other)
            return title(other) == title(id)
        end) == 1
    end))
end

truths.forget = {
    facts = function()
        local r = random("forget task")
        local id = from_history(r)
        local place = table.index(ids(video.history), id)
        local other = video.history[place % #video.history + 1].id
        return { title = title(id), channel = channel_of(id), id = id,
                 other = other, other_title = title(other) }
    end,
    clauses = function(fact)
        local now_there = history_ids(ended("video"))
        local others = table.filter(ids(video.history), function(id)
            return id ~= fact.id
        end)
        return {
            { "removed", ended("video") and not table.has(now_there, fact.id) },
            { "others_kept", not ended("video") or keeps(now_there, others) },
        }
    end,
}

-- ---- unseen ----

-- A video that was not watched yet.
local function not_watched(r)
    local watched = ids(video.history)
    return r.pick(table.filter(videos, function(one)
        return not table.has(watched, one.id)
    end)).id
end

local function twins(id)
    return table.filter(ids(videos), function(other)
        return other ~= id and title(other) == title(id)
    end)
end

truths.unseen = {
    facts = function()
        local r = random("unseen task")
        local id
        repeat
            id = not_watched(r)
        until #twins(id) == 0
        return { title = title(id), channel = channel_of(id), id = id }
    end,
    clauses = function(fact)
        local state = ended("video")
        local opened = last{ "video.open " .. fact.id,
                             "video.start " .. fact.id }
        return {
            { "watched", opened },
            { "not_recorded", state and
              not table.has(history_ids(state), fact.id) },
            { "recording_again", not state or not state.history_paused },
            { "history_kept", not state or
              keeps(history_ids(state), ids(video.history)) },
            { "paused_meanwhile", not opened or
              before(opened).state.history_paused },
        }
    end,
}

-- ---- to the top ----

truths.top = {
    facts = function()
        local r = random("top task")
        local list = video.playlists[2]
        local place = r.int(3, #list.videos - 1)
        return { name = t(list.name), list = list.id, place = place,
                 above = place - 1,
                 id = list.videos[place], title = title(list.videos[place]),
                 channel = channel_of(list.videos[place]),
                 other = list.videos[place + 1], other_place = place + 1 }
    end,
    clauses = function(fact)
        local state = ended("video")
        local now_there = {}
        for _, list in ipairs(state and state.lists or {}) do
            now_there = list.id == fact.list and list.videos or now_there
        end
        local function without(list)
            return table.concat(table.filter(list, function(id)
                return id ~= fact.id
            end), " ")
        end
        return {
            { "first", now_there[1] == fact.id },
            { "others_in_order", not state or
              without(now_there) == without(video.playlists[2].videos) },
        }
    end,
}

-- ---- which channel is older ----

truths.older = {
    facts = function()
        local two = random("older task").shuffle(channels)
        local a, b = two[1], two[2]
        local older = a.joined > b.joined and a or b
        return { a = t(a.name), b = t(b.name), a_id = a.id, b_id = b.id,
                 name = t(older.name), other = t(older == a and b.name or
                                                 a.name),
                 id = older.id, other_id = older == a and b.id or a.id }
    end,
    clauses = function(fact, answer)
        local function about(id)
            return held("video", function(app)
                return on_screen(app, "channel", id) and
                       app.state.channel_tab == "about"
            end)
        end
        return {
            { "both_seen", about(fact.a_id) and about(fact.b_id) },
            { "answered", says(answer, fact.name) and
              not says(answer, fact.other) },
        }
    end,
}

-- ---- slower, with captions ----

truths.slow = {
    facts = function()
        local r = random("slow task")
        local id
        repeat
            id = not_watched(r)
        until #twins(id) == 0 and videos[id].captions
        return { title = title(id), channel = channel_of(id), id = id }
    end,
    clauses = function(fact)
        local state = ended("video")
        local player = state and state.player or {}
        return {
            { "playing", plays(state, fact.id) },
            { "speed", player.speed == 75 },
            { "captions", player.captions == "fr" },
        }
    end,
}

-- ---- the smallest subscription ----

local function by_subscribers(list)
    return table.sort(table.map(list, function(one)
        return channels[one.id]
    end), function(a, b) return a.subscribers < b.subscribers end)
end

truths.smallest = {
    facts = function()
        local list = by_subscribers(video.subscriptions)
        return { id = list[1].id, name = t(list[1].name),
                 second = list[2].id, largest = list[#list].id }
    end,
    clauses = function(fact)
        local state = ended("video")
        local gone = last("video.unsubscribe " .. fact.id)
        local kept = true
        for _, one in ipairs(video.subscriptions) do
            kept = kept and (one.id == fact.id or bell_of(state, one.id))
        end
        local all_open = true
        for _, one in ipairs(video.subscriptions) do
            all_open = all_open and saw("video", gone, "channel", one.id)
        end
        return {
            { "all_seen", saw("video", gone, "manage") or all_open },
            { "unsubscribed", state and not bell_of(state, fact.id) },
            { "others_kept", not state or kept },
        }
    end,
}

-- ---- the length of the most viewed ----

truths.length = {
    facts = function()
        local r = random("length task")
        local channel = r.pick(channels)
        local top = video.videos_of(channel, "popular")
        local function written(one, prefix, fact)
            local hours = one.seconds // 3600
            local minutes = one.seconds // 60 % 60
            local seconds = one.seconds % 60
            fact[prefix] = hours > 0 and
                string.format("%d:%02d:%02d", hours, minutes, seconds) or
                string.format("%d:%02d", minutes, seconds)
            fact[prefix .. "_minutes"] = hours * 60 + minutes
            fact[prefix .. "_seconds"] = seconds
        end
        local fact = { channel = t(channel.name), id = channel.id }
        written(top[1], "length", fact)
        written(top[2], "second", fact)
        return fact
    end,
    clauses = function(fact, answer)
        local english = fact.length_minutes .. "minutes" ..
                        fact.length_seconds .. "seconds"
        local plain = (answer or ""):lower():replace(" ", "")
            :replace("and", "")
        return {
            { "compared", held("video", function(app)
                return on_screen(app, "channel", fact.id) and
                       app.state.channel_tab == "videos" and
                       app.state.channel_order == "popular" or
                       on_screen(app, "results") and
                       says(app.state.query, fact.channel) and
                       app.state.filter.sort == "views"
            end) },
            { "answered", says(answer, fact.length) or
              plain:find(english) ~= nil or
              says(answer, fact.length_minutes .. "分" ..
                           fact.length_seconds .. "秒") },
        }
    end,
}

-- ---- a reply ----

local replies = {
    { en = "Try it again tomorrow", zh = "明天再试一次" },
    { en = "I thought so too", zh = "我也这么想" },
    { en = "Which minute do you mean?", zh = "你说的是第几分钟？" },
    { en = "Thanks for the hint", zh = "谢谢提醒" },
}

truths.reply = {
    facts = function()
        local r = random("reply task")
        local id = on_subject(subject_number(r))[1].id
        local list = by_likes(video.comments_of(id))
        local place = r.int(2, 4)
        return { title = title(id), channel = channel_of(id), id = id,
                 who = t(list[place].who), comment = list[place].id,
                 text = t(r.pick(replies)), other = list[place + 1].id,
                 other_who = t(list[place + 1].who),
                 other_text = t{ en = "Thank you", zh = "谢谢" } }
    end,
    clauses = function(fact)
        local state = ended("video")
        local mine = state and state.mine or {}
        local right = table.filter(mine, function(one)
            return one.about == fact.id and one.parent == fact.comment
        end)
        return {
            { "replied", #right > 0 },
            { "text", #right == 0 or says(right[1].text, fact.text) },
            { "nothing_else", #mine <= 1 or #right == 0 },
        }
    end,
}

-- ---- to be watched again ----

truths.again = {
    facts = function()
        local r = random("again task")
        local function alone(entry)
            local number = videos[entry.id].subject
            return #table.filter(video.history, function(other)
                return videos[other.id].subject == number
            end) == 1 and not table.has(video.later, entry.id)
        end
        local choices = table.filter(video.history, alone)
        local id = r.pick(choices).id
        local number = videos[id].subject
        local other = table.filter(on_subject(number), function(one)
            return one.id ~= id and not table.has(video.later, one.id)
        end)[1].id
        return { subject = t(video.subjects[number]), id = id,
                 title = title(id), other = other,
                 other_title = title(other) }
    end,
    clauses = function(fact)
        local state = ended("video")
        local saved = last{ "video.later " .. fact.id,
                            "video.keep 0 " .. fact.id }
        return {
            { "history_seen", saw("video", saved, "history") },
            { "saved", state and table.has(state.later, fact.id) },
            { "nothing_else", not state or
              only(state.later, video.later, fact.id) },
        }
    end,
}

-- ---- the best rated ----

truths.rating = {
    facts = function()
        local number = subject_number(random("rating task"))
        local list = table.sort(on_subject(number), function(a, b)
            return a.liked > b.liked
        end)
        return { subject = t(video.subjects[number]), number = number,
                 id = list[1].id, title = title(list[1].id),
                 channel = channel_of(list[1].id), second = list[2].id,
                 second_title = title(list[2].id),
                 second_channel = channel_of(list[2].id) }
    end,
    clauses = function(fact)
        local state = ended("video")
        local liked = last("video.like " .. fact.id)
        return {
            { "compared", held("video", function(app)
                return compares(app, fact.number, fact.id, "rating") and
                       app.state.filter.sort == "rating"
            end, liked) },
            { "liked", state and table.has(state.likes, fact.id) },
            { "nothing_else", not state or
              only(state.likes, {}, fact.id) },
        }
    end,
}

return truths
