-- Store's tab of the own apps, and what it leads to: updates, what is
-- installed, the wish list, the account, and the settings.

local words = include("store_words")

local SYSTEM = 214000 -- taken by others, in tenths of a megabyte

local store, parts

local function total_of(one)
    return store.apps[one.id].size + one.data
end

local function sum(list, value)
    local total = 0
    for _, one in ipairs(list) do
        total = total + value(one)
    end
    return total
end

local function pending_size(state)
    return sum(state.pending, function(id)
        return store.apps[id].versions[1].size
    end)
end

-- ---- the tab ----

local function updates_card(state)
    local count = #state.pending
    return column{ width = "fill", radius = 24, padding = 20, gap = 12,
        id = "updates_card", background = "secondary_container",
        on_click = { "go", "updates" },
        row{ width = "fill", gap = 12, down = "center",
            column{ weight = 1, gap = 2,
                text{ count > 0 and words.updates or words.up_to_date,
                    style = "title_large", ink = "on_secondary_container" },
                count > 0 and text{ string.format(t(words.updates_text),
                    count, parts.size_text(pending_size(state))),
                    id = "updates_text", style = "body_medium",
                    ink = "on_secondary_container" } or false },
            icon{ icon = "right", width = 24, height = 24,
                ink = "on_secondary_container" } },
        row{ gap = 8, table.map({ table.unpack(state.pending, 1,
            math.min(count, 6)) }, function(id)
                return parts.app_icon(store.apps[id], 36)
            end) } }
end

local function space_card(state)
    local used = SYSTEM + sum(state.installed, total_of)
    return column{ width = "fill", radius = 24, padding = 20, gap = 10,
        id = "space_card", background = "surface_container",
        on_click = "manage",
        text{ words.space, style = "title_medium" },
        progress{ width = "fill", value = used, to = 640000, height = 10 },
        quiet(string.format(t(words.used_space), parts.size_text(used)),
              "used_space") }
end

local function tab(state)
    return { row{ width = "fill", height = 64, padding_left = 20,
            padding_right = 8, down = "center",
            text{ words.mine, weight = 1, style = "headline_large" },
            icon_button{ icon = "gear", id = "settings",
                description = words.settings,
                on_click = { "go", "settings" } } },
        list{ weight = 1, id = "mine_list",
            column{ width = "fill", padding = 16, gap = 12,
                updates_card(state), space_card(state) },
            item{ words.manage, icon = "phone_device", id = "manage",
                detail = string.format(t(words.manage_text),
                                       #state.installed),
                on_click = "manage" },
            item{ words.wishes, icon = "heart", id = "wishes",
                detail = string.format(t(words.manage_text), #state.wishes),
                on_click = { "go", "wishes" } },
            item{ words.orders, icon = "bag", id = "orders",
                on_click = { "go", "orders" } },
            item{ words.account, icon = "person", id = "account",
                on_click = { "go", "account" } } } }
end

-- ---- updates ----

local screens = {}

local function update_row(state, id)
    local app = store.apps[id]
    local newest, name = app.versions[1], "update-" .. id
    local open = table.index(state.unfolded, name) ~= nil
    return column{ width = "fill", key = "u" .. id,
        parts.app_row(state, app, { key = "row" .. id,
            first = parts.size_text(newest.size),
            second = parts.date_text(state, newest.days) }),
        row{ width = "fill", height = 48, padding_left = 86,
            padding_right = 16, down = "center", id = "unfold_update",
            description = t(words.whats_new) .. ": " .. t(app.name),
            on_click = { "unfold", name },
            text{ words.whats_new, weight = 1, style = "label_large",
                ink = "primary" },
            icon{ icon = open and "up" or "down", width = 20,
                height = 20 } },
        open and column{ width = "fill", padding_left = 86,
            padding_right = 16, padding_bottom = 8, gap = 2,
            quiet(t(words.version) .. " " .. newest.name, "new_version"),
            table.map(newest.changes, function(change)
                return text{ "• " .. t(change), id = "change",
                             style = "body_medium" }
            end) } or false }
end

function screens.updates(state)
    return page{ title = words.updates,
        #state.pending > 0 and row{ width = "fill", padding = 16,
            padding_top = 4, down = "center",
            quiet(string.format(t(words.updates_text), #state.pending,
                                parts.size_text(pending_size(state))),
                  "updates_text", { weight = 1, style = "body_medium" }),
            button{ words.update_all, id = "update_all",
                on_click = "update_all" } } or
            text{ words.up_to_date, id = "up_to_date", padding = 24,
                style = "title_medium" },
        list{ weight = 1, id = "update_list", padding_bottom = 112,
            table.map(state.pending, function(id)
                return update_row(state, id)
            end) } }
end

-- ---- what is installed ----

local orders = {
    by_name = function(a, b)
        return t(store.apps[a.id].name) < t(store.apps[b.id].name)
    end,
    by_size = function(a, b) return total_of(a) > total_of(b) end,
    by_use = function(a, b) return a.used > b.used end,
}

-- How long an app was not used is shown in that order only.
local function installed_row(state, one)
    local app = store.apps[one.id]
    return row{ id = "installed_row", key = "i" .. one.id, width = "fill",
        gap = 14, padding = 10, padding_left = 16, padding_right = 8,
        down = "center", on_click = { "open", one.id },
        parts.app_icon(app, 48),
        column{ weight = 1, gap = 2,
            text{ app.name, id = "app_name", style = "title_medium",
                lines = 2 },
            quiet(state.manage_sort == "by_use" and
                  parts.used_text(one.used) or
                  parts.size_text(total_of(one)), "installed_detail") },
        checkbox{ checked = table.index(state.selected, one.id) ~= nil,
            id = "select_app", description = app.name,
            on_change = { "choose", one.id } } }
end

function screens.manage(state)
    local listed = table.sort(table.join(state.installed),
                              orders[state.manage_sort])
    local chosen = table.filter(listed, function(one)
        return table.index(state.selected, one.id)
    end)
    return page{ title = words.manage,
        row{ width = "fill", padding_left = 20, padding_right = 12,
            down = "center",
            quiet(string.format(t(words.manage_text), #listed), nil,
                  { weight = 1 }),
            chip{ words[state.manage_sort], icon = "sort", id = "sort",
                on_click = { "go", "sort" } } },
        list{ weight = 1, id = "installed_list", key = state.manage_sort,
            table.map(listed, function(one)
                return installed_row(state, one)
            end) },
        #chosen > 0 and row{ width = "fill", padding = 12,
            padding_left = 20, down = "center", id = "selection",
            background = "secondary_container",
            text{ string.format(t(words.selected), #chosen,
                                parts.size_text(sum(chosen, total_of))),
                id = "selected_text", weight = 1, style = "title_small" },
            button{ words.uninstall, id = "uninstall_selected",
                on_click = { "go", "remove_selected" } } } or false }
end

function screens.sort(state)
    return market.sort_sheet(words, state.manage_sort,
                             { "by_name", "by_size", "by_use" })
end

function screens.remove_selected(state)
    return dialog{ message = words.data_too, id = "remove_dialog",
        title = string.format(t(words.sure_many), #state.selected),
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.uninstall, id = "confirm",
                      on_click = "uninstall_selected" } } }
end

function screens.wishes(state)
    return page{ title = words.wishes,
        list{ weight = 1, id = "wish_list",
            #state.wishes > 0 and table.map(state.wishes, function(id)
                local app = store.apps[id]
                return parts.app_row(state, app,
                    { first = parts.price_text(app) })
            end) or text{ words.no_wishes, id = "no_wishes", width = "fill",
                padding = 48, text_align = "center" } } }
end

-- ---- the account ----

local function paid_text(subscription)
    return string.format(t(subscription.yearly and words.yearly or
                           words.monthly), money(subscription.cents))
end

local function subscription_row(state, one)
    local app = store.apps[one.id]
    local day = dates.full(state.base + one.renews)
    return row{ width = "fill", gap = 14, padding = 12, padding_left = 20,
        down = "center", id = "subscription_row", key = "s" .. one.id,
        on_click = { "go", "subscription", one.id },
        parts.app_icon(app, 44),
        column{ weight = 1, gap = 2,
            text{ app.name, id = "app_name", style = "title_medium" },
            quiet(string.format(t(one.ended and words.ends or words.renews),
                                day), "renews") },
        icon{ icon = "right", width = 20, height = 20 } }
end

function screens.account(state)
    return page{ title = words.account,
        list{ weight = 1, id = "account_list",
            row{ width = "fill", padding = 20, gap = 16, down = "center",
                art{ art = "portrait", seed = 41, width = 64, height = 64,
                    radius = 32 },
                column{ weight = 1, gap = 2,
                    text{ store.owner, style = "title_large" },
                    quiet(t(words.balance) .. ": " .. money(state.balance),
                          "balance") } },
            item{ words.orders, icon = "bag", id = "orders",
                on_click = { "go", "orders" } },
            parts.heading(words.subscriptions, "subscriptions_heading"),
            table.map(state.subscriptions, function(one)
                return subscription_row(state, one)
            end) } }
end

function screens.subscription(state, id)
    local one = table.find(state.subscriptions, id)
    local app = store.apps[id]
    return page{ title = words.subscriptions,
        column{ width = "fill", across = "center", gap = 10, padding = 24,
            parts.app_icon(app, 88),
            text{ app.name, style = "headline_small", id = "page_name" },
            text{ paid_text(one), id = "paid", style = "title_large" },
            quiet(string.format(t(one.ended and words.ends or words.renews),
                                dates.full(state.base + one.renews)),
                  "renews", { style = "body_medium" }),
            space{ height = 12 },
            not one.ended and button{ words.unsubscribe, id = "unsubscribe",
                style = "outlined", ink = "error", width = "fill",
                height = 48, on_click = { "go", "end", id } } or false } }
end

screens["end"] = function(_, id)
    return dialog{ title = words.unsubscribe, message = words.sure_end,
        id = "end_dialog",
        buttons = { { words.keep, id = "cancel", on_click = "back" },
                    { words.unsubscribe, id = "confirm",
                      on_click = { "unsubscribe", id } } } }
end

local function order_row(state, order)
    local app = store.apps[order.app]
    return row{ width = "fill", gap = 14, padding = 12, padding_left = 20,
        padding_right = 20, down = "center", id = "order_row",
        key = "o" .. order.id, on_click = { "go", "order", order.id },
        parts.app_icon(app, 40),
        column{ weight = 1, gap = 2,
            text{ app.name, id = "app_name", style = "title_small" },
            quiet(parts.date_text(state, order.days), "order_date") },
        order.refunded and quiet(words.refunded, "refunded") or
            text{ money(order.cents), id = "order_amount",
                style = "title_small" } }
end

function screens.orders(state)
    return page{ title = words.orders,
        list{ weight = 1, id = "order_list",
            table.map(state.orders, function(order)
                return order_row(state, order)
            end) } }
end

function screens.order(state, id)
    local order = table.find(state.orders, id)
    return page{ title = words.order,
        list{ weight = 1, id = "order",
            parts.app_row(state, store.apps[order.app],
                order.extra and { first = words.extra } or nil),
            divider{},
            parts.fact_row(words.order_number, order.number, "number"),
            parts.fact_row(words.order_date,
                           parts.date_text(state, order.days), "date"),
            parts.fact_row(words.amount, money(order.cents), "amount"),
            column{ width = "fill", padding = 20, gap = 10,
                order.refunded and text{ words.refunded, id = "refunded",
                    style = "title_medium", ink = "primary" } or
                order.days <= 2 and button{ words.refund, id = "refund",
                    style = "tonal", width = "fill", height = 48,
                    on_click = { "go", "refund", id } } or
                quiet(words.refund_late, "refund_late") } } }
end

function screens.refund(_, id)
    return sheet{ title = words.why, id = "refund_sheet",
        table.map(words.reasons, function(reason, place)
            return item{ reason, id = "reason", key = "reason" .. place,
                on_click = { "refund", id, place } }
        end) }
end

-- ---- settings ----

local choices = {
    auto_update = { { "any", words.any_network }, { "wifi", words.wifi },
                    { "off", words.off } },
    downloads_over = { { "any", words.any_network }, { "wifi", words.wifi },
                       { "ask", words.ask } },
}

local function chosen_text(state, name)
    return table.filter(choices[name], function(choice)
        return choice[1] == state[name]
    end)[1][2]
end

function screens.choice(state, name)
    return dialog{ title = words[name], id = "choice_dialog",
        table.map(choices[name], function(choice)
            return item{ choice[2], id = name .. "_" .. choice[1],
                key = choice[1], on_click = { name, choice[1] },
                radio{ checked = state[name] == choice[1],
                    clickable = false } }
        end) }
end

function screens.settings(state)
    local function line(name)
        return item{ words[name], id = name .. "_row",
            switch{ checked = state[name], id = name,
                description = words[name], on_change = name } }
    end
    local function several(name, sign)
        return item{ words[name], detail = chosen_text(state, name),
            icon = sign, id = name, on_click = { "go", "choice", name } }
    end
    return page{ title = words.settings,
        list{ weight = 1, id = "settings_list",
            shuffle_by_skin{ several("auto_update", "refresh"),
                             several("downloads_over", "download") },
            divider{},
            shuffle_by_skin{ line("notify_updates"), line("deals"),
                             line("ask_purchase"), line("personal") },
            divider{},
            item{ words.clear_recent, icon = "delete", id = "clear_recent",
                on_click = "clear_recent" } } }
end

return function(content_of, shared)
    store, parts = content_of, shared
    return { tab = tab, screens = screens }
end
