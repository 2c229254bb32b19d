-- The page of an app in Store, and what it leads to: its description,
-- versions, permissions, data safety, developer and reviews.

local words = include("store_words")

local SHOTS = 4
local FOLDED = { en = 52, zh = 16 } -- characters of a folded text

local store, parts

-- ---- the top of the page ----

local function wish_button(state, app)
    local wished = table.index(state.wishes, app.id) ~= nil
    return icon_button{ icon = wished and "heart_full" or "heart",
        id = "wish", selected = wished,
        description = wished and words.unwish or words.wish,
        on_click = { "wish", app.id, not wished } }
end

local function title_row(app)
    local marks = table.filter({ app.ads and t(words.has_ads) or "",
        app.extras and t(words.has_extras) or "" },
        function(mark) return mark ~= "" end)
    return row{ width = "fill", gap = 18, padding = 20, padding_top = 8,
        down = "center",
        parts.app_icon(app, 84),
        column{ weight = 1, gap = 4,
            text{ app.name, id = "page_name", style = "headline_small",
                lines = 2 },
            text{ store.developers[app.developer].name, id = "developer",
                style = "title_small", ink = "primary",
                on_click = { "go", "developer", app.developer } },
            #marks > 0 and quiet(table.concat(marks, " · "), "marks") or
                false } }
end

local function figure(top, below, id, sign)
    return column{ width = 104, across = "center",
        down = "center", gap = 2, id = id,
        row{ gap = 4, down = "center",
            top and text{ top, style = "title_small" } or false,
            sign and icon{ icon = sign, width = 16, height = 16 } or false },
        quiet(below, nil, { text_align = "center", lines = 1 }) }
end

local function figures(app)
    return carousel{ id = "figures", width = "fill", gap = 4,
        padding_left = 12, padding_right = 12, down = "center",
        figure(parts.stars_text(app.rating),
               string.format(t(words.reviews_count),
                             shortened(app.ratings)), "figure_rating",
               "star"),
        figure(shortened(app.downloads) .. "+", words.downloads,
               "figure_downloads"),
        figure(parts.size_text(app.size), words.size, "figure_size"),
        figure(app.age .. "+", words.age_rating, "figure_age"),
        app.choice and figure(nil, words.choice, "figure_choice", "cup") or
            false }
end

local function wide(label, id, handler, style)
    return button{ label, id = id, weight = 1, height = 44, style = style,
                   ink = style == "outlined" and "primary" or nil,
                   on_click = handler }
end

local function action_row(state, app)
    local job = parts.job_of(state, app.id)
    if job then
        return row{ width = "fill", padding_left = 20, padding_right = 8,
            gap = 8, down = "center",
            column{ weight = 1, parts.progress_row(state, app, job) },
            parts.stop_button(app) }
    end
    local buttons
    if table.find(state.installed, app.id) then
        buttons = shuffle_by_skin{
            wide(words.uninstall, "uninstall", { "go", "remove", app.id },
                 "outlined"),
            parts.is_pending(state, app.id) and
                wide(words.update, "update", { "update", app.id }) or
                wide(words.open, "launch", { "launch", app.id }) }
    elseif not app.compatible then
        buttons = text{ words.not_compatible, id = "not_compatible",
            weight = 1, style = "body_medium", ink = "error" }
    elseif parts.owned(state, app) then
        buttons = wide(words.get, "install", { "get", app.id })
    else
        buttons = wide(money(app.price), "install", { "get", app.id })
    end
    return row{ width = "fill", padding_left = 20, padding_right = 20,
                padding_top = 8, gap = 12, down = "center", buttons }
end

-- ---- screenshots ----

-- A small screen of an app, in its colours: a caption above bars and a picture.
local function shot(app, number, width, height)
    local kind = parts.kind_of(app)
    local r = random("shot", app.id, number)
    local bars = {}
    for _ = 1, 3 do
        bars[#bars + 1] = space{ width = r.int(40, 95) * (width - 40) // 100,
            height = height // 28, radius = height // 56,
            background = "#d7dee2" }
    end
    return column{ width = width, height = height, padding = 10, gap = 8,
        radius = 16, clips = true, background = parts.tint(app),
        text{ words.captions[number], lines = 2, ink = "#ffffff",
            width = "fill", text_align = "center",
            style = width > 200 and "headline_small" or "label_large" },
        column{ width = "fill", weight = 1, radius = 12, padding = 10,
            gap = 7, background = "#ffffff", clips = true,
            art{ art = number % 2 == 0 and kind.art or "cover_waves",
                seed = app.seed * number, width = "fill",
                height = height * 36 // 100, radius = 8 },
            bars } }
end

local function shots(app)
    local made = {}
    for number = 1, SHOTS do
        made[number] = column{ id = "shot", key = "shot" .. number,
            description = string.format(t(words.shot), number),
            on_click = { "go", "shot", app.id, number },
            shot(app, number, 124, 232) }
    end
    return carousel{ id = "shots", width = "fill", gap = 10,
        padding_left = 20, padding_right = 20, padding_top = 12, made }
end

-- ---- reviews ----

local function star_line(stars)
    return rating{ value = stars, text_size = 13 }
end

-- Long texts are cut until they are asked for.
local function foldable(state, body, name, id)
    local whole = t(body)
    if table.index(state.unfolded, name) or
       utf8.len(whole) <= t(FOLDED) then
        return text{ whole, id = id, style = "body_medium", width = "fill" }
    end
    return column{ width = "fill", id = "unfold_" .. id, key = name,
        on_click = { "unfold", name },
        text{ utf8.sub(whole, 1, t(FOLDED)) .. "…", id = id,
            style = "body_medium", width = "fill" },
        text{ words.read_more, style = "label_large", ink = "primary" } }
end

local function reply_part(state, review, name)
    return column{ width = "fill", padding = 12, gap = 4, radius = 14,
        id = "reply", background = "surface_container",
        text{ words.reply, style = "label_large" },
        foldable(state, review.reply, name .. "-reply", "reply_text") }
end

local function review_block(state, app, review)
    local name = app.id .. "-" .. review.id
    local helpful = table.index(state.helpful, name) ~= nil
    return column{ width = "fill", gap = 6, padding = 12, padding_left = 20,
        padding_right = 20, id = "review", key = "r" .. review.id,
        row{ width = "fill", gap = 10, down = "center",
            art{ art = "portrait", seed = app.id * 100 + review.id,
                width = 32, height = 32, radius = 16 },
            text{ review.who, id = "reviewer", weight = 1,
                style = "title_small" } },
        row{ gap = 10, down = "center", star_line(review.stars),
            quiet(parts.date_text(state, review.days), "review_date") },
        foldable(state, review.text, name, "review_text"),
        row{ width = "fill", down = "center",
            quiet(string.format(t(words.helpful_count),
                                review.helpful + (helpful and 1 or 0)),
                  "helpful_count", { weight = 1 }),
            chip{ words.helpful, id = "helpful", checkable = true,
                checked = helpful,
                on_click = { "helpful", app.id, review.id } } },
        review.reply and reply_part(state, review, name) or false }
end

local review_orders = {
    relevance = function(a, b) return a.helpful > b.helpful end,
    newest = function(a, b) return a.days < b.days end,
}

local function some_reviews(app, order, stars)
    return table.sort(table.filter(store.reviews_of(app), function(review)
        return stars == 0 or review.stars == stars
    end), review_orders[order])
end

local function histogram(app)
    local bars = {}
    for place, share in ipairs(app.stars) do
        bars[place] = row{ width = "fill", gap = 8, down = "center",
            id = "bar", key = "bar" .. place,
            description = string.format(t(words.star), 6 - place) .. ": " ..
                          share .. " %",
            on_click = { "reviews", app.id, 6 - place },
            text{ 6 - place, width = 14, style = "label_medium" },
            progress{ weight = 1, value = share, to = 100, height = 8 } }
    end
    return row{ width = "fill", gap = 20, padding = 20, padding_top = 4,
        down = "center",
        column{ width = 96, gap = 4,
            text{ parts.stars_text(app.rating), id = "rating_number",
                style = "display_medium" },
            star_line(app.rating / 10),
            quiet(string.format(t(words.reviews_count),
                                grouped(app.ratings))) },
        column{ weight = 1, gap = 6, bars } }
end

-- ---- the own review ----

local function star_buttons(id, chosen, handler)
    local stars = {}
    for number = 1, 5 do
        local action = table.copy(handler)
        table.insert(action, number)
        stars[number] = icon_button{ id = "star_" .. number,
            icon = number <= chosen and "star" or "star_empty",
            ink = number <= chosen and "primary" or "outline",
            selected = number <= chosen,
            description = string.format(t(words.star), number),
            on_click = action }
    end
    return row{ width = "fill", across = "spread", padding_left = 12,
                padding_right = 12, id = id, stars }
end

local function own_part(state, app)
    local own = table.find(state.own_reviews, app.id)
    if not table.find(state.installed, app.id) then
        return false
    end
    return { parts.heading(own and words.own or words.rate, "rate_heading"),
        not own and row{ padding_left = 20, quiet(words.rate_text) } or false,
        star_buttons("rate", own and own.stars or 0, { "rate", app.id }),
        own and row{ width = "fill", padding_left = 20, padding_right = 8,
            down = "center",
            text{ own.text, id = "own_text", weight = 1,
                style = "body_medium" },
            text_button{ words.delete, id = "delete_review",
                on_click = { "delete_review", app.id } } } or false }
end

-- ---- other parts of the page ----

local function whats_new(app)
    local newest = app.versions[1]
    return { parts.heading(words.whats_new, "new_heading",
                           { "go", "versions", app.id }),
        column{ width = "fill", padding_left = 20, padding_right = 20,
            gap = 4, table.map(newest.changes, function(change)
                return text{ "• " .. t(change), style = "body_medium",
                             id = "change" }
            end) } }
end

local function safety_part(app)
    local safety = app.safety
    return { parts.heading(words.safety, "safety_heading",
                           { "go", "safety", app.id }),
        column{ width = "fill", padding_left = 20, padding_right = 20,
            gap = 6,
            quiet(safety.shared and words.shared or words.not_shared),
            quiet(#safety.collected > 0 and words.collected or
                  words.not_collected),
            quiet(safety.encrypted and words.encrypted or
                  words.not_encrypted) } }
end

local function contact_part(state, app)
    local maker = store.developers[app.developer]
    local open = table.index(state.unfolded, "contact") ~= nil
    return {
        row{ width = "fill", height = 64, down = "center", padding_left = 20,
            padding_right = 16, id = "contact",
            on_click = { "unfold", "contact" },
            text{ words.contact, weight = 1, style = "title_large" },
            icon{ icon = open and "up" or "down", width = 24,
                height = 24 } },
        open and { parts.fact_row(words.mail, maker.mail, "mail"),
                   parts.fact_row(words.site, maker.site, "site"),
                   parts.fact_row(words.address, maker.address, "address") } or
            false }
end

local function neighbours(app)
    return table.filter(store.apps_of(app.kind), function(other)
        return other.id ~= app.id
    end)
end

-- ---- screens ----

local screens = {}

function screens.app(state, id)
    local app = store.apps[id]
    return page{ title = "",
        actions = { wish_button(state, app),
            icon_button{ icon = "more", id = "page_menu",
                description = words.page_menu,
                on_click = { "go", "page_menu", id } } },
        scroll{ weight = 1, id = "app_page", key = "app" .. id,
            padding_bottom = 24,
            title_row(app), figures(app), action_row(state, app),
            shots(app),
            parts.heading(words.about, "about_heading",
                          { "go", "about", id }),
            row{ padding_left = 20, padding_right = 20,
                quiet(app.text, "app_text", { style = "body_medium" }) },
            table.find(state.installed, id) and whats_new(app) or false,
            safety_part(app),
            parts.heading(words.reviews, "reviews_heading",
                          { "reviews", id, 0 }),
            histogram(app),
            table.map({ table.unpack(some_reviews(app, "relevance", 0), 1,
                                     3) }, function(review)
                return review_block(state, app, review)
            end),
            row{ padding_left = 12, text_button{ words.all_reviews,
                id = "all_reviews", on_click = { "reviews", id, 0 } } },
            own_part(state, app), contact_part(state, app),
            parts.heading(words.similar, "similar_heading",
                          { "go", "kind", app.kind }),
            parts.tiles("similar", neighbours(app)) } }
end

function screens.page_menu(state, id)
    local here = table.find(state.installed, id)
    return sheet{ title = store.apps[id].name, id = "page_sheet",
        here and item{ words.auto_one, id = "auto_one_row",
            switch{ checked = here.auto, id = "auto_one",
                description = words.auto_one,
                on_change = { "auto_one", id } } } or false,
        item{ words.versions, icon = "time", id = "open_versions",
            on_click = { "replace", "versions", id } },
        item{ words.permissions, icon = "shield", id = "open_permissions",
            on_click = { "replace", "permissions", id } },
        item{ words.report, icon = "flag", id = "report",
            on_click = { "report", id } } }
end

function screens.shot(_, id, number)
    local app = store.apps[id]
    return page{ title = string.format(t(words.shot), number),
        column{ width = "fill", weight = 1, across = "center",
            down = "center", id = "shot_view",
            shot(app, number, 320, 600) } }
end

function screens.about(state, id)
    local app = store.apps[id]
    local here = parts.version_here(state, app)
    local function shown(name, handler, button_id)
        return row{ width = "fill", padding_left = 20, padding_right = 12,
            height = 56, down = "center",
            quiet(name, nil, { style = "body_medium", weight = 1 }),
            text_button{ words.show, id = button_id,
                description = t(words.show) .. ": " .. t(name),
                on_click = handler } }
    end
    return page{ title = app.name,
        list{ weight = 1, id = "about",
            parts.heading(words.about, "about_title"),
            column{ padding_left = 20, padding_right = 20, gap = 12,
                text{ app.text, style = "title_medium" },
                text{ string.format(t(words.long_text), t(app.name)),
                    style = "body_medium", id = "long_text" } },
            parts.heading(words.details, "details_title"),
            parts.fact_row(words.version, here.name, "version"),
            parts.fact_row(words.updated, parts.date_text(state, here.days),
                           "updated"),
            parts.fact_row(words.downloads, grouped(app.downloads) .. "+",
                           "downloads"),
            parts.fact_row(words.size, parts.size_text(app.size), "size"),
            parts.fact_row(words.age_rating,
                           string.format(t(words.rated_for), app.age), "age"),
            parts.fact_row(words.requires,
                           string.format(t(words.android), app.android),
                           "requires"),
            parts.fact_row(words.released,
                           parts.date_text(state, app.released), "released"),
            parts.fact_row(words.offered,
                           store.developers[app.developer].name, "offered"),
            divider{},
            shown(words.permissions, { "go", "permissions", id },
                  "show_permissions"),
            shown(words.versions, { "go", "versions", id },
                  "show_versions") } }
end

local function group_part(name, icon_name, lines)
    return column{ width = "fill", padding_left = 20, padding_right = 20,
        padding_bottom = 14, gap = 4,
        row{ gap = 14, down = "center",
            icon{ icon = icon_name, width = 22, height = 22,
                ink = "primary" },
            text{ name, id = "group", style = "title_medium" } },
        table.map(lines, function(line)
            return row{ padding_left = 36, quiet(line, "group_line",
                                                 { style = "body_medium" }) }
        end) }
end

function screens.permissions(_, id)
    local app = store.apps[id]
    return sheet{ title = words.permissions, id = "permission_sheet",
        scroll{ width = "fill", height = 420, id = "permission_list",
            table.map(table.filter(store.groups, function(group)
                return table.index(app.permissions, group.id)
            end), function(group)
                return group_part(group.name, group.icon, group.lines)
            end),
            group_part(words.other, "info", words.other_lines) },
        row{ width = "fill", across = "end", padding = 12,
            text_button{ words.close, id = "close", on_click = "back" } } }
end

function screens.safety(_, id)
    local safety = store.apps[id].safety
    local function line(sign, said)
        return row{ width = "fill", gap = 16, padding = 14,
            padding_left = 20, down = "center",
            icon{ icon = sign, width = 24, height = 24, ink = "primary" },
            text{ said, weight = 1, style = "body_large" } }
    end
    return page{ title = words.safety,
        list{ weight = 1, id = "safety",
            line("share", safety.shared and words.shared or words.not_shared),
            line("person", #safety.collected > 0 and words.collected or
                           words.not_collected),
            table.map(safety.collected, function(one)
                return row{ padding_left = 60, padding_bottom = 8,
                    quiet("• " .. t(one), "collected",
                          { style = "body_medium" }) }
            end),
            line("lock", safety.encrypted and words.encrypted or
                         words.not_encrypted),
            line("delete", safety.deletable and words.deletable or
                           words.not_deletable) } }
end

function screens.versions(state, id)
    local app = store.apps[id]
    return page{ title = words.versions,
        list{ weight = 1, id = "versions",
            table.map(app.versions, function(version, place)
                local name = "version-" .. place
                local open = place == 1 or
                             table.index(state.unfolded, name) ~= nil
                return column{ width = "fill", padding = 16,
                    padding_left = 20, gap = 6, key = name, id = "version",
                    on_click = place > 1 and { "unfold", name } or nil,
                    row{ width = "fill", down = "center",
                        text{ version.name, id = "version_name", weight = 1,
                            style = "title_medium" },
                        quiet(parts.date_text(state, version.days),
                              "version_date"),
                        place > 1 and icon{ icon = open and "up" or "down",
                            width = 20, height = 20 } or false },
                    open and table.map(version.changes, function(change)
                        return text{ "• " .. t(change), id = "change",
                                     style = "body_medium" }
                    end) or false }
            end) } }
end

function screens.developer(state, id)
    local maker = store.developers[id]
    return page{ title = maker.name,
        list{ weight = 1, id = "developer_list",
            parts.fact_row(words.mail, maker.mail, "mail"),
            parts.fact_row(words.site, maker.site, "site"),
            divider{},
            table.map(table.filter(store.apps, function(app)
                return app.developer == id
            end), function(app) return parts.app_row(state, app) end) } }
end

-- ---- screens: reviews ----

local function star_chips(state)
    return carousel{ id = "star_chips", width = "fill", height = 52, gap = 8,
        padding_left = 16, padding_right = 16, down = "center",
        chip{ words[state.review_sort], icon = "sort", id = "review_sort",
            on_click = { "go", "review_orders" } },
        table.map({ 0, 5, 4, 3, 2, 1 }, function(stars)
            return chip{ stars == 0 and words.all_stars or stars,
                icon = stars > 0 and "star" or nil,
                description = stars > 0 and
                    string.format(t(words.star), stars) or nil,
                id = "stars_" .. stars, key = "stars" .. stars,
                checkable = true, checked = state.review_stars == stars,
                on_click = { "review_stars", stars } }
        end) }
end

function screens.reviews(state, id)
    local app = store.apps[id]
    local some = some_reviews(app, state.review_sort, state.review_stars)
    return page{ title = words.reviews, star_chips(state),
        list{ weight = 1, id = "review_list", on_scroll = "more_reviews",
            key = state.review_sort .. state.review_stars,
            table.map({ table.unpack(some, 1,
                math.min(state.reviews_shown, #some)) }, function(review)
                    return review_block(state, app, review)
                end) } }
end

function screens.review_orders(state)
    return sheet{ title = words.sort, id = "order_sheet",
        table.map({ "relevance", "newest" }, function(order)
            return item{ words[order], id = "order_" .. order, key = order,
                on_click = { "review_sort", order },
                radio{ checked = state.review_sort == order,
                    clickable = false } }
        end) }
end

function screens.write(state, id)
    local app = store.apps[id]
    return page{ title = words.write,
        actions = icon_or_text{ words.post, icon = "send", id = "post",
            on_click = { "post", id } },
        row{ width = "fill", gap = 14, padding = 16, down = "center",
            parts.app_icon(app, 44),
            text{ app.name, style = "title_medium", weight = 1 } },
        star_buttons("own_stars", state.own_stars, { "own_stars" }),
        column{ width = "fill", padding = 16,
            area{ text = state.own_text, hint = words.write_hint,
                width = "fill", height = 180, id = "own_text",
                on_change = "own_text" } } }
end

-- ---- screens: installing ----

function screens.needs(_, id)
    local app = store.apps[id]
    return sheet{ id = "needs_sheet",
        row{ gap = 14, padding_left = 20, padding_right = 20, down = "center",
            padding_bottom = 12, width = "fill", parts.app_icon(app, 40),
            text{ string.format(t(words.needs), t(app.name)), weight = 1,
                id = "needs_title", style = "title_medium" } },
        table.map(table.filter(store.groups, function(group)
            return table.index(app.permissions, group.id)
        end), function(group)
            return item{ group.name, icon = group.icon, id = "needed",
                         key = group.id }
        end),
        row{ width = "fill", across = "end", gap = 12, padding = 16,
            text_button{ words.cancel, id = "cancel", on_click = "back" },
            button{ words.accept, id = "accept",
                on_click = { "accept", id } } } }
end

function screens.buy(state, id)
    local app = store.apps[id]
    local function method(name, label, detail)
        return item{ label, id = "pay_" .. name, detail = detail,
            on_click = { "pay_with", name },
            radio{ checked = state.pay_with == name, clickable = false } }
    end
    return sheet{ id = "buy_sheet",
        row{ width = "fill", gap = 14, padding_left = 20, padding_right = 20,
            padding_bottom = 8, down = "center", parts.app_icon(app, 48),
            text{ app.name, weight = 1, style = "title_medium" },
            text{ money(app.price), id = "buy_price",
                style = "title_large" } },
        row{ padding_left = 20, quiet(words.pay_with) },
        method("card", string.format(t(words.card), "4471")),
        method("balance", words.balance, money(state.balance)),
        column{ width = "fill", padding = 16,
            button{ words.buy, id = "buy", width = "fill", height = 48,
                on_click = { "pay", id } } } }
end

function screens.remove(_, id)
    return dialog{ message = words.data_too, id = "remove_dialog",
        title = string.format(t(words.sure_remove), t(store.apps[id].name)),
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.uninstall, id = "confirm",
                      on_click = { "uninstall", id } } } }
end

function screens.opened(_, id)
    local app = store.apps[id]
    return page{ column{ width = "fill", weight = 1, across = "center",
        down = "center", gap = 20, id = "opened",
        parts.app_icon(app, 128),
        text{ app.name, style = "headline_medium" },
        quiet(app.text, nil, { style = "body_large" }),
        text_button{ words.back, id = "leave", on_click = "back" } } }
end

return function(content_of, shared)
    store, parts = content_of, shared
    return screens
end
