-- Mail: folders, labels, search, messages with attachments, writing, and
-- automatic replies.

local words = include("mail_words")

-- ---- what is in it ----

local PAGE = 12 -- messages loaded at a time

local mailbox = include("mail_messages")
local people, labels = mailbox.people, mailbox.labels
local messages, unfinished = mailbox.messages, mailbox.unfinished

local folders = { "inbox", "sent", "drafts", "archive", "spam", "trash" }
local folder_icons = { inbox = "inbox", sent = "send", drafts = "edit",
                       archive = "archive", spam = "warning",
                       trash = "delete" }

-- Files of the phone that can be attached.
local own_files = { { name = "resume.pdf", kb = 312 },
                    { name = "passport.jpg", kb = 1240 },
                    { name = "budget.xlsx", kb = 88 },
                    { name = "floor_plan.png", kb = 640 } }

-- ---- the state ----

local function new_draft(kind, of)
    return { kind = kind, of = of, to = {}, cc = {}, cc_open = false,
             typed = "", typed_cc = "", subject = "", body = "", files = {} }
end

local function first_state()
    local today = dates.today()
    local old = new_draft("new", 0)
    old.to, old.unfinished = { people[unfinished.to].address }, true
    return { base = math.floor(now()), view = "inbox", chip = "all",
        shown = PAGE, tip = true, typed = "", recent = {}, query = "",
        filters = { unread = false, files = false, starred = false },
        order = "newest", selected = {},
        box = table.map(messages, function(message)
            return { folder = message.folder, read = message.read,
                     starred = false, labels = table.copy(message.labels) }
        end),
        outbox = {}, drafts = { old }, draft = new_draft("new", 0),
        draft_place = 0, details = false, whole = false, saved = {},
        unsubscribed = {}, signature = "", typed_signature = "",
        undo_time = 5, notify = "all", pictures = false, swipe = true,
        away = { on = false, from = today, to = today + 7, text = "",
                 contacts = false },
        typed_away = { on = false, from = today, to = today + 7, text = "",
                       contacts = false } }
end

-- ---- finding ----

local function person_of(address)
    return table.find(people, address, "address")
end

local function name_of(address)
    local person = person_of(address)
    return person and t(person.name) or address
end

local function size_of(message)
    local sum = 4
    for _, file in ipairs(message.files) do
        sum = sum + file.kb
    end
    return sum
end

local search_texts = {}

local function search_text(message)
    if not search_texts[message.id] then
        local texts = { message.from.name, message.subject }
        for _, part in ipairs(message.body) do
            table.insert(texts, part)
        end
        local lines = table.map(texts, function(one)
            return one.en .. " " .. one.zh
        end)
        for _, file in ipairs(message.files) do
            table.insert(lines, file.name)
        end
        search_texts[message.id] = table.concat(lines, " "):lower()
    end
    return search_texts[message.id]
end

local orders = {
    newest = function(a, b) return a.age < b.age end,
    oldest = function(a, b) return a.age > b.age end,
    largest = function(a, b) return size_of(a) > size_of(b) end,
}

-- What a search lists, which leaves out spam and trash.
local function found(state)
    local has_words = market.finder(state.query)
    local filters = state.filters
    local list = table.filter(messages, function(message)
        local own = state.box[message.id]
        return own.folder ~= "spam" and own.folder ~= "trash" and
               (state.query == "" or has_words(search_text(message))) and
               (not filters.unread or not own.read) and
               (not filters.files or #message.files > 0) and
               (not filters.starred or own.starred)
    end)
    return table.sort(list, orders[state.order])
end

local function in_view(state, view)
    local label = view:starts("label:") and view:sub(7)
    return table.filter(messages, function(message)
        local own = state.box[message.id]
        if label then
            return table.index(own.labels, label) ~= nil and
                   own.folder ~= "trash" and own.folder ~= "spam"
        end
        return own.folder == view
    end)
end

-- What the list on the first screen shows.
local function listed(state)
    return table.filter(in_view(state, state.view), function(message)
        local own = state.box[message.id]
        return state.chip == "all" or state.chip == "unread" and not own.read
               or state.chip == "starred" and own.starred or
               state.chip == "files" and #message.files > 0
    end)
end

-- ---- handlers: lists ----

local handlers = {}

function handlers.folder(state, name)
    state.view, state.chip, state.shown, state.selected = name, "all", PAGE, {}
    home()
end

function handlers.chip(state, name) state.chip, state.shown = name, PAGE end

function handlers.more(state, left)
    if left >= 300 or state.shown >= #messages then
        return false
    end
    state.shown = state.shown + PAGE
end

function handlers.close_tip(state) state.tip = false end

function handlers.open(state, id)
    state.box[id].read, state.details, state.whole = true, false, false
    go("message", id)
end

function handlers.star(state, id, set) state.box[id].starred = set == "on" end

function handlers.select(state, id)
    table.toggle(state.selected, id)
end

function handlers.unselect(state) state.selected = {} end

-- ---- handlers: messages ----

local function leave_message()
    if current() == "message" then
        back()
    end
end

local function put(state, id, folder, said)
    local old = state.box[id].folder
    state.box[id].folder = folder
    snack(said, words.undo, "put_back", id, old)
end

function handlers.put_back(state, id, folder)
    state.box[id].folder = folder
end

function handlers.delete(state, id)
    put(state, id, "trash", words.deleted)
    leave_message()
end

function handlers.archive(state, id)
    put(state, id, "archive", words.archived)
    leave_message()
end

function handlers.move(state, id, folder)
    back()
    put(state, id, folder, words.moved)
    leave_message()
end

function handlers.unread(state, id)
    back()
    state.box[id].read = false
    leave_message()
end

function handlers.label(state, id, label, set)
    local own = state.box[id].labels
    local place = table.index(own, label)
    if set == "on" and not place then
        table.insert(own, label)
    elseif set == "off" and place then
        table.remove(own, place)
    end
end

-- Several at once.
function handlers.delete_selected(state)
    for _, id in ipairs(state.selected) do
        state.box[id].folder = "trash"
    end
    state.selected = {}
    snack(words.deleted)
end

function handlers.archive_selected(state)
    for _, id in ipairs(state.selected) do
        state.box[id].folder = "archive"
    end
    state.selected = {}
    snack(words.archived)
end

function handlers.label_selected(state, label)
    for _, id in ipairs(state.selected) do
        handlers.label(state, id, label, "on")
    end
    state.selected = {}
    back()
end

function handlers.details(state) state.details = not state.details end

function handlers.whole(state) state.whole = true end

function handlers.save_file(state, id, number)
    local name = messages[id].files[number].name
    local key = id .. " " .. number
    if not table.index(state.saved, key) then
        table.insert(state.saved, key)
    end
    snack({ en = string.format(words.saved_file.en, name),
            zh = string.format(words.saved_file.zh, name) })
end

function handlers.unsubscribe(state, company)
    back()
    if not table.index(state.unsubscribed, company) then
        table.insert(state.unsubscribed, company)
    end
end

-- ---- handlers: searching ----

market.add_search_handlers(handlers)

function handlers.search(state, text)
    local query = text:trim()
    state.query, state.order, state.shown = query, "newest", PAGE
    state.filters = { unread = false, files = false, starred = false }
    if query ~= "" then
        state.recent = market.remember(state.recent, query)
    end
    replace("results")
end

function handlers.filter(state, name, set)
    state.filters[name], state.shown = set == "on", PAGE
end

function handlers.sort(state, order)
    state.order, state.shown = order, PAGE
    back()
end

-- ---- handlers: writing ----


function handlers.compose(state)
    state.draft, state.draft_place = new_draft("new", 0), 0
    state.draft.body = state.signature ~= "" and "\n\n" .. state.signature or ""
    go("compose")
end

function handlers.answer(state, kind, id)
    local message = messages[id]
    local draft = new_draft(kind, id)
    if kind == "forward" then
        draft.files = table.map(message.files, function(file)
            return { name = file.name, kb = file.kb }
        end)
    else
        draft.to = { message.from.address }
    end
    if kind == "reply_all" then
        draft.cc = table.map(message.cc, function(person)
            return people[person].address
        end)
        draft.cc_open = #draft.cc > 0
    end
    draft.body = state.signature ~= "" and "\n\n" .. state.signature or ""
    state.draft, state.draft_place = draft, 0
    go("compose")
end

function handlers.open_draft(state, place)
    state.draft, state.draft_place = table.copy(state.drafts[place]), place
    go("compose")
end

function handlers.to_typed(state, text) state.draft.typed = text end

function handlers.cc_typed(state, text) state.draft.typed_cc = text end

function handlers.open_cc(state) state.draft.cc_open = true end

function handlers.add_to(state, address)
    local draft = state.draft
    if not table.index(draft.to, address) then
        table.insert(draft.to, address)
    end
    draft.typed = ""
end

function handlers.add_cc(state, address)
    local draft = state.draft
    if not table.index(draft.cc, address) then
        table.insert(draft.cc, address)
    end
    draft.typed_cc = ""
end

local function fitting_people(typed)
    local wanted = typed:lower():trim()
    return table.filter(people, function(person)
        return wanted ~= "" and (person.address:starts(wanted) or
            person.name.en:lower():find(wanted) or
            person.name.zh:find(wanted))
    end)
end

-- The enter key takes an address, or a name that fits one person only.
local function typed_address(typed)
    local fitting = fitting_people(typed)
    return typed:find("@") and typed:trim() or
           #fitting == 1 and fitting[1].address
end

function handlers.enter_to(state, text)
    local address = typed_address(text)
    if address then
        handlers.add_to(state, address)
    end
end

function handlers.enter_cc(state, text)
    local address = typed_address(text)
    if address then
        handlers.add_cc(state, address)
    end
end

function handlers.remove_to(state, address)
    table.remove(state.draft.to, table.index(state.draft.to, address))
end

function handlers.remove_cc(state, address)
    table.remove(state.draft.cc, table.index(state.draft.cc, address))
end

function handlers.subject(state, text) state.draft.subject = text end

function handlers.body(state, text)
    state.draft.body, state.draft.unfinished = text, nil
end

function handlers.attach(state, name)
    for _, file in ipairs(own_files) do
        if file.name == name then
            table.insert(state.draft.files, { name = name, kb = file.kb })
        end
    end
    back()
end

function handlers.remove_file(state, name)
    state.draft.files = table.filter(state.draft.files, function(file)
        return file.name ~= name
    end)
end

local function drop_draft(state)
    if state.draft_place > 0 then
        table.remove(state.drafts, state.draft_place)
        state.draft_place = 0
    end
end

function handlers.send(state)
    local draft = state.draft
    handlers.enter_to(state, draft.typed)
    handlers.enter_cc(state, draft.typed_cc)
    if #draft.to == 0 then
        snack(words.no_receiver)
        return
    end
    draft.at = math.floor(now())
    drop_draft(state)
    table.insert(state.outbox, 1, draft)
    event("sent", draft.kind, draft.of, table.concat(draft.to, ","))
    state.draft = new_draft("new", 0)
    back()
    snack(words.sent_it, words.undo, "take_back")
end

function handlers.take_back(state)
    state.draft, state.draft_place = table.remove(state.outbox, 1), 0
    event("taken_back")
    go("compose")
end

-- A draft with something in it is not left without a question.
local function asks_before_leaving(state)
    local draft = state.draft
    local kept = draft.body ~= "" or draft.subject ~= "" or #draft.to > 0 or
                 draft.typed ~= "" or draft.unfinished
    if current() == "compose" and kept then
        go("leave")
        return true
    end
    return false
end

-- The arrow of a screen.
function handlers.back(state)
    if not asks_before_leaving(state) then
        back()
    end
end

function handlers.keep_draft(state)
    local draft = table.copy(state.draft)
    drop_draft(state)
    table.insert(state.drafts, 1, draft)
    back()
    back()
end

function handlers.discard(state)
    drop_draft(state)
    back()
    back()
end

-- ---- handlers: settings ----

function handlers.open_away(state)
    state.typed_away = table.copy(state.away)
    go("away")
end

function handlers.away_on(state, set) state.typed_away.on = set end

function handlers.away_text(state, text) state.typed_away.text = text end

function handlers.away_contacts(state, set) state.typed_away.contacts = set end

function handlers.away_day(state, part, day)
    local away = state.typed_away
    away[part] = day
    if away.to < away.from then
        away.to = away.from
    end
    back()
end

function handlers.away_first(state, day)
    handlers.away_day(state, "from", day)
end

function handlers.away_last(state, day) handlers.away_day(state, "to", day) end

function handlers.save_away(state)
    state.away = table.copy(state.typed_away)
    back()
end

function handlers.open_signature(state)
    state.typed_signature = state.signature
    go("signature")
end

function handlers.signature_typed(state, text) state.typed_signature = text end

function handlers.save_signature(state)
    state.signature = state.typed_signature:trim()
    back()
end

function handlers.undo_time(state, seconds)
    state.undo_time = seconds
    back()
end

function handlers.notify(state, name)
    state.notify = name
    back()
end

function handlers.pictures(state, set) state.pictures = set end

function handlers.swipe(state, set) state.swipe = set end

-- ---- parts of the screens ----

local avatar_inks = { "#5c6bc0", "#26a69a", "#ef5350", "#ab47bc", "#8d6e63",
                      "#42a5f5", "#66bb6a", "#ec407a", "#7e57c2", "#ff7043" }

-- People have portraits, companies a sign on a disc.
local function avatar(from, size)
    if from.id and from.id <= #people then
        return art{ art = "portrait", seed = from.id * 7, width = size,
            height = size, radius = size / 2 }
    end
    return column{ width = size, height = size, radius = size / 2,
        background = avatar_inks[(from.id or 3) % #avatar_inks + 1],
        across = "center", down = "center",
        icon{ icon = from.sign or "mail", ink = "#ffffff",
            width = size * 0.55, height = size * 0.55 } }
end

local function sent_at(state, message)
    return state.base // 60 - message.age
end

local function when_text(state, message)
    return dates.recent(sent_at(state, message), state.base // 86400)
end

local function size_text(kb)
    return kb < 1000 and kb .. " KB" or
           string.format("%.1f MB", kb / 1000)
end

local function label_of(id)
    return table.find(labels, id)
end

local function label_tags(own)
    return table.map(own.labels, function(id)
        local label = label_of(id)
        return text{ label.name, id = "label_tag", style = "label_small",
            ink = "#ffffff", background = label.ink, radius = 8,
            padding_left = 6, padding_right = 6, padding_top = 2,
            padding_bottom = 2 }
    end)
end

local function star_button(own, id)
    return icon_button{ icon = own.starred and "star" or "star_empty",
        id = "star", selected = own.starred,
        ink = own.starred and "#f9a825" or "on_surface_variant",
        description = own.starred and words.unstar or words.star,
        on_click = { "star", id, own.starred and "off" or "on" } }
end

local function message_row(state, message)
    local own = state.box[message.id]
    local chosen = table.index(state.selected, message.id) ~= nil
    local picking = #state.selected > 0
    local weight = own.read and "regular" or "bold"
    return row{ id = "message_row", key = "m" .. message.id, width = "fill",
        gap = 12, padding = 10, padding_left = 16, padding_right = 4,
        background = chosen and "secondary_container" or nil,
        selected = chosen,
        on_click = { picking and "select" or "open", message.id },
        on_long_click = { "select", message.id },
        chosen and column{ width = 40, height = 40, radius = 20,
            background = "primary", across = "center", down = "center",
            icon{ icon = "check", ink = "on_primary", width = 24,
                height = 24 } } or
            avatar(message.from, 40),
        column{ weight = 1, gap = 2,
            row{ width = "fill", gap = 8, down = "center",
                text{ message.from.name, id = "sender", weight = 1, lines = 1,
                    style = "body_large", font = weight },
                quiet(when_text(state, message), "date",
                    { ink = own.read and "on_surface_variant" or
                        "primary" }) },
            text{ message.subject, id = "subject", lines = 1,
                style = "body_medium", font = weight },
            row{ width = "fill", gap = 6, down = "center",
                #message.files > 0 and icon{ icon = "attach", width = 16,
                    height = 16, ink = "on_surface_variant" } or false,
                state.order == "largest" and #message.files > 0 and
                    current() ~= "main" and
                    quiet(size_text(size_of(message)), "size",
                        { ink = "primary" }) or false,
                quiet(message.body[1], "snippet", { weight = 1, lines = 1 }),
                label_tags(own) } },
        star_button(own, message.id) }
end

-- An advertisement looks like a message.
local function ad_row()
    local brand = content.brand(random("ad"))
    return row{ id = "promoted_row", key = "ad", width = "fill", gap = 12,
        padding = 10, padding_left = 16, padding_right = 16,
        background = "surface_container_low", on_click = { "go", "ad" },
        avatar({ sign = "tag" }, 40),
        column{ weight = 1, gap = 2,
            row{ width = "fill", gap = 8, down = "center",
                text{ brand, weight = 1, lines = 1, style = "body_large" },
                text{ words.ad, style = "label_small", ink = "tertiary",
                    outline = "tertiary", radius = 4, padding_left = 4,
                    padding_right = 4 } },
            text{ words.ad_text, lines = 1, style = "body_medium" } } }
end

local function rows_of(state, list_of, with_ad)
    local rows = {}
    for i = 1, math.min(state.shown, #list_of) do
        table.insert(rows, message_row(state, list_of[i]))
        if i == 3 and with_ad then
            table.insert(rows, ad_row())
        end
    end
    return rows
end

local function nothing_here()
    return column{ width = "fill", weight = 1, across = "center",
        down = "center", gap = 12,
        icon{ icon = "inbox", width = 56, height = 56,
            ink = "outline_variant" },
        text{ words.nothing, id = "nothing", style = "body_large",
            ink = "on_surface_variant" } }
end

-- ---- the first screen ----

local screens = {}

local function view_name(view)
    if view:starts("label:") then
        return label_of(view:sub(7)).name
    end
    return words[view]
end

local function unread_in(state, view)
    return #table.filter(in_view(state, view), function(message)
        return not state.box[message.id].read
    end)
end

-- The buttons have no texts here.
local function selection_bar(state)
    return row{ width = "fill", height = 72, down = "center", gap = 4,
        padding_left = 4, padding_right = 4,
        background = "secondary_container",
        icon_button{ icon = "close", id = "end_selection",
            description = words.close, on_click = "unselect" },
        text{ string.format(t(words.selected), #state.selected),
            id = "selected_count", weight = 1, style = "title_large" },
        icon_button{ icon = "archive", id = "archive_selected",
            on_click = "archive_selected" },
        icon_button{ icon = "label", id = "label_selected",
            description = words.label_as,
            on_click = { "go", "label_many" } },
        icon_button{ icon = "delete", id = "delete_selected",
            description = words.delete, on_click = "delete_selected" } }
end

local function heading(state)
    local count = unread_in(state, state.view)
    return row{ width = "fill", height = 72, down = "center",
        padding_left = 4, padding_right = 4,
        icon_button{ icon = "menu", id = "menu", description = words.menu,
            on_click = { "go", "folders" } },
        column{ weight = 1, padding_left = 8,
            text{ view_name(state.view), id = "title",
                style = "headline_small" },
            count > 0 and quiet(string.format(t(words.unread_count), count),
                                "unread_count") or false },
        icon_button{ icon = "search", id = "search",
            description = words.search, on_click = "start_search" } }
end

local function chips(state)
    local names = { all = words.all, unread = words.unread,
                    starred = words.starred, files = words.with_files }
    return carousel{ id = "chips", height = 48, gap = 8, padding_left = 16,
        padding_right = 16, down = "center",
        table.map({ "all", "unread", "starred", "files" }, function(name)
            return chip{ names[name], id = "chip_" .. name, checkable = true,
                checked = state.chip == name, on_click = { "chip", name } }
        end) }
end

local function storage_tip()
    return column{ width = "fill", padding = 12, padding_left = 16,
        padding_right = 16,
        column{ id = "tip", width = "fill", gap = 4, padding = 16, radius = 20,
            background = "tertiary_container",
            row{ width = "fill", down = "center", gap = 12,
                icon{ icon = "storage", ink = "on_tertiary_container",
                    width = 24, height = 24 },
                text{ words.storage_full, weight = 1, style = "title_small",
                    ink = "on_tertiary_container" },
                icon_button{ icon = "close", id = "close_tip",
                    on_click = "close_tip" } },
            text{ words.storage_tip, style = "body_small",
                ink = "on_tertiary_container" },
            row{ width = "fill", across = "end",
                text_button{ words.look, id = "free_space",
                    on_click = { "go", "storage" } } } } }
end

local function draft_row(state, place)
    local draft = state.drafts[place]
    local to = draft.to[1] and name_of(draft.to[1]) or ""
    local body = draft.unfinished and t(unfinished.body) or draft.body
    return row{ id = "draft_row", key = "d" .. place, width = "fill", gap = 12,
        padding = 12, padding_left = 16, padding_right = 16,
        on_click = { "open_draft", place },
        avatar(person_of(draft.to[1]) or {}, 40),
        column{ weight = 1, gap = 2,
            row{ gap = 8, down = "center",
                text{ words.draft_tag, ink = "error", style = "label_large" },
                text{ to, id = "receiver", style = "body_large" } },
            text{ draft.subject ~= "" and draft.subject or words.no_subject,
                id = "subject", style = "body_medium", lines = 1 },
            quiet(body, "snippet", { lines = 1 }) } }
end

local function sent_row(state, place)
    local sent = state.outbox[place]
    return row{ id = "sent_row", key = "s" .. place, width = "fill", gap = 12,
        padding = 12, padding_left = 16, padding_right = 16,
        on_click = { "go", "sent_message", place },
        avatar(person_of(sent.to[1]) or {}, 40),
        column{ weight = 1, gap = 2,
            text{ t(words.to_is) .. ": " ..
                table.concat(table.map(sent.to, name_of), ", "),
                id = "receiver", style = "body_large", lines = 1 },
            text{ sent.subject ~= "" and sent.subject or
                sent.of > 0 and messages[sent.of].subject or words.no_subject,
                id = "subject", style = "body_medium", lines = 1 },
            quiet(sent.body, "snippet", { lines = 1 }) } }
end

local function main_rows(state)
    local rows = {}
    if state.view == "sent" then
        for place = 1, #state.outbox do
            table.insert(rows, sent_row(state, place))
        end
    elseif state.view == "drafts" then
        for place = 1, #state.drafts do
            table.insert(rows, draft_row(state, place))
        end
    end
    return table.join(rows, rows_of(state, listed(state),
        state.view == "inbox" and state.chip == "all"))
end

function screens.main(state)
    local rows = main_rows(state)
    return page{
        stack{ width = "fill", weight = 1,
            column{ width = "fill", height = "fill",
                #state.selected > 0 and selection_bar(state) or heading(state),
                chips(state),
                #rows == 0 and nothing_here() or
                    list{ weight = 1, id = "message_list", on_scroll = "more",
                        padding_bottom = 88,
                        state.tip and state.view == "inbox" and
                            storage_tip() or false,
                        rows } },
            column{ width = "fill", height = "fill", across = "end",
                down = "end", padding = 16,
                fab{ icon = "edit", id = "compose",
                    description = words.compose, on_click = "compose" } } } }
end

function screens.ad()
    return ad_page(words.ad, words.ad_page, words.close)
end

local function folder_row(state, view, sign, ink, said)
    local count = view == "drafts" and #state.drafts or
                  view ~= "trash" and unread_in(state, view) or 0
    local chosen = state.view == view
    return row{ id = "folder_row", key = view, width = "fill", height = 52,
        gap = 16, down = "center", padding_left = 20, padding_right = 24,
        radius = 26, selected = chosen,
        background = chosen and "secondary_container" or nil,
        on_click = { "folder", view },
        icon{ icon = sign, width = 24, height = 24,
            ink = ink or "on_surface_variant" },
        text{ said, id = "folder_name", weight = 1, style = "label_large" },
        count > 0 and text{ count, id = "folder_count",
            style = "label_large" } or false }
end

function screens.folders(state)
    return page{ title = "Mail",
        list{ weight = 1, padding_left = 8, padding_right = 8, id = "folders",
            table.map(folders, function(name)
                return folder_row(state, name, folder_icons[name], nil,
                                  words[name])
            end),
            divider{},
            text{ words.labels, style = "title_small", padding = 12,
                padding_left = 20 },
            table.map(shuffle_by_skin(labels), function(label)
                return folder_row(state, "label:" .. label.id, "label",
                                  label.ink, label.name)
            end),
            divider{},
            item{ words.storage, icon = "storage", id = "storage",
                on_click = { "go", "storage" } },
            item{ words.settings, icon = "gear", id = "settings",
                on_click = { "go", "settings" } } } }
end

-- All messages with files by size, but those in the trash.
local function by_size(state)
    return table.sort(table.filter(messages, function(message)
        return #message.files > 0 and state.box[message.id].folder ~= "trash"
    end), orders.largest)
end

function screens.storage(state)
    local list_of = by_size(state)
    local used = 14800
    for _, message in ipairs(list_of) do
        used = used + size_of(message)
    end
    return page{ title = words.storage,
        list{ weight = 1, id = "storage_list",
            column{ width = "fill", gap = 8, padding = 16,
                text{ string.format(t(words.storage_used), size_text(used)),
                    id = "used", style = "title_medium" },
                progress{ width = "fill", value = math.min(used, 30000),
                    from = 0, to = 30000 } },
            table.map(list_of, function(message)
                return row{ id = "large_row", key = "l" .. message.id,
                    width = "fill", gap = 12, down = "center", padding = 8,
                    padding_left = 16, padding_right = 4,
                    on_click = { "open", message.id },
                    icon{ icon = "file", ink = "primary", width = 28,
                        height = 28 },
                    column{ weight = 1,
                        text{ message.files[1].name, id = "file_name",
                            style = "body_large", lines = 1 },
                        quiet(message.from.name, "sender") },
                    text{ size_text(size_of(message)), id = "size",
                        style = "label_large" },
                    icon_button{ icon = "delete", id = "delete",
                        description = words.delete,
                        on_click = { "delete", message.id } } }
            end) } }
end

-- ---- a message ----

local function detail_line(label, value, id)
    return row{ width = "fill", gap = 12,
        quiet(label, nil, { width = 72 }),
        text{ value, id = id, weight = 1, style = "body_small" } }
end

local function details_of(state, message)
    local minute = sent_at(state, message)
    return column{ width = "fill", gap = 6, padding = 12, radius = 12,
        outline = "outline_variant", id = "details",
        detail_line(words.from_is, message.from.address, "from_address"),
        #message.cc > 0 and detail_line(words.cc_is,
            table.concat(table.map(message.cc, function(person)
                return t(people[person].name)
            end), ", "), "cc") or false,
        detail_line(words.date_is, dates.medium(minute // 1440) .. " " ..
            dates.time(minute % 1440), "date") }
end

local function file_card(message, number, file)
    return row{ id = "file", key = "f" .. number, width = "fill", gap = 12,
        down = "center", padding = 12, radius = 16,
        background = "surface_container",
        on_click = { "go", "file", message.id, number },
        icon{ icon = file.name:find(".pdf") and "file" or "image",
            ink = "error", width = 28, height = 28 },
        column{ weight = 1,
            text{ file.name, id = "file_name", style = "body_medium" },
            quiet(size_text(file.kb), "file_size") },
        icon_button{ icon = "download", id = "save_file",
            description = words.save_file,
            on_click = { "save_file", message.id, number } } }
end

local function newsletter_foot(state, message)
    if not state.whole then
        return button{ "···", id = "whole", style = "tonal", height = 32,
            description = words.show_footer, on_click = "whole" }
    end
    local gone = table.index(state.unsubscribed, message.from.id)
    return column{ width = "fill", gap = 4, padding_top = 12,
        quiet(words.footer),
        gone and quiet(string.format(t(words.unsubscribed),
                t(message.from.name)), "unsubscribed",
                { ink = "primary" }) or
            text{ words.unsubscribe, id = "unsubscribe",
                style = "body_medium", ink = "primary", padding_top = 8,
                padding_bottom = 8,
                on_click = { "go", "unsubscribe", message.id } } }
end

local function answer_bar(message)
    local many = #message.cc > 0
    local function answer(kind, sign)
        return button{ words[kind], icon = sign, id = kind, weight = 1,
            style = "outlined", on_click = { "answer", kind, message.id } }
    end
    return row{ width = "fill", gap = 8, padding = 12,
        shuffle_by_skin{ answer("reply", "reply"),
            answer("forward", "forward") },
        many and icon_button{ icon = "reply_all", id = "reply_all",
            description = words.reply_all,
            on_click = { "answer", "reply_all", message.id } } or false }
end

local function sender_line(state, message)
    local said = #message.cc == 0 and t(words.to_me) or
        string.format(t(words.to_many), t(people[message.cc[1]].name))
    return row{ width = "fill", gap = 12, down = "center",
        avatar(message.from, 44),
        column{ weight = 1,
            text{ message.from.name, id = "sender", style = "title_medium" },
            row{ gap = 2, down = "center", id = "show_details",
                description = words.details, on_click = "details",
                quiet(said, "to"),
                icon{ icon = "drop_down", width = 18, height = 18,
                    ink = "on_surface_variant" } } },
        quiet(when_text(state, message), "date") }
end

function screens.message(state, id)
    local message = messages[id]
    local own = state.box[id]
    return page{ title = "",
        actions = {
            icon_button{ icon = "archive", id = "archive",
                on_click = { "archive", id } },
            icon_button{ icon = "delete", id = "delete",
                description = words.delete, on_click = { "delete", id } },
            icon_button{ icon = "more", id = "more",
                description = words.more, on_click = { "go", "more", id } } },
        list{ weight = 1, id = "message_scroll",
            column{ width = "fill", gap = 14, padding = 16, padding_top = 4,
                row{ width = "fill", down = "center",
                    text{ message.subject, id = "message_subject", weight = 1,
                        style = "headline_small" },
                    star_button(own, id) },
                #own.labels > 0 and flow{ gap = 6, width = "fill",
                    label_tags(own) } or false,
                sender_line(state, message),
                state.details and details_of(state, message) or false,
                table.map(message.body, function(part)
                    return text{ part, id = "paragraph",
                        style = "body_large" }
                end),
                #message.files > 0 and text{ words.files,
                    style = "title_small", padding_top = 8 } or false,
                table.map(message.files, function(file, number)
                    return file_card(message, number, file)
                end),
                message.kind == "newsletter" and
                    newsletter_foot(state, message) or false } },
        divider{},
        answer_bar(message) }
end

function screens.more(state, id)
    local own = state.box[id]
    return sheet{ id = "more_sheet",
        shuffle_by_skin{
            item{ words.move, icon = "folder", id = "move",
                on_click = { "replace", "move", id } },
            item{ words.label_as, icon = "label", id = "label",
                on_click = { "replace", "label", id } },
            item{ words.mark_unread, icon = "mail", id = "mark_unread",
                on_click = { "unread", id } },
            own.folder == "spam" and
                item{ words.not_spam, icon = "shield", id = "not_spam",
                    on_click = { "move", id, "inbox" } } or
                item{ words.report, icon = "warning", id = "report_spam",
                    on_click = { "move", id, "spam" } } } }
end

function screens.move(state, id)
    local own = state.box[id].folder
    return sheet{ title = words.move, id = "move_sheet",
        table.map(table.filter({ "inbox", "archive", "spam", "trash" },
            function(name) return name ~= own end),
            function(name)
                return item{ words[name], icon = folder_icons[name],
                    id = "move_to", key = name,
                    on_click = { "move", id, name } }
            end) }
end

function screens.label(state, id)
    local own = state.box[id].labels
    return sheet{ title = words.labels, id = "label_sheet",
        table.map(shuffle_by_skin(labels), function(label)
            local on = table.index(own, label.id) ~= nil
            return checkbox{ label.name, width = "fill", id = "label_check",
                key = label.id, padding_left = 8, padding_right = 16,
                checked = on,
                on_click = { "label", id, label.id, on and "off" or "on" } }
        end),
        row{ width = "fill", across = "end", padding = 16,
            button{ words.done, id = "done", on_click = "back" } } }
end

function screens.label_many()
    return sheet{ title = words.labels, id = "label_sheet",
        table.map(shuffle_by_skin(labels), function(label)
            return item{ label.name, icon = "label", id = "label_choice",
                key = label.id, on_click = { "label_selected", label.id } }
        end) }
end

function screens.unsubscribe(_, id)
    local from = messages[id].from
    return dialog{ title = string.format(t(words.sure_unsubscribe),
            t(from.name)), id = "unsubscribe_dialog",
        message = words.unsubscribe_text,
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.unsubscribe, id = "confirm",
              on_click = { "unsubscribe", from.id } } } }
end

function screens.file(_, id, number)
    local file = messages[id].files[number]
    return page{ title = file.name,
        actions = { icon_button{ icon = "download", id = "save_file",
            description = words.save_file,
            on_click = { "save_file", id, number } } },
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 16, padding = 32,
            art{ art = file.name:find(".pdf") and "book" or "landscape",
                seed = id, width = 260, height = 340, radius = 16 },
            quiet(size_text(file.kb), "file_size") } }
end

function screens.sent_message(state, place)
    local sent = state.outbox[place]
    return page{ title = words.sent,
        list{ weight = 1,
            column{ width = "fill", gap = 12, padding = 16,
                text{ sent.subject ~= "" and sent.subject or sent.of > 0 and
                    messages[sent.of].subject or words.no_subject,
                    id = "message_subject", style = "headline_small" },
                detail_line(words.to_is, table.concat(
                    table.map(sent.to, name_of), ", "), "to"),
                #sent.cc > 0 and detail_line(words.cc_is, table.concat(
                    table.map(sent.cc, name_of), ", "), "cc") or false,
                text{ sent.body, id = "paragraph", style = "body_large" },
                table.map(sent.files, function(file)
                    return quiet(file.name, "file_name")
                end) } } }
end

-- ---- searching ----

function screens.search(state)
    return market.search_page(words, state, { icon = "time",
        autofocus = true,
        button = icon_button{ icon = "search", id = "search_button",
            description = words.search,
            on_click = { "search", state.typed } } })
end

function screens.results(state)
    local list_of = found(state)
    local function toggle(name, said)
        local on = state.filters[name]
        return chip{ said, id = "filter_" .. name, checkable = true,
            checked = on, on_click = { "filter", name, on and "off" or "on" } }
    end
    return page{
        row{ width = "fill", height = 64, down = "center", padding_right = 12,
            icon_button{ icon = "back", description = words.up,
                on_click = "back" },
            text{ state.query ~= "" and state.query or words.search,
                id = "query", weight = 1, style = "title_medium", lines = 1,
                on_click = "start_search" },
            icon_or_text{ words.sort, icon = "sort", id = "sort",
                on_click = { "go", "sort" } } },
        carousel{ id = "filters", height = 48, gap = 8, padding_left = 16,
            padding_right = 16, down = "center",
            shuffle_by_skin{ toggle("files", words.with_files),
                toggle("unread", words.unread),
                toggle("starred", words.starred) } },
        row{ width = "fill", across = "spread", padding = 8,
            padding_left = 16, padding_right = 16,
            quiet(string.format(t(words.results), #list_of), "result_count"),
            quiet(words[state.order], "order", { ink = "primary" }) },
        #list_of == 0 and nothing_here() or
            list{ weight = 1, id = "result_list", on_scroll = "more",
                rows_of(state, list_of, false) } }
end

function screens.sort(state)
    return market.sort_sheet(words, state.order,
                             { "newest", "oldest", "largest" })
end

-- ---- writing ----

local function receiver_chips(addresses, handler)
    return table.map(addresses, function(address)
        return chip{ name_of(address), id = "receiver", key = address,
            icon = "close", on_click = { handler, address } }
    end)
end

local function suggestions(typed, handler)
    return table.map(fitting_people(typed), function(person)
        return row{ id = "suggestion", key = "p" .. person.id, width = "fill",
            gap = 12, padding = 8, padding_left = 24, down = "center",
            on_click = { handler, person.address },
            avatar(person, 32),
            column{ weight = 1,
                text{ person.name, style = "body_medium" },
                quiet(person.address, "address") } }
    end)
end

local function address_line(label, parts)
    return { row{ width = "fill", down = "center", padding_left = 16,
            padding_right = 8, gap = 8,
            quiet(label, nil, { style = "body_medium", width = 40 }),
            field{ text = parts.typed, weight = 1, id = parts.id,
                background = "surface", autofocus = parts.autofocus,
                description = label, on_change = parts.change,
                on_submit = parts.submit },
            parts.button or false },
        #parts.list > 0 and flow{ width = "fill", gap = 6, padding_left = 64,
            padding_bottom = 6, receiver_chips(parts.list, parts.remove) } or
            false,
        suggestions(parts.typed, parts.add) }
end

local compose_titles = { new = words.new, reply = words.reply,
                         reply_all = words.reply_all,
                         forward = words.forward }

local function quoted(draft)
    if draft.of == 0 then
        return false
    end
    local message = messages[draft.of]
    return column{ width = "fill", gap = 4, padding = 12, radius = 12,
        background = "surface_container", id = "quote",
        quiet(string.format(t(words.wrote), t(message.from.name))),
        table.map(message.body, function(part) return quiet(part) end) }
end

local function default_subject(draft)
    if draft.of == 0 then
        return ""
    end
    return (draft.kind == "forward" and t{ en = "Fwd: ", zh = "转发：" } or
            t{ en = "Re: ", zh = "回复：" }) .. t(messages[draft.of].subject)
end

function screens.compose(state)
    local draft = state.draft
    local body = draft.unfinished and t(unfinished.body) or draft.body
    return page{ title = compose_titles[draft.kind],
        actions = {
            icon_button{ icon = "attach", id = "attach",
                on_click = { "go", "attach" } },
            icon_button{ icon = "send", id = "send", ink = "primary",
                description = words.send, on_click = "send" } },
        list{ weight = 1, id = "compose_scroll",
            address_line(words.to_is, { typed = draft.typed, id = "to",
                list = draft.to, change = "to_typed", submit = "enter_to",
                remove = "remove_to", add = "add_to",
                autofocus = #draft.to == 0,
                button = not draft.cc_open and icon_button{ icon = "down",
                    id = "open_cc", description = words.cc_is,
                    on_click = "open_cc" } }),
            draft.cc_open and address_line(words.cc_is, {
                typed = draft.typed_cc, id = "cc", list = draft.cc,
                change = "cc_typed", submit = "enter_cc",
                remove = "remove_cc", add = "add_cc" }) or false,
            divider{},
            field{ text = draft.subject ~= "" and draft.subject or
                default_subject(draft), hint = words.subject, width = "fill",
                id = "subject", background = "surface",
                on_change = "subject" },
            divider{},
            column{ width = "fill", padding = 16, gap = 12,
                area{ text = body, hint = words.body, width = "fill",
                    height = 200, id = "body", background = "surface",
                    on_change = "body" },
                table.map(draft.files, function(file)
                    return row{ width = "fill", gap = 12, down = "center",
                        key = file.name, id = "attached", radius = 16,
                        background = "surface_container", padding = 8,
                        padding_left = 12,
                        icon{ icon = "attach", ink = "primary", width = 24,
                            height = 24 },
                        column{ weight = 1,
                            text{ file.name, style = "body_medium",
                                id = "file_name" },
                            quiet(size_text(file.kb), "file_size") },
                        icon_button{ icon = "close", id = "remove_file",
                            description = words.remove,
                            on_click = { "remove_file", file.name } } }
                end),
                quoted(draft) } } }
end

function screens.attach()
    return sheet{ title = words.attach, id = "attach_sheet",
        table.map(shuffle_by_skin(own_files), function(file)
            return item{ file.name, detail = size_text(file.kb),
                icon = "file", id = "own_file", key = file.name,
                on_click = { "attach", file.name } }
        end) }
end

function screens.leave()
    return dialog{ title = words.discard, id = "leave_dialog",
        buttons = {
            { words.discard_it, id = "discard", on_click = "discard" },
            { words.keep, id = "keep", on_click = "keep_draft" } } }
end

-- ---- settings ----

local function away_summary(state)
    local away = state.away
    return away.on and t(words.on) .. " · " .. dates.short(away.from) ..
           " – " .. dates.short(away.to) or words.off
end

local function next_icon()
    return icon{ icon = "right", width = 24, height = 24,
                 ink = "on_surface_variant" }
end

local function switch_row(label, sign, name, on)
    return item{ label, icon = sign, id = name .. "_row",
        switch{ checked = on, id = name .. "_switch", description = label,
            on_change = name } }
end

local notify_names = { all = words.notify_all, some = words.notify_important,
                       none = words.notify_none }

function screens.settings(state)
    return page{ title = words.settings,
        list{ weight = 1, id = "settings_list",
            text{ words.general, style = "title_small", ink = "primary",
                padding = 16, padding_bottom = 4 },
            item{ words.notify, icon = "bell", id = "notify",
                detail = notify_names[state.notify],
                on_click = { "go", "notify" }, next_icon() },
            switch_row(words.pictures, "image", "pictures", state.pictures),
            switch_row(words.conversation, "archive", "swipe", state.swipe),
            text{ words.sending, style = "title_small", ink = "primary",
                padding = 16, padding_bottom = 4 },
            shuffle_by_skin{
                item{ words.signature, icon = "edit", id = "signature",
                    detail = state.signature ~= "" and state.signature or
                        words.no_signature,
                    on_click = "open_signature", next_icon() },
                item{ words.undo_time, icon = "time", id = "undo_time",
                    detail = string.format(t(words.seconds), state.undo_time),
                    on_click = { "go", "undo_time" }, next_icon() },
                item{ words.away, icon = "airplane", id = "away",
                    detail = away_summary(state), on_click = "open_away",
                    next_icon() } } } }
end

function screens.notify(state)
    return dialog{ title = words.notify, id = "notify_dialog",
        table.map({ "all", "some", "none" }, function(name)
            return radio{ notify_names[name], id = "notify_" .. name,
                width = "fill", checked = state.notify == name,
                on_click = { "notify", name } }
        end) }
end

function screens.undo_time(state)
    return dialog{ title = words.undo_time, id = "undo_dialog",
        table.map({ 5, 10, 20, 30 }, function(seconds)
            return radio{ string.format(t(words.seconds), seconds),
                id = "undo_" .. seconds, width = "fill",
                checked = state.undo_time == seconds,
                on_click = { "undo_time", seconds } }
        end) }
end

function screens.signature(state)
    return page{ title = words.signature,
        actions = { text_button{ words.save, id = "save",
            on_click = "save_signature" } },
        column{ width = "fill", padding = 16,
            field{ text = state.typed_signature, hint = words.signature,
                width = "fill", id = "signature_field",
                on_change = "signature_typed" } } }
end

function screens.away(state)
    local away = state.typed_away
    return page{ title = words.away,
        actions = { text_button{ words.save, id = "save",
            on_click = "save_away" } },
        list{ weight = 1, id = "away_list",
            item{ words.away, id = "away_row",
                switch{ checked = away.on, id = "away_switch",
                    description = words.away, on_change = "away_on" } },
            divider{},
            item{ words.first_day, icon = "calendar", id = "first_day",
                detail = dates.long(away.from),
                on_click = { "go", "away_day", "away_first" } },
            item{ words.last_day, icon = "calendar", id = "last_day",
                detail = dates.long(away.to),
                on_click = { "go", "away_day", "away_last" } },
            column{ width = "fill", padding = 16,
                area{ text = away.text, hint = words.away_text, width = "fill",
                    height = 140, id = "away_text",
                    on_change = "away_text" } },
            checkbox{ words.contacts_only, id = "contacts_only",
                width = "fill", padding_left = 8, padding_right = 16,
                checked = away.contacts, on_change = "away_contacts" } } }
end

function screens.away_day(state, handler)
    local away = state.typed_away
    local first = handler == "away_first"
    return page{ title = first and words.first_day or words.last_day,
        dates.calendar{ least = first and dates.today() or away.from,
            months = 3, from = away.from, to = away.to, pick = handler } }
end

-- ---- the app ----

return {
    package = "org.proctor.mail",
    name = { en = "Mail", zh = "邮箱" },
    hue = 262,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { people = people, companies = mailbox.companies,
              messages = messages, labels = labels, found = found,
              size = size_of, unfinished = unfinished, in_view = in_view },
    on_back = function(state)
        if asks_before_leaving(state) then
            return true
        elseif current() == "main" and #state.selected > 0 then
            state.selected = {}
            return true
        elseif current() == "main" and state.view ~= "inbox" then
            handlers.folder(state, "inbox")
            return true
        end
        return false
    end,
}
