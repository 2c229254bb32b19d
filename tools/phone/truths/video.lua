-- When the tasks in Video are done.
local video = use("video")
local videos, channels = video.videos, video.channels

local truths = {}

local no_filter = { sort = "relevance", date = "any", length = "any",
                    captions = false }

local function final()
    local app = in_the_end("video")
    return app and app.state
end

-- Did that hold for the app at some time, before the event if one is given?
local function ever(holds, to)
    for _, event in ipairs(all("video.*", nil, to)) do
        if holds(before(event)) or holds(afterwards(event)) then
            return true
        end
    end
    local last_app = to and before(to) or not to and in_the_end("video")
    return last_app and holds(last_app) or false
end

local function seen(to, name, ...)
    local wanted = { ... }
    return ever(function(app)
        return on_screen(app, name, table.unpack(wanted))
    end, to)
end

local function has(list, value)
    return table.index(list, value) ~= nil
end

-- Has the list only values of the first one, and this value?
local function only(list, first, one)
    for _, value in ipairs(list) do
        if value ~= one and not has(first, value) then
            return false
        end
    end
    return true
end

-- Does the list still have all values of the first one?
local function keeps(list, first)
    for _, value in ipairs(first) do
        if not has(list, value) then
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
    return has(found, id) and
           (state.filter.sort == order or state.shown >= #found) and
           keeps(ids(video.found(state.query, no_filter)),
                 ids(on_subject(number)))
end

local function compared(number, id, order, to)
    return ever(function(app)
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
            { "playing", plays(final(), fact.id) },
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
        local state = final()
        return {
            { "compared", compared(fact.number, fact.id, "date") },
            { "saved", state and has(state.later, fact.id) },
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
            { "unfolded", ever(function(app)
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
        local bell = bell_of(final(), fact.id)
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
        local state = final()
        local made = state and table.filter(state.lists, function(list)
            return list.id > 2
        end) or {}
        local list = made[1] or { name = "", videos = {} }
        return {
            { "one_new_list", #made == 1 },
            { "name", says(list.name, fact.name) },
            { "most_viewed", has(list.videos, fact.a) },
            { "second", has(list.videos, fact.b) },
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
            { "newest_seen", ever(function(app)
                return on_screen(app, "comments", fact.id) and
                       (app.state.comment_order == "newest" or
                        app.state.comments_shown >= fact.count)
            end) },
            { "answered", says(answer, fact.who) },
        }
    end,
}

return truths
