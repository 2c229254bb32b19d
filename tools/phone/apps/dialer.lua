-- Phone: favourites, calls, contacts, a dial pad, a call in progress, and
-- blocked numbers.

local world = include("dialer_people")
local words = include("dialer_words")

local STEP = 14 -- calls and contacts loaded at a time

-- ---- the state ----

local function first_state()
    return { tab = "favourites", people = table.copy(world.people),
             calls = table.copy(world.calls), next_person = #world.people + 1,
             favourites = table.copy(world.favourites),
             blocked = table.copy(world.blocked), missed_only = false,
             query = "", shown = STEP, unfolded = 0, digits = "",
             call = { number = "", since = 0, mute = false, speaker = false,
                      hold = false },
             placed = {}, draft = {}, typed_number = "",
             vibrate = true, tones = true, hidden = false, by_last = false }
end

local function digits_of(number) return (number:replace(" ", "")) end

local function find_person(state, id)
    return table.filter(state.people, function(person)
        return person.id == id
    end)[1]
end

local function owner_of(state, number)
    local digits = digits_of(number)
    return table.filter(state.people, function(person)
        return digits_of(person.mobile) == digits or
               person.work ~= "" and digits_of(person.work) == digits
    end)[1]
end

local function name_of(state, number)
    local person = owner_of(state, number)
    return person and person.name or number
end

local function is_blocked(state, number)
    return table.index(table.map(state.blocked, digits_of),
                       digits_of(number))
end

-- ---- handlers ----

local handlers = {}

function handlers.tab(state, name)
    state.tab, state.shown, state.unfolded, state.query = name, STEP, 0, ""
end

function handlers.missed_only(state, on)
    state.missed_only, state.shown, state.unfolded = on, STEP, 0
end

function handlers.search(state, text)
    state.query, state.shown = text, STEP
    if text ~= "" then
        state.tab = "contacts"
    end
end

function handlers.clear(state) state.query = "" end

function handlers.more(state, left)
    if left >= 300 or
       state.shown >= math.max(#state.calls, #state.people) then
        return false
    end
    state.shown = state.shown + STEP
end

function handlers.unfold(state, place)
    state.unfolded = state.unfolded == place and 0 or place
end

function handlers.person(_, id) go("person", id) end
function handlers.history(_, number) go("history", number) end

-- ---- handlers: calling ----

function handlers.pad(state)
    state.digits = ""
    go("pad")
end

function handlers.press(state, key) state.digits = state.digits .. key end

function handlers.erase(state)
    state.digits = state.digits:sub(1, -2)
end

function handlers.call(state, number)
    if number == "" then
        return
    end
    state.call = { number = number, since = math.floor(now()), mute = false,
                   speaker = false, hold = false }
    local second = math.floor(now())
    table.insert(state.calls, 1, { number = number, kind = "outgoing",
        days = 0, minute = second // 60 % 1440, seconds = 0 })
    table.insert(state.placed, number)
    go("call")
end

function handlers.end_call(state)
    state.calls[1].seconds = math.max(math.floor(now()) - state.call.since -
                                      5, 0)
    back()
end

function handlers.mute(state, on) state.call.mute = on end
function handlers.speaker(state, on) state.call.speaker = on end
function handlers.hold(state, on) state.call.hold = on end

-- ---- handlers: contacts ----

function handlers.star(state, id, on)
    local place = table.index(state.favourites, id)
    if on and not place then
        table.insert(state.favourites, id)
    elseif not on and place then
        table.remove(state.favourites, place)
    end
end

-- id 0 is a new one.
function handlers.edit(state, id, number)
    local person = find_person(state, id) or
        { id = 0, name = "", firm = "", mobile = number or "", work = "" }
    state.draft = table.copy(person)
    go("edit", id)
end

function handlers.draft_name(state, text) state.draft.name = text end
function handlers.draft_firm(state, text) state.draft.firm = text end
function handlers.draft_mobile(state, text) state.draft.mobile = text end
function handlers.draft_work(state, text) state.draft.work = text end

function handlers.save(state)
    local draft = state.draft
    if draft.id == 0 then
        draft.id, state.next_person = state.next_person, state.next_person + 1
        table.insert(state.people, draft)
        replace("person", draft.id)
    else
        state.people = table.map(state.people, function(person)
            return person.id == draft.id and draft or person
        end)
        back()
    end
    state.draft = {}
    snack(words.saved)
end

function handlers.delete(state, id)
    state.people = table.filter(state.people, function(person)
        return person.id ~= id
    end)
    handlers.star(state, id, false)
    home()
end

-- ---- handlers: blocked numbers and settings ----

function handlers.block(state, number)
    if not is_blocked(state, number) then
        table.insert(state.blocked, number)
    end
    back()
end

function handlers.unblock(state, number)
    local place = is_blocked(state, number)
    if place then
        table.remove(state.blocked, place)
    end
end

function handlers.start_blocking(state)
    state.typed_number = ""
    go("add_blocked")
end

function handlers.typed_number(state, text) state.typed_number = text end

function handlers.add_blocked(state)
    local number = state.typed_number:trim()
    if number ~= "" then
        event("blocked", number)
        handlers.block(state, number)
    end
end

function handlers.vibrate(state, on) state.vibrate = on end
function handlers.tones(state, on) state.tones = on end
function handlers.hidden(state, on) state.hidden = on end
function handlers.by_last(state, on) state.by_last = on end

-- ---- parts of the screens ----

local function quiet(value, id, ink)
    return text{ value, id = id, style = "body_medium", lines = 1,
                 ink = ink or "on_surface_variant" }
end

local function face(person, size)
    return art{ art = "portrait", seed = person.id * 7 + 1, width = size,
                height = size, radius = size / 2 }
end

local function face_of(state, number, size)
    local person = owner_of(state, number)
    return person and face(person, size) or column{ width = size,
        height = size, radius = size / 2, across = "center", down = "center",
        background = "surface_container_highest",
        icon{ icon = "person_filled", width = size / 2, height = size / 2,
              ink = "on_surface_variant" } }
end

local function day_text(days)
    return days == 0 and t(words.today) or
           days == 1 and t(words.yesterday) or
           dates.short(dates.today() - days)
end

local function call_button(number, name)
    return icon_button{ icon = "call", id = "call_button", ink = "primary",
        description = string.format(t(words.call_name), t(name)),
        on_click = { "call", number } }
end

local function favourite_tile(state, id)
    local person = find_person(state, id)
    return column{ weight = 1, gap = 8, padding = 12, across = "center",
        id = "favourite", key = "f" .. id, radius = 20,
        on_click = { "call", person.mobile },
        on_long_click = { "person", id },
        face(person, 76),
        text{ person.name, id = "favourite_name", style = "title_small",
              lines = 1, text_align = "center" },
        quiet(words.mobile, "favourite_kind") }
end

local function favourites_tab(state)
    local rows = {}
    for i = 1, #state.favourites, 3 do
        local tiles = {}
        for j = i, i + 2 do
            tiles[#tiles + 1] = state.favourites[j] and
                favourite_tile(state, state.favourites[j]) or
                space{ weight = 1 }
        end
        rows[#rows + 1] = row{ width = "fill", tiles }
    end
    return list{ height = "fill", id = "favourites", padding = 12,
        padding_bottom = 100, gap = 8, rows,
        row{ width = "fill", gap = 12, padding = 16, radius = 20,
            down = "center", background = "surface_container", id = "plan",
            on_click = { "go", "ad" },
            icon{ icon = "ticket", ink = "primary" },
            text{ words.plan, weight = 1, style = "body_medium" },
            quiet(words.ad) } }
end

local kind_icons = { missed = "close", incoming = "download",
                     outgoing = "arrow_up" }

local function fold_actions(state, call)
    local person = owner_of(state, call.number)
    local function act(sign, name, handler)
        return column{ weight = 1, across = "center", gap = 4, padding = 8,
            radius = 12, id = name, on_click = handler,
            icon{ icon = sign, width = 22, height = 22 },
            text{ words[name], style = "label_medium", lines = 1,
                  text_align = "center" } }
    end
    return row{ width = "fill", padding_left = 8, padding_right = 8,
        padding_bottom = 8,
        person and act("person", "show_person", { "person", person.id }) or
            act("add", "save_number", { "edit", 0, call.number }),
        act("time", "history", { "history", call.number }),
        is_blocked(state, call.number) and
            act("check", "unblock", { "unblock", call.number }) or
            act("lock", "block", { "go", "sure_block", call.number }) }
end

local function call_row(state, call, place)
    local open = state.unfolded == place
    local name = name_of(state, call.number)
    local missed = call.kind == "missed"
    return column{ width = "fill", key = "c" .. place, radius = 20,
        background = open and "surface_container" or nil,
        row{ width = "fill", gap = 14, padding = 10, padding_left = 16,
            down = "center", id = "call_row", on_click = { "unfold", place },
            face_of(state, call.number, 44),
            column{ weight = 1, gap = 2,
                text{ name, id = "call_name", style = "title_medium",
                      lines = 1, ink = missed and "error" or nil },
                row{ gap = 6, down = "center",
                    icon{ icon = kind_icons[call.kind], width = 14,
                          height = 14,
                          ink = missed and "error" or "outline" },
                    quiet(t(words[call.kind]) .. " · " ..
                          day_text(call.days), "call_kind") } },
            call_button(call.number, name) },
        open and fold_actions(state, call) or false }
end

local function recents_tab(state)
    local rows = {}
    for place, call in ipairs(state.calls) do
        if #rows < state.shown and
           (not state.missed_only or call.kind == "missed") then
            rows[#rows + 1] = call_row(state, call, #state.calls - place)
        end
    end
    return column{ width = "fill", height = "fill",
        row{ gap = 8, padding_left = 16, padding_top = 8, padding_bottom = 4,
            chip{ words.all, id = "chip_all", checkable = true,
                  checked = not state.missed_only,
                  on_click = { "missed_only", false } },
            chip{ words.missed, id = "chip_missed", checkable = true,
                  checked = state.missed_only,
                  on_click = { "missed_only", true } } },
        list{ weight = 1, id = "calls", on_scroll = "more",
            padding_bottom = 100, rows } }
end

local function family_name(person)
    local name = t(person.name)
    return display().locale == "zh" and name or
           name:split(" ")[2] or name
end

local function fitting_people(state)
    local has = market.finder(state.query)
    local digits = digits_of(state.query)
    return table.sort(table.filter(state.people, function(person)
        return has(t(person.name):lower() .. " " ..
                   t(person.firm):lower()) or
            digits ~= "" and (digits_of(person.mobile):find(digits) or
                              digits_of(person.work):find(digits))
    end), function(a, b)
        if state.by_last then
            return family_name(a) < family_name(b)
        end
        return t(a.name) < t(b.name)
    end)
end

local function contacts_tab(state)
    local people = fitting_people(state)
    return list{ height = "fill", id = "contacts", on_scroll = "more",
        padding_bottom = 100,
        item{ words.new_contact, icon = "add", id = "new_contact",
              on_click = { "edit", 0 } },
        #people == 0 and text{ words.none, padding = 32, id = "none" } or
            false,
        table.map({ table.unpack(people, 1,
                                 math.min(state.shown, #people)) },
            function(person)
                return row{ width = "fill", gap = 16, padding = 8,
                    padding_left = 20, down = "center", id = "contact_row",
                    key = "p" .. person.id, on_click = { "person", person.id },
                    face(person, 42),
                    column{ weight = 1,
                        text{ person.name, id = "contact_name", lines = 1,
                              style = "body_large" },
                        t(person.firm) ~= "" and
                            quiet(person.firm, "contact_firm") or false } }
            end) }
end

local tabs = { favourites = favourites_tab, recents = recents_tab,
               contacts = contacts_tab }

-- ---- screens ----

local screens = {}

function screens.main(state)
    return page{
        row{ width = "fill", height = 64, padding = 8, down = "center",
            field{ text = state.query, hint = words.search, weight = 1,
                id = "search_input", on_change = "search" },
            state.query ~= "" and icon_button{ icon = "close", id = "clear",
                description = words.clear, on_click = "clear" } or false,
            icon_button{ icon = "more", id = "more",
                description = words.more, on_click = { "go", "menu" } } },
        stack{ width = "fill", weight = 1, tabs[state.tab](state),
            row{ width = "fill", height = "fill", across = "end",
                down = "end", padding = 20,
                fab{ icon = "apps", id = "pad", description = words.pad,
                     on_click = "pad" } } },
        market.tab_bar(words, state.tab,
            { "favourites", "recents", "contacts" },
            { favourites = "star", recents = "time", contacts = "people" }) }
end

function screens.menu()
    return sheet{ title = words.more, id = "menu_sheet",
        item{ words.blocked, icon = "lock", id = "blocked",
              on_click = { "replace", "blocked" } },
        item{ words.settings, icon = "gear", id = "settings",
              on_click = { "replace", "settings" } } }
end

local keys = { { "1", "" }, { "2", "ABC" }, { "3", "DEF" }, { "4", "GHI" },
               { "5", "JKL" }, { "6", "MNO" }, { "7", "PQRS" },
               { "8", "TUV" }, { "9", "WXYZ" }, { "*", "" }, { "0", "+" },
               { "#", "" } }

local function key_rows()
    local rows = {}
    for i = 1, #keys, 3 do
        rows[#rows + 1] = row{ width = "fill",
            table.map({ table.unpack(keys, i, i + 2) }, function(key)
                return column{ weight = 1, padding = 4, across = "center",
                    down = "center", radius = 32, id = "key_" .. key[1],
                    key = key[1], description = key[1],
                    on_click = { "press", key[1] },
                    text{ key[1], style = "headline_medium" },
                    key[2] ~= "" and quiet(key[2]) or false }
            end) }
    end
    return rows
end

function screens.pad(state)
    local fitting = state.digits == "" and {} or
        table.filter(state.people, function(person)
            return digits_of(person.mobile):find(state.digits)
        end)
    return page{ title = words.pad,
        list{ weight = 1, id = "pad_matches",
            table.map({ table.unpack(fitting, 1, math.min(3, #fitting)) },
                function(person)
                    return item{ person.name, id = "pad_match",
                        detail = person.mobile, icon = "person",
                        key = "p" .. person.id,
                        on_click = { "person", person.id } }
                end) },
        row{ width = "fill", height = 64, down = "center", padding_left = 56,
            text{ state.digits, id = "digits", weight = 1, lines = 1,
                  text_align = "center", style = "headline_medium" },
            icon_button{ icon = "backspace", id = "backspace",
                description = words.backspace, on_click = "erase",
                disabled = state.digits == "" } },
        column{ width = "fill", padding_left = 24, padding_right = 24,
            key_rows() },
        row{ width = "fill", across = "center", padding = 16,
            button{ words.call, icon = "call", id = "dial", style = "filled",
                width = 180, height = 56, disabled = state.digits == "",
                on_click = { "call", state.digits } } } }
end

function screens.call(state)
    local call = state.call
    local seconds = math.floor(now()) - call.since - 5
    redraw(1)
    local function toggle(sign, name)
        return column{ across = "center", gap = 6, weight = 1,
            icon_button{ icon = sign, id = name, checkable = true,
                checked = call[name], selected = call[name],
                background = call[name] and "primary_container" or
                             "surface_container_high", radius = 28,
                width = 56, height = 56, description = words[name],
                on_click = { name, not call[name] } },
            text{ words[name], style = "label_medium" } }
    end
    return page{ background = "surface_container_low",
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 12,
            face_of(state, call.number, 120),
            text{ name_of(state, call.number), id = "call_with",
                  style = "headline_large", text_align = "center" },
            quiet(call.number, "call_number"),
            quiet(seconds < 0 and words.calling or
                  string.format("%02d:%02d", seconds // 60, seconds % 60),
                  "call_time") },
        row{ width = "fill", padding = 24, toggle("mute", "mute"),
            toggle("volume", "speaker"), toggle("pause", "hold") },
        row{ width = "fill", across = "center", padding = 32,
            icon_button{ icon = "call", id = "end_call", width = 72,
                height = 72, radius = 36, background = "error",
                ink = "on_error", description = words.end_call,
                on_click = "end_call" } } }
end

-- ---- a contact ----

local function number_row(state, person, kind)
    local number = person[kind]
    return number ~= "" and item{ number, id = kind .. "_row", icon = "call",
        key = kind,
        detail = is_blocked(state, number) and t(words[kind]) .. " · " ..
                 t(words.blocked) or words[kind],
        on_click = { "call", number } } or false
end

function screens.person(state, id)
    local person = find_person(state, id)
    local starred = table.index(state.favourites, id) ~= nil
    local blocked = is_blocked(state, person.mobile)
    return page{ title = "",
        actions = shuffle_by_skin{
            icon_button{ icon = starred and "star" or "star_empty",
                id = "star", selected = starred,
                description = starred and words.unstar or words.star,
                on_click = { "star", id, not starred } },
            icon_or_text{ words.edit, icon = "edit", id = "edit",
                on_click = { "edit", id } } },
        list{ weight = 1, id = "person_list",
            column{ width = "fill", across = "center", gap = 8,
                padding_bottom = 20,
                face(person, 128),
                text{ person.name, id = "person_name",
                      style = "headline_medium" },
                t(person.firm) ~= "" and
                    quiet(person.firm, "person_firm") or false,
                button{ words.call, icon = "call", id = "call",
                    style = "filled", on_click = { "call", person.mobile } } },
            number_row(state, person, "mobile"),
            number_row(state, person, "work"),
            divider{},
            item{ words.history, icon = "time", id = "history",
                  on_click = { "history", person.mobile } },
            item{ blocked and words.unblock or words.block, icon = "lock",
                  id = "block", on_click = blocked and
                      { "unblock", person.mobile } or
                      { "go", "sure_block", person.mobile } },
            item{ words.delete, icon = "delete", id = "delete",
                  on_click = { "go", "sure_delete", id } } } }
end

function screens.edit(state, id)
    local draft = state.draft
    local function line(name, sign)
        return row{ width = "fill", gap = 12, down = "center",
            padding_left = 16, padding_right = 16, padding_bottom = 12,
            key = name,
            icon{ icon = sign, ink = "on_surface_variant" },
            field{ text = t(draft[name]), hint = words[name], weight = 1,
                id = name .. "_input", on_change = "draft_" .. name } }
    end
    return page{ title = id == 0 and words.new_contact or words.edit,
        actions = { text_button{ words.save, id = "save",
            disabled = t(draft.name):trim() == "", on_click = "save" } },
        list{ weight = 1, id = "edit_list", padding_top = 16,
            line("name", "person"), line("firm", "home_empty"),
            line("mobile", "call"), line("work", "bag") } }
end

function screens.history(state, number)
    local person = owner_of(state, number)
    local own = table.filter(state.calls, function(call)
        return call.number == number or
               person ~= nil and owner_of(state, call.number) == person
    end)
    return page{ title = words.history,
        actions = { call_button(number, name_of(state, number)) },
        row{ width = "fill", gap = 16, padding = 16, down = "center",
            face_of(state, number, 56),
            text{ name_of(state, number), id = "history_name", weight = 1,
                  style = "title_large" } },
        list{ weight = 1, id = "history_list",
            table.map(own, function(call)
                return item{ words[call.kind], id = "history_row",
                    icon = kind_icons[call.kind],
                    key = call.days .. "-" .. call.minute,
                    detail = day_text(call.days) .. ", " ..
                             dates.time(call.minute),
                    call.kind ~= "missed" and quiet(string.format(
                        t(words.minutes), call.seconds // 60,
                        call.seconds % 60), "length") or false }
            end) } }
end

-- ---- dialogs, blocked numbers, settings ----

function screens.sure_block(state, number)
    return dialog{ title = string.format(t(words.sure_block),
            t(name_of(state, number))), id = "block_dialog",
        message = words.block_text,
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.yes_block, id = "confirm",
                      on_click = { "block", number } } } }
end

function screens.sure_delete(state, id)
    return dialog{ title = string.format(t(words.sure_delete),
            t(find_person(state, id).name)), id = "delete_dialog",
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.yes_delete, id = "confirm",
                      on_click = { "delete", id } } } }
end

function screens.blocked(state)
    return page{ title = words.blocked,
        list{ weight = 1, id = "blocked_list",
            item{ words.add_blocked, icon = "add", id = "add_blocked",
                  on_click = "start_blocking" },
            divider{},
            table.map(state.blocked, function(number)
                return item{ number, id = "blocked_row", icon = "lock",
                    key = "b" .. number,
                    icon_button{ icon = "close", id = "unblock",
                        description = t(words.unblock) .. ": " .. number,
                        on_click = { "unblock", number } } }
            end) } }
end

function screens.add_blocked(state)
    return dialog{ title = words.add_blocked, id = "add_dialog",
        field{ text = state.typed_number, hint = words.number,
            width = "fill", id = "number_input", autofocus = true,
            on_change = "typed_number" },
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.add, id = "add_number",
                      disabled = state.typed_number:trim() == "",
                      on_click = "add_blocked" } } }
end

function screens.settings(state)
    local function line(name)
        return item{ words[name], id = name .. "_row",
            switch{ checked = state[name], id = name,
                    description = words[name], on_change = name } }
    end
    return page{ title = words.settings,
        list{ weight = 1, id = "settings_list",
            shuffle_by_skin{ line("vibrate"), line("tones"),
                             line("by_last"), line("hidden") },
            divider{},
            item{ words.blocked, icon = "lock", id = "blocked",
                  on_click = { "go", "blocked" } } } }
end

function screens.ad()
    return page{ title = words.ad,
        web{ weight = 1, text{ words.plan, style = "headline_large" },
             text{ words.plan_page },
             button{ words.close, id = "close", on_click = "back" } } }
end

return {
    package = "com.android.dialer",
    name = { en = "Phone", zh = "电话" },
    hue = 130,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { people = world.people, calls = world.calls,
              strangers = world.strangers, blocked = world.blocked,
              favourites = world.favourites,
              missed_most = world.missed_most,
              missed_some = world.missed_some, talked = world.talked },
    on_back = function(state)
        if current() == "call" then
            handlers.end_call(state)
            return true
        end
        if current() == "main" and
           (state.tab ~= "favourites" or state.query ~= "") then
            state.tab, state.query = "favourites", ""
            return true
        end
        return false
    end,
}
