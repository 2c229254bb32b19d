-- Notes: texts and check lists on coloured cards, in folders, with pins,
-- search, selection of several, and a trash.

local world = include("notes_content")
local words = include("notes_words")

local STEP = 16     -- cards loaded at a time
local PREVIEW = { en = 44, zh = 16 } -- characters of a text on its card
local PREVIEWED = 4 -- items of a list that a card shows

local colours = { "plain", "yellow", "green", "blue", "pink", "purple" }
local light = { yellow = "#fff3bf", green = "#d8f5c8", blue = "#cfe8fc",
                pink = "#fbd9e4", purple = "#e6dcfa" }
local dark = { yellow = "#5c4b00", green = "#234d16", blue = "#15466b",
               pink = "#6b2440", purple = "#43306b" }

-- ---- the state ----

local function first_state()
    local today = dates.today()
    return { notes = table.map(world.notes, function(note)
                 local own = table.copy(note)
                 own.changed = (today - note.changed) * 1440
                 own.made = (today - note.made) * 1440
                 own.pinned, own.trashed = false, note.trashed or false
                 own.check = note.check or false
                 return own
             end),
             folders = { { id = 1, name = words.home },
                         { id = 2, name = words.bills },
                         { id = 3, name = words.travel } },
             next_note = #world.notes + 1, next_folder = 4, folder = 0,
             trash = false, query = "", sort = "made", grid = true, offer = true,
             shown = STEP, selected = {}, typed_item = "", folder_name = "",
             sink = false, dates = false }
end

local function find_note(state, id)
    return table.filter(state.notes, function(note)
        return note.id == id
    end)[1]
end

local function find_folder(state, id)
    return table.filter(state.folders, function(folder)
        return folder.id == id
    end)[1]
end

local function body_of(note)
    local body = t(note.body)
    return note.amount and string.format(body, money(note.amount)) or body
end

local function touch(note)
    note.changed = math.floor(now()) // 60
end

local orders = {
    changed = function(a, b) return a.changed > b.changed end,
    oldest = function(a, b) return a.changed < b.changed end,
    made = function(a, b) return a.made > b.made end,
    by_title = function(a, b)
        return t(a.title):lower() < t(b.title):lower()
    end,
}

local function visible(state)
    local has = market.finder(state.query)
    local fitting = table.filter(state.notes, function(note)
        return note.trashed == state.trash and
            (state.folder == 0 or state.trash or note.folder == state.folder) and
            has((t(note.title) .. " " .. body_of(note) .. " " ..
                 table.concat(table.map(note.items, function(item)
                     return t(item.text)
                 end), " ")):lower())
    end)
    return table.sort(fitting, orders[state.sort])
end

-- ---- handlers ----

local handlers = {}

function handlers.search(state, text)
    state.query, state.shown = text, STEP
end

function handlers.clear(state) state.query = "" end

function handlers.folder(state, id)
    state.folder, state.trash, state.query = id, false, ""
    state.shown, state.selected = STEP, {}
    home()
end

function handlers.trash_bin(state)
    state.folder, state.trash, state.query = 0, true, ""
    state.shown, state.selected = STEP, {}
    home()
end

function handlers.sort(state, order)
    state.sort, state.shown = order, STEP
    back()
end

function handlers.grid(state, on) state.grid = on end
function handlers.sink(state, on) state.sink = on end
function handlers.dates(state, on) state.dates = on end
function handlers.close_offer(state) state.offer = false end

function handlers.more(state, left)
    if left >= 300 or state.shown >= #state.notes then
        return false
    end
    state.shown = state.shown + STEP
end

-- While some are selected, a tap selects.
function handlers.open(state, id)
    if #state.selected > 0 then
        handlers.select(state, id)
        return
    end
    state.typed_item = ""
    go("note", id)
end

function handlers.select(state, id)
    table.toggle(state.selected, id)
end

function handlers.unselect(state) state.selected = {} end

-- ---- handlers: one note ----

function handlers.new(state, check)
    local minute = math.floor(now()) // 60
    table.insert(state.notes, { id = state.next_note, title = "", body = "",
        items = {}, check = check, colour = "plain", pinned = false,
        folder = state.folder > 0 and state.folder or 1, trashed = false,
        changed = minute, made = minute })
    state.typed_item = ""
    go("note", state.next_note)
    state.next_note = state.next_note + 1
end

-- A note without anything in it is not kept.
function handlers.leave(state)
    local _, id = current()
    local note = find_note(state, id)
    back()
    if note and note.title == "" and note.body == "" and
       #note.items == 0 then
        state.notes = table.filter(state.notes, function(one)
            return one.id ~= id
        end)
        snack(words.gone)
    end
end

local function open_note(state)
    local _, id = current()
    return find_note(state, id)
end

function handlers.title(state, text)
    local note = open_note(state)
    note.title = text
    touch(note)
end

function handlers.text(state, text)
    local note = open_note(state)
    note.body, note.amount = text, nil
    touch(note)
end

function handlers.typed_item(state, text) state.typed_item = text end

function handlers.add_item(state, id)
    local text = state.typed_item:trim()
    if text ~= "" then
        local note = find_note(state, id)
        table.insert(note.items, { text = text, done = false })
        touch(note)
        state.typed_item = ""
        event("added", id, text)
    end
end

-- The enter key adds as the button does.
function handlers.enter_item(state, id, text)
    state.typed_item = text
    handlers.add_item(state, id)
end

function handlers.check(state, id, place, on)
    local note = find_note(state, id)
    note.items[place].done = on
    touch(note)
end

function handlers.remove_item(state, id, place)
    local note = find_note(state, id)
    table.remove(note.items, place)
    touch(note)
end

function handlers.uncheck(state, id)
    local note = find_note(state, id)
    for _, item in ipairs(note.items) do
        item.done = false
    end
    touch(note)
    back()
end

-- A line of text becomes an item, and back.
function handlers.tick_boxes(state, id, on, body)
    local note = find_note(state, id)
    if on then
        note.items = table.map(table.filter(body:split("\n"), function(line)
            return line:trim() ~= ""
        end), function(line) return { text = line:trim(), done = false } end)
        note.body = ""
    else
        note.body, note.items = body, {}
    end
    note.check, note.amount = on, nil
    touch(note)
    back()
end

function handlers.copy(state, id)
    local copy = table.copy(find_note(state, id))
    copy.id, copy.pinned = state.next_note, false
    copy.made = math.floor(now()) // 60
    touch(copy)
    table.insert(state.notes, copy)
    state.next_note = state.next_note + 1
    home("note", copy.id)
end

-- ---- handlers: one, or those that are selected ----

-- 0 stands for those that are selected.
local function meant(state, id)
    return table.map(id > 0 and { id } or state.selected, function(one)
        return find_note(state, one)
    end)
end

function handlers.pin(state, id, on)
    for _, note in ipairs(meant(state, id)) do
        note.pinned = on
    end
    state.selected = {}
end

function handlers.colour(state, id, name)
    for _, note in ipairs(meant(state, id)) do
        note.colour = name
    end
    state.selected = {}
    back()
end

function handlers.move(state, id, folder)
    for _, note in ipairs(meant(state, id)) do
        note.folder = folder
    end
    state.selected = {}
    back()
end

function handlers.delete(state, id)
    local ids = table.map(meant(state, id), function(note)
        note.trashed, note.pinned = true, false
        return note.id
    end)
    state.selected = {}
    home()
    snack(words.trashed, words.undo, "restore_all", table.unpack(ids))
end

function handlers.restore_all(state, ...)
    for _, id in ipairs{ ... } do
        find_note(state, id).trashed = false
    end
end

function handlers.restore(state, id)
    for _, note in ipairs(meant(state, id)) do
        note.trashed = false
    end
    state.selected = {}
    home()
end

function handlers.erase(state, id)
    local gone = id > 0 and { id } or state.selected
    state.notes = table.filter(state.notes, function(note)
        return not table.index(gone, note.id)
    end)
    state.selected = {}
    home()
end

function handlers.empty_trash(state)
    state.notes = table.filter(state.notes, function(note)
        return not note.trashed
    end)
    state.selected = {}
    home()
end

-- ---- handlers: folders ----

function handlers.new_folder(state, id)
    state.folder_name = ""
    go("new_folder", id)
end

function handlers.folder_name(state, text) state.folder_name = text end

-- Made from the sheet that moves notes, it gets them at once.
function handlers.create_folder(state, id)
    local folder = state.next_folder
    table.insert(state.folders, { id = folder,
                                  name = state.folder_name:trim() })
    state.next_folder = folder + 1
    back()
    if id >= 0 then
        handlers.move(state, id, folder)
    end
end

-- ---- parts of the screens ----

local function quiet(value, id)
    return text{ value, id = id, style = "body_small",
                 ink = "on_surface_variant" }
end

local function paint(name)
    return (display().dark and dark or light)[name]
end

local function preview(note)
    if not note.check then
        local body = body_of(note):replace("\n", " ")
        local cut = utf8.sub(body, 1, t(PREVIEW))
        return cut ~= "" and quiet(cut == body and body or cut .. "…",
                                   "note_text") or false
    end
    local rows, done = {}, 0
    for i, item in ipairs(note.items) do
        done = done + (item.done and 1 or 0)
        if i <= PREVIEWED then
            rows[#rows + 1] = row{ gap = 8, down = "center", width = "fill",
                icon{ icon = item.done and "check" or "minus", width = 16,
                      height = 16, ink = "outline" },
                text{ item.text, weight = 1, lines = 1, style = "body_small",
                      ink = item.done and "outline" or
                            "on_surface_variant" } }
        end
    end
    return column{ width = "fill", gap = 4, rows,
        text{ string.format(t(words.left), done, #note.items),
              id = "note_progress", style = "label_small",
              ink = "primary" } }
end

local function note_card(state, note)
    local selected = table.index(state.selected, note.id) ~= nil
    local colour = paint(note.colour)
    return column{ id = "note_card", key = "n" .. note.id, width = "fill",
        gap = 6, padding = 14, radius = 16, selected = selected,
        background = selected and "secondary_container" or colour or
                     "surface",
        outline = selected and "primary" or not colour and
                  "outline_variant" or nil,
        on_click = { "open", note.id }, on_long_click = { "select", note.id },
        t(note.title) ~= "" and row{ width = "fill", gap = 6,
            text{ note.title, id = "note_title", weight = 1, lines = 2,
                  style = "title_medium" },
            note.pinned and icon{ icon = "pin_filled", width = 16,
                height = 16, ink = "primary" } or false } or false,
        preview(note),
        state.dates and quiet(dates.short(note.changed // 1440),
                              "note_date") or false }
end

-- Two columns, the next card in the shorter one.
local function card_columns(state, notes)
    if not state.grid then
        return column{ width = "fill", gap = 8, table.map(notes, function(note)
            return note_card(state, note)
        end) }
    end
    local sides, heights = { {}, {} }, { 0, 0 }
    for _, note in ipairs(notes) do
        local side = heights[2] < heights[1] and 2 or 1
        table.insert(sides[side], note_card(state, note))
        heights[side] = heights[side] + 3 +
                        (note.check and math.min(#note.items, PREVIEWED) or 2)
    end
    return row{ width = "fill", gap = 8,
        column{ weight = 1, gap = 8, sides[1] },
        column{ weight = 1, gap = 8, sides[2] } }
end

local function view_name(state)
    return state.trash and words.trash or
           state.folder == 0 and words.all or
           find_folder(state, state.folder).name
end

local function search_bar_of(state)
    return row{ width = "fill", height = 52, radius = 26, down = "center",
        padding_left = 4, padding_right = 4, id = "top_bar",
        background = "surface_container_high",
        icon_button{ icon = "menu", id = "menu", description = words.menu,
            on_click = { "go", "menu" } },
        field{ text = state.query, hint = words.search, weight = 1,
            id = "search_input", background = "surface_container_high",
            on_change = "search" },
        state.query ~= "" and icon_button{ icon = "close", id = "clear",
            description = words.clear, on_click = "clear" } or false,
        icon_button{ icon = state.grid and "list" or "grid", id = "layout",
            description = state.grid and words.list or words.grid,
            on_click = { "grid", not state.grid } },
        icon_button{ icon = "sort", id = "sort", description = words.sort,
            on_click = { "go", "sort" } } }
end

local function selection_bar(state)
    local unpinned = #table.filter(meant(state, 0), function(note)
        return not note.pinned
    end) > 0
    local function act(sign, name, handler)
        return icon_button{ icon = sign, id = name, description = words[name],
                            on_click = handler }
    end
    return row{ width = "fill", height = 52, down = "center", radius = 26,
        background = "secondary_container", padding_right = 4,
        act("close", "close", "unselect"),
        text{ string.format(t(words.selected), #state.selected), weight = 1,
              id = "selected_count", style = "title_medium", lines = 1 },
        state.trash and { act("restart", "restore", { "restore", 0 }),
                          act("delete", "erase", { "go", "erase", 0 }) } or
        { act(unpinned and "pin_filled" or "minus",
              unpinned and "pin" or "unpin", { "pin", 0, unpinned }),
          act("tag", "colour", { "go", "colour", 0 }),
          act("folder", "move", { "go", "move", 0 }),
          act("delete", "delete", { "delete", 0 }) } }
end

local function offer()
    return row{ id = "offer", key = "offer", width = "fill", gap = 12,
        padding = 12, radius = 16, down = "center",
        background = "tertiary_container", on_click = { "go", "ad" },
        icon{ icon = "world", ink = "on_tertiary_container" },
        column{ weight = 1,
            text{ words.offer, style = "title_small",
                  ink = "on_tertiary_container" },
            text{ words.offer_text, style = "body_small",
                  ink = "on_tertiary_container" } },
        icon_button{ icon = "close", id = "close_offer",
            description = words.close, on_click = "close_offer" } }
end

local function label(value, key)
    return text{ value, style = "label_large", ink = "on_surface_variant",
        padding_left = 4, padding_top = 8, padding_bottom = 4, key = key }
end

local screens = {}

function screens.main(state)
    local notes = visible(state)
    local pinned = table.filter(notes, function(note) return note.pinned end)
    local others = table.filter(notes, function(note)
        return not note.pinned
    end)
    return page{ column{ width = "fill", padding = 12,
            #state.selected > 0 and selection_bar(state) or
                search_bar_of(state) },
        stack{ width = "fill", weight = 1,
            list{ height = "fill", id = "notes", gap = 8, padding_left = 12,
                padding_right = 12, padding_bottom = 112, on_scroll = "more",
                row{ width = "fill", down = "center", key = "view",
                    text{ view_name(state), id = "view_name", weight = 1,
                          style = "headline_small", padding_left = 4 },
                    state.trash and #notes > 0 and
                        text_button{ words.empty_trash, id = "empty_trash",
                            on_click = { "go", "empty" } } or false },
                state.offer and not state.trash and state.query == "" and
                    offer() or false,
                #pinned > 0 and { label(words.pinned, "pinned"),
                                  card_columns(state, pinned),
                                  label(words.others, "others") } or false,
                #notes == 0 and text{ words.none, id = "no_notes",
                    width = "fill", padding = 48, text_align = "center" } or
                    card_columns(state, { table.unpack(others, 1,
                        math.min(#others, state.shown)) }) },
            not state.trash and row{ width = "fill", height = "fill",
                padding = 20, gap = 12, across = "end", down = "end",
                fab{ icon = "check", id = "new_list",
                    description = words.new_list,
                    on_click = { "new", true } },
                fab{ icon = "edit", id = "new_note",
                    description = words.new_text,
                    on_click = { "new", false } } } or false } }
end

function screens.menu(state)
    local function line(name, sign, id, selected, handler, key)
        return item{ name, icon = sign, id = id, selected = selected,
                     key = key, on_click = handler }
    end
    return sheet{ title = words.menu, id = "menu_sheet",
        line(words.all, "file", "all_notes",
             state.folder == 0 and not state.trash, { "folder", 0 }),
        table.map(state.folders, function(folder)
            return line(folder.name, "folder", "folder_row",
                        state.folder == folder.id, { "folder", folder.id },
                        "f" .. folder.id)
        end),
        line(words.new_folder, "add", "new_folder", false,
             { "new_folder", -1 }),
        divider{},
        line(words.trash, "delete", "trash", state.trash, "trash_bin"),
        line(words.settings, "gear", "settings", false,
             { "go", "settings" }) }
end

function screens.sort(state)
    return market.sort_sheet(words, state.sort,
                             { "made", "changed", "oldest", "by_title" })
end

-- ---- a note ----

local function item_row(note, item, place)
    return row{ width = "fill", down = "center", key = "i" .. place,
        checkbox{ item.text, weight = 1, id = "item_check",
            checked = item.done, padding_left = 8,
            disabled = note.trashed,
            on_change = { "check", note.id, place } },
        not note.trashed and icon_button{ icon = "close", id = "remove_item",
            description = string.format(t(words.remove_item), t(item.text)),
            on_click = { "remove_item", note.id, place } } or false }
end

local function item_rows(state, note)
    local open, done = {}, {}
    for place, item in ipairs(note.items) do
        table.insert(state.sink and item.done and done or open,
                     item_row(note, item, place))
    end
    return { open, done,
        not note.trashed and row{ width = "fill", down = "center",
            padding_left = 16, padding_right = 4, padding_top = 8,
            field{ text = state.typed_item, hint = words.item, weight = 1,
                id = "item_input", on_change = "typed_item",
                on_submit = { "enter_item", note.id } },
            icon_button{ icon = "add", id = "add_item",
                description = words.add_item,
                on_click = { "add_item", note.id } } } or false }
end

local function note_bar(note, colour)
    local function act(sign, name, handler)
        return icon_button{ icon = sign, id = name, description = words[name],
                            on_click = handler }
    end
    return row{ width = "fill", height = 56, down = "center",
        background = colour or "surface_container", padding_left = 8,
        padding_right = 8,
        note.trashed and { act("restart", "restore", { "restore", note.id }),
                           act("delete", "erase",
                               { "go", "erase", note.id }) } or
        { act("tag", "colour", { "go", "colour", note.id }),
          act("folder", "move", { "go", "move", note.id }) },
        text{ string.format(t(words.edited),
                            dates.short(note.changed // 1440)),
              id = "edited", weight = 1, text_align = "center", lines = 1,
              style = "label_medium", ink = "on_surface_variant" },
        not note.trashed and act("more", "more", { "go", "more", note.id }) or
            false }
end

function screens.note(state, id)
    local note = find_note(state, id)
    local colour = paint(note.colour)
    return page{ background = colour,
        row{ width = "fill", height = 56, down = "center",
            padding_right = 8,
            icon_button{ icon = "back", on_click = "leave", id = "leave",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            space{ weight = 1 },
            not note.trashed and icon_or_text{
                note.pinned and words.unpin or words.pin,
                icon = note.pinned and "pin_filled" or "place", id = "pin",
                on_click = { "pin", id, not note.pinned } } or false },
        list{ weight = 1, id = "note_list",
            note.trashed and column{ width = "fill", padding = 16,
                quiet(words.in_trash, "in_trash"),
                text{ note.title, id = "trashed_title",
                      style = "headline_small" },
                text{ body_of(note), id = "trashed_text",
                      style = "body_large" } } or
                field{ text = t(note.title), hint = words.title,
                    width = "fill", id = "title_input", text_size = 22,
                    background = colour or "surface", on_change = "title" },
            note.check and item_rows(state, note) or
                not note.trashed and area{ text = body_of(note),
                    hint = words.text, width = "fill", height = 320,
                    id = "text_input", background = colour or "surface",
                    on_change = "text" } or false },
        note_bar(note, colour) }
end

function screens.more(state, id)
    local note = find_note(state, id)
    local lines = table.concat(table.map(note.items, function(item)
        return t(item.text)
    end), "\n")
    return sheet{ title = note.title ~= "" and note.title or words.more,
        id = "more_sheet",
        row{ padding_left = 16, padding_bottom = 8,
            quiet(string.format(t(words.created),
                                dates.short(note.made // 1440)),
                  "created") },
        shuffle_by_skin{
            item{ words.copy, icon = "copy", id = "copy",
                  on_click = { "copy", id } },
            item{ note.check and words.to_text or words.to_list,
                  icon = "check", id = "tick_boxes",
                  on_click = { "tick_boxes", id, not note.check,
                               note.check and lines or body_of(note) } },
            item{ words.delete, icon = "delete", id = "delete",
                  on_click = { "delete", id } } },
        note.check and item{ words.uncheck, icon = "restart", id = "uncheck",
            on_click = { "uncheck", id } } or false }
end

function screens.colour(state, id)
    local one = id > 0 and find_note(state, id).colour
    return sheet{ title = words.colour, id = "colour_sheet",
        row{ width = "fill", padding = 12, across = "spread",
            table.map(colours, function(name)
                return column{ width = 48, height = 48, radius = 24,
                    id = "colour_" .. name, key = name, across = "center",
                    down = "center", description = words[name],
                    background = paint(name) or "surface",
                    outline = one == name and "primary" or "outline",
                    selected = one == name,
                    on_click = { "colour", id, name },
                    one == name and icon{ icon = "check", width = 20,
                        height = 20 } or
                    name == "plain" and icon{ icon = "close", width = 20,
                        height = 20 } or false }
            end) } }
end

function screens.move(state, id)
    local one = id > 0 and find_note(state, id).folder
    return sheet{ title = words.move, id = "move_sheet",
        table.map(state.folders, function(folder)
            return item{ folder.name, icon = "folder", id = "folder_choice",
                key = "f" .. folder.id, on_click = { "move", id, folder.id },
                radio{ checked = one == folder.id, clickable = false } }
        end),
        item{ words.new_folder, icon = "add", id = "new_folder",
              on_click = { "new_folder", id } } }
end

function screens.new_folder(state, id)
    return dialog{ title = words.new_folder, id = "folder_dialog",
        field{ text = state.folder_name, hint = words.name, width = "fill",
            id = "folder_name", autofocus = true,
            on_change = "folder_name" },
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.save, id = "create_folder",
                      disabled = state.folder_name:trim() == "",
                      on_click = { "create_folder", id } } } }
end

local function sure_dialog(title, id, handler)
    return dialog{ title = title, message = words.sure, id = id,
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { title, id = "confirm", on_click = handler } } }
end

function screens.erase(_, id)
    return sure_dialog(words.erase, "erase_dialog", { "erase", id })
end

function screens.empty()
    return sure_dialog(words.empty_trash, "empty_dialog", "empty_trash")
end

function screens.settings(state)
    local function line(name)
        return item{ words[name], id = name .. "_row",
            switch{ checked = state[name], id = name,
                    description = words[name], on_change = name } }
    end
    return page{ title = words.settings, line("sink"), line("dates") }
end

function screens.ad()
    return page{ title = words.ad,
        web{ weight = 1, text{ words.offer, style = "headline_large" },
             text{ words.offer_page },
             button{ words.close, id = "close", on_click = "back" } } }
end

return {
    package = "org.proctor.notes",
    name = { en = "Notes", zh = "便签" },
    hue = 48,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { notes = world.notes, wifi = world.wifi, bills = world.bills,
              water = world.water, trips = world.trips,
              packing = world.packing, groceries = world.groceries,
              moving = world.moving, locker = world.locker },
    on_back = function(state)
        if current() == "note" then
            handlers.leave(state)
            return true
        end
        if current() ~= "main" then
            return false
        end
        if #state.selected > 0 or state.query ~= "" then
            state.selected, state.query = {}, ""
            return true
        end
        if state.trash or state.folder ~= 0 then
            state.folder, state.trash = 0, false
            return true
        end
        return false
    end,
}
