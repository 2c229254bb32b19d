-- When the tasks in News are done.
local news = use("news")
local articles, events, sources = news.articles, news.events, news.sources

local truths = {}

local function all_seen(to, name, list)
    for _, id in ipairs(list) do
        if not saw("news", to, name, id) then
            return false
        end
    end
    return true
end

local function keeps(list, first)
    for _, value in ipairs(first) do
        if not table.has(list, value) then
            return false
        end
    end
    return true
end

-- Has the list only values of the first one, and this one?
local function only(list, first, one)
    for _, value in ipairs(list) do
        if value ~= one and not table.has(first, value) then
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
    return held("news", function(app)
        local state = on_screen(app, "main") and app.state.tab == "home" and
                      app.state
        return lists(app, event.reports, order) or
               on_screen(app, "topic", event.id) or
               state and state.column == event.column
    end, to) or all_seen(to, "article", event.reports)
end

local function unfolded(id)
    return held("news", function(app)
        return on_screen(app, "article", id) and
               table.has(app.state.unfolded, id)
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
        local state = ended("news")
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
        local state = ended("news")
        local gone = last("news.unfollow " .. fact.id)
        local left = state and ids(state.follows) or {}
        return {
            { "all_seen", all_seen(gone, "source", ids(news.follows)) or
              held("news", function(app)
                  return on_screen(app, "main") and
                         app.state.tab == "following" and
                         app.state.followed_shown >=
                             #news.followed_articles(app.state)
              end, gone) },
            { "unfollowed", state and not table.has(left, fact.id) },
            { "others_kept", keeps(left, { fact.a, fact.b, fact.c }) },
        }
    end,
}

-- ---- out of the collection ----

truths.tidy = {
    facts = function()
        local source = news.collected_source
        local of, others = {}, {}
        for _, id in ipairs(news.collection) do
            local list = articles[id].source == source and of or others
            list[#list + 1] = id
        end
        return { source = t(sources[source].name), a = of[1], b = of[2],
                 c = of[3], d = others[1], a_title = title(of[1]),
                 b_title = title(of[2]), c_title = title(of[3]),
                 d_title = title(others[1]), a_author = author(of[1]),
                 b_author = author(of[2]), c_author = author(of[3]) }
    end,
    clauses = function(fact)
        local state = ended("news")
        local left = state and state.collected or {}
        local others = table.filter(news.collection, function(id)
            return id ~= fact.a and id ~= fact.b and id ~= fact.c
        end)
        return {
            { "removed", state and not (table.has(left, fact.a) or
                                        table.has(left, fact.b) or
                                        table.has(left, fact.c)) },
            { "others_kept", not state or keeps(left, others) },
        }
    end,
}

-- ---- something is collected ----

local function collected(state, id)
    return state and table.has(state.collected, id)
end

local function nothing_else(state, id)
    return not state or only(state.collected, news.collection, id) and
           keeps(state.collected, news.collection)
end

local function is_new(event)
    return #table.filter(event.reports, function(id)
        return table.has(news.collection, id)
    end) == 0
end

local function by_reads(event)
    return table.sort(table.map(event.reports, function(id)
        return articles[id]
    end), falling("reads"))
end

-- A rank that is out of sight at first, of an event with several reports.
local function hidden_rank(r)
    local ranks = table.filter({ 9, 10, 11, 12, 13, 14, 15, 16 },
                               function(rank)
        local event = events[news.hot[rank]]
        return #event.reports > 1 and is_new(event)
    end)
    return r.pick(ranks)
end

truths.hot = {
    facts = function()
        local rank = hidden_rank(random("hot task"))
        local event = events[news.hot[rank]]
        local first, second = table.unpack(by_reads(event))
        local above = events[news.hot[rank - 1]]
        local other = by_reads(above)[1]
        return { rank = rank, event = event.id, id = first.id,
                 headline = t(first.title), about = t(event.about),
                 heat = grouped(event.heat), author = t(first.author),
                 second = second.id, second_headline = t(second.title),
                 second_author = t(second.author),
                 source = source_of(first.id), source_id = first.source,
                 other_event = above.id, other = other.id }
    end,
    clauses = function(fact)
        local state = ended("news")
        local kept = last("news.collect " .. fact.id)
        return {
            { "list_seen", held("news", function(app)
                return on_screen(app, "main") and app.state.tab == "hot"
            end, kept) },
            { "compared", compared(events[fact.event], "reads", kept) },
            { "collected", collected(state, fact.id) },
            { "nothing_else", nothing_else(state, fact.id) },
        }
    end,
}

-- ---- two sources disagree ----

truths.difference = {
    facts = function()
        local event = big_event(random("difference task"))
        local a, other, b = table.unpack(event.reports)
        local one, two = articles[a].figure, articles[b].figure
        return { title = t(event.title), about = t(event.about), a = a,
                 b = b, other = other, a_source = source_of(a),
                 b_source = source_of(b), a_author = author(a),
                 b_author = author(b), figure = one,
                 difference = math.abs(one - two),
                 wrong = math.abs(one - articles[other].figure) }
    end,
    clauses = function(fact, answer)
        return {
            { "one_read", unfolded(fact.a) },
            { "other_read", unfolded(fact.b) },
            { "answered", number_in(answer) == fact.difference },
        }
    end,
}

-- ---- what was read yesterday ----

truths.yesterday = {
    facts = function()
        local read = table.filter(news.history, function(one)
            return one.days == 1
        end)
        local id = random("yesterday task").pick(read).id
        local event = events[articles[id].event]
        local twin = table.filter(event.reports, function(other)
            return other ~= id
        end)[1]
        return { title = t(event.title), about = t(event.about), id = id,
                 headline = title(id), author = author(id), twin = twin,
                 twin_headline = title(twin), unrelated = news.history[1].id }
    end,
    clauses = function(fact)
        local state = ended("news")
        local kept = last("news.collect " .. fact.id)
        return {
            { "history_seen", saw("news", kept, "history") },
            { "collected", collected(state, fact.id) },
            { "nothing_else", nothing_else(state, fact.id) },
        }
    end,
}

-- ---- columns ----

local function column_name(id)
    return t(table.filter(news.columns, function(one)
        return one.id == id
    end)[1])
end

truths.columns = {
    facts = function()
        local chosen = news.chosen
        local others = random("columns task").shuffle(
            table.filter(ids(news.columns), function(id)
                return not table.has(chosen, id)
            end))
        local first, drop, add = chosen[3], chosen[5], others[1]
        return { first = first, drop = drop, add = add, other = chosen[4],
                 more = others[2], first_name = column_name(first),
                 drop_name = column_name(drop), add_name = column_name(add),
                 other_name = column_name(chosen[4]) }
    end,
    clauses = function(fact)
        local state = ended("news")
        local list = state and state.columns or {}
        local others = table.filter(news.chosen, function(id)
            return id ~= fact.drop
        end)
        return {
            { "first", list[1] == fact.first },
            { "dropped", state and not table.has(list, fact.drop) },
            { "added", table.has(list, fact.add) },
            { "others_kept", not state or keeps(list, others) },
        }
    end,
}

-- ---- comments ----

local replies = {
    { en = "I see it the same way", zh = "我也是这么看的" },
    { en = "Where did you read that?", zh = "你是在哪儿看到的？" },
    { en = "Give it a little time", zh = "再给点时间吧" },
    { en = "Greetings from next door", zh = "隔壁城市路过" },
}

-- A comment from a place that no other comment on the article is from.
local function rare_comment(r, article)
    local list = news.comments_of(article)
    return r.pick(table.filter(list, function(one)
        return #table.filter(list, function(other)
            return other.from == one.from
        end) == 1
    end)), list
end

truths.reply = {
    facts = function()
        local r = random("reply task")
        local id = big_event(r).reports[1]
        local comment, list = rare_comment(r, id)
        local other = list[1] == comment and list[2] or list[1]
        local event = events[articles[id].event]
        return { title = t(event.title), about = t(event.about), id = id,
                 source = source_of(id), town = t(comment.from),
                 comment = comment.id, who = t(comment.who),
                 other = other.id, other_who = t(other.who),
                 text = t(r.pick(replies)),
                 other_text = t{ en = "Thanks", zh = "谢谢" } }
    end,
    clauses = function(fact)
        local state = ended("news")
        local mine = state and state.mine or {}
        local right = table.filter(mine, function(one)
            return one.about == fact.id and one.parent == fact.comment
        end)
        local liked = state and state.liked_comments or {}
        return {
            { "liked", table.has(liked, fact.id .. " " .. fact.comment) },
            { "replied", #right > 0 },
            { "text", #right == 0 or says(right[1].text, fact.text) },
            { "nothing_else", #mine <= 1 and #liked <= 1 },
        }
    end,
}

truths.newest = {
    facts = function()
        local id = big_event(random("newest task")).reports[2]
        local list = news.comments_of(id)
        local hottest = table.sort(table.copy(list), falling("likes"))[1]
        local by_time = table.sort(list, function(a, b)
            return a.minutes < b.minutes
        end)
        local event = events[articles[id].event]
        return { title = t(event.title), about = t(event.about), id = id,
                 source = source_of(id), author = author(id),
                 who = t(by_time[1].who), likes = by_time[1].likes,
                 comment = by_time[1].id, count = #list,
                 hottest_likes = hottest.likes,
                 second_likes = by_time[2].likes }
    end,
    clauses = function(fact, answer)
        return {
            { "newest_seen", held("news", function(app)
                return on_screen(app, "comments", fact.id) and
                       (app.state.comment_order == "time" or
                        app.state.comments_shown >= fact.count)
            end) },
            { "answered", number_in(answer) == fact.likes },
        }
    end,
}

-- ---- how much a source has published ----

truths.recent = {
    facts = function()
        local r = random("recent task")
        local counts = table.map(sources, function(source)
            local written = news.written_by(source.id)
            return { source = source, all = #written,
                     new = #table.filter(written, function(one)
                         return one.age <= 1440
                     end) }
        end)
        local one = r.pick(table.filter(counts, function(count)
            return count.new > 1 and count.new < count.all
        end))
        return { source = t(one.source.name), id = one.source.id,
                 followers = grouped(one.source.followers),
                 count = one.new, all = one.all,
                 other = one.source.id % #sources + 1 }
    end,
    clauses = function(fact, answer)
        local name = sources[fact.id].name
        return {
            { "looked_up", held("news", function(app)
                local state = app.state
                return on_screen(app, "source", fact.id) or
                       on_screen(app, "results") and
                       state.filter.time == "day" and
                       (says(state.query, name.en) or
                        says(state.query, name.zh))
            end) },
            { "answered", number_in(answer) == fact.count },
        }
    end,
}

-- ---- the most watched video ----

local function most_read_in(column)
    return table.sort(table.filter(articles, function(one)
        return one.column == column.id
    end), falling("reads"))
end

local function videos_among(list)
    return table.filter(list, function(one) return one.look == "video" end)
end

truths.video = {
    facts = function()
        -- All videos of one source are compared by looking for that source.
        local columns = table.filter(news.columns, function(column)
            local videos = videos_among(most_read_in(column))
            return videos[1].source ~= videos[2].source
        end)
        local column = random("video task").pick(columns)
        local of = most_read_in(column)
        local videos = videos_among(of)
        local first, second = videos[1], videos[2]
        local text = table.filter(of, function(one)
            return one.look ~= "video"
        end)[1]
        return { column = t(column), column_id = column.id, id = first.id,
                 headline = t(first.title), author = t(first.author),
                 source = source_of(first.id), source_id = first.source,
                 second = second.id, second_author = t(second.author),
                 text = text.id }
    end,
    clauses = function(fact)
        local state = ended("news")
        local videos = ids(table.filter(articles, function(one)
            return one.column == fact.column_id and one.look == "video"
        end))
        local liked = last("news.like " .. fact.id)
        return {
            { "compared", held("news", function(app)
                return lists(app, videos, "reads")
            end, liked) or all_seen(liked, "article", videos) },
            { "liked", state and table.has(state.likes, fact.id) },
            { "nothing_else", not state or only(state.likes, {}, fact.id) },
        }
    end,
}

-- ---- nothing more by a source ----

truths.block = {
    facts = function()
        local feed = table.filter(table.sort(table.copy(articles),
                                             falling("score")),
            function(one) return #news.written_by(one.source) > 1 end)
        local article = feed[random("block task").int(3, 7)]
        local second = table.filter(news.written_by(article.source),
            function(one) return one.id ~= article.id end)[1]
        local other = table.filter(feed, function(one)
            return one.source ~= article.source
        end)[1]
        return { source = source_of(article.id), source_id = article.source,
                 id = article.id, second = second.id,
                 column = article.column, other = other.id,
                 other_source = other.source }
    end,
    clauses = function(fact)
        local state = ended("news")
        local gone = state and state.hidden_sources or {}
        return {
            { "hidden", table.has(gone, fact.source_id) },
            { "nothing_else", only(gone, {}, fact.source_id) and
              (not state or #state.hidden == 0) },
        }
    end,
}

-- ---- alerts of the largest source ----

truths.alerts = {
    facts = function()
        local list = table.sort(table.map(news.follows, function(one)
            return sources[one.id]
        end), falling("followers"))
        local fact = { source = t(list[1].name) }
        for place, key in ipairs{ "a", "b", "c", "d" } do
            local source = list[place]
            fact[key], fact[key .. "_name"] = source.id, t(source.name)
            fact[key .. "_short"] = shortened(source.followers)
            fact[key .. "_full"] = grouped(source.followers)
        end
        return fact
    end,
    clauses = function(fact)
        local state = ended("news")
        local switched = last("news.alerts " .. fact.a .. " true")
        local on = table.map(table.filter(state and state.follows or {},
            function(one) return one.alerts end),
            function(one) return one.id end)
        return {
            { "compared", saw("news", switched, "manage") or
              all_seen(switched, "source", ids(news.follows)) },
            { "alerts", table.has(on, fact.a) },
            { "nothing_else", only(on, {}, fact.a) },
        }
    end,
}

-- ---- one or two steps ----

truths.letters = {
    facts = function() return {} end,
    clauses = function()
        local state = ended("news")
        return { { "largest", state and state.size == "huge" } }
    end,
}

truths.forget = {
    facts = function() return { kept = news.collection[1] } end,
    clauses = function()
        local state = ended("news")
        return {
            { "forgotten", state and #state.history == 0 },
            { "collection_kept", not state or
              keeps(state.collected, news.collection) },
        }
    end,
}

return truths
