-- When the tasks in News are done.
local news = use("news")
local articles, events, sources = news.articles, news.events, news.sources

local truths = {}

local function final() return outcome.of("news") end

-- Did that hold at some time, before the event if one is given?
local function ever(holds, to) return outcome.ever("news", holds, to) end

local function seen(to, name, id)
    return outcome.saw(to, "news", name, id)
end

local function all_seen(to, name, list)
    for _, id in ipairs(list) do
        if not seen(to, name, id) then
            return false
        end
    end
    return true
end

local function has(list, value)
    return table.index(list, value) ~= nil
end

local function keeps(list, first)
    for _, value in ipairs(first) do
        if not has(list, value) then
            return false
        end
    end
    return true
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

local function ids(list)
    return table.map(list, function(one) return one.id end)
end

local function falling(field)
    return function(a, b) return a[field] > b[field] end
end

local function title(id) return t(articles[id].title) end
local function source_of(id) return t(sources[articles[id].source].name) end
local function author(id) return t(articles[id].author) end

-- An event with three reports.
local function big_event(r)
    return r.pick(table.filter(events, function(one)
        return #one.reports == 3
    end))
end

-- Does what was found tell which of these articles comes first in that order?
local function lists(app, list, order)
    local state = on_screen(app, "results") and app.state.part == "results" and
                  app.state
    if not state then
        return false
    end
    local found = ids(news.found(state.query, state.filter))
    return keeps(found, list) and
           (state.filter.sort == order or state.shown >= #found)
end

-- Were all reports on an event seen together, so that they could be compared?
local function compared(event, order, to)
    return ever(function(app)
        local state = on_screen(app, "main") and app.state.tab == "home" and
                      app.state
        return lists(app, event.reports, order) or
               on_screen(app, "topic", event.id) or
               state and state.column == event.column
    end, to) or all_seen(to, "article", event.reports)
end

local function unfolded(id)
    return ever(function(app)
        return on_screen(app, "article", id) and has(app.state.unfolded, id)
    end)
end

-- ---- the figure of the newest report ----

truths.figure = {
    facts = function()
        local event = big_event(random("figure task"))
        local new, middle, old = table.unpack(event.reports)
        return { title = t(event.title), about = t(event.about),
                 ask = t(event.ask), event = event.id,
                 column = event.column, id = new, middle = middle,
                 old = old, headline = title(new),
                 middle_headline = title(middle), old_headline = title(old),
                 author = author(new), source = source_of(new),
                 source_id = articles[new].source,
                 figure = articles[new].figure,
                 middle_figure = articles[middle].figure,
                 old_figure = articles[old].figure }
    end,
    clauses = function(fact, answer)
        return {
            { "compared", compared(events[fact.event], "time") },
            { "unfolded", unfolded(fact.id) },
            { "answered", number_in(answer) == fact.figure },
        }
    end,
}

-- ---- only what matters, and not at night ----

truths.quiet = {
    facts = function()
        local r = random("quiet task")
        local from, to = r.pick{ 20, 21, 23 }, r.pick{ 5, 6, 8 }
        return { from = from, to = to, other_to = to + 1,
                 from_text = string.format("%02d:00", from),
                 to_text = string.format("%02d:00", to) }
    end,
    clauses = function(fact)
        local state = final()
        local notify = state and state.notify or {}
        local hours = state and state.quiet or {}
        return {
            { "breaking", notify.all and notify.breaking },
            { "nothing_else", not (notify.following or notify.picks or
                                   notify.replies or notify.rewards) },
            { "quiet", hours.on },
            { "from", hours.from == fact.from },
            { "to", hours.to == fact.to },
        }
    end,
}

-- ---- the silent source ----

truths.silent = {
    facts = function()
        local others = table.filter(ids(news.follows), function(id)
            return id ~= news.silent
        end)
        return { id = news.silent, name = t(sources[news.silent].name),
                 a = others[1], b = others[2], c = others[3],
                 other_name = t(sources[others[1]].name),
                 b_name = t(sources[others[2]].name),
                 c_name = t(sources[others[3]].name) }
    end,
    clauses = function(fact)
        local state = final()
        local gone = last("news.unfollow " .. fact.id)
        local left = state and ids(state.follows) or {}
        return {
            { "all_seen", all_seen(gone, "source", ids(news.follows)) or
              ever(function(app)
                  return on_screen(app, "main") and
                         app.state.tab == "following" and
                         app.state.followed_shown >=
                             #news.followed_articles(app.state)
              end, gone) },
            { "unfollowed", state and not has(left, fact.id) },
            { "others_kept", keeps(left, { fact.a, fact.b, fact.c }) },
        }
    end,
}

return truths
