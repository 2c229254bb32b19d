-- Pay: a wallet with balance, cards, bills and their statistics, transfers,
-- requests and red packets that a pass code confirms, and mini-programs.

local words = include("pay_words")
local ledger = include("pay_ledger")
local people, ways, months = ledger.people, ledger.ways, ledger.months
local bills, requests = ledger.bills, ledger.requests
local autos, meters, bikes = ledger.autos, ledger.meters, ledger.bikes
local categories, currencies = ledger.categories, ledger.currencies

local STEP = 12       -- bills loaded at a time
local SMALL = 2000    -- cents, below which no pass code may be needed
local CODE_LENGTH = 4
local limits = { 50000, 100000, 200000, 500000 }
local top_ups = { 2000, 5000, 10000, 20000 }

-- ---- the state ----

local function no_filters()
    return { month = 0, direction = "all", category = "", find = "",
             order = "newest" }
end

local function first_state()
    return { coupon = true, filters = no_filters(), shown = STEP,
        amount = "", note = "", find = "", digits = "", draft = {},
        payments = {}, asked = {}, splits = {}, with = {},
        balance = ledger.balance, hidden = false,
        order = table.map(ways, function(way) return way.id end),
        limit = 100000, offers = true, small = false, uncounted = {},
        statuses = table.map(requests, function(one) return one.status end),
        reminded = {}, requests_tab = "others_ask",
        stats_month = months[1], all_categories = false,
        currency = "EUR", backwards = false, number = "", top_up = 5000,
        dues = table.map(meters, function(meter) return meter.due end),
        bike_order = "usual", ride = 0, stopped = {} }
end

-- ---- amounts ----

local function is_digits(said)
    for i = 1, #said do
        if said:byte(i) < 48 or said:byte(i) > 57 then
            return false
        end
    end
    return said ~= ""
end

-- Cents of a typed amount such as "12.5"; nil if it is none, or nothing.
local function cents_of(typed)
    local parts = typed:trim():split(".")
    local rest = parts[2] or "00"
    if #parts > 2 or #parts[1] > 6 or #rest > 2 or not is_digits(parts[1]) or
       not is_digits(rest) then
        return nil
    end
    local cents = tonumber(parts[1]) * 100 + tonumber((rest .. "0"):sub(1, 2))
    return cents > 0 and cents or nil
end

-- ---- bills ----

local function all_bills(state)
    return table.join(state.payments, bills)
end

local function bill_of(state, id)
    return table.find(state.payments, id) or bills[id]
end

local function is_spending(bill)
    return bill.cents < 0 and bill.category ~= "transfer"
end

local function fits(bill, filters)
    return (filters.month == 0 or
            ledger.month_of(bill.day) == filters.month) and
           (filters.direction == "all" or
            (filters.direction == "out") == (bill.cents < 0)) and
           (filters.category == "" or bill.category == filters.category)
end

local function found(list_of, filters)
    local has = market.finder(filters.find)
    local some = table.filter(list_of, function(bill)
        return fits(bill, filters) and
               has((bill.who.en .. " " .. bill.who.zh):lower())
    end)
    return filters.order == "newest" and some or
        table.sort(some, function(a, b)
            return math.abs(a.cents) > math.abs(b.cents)
        end)
end

-- What was spent and received.
local function sums(list_of, uncounted)
    local out, inward = 0, 0
    for _, bill in ipairs(list_of) do
        if not table.index(uncounted, bill.id) then
            out = out - math.min(bill.cents, 0)
            inward = inward + math.max(bill.cents, 0)
        end
    end
    return out, inward
end

-- What was spent in a month by category, the most first.
local function spent_by_category(list_of, month, uncounted)
    local list, total = {}, 0
    for place = 1, ledger.spending do
        local category = categories[place]
        local some = table.filter(list_of, function(bill)
            return is_spending(bill) and bill.category == category.id and
                   ledger.month_of(bill.day) == month
        end)
        list[place] = { category = category, cents = (sums(some, uncounted)) }
        total = total + list[place].cents
    end
    return table.sort(list, function(a, b) return a.cents > b.cents end), total
end

-- ---- paying ----

local function way_of(id)
    return table.find(ways, id)
end

local function way_name(way)
    return way.tail and t(way.name) .. " ··" .. way.tail or t(way.name)
end

-- The first of the order that can pay.
local function first_way(state, cents)
    for _, id in ipairs(state.order) do
        if id ~= "balance" or state.balance >= cents then
            return id
        end
    end
end

local function paid_today(state)
    local today = dates.today()
    return (sums(table.filter(state.payments, function(bill)
        return bill.day == today
    end), {}))
end

-- A payment that is to be confirmed.
local function start_payment(state, draft)
    draft.way = first_way(state, draft.cents)
    state.draft = draft
    go("confirm")
end

-- The payment becomes the newest bill.
local function pay(state)
    local draft = state.draft
    table.insert(state.payments, 1, { id = 1000 + #state.payments,
        kind = draft.kind, ref = draft.ref, day = dates.today(),
        minute = math.floor(now()) % 86400 // 60, who = draft.who,
        category = draft.category, cents = -draft.cents, way = draft.way,
        note = draft.note, number = "7" .. 10000 + #state.payments })
    if draft.way == "balance" then
        state.balance = state.balance - draft.cents
    end
    if draft.kind == "owed" then
        state.statuses[draft.ref] = "paid"
    elseif draft.kind == "power" then
        state.dues[draft.ref] = math.max(state.dues[draft.ref] - draft.cents,
                                         0)
    end
    event("paid", draft.kind, draft.ref, draft.cents, draft.way)
    home("done", "paid")
end

-- ---- handlers: forms ----

local handlers = {}

function handlers.open_bills(state)
    state.filters, state.shown = no_filters(), STEP
    go("bills")
    if state.coupon then
        state.coupon = false
        go("coupon")
    end
end

function handlers.no_thanks() back() end
function handlers.hide_balance(state, set) state.hidden = set end
function handlers.amount(state, text) state.amount = text end
function handlers.note(state, text) state.note = text end
function handlers.find_person(state, text) state.find = text end

function handlers.start(state, kind)
    state.find = ""
    go("contacts", kind)
end

function handlers.to(state, kind, id)
    state.amount, state.note = "", ""
    go("amount", kind, id)
end

function handlers.review(state, kind, id)
    local cents = cents_of(state.amount)
    if not cents then
        snack(words.no_amount)
    elseif kind == "request" then
        table.insert(state.asked, { person = id, cents = cents,
                                    note = state.note:trim() })
        home("done", "asked")
    else
        start_payment(state, { kind = kind, ref = id, cents = cents,
            who = people[id].name, category = "transfer",
            note = state.note:trim() })
    end
end

-- ---- handlers: confirming ----

function handlers.way(state, id)
    state.draft.way = id
    back()
end

function handlers.pay_now(state)
    state.digits = ""
    if paid_today(state) + state.draft.cents > state.limit then
        replace("limit")
    elseif state.small and state.draft.cents < SMALL then
        pay(state)
    else
        replace("code")
    end
end

function handlers.digit(state, digit)
    state.digits = state.digits .. digit
    if state.digits == ledger.code then
        pay(state)
    elseif #state.digits >= CODE_LENGTH then
        state.digits = ""
        snack(words.wrong_code)
    end
end

function handlers.delete_digit(state)
    state.digits = state.digits:sub(1, -2)
end

-- ---- handlers: bills ----

function handlers.find_bill(state, text)
    state.filters.find, state.shown = text, STEP
end

function handlers.month(state, month)
    state.filters.month, state.shown = month, STEP
    back()
end

function handlers.category(state, id)
    state.filters.category, state.shown = id, STEP
    back()
end

function handlers.direction(state, name)
    state.filters.direction, state.shown = name, STEP
end

function handlers.order(state, name)
    state.filters.order, state.shown = name, STEP
end

function handlers.more_bills(state, left)
    if left >= 300 or state.shown >= #found(all_bills(state), state.filters)
    then
        return false
    end
    state.shown = state.shown + STEP
end

function handlers.counted(state, id, set)
    state.uncounted = table.filter(state.uncounted, function(one)
        return one ~= id
    end)
    if not set then
        table.insert(state.uncounted, id)
    end
end

function handlers.share() snack(words.shared) end

function handlers.split(state, id)
    state.with = {}
    go("split", id)
end

function handlers.takes_part(state, id, set)
    state.with = table.filter(state.with, function(one) return one ~= id end)
    if set then
        table.insert(state.with, id)
    end
end

function handlers.ask_all(state, id)
    table.insert(state.splits, { bill = id, with = table.copy(state.with) })
    home("done", "split")
end

function handlers.stats_month(state, by)
    local month = state.stats_month + by
    if table.index(months, month) then
        state.stats_month = month
    end
end

function handlers.all_categories(state, set) state.all_categories = set end

-- ---- handlers: requests ----

function handlers.requests_tab(state, name) state.requests_tab = name end

function handlers.pay_request(state, id)
    local request = requests[id]
    start_payment(state, { kind = "owed", ref = id, cents = request.cents,
        who = people[request.person].name, category = "transfer",
        note = "" })
end

function handlers.decline(state, id) state.statuses[id] = "declined" end

function handlers.remind(state, id)
    if not table.index(state.reminded, id) then
        table.insert(state.reminded, id)
    end
    snack(words.reminded)
end

-- ---- handlers: mini-programs ----

function handlers.currency(state, id) state.currency = id end
function handlers.swap(state) state.backwards = not state.backwards end

function handlers.convert(state)
    state.amount = ""
    go("exchange")
end

function handlers.number(state, text) state.number = text end

function handlers.number_of(state, id)
    state.number = people[id].phone
    back()
end

function handlers.top_up(state, cents) state.top_up = cents end

function handlers.pay_top_up(state)
    local number = state.number:trim()
    if not is_digits((number:replace(" ", ""))) then
        snack(words.no_number)
        return
    end
    start_payment(state, { kind = "topup", ref = number, cents = state.top_up,
        who = { en = "Top-up " .. number, zh = "话费充值 " .. number },
        category = "home", note = "" })
end

function handlers.meter(state, id)
    state.amount = ""
    go("meter", id)
end

function handlers.pay_meter(state, id)
    local cents = cents_of(state.amount)
    if not cents then
        snack(words.no_amount)
        return
    end
    local name = meters[id].name
    start_payment(state, { kind = "power", ref = id, cents = cents,
        who = { en = "Electricity: " .. name.en, zh = "电费：" .. name.zh },
        category = "home", note = "" })
end

function handlers.bike_order(state, name) state.bike_order = name end

function handlers.rent(state, id)
    state.ride = id
    home("rented")
end

function handlers.give_back(state) state.ride = 0 end

-- ---- handlers: settings ----

function handlers.raise(state, id)
    local place = table.index(state.order, id)
    if place > 1 then
        table.remove(state.order, place)
        table.insert(state.order, place - 1, id)
    end
end

function handlers.limit(state, cents)
    state.limit = cents
    back()
end

function handlers.offers(state, set) state.offers = set end
function handlers.small(state, set) state.small = set end

function handlers.stop_auto(state, id)
    table.insert(state.stopped, id)
    back()
end

-- ---- parts of the screens ----

local function quiet(said, id, parts)
    parts = parts or {}
    parts[1], parts.id = said, id
    parts.style = parts.style or "body_medium"
    parts.ink = parts.ink or "on_surface_variant"
    return text(parts)
end

local function face(person, size)
    return art{ art = "portrait", seed = person.id * 7 + 2, width = size,
                height = size, radius = size / 2 }
end

local function person_row(person, parts)
    return row{ id = parts.id, key = "p" .. person.id, width = "fill",
        gap = 16, padding = 10, padding_left = 20, padding_right = 20,
        down = "center", on_click = parts.on_click, face(person, 44),
        column{ weight = 1,
            text{ person.name, id = "person_name", style = "title_medium" },
            quiet(parts.detail or
                string.format(t(words.account), person.tail), "account") },
        parts.tail or false }
end

local function signed(cents)
    return (cents < 0 and "−" or "+") .. money(math.abs(cents))
end

local function category_of(id)
    return table.find(categories, id)
end

local function round_icon(sign, size)
    return column{ width = size, height = size, radius = size / 2,
        across = "center", down = "center",
        background = "secondary_container",
        icon{ icon = sign, width = size / 2, height = size / 2,
              ink = "on_secondary_container" } }
end

local function bill_row(bill)
    return row{ id = "bill", key = "b" .. bill.id, width = "fill", gap = 14,
        padding = 10, padding_left = 20, padding_right = 20, down = "center",
        on_click = { "go", "bill", bill.id },
        round_icon(category_of(bill.category).icon, 40),
        column{ weight = 1, gap = 2,
            text{ bill.who, id = "bill_name", lines = 1,
                style = "title_small" },
            quiet(dates.short(bill.day) .. " · " .. dates.time(bill.minute),
                  "bill_time", { style = "body_small" }) },
        text{ signed(bill.cents), id = "bill_amount", style = "title_small",
            ink = bill.cents > 0 and "tertiary" or "on_surface" } }
end

local function line(label, value, id)
    return row{ width = "fill", padding = 10, padding_left = 24,
        padding_right = 24, gap = 16, across = "spread", down = "center",
        quiet(label, nil, { weight = 1 }),
        text{ value, id = id, style = "body_large" } }
end

local function foot_button(said, id, on_click, disabled)
    return row{ width = "fill", padding = 16,
        button{ said, id = id, height = 52, weight = 1, disabled = disabled,
            on_click = on_click } }
end

local function balance_text(state)
    return state.hidden and "••••" or money(state.balance)
end

-- ---- the first screen ----

local function action(name, sign, on_click)
    return column{ weight = 1, across = "center", gap = 8, padding = 8,
        id = "action_" .. name, on_click = on_click,
        icon{ icon = sign, width = 30, height = 30, ink = "on_primary" },
        text{ words[name], style = "label_medium", ink = "on_primary",
            text_align = "center" } }
end

local function header(state)
    return column{ width = "fill", background = "primary", padding = 12,
        padding_top = 4, padding_bottom = 20, gap = 8,
        row{ width = "fill", down = "center", padding_left = 8,
            text{ words.title, id = "title", weight = 1,
                style = "title_large", ink = "on_primary" },
            icon_button{ icon = "gear", id = "open_settings",
                ink = "on_primary", description = words.settings,
                on_click = { "go", "settings" } } },
        row{ width = "fill",
            action("transfer", "send", { "start", "transfer" }),
            action("request", "download", { "start", "request" }),
            action("packet", "gift", { "start", "packet" }),
            action("split", "people", { "go", "choose_bill" }) },
        row{ width = "fill", down = "center", padding_left = 12,
            column{ weight = 1,
                text{ words.balance, style = "label_medium",
                    ink = "on_primary" },
                text{ balance_text(state), id = "balance",
                    style = "headline_medium", ink = "on_primary" } },
            icon_button{ icon = state.hidden and "eye_off" or "eye",
                id = "toggle_balance", ink = "on_primary",
                description = state.hidden and words.show or words.hide,
                on_click = { "hide_balance", not state.hidden } } } }
end

local function tile(name, sign, on_click)
    return column{ across = "center", gap = 6, padding = 8,
        padding_left = 2, padding_right = 2, id = "tile_" .. name,
        on_click = on_click, round_icon(sign, 48),
        text{ words[name], style = "label_medium", text_align = "center",
            lines = 2 } }
end

local function tiles()
    return grid{ width = "fill", columns = 4, gap = 4, padding = 8,
        tile("bills", "list", "open_bills"),
        tile("stats", "chart", { "go", "stats" }),
        tile("requests", "bell", { "go", "requests" }),
        tile("cards", "card", { "go", "cards" }),
        shuffle_by_skin{
            tile("exchange", "world", "convert"),
            tile("topup", "phone_device", { "go", "topup" }),
            tile("power", "lightbulb", { "go", "power" }),
            tile("bikes", "directions", { "go", "bikes" }) } }
end

local function banner()
    return row{ width = "fill", padding = 16, gap = 14, down = "center",
        id = "ad", background = "tertiary_container",
        on_click = { "go", "ad" },
        art{ art = "umbrella", seed = 8, width = 48, height = 48,
            radius = 12 },
        text{ words.ad_text, weight = 1, style = "title_small",
            ink = "on_tertiary_container" },
        text{ words.ad, style = "label_small", ink = "outline" } }
end

local function ride_card(state)
    return row{ width = "fill", padding = 16, gap = 12, down = "center",
        background = "secondary_container",
        icon{ icon = "directions", width = 24, height = 24 },
        text{ string.format(t(words.riding), bikes[state.ride].code),
            id = "ride", weight = 1, style = "title_small" },
        text_button{ words.give_back, id = "give_back",
            on_click = "give_back" } }
end

local screens = {}

function screens.main(state)
    local newest = { table.unpack(all_bills(state), 1, 3) }
    return page{ header(state),
        list{ weight = 1, id = "home",
            state.ride > 0 and ride_card(state) or false,
            tiles(), banner(),
            row{ width = "fill", padding = 12, padding_left = 20,
                padding_bottom = 0, down = "center",
                text{ words.recent, weight = 1, style = "title_medium" },
                text_button{ words.all_bills, id = "all_bills",
                    on_click = "open_bills" } },
            table.map(newest, bill_row) } }
end

function screens.ad()
    return ad_page(words.ad, words.ad_page, words.close)
end

function screens.coupon()
    return sheet{ id = "coupon_sheet", modal = true,
        column{ width = "fill", across = "center", padding = 24, gap = 16,
            icon{ icon = "ticket", width = 64, height = 64,
                ink = "tertiary" },
            text{ words.coupon, style = "headline_small" },
            quiet(words.coupon_text),
            button{ words.use_coupon, id = "use_coupon", width = "fill",
                height = 48, on_click = { "replace", "ad" } },
            text_button{ words.later, id = "no_thanks",
                on_click = "no_thanks" } } }
end

-- ---- contacts and amounts ----

function screens.contacts(state, kind)
    local typed = state.find:trim():lower()
    local some = table.filter(people, function(person)
        return (person.name.en .. " " .. person.name.zh .. " " .. person.tail)
            :lower():find(typed) ~= nil
    end)
    return page{ title = words[kind],
        column{ width = "fill", padding = 16, padding_top = 0,
            field{ text = state.find, hint = words.people, width = "fill",
                id = "find_person", on_change = "find_person" } },
        text{ words.to_whom, style = "title_small", ink = "primary",
            padding = 4, padding_left = 20 },
        list{ weight = 1, id = "contact_list",
            #some > 0 and table.map(some, function(person)
                return person_row(person, { id = "contact",
                    on_click = { "to", kind, person.id } })
            end) or quiet(words.no_contact, "no_contact", { padding = 24 }) } }
end

function screens.amount(state, kind, id)
    return page{ title = words[kind],
        list{ weight = 1, id = "form",
            person_row(people[id], { id = "payee" }),
            column{ width = "fill", padding = 20, gap = 12,
                field{ text = state.amount, hint = words.amount,
                    width = "fill", id = "amount_input", style = "headline_medium",
                    height = 64, on_change = "amount" },
                field{ text = state.note, width = "fill", id = "note_input",
                    hint = kind == "packet" and words.greeting or words.note,
                    on_change = "note" } } },
        foot_button(kind == "request" and words.ask or words.next, "next",
                    { "review", kind, id }) }
end

-- ---- confirming ----

-- The person whom a payment goes to; nil for a company.
local function receiver(draft)
    local id = draft.kind == "owed" and requests[draft.ref].person or draft.ref
    return draft.category == "transfer" and people[id] or nil
end

function screens.confirm(state)
    local draft = state.draft
    local person = receiver(draft)
    return sheet{ title = words.confirm, id = "confirm_sheet",
        column{ width = "fill", across = "center", padding = 8,
            text{ money(draft.cents), id = "confirm_amount",
                style = "display_small" } },
        line(words.receiver, t(draft.who), "confirm_receiver"),
        person and line(words.account_of, "··" .. person.tail,
                        "confirm_account") or false,
        item{ words.pay_with, id = "confirm_way", icon = "card",
            detail = way_name(way_of(draft.way)),
            on_click = { "go", "ways" },
            icon{ icon = "right", width = 20, height = 20 } },
        foot_button(words.pay_now, "pay_now", "pay_now") }
end

function screens.ways(state)
    return sheet{ title = words.pay_with, id = "way_sheet",
        table.map(state.order, function(id)
            local way = way_of(id)
            return item{ way_name(way), id = "way_" .. id, key = id,
                detail = way.kind or balance_text(state),
                disabled = id == "balance" and
                           state.balance < state.draft.cents,
                on_click = { "way", id },
                radio{ checked = state.draft.way == id, clickable = false } }
        end) }
end

local function key(id, on_click, description, face_of_key)
    return column{ weight = 1, height = 60, across = "center",
        down = "center", id = id, on_click = on_click,
        description = description, face_of_key }
end

local function key_row(...)
    return row{ width = "fill", table.map({ ... }, function(digit)
        return key("key_" .. digit, { "digit", digit }, nil,
                   text{ digit, style = "headline_small" })
    end) }
end

-- One circle for each digit of the code; those that were typed are filled.
local function dots(count)
    local list = {}
    for place = 1, CODE_LENGTH do
        list[place] = space{ width = 16, height = 16, radius = 8,
            background = place <= count and "primary" or
                "surface_container_highest" }
    end
    return list
end

function screens.code(state)
    local count = #state.digits
    return sheet{ title = words.code, id = "code_sheet",
        column{ width = "fill", across = "center", padding = 8, gap = 4,
            quiet(money(state.draft.cents) .. " · " .. t(state.draft.who),
                  "code_for"),
            row{ id = "code_dots", gap = 16, padding = 8,
                description = count .. " / " .. CODE_LENGTH,
                dots(count) } },
        key_row("1", "2", "3"), key_row("4", "5", "6"),
        key_row("7", "8", "9"),
        row{ width = "fill", space{ weight = 1, height = 60 },
            key("key_0", { "digit", "0" }, nil,
                text{ "0", style = "headline_small" }),
            key("delete_digit", "delete_digit", words.delete,
                icon{ icon = "backspace", width = 26, height = 26 }) } }
end

function screens.limit(state)
    return dialog{ title = words.limit_title, id = "limit_dialog",
        message = string.format(t(words.limit_text), money(state.limit)),
        buttons = { { words.close, id = "close", on_click = "back" } } }
end

local function paid_lines(draft)
    local person = receiver(draft)
    return { text{ money(draft.cents), id = "done_amount",
            style = "display_small" },
        line(words.receiver, t(draft.who), "done_receiver"),
        person and line(words.account_of, "··" .. person.tail,
                        "done_account") or false,
        line(words.pay_with, way_name(way_of(draft.way)), "done_way"),
        draft.note ~= "" and line(words.note, draft.note, "done_note") or
            false }
end

local function asked_lines(asked)
    return { text{ money(asked.cents), id = "done_amount",
            style = "display_small" },
        line(words.receiver_of_request, people[asked.person].name,
             "done_person"),
        asked.note ~= "" and line(words.note, asked.note, "done_note") or
            false }
end

local function split_lines(state, made)
    local bill = bill_of(state, made.bill)
    return { text{ string.format(t(words.each),
                money(-bill.cents // (#made.with + 1))),
            id = "done_each", style = "headline_small" },
        line(t(bill.who), dates.short(bill.day), "done_bill"),
        table.map(made.with, function(id)
            return line(words.receiver_of_request, people[id].name,
                        "done_person")
        end) }
end

local done_kinds = {
    paid = { "check", words.paid, function(state)
        return paid_lines(state.draft)
    end },
    asked = { "send", words.asked, function(state)
        return asked_lines(state.asked[#state.asked])
    end },
    split = { "people", words.asked, function(state)
        return split_lines(state, state.splits[#state.splits])
    end },
}

function screens.done(state, what)
    local sign, title_text, lines_of = table.unpack(done_kinds[what])
    return page{
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 4, padding = 8,
            round_icon(sign, 88),
            text{ title_text, id = "done_title", style = "headline_small",
                padding = 12 },
            lines_of(state) },
        foot_button(words.done, "finish", "back") }
end

function screens.rented(state)
    return page{
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 12, padding = 32,
            round_icon("directions", 88),
            text{ string.format(t(words.riding), bikes[state.ride].code),
                id = "done_title", style = "headline_small" } },
        foot_button(words.done, "finish", "back") }
end

-- ---- bills ----

local function month_name(month)
    return month == 0 and t(words.all_months) or
           dates.month(ledger.first_day(month))
end

local directions = { { "all", "all" }, { "out", "out" }, { "in", "inward" } }

local function filter_rows(filters)
    return { row{ width = "fill", gap = 8, padding_left = 16,
            padding_right = 16,
            chip{ month_name(filters.month), id = "month", icon = "calendar",
                selected = filters.month > 0, on_click = { "go", "months" } },
            chip{ filters.category == "" and words.category or
                category_of(filters.category).name, id = "category",
                icon = "label", selected = filters.category ~= "",
                on_click = { "go", "pick_category" } } },
        row{ width = "fill", gap = 8, padding_left = 16, padding_right = 16,
            down = "center",
            flow{ weight = 1, gap = 8,
                table.map(directions, function(direction)
                    local name, word = table.unpack(direction)
                    return chip{ words[word], id = "direction_" .. name,
                        checkable = true,
                        checked = filters.direction == name,
                        on_click = { "direction", name } }
                end) },
            icon_button{ icon = "sort", id = "order",
                selected = filters.order == "largest",
                description = filters.order == "largest" and words.newest or
                    words.largest,
                on_click = { "order", filters.order == "largest" and
                    "newest" or "largest" } } } }
end

function screens.bills(state)
    local filters = state.filters
    local some = found(all_bills(state), filters)
    local out, inward = sums(some, state.uncounted)
    return page{ title = words.bills,
        column{ width = "fill", padding_left = 16, padding_right = 16,
            padding_bottom = 8,
            field{ text = filters.find, hint = words.search_bills,
                width = "fill", id = "find_bill", on_change = "find_bill" } },
        filter_rows(filters),
        quiet(string.format(t(words.sum), money(out), money(inward)), "sum",
              { padding = 12, padding_left = 20 }),
        divider{},
        list{ weight = 1, id = "bill_list", on_scroll = "more_bills",
            #some == 0 and quiet(words.no_bills, "no_bills",
                                 { padding = 32 }) or
                table.map({ table.unpack(some, 1,
                    math.min(state.shown, #some)) }, bill_row) } }
end

function screens.months(state)
    local choices = table.join({ 0 }, months)
    return sheet{ title = words.month, id = "month_sheet",
        table.map(choices, function(month)
            return item{ month_name(month), id = "month_item",
                key = "m" .. month, on_click = { "month", month },
                radio{ checked = state.filters.month == month,
                       clickable = false } }
        end) }
end

function screens.pick_category(state)
    local choices = table.join({ { id = "", name = words.all_categories,
                                   icon = "apps" } }, categories)
    return sheet{ title = words.category, id = "category_sheet",
        list{ width = "fill", height = 420,
            table.map(choices, function(category)
                return item{ category.name, id = "category_item",
                    key = "c" .. category.id, icon = category.icon,
                    on_click = { "category", category.id },
                    radio{ checked = state.filters.category == category.id,
                           clickable = false } }
            end) } }
end

function screens.bill(state, id)
    local bill = bill_of(state, id)
    local counted = not table.index(state.uncounted, id)
    return page{ title = words.bills,
        list{ weight = 1, id = "bill_page",
            column{ width = "fill", across = "center", gap = 8, padding = 24,
                round_icon(category_of(bill.category).icon, 64),
                text{ bill.who, id = "bill_name", style = "title_medium" },
                text{ signed(bill.cents), id = "bill_amount",
                    style = "display_small" } },
            line(words.when, dates.medium(bill.day) .. " " ..
                 dates.time(bill.minute), "bill_time"),
            line(words.category, t(category_of(bill.category).name),
                 "bill_category"),
            line(words.pay_with, way_name(way_of(bill.way)), "bill_way"),
            bill.note and bill.note ~= "" and
                line(words.note, bill.note, "bill_note") or false,
            divider{},
            item{ words.counted, id = "counted_row", icon = "chart",
                switch{ checked = counted, id = "counted",
                    description = words.counted,
                    on_change = { "counted", id } } },
            item{ words.receipt, id = "receipt", icon = "file",
                on_click = { "go", "receipt", id } },
            bill.cents < 0 and item{ words.split, id = "split_bill",
                icon = "people", on_click = { "split", id } } or false } }
end

function screens.receipt(state, id)
    local bill = bill_of(state, id)
    return page{ title = words.receipt,
        actions = { icon_button{ icon = "share", id = "share",
            description = words.share, on_click = "share" } },
        column{ width = "fill", padding = 24,
            column{ width = "fill", gap = 4, padding = 8, radius = 8,
                outline = "outline_variant",
                line(words.receiver, t(bill.who), "receipt_name"),
                line(words.amount, money(math.abs(bill.cents)),
                     "receipt_amount"),
                line(words.when, dates.short(bill.day), "receipt_day"),
                line(words.order_number, bill.number, "receipt_number") } } }
end

function screens.choose_bill(state)
    local some = table.filter(all_bills(state), is_spending)
    return page{ title = words.choose_bill,
        list{ weight = 1, id = "split_list",
            table.map({ table.unpack(some, 1, STEP) }, function(bill)
                return item{ bill.who, id = "split_choice",
                    key = "s" .. bill.id,
                    detail = money(-bill.cents) .. " · " ..
                        dates.short(bill.day),
                    icon = category_of(bill.category).icon,
                    on_click = { "split", bill.id } }
            end) } }
end

function screens.split(state, id)
    local bill = bill_of(state, id)
    local each = -bill.cents // (#state.with + 1)
    return page{ title = words.split_with,
        column{ width = "fill", padding = 20, padding_top = 4, gap = 2,
            text{ bill.who, id = "split_name", style = "title_medium" },
            quiet(money(-bill.cents) .. " · " .. dates.short(bill.day),
                  "split_amount") },
        list{ weight = 1, id = "split_people",
            table.map(people, function(person)
                return person_row(person, { id = "split_person",
                    tail = checkbox{ id = "takes_part",
                        checked = table.index(state.with, person.id) ~= nil,
                        description = t(person.name) .. " ··" .. person.tail,
                        on_change = { "takes_part", person.id } } })
            end) },
        quiet(string.format(t(words.each), money(each)), "each",
              { padding_left = 24, padding_top = 12 }),
        foot_button(words.ask, "ask_all", { "ask_all", id },
                    #state.with == 0) }
end

-- ---- statistics ----

local function category_bar(part, most)
    return column{ width = "fill", padding = 10, padding_left = 24,
        padding_right = 24, gap = 8, key = "s" .. part.category.id,
        row{ width = "fill", gap = 12, down = "center",
            icon{ icon = part.category.icon, width = 22, height = 22,
                ink = "primary" },
            text{ part.category.name, id = "stat_name", weight = 1,
                style = "title_small" },
            text{ money(part.cents), id = "stat_amount",
                style = "title_small" } },
        progress{ value = most > 0 and part.cents / most or 0,
                  width = "fill" } }
end

function screens.stats(state)
    local month = state.stats_month
    local parts, total = spent_by_category(all_bills(state), month,
                                           state.uncounted)
    local shown = state.all_categories and #parts or 3
    local name = dates.month(ledger.first_day(month))
    return page{ title = words.stats,
        row{ width = "fill", across = "spread", down = "center", padding = 8,
            icon_button{ icon = "left", id = "earlier",
                description = words.earlier,
                disabled = month == months[#months],
                on_click = { "stats_month", -1 } },
            text{ name, id = "stats_month", style = "title_large" },
            icon_button{ icon = "right", id = "later",
                description = words.later_month,
                disabled = month == months[1],
                on_click = { "stats_month", 1 } } },
        list{ weight = 1, id = "stats",
            column{ width = "fill", across = "center", padding = 16,
                quiet(string.format(t(words.total_out), name)),
                text{ money(total), id = "stats_total",
                    style = "display_small" } },
            table.map({ table.unpack(parts, 1, shown) }, function(part)
                return category_bar(part, parts[1].cents)
            end),
            not state.all_categories and row{ width = "fill",
                across = "center",
                text_button{ words.more, id = "all_categories",
                    on_click = { "all_categories", true } } } or false } }
end

-- ---- requests ----

local function status_of(state, id)
    local status = state.statuses[id]
    return t(status == "open" and words.open or status == "paid" and
             words.settled or words.declined)
end

function screens.requests(state)
    local mine = state.requests_tab == "i_ask"
    local some = table.filter(requests, function(one)
        return one.mine == mine
    end)
    local own = mine and state.asked or {}
    return page{ title = words.requests,
        tabs{ table.map({ "others_ask", "i_ask" }, function(name)
            return tab{ words[name], id = "tab_" .. name,
                selected = state.requests_tab == name,
                on_click = { "requests_tab", name } }
        end) },
        list{ weight = 1, id = "request_list",
            table.map(own, function(asked, place)
                return row{ width = "fill", key = "own" .. place,
                    person_row(people[asked.person], { id = "asked",
                        detail = money(asked.cents) .. " · " ..
                            asked.note }) }
            end),
            table.map(some, function(one)
                return person_row(people[one.person], { id = "request_row",
                    detail = t(one.note) .. " · " .. dates.short(one.day),
                    on_click = { "go", "request", one.id },
                    tail = text{ status_of(state, one.id), id = "status",
                        style = "label_medium", ink = "primary" } })
            end) } }
end

local function request_buttons(state, id)
    if state.statuses[id] ~= "open" then
        return false
    elseif requests[id].mine then
        return foot_button(words.remind, "remind", { "remind", id },
                           table.index(state.reminded, id) ~= nil)
    end
    return column{ width = "fill",
        row{ width = "fill", across = "center",
            text_button{ words.decline, id = "decline",
                on_click = { "decline", id } } },
        foot_button(words.pay, "pay_request", { "pay_request", id }) }
end

function screens.request(state, id)
    local one = requests[id]
    return page{ title = words.requests,
        list{ weight = 1, id = "request_page",
            person_row(people[one.person], { id = "asks" }),
            column{ width = "fill", across = "center", padding = 16,
                text{ money(one.cents), id = "request_amount",
                    style = "display_small" } },
            line(words.note, t(one.note), "request_note"),
            line(words.when, dates.medium(one.day), "request_day"),
            row{ width = "fill", across = "center", padding = 8,
                text{ table.index(state.reminded, id) and
                    t(words.reminded) or status_of(state, id),
                    id = "request_status", ink = "primary",
                    style = "title_small" } } },
        request_buttons(state, id) }
end

-- ---- cards ----

function screens.cards(state)
    local cards = table.filter(ways, function(way) return way.tail end)
    return page{ title = words.cards,
        list{ weight = 1, id = "card_list", padding = 16, gap = 12,
            table.map(cards, function(way, place)
                local spent = sums(table.filter(all_bills(state),
                    function(bill)
                        return bill.way == way.id and
                               ledger.month_of(bill.day) == months[1]
                    end), {})
                return column{ width = "fill", radius = 20, padding = 20,
                    gap = 6, key = way.id, id = "card",
                    background = place % 2 == 1 and "primary_container" or
                        "tertiary_container",
                    text{ way.name, id = "card_name",
                        style = "title_large" },
                    text{ way.kind, style = "body_medium" },
                    text{ string.format(t(words.card_number), way.tail),
                        id = "card_number", style = "title_medium" },
                    text{ string.format(t(words.total_out),
                            dates.month_name(dates.today())) .. ": " ..
                        money(spent), id = "card_spent",
                        style = "body_small" } }
            end) } }
end

-- ---- mini-programs ----

local function currency_of(id)
    return table.find(currencies, id)
end

local function plain_amount(hundredths)
    return (money(hundredths):replace(t{ en = "$", zh = "¥" }, ""))
end

function screens.exchange(state)
    local currency = currency_of(state.currency)
    local cents = cents_of(state.amount) or 0
    local got = ledger.exchanged(cents, currency, state.backwards)
    local own = t(words.home_code)
    local from = state.backwards and currency.id or own
    local to = state.backwards and own or currency.id
    return page{ title = words.exchange,
        list{ weight = 1, id = "exchange",
            column{ width = "fill", padding = 20, gap = 10,
                quiet(t(words.you_have) .. " · " .. from, "from_currency"),
                field{ text = state.amount, hint = words.amount,
                    width = "fill", id = "exchange_input", style = "headline_small",
                    height = 60, on_change = "amount" },
                row{ width = "fill", across = "center",
                    icon_button{ icon = "swap", id = "swap",
                        description = words.swap, on_click = "swap" } },
                quiet(t(words.you_get) .. " · " .. to, "to_currency"),
                text{ plain_amount(got), id = "exchange_result",
                    style = "display_small", ink = "primary" },
                quiet(t(words.rate) .. ": 1 " .. own .. " = " ..
                    string.format("%.4f", ledger.rate_of(currency) / 10000) ..
                    " " .. currency.id, "rate") },
            divider{},
            table.map(currencies, function(one)
                return item{ one.name, id = "currency", key = one.id,
                    detail = one.id, on_click = { "currency", one.id },
                    radio{ checked = one.id == state.currency,
                           clickable = false } }
            end) } }
end

function screens.topup(state)
    return page{ title = words.topup,
        list{ weight = 1, id = "topup",
            row{ width = "fill", padding = 20, padding_right = 12,
                down = "center", gap = 4,
                field{ text = state.number, hint = words.phone_number,
                    weight = 1, id = "number_input", on_change = "number" },
                icon_button{ icon = "person", id = "pick_number",
                    description = words.pick,
                    on_click = { "go", "pick_number" } } },
            grid{ width = "fill", columns = 2, gap = 12, padding_left = 20,
                padding_right = 20,
                table.map(top_ups, function(cents)
                    local on = state.top_up == cents
                    return column{ across = "center", padding = 20,
                        radius = 16, id = "top_up_" .. cents // 100,
                        key = "u" .. cents, selected = on,
                        outline = "outline_variant",
                        background = on and "primary_container" or nil,
                        on_click = { "top_up", cents },
                        text{ money(cents), style = "title_large" } }
                end) } },
        foot_button(words.next, "pay_top_up", "pay_top_up") }
end

function screens.pick_number()
    return page{ title = words.pick,
        list{ weight = 1, id = "number_list",
            table.map(people, function(person)
                return person_row(person, { id = "number_of",
                    detail = person.phone .. " · ··" .. person.tail,
                    on_click = { "number_of", person.id } })
            end) } }
end

function screens.power()
    return page{ title = words.power,
        list{ weight = 1, id = "meters", padding = 16, gap = 12,
            table.map(meters, function(meter)
                return row{ width = "fill", radius = 16, padding = 16,
                    gap = 16, down = "center", key = "m" .. meter.id,
                    id = "meter", background = "surface_container",
                    on_click = { "meter", meter.id },
                    icon{ icon = "lightbulb", width = 32, height = 32,
                        ink = "primary" },
                    column{ weight = 1,
                        text{ meter.name, id = "meter_name",
                            style = "title_medium" },
                        quiet(meter.address, "meter_address") } }
            end) } }
end

function screens.meter(state, id)
    local meter, due = meters[id], state.dues[id]
    return page{ title = meter.name,
        list{ weight = 1, id = "meter_page",
            line(words.meter_number, meter.number, "meter_number"),
            line(words.due, due > 0 and money(due) or t(words.nothing_due),
                 "due"),
            column{ width = "fill", padding = 24, gap = 10,
                field{ text = state.amount, hint = words.other_amount,
                    width = "fill", id = "meter_input", style = "headline_small",
                    height = 60, on_change = "amount" },
                row{ gap = 8, table.map({ "50", "100", "200" },
                    function(amount)
                        return chip{ money(tonumber(amount) * 100),
                            id = "amount_" .. amount,
                            on_click = { "amount", amount } }
                    end) } } },
        foot_button(words.next, "pay_meter", { "pay_meter", id }) }
end

local bike_orders = {
    nearest = function(a, b) return a.metres < b.metres end,
    cheapest = function(a, b) return a.price < b.price end,
}

function screens.bikes(state)
    local some = table.copy(bikes)
    if bike_orders[state.bike_order] then
        table.sort(some, bike_orders[state.bike_order])
    end
    return page{ title = words.bikes,
        row{ width = "fill", gap = 8, padding_left = 16, padding_right = 16,
            padding_bottom = 8,
            table.map({ "usual", "nearest", "cheapest" }, function(name)
                return chip{ words[name], id = "bike_order_" .. name,
                    checkable = true, checked = state.bike_order == name,
                    on_click = { "bike_order", name } }
            end) },
        list{ weight = 1, id = "bike_list",
            table.map(some, function(bike)
                return item{ string.format(t(words.bike), bike.code),
                    id = "bike", key = "k" .. bike.id, icon = "directions",
                    detail = string.format(t(words.metres), bike.metres) ..
                        " · " .. money(bike.price),
                    on_click = { "go", "bike", bike.id } }
            end) } }
end

function screens.bike(state, id)
    local bike = bikes[id]
    return page{ title = string.format(t(words.bike), bike.code),
        list{ weight = 1, id = "bike_page",
            citymap.view{ name = "bikes", height = 200, pins = { { x = 20 +
                id * 8, y = 30 + id * 5, size = 36, part = icon{
                icon = "pin_filled", width = 36, height = 36,
                ink = "primary" } } } },
            line(words.nearest, string.format(t(words.metres), bike.metres),
                 "bike_distance"),
            line(words.battery, bike.battery .. " %", "battery"),
            line(t(words.half_hour), money(bike.price), "bike_price") },
        foot_button(words.rent, "rent", { "go", "sure_bike", id },
                    state.ride > 0) }
end

function screens.sure_bike(_, id)
    return dialog{ title = words.sure_rent, id = "rent_dialog",
        message = string.format(t(words.bike), bikes[id].code) .. ", " ..
            money(bikes[id].price) .. " " .. t(words.half_hour),
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.rent, id = "confirm_rent",
              on_click = { "rent", id } } } }
end

-- ---- settings ----

local function switch_row(label, sign, name, on, handler)
    return item{ label, icon = sign, id = name .. "_row",
        switch{ checked = on, id = name .. "_switch", description = label,
            on_change = handler or name } }
end

function screens.settings(state)
    return page{ title = words.settings,
        list{ weight = 1, id = "settings",
            shuffle_by_skin{
                item{ words.pay_order, id = "pay_order", icon = "sort",
                    detail = way_name(way_of(state.order[1])),
                    on_click = { "go", "order" } },
                item{ words.limit, id = "limit", icon = "shield",
                    detail = money(state.limit),
                    on_click = { "go", "limits" } },
                item{ words.autos, id = "autos", icon = "refresh",
                    on_click = { "go", "autos" } } },
            divider{},
            shuffle_by_skin{
                switch_row(words.hide_balance, "eye_off", "hide",
                           state.hidden, "hide_balance"),
                switch_row(words.small, "lock", "small", state.small),
                switch_row(words.offers, "tag", "offers",
                           state.offers) } } }
end

function screens.order(state)
    return page{ title = words.pay_order,
        quiet(words.order_text, nil, { padding = 20, padding_top = 4 }),
        list{ weight = 1, id = "order_list",
            table.map(state.order, function(id, place)
                local way = way_of(id)
                return item{ place .. ". " .. way_name(way), key = id,
                    id = "order_row", detail = way.kind,
                    icon_button{ icon = "arrow_up", id = "raise",
                        description = t(words.raise) .. ": " ..
                            way_name(way),
                        disabled = place == 1,
                        on_click = { "raise", id } } }
            end) } }
end

function screens.limits(state)
    return sheet{ title = words.limit, id = "limit_sheet",
        table.map(limits, function(cents)
            return item{ money(cents), id = "limit_" .. cents // 100,
                key = "l" .. cents, on_click = { "limit", cents },
                radio{ checked = state.limit == cents, clickable = false } }
        end) }
end

function screens.autos(state)
    return page{ title = words.autos,
        list{ weight = 1, id = "auto_list",
            table.map(autos, function(auto)
                return item{ auto.name, id = "auto", key = "a" .. auto.id,
                    icon = "refresh",
                    detail = table.index(state.stopped, auto.id) and
                        words.stopped or words.active,
                    on_click = { "go", "auto", auto.id } }
            end) } }
end

function screens.auto(state, id)
    local auto = autos[id]
    local stopped = table.index(state.stopped, id) ~= nil
    return page{ title = auto.name,
        list{ weight = 1, id = "auto_page",
            line(words.amount, money(auto.cents) .. " " ..
                t(auto.yearly and words.per_year or words.per_month),
                "auto_price"),
            line(words.pay_with, way_name(way_of(auto.way)), "auto_way"),
            line(words.next_time, stopped and "–" or dates.short(auto.day),
                 "auto_next"),
            line(words.status, t(stopped and words.stopped or words.active),
                 "auto_status") },
        not stopped and foot_button(words.stop_auto, "stop_auto",
            { "go", "sure_auto", id }) or false }
end

function screens.sure_auto(_, id)
    return dialog{ title = words.sure_auto, id = "auto_dialog",
        message = autos[id].name,
        buttons = {
            { words.keep, id = "keep", on_click = "back" },
            { words.yes_stop, id = "confirm_stop",
              on_click = { "stop_auto", id } } } }
end

-- ---- the app ----

return {
    package = "org.proctor.pay",
    name = { en = "Pay", zh = "支付" },
    hue = 235,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { ledger = ledger, found = found, no_filters = no_filters,
              sums = sums, spent_by_category = spent_by_category },
    on_text = function(state, text)
        if current() == "code" then
            for i = 1, #text do
                if is_digits(text:sub(i, i)) and current() == "code" then
                    handlers.digit(state, text:sub(i, i))
                end
            end
        end
    end,
}
