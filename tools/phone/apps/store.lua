-- Store: apps to find, judge, install, update and remove. What is installed
-- here is the Store's own state: nothing of it reaches the launcher.

local words = include("store_words")
local store = include("store_content")
local parts = include("store_parts")(store)
local apps, kinds = store.apps, store.kinds
local developers = store.developers
local job_of = parts.job_of

local CHART = 10    -- loaded at a time
local RESULTS = 8
local REVIEWS = 6
local SPEED = 50    -- tenths of a megabyte per second

-- ---- the state ----

local function no_filter()
    return { rating = 0, price = "any", choice = false, compatible = false,
             no_ads = false }
end

local function first_state()
    local bought = table.filter(store.installed, function(one)
        return apps[one.id].price > 0
    end)
    return { base = dates.today(), tab = "today", typed = "", query = "",
        recent = {}, shown = RESULTS, filter = no_filter(),
        draft = no_filter(), chart = "free", chart_kind = "all",
        chart_shown = CHART, hide = false,
        installed = table.copy(store.installed),
        pending = table.copy(store.pending), jobs = {},
        owned = table.map(bought, function(one) return one.id end),
        orders = table.copy(store.orders), pay_with = "card",
        balance = store.balance,
        subscriptions = table.copy(store.subscriptions), wishes = {},
        unfolded = {}, review_sort = "relevance", review_stars = 0,
        reviews_shown = REVIEWS, helpful = {}, own_reviews = {},
        own_stars = 0, own_text = "", manage_sort = "by_name", selected = {},
        auto_update = "any", downloads_over = "any", notify_updates = true,
        offered = false, deals = false, ask_purchase = true, personal = true }
end

-- ---- finding ----

local function falling(field)
    return function(a, b) return a[field] > b[field] end
end

local function text_of(app)
    local kind, maker = parts.kind_of(app), developers[app.developer]
    return (app.name.en .. " " .. app.name.zh .. " " .. kind.name.en .. " " ..
            kind.name.zh .. " " .. kind.tags .. " " .. maker.name.en .. " " ..
            maker.name.zh):lower()
end

local function fits(filter, app)
    return app.rating >= filter.rating and
           (filter.price == "any" or
            (filter.price == "free") == (app.price == 0)) and
           (app.choice or not filter.choice) and
           (app.compatible or not filter.compatible) and
           not (app.ads and filter.no_ads)
end

local function found(query, filter)
    local has_words = market.finder(query)
    return table.sort(table.filter(apps, function(app)
        return has_words(text_of(app)) and fits(filter, app)
    end), falling("heat"))
end

local in_chart = {
    free = function(app) return app.price == 0 end,
    paid = function(app) return app.price > 0 end,
    gross = function(app) return app.price > 0 or app.extras end,
}

local function chart(name, kind)
    return table.sort(table.filter(apps, function(app)
        return in_chart[name](app) and (kind == "all" or app.kind == kind)
    end), falling(name == "gross" and "gross" or "heat"))
end

-- ---- handlers: finding ----

local handlers = {}

function handlers.turn_on(state)
    state.deals = true
    back()
end

function handlers.not_now() back() end

-- An offer gets in the way once.
function handlers.tab(state, name)
    state.tab = name
    if not state.offered then
        state.offered = true
        go("offer")
    end
end

function handlers.typed(state, text) state.typed = text end
function handlers.clear_typed(state) state.typed = "" end

function handlers.search(state, text)
    local query = text:trim()
    if query ~= "" then
        state.query, state.typed = query, query
        state.recent = market.remember(state.recent, query)
        state.filter, state.shown = no_filter(), RESULTS
        go("results")
    end
end

-- From the results back to the field.
function handlers.edit_search(state)
    state.tab, state.typed = "search", state.query
    home()
end

function handlers.clear_recent(state)
    state.recent = {}
    snack(words.cleared)
end

function handlers.more_results(state, left)
    if left >= 300 or
       state.shown >= #found(state.query, state.filter) then
        return false
    end
    state.shown = state.shown + RESULTS
end

function handlers.start_filters(state)
    state.draft = table.copy(state.filter)
    go("filters")
end

function handlers.pick(state, field, value) state.draft[field] = value end
function handlers.reset(state) state.draft = no_filter() end

function handlers.apply(state)
    state.filter, state.shown = table.copy(state.draft), RESULTS
    back()
end

function handlers.chart(state, name)
    state.chart, state.chart_shown = name, CHART
end

function handlers.chart_kind(state, kind)
    state.chart_kind, state.chart_shown = kind, CHART
    back()
end

function handlers.hide(state, on) state.hide = on end

function handlers.more_chart(state, left)
    if left >= 300 or
       state.chart_shown >= #chart(state.chart, state.chart_kind) then
        return false
    end
    state.chart_shown = state.chart_shown + CHART
end

-- ---- handlers: an app ----

function handlers.open(state, id)
    state.unfolded = {}
    state.review_sort, state.review_stars = "relevance", 0
    go("app", id)
end

function handlers.wish(state, id, on)
    if on ~= (table.index(state.wishes, id) ~= nil) then
        table.toggle(state.wishes, id)
    end
end

-- A folded text, by a name that is unique on its screen.
function handlers.unfold(state, name) table.toggle(state.unfolded, name) end

function handlers.reviews(state, id, stars)
    state.review_stars, state.reviews_shown = stars, REVIEWS
    go("reviews", id)
end

function handlers.review_sort(state, order)
    state.review_sort, state.reviews_shown = order, REVIEWS
    back()
end

function handlers.review_stars(state, stars)
    state.review_stars, state.reviews_shown = stars, REVIEWS
end

function handlers.more_reviews(state, left)
    if left >= 300 or state.reviews_shown > 30 then
        return false
    end
    state.reviews_shown = state.reviews_shown + REVIEWS
end

function handlers.helpful(state, id, review)
    table.toggle(state.helpful, id .. "-" .. review)
end

function handlers.rate(state, id, stars)
    local own = table.find(state.own_reviews, id)
    state.own_stars, state.own_text = stars, own and own.text or ""
    go("write", id)
end

function handlers.own_stars(state, stars) state.own_stars = stars end
function handlers.own_text(state, text) state.own_text = text end

local function forget_review(state, id)
    state.own_reviews = table.filter(state.own_reviews, function(own)
        return own.id ~= id
    end)
end

function handlers.post(state, id)
    forget_review(state, id)
    table.insert(state.own_reviews, { id = id, stars = state.own_stars,
                                      text = state.own_text:trim() })
    back()
    snack(words.posted)
end

function handlers.delete_review(state, id) forget_review(state, id) end

function handlers.report()
    back()
    snack(words.reported)
end

-- ---- handlers: installing ----

local function begin(state, id)
    local app = apps[id]
    local seconds = 3 + parts.load_size(state, app) // SPEED
    table.insert(state.jobs, { id = id, from = now(), seconds = seconds,
        timer = after(seconds, "finished", id) })
end

local function asks(app)
    return #table.filter(app.permissions, function(name)
        return name == "contacts" or name == "location" or
               name == "microphone"
    end) > 0
end

function handlers.get(state, id)
    local app = apps[id]
    if not parts.owned(state, app) then
        go("buy", id)
    elseif asks(app) then
        go("needs", id)
    else
        begin(state, id)
    end
end

function handlers.accept(state, id)
    back()
    begin(state, id)
end

function handlers.pay_with(state, name) state.pay_with = name end

function handlers.pay(state, id)
    local app = apps[id]
    if state.pay_with == "balance" then
        if state.balance < app.price then
            snack(words.no_money)
            return
        end
        state.balance = state.balance - app.price
    end
    table.insert(state.owned, id)
    table.insert(state.orders, 1, { id = #state.orders + 1, app = id,
        cents = app.price, days = state.base - dates.today(),
        number = string.format("ST.%04d-%04d-%04d", id, 4400 + id,
                               #state.orders + 1) })
    back()
    begin(state, id)
    snack(words.bought)
end

function handlers.update(state, id) begin(state, id) end

function handlers.update_all(state)
    for _, id in ipairs(state.pending) do
        if not job_of(state, id) then
            begin(state, id)
        end
    end
end

function handlers.stop(state, id)
    local job, place = job_of(state, id)
    cancel(job.timer)
    table.remove(state.jobs, place)
end

function handlers.finished(state, id)
    local _, place = job_of(state, id)
    table.remove(state.jobs, place)
    local pending = table.index(state.pending, id)
    if pending then
        table.remove(state.pending, pending)
    else
        table.insert(state.installed, { id = id, data = 0, used = 0,
                                        auto = true })
        local name = apps[id].name
        snack{ en = string.format(words.installed.en, name.en),
               zh = string.format(words.installed.zh, name.zh) }
    end
end

local function remove(state, id)
    if job_of(state, id) then
        handlers.stop(state, id)
    end
    table.remove(state.installed, select(2, table.find(state.installed, id)))
    local pending = table.index(state.pending, id)
    if pending then
        table.remove(state.pending, pending)
    end
end

function handlers.uninstall(state, id)
    remove(state, id)
    back()
end

function handlers.uninstall_selected(state)
    for _, id in ipairs(state.selected) do
        remove(state, id)
    end
    state.selected = {}
    back()
end

function handlers.launch(state, id)
    table.find(state.installed, id).used = 0
    go("opened", id)
end

function handlers.auto_one(state, id, on)
    table.find(state.installed, id).auto = on
end

-- ---- handlers: my apps ----

function handlers.manage(state)
    state.selected = {}
    go("manage")
end

function handlers.sort(state, order)
    state.manage_sort = order
    back()
end

function handlers.choose(state, id) table.toggle(state.selected, id) end

function handlers.refund(state, id, reason)
    local order = table.find(state.orders, id)
    order.refunded, order.reason = true, reason
    if not order.extra then
        table.toggle(state.owned, order.app)
        if table.find(state.installed, order.app) then
            remove(state, order.app)
        end
    end
    back()
end

function handlers.unsubscribe(state, id)
    table.find(state.subscriptions, id).ended = true
    back()
end

function handlers.auto_update(state, value)
    state.auto_update = value
    back()
end

function handlers.downloads_over(state, value)
    state.downloads_over = value
    back()
end

for _, name in ipairs{ "notify_updates", "deals", "ask_purchase",
                       "personal" } do
    handlers[name] = function(state, on) state[name] = on end
end

-- ---- today ----

-- The featured apps are others on each phone.
local featured = random("featured").shuffle(table.filter(apps, function(app)
    return app.choice and app.compatible
end))

local function story_card(state, app)
    local kind = parts.kind_of(app)
    return column{ width = "fill", padding_left = 16, padding_right = 16,
        padding_top = 8,
        stack{ width = "fill", height = 300, radius = 28, clips = true,
            id = "story_card", key = "story" .. app.id,
            on_click = { "go", "story", app.id },
            art{ art = kind.art, seed = app.seed, width = "fill",
                height = 300 },
            column{ width = "fill", height = 300, down = "end",
                row{ width = "fill", gap = 12, padding = 14, down = "center",
                    background = "#cc102027",
                    parts.app_icon(app, 48),
                    column{ weight = 1, gap = 2,
                        text{ words.story, style = "label_medium",
                            ink = "#b3e5fc" },
                        text{ app.name, id = "app_name", lines = 1,
                            style = "title_medium", ink = "#ffffff" },
                        text{ app.text, lines = 1, style = "body_small",
                            ink = "#cfd8dc" } },
                    parts.get_button(state, app) } } } }
end

local function today_tab(state)
    local games = table.filter(chart("free", "all"), function(app)
        return parts.kind_of(app).game
    end)
    local fresh = table.sort(table.join(apps), function(a, b)
        return a.days < b.days
    end)
    return { list{ weight = 1, id = "today_list",
        row{ width = "fill", padding = 20, padding_top = 16,
            padding_bottom = 8, down = "center",
            column{ weight = 1,
                quiet(dates.long(dates.today()), "date",
                      { style = "label_large" }),
                text{ words.today, style = "headline_large" } },
            art{ art = "portrait", seed = 41, width = 44, height = 44,
                radius = 22, id = "avatar", description = words.account,
                on_click = { "go", "account" } } },
        story_card(state, featured[1]),
        parts.heading(words.choice, "choice_heading",
                      { "go", "list", "choice" }),
        parts.tiles("choice", { table.unpack(featured, 2, 9) }),
        parts.heading(words.games, "games_heading", { "go", "list", "games" }),
        table.map({ table.unpack(games, 1, 3) }, function(app)
            return parts.app_row(state, app, { key = "g" .. app.id })
        end),
        column{ height = 12 },
        story_card(state, featured[#featured]),
        parts.heading(words.new_here, "new_heading", { "go", "list", "new" }),
        parts.tiles("new", { table.unpack(fresh, 1, 8) }) } }
end

-- ---- charts ----

local function kind_name(id)
    return id == "all" and words.all_kinds or table.find(kinds, id).name
end

local function charts_tab(state)
    local ranked, shown = chart(state.chart, state.chart_kind), {}
    for rank, app in ipairs(ranked) do
        if rank <= state.chart_shown and
           not (state.hide and table.find(state.installed, app.id)) then
            shown[#shown + 1] = parts.app_row(state, app, { rank = rank })
        end
    end
    return {
        tabs{ table.map({ "free", "paid", "gross" }, function(name)
            return tab{ words[name .. "_chart"], id = "chart_" .. name,
                selected = state.chart == name, on_click = { "chart", name } }
        end) },
        row{ width = "fill", padding_left = 16, padding_right = 16, gap = 12,
            height = 64, down = "center",
            chip{ kind_name(state.chart_kind), icon = "drop_down",
                id = "chart_kind", selected = state.chart_kind ~= "all",
                on_click = { "go", "kinds" } },
            row{ weight = 1, across = "end", down = "center", gap = 8,
                quiet(words.hide, nil, { lines = 2, weight = 1,
                                         text_align = "right" }),
                switch{ checked = state.hide, id = "hide",
                    description = words.hide, on_change = "hide" } } },
        list{ weight = 1, id = "chart_list", on_scroll = "more_chart",
            key = state.chart .. state.chart_kind, shown } }
end

-- ---- the tab of searching ----

local tints = { "#00796b", "#5e35b1", "#c2185b", "#ef6c00", "#3949ab",
                "#2e7d32", "#6d4c41", "#1565c0", "#ad1457", "#455a64" }

local function kind_tile(kind, place)
    return row{ weight = 1, height = 72, radius = 18, padding_left = 16,
        gap = 12, down = "center", id = "kind_tile", key = kind.id,
        background = tints[place], on_click = { "go", "kind", kind.id },
        text{ kind.name, weight = 1, lines = 2, style = "title_small",
            ink = "#ffffff" },
        icon{ icon = kind.icon, width = 30, height = 30, ink = "#ffffff" },
        space{ width = 4 } }
end

local function kind_tiles()
    local rows = {}
    for place = 1, #kinds, 2 do
        rows[#rows + 1] = row{ width = "fill", gap = 12,
            kind_tile(kinds[place], place),
            kind_tile(kinds[place + 1], place + 1) }
    end
    return column{ width = "fill", gap = 12, padding = 16, padding_top = 4,
                   rows }
end

local function recent_rows(state)
    return #state.recent > 0 and
        { parts.heading(words.recent, "recent_heading"),
          table.map(state.recent, function(query)
              return item{ query, icon = "time", id = "recent_item",
                  key = query, on_click = { "search", query } }
          end) } or false
end

local function search_tab(state)
    return {
        row{ width = "fill", padding = 16, padding_bottom = 4, gap = 8,
            down = "center",
            row{ weight = 1, height = 56, radius = 28, down = "center",
                padding_left = 8, padding_right = 4,
                background = "surface_container_high",
                field{ text = state.typed, hint = words.hint, weight = 1,
                    id = "search_input", on_change = "typed",
                    background = "surface_container_high",
                    on_submit = "search" },
                state.typed ~= "" and icon_button{ icon = "close",
                    id = "clear", description = words.clear,
                    on_click = "clear_typed" } or false,
                icon_button{ icon = "search", id = "search_button",
                    description = words.search,
                    on_click = { "search", state.typed } } } },
        list{ weight = 1, id = "search_list", recent_rows(state),
            parts.heading(words.kind, "kinds_heading"), kind_tiles() } }
end

-- ---- screens: finding ----

local mine = include("store_mine")(store, parts)
local pages = include("store_pages")(store, parts)

local tabs_of = { today = today_tab, charts = charts_tab,
                  search = search_tab, mine = mine.tab }
local icons = { today = "star_empty", charts = "chart", search = "search",
                mine = "apps" }

local screens = {}

for _, some in ipairs{ mine.screens, pages } do
    for name, screen in pairs(some) do
        screens[name] = screen
    end
end

function screens.main(state)
    return page{ tabs_of[state.tab](state),
        market.tab_bar(words, state.tab, { "today", "charts", "search",
                                           "mine" }, icons) }
end

function screens.offer()
    return sheet{ id = "offer_sheet",
        column{ width = "fill", across = "center", gap = 12, padding = 24,
            padding_top = 0,
            row{ gap = 8, table.map({ 3, 12, 19, 27 }, function(id)
                return parts.app_icon(apps[id], 52)
            end) },
            text{ words.offer, style = "headline_small", id = "offer_title" },
            quiet(words.offer_text, "offer_text", { style = "body_medium",
                                                    text_align = "center" }),
            button{ words.turn_on, id = "turn_on", width = "fill",
                height = 48, on_click = "turn_on" },
            text_button{ words.not_now, id = "not_now",
                on_click = "not_now" } } }
end

function screens.kinds(state)
    return sheet{ title = words.kind, id = "kind_sheet",
        list{ width = "fill", height = 440,
            item{ words.all_kinds, id = "kind_choice", key = "all",
                on_click = { "chart_kind", "all" },
                radio{ checked = state.chart_kind == "all",
                    clickable = false } },
            table.map(kinds, function(kind)
                return item{ kind.name, icon = kind.icon, id = "kind_choice",
                    key = kind.id, on_click = { "chart_kind", kind.id },
                    radio{ checked = state.chart_kind == kind.id,
                        clickable = false } }
            end) } }
end

local function listed(name)
    if name == "choice" then
        return words.choice, featured
    elseif name == "games" then
        return words.games, table.filter(chart("free", "all"), function(app)
            return parts.kind_of(app).game
        end)
    end
    return words.new_here, table.sort(table.join(apps), function(a, b)
        return a.days < b.days
    end)
end

function screens.list(state, name)
    local title, list_of = listed(name)
    return page{ title = title,
        list{ weight = 1, id = "app_list",
            table.map({ table.unpack(list_of, 1, 20) }, function(app)
                return parts.app_row(state, app)
            end) } }
end

function screens.kind(state, id)
    local kind = table.find(kinds, id)
    return page{ title = kind.name,
        list{ weight = 1, id = "app_list",
            table.map(table.sort(store.apps_of(id), falling("heat")),
                function(app) return parts.app_row(state, app) end) } }
end

function screens.story(state, id)
    local app = apps[id]
    return page{ title = words.story,
        scroll{ weight = 1, id = "story",
            art{ art = parts.kind_of(app).art, seed = app.seed,
                width = "fill", height = 260 },
            column{ width = "fill", gap = 12, padding = 20,
                text{ app.text, style = "headline_small", id = "headline" },
                text{ string.format(t(words.story_text), 12),
                    style = "body_large", id = "story_text" } },
            parts.app_row(state, app) } }
end

-- ---- screens: results ----

local function filter_count(filter)
    return (filter.rating > 0 and 1 or 0) + (filter.price ~= "any" and 1 or 0) +
           (filter.choice and 1 or 0) + (filter.compatible and 1 or 0) +
           (filter.no_ads and 1 or 0)
end

local function filter_texts(filter)
    return table.filter({
        filter.rating > 0 and string.format(t(words.stars_up),
                                            filter.rating / 10) or "",
        filter.price ~= "any" and t(words[filter.price]) or "",
        filter.choice and t(words.only_choice) or "",
        filter.compatible and t(words.only_compatible) or "",
        filter.no_ads and t(words.without_ads) or "",
    }, function(one) return one ~= "" end)
end

-- The copy among the first found apps has paid for the first place.
local function sponsored(list_of)
    local kind = list_of[1] and list_of[1].kind or kinds[1].id
    return table.filter(store.apps_of(kind), function(app)
        return app.copy
    end)[1]
end

local function ad_card(state, app)
    return column{ width = "fill", padding = 12, padding_top = 4,
        column{ width = "fill", radius = 20, id = "ad_card",
            background = "surface_container",
            row{ padding_left = 16, padding_top = 10,
                text{ words.ad, style = "label_small", id = "ad_mark",
                    font = "bold", ink = "tertiary" } },
            parts.app_row(state, app, { key = "ad" }) } }
end

function screens.results(state)
    local list_of, rows = found(state.query, state.filter), {}
    for place = 1, math.min(state.shown, #list_of) do
        rows[place] = parts.app_row(state, list_of[place])
    end
    local count = filter_count(state.filter)
    return page{
        row{ width = "fill", height = 64, down = "center", padding_right = 8,
            icon_button{ icon = "back", on_click = "back", id = "leave",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            row{ weight = 1, height = 56, down = "center", id = "query_bar",
                on_click = "edit_search",
                text{ state.query, id = "query", lines = 1,
                    style = "title_large" } },
            count > 0 and badge{ tostring(count), id = "filter_count" } or
                false,
            icon_button{ icon = "sliders", id = "filters",
                description = words.filters, on_click = "start_filters" } },
        count > 0 and row{ width = "fill", padding_left = 20,
            padding_right = 20, padding_bottom = 8,
            quiet(table.concat(filter_texts(state.filter), "  ·  "),
                  "active_filters", { lines = 2 }) } or false,
        list{ weight = 1, id = "results", on_scroll = "more_results",
            key = state.query .. table.concat(filter_texts(state.filter)),
            ad_card(state, sponsored(list_of)), rows,
            #rows == 0 and text{ words.none, padding = 32, width = "fill",
                text_align = "center", id = "no_results" } or false } }
end

local function filter_line(name, field, state)
    return item{ words[name], id = field .. "_row",
        switch{ checked = state.draft[field], id = field,
            description = words[name], on_change = { "pick", field } } }
end

local function filter_chips(title, field, state, values, label)
    return column{ width = "fill", gap = 8, padding_left = 16,
        padding_right = 16, padding_bottom = 8,
        text{ title, style = "title_small" },
        flow{ width = "fill", gap = 8, table.map(values, function(value)
            return chip{ label(value), key = tostring(value),
                id = field .. "_" .. value, checkable = true,
                checked = state.draft[field] == value,
                on_click = { "pick", field, value } }
        end) } }
end

function screens.filters(state)
    return sheet{ title = words.filters, id = "filter_sheet",
        filter_chips(words.rating, "rating", state, { 0, 40, 45 },
            function(value)
                return value == 0 and words.any or
                       string.format(t(words.stars_up), value / 10)
            end),
        filter_chips(words.price, "price", state, { "any", "free", "paid" },
            function(value) return words[value] end),
        shuffle_by_skin{
            filter_line("only_choice", "choice", state),
            filter_line("only_compatible", "compatible", state),
            filter_line("without_ads", "no_ads", state) },
        row{ width = "fill", across = "end", gap = 12, padding = 16,
            text_button{ words.reset, id = "reset", on_click = "reset" },
            button{ words.apply, id = "apply", on_click = "apply" } } }
end

return {
    package = "org.proctor.store",
    name = { en = "Store", zh = "应用商店" },
    hue = 195,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { apps = apps, kinds = kinds, developers = developers,
              installed = store.installed, pending = store.pending,
              orders = store.orders, subscriptions = store.subscriptions,
              apps_of = store.apps_of, reviews_of = store.reviews_of,
              chart = chart },
    on_back = function(state)
        if current() == "main" and state.tab ~= "today" then
            state.tab = "today"
            return true
        end
        return false
    end,
}
