-- News: a feed in columns that can be edited, a hot list, articles with
-- comments, sources to follow, search, a collection and what was read.

local words = include("news_words")
local catalog = include("news_content")
local parts = include("news_parts")
local sources, articles, events = catalog.sources, catalog.articles,
                                  catalog.events

local FEED = 8 -- articles loaded at a time
local RESULTS = 7
local COMMENTS = 6
local BREAKING_EACH = 3 -- articles between two that are interrupted

-- ---- the state ----

local function no_filter()
    return { sort = "relevance", time = "any", kind = "any" }
end

local function first_state()
    return { base = math.floor(now()) // 60, tab = "home", column = "for_you",
        columns = table.copy(catalog.chosen), editing = false,
        feed_shown = FEED, followed_shown = FEED, hidden = {}, hidden_sources = {}, hidden_ads = {},
        typed = "", query = "", recent = {}, shown = RESULTS,
        part = "results", filter = no_filter(), draft = no_filter(),
        unfolded = {}, opened = 0, breaking = 0,
        likes = {}, collected = table.copy(catalog.collection), shared = {},
        follows = table.copy(catalog.follows),
        history = table.copy(catalog.history),
        comment_order = "hot", comments_shown = COMMENTS, writing = "",
        mine = {}, next_comment = 1, liked_comments = {},
        selecting = false, chosen = {},
        size = "normal", autoplay = true, personal = true,
        notify = { all = false, breaking = true, following = true,
                   picks = true, replies = true, rewards = true },
        quiet = { on = false, from = 22, to = 7 } }
end

-- ---- finding ----

local function has(list, value)
    return table.index(list, value) ~= nil
end

local function falling(field)
    return function(a, b) return a[field] > b[field] end
end

local function by_age(a, b) return a.age < b.age end

local function is_hidden(state, article)
    return has(state.hidden, article.id) or
           has(state.hidden_sources, article.source)
end

-- The articles of a column.
local function feed_of(state, column)
    local list = table.filter(articles, function(article)
        return not is_hidden(state, article) and
               (column == "for_you" or article.column == column)
    end)
    return table.sort(list, falling("score"))
end

local function written_by(source)
    return table.sort(table.filter(articles, function(article)
        return article.source == source
    end), by_age)
end

local function followed_articles(state)
    return table.sort(table.filter(articles, function(article)
        return parts.follow_of(state, article.source) ~= nil
    end), by_age)
end

local function text_of(article)
    local name = sources[article.source].name
    local column = parts.column_name(article.column)
    local all = { article.title.en, article.title.zh, name.en, name.zh,
                  column.en, column.zh }
    return table.concat(all, " "):lower()
end

local orders = { relevance = falling("score"), reads = falling("reads"),
                 time = by_age }
local oldest = { any = math.huge, day = 1440, week = 3 * 1440 }

local function fits(filter, article)
    return article.age <= oldest[filter.time] and
           (filter.kind == "any" or
            (filter.kind == "video") == (article.look == "video"))
end

local function found(query, filter)
    local has_words = market.finder(query)
    return table.sort(table.filter(articles, function(article)
        return has_words(text_of(article)) and fits(filter, article)
    end), orders[filter.sort])
end

local function found_sources(query)
    local has_words = market.finder(query)
    return table.filter(sources, function(source)
        return has_words((source.name.en .. " " .. source.name.zh):lower())
    end)
end

-- The comments on an article, one's own first.
local function comments_on(state, article, order)
    local list = catalog.comments_of(article)
    table.sort(list, order == "hot" and falling("likes") or
        function(a, b) return a.minutes < b.minutes end)
    return table.join(discussion.own(state, article, 0), list)
end

-- ---- handlers: browsing ----

local handlers = {}

function handlers.turn_on(state)
    state.notify.all = true
    back()
end

function handlers.not_now() back() end

function handlers.tab(state, name) state.tab = name end

function handlers.column(state, id)
    state.column, state.feed_shown = id, FEED
end

handlers.more_feed = loads_more("feed_shown", FEED, #articles)
handlers.more_followed = loads_more("followed_shown", FEED, #articles)
handlers.more = loads_more("shown", RESULTS, #articles)
handlers.more_comments = loads_more("comments_shown", COMMENTS, 11)

function handlers.hide(state, id)
    table.insert(state.hidden, id)
    back()
    snack(words.hidden)
end

function handlers.hide_source(state, id)
    table.insert(state.hidden_sources, id)
    back()
    snack(words.hidden)
end

function handlers.hide_ad(state, number)
    table.insert(state.hidden_ads, number)
end

function handlers.topic(_, event) go("topic", event) end

-- ---- handlers: columns ----

function handlers.start_columns(state)
    state.editing = false
    go("columns")
end

function handlers.edit_columns(state, on) state.editing = on end

function handlers.open_column(state, id)
    handlers.column(state, id)
    state.tab = "home"
    back()
end

function handlers.add_column(state, id) table.insert(state.columns, id) end

function handlers.drop_column(state, id)
    table.remove(state.columns, table.index(state.columns, id))
    if state.column == id then
        handlers.column(state, "for_you")
    end
end

function handlers.move_column(state, id, to)
    table.remove(state.columns, table.index(state.columns, id))
    table.insert(state.columns, to, id)
end

-- ---- handlers: search ----

market.add_search_handlers(handlers)

function handlers.search(state, text)
    state.query = text:trim()
    if state.query == "" then
        return
    end
    state.typed, state.shown, state.part = state.query, RESULTS, "results"
    state.filter = no_filter()
    state.recent = market.remember(state.recent, state.query)
    home("results")
end

function handlers.part(state, name) state.part = name end

function handlers.start_filters(state)
    state.draft = table.copy(state.filter)
    go("filters")
end

function handlers.pick(state, part, value) state.draft[part] = value end
function handlers.reset(state) state.draft = no_filter() end

function handlers.apply(state)
    state.filter, state.shown = table.copy(state.draft), RESULTS
    back()
end

-- ---- handlers: an article ----

local function remember(state, id)
    state.history = table.filter(state.history, function(one)
        return one.id ~= id
    end)
    table.insert(state.history, 1, { id = id, days = 0 })
end

function handlers.open(state, id)
    state.opened = state.opened + 1
    state.breaking = state.opened % BREAKING_EACH == 2 and
                     events[catalog.hot[1]].reports[1] or 0
    remember(state, id)
    go("article", id)
end

function handlers.close_breaking(state) state.breaking = 0 end
function handlers.unfold(state, id) table.insert(state.unfolded, id) end
function handlers.like(state, id) table.toggle(state.likes, id) end

function handlers.collect(state, id)
    local at = table.index(state.collected, id)
    if at then
        table.remove(state.collected, at)
    else
        table.insert(state.collected, 1, id)
    end
    snack(at and words.uncollected or words.collected_now)
end

function handlers.share(state, id, how)
    table.insert(state.shared, { id = id, how = how })
    back()
    snack(how == "link" and words.link_copied or words.shared)
end

function handlers.report(_, id, why)
    event("reported", id, why)
    back()
    snack(words.reported)
end

function handlers.size(state, size)
    state.size = size
    back()
end

-- ---- handlers: comments ----

discussion.add_handlers(handlers, { order = "hot", step = COMMENTS,
                                    send = "post", sent = words.posted })

-- ---- handlers: sources ----

function handlers.source(_, id) go("source", id) end

function handlers.follow(state, id)
    table.insert(state.follows, { id = id, alerts = false })
end

function handlers.unfollow(state, id)
    local _, place = parts.follow_of(state, id)
    table.remove(state.follows, place)
    back()
    snack(words.unfollowed)
end

function handlers.alerts(state, id, on)
    parts.follow_of(state, id).alerts = on
end

-- ---- handlers: the account ----

function handlers.collection(state)
    state.selecting, state.chosen = false, {}
    go("collection")
end

function handlers.select(state, on)
    state.selecting, state.chosen = on, {}
end

function handlers.choose(state, id) table.toggle(state.chosen, id) end

function handlers.remove_chosen(state)
    state.collected = table.filter(state.collected, function(id)
        return not has(state.chosen, id)
    end)
    state.selecting, state.chosen = false, {}
    snack(words.uncollected)
end

function handlers.clear_history(state)
    state.history = {}
    back()
end

function handlers.autoplay(state, on) state.autoplay = on end
function handlers.personal(state, on) state.personal = on end
function handlers.notify(state, part, on) state.notify[part] = on end
function handlers.quiet(state, on) state.quiet.on = on end

function handlers.quiet_hour(state, part, hour)
    state.quiet[part] = hour
    back()
end

-- ---- the home tab ----

-- A bar at the top, coloured in the light theme and subdued in the dark one.
local function top_bar(made)
    local dark = display().dark
    made.width, made.height, made.down = "fill", 60, "center"
    made.background = dark and "surface_container_high" or "primary"
    return row(made)
end

local function bar_ink()
    return display().dark and "on_surface" or "on_primary"
end

local function home_header()
    local r = random("hint")
    return top_bar{ padding_left = 16, padding_right = 4, gap = 10,
        text{ words.app, style = "title_large", font = "bold",
            ink = bar_ink() },
        row{ weight = 1, height = 38, radius = 19, down = "center", gap = 8,
            background = "surface", padding_left = 12, padding_right = 12,
            id = "search_bar", description = words.search,
            on_click = "start_search",
            icon{ icon = "search", width = 18, height = 18,
                ink = "on_surface_variant" },
            quiet(events[r.pick(catalog.hot)].title, "search_hint",
                  { lines = 1, style = "body_medium" }) },
        icon_button{ icon = "bell", id = "open_notifications",
            ink = bar_ink(), description = words.notifications,
            on_click = { "go", "notifications" } } }
end

local function column_label(state, id)
    local chosen = state.column == id
    local name = id == "for_you" and words.for_you or parts.column_name(id)
    return column{ key = id, id = "column_" .. id, across = "center",
        padding_left = 10, padding_right = 10, padding_top = 10, gap = 6,
        height = 44, selected = chosen, on_click = { "column", id },
        text{ name, style = "title_medium", font = chosen and "bold" or nil,
            ink = chosen and "primary" or "on_surface_variant" },
        space{ width = 20, height = 3, radius = 2,
            background = chosen and "primary" or nil } }
end

local function column_strip(state)
    return row{ width = "fill", down = "center",
        carousel{ weight = 1, height = 46, id = "column_strip",
            padding_left = 6,
            column_label(state, "for_you"),
            table.map(state.columns, function(id)
                return column_label(state, id)
            end) },
        icon_button{ icon = "menu", id = "edit_columns",
            description = words.edit_columns, on_click = "start_columns" } }
end

local function is_read(state, id)
    return #table.filter(state.history, function(one)
        return one.id == id
    end) > 0
end

-- The newest report on the hottest event.
local function pinned_card(state)
    local article = articles[events[catalog.hot[1]].reports[1]]
    return not is_hidden(state, article) and
        parts.article_card(article, { pinned = true, look = "text",
                                      key = "pinned",
                                      read = is_read(state, article.id) }) or
        false
end

-- An advertisement follows each fourth article.
local function feed_cards(state)
    local feed, cards = feed_of(state, state.column), {}
    for place = 1, math.min(state.feed_shown, #feed) do
        local article = feed[place]
        cards[#cards + 1] = parts.article_card(article,
            { menu = true, read = is_read(state, article.id) })
        if place % 4 == 2 and not has(state.hidden_ads, place) then
            cards[#cards + 1] = { parts.ad_card(place), divider{} }
        end
    end
    if state.feed_shown >= #feed then
        cards[#cards + 1] = row{ width = "fill", padding = 24,
            across = "center", quiet(words.end_of_feed, "end_of_feed") }
    end
    return cards
end

local function home_tab(state)
    return { home_header(), column_strip(state), divider{},
        list{ weight = 1, id = "feed", key = "feed " .. state.column,
            on_scroll = "more_feed",
            state.column == "for_you" and pinned_card(state) or false,
            feed_cards(state) } }
end

-- ---- the other tabs ----

local function hot_tab(state)
    local rows = {}
    for rank, id in ipairs(catalog.hot) do
        rows[#rows + 1] = parts.hot_row(rank, id)
        if rank % 6 == 3 then
            rows[#rows + 1] = parts.hot_ad(200 + rank)
        end
    end
    return { list{ weight = 1, id = "hot_list",
        column{ width = "fill", padding = 20, padding_top = 28, gap = 4,
            background = display().dark and "surface_container_high" or
                "primary",
            text{ words.hot_title, style = "headline_large", font = "bold",
                ink = bar_ink() },
            text{ words.hot_note, style = "body_medium", ink = bar_ink() },
            text{ string.format(t(words.updated),
                                dates.time(state.base % 1440)),
                style = "label_medium", ink = bar_ink() } },
        rows } }
end

local function following_tab(state)
    local latest = followed_articles(state)
    local shown = { table.unpack(latest, 1,
                                 math.min(state.followed_shown, #latest)) }
    return { row{ width = "fill", height = 60, down = "center",
            padding_left = 16, padding_right = 4,
            text{ words.following, weight = 1, style = "headline_small",
                font = "bold" },
            text_button{ words.manage, id = "manage",
                on_click = { "go", "manage" } } },
        carousel{ gap = 6, height = 92, padding_left = 12,
            padding_right = 12, id = "source_strip",
            table.map(state.follows, function(one)
                return column{ width = 78, gap = 6, across = "center",
                    id = "strip_source", key = "s" .. one.id, padding = 4,
                    on_click = { "source", one.id },
                    parts.source_sign(one.id, 52),
                    text{ sources[one.id].name, style = "label_small",
                        lines = 1, text_align = "center" } }
            end) },
        list{ weight = 1, id = "followed_list", gap = 12,
            on_scroll = "more_followed",
            padding_left = 12, padding_right = 12, padding_bottom = 16,
            #state.follows == 0 and text{ words.empty, padding = 24 } or
            { quiet(words.latest_of, nil, { style = "title_small",
                                            padding_top = 8 }),
              table.map(shown, parts.post) } } }
end

local function counter(number, label, id, action)
    return column{ weight = 1, across = "center", gap = 2, padding = 6,
        id = id, on_click = action,
        text{ number, id = id .. "_count", style = "title_large",
            font = "bold" },
        quiet(label, nil, { style = "label_medium", lines = 1 }) }
end

-- The last articles that were read.
local function read_on(state)
    return #state.history > 0 and {
        space{ width = "fill", height = 8,
            background = "surface_container" },
        text{ words.read_on, style = "title_medium", padding = 16,
            padding_bottom = 4 },
        table.map({ table.unpack(state.history, 1,
                                 math.min(3, #state.history)) },
                  function(one)
            return parts.article_card(articles[one.id], { look = "side" })
        end) } or false
end

local function me_tab(state)
    return { list{ weight = 1, id = "me_list",
        row{ width = "fill", gap = 16, padding = 20, padding_top = 28,
            down = "center",
            row{ width = 64, height = 64, radius = 32, across = "center",
                down = "center", background = "primary_container",
                icon{ icon = "person", width = 36, height = 36,
                    ink = "on_primary_container" } },
            column{ weight = 1, gap = 2,
                text{ words.name, style = "headline_small" },
                quiet(string.format(t(words.days_read),
                                    random("days read").int(40, 900))) } },
        row{ width = "fill", padding_left = 12, padding_right = 12,
            counter(#state.collected, words.collection, "collection",
                    "collection"),
            counter(#state.history, words.history, "history",
                    { "go", "history" }),
            counter(#state.mine, words.my_comments, "my_comments",
                    { "go", "my_comments" }),
            counter(#state.likes, words.likes, "likes",
                    { "go", "likes" }) },
        space{ width = "fill", height = 8,
            background = "surface_container" },
        item{ words.notifications, icon = "bell", id = "notifications_row",
            on_click = { "go", "notifications" },
            icon{ icon = "right", width = 24, height = 24 } },
        item{ words.size, icon = "font_size", id = "size_row",
            detail = words["size_" .. state.size],
            on_click = { "go", "size" } },
        item{ words.following, icon = "people", id = "manage_row",
            on_click = { "go", "manage" },
            icon{ icon = "right", width = 24, height = 24 } },
        item{ words.settings, icon = "gear", id = "settings_row",
            on_click = { "go", "settings" },
            icon{ icon = "right", width = 24, height = 24 } },
        read_on(state) } }
end

local tabs_of = { home = home_tab, hot = hot_tab, following = following_tab,
                  me = me_tab }

-- ---- screens: browsing ----

local screens = {}

function screens.main(state)
    return page{ tabs_of[state.tab](state),
        market.tab_bar(words, state.tab,
            { "home", "hot", "following", "me" },
            { home = "home", hot = "chart", following = "people",
              me = "person" }) }
end

function screens.ask_alerts()
    return dialog{ title = words.ask_title, id = "ask_alerts", modal = true,
        message = words.ask_message,
        buttons = { { words.not_now, id = "not_now", on_click = "not_now" },
                    { words.turn_on, id = "turn_on",
                      on_click = "turn_on" } } }
end

function screens.sponsor(_, number)
    local ad = parts.advertiser(number)
    return page{ title = ad.brand,
        column{ width = "fill", weight = 1,
            art{ art = ad.art, seed = ad.seed, width = "fill", height = 320,
                radius = 0 },
            column{ width = "fill", gap = 12, padding = 24,
                text{ ad.brand, id = "brand", style = "headline_medium" },
                text{ ad.offer, style = "title_medium" },
                quiet(words.ad_page, nil, { style = "body_medium" }),
                button{ words.close, id = "close_ad", style = "outlined",
                    on_click = "back" } } } }
end

function screens.less(_, id)
    local article = articles[id]
    local source = sources[article.source].name
    return sheet{ id = "less_sheet", title = words.less_like_this,
        text{ article.title, style = "body_medium", padding_left = 16,
            padding_right = 16, padding_bottom = 8,
            ink = "on_surface_variant" },
        item{ words.less_like_this, icon = "eye_off", id = "hide",
            on_click = { "hide", id } },
        item{ string.format(t(words.less_from), t(source)), icon = "close",
            id = "hide_source",
            on_click = { "hide_source", article.source } },
        item{ words.report, icon = "warning", id = "report",
            on_click = { "replace", "report", id } } }
end

function screens.report(_, id)
    return sheet{ id = "report_sheet", title = words.report,
        table.map({ "mistake", "title", "old" }, function(why)
            return item{ words["report_" .. why], id = "report_" .. why,
                on_click = { "report", id, why } }
        end) }
end

function screens.topic(_, id)
    local event = events[id]
    local reports = table.sort(table.map(event.reports, function(one)
        return articles[one]
    end), falling("reads"))
    return page{ title = words.topic,
        list{ weight = 1, id = "topic_list",
            column{ width = "fill", gap = 8, padding = 20,
                background = "surface_container",
                text{ "# " .. t(event.title), id = "topic_title",
                    style = "headline_small", font = "bold" },
                text{ string.format(t(words.heat), grouped(event.heat)),
                    id = "topic_heat", style = "title_medium",
                    ink = "error" },
                quiet(string.format(t(words.reports), #reports)) },
            table.map(reports, function(article)
                local reads = string.format(t(words.reads),
                                            grouped(article.reads))
                return parts.article_card(article, { look = "side",
                    detail = t(sources[article.source].name) .. " · " ..
                             reads .. " · " .. parts.ago(article.age) })
            end) } }
end

-- ---- screens: columns ----

local function column_chip(id, handler, description, sign)
    return chip{ parts.column_name(id), key = id, id = handler .. "_" .. id,
        icon = sign, description = description,
        on_click = { handler, id } }
end

local function column_text(format, id)
    return string.format(t(format), t(parts.column_name(id)))
end

local function edited_column(state, place, id)
    return row{ width = "fill", height = 56, down = "center", key = id,
        id = "edited_column", padding_left = 16, padding_right = 4,
        text{ place, width = 28, style = "label_large",
            ink = "on_surface_variant" },
        text{ parts.column_name(id), weight = 1, style = "title_medium" },
        icon_button{ icon = "up", id = "earlier", disabled = place == 1,
            description = column_text(words.earlier, id),
            on_click = { "move_column", id, place - 1 } },
        icon_button{ icon = "down", id = "later",
            disabled = place == #state.columns,
            description = column_text(words.later, id),
            on_click = { "move_column", id, place + 1 } },
        icon_button{ icon = "minus", id = "drop", ink = "error",
            description = column_text(words.drop, id),
            on_click = { "drop_column", id } } }
end

local function my_columns(state)
    if state.editing then
        return table.map(state.columns, function(id)
            return edited_column(state, table.index(state.columns, id), id)
        end)
    end
    return flow{ gap = 8, width = "fill", padding = 16,
        table.map(state.columns, function(id)
            return column_chip(id, "open_column")
        end) }
end

function screens.columns(state)
    local others = table.filter(table.map(catalog.columns, function(one)
        return one.id
    end), function(id) return not has(state.columns, id) end)
    return page{ title = words.edit_columns,
        list{ weight = 1, id = "column_list",
            row{ width = "fill", down = "center", padding_left = 16,
                padding_right = 8,
                column{ weight = 1,
                    text{ words.my_columns, style = "title_large" },
                    quiet(words.columns_hint) },
                text_button{ state.editing and words.done or words.edit,
                    id = "edit",
                    on_click = { "edit_columns", not state.editing } } },
            my_columns(state), divider{},
            text{ words.more_columns, style = "title_large", padding = 16,
                padding_bottom = 0 },
            flow{ gap = 8, width = "fill", padding = 16,
                table.map(others, function(id)
                    return column_chip(id, "add_column",
                                       column_text(words.add, id), "add")
                end) } } }
end

-- ---- screens: search ----

-- The hottest events, in two columns below the recent searches.
local function trending()
    return column{ width = "fill", padding = 16, gap = 8,
        text{ words.trending, style = "title_small" },
        grid{ columns = 2, width = "fill", gap = 4,
            table.map({ 1, 2, 3, 4, 5, 6 }, function(rank)
                local id = catalog.hot[rank]
                return row{ id = "trend", key = "t" .. id, gap = 8,
                    padding_top = 8, padding_bottom = 8, down = "center",
                    on_click = { "topic", id },
                    text{ rank, style = "label_large", font = "bold",
                        ink = rank <= 3 and "error" or
                            "on_surface_variant" },
                    text{ events[id].title, weight = 1, lines = 1,
                        id = "trend_title", style = "body_medium" } }
            end) } }
end

function screens.search(state)
    return market.search_page(words, state, { icon = "time",
        autofocus = true,
        button = text_button{ words.find, id = "search_button",
            on_click = { "search", state.typed } },
        below = trending() })
end

local function result_cards(state)
    local list = found(state.query, state.filter)
    local cards = { parts.hot_ad(300) }
    for place = 1, math.min(state.shown, #list) do
        cards[#cards + 1] = parts.article_card(list[place], {
            look = list[place].look == "video" and "video" or "side" })
    end
    if #list == 0 then
        cards[#cards + 1] = text{ words.none, id = "no_results",
            padding = 32 }
    end
    return cards
end

local function result_sources(state)
    local list = found_sources(state.query)
    return #list > 0 and table.map(list, function(source)
        return parts.source_row(state, source.id)
    end) or text{ words.none, id = "no_results", padding = 32 }
end

local function is_filtered(filter)
    return filter.sort ~= "relevance" or filter.time ~= "any" or
           filter.kind ~= "any"
end

local function filter_line(filter)
    local said = {}
    for _, part in ipairs{ "sort", "time", "kind" } do
        if filter[part] ~= "any" and filter[part] ~= "relevance" then
            said[#said + 1] = t(words[part .. "_" .. filter[part]])
        end
    end
    return row{ width = "fill", padding_left = 16, padding_top = 8,
        quiet(table.concat(said, " · "), "active_filters") }
end

function screens.results(state)
    local articles_part = state.part == "results"
    return page{
        top_bar{ padding_right = 4,
            icon_button{ icon = "back", on_click = "back",
                ink = bar_ink(),
                description = { en = "Navigate up", zh = "转到上一层级" } },
            row{ weight = 1, height = 38, radius = 19, down = "center",
                background = "surface", id = "search_bar",
                padding_left = 16, padding_right = 16,
                on_click = "start_search",
                text{ state.query, id = "query", lines = 1 } },
            icon_button{ icon = "filter", id = "open_filters",
                ink = bar_ink(), description = words.filters,
                on_click = "start_filters" } },
        tabs{ table.map({ "results", "sources" }, function(name)
            return tab{ words[name], id = "part_" .. name,
                selected = state.part == name,
                on_click = { "part", name } }
        end) },
        articles_part and is_filtered(state.filter) and
            filter_line(state.filter) or false,
        list{ weight = 1, id = "results", on_scroll = "more",
            key = state.part .. state.query .. state.filter.sort ..
                  state.filter.time .. state.filter.kind,
            articles_part and result_cards(state) or
                result_sources(state) } }
end

local function filter_part(state, part, values)
    return { text{ words[part], style = "title_small", padding_left = 16,
                   padding_top = 12, padding_bottom = 6 },
        flow{ gap = 8, width = "fill", padding_left = 16, padding_right = 16,
            table.map(values, function(value)
                return chip{ words[part .. "_" .. value], checkable = true,
                    id = part .. "_" .. value,
                    checked = state.draft[part] == value,
                    on_click = { "pick", part, value } }
            end) } }
end

function screens.filters(state)
    return sheet{ title = words.filters, id = "filter_sheet",
        filter_part(state, "sort", { "relevance", "time", "reads" }),
        filter_part(state, "time", { "any", "day", "week" }),
        filter_part(state, "kind", { "any", "text", "video" }),
        row{ width = "fill", across = "end", gap = 8, padding = 16,
            text_button{ words.reset, id = "reset", on_click = "reset" },
            button{ words.apply, id = "apply", style = "filled",
                on_click = "apply" } } }
end

-- ---- screens: an article ----

local sizes = { small = 15, normal = 17, large = 20, huge = 24 }
local size_names = { "small", "normal", "large", "huge" }

local function source_line(state, article)
    local source = sources[article.source]
    return row{ width = "fill", gap = 10, down = "center",
        id = "article_source", on_click = { "source", source.id },
        parts.source_sign(source.id, 40),
        column{ weight = 1,
            text{ source.name, id = "source_name", style = "title_small",
                lines = 1 },
            quiet(t(article.author) .. " · " ..
                  parts.published(state.base, article), "byline",
                  { lines = 2 }) },
        parts.follow_button(state, source.id) }
end

local function article_picture(article, number)
    return column{ width = "fill", gap = 4,
        art{ art = article.art, seed = article.seed + number,
            width = "fill", height = 200, radius = 4 },
        quiet(string.format(t(words.picture_of),
                            t(sources[article.source].name)), nil,
              { style = "label_small" }) }
end

local function paragraph(state, said)
    return text{ said, id = "paragraph", text_size = sizes[state.size],
        width = "fill" }
end

local function body(state, article)
    local open, folded = catalog.body_of(article.id)
    local function paragraphs(list)
        return table.map(list, function(said)
            return paragraph(state, said)
        end)
    end
    if not has(state.unfolded, article.id) then
        return { paragraphs(open),
            button{ words.read_all, icon = "down", id = "read_all",
                style = "tonal", width = "fill",
                on_click = { "unfold", article.id } } }
    end
    return { paragraphs(open),
        article.look == "three" and article_picture(article, 1) or false,
        paragraphs(folded) }
end

local function likes_of(state, article)
    return article.likes + (has(state.likes, article.id) and 1 or 0)
end

-- Articles of its column on other events.
local function related(article)
    local list = table.filter(articles, function(other)
        return other.event ~= article.event and
               other.column == article.column
    end)
    return { table.unpack(table.sort(list, falling("score")), 1,
                          math.min(4, #list)) }
end

local function like_description(liked, who)
    return string.format(t(liked and words.unlike_comment or
                           words.like_comment), t(who))
end

local function comment_like(state, article, comment)
    local liked = has(state.liked_comments, article .. " " .. comment.id)
    return column{ across = "center",
        icon_button{ icon = liked and "heart_full" or "heart",
            id = "like_comment", width = 36, height = 36,
            padding = 8,
            ink = liked and "error" or "outline",
            description = like_description(liked, comment.who),
            on_click = { "like_comment", article, comment.id } },
        quiet(grouped(comment.likes + (liked and 1 or 0)), "comment_likes",
              { style = "label_small" }) }
end

local function comment_text(comment)
    return column{ weight = 1, gap = 4,
        quiet(comment.who, "comment_who", { style = "label_large" }),
        text{ comment.text, id = "comment_text", style = "body_large" },
        quiet(t(comment.from) .. " · " .. parts.ago(comment.minutes),
              "comment_detail") }
end

local function own_comment(comment)
    return row{ width = "fill", gap = 12, padding = 16, id = "own_comment",
        key = "own" .. comment.id,
        parts.sign(words.you, 2, 36),
        column{ weight = 1, gap = 4,
            quiet(words.you, "comment_who", { style = "label_large" }),
            text{ comment.text, id = "comment_text", style = "body_large" },
            quiet(words.just_now, "comment_detail") },
        icon_button{ icon = "delete", id = "delete_comment",
            description = words.delete,
            on_click = { "go", "sure_delete", comment.id } } }
end

local function comment_row(state, article, comment)
    if comment.about then
        return own_comment(comment)
    end
    return column{ width = "fill", key = "c" .. comment.id,
        padding = 16, padding_bottom = 0,
        row{ width = "fill", gap = 12,
            parts.sign(comment.who, comment.id, 36), comment_text(comment),
            comment_like(state, article, comment) },
        row{ width = "fill", padding_left = 36, gap = 4, down = "center",
            text_button{ words.reply, id = "reply",
                on_click = { "thread", article, comment.id } },
            #comment.replies > 0 and text_button{
                #comment.replies == 1 and words.one_reply or
                    string.format(t(words.reply_count), #comment.replies),
                id = "replies",
                on_click = { "thread", article, comment.id } } or
                false } }
end

local function hot_comments(state, article)
    local list = comments_on(state, article.id, "hot")
    return { row{ width = "fill", down = "center", padding_left = 16,
            padding_right = 4,
            text{ t(words.comments) .. " " .. #list, weight = 1,
                style = "title_large" },
            icon_button{ icon = "right", id = "all_comments",
                description = words.comments,
                on_click = { "comments", article.id } } },
        table.map({ list[1], list[2] }, function(comment)
            return comment_row(state, article.id, comment)
        end) }
end

-- It takes the place of the buttons until it is closed.
local function breaking_bar(state)
    local article = articles[state.breaking]
    return row{ width = "fill", height = 72, gap = 12, down = "center",
        padding_left = 16, padding_right = 4, background = "error_container",
        id = "breaking", on_click = { "open", article.id },
        text{ words.breaking, style = "label_medium", font = "bold",
            ink = "on_error", background = "error", radius = 4,
            padding_left = 6, padding_right = 6 },
        text{ article.title, weight = 1, lines = 2, id = "breaking_title",
            style = "title_small", ink = "on_error_container" },
        icon_button{ icon = "close", id = "close_breaking",
            description = words.close, ink = "on_error_container",
            on_click = "close_breaking" } }
end

local function article_bar(state, article)
    local liked = has(state.likes, article.id)
    local kept = has(state.collected, article.id)
    return row{ width = "fill", height = 64, down = "center",
        padding_left = 16, padding_right = 4,
        background = "surface_container",
        row{ weight = 1, height = 40, radius = 20, down = "center", gap = 8,
            padding_left = 14, background = "surface", id = "write",
            on_click = { "comments", article.id },
            icon{ icon = "edit", width = 16, height = 16,
                ink = "on_surface_variant" },
            quiet(words.write_here, nil, { style = "body_medium",
                                           lines = 1 }) },
        icon_button{ icon = "comment", id = "open_comments",
            description = t(words.comments) .. " " ..
                #comments_on(state, article.id, "hot"),
            on_click = { "comments", article.id } },
        icon_button{ icon = kept and "star" or "star_empty", id = "collect",
            ink = kept and "tertiary" or nil,
            description = kept and words.uncollect or words.collect,
            on_click = { "collect", article.id } },
        icon_button{ icon = liked and "heart_full" or "heart", id = "like",
            ink = liked and "error" or nil,
            description = liked and words.unlike or words.like,
            on_click = { "like", article.id } },
        icon_button{ icon = "share", id = "share",
            description = words.share,
            on_click = { "go", "share", article.id } } }
end

function screens.article(state, id)
    local article = articles[id]
    return page{
        row{ width = "fill", height = 56, down = "center",
            icon_button{ icon = "back", on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            row{ weight = 1, across = "center",
                text{ parts.column_name(article.column),
                    style = "label_large", ink = "primary" } },
            icon_button{ icon = "more_across", id = "article_menu",
                description = words.more,
                on_click = { "go", "share", id } } },
        list{ weight = 1, id = "article_list", key = "article" .. id,
            column{ width = "fill", gap = 14, padding = 20, padding_top = 4,
                text{ article.title, id = "headline",
                    text_size = sizes[state.size] + 8, font = "bold",
                    width = "fill" },
                source_line(state, article),
                article.look ~= "text" and article_picture(article, 0) or
                    false,
                body(state, article),
                quiet(string.format(t(words.reads), grouped(article.reads))
                      .. " · ♥ " .. grouped(likes_of(state, article)),
                      "article_reads"),
                chip{ "# " .. t(events[article.event].title),
                    id = "article_topic",
                    on_click = { "topic", article.event } } },
            parts.hot_ad(400 + id),
            space{ width = "fill", height = 8,
                background = "surface_container" },
            text{ words.related, style = "title_large", padding = 16,
                padding_bottom = 4 },
            table.map(related(article), function(other)
                return parts.article_card(other, { look = "side" })
            end),
            hot_comments(state, article) },
        state.breaking > 0 and breaking_bar(state) or
            article_bar(state, article) }
end

local function share_tile(icon_name, label, id, action)
    return column{ weight = 1, across = "center", gap = 6, padding = 8,
        id = id, on_click = action,
        row{ width = 48, height = 48, radius = 24, across = "center",
            down = "center", background = "surface_container_highest",
            icon{ icon = icon_name, width = 24, height = 24 } },
        text{ label, style = "label_small", text_align = "center",
            lines = 2 } }
end

function screens.share(state, id)
    local kept = has(state.collected, id)
    return sheet{ title = words.share_title, id = "share_sheet",
        row{ width = "fill", padding_left = 8, padding_right = 8,
            share_tile("chat", words.share_friend, "share_friend",
                       { "share", id, "friend" }),
            share_tile("moments", words.share_circle, "share_circle",
                       { "share", id, "circle" }),
            share_tile("mail", words.share_mail, "share_mail",
                       { "share", id, "mail" }),
            share_tile("copy", words.share_link, "share_link",
                       { "share", id, "link" }) },
        divider{},
        row{ width = "fill", padding_left = 8, padding_right = 8,
            share_tile(kept and "star" or "star_empty",
                       kept and words.uncollect or words.collect,
                       "share_collect", { "collect", id }),
            share_tile("font_size", words.size, "share_size",
                       { "replace", "size" }),
            share_tile("eye_off", words.less_like_this, "share_less",
                       { "replace", "less", id }),
            share_tile("warning", words.report, "share_report",
                       { "replace", "report", id }) } }
end

function screens.size(state)
    return sheet{ title = words.size, id = "size_sheet",
        table.map(size_names, function(name)
            return parts.option(words["size_" .. name], "size_" .. name,
                                state.size == name, { "size", name })
        end) }
end

-- ---- screens: comments ----

local function writing_bar(state, hint, article, parent)
    return row{ width = "fill", down = "center", padding = 8, gap = 8,
        background = "surface_container",
        field{ text = state.writing, hint = hint, weight = 1,
            id = "comment_field", on_change = "write",
            on_submit = { "post", article, parent } },
        button{ words.post, id = "post", style = "filled",
            disabled = state.writing:trim() == "",
            on_click = { "post", article, parent } } }
end

function screens.comments(state, id)
    local all = comments_on(state, id, state.comment_order)
    local rows = {}
    for place = 1, math.min(state.comments_shown, #all) do
        rows[place] = comment_row(state, id, all[place])
    end
    return page{ title = t(words.comments) .. " " .. #all,
        row{ width = "fill", gap = 8, padding_left = 16, padding_bottom = 8,
            table.map({ "hot", "time" }, function(order)
                return chip{ order == "hot" and words.by_heat or
                        words.by_time, id = "order_" .. order,
                    checkable = true, checked = state.comment_order == order,
                    on_click = { "comment_order", order } }
            end) },
        divider{},
        list{ weight = 1, id = "comment_list", on_scroll = "more_comments",
            key = state.comment_order, rows },
        writing_bar(state, words.write_here, id, 0) }
end

function screens.thread(state, id, number)
    local comment = table.filter(catalog.comments_of(id), function(one)
        return one.id == number
    end)[1]
    local own = discussion.own(state, id, number)
    return page{ title = words.thread,
        list{ weight = 1, id = "reply_list",
            row{ width = "fill", gap = 12, padding = 16,
                background = "surface_container_low",
                parts.sign(comment.who, comment.id, 36),
                comment_text(comment), comment_like(state, id, comment) },
            table.map(own, own_comment),
            table.map(comment.replies, function(one)
                return row{ width = "fill", gap = 12, padding = 16,
                    padding_left = 40, parts.sign(one.who, 1, 28),
                    column{ weight = 1, gap = 2,
                        quiet(one.who, "reply_who",
                              { style = "label_large" }),
                        text{ one.text, id = "reply_text" } } }
            end) },
        writing_bar(state, t(words.reply) .. " " .. t(comment.who), id,
                    number) }
end

function screens.sure_delete(_, id)
    return dialog{ title = words.sure_delete, id = "delete_dialog",
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.delete, id = "confirm_delete",
                      on_click = { "delete_comment", id } } } }
end

-- ---- screens: sources ----

function screens.source(state, id)
    local source = sources[id]
    local follow = parts.follow_of(state, id)
    return page{ title = "",
        list{ weight = 1, id = "source_list",
            column{ width = "fill", across = "center", gap = 8,
                padding = 20, padding_top = 0,
                parts.source_sign(id, 80),
                text{ source.name, id = "source_title",
                    style = "headline_small", font = "bold" },
                quiet(source.motto, nil, { style = "body_medium" }),
                quiet(string.format(t(words.followers),
                                    grouped(source.followers)) ..
                      (source.verified and " · " .. t(words.verified) or ""),
                      "followers"),
                parts.follow_button(state, id) },
            follow and item{ words.alerts_of, icon = "bell",
                id = "alerts_row",
                switch{ checked = follow.alerts, id = "alerts",
                    description = words.alerts_of,
                    on_change = { "alerts", id } } } or false,
            divider{},
            table.map(written_by(id), function(article)
                return parts.article_card(article, { look = "side" })
            end) } }
end

function screens.sure_unfollow(_, id)
    return dialog{ title = words.unfollow, id = "unfollow_dialog",
        message = string.format(t(words.sure_unfollow), t(sources[id].name)),
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.unfollow, id = "confirm_unfollow",
                      on_click = { "unfollow", id } } } }
end

function screens.manage(state)
    return page{ title = words.following,
        list{ weight = 1, id = "manage_list",
            #state.follows == 0 and text{ words.empty, padding = 24 } or
            table.map(state.follows, function(one)
                return parts.source_row(state, one.id)
            end) } }
end

-- ---- screens: the account ----

local function chosen_row(state, id)
    return row{ width = "fill", down = "center", key = "k" .. id,
        id = "choice", padding_left = 8, on_click = { "choose", id },
        checkbox{ checked = has(state.chosen, id), clickable = false },
        column{ weight = 1, gap = 2, padding = 12,
            text{ articles[id].title, style = "title_small", lines = 2,
                id = "article_title" },
            quiet(sources[articles[id].source].name, "source_name") } }
end

function screens.collection(state)
    return page{ title = words.collection,
        actions = { #state.collected > 0 and text_button{
            state.selecting and words.done or words.select, id = "select",
            on_click = { "select", not state.selecting } } or false },
        list{ weight = 1, id = "collection_list",
            key = state.selecting and "selecting" or "reading",
            #state.collected == 0 and text{ words.empty, padding = 24 } or
            table.map(state.collected, function(id)
                return state.selecting and chosen_row(state, id) or
                       parts.article_card(articles[id], { look = "side" })
            end) },
        state.selecting and row{ width = "fill", padding = 12,
            background = "surface_container",
            button{ string.format(t(words.remove_chosen), #state.chosen),
                id = "remove_chosen", width = "fill", style = "danger",
                disabled = #state.chosen == 0,
                on_click = "remove_chosen" } } or false }
end

local function day_name(state, days)
    return days == 0 and t(words.today) or days == 1 and t(words.yesterday) or
           dates.medium(state.base // 1440 - days)
end

local function history_rows(state)
    local rows, day = {}, -1
    for _, one in ipairs(state.history) do
        if one.days ~= day then
            day = one.days
            rows[#rows + 1] = text{ day_name(state, day), id = "history_day",
                style = "title_small", padding = 16, width = "fill",
                padding_top = 10, padding_bottom = 10,
                background = "surface_container" }
        end
        rows[#rows + 1] = parts.article_card(articles[one.id],
                                             { look = "side" })
    end
    return #rows > 0 and rows or text{ words.empty, padding = 24 }
end

function screens.history(state)
    return page{ title = words.history,
        actions = { #state.history > 0 and icon_or_text{
            words.clear_history, icon = "delete", id = "clear_history",
            on_click = { "go", "sure_clear" } } or false },
        list{ weight = 1, id = "history_list", history_rows(state) } }
end

function screens.sure_clear()
    return dialog{ title = words.clear_history, id = "clear_dialog",
        message = words.sure_clear,
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.clear, id = "confirm_clear",
                      on_click = "clear_history" } } }
end

function screens.my_comments(state)
    return page{ title = words.my_comments,
        list{ weight = 1, id = "my_comment_list",
            #state.mine == 0 and text{ words.empty, padding = 24 } or
            table.map(state.mine, function(one)
                return { own_comment(one),
                    row{ width = "fill", padding_left = 64, id = "about",
                        key = "about" .. one.id, padding_bottom = 12,
                        on_click = { "open", one.about },
                        quiet(articles[one.about].title, "article_title",
                              { lines = 1 }) }, divider{} }
            end) } }
end

function screens.likes(state)
    return page{ title = words.likes,
        list{ weight = 1, id = "like_list",
            #state.likes == 0 and text{ words.empty, padding = 24 } or
            table.map(state.likes, function(id)
                return parts.article_card(articles[id], { look = "side" })
            end) } }
end

-- ---- screens: settings ----

local function switch_row(label, id, on, action, detail)
    return item{ label, id = id .. "_row", detail = detail,
        switch{ checked = on, id = id, description = label,
            on_change = action } }
end

function screens.settings(state)
    return page{ title = words.settings,
        list{ weight = 1, id = "settings_list",
            item{ words.notifications, icon = "bell",
                id = "notifications_row",
                on_click = { "go", "notifications" } },
            item{ words.size, icon = "font_size", id = "size_row",
                detail = words["size_" .. state.size],
                on_click = { "go", "size" } },
            item{ words.edit_columns, icon = "menu", id = "columns_row",
                on_click = "start_columns" },
            divider{},
            switch_row(words.autoplay, "autoplay", state.autoplay,
                       "autoplay"),
            switch_row(words.personal, "personal", state.personal,
                       "personal", words.personal_detail) } }
end

local kinds = { "breaking", "following", "picks", "replies", "rewards" }

local function hour_text(hour) return string.format("%02d:00", hour) end

local function quiet_rows(state)
    local hours = state.quiet
    return { switch_row(words.quiet, "quiet", hours.on, "quiet"),
        hours.on and table.map({ "from", "to" }, function(part)
            return item{ words["quiet_" .. part], id = "quiet_" .. part,
                detail = hour_text(hours[part]),
                on_click = { "go", "quiet_hour", part } }
        end) or false }
end

function screens.notifications(state)
    local notify = state.notify
    return page{ title = words.notifications,
        list{ weight = 1, id = "notification_list",
            switch_row(words.notify, "notify_all", notify.all,
                       { "notify", "all" }),
            divider{},
            notify.all and table.map(kinds, function(kind)
                return switch_row(words["notify_" .. kind],
                    "notify_" .. kind, notify[kind], { "notify", kind })
            end) or false,
            notify.all and { divider{}, quiet_rows(state) } or false } }
end

local quiet_hours = { from = { 20, 21, 22, 23, 0 }, to = { 5, 6, 7, 8, 9 } }

function screens.quiet_hour(state, part)
    return sheet{ title = words["quiet_" .. part], id = "hour_sheet",
        table.map(quiet_hours[part], function(hour)
            return parts.option(hour_text(hour), "hour_" .. hour,
                                state.quiet[part] == hour,
                                { "quiet_hour", part, hour })
        end) }
end

return {
    package = "org.proctor.news",
    name = { en = "News", zh = "新闻" },
    hue = 205,
    state = first_state,
    screens = screens,
    handlers = handlers,
    on_open = function() go("ask_alerts") end,
    knows = { columns = catalog.columns, sources = sources,
              articles = articles, events = events, hot = catalog.hot,
              comments_of = catalog.comments_of, found = found,
              followed_articles = followed_articles,
              written_by = written_by, history = catalog.history,
              collection = catalog.collection, follows = catalog.follows,
              collected_source = catalog.collected_source,
              chosen = catalog.chosen, silent = catalog.silent },
    on_back = function(state)
        if current() == "main" and state.tab ~= "home" then
            state.tab = "home"
            return true
        end
        return false
    end,
}
