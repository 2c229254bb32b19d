-- The browser: tabs, private ones among them, an address bar, history,
-- bookmarks and settings. Its web is in web_pages.lua.

local words = include("web_words")
local web_content = include("web_content")
local pages = include("web_pages")
local sites, products = web_content.sites, web_content.products

local TABS_MAX = 20
local PAGES_MAX = 30  -- of one tab, to go back to
local VISITS_MAX = 80
local SCALES = { 75, 100, 125, 150, 175, 200 }
local RANGES = { "hour", "day", "week", "all" }
local seconds_of = { hour = 3600, day = 86400, week = 604800,
                     all = math.maxinteger }

-- ---- the state ----

local function first_state()
    local time = math.floor(now())
    local state = { base = dates.today(), tabs = {}, active = 1,
        next_tab = 1, typed = "", visits = {}, next_visit = 100,
        bookmarks = table.copy(web_content.bookmarked),
        cookies = { { site = "city", choice = "all" },
                    { site = "wiki", choice = "none" } },
        cookie_statistics = true, cookie_marketing = true,
        stories = 0, newsletter = "", find = "",
        engine = 1, home_page = "start/home", scale = 100,
        block_popups = false, no_tracking = false,
        range = "hour", clear = { history = true, cookies = true,
                                  cache = true },
        unfolded = {}, results_shown = 6, shop_sort = "recommended",
        shop_shown = pages.STEP, only_stock = false, colour = "black",
        cart = {}, shipping = "standard", code = "", percent = 0, orders = {},
        service = "", office = 0, slot_day = 0, slot_time = 0, agreed = false,
        bookings = {}, topic = "", reply = "", messages = {}, answers = {},
        wishes = {}, informed = false, surveys = {},
        form = { code = "", buyer = "", street = "", citizen = "",
                 message = "", phone = "", comment = "", mail = "" } }
    for _, url in ipairs(table.join(web_content.open, { "start/home" })) do
        table.insert(state.tabs, { id = state.next_tab, private = false,
                                   urls = { url }, place = 1 })
        state.next_tab = state.next_tab + 1
    end
    state.active = state.next_tab - 1
    for _, visit in ipairs(web_content.visited) do
        table.insert(state.visits, { id = visit.id, url = visit.url,
                                     at = time - visit.ago })
    end
    return state
end

local function find_tab(state, id)
    return table.find(state.tabs, id)
end

local function active_tab(state)
    return (find_tab(state, state.active))
end

local function url_of(state)
    local tab = active_tab(state)
    return tab.urls[tab.place]
end

-- ---- visiting pages ----

local asks_cookies = { news = true, shop = true, copy = true, agency = true }

local function has_decided(state, site)
    for _, decision in ipairs(state.cookies) do
        if decision.site == site then
            return true
        end
    end
    return false
end

-- What a site shows above its page: at first its question about cookies, and
-- with the second story of the newspaper an offer.
local function show_popups(state, url)
    local site, page = pages.site_of(url)
    if asks_cookies[site] and not has_decided(state, site) then
        state.cookie_statistics, state.cookie_marketing = true, true
        go("cookies", site)
        return
    end
    if site == "news" and page == "article" then
        state.stories = state.stories + 1
        if state.stories == 2 and not state.block_popups then
            go("newsletter")
        end
    end
end

local function remember_visit(state, tab, url)
    if tab.private or url:starts("start/") then
        return
    end
    table.insert(state.visits, 1, { id = state.next_visit, url = url,
                                    at = math.floor(now()) })
    state.next_visit = state.next_visit + 1
    state.visits[VISITS_MAX + 1] = nil
end

local function start_page(state, url)
    local site, page = pages.site_of(url)
    state.results_shown = 6
    if site == "shop" and page == "kind" then
        state.shop_shown, state.only_stock = pages.STEP, false
        state.shop_sort = "recommended"
    elseif site == "shop" and page == "product" then
        state.colour = "black"
    end
end

local function visit(state, url)
    local tab = active_tab(state)
    for i = #tab.urls, tab.place + 1, -1 do
        table.remove(tab.urls, i)
    end
    table.insert(tab.urls, url)
    if #tab.urls > PAGES_MAX then
        table.remove(tab.urls, 1)
    end
    tab.place = #tab.urls
    remember_visit(state, tab, url)
    start_page(state, url)
    home()
    show_popups(state, url)
end

local function add_tab(state, private, url)
    if #state.tabs >= TABS_MAX then
        table.remove(state.tabs, 1)
    end
    table.insert(state.tabs, { id = state.next_tab, private = private,
                               urls = { url }, place = 1 })
    state.active = state.next_tab
    state.next_tab = state.next_tab + 1
    remember_visit(state, active_tab(state), url)
    start_page(state, url)
    home()
    show_popups(state, url)
end

-- ---- handlers of the browser ----

local handlers = {}

function handlers.open(state, url) visit(state, url) end

function handlers.open_new(state, url)
    add_tab(state, active_tab(state).private, url)
end

function handlers.open_private(state, url) add_tab(state, true, url) end

function handlers.edit_address(state)
    state.typed = ""
    go("address")
end

function handlers.typed(state, text) state.typed = text end
function handlers.clear_typed(state) state.typed = "" end

function handlers.search(state, text)
    local typed = text:trim()
    if typed ~= "" then
        visit(state, pages.typed_address(typed) or
              "engine" .. state.engine .. "/find/" .. typed)
    end
end

local function step(state, by)
    local tab = active_tab(state)
    if tab.urls[tab.place + by] then
        tab.place = tab.place + by
        start_page(state, tab.urls[tab.place])
        return true
    end
    return false
end

function handlers.page_back(state) step(state, -1) end
function handlers.page_forward(state) step(state, 1) end

function handlers.reload(state)
    home()
    show_popups(state, url_of(state))
end

function handlers.go_home(state) visit(state, state.home_page) end

function handlers.new_tab(state) add_tab(state, false, "start/home") end
function handlers.new_private(state) add_tab(state, true, "start/home") end

function handlers.tab(state, id)
    state.active = id
    home()
end

-- One tab always stays.
function handlers.close_tab(state, id)
    local _, place = find_tab(state, id)
    table.remove(state.tabs, place)
    if #state.tabs == 0 then
        add_tab(state, false, "start/home")
    elseif state.active == id then
        state.active = state.tabs[math.min(place, #state.tabs)].id
    end
end

function handlers.close_all(state)
    state.tabs = {}
    add_tab(state, false, "start/home")
end

function handlers.bookmark(state)
    local url = url_of(state)
    table.toggle(state.bookmarks, url)
    back()
end

function handlers.remove_bookmark(state, url)
    table.remove(state.bookmarks, table.index(state.bookmarks, url))
end

function handlers.copy_link()
    back()
    snack(words.copied)
end

function handlers.open_history(state)
    state.find = ""
    replace("history")
end

function handlers.find_history(state, text) state.find = text end

function handlers.remove_visit(state, id)
    state.visits = table.filter(state.visits, function(one)
        return one.id ~= id
    end)
end

function handlers.range(state, name)
    state.range = name
    back()
end

function handlers.clear_what(state, name, on) state.clear[name] = on end

function handlers.clear_now(state)
    local from = math.floor(now()) - seconds_of[state.range]
    if state.clear.history then
        state.visits = table.filter(state.visits, function(one)
            return one.at < from
        end)
    end
    if state.clear.cookies then
        state.cookies = {}
    end
    back()
    snack(words.cleared)
end

function handlers.engine(state, place)
    state.engine = place
    back()
end

function handlers.home_page(state, url)
    state.home_page = url
    back()
end

function handlers.scale(state, percent) state.scale = percent end
function handlers.block_popups(state, on) state.block_popups = on end
function handlers.no_tracking(state, on) state.no_tracking = on end

-- ---- handlers of pop-ups ----

local function decide(state, site, choice)
    table.insert(state.cookies, { site = site, choice = choice })
    home()
    show_popups(state, url_of(state))
end

function handlers.accept_cookies(state, site) decide(state, site, "all") end
function handlers.reject_cookies(state, site) decide(state, site, "none") end

function handlers.cookie_statistics(state, on) state.cookie_statistics = on end
function handlers.cookie_marketing(state, on) state.cookie_marketing = on end

function handlers.save_cookies(state, site)
    local statistics, marketing = state.cookie_statistics,
                                  state.cookie_marketing
    decide(state, site, statistics and marketing and "all" or
           (statistics or marketing) and "some" or "none")
end

function handlers.newsletter_mail(state, text) state.form.mail = text end

function handlers.subscribe(state)
    state.newsletter = state.form.mail
    back()
    snack(words.subscribed)
end

-- ---- handlers of pages ----

function handlers.fold(state, name, number, open)
    local section = name .. " " .. number
    state.unfolded = table.filter(state.unfolded, function(one)
        return one ~= section
    end)
    if open then
        table.insert(state.unfolded, section)
    end
end

function handlers.more_results(state)
    state.results_shown = state.results_shown + 6
end

function handlers.more_products(state)
    state.shop_shown = state.shop_shown + pages.STEP
end

function handlers.shop_sort(state, order)
    state.shop_sort, state.shop_shown = order, pages.STEP
    back()
end

function handlers.only_stock(state, on)
    state.only_stock, state.shop_shown = on, pages.STEP
end

function handlers.colour(state, id) state.colour = id end

function handlers.add_cart(state, id)
    for _, line in ipairs(state.cart) do
        if line.product == id and line.colour == state.colour then
            line.count = line.count + 1
            return
        end
    end
    table.insert(state.cart, { product = id, colour = state.colour,
                               count = 1 })
end

function handlers.fewer(state, place)
    local line = state.cart[place]
    line.count = line.count - 1
    if line.count == 0 then
        table.remove(state.cart, place)
    end
end

function handlers.shipping(state, how) state.shipping = how end

function handlers.apply(state)
    state.code, state.percent = state.form.code:trim():upper(), 0
    for _, one in ipairs(web_content.news) do
        if one.valid and one.code == state.code then
            state.percent = one.percent
        end
    end
end

function handlers.order(state)
    local form = state.form
    table.insert(state.orders, { cart = table.copy(state.cart),
        shipping = state.shipping, percent = state.percent,
        name = form.buyer:trim(), street = form.street:trim(),
        total = pages.totals(state).total })
    state.cart, state.code, state.percent = {}, "", 0
    form.code = ""
    visit(state, "shop/done")
end

function handlers.fill(state, name, text) state.form[name] = text end

function handlers.choose(state, name, id)
    state[name] = id
    if name == "office" then
        state.slot_day, state.slot_time = 0, 0
    end
    back()
end

function handlers.slot_day(state, day)
    state.slot_day, state.slot_time = day, 0
end

function handlers.slot_time(state, minute) state.slot_time = minute end
function handlers.agree(state, on) state.agreed = on end

function handlers.book(state)
    table.insert(state.bookings, { service = state.service,
        office = state.office, day = state.slot_day, time = state.slot_time,
        name = state.form.citizen:trim() })
    state.service, state.office, state.agreed = "", 0, false
    state.slot_day, state.slot_time = 0, 0
    visit(state, "city/booked")
end

function handlers.topic(state, id) state.topic = id end
function handlers.reply(state, id) state.reply = id end

function handlers.send(state)
    table.insert(state.messages, { topic = state.topic, reply = state.reply,
        text = state.form.message:trim(),
        phone = state.reply == "phone" and state.form.phone:trim() or "" })
    state.topic, state.reply, state.form.message = "", "", ""
    visit(state, "city/sent")
end

function handlers.choose_answer(state, question, id)
    state.answers[question] = id
end

function handlers.wish(state, id, on)
    state.wishes = table.filter(state.wishes, function(one)
        return one ~= id
    end)
    if on then
        table.insert(state.wishes, id)
    end
end

function handlers.informed(state, on) state.informed = on end

function handlers.submit(state)
    table.insert(state.surveys, { answers = table.copy(state.answers),
        wishes = table.copy(state.wishes), informed = state.informed,
        comment = state.form.comment:trim() })
    state.answers, state.wishes, state.informed = {}, {}, false
    state.form.comment = ""
    visit(state, "city/thanks")
end

-- ---- parts of the screens ----

local function quiet(value, id)
    return text{ value, id = id, style = "body_small", lines = 1,
                 ink = "on_surface_variant" }
end

local function page_name(url)
    return pages.title(url)
end

local function site_mark(url, size)
    local site = sites[pages.site_of(url)]
    return column{ width = size, height = size, radius = size // 2,
        across = "center", down = "center",
        background = "secondary_container",
        site and text{ site.core.en:sub(1, 1), style = "label_large",
                       ink = "on_secondary_container" } or
        icon{ icon = "world", width = size // 2, height = size // 2,
              ink = "on_secondary_container" } }
end

local function page_row(url, detail, tail)
    return row{ id = "page_row", width = "fill", gap = 14, padding_left = 16,
        padding_right = 4, padding_top = 8, padding_bottom = 8,
        down = "center", on_click = { "open", url },
        on_long_click = { "go", "link", url },
        site_mark(url, 36),
        column{ weight = 1, gap = 2,
            text{ page_name(url), id = "page_name", lines = 1,
                style = "body_large" },
            quiet(detail or pages.address(url), "page_detail") },
        tail or false }
end

local function address_bar(state, url, private)
    local address = pages.address(url)
    return row{ width = "fill", height = 60, padding_left = 12,
        padding_right = 4, gap = 4, down = "center",
        background = private and "inverse_surface" or "surface_container",
        row{ id = "address_bar", weight = 1, height = 44, radius = 22,
            padding_left = 14, gap = 10, down = "center",
            background = private and "#4a4458" or "surface_container_lowest",
            on_click = "edit_address",
            icon{ icon = private and "eye_off" or
                      address == "" and "search" or "lock",
                id = "page_state",
                description = private and words.private_title or
                    address ~= "" and words.secure or nil,
                width = 18, height = 18,
                ink = private and "#e8def8" or "on_surface_variant" },
            text{ address ~= "" and address or words.address, weight = 1,
                lines = 1, id = "address", style = "body_medium",
                ink = private and "#e8def8" or
                    address == "" and "on_surface_variant" or "on_surface" } },
        icon_button{ icon = "refresh", id = "reload",
            ink = private and "#e8def8" or nil,
            description = words.reload, on_click = "reload" } }
end

local function tool_bar(state, tab)
    return row{ width = "fill", height = 56, down = "center",
        across = "spread", padding_left = 8, padding_right = 8,
        background = "surface_container", id = "tool_bar",
        icon_button{ icon = "back", id = "page_back",
            description = words.go_back, disabled = tab.place == 1,
            on_click = "page_back" },
        icon_button{ icon = "forward", id = "page_forward",
            description = words.go_forward,
            disabled = tab.place == #tab.urls, on_click = "page_forward" },
        icon_button{ icon = "home_empty", id = "home_page",
            description = words.home_page, on_click = "go_home" },
        column{ id = "tab_count", width = 48, height = 48, across = "center",
            down = "center",
            description = string.format(t(words.tab_count), #state.tabs),
            on_click = { "go", "tabs" },
            column{ width = 24, height = 24, radius = 6, across = "center",
                down = "center", outline = "on_surface",
                text{ #state.tabs, style = "label_medium" } } },
        icon_button{ icon = "menu", id = "menu", description = words.menu,
            on_click = { "go", "menu" } } }
end

-- ---- screens ----

local screens = {}

local shortcut_sites = { "wiki", "news", "shop", "city" }

local function shortcut(name)
    local site = sites[name]
    return column{ width = "fill", gap = 8, across = "center",
        padding_top = 8, padding_bottom = 8,
        id = "shortcut", key = name, on_click = { "open", name .. "/home" },
        on_long_click = { "go", "link", name .. "/home" },
        site_mark(name .. "/home", 52),
        text{ site.name, style = "label_medium", lines = 2, width = "fill",
            text_align = "center" } }
end

local function start_tab(state, private)
    return column{ width = "fill", padding = 20, padding_top = 64, gap = 28,
        across = "center",
        private and icon{ icon = "eye_off", width = 64, height = 64,
                          ink = "on_surface_variant" } or
        text{ sites["engine" .. state.engine].name, style = "display_medium",
            font = "bold", ink = "primary", id = "engine_name" },
        private and text{ words.private_title, style = "headline_small" } or
            false,
        private and text{ words.private_note, style = "body_medium",
            text_align = "center", ink = "on_surface_variant" } or false,
        search_bar{ id = "start_search", on_click = "edit_address",
            icon{ icon = "search" },
            text{ words.address, weight = 1, lines = 1,
                ink = "on_surface_variant" } },
        not private and text{ words.shortcuts, style = "title_small",
            width = "fill", ink = "on_surface_variant" } or false,
        not private and grid{ columns = 4, gap = 8, width = "fill",
            table.map(shuffle_by_skin(shortcut_sites), shortcut) } or false }
end

function screens.main(state)
    local tab = active_tab(state)
    local url = tab.urls[tab.place]
    return page{ address_bar(state, url, tab.private),
        web{ weight = 1, id = "web_page", padding = 0, key = tab.id .. " " .. tab.place ..
                " " .. url, description = page_name(url),
            url:starts("start/") and start_tab(state, tab.private) or
            column{ width = "fill", padding_bottom = 24,
                    pages.build(state, url) } },
        tool_bar(state, tab) }
end

local function suggestions(state)
    local typed, list, taken = state.typed:trim():lower(), {}, {}
    for _, one in ipairs(state.visits) do
        local name = page_name(one.url)
        if not taken[one.url] and not one.url:starts("engine") and
           (typed == "" or t(name):lower():find(typed) or
            pages.address(one.url):find(typed)) then
            taken[one.url] = true
            list[#list + 1] = one.url
        end
    end
    return { table.unpack(list, 1, math.min(5, #list)) }
end

function screens.address(state)
    local private = active_tab(state).private
    return page{
        row{ width = "fill", height = 64, down = "center", padding_right = 4,
            icon_button{ icon = "back", on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            private and icon{ icon = "eye_off", width = 20, height = 20,
                id = "page_state", description = words.private_title } or
                false,
            field{ text = state.typed, hint = words.address, weight = 1,
                id = "address_input", background = "surface",
                autofocus = true, on_change = "typed", on_submit = "search" },
            state.typed ~= "" and icon_button{ icon = "close",
                id = "clear_typed", description = words.clear_typed,
                on_click = "clear_typed" } or false },
        divider{},
        list{ weight = 1, id = "suggestions",
            state.typed:trim() ~= "" and item{ state.typed:trim(),
                icon = "search", id = "search_typed",
                detail = sites["engine" .. state.engine].name,
                on_click = { "search", state.typed } } or false,
            not private and table.map(suggestions(state), function(url)
                return page_row(url)
            end) or false } }
end

local function menu_icon(sign, id, label, action, selected)
    return row{ width = "fill", across = "center",
        icon_button{ icon = sign, id = id, width = 64, height = 56,
            description = label, selected = selected, on_click = action,
            ink = selected and "primary" or nil } }
end

-- Icons without a text.
function screens.menu(state)
    local has = table.index(state.bookmarks, url_of(state)) ~= nil
    return sheet{ id = "menu_sheet",
        grid{ columns = 4, gap = 8, width = "fill", padding_left = 12,
            padding_right = 12, padding_bottom = 12,
            shuffle_by_skin{
                menu_icon("add", "new_tab", words.new_tab, "new_tab"),
                menu_icon("eye_off", "new_private", words.new_private,
                          "new_private"),
                menu_icon(has and "star" or "star_empty", "bookmark",
                          has and words.unbookmark or words.bookmark,
                          "bookmark", has),
                menu_icon("folder", "bookmarks", words.bookmarks,
                          { "replace", "bookmarks" }),
                menu_icon("time", "history", words.history, "open_history"),
                menu_icon("font_size", "text_size", words.text_size,
                          { "replace", "text_size" }),
                menu_icon("share", "copy_link", words.share, "copy_link"),
                menu_icon("gear", "settings", words.settings,
                          { "replace", "settings" }) } } }
end

function screens.link(_, url)
    return sheet{ id = "link_sheet",
        row{ width = "fill", gap = 12, padding = 16, down = "center",
            site_mark(url, 36),
            column{ weight = 1,
                text{ page_name(url), style = "title_medium", lines = 2,
                    id = "link_name" },
                quiet(pages.address(url)) } },
        divider{},
        item{ words.open_here, icon = "world", id = "open_here",
            on_click = { "open", url } },
        item{ words.open_new, icon = "copy", id = "open_new",
            on_click = { "open_new", url } },
        item{ words.open_private, icon = "eye_off", id = "open_private",
            on_click = { "open_private", url } } }
end

local function tab_card(state, tab)
    local url = tab.urls[tab.place]
    local chosen = tab.id == state.active
    return column{ id = "tab_card", key = "t" .. tab.id, width = "fill",
        radius = 16, padding = 8, gap = 6, selected = chosen,
        outline = chosen and "primary" or nil,
        background = tab.private and "surface_container_highest" or
            "surface_container_low", on_click = { "tab", tab.id },
        row{ width = "fill", down = "center", padding_left = 6,
            icon{ icon = tab.private and "eye_off" or "world", width = 16,
                height = 16, ink = "on_surface_variant" },
            text{ page_name(url), id = "tab_name", weight = 1, lines = 1,
                style = "label_large", padding_left = 6 },
            icon_button{ icon = "close", id = "close_tab",
                description = t(words.close_tab) .. ": " .. t(page_name(url)),
                on_click = { "close_tab", tab.id } } },
        art{ art = url:starts("news/") and "skyline" or
                url:starts("start/") and "cover_dunes" or "landscape",
            seed = #url * 31 + tab.id, width = "fill", height = 120,
            radius = 10 } }
end

function screens.tabs(state)
    return page{
        row{ width = "fill", height = 64, down = "center", padding_left = 20,
            padding_right = 4,
            text{ words.tabs, style = "title_large", weight = 1 },
            icon_button{ icon = "eye_off", id = "new_private",
                description = words.new_private, on_click = "new_private" },
            icon_button{ icon = "add", id = "new_tab",
                description = words.new_tab, on_click = "new_tab" },
            icon_button{ icon = "delete", id = "close_all",
                description = words.close_all, on_click = "close_all" } },
        list{ weight = 1, id = "tab_list", padding = 16, padding_top = 4,
            grid{ columns = 2, gap = 12, width = "fill",
                table.map(state.tabs, function(tab)
                    return tab_card(state, tab)
                end) } } }
end

-- ---- history and bookmarks ----

local function day_name(state, day)
    local ago = dates.today() - day
    return ago == 0 and words.today or ago == 1 and words.yesterday or
           dates.long(day)
end

function screens.history(state)
    local rows, last = {}, nil
    local wanted = state.find:trim():lower()
    for _, one in ipairs(state.visits) do
        if wanted == "" or t(page_name(one.url)):lower():find(wanted) then
            local day = one.at // 86400
            if day ~= last then
                rows[#rows + 1] = text{ day_name(state, day), width = "fill",
                    style = "title_small", ink = "primary", padding = 16,
                    padding_bottom = 4, key = "day" .. day,
                    id = "history_day" }
                last = day
            end
            rows[#rows + 1] = page_row(one.url,
                dates.time(one.at % 86400 // 60) .. " · " ..
                pages.address(one.url),
                icon_button{ icon = "close", id = "remove_visit",
                    description = t(words.remove) .. ": " ..
                        t(page_name(one.url)),
                    on_click = { "remove_visit", one.id } })
            rows[#rows].key = "v" .. one.id
        end
    end
    return page{ title = words.history,
        actions = { icon_button{ icon = "delete", id = "clear_data",
            description = words.clear_data, on_click = { "go", "clear" } } },
        column{ width = "fill", padding_left = 16, padding_right = 16,
            field{ text = state.find, hint = words.find_history,
                width = "fill", id = "find_history",
                on_change = "find_history" } },
        list{ weight = 1, id = "history_list",
            #rows > 0 and rows or text{ words.empty, padding = 24,
                                        id = "empty" } } }
end

function screens.bookmarks(state)
    return page{ title = words.bookmarks,
        list{ weight = 1, id = "bookmark_list",
            #state.bookmarks > 0 and
            table.map(state.bookmarks, function(url)
                return page_row(url, nil, icon_button{ icon = "delete",
                    id = "remove_bookmark",
                    description = t(words.remove) .. ": " ..
                        t(page_name(url)),
                    on_click = { "remove_bookmark", url } })
            end) or text{ words.empty, padding = 24, id = "empty" } } }
end

-- ---- settings ----

local function option(label, id, chosen, action)
    return item{ label, id = id, on_click = action,
        radio{ checked = chosen, clickable = false } }
end

local function group(label)
    return text{ label, style = "title_small", ink = "primary", padding = 16,
                 padding_bottom = 4 }
end

function screens.settings(state)
    return page{ title = words.settings,
        list{ weight = 1, id = "settings_list",
            group(words.search_settings),
            item{ words.engine, id = "engine_row",
                detail = sites["engine" .. state.engine].name,
                on_click = { "go", "engine" } },
            item{ words.home_page, id = "home_row",
                detail = state.home_page == "start/home" and
                    words.start_page or page_name(state.home_page),
                on_click = { "go", "home_page" } },
            group(words.page_settings),
            item{ words.text_size, id = "scale_row",
                detail = state.scale .. " %",
                on_click = { "go", "text_size" } },
            item{ words.block_popups, id = "block_popups_row",
                switch{ checked = state.block_popups, id = "block_popups",
                    description = words.block_popups,
                    on_change = "block_popups" } },
            group(words.privacy_settings),
            item{ words.no_tracking, id = "no_tracking_row",
                switch{ checked = state.no_tracking, id = "no_tracking",
                    description = words.no_tracking,
                    on_change = "no_tracking" } },
            item{ words.clear_data, id = "clear_row",
                on_click = { "go", "clear" } } } }
end

function screens.engine(state)
    return sheet{ title = words.engine, id = "engine_sheet",
        table.map(shuffle_by_skin{ 1, 2, 3 }, function(place)
            return option(sites["engine" .. place].name, "engine_" .. place,
                          state.engine == place, { "engine", place })
        end) }
end

function screens.home_page(state)
    return sheet{ title = words.home_page, id = "home_sheet",
        option(words.start_page, "home_start",
               state.home_page == "start/home",
               { "home_page", "start/home" }),
        table.map(shuffle_by_skin(shortcut_sites), function(name)
            return option(sites[name].name, "home_" .. name,
                          state.home_page == name .. "/home",
                          { "home_page", name .. "/home" })
        end) }
end

function screens.text_size(state)
    local place = table.index(SCALES, state.scale)
    return sheet{ title = words.text_size, id = "text_size_sheet",
        row{ width = "fill", padding = 16, down = "center",
            across = "spread",
            icon_button{ icon = "minus", id = "smaller",
                description = words.smaller, disabled = place == 1,
                on_click = { "scale", SCALES[place - 1] or SCALES[1] } },
            text{ state.scale .. " %", style = "headline_medium",
                id = "scale" },
            icon_button{ icon = "add", id = "larger",
                description = words.larger, disabled = place == #SCALES,
                on_click = { "scale", SCALES[place + 1] or
                                      SCALES[#SCALES] } } } }
end

function screens.clear(state)
    return dialog{ title = words.clear_data, id = "clear_dialog",
        item{ words.range, id = "range_row",
            detail = words["range_" .. state.range],
            on_click = { "go", "range" } },
        table.map({ "history", "cookies", "cache" }, function(name)
            return checkbox{ t(words["clear_" .. name]), width = "fill",
                id = "clear_" .. name, key = name,
                checked = state.clear[name],
                on_change = { "clear_what", name } }
        end),
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.clear_now, id = "clear_now",
                      on_click = "clear_now" } } }
end

function screens.range(state)
    return sheet{ title = words.range, id = "range_sheet",
        table.map(RANGES, function(name)
            return option(words["range_" .. name], "range_" .. name,
                          state.range == name, { "range", name })
        end) }
end

-- ---- what sites show above their pages ----

function screens.cookies(_, site)
    return sheet{ modal = true, id = "cookie_sheet",
        title = words.cookies_title,
        column{ width = "fill", padding = 16, gap = 12,
            text{ string.format(t(words.cookies_text), t(sites[site].name)),
                style = "body_medium", ink = "on_surface_variant" },
            button{ words.accept_all, id = "accept_all", style = "filled",
                width = "fill", on_click = { "accept_cookies", site } },
            text_button{ words.cookie_options, id = "cookie_options",
                width = "fill",
                on_click = { "replace", "cookie_options", site } } } }
end

function screens.cookie_options(state, site)
    return sheet{ modal = true, id = "cookie_options_sheet",
        title = words.cookie_options,
        table.map({ "cookie_statistics", "cookie_marketing" }, function(name)
            return item{ words[name], id = name .. "_row",
                switch{ checked = state[name], id = name,
                    description = words[name], on_change = name } }
        end),
        column{ width = "fill", padding = 16, gap = 8,
            button{ words.accept_all, id = "accept_all", style = "filled",
                width = "fill", on_click = { "accept_cookies", site } },
            text_button{ words.save_choice, id = "save_choice",
                width = "fill", on_click = { "save_cookies", site } },
            text_button{ words.reject_all, id = "reject_all", width = "fill",
                ink = "on_surface_variant",
                on_click = { "reject_cookies", site } } } }
end

function screens.newsletter(state)
    return dialog{ modal = true, id = "newsletter_dialog",
        row{ width = "fill", down = "center",
            text{ words.newsletter, weight = 1, style = "headline_small" },
            icon_button{ icon = "close", id = "close_newsletter",
                description = words.close, on_click = "back" } },
        text{ words.newsletter_text, style = "body_medium",
            ink = "on_surface_variant" },
        field{ text = state.form.mail, hint = "name@mail.example",
            width = "fill", id = "newsletter_mail",
            on_change = "newsletter_mail" },
        button{ words.subscribe, id = "subscribe", style = "filled",
            width = "fill", disabled = state.form.mail:trim() == "",
            on_click = "subscribe" } }
end

function screens.choose(state, name)
    return sheet{ title = words[name], id = "choose_sheet",
        table.map(name == "service" and web_content.services or
                  web_content.offices, function(one)
            return option({ en = one.en, zh = one.zh },
                          name .. "_" .. one.id, state[name] == one.id,
                          { "choose", name, one.id })
        end) }
end

function screens.shop_sort(state)
    return sheet{ title = words.sort, id = "sort_sheet",
        table.map(shuffle_by_skin{ "recommended", "price_asc", "price_desc",
                                   "rating" }, function(order)
            return option(words[order], "sort_" .. order,
                          state.shop_sort == order, { "shop_sort", order })
        end) }
end

return {
    package = "org.proctor.browser",
    name = { en = "Browser", zh = "浏览器" },
    hue = 255,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { sites = sites, wiki = web_content.wiki, news = web_content.news,
              products = products, kinds = web_content.kinds,
              services = web_content.services, offices = web_content.offices,
              slots = web_content.slots, shipping = web_content.shipping,
              visited = web_content.visited, open = web_content.open,
              bookmarked = web_content.bookmarked, topics = web_content.topics,
              questions = web_content.questions, wishes = web_content.wishes,
              colours = web_content.colours, grouped = web_content.grouped,
              found = pages.found,
              listed = pages.listed, title = pages.title, url_of = url_of },
    on_start = function(state, intent)
        local url = intent.data and pages.typed_address(intent.data)
        if url then
            add_tab(state, false, url)
        end
    end,
    on_back = function(state)
        return current() == "main" and step(state, -1)
    end,
}
