-- Shared by apps that sell things: searching, sorting, counting and
-- confirming. Each app passes its own wording.

market = {}

-- ---- searching ----

-- A function that says whether a text, in lower case, contains every word of
-- the query.
function market.finder(query)
    local words = table.filter(query:lower():split(" "), function(word)
        return word ~= ""
    end)
    return function(text)
        for _, word in ipairs(words) do
            if not text:find(word) then
                return false
            end
        end
        return true
    end
end

-- The recent searches with this one first, at most six.
function market.remember(recent, query)
    local list = table.filter(recent, function(old) return old ~= query end)
    table.insert(list, 1, query)
    list[7] = nil
    return list
end

-- Handlers of search_page, except the search itself.
function market.add_search_handlers(handlers)
    function handlers.typed(state, text) state.typed = text end

    function handlers.start_search(state)
        state.typed = ""
        go("search")
    end

    function handlers.clear_typed(state) state.typed = "" end

    function handlers.clear_recent(state) state.recent = {} end
end

-- A field, its button, the recent searches, each with the given icon, and what
-- is below them.
function market.search_page(words, state, parts)
    return page{
        row{ width = "fill", height = 64, down = "center", padding_right = 8,
            icon_button{ icon = "back", on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            field{ text = state.typed, hint = words.search, weight = 1,
                id = "search_input", background = "surface",
                autofocus = parts.autofocus, on_change = "typed",
                on_submit = "search" },
            state.typed ~= "" and icon_button{ icon = "close",
                description = words.clear, on_click = "clear_typed" } or false,
            parts.button },
        divider{},
        #state.recent > 0 and row{ width = "fill", padding = 16,
            across = "spread",
            text{ words.recent, style = "title_small" },
            text{ words.clear, id = "clear_recent", style = "label_large",
                ink = "primary", on_click = "clear_recent" } } or false,
        column{ width = "fill", table.map(state.recent, function(query)
            return item{ query, icon = parts.icon, id = "recent_item",
                key = query, on_click = { "search", query } }
        end) },
        parts.below or false }
end

function market.sort_sheet(words, chosen, orders)
    return sheet{ title = words.sort, id = "sort_sheet",
        table.map(shuffle_by_skin(orders), function(order)
            return item{ words[order], id = "sort_" .. order, key = order,
                on_click = { "sort", order },
                radio{ checked = chosen == order, clickable = false } }
        end) }
end

-- ---- buying ----

-- A quantity; fewer and more are handlers with their arguments.
function market.stepper(words, parts)
    return row{ down = "center", radius = 20, outline = "outline_variant",
        icon_button{ icon = "minus", description = words.fewer,
            id = "decrease", disabled = parts.count <= parts.least,
            on_click = parts.fewer },
        text{ parts.count, id = "quantity", width = 28, text_align = "center",
            style = "title_medium" },
        icon_button{ icon = "add", description = words.more, id = "increase",
            on_click = parts.more } }
end

function market.confirm_dialog(words, total)
    return dialog{ title = words.sure, id = "confirm_dialog",
        message = t(words.total) .. ": " .. money(total),
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.confirm, id = "confirm", on_click = "place" } } }
end

-- ---- tabs ----

-- The bar of tabs, in order, with these icons.
function market.tab_bar(words, chosen, tabs, icons)
    return nav_bar{ id = "bottom_nav", table.map(tabs, function(name)
        return nav_item{ words[name], icon = icons[name], id = "nav_" .. name,
            selected = chosen == name, on_click = { "tab", name } }
    end) }
end
