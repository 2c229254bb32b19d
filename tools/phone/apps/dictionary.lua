-- Dictionary: rare words with their meaning, synonyms, opposites, origin and
-- quotations, word lists, notes, and settings.

local catalog = include("dictionary_entries")
local entries, related = catalog.entries, catalog.related

local STEP = 16 -- words of the index loaded at a time

local words = {
    search = { en = { "Word or meaning", "Look up a word" },
               zh = { "输入单词或释义", "查单词" } },
    find = { en = "Search", zh = "查找" },
    clear = { en = "Clear", zh = "清除" },
    recent = { en = { "Looked up before", "Recent words" },
               zh = { "最近查过", "查词历史" } },
    today = { en = "Today", zh = "今日" },
    index = { en = { "All words", "Index" }, zh = { "全部单词", "索引" } },
    lists = { en = { "Word lists", "My lists" }, zh = { "生词本", "我的单词" } },
    settings = { en = "Settings", zh = "设置" },
    of_the_day = { en = "Word of the day", zh = "每日一词" },
    wotd_notice = { en = "Remind me of the word of the day",
                    zh = "每日一词提醒" },
    common = { en = { "Often looked up", "Popular words" },
               zh = { "大家都在查", "热门单词" } },
    ad = { en = "Advertisement", zh = "广告" },
    ad_text = { en = "Learn a language while you sleep",
                zh = "睡觉也能学外语" },
    none = { en = "No such word", zh = "没有找到" },
    meaning = { en = "Meaning", zh = "释义" },
    synonyms = { en = { "Synonyms", "Similar words" },
                 zh = { "同义词", "近义词" } },
    opposites = { en = { "Opposites", "Antonyms" }, zh = "反义词" },
    origin = { en = { "Origin", "Where it comes from" }, zh = { "词源", "来源" } },
    quotes = { en = { "Quotations", "Examples" }, zh = { "例句", "引文" } },
    from = { en = "From %s", zh = "源自%s" },
    since = { en = "First used in %d", zh = "最早见于 %d 年" },
    uses = { en = "%d uses per million words", zh = "每百万词出现 %d 次" },
    save = { en = "Add to a list", zh = "加入生词本" },
    note = { en = "Note", zh = "笔记" },
    note_hint = { en = "Your note", zh = "写点什么" },
    keep = { en = "Save", zh = "保存" },
    cancel = { en = "Cancel", zh = "取消" },
    new_list = { en = { "New list", "Create list" },
                 zh = { "新建生词本", "创建生词本" } },
    name = { en = "Name", zh = "名称" },
    count = { en = "%d words", zh = "%d 个单词" },
    remove = { en = "Remove from list", zh = "移出生词本" },
    exam = { en = "For the exam", zh = "考试用" },
    empty = { en = "Nothing here yet", zh = "这里还没有内容" },
    british = { en = "British", zh = "英式发音" },
    american = { en = "American", zh = "美式发音" },
    accent = { en = "Pronunciation", zh = "发音" },
    large = { en = "Large type", zh = "大字号" },
    listen = { en = "Listen", zh = "朗读" },
}

-- ---- the state ----

local function first_state()
    return { tab = "today", typed = "", query = "", recent = {}, shown = STEP,
             unfolded = {},
             lists = { { id = 1, name = words.exam,
                         words = table.copy(catalog.first_list) } },
             next_list = 2, list_name = "", notes = {}, note = "",
             accent = "british", notice = true, large = false }
end

local function find_list(state, id)
    return table.filter(state.lists, function(list)
        return list.id == id
    end)[1]
end

local function found(query)
    local has = market.finder(query)
    return table.filter(entries, function(entry)
        return has(entry.word .. " " .. entry.meaning.en .. " " ..
                   entry.meaning.zh)
    end)
end

local function note_of(state, id)
    for _, note in ipairs(state.notes) do
        if note.word == id then
            return note.text
        end
    end
end

-- ---- handlers ----

local handlers = {}

function handlers.tab(state, name) state.tab = name end

market.add_search_handlers(handlers)

function handlers.search(state, text)
    state.query = text:trim()
    if state.query ~= "" then
        state.recent = market.remember(state.recent, state.query)
        home("results")
    end
end

function handlers.more(state, left)
    if left >= 300 or state.shown >= #entries then
        return false
    end
    state.shown = state.shown + STEP
end

function handlers.entry(_, id) go("entry", id) end

-- Cards stay unfolded for each word: "origin 17".
function handlers.fold(state, part, open)
    local _, id = current()
    local card = part .. " " .. id
    state.unfolded = table.filter(state.unfolded, function(one)
        return one ~= card
    end)
    if open then
        table.insert(state.unfolded, card)
    end
end

function handlers.say() snack(words.listen) end

function handlers.new_list(state, word)
    state.list_name = ""
    go("new_list", word)
end

function handlers.list_name(state, text) state.list_name = text end

function handlers.create(state, word)
    table.insert(state.lists, { id = state.next_list,
        name = state.list_name:trim(), words = word > 0 and { word } or {} })
    state.next_list = state.next_list + 1
    back()
    if word > 0 then
        back()
    end
end

function handlers.in_list(state, list, word, on)
    local its = find_list(state, list).words
    local place = table.index(its, word)
    if on and not place then
        table.insert(its, word)
    elseif not on and place then
        table.remove(its, place)
    end
end

function handlers.edit_note(state, id)
    state.note = note_of(state, id) or ""
    go("note", id)
end

function handlers.note(state, text) state.note = text end

function handlers.save_note(state, id)
    state.notes = table.filter(state.notes, function(note)
        return note.word ~= id
    end)
    if state.note:trim() ~= "" then
        table.insert(state.notes, { word = id, text = state.note:trim() })
    end
    back()
end

function handlers.accent(state, name) state.accent = name end
function handlers.notice(state, on) state.notice = on end
function handlers.large(state, on) state.large = on end

-- ---- parts of the screens ----

local function quiet(value, id)
    return text{ value, id = id, style = "body_small",
                 ink = "on_surface_variant" }
end

local function word_row(entry, tail)
    return row{ id = "word_row", key = "w" .. entry.id, width = "fill",
        gap = 12, padding_left = 20, padding_right = 12, padding_top = 10,
        padding_bottom = 10, down = "center", on_click = { "entry", entry.id },
        column{ weight = 1, gap = 2,
            text{ entry.word, id = "word", style = "title_medium" },
            quiet(entry.meaning, "meaning") },
        tail or icon{ icon = "right", width = 20, height = 20,
                      ink = "outline" } }
end

local function search_box(state)
    return column{ width = "fill", padding = 16,
        search_bar{ id = "search_bar", on_click = "start_search",
            icon{ icon = "search" },
            text{ state.query ~= "" and state.query or words.search,
                weight = 1, lines = 1, ink = "on_surface_variant" } } }
end

local function word_of_the_day()
    return entries[random("day").int(1, #entries)]
end

local function today_tab(state)
    local entry = word_of_the_day()
    local some = random("common").shuffle(entries)
    return { search_box(state), list{ weight = 1, id = "today_list",
        column{ width = "fill", padding_left = 16, padding_right = 16,
            column{ width = "fill", gap = 8, padding = 24, radius = 28,
                background = "primary_container", id = "day_card",
                on_click = { "entry", entry.id },
                text{ words.of_the_day, style = "label_large",
                    ink = "on_primary_container" },
                text{ entry.word, style = "display_medium", id = "day_word",
                    ink = "on_primary_container", font = "light" },
                text{ t(entry.part) .. " · " .. t(entry.meaning),
                    style = "body_large", ink = "on_primary_container" } } },
        row{ width = "fill", gap = 12, padding = 16, down = "center",
            id = "ad", on_click = { "go", "ad" },
            art{ art = "book", seed = 4, width = 56, height = 56,
                radius = 12 },
            column{ weight = 1, quiet(words.ad),
                text{ words.ad_text, style = "title_small" } } },
        text{ words.common, style = "title_medium", padding_left = 20,
            padding_bottom = 4 },
        table.map({ table.unpack(some, 1, 6) }, function(one)
            return word_row(one)
        end) } }
end

local function index_tab(state)
    local rows, letter = {}, ""
    for i = 1, math.min(state.shown, #entries) do
        local first = entries[i].word:sub(1, 1):upper()
        if first ~= letter then
            letter = first
            rows[#rows + 1] = text{ letter, style = "title_large",
                font = "bold", ink = "primary", padding_left = 20,
                padding_top = 12, key = "letter" .. letter }
        end
        rows[#rows + 1] = word_row(entries[i])
    end
    return { search_box(state),
             list{ weight = 1, id = "index_list", on_scroll = "more", rows } }
end

local function lists_tab(state)
    return list{ weight = 1, id = "lists",
        row{ width = "fill", height = 64, padding_left = 20,
            padding_right = 8, down = "center",
            text{ words.lists, style = "headline_small", weight = 1 },
            icon_or_text{ words.new_list, icon = "add", id = "new_list",
                on_click = { "new_list", 0 } } },
        table.map(state.lists, function(list_of)
            return item{ list_of.name, id = "list_row", icon = "folder",
                key = "l" .. list_of.id,
                detail = string.format(t(words.count), #list_of.words),
                on_click = { "go", "list", list_of.id } }
        end) }
end

local function settings_tab(state)
    return list{ weight = 1, id = "settings",
        text{ words.accent, style = "title_small", ink = "primary",
            padding = 20 },
        table.map({ "british", "american" }, function(name)
            return item{ words[name], id = "accent_" .. name,
                on_click = { "accent", name },
                radio{ checked = state.accent == name, clickable = false } }
        end),
        divider{},
        item{ words.wotd_notice, id = "notice_row",
            switch{ checked = state.notice, on_change = "notice",
                id = "notice", description = words.wotd_notice } },
        item{ words.large, id = "large_row",
            switch{ checked = state.large, on_change = "large",
                id = "large", description = words.large } } }
end

local tabs = { today = today_tab, index = index_tab, lists = lists_tab,
               settings = settings_tab }

-- ---- screens ----

local screens = {}

function screens.main(state)
    return page{ tabs[state.tab](state),
        market.tab_bar(words, state.tab,
            { "today", "index", "lists", "settings" },
            { today = "calendar", index = "font_size", lists = "folder",
              settings = "gear" }) }
end

function screens.search(state)
    return market.search_page(words, state, { icon = "time", autofocus = true,
        button = icon_or_text{ words.find, icon = "search",
            id = "search_button", on_click = { "search", state.typed } } })
end

function screens.results(state)
    local list_of = found(state.query)
    return page{ row{ width = "fill", down = "center",
            icon_button{ icon = "back", on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            column{ weight = 1, search_box(state) } },
        list{ weight = 1, id = "results",
            #list_of > 0 and table.map(list_of, function(entry)
                return word_row(entry)
            end) or text{ words.none, padding = 32, id = "no_results" } } }
end

-- A card with a title, whose content appears when it is unfolded.
local function fold(state, entry, part, content)
    local open = table.index(state.unfolded, part .. " " .. entry.id) ~= nil
    return column{ width = "fill", padding_left = 16, padding_right = 16,
        padding_bottom = 10, key = "fold_" .. part,
        column{ width = "fill", radius = 20,
            background = "surface_container_low",
            row{ width = "fill", padding = 16, down = "center",
                id = part .. "_card", on_click = { "fold", part, not open },
                text{ words[part], weight = 1, style = "title_medium" },
                icon{ icon = open and "up" or "down", width = 24,
                    height = 24 } },
            open and column{ width = "fill", padding_bottom = 12,
                             content() } or false } }
end

local function related_rows(entry, opposite)
    return function()
        return table.map(related(entry, opposite), function(other)
            return word_row(other)
        end)
    end
end

local function origin_part(entry)
    return function()
        return column{ gap = 6, padding_left = 16, padding_right = 16,
            text{ string.format(t(words.from), t(entry.from)), id = "from",
                style = "body_large" },
            text{ string.format(t(words.since), entry.since), id = "since",
                style = "body_large" } }
    end
end

local function quote_rows(entry)
    return function()
        return table.map(entry.quotes, function(quote)
            return column{ width = "fill", gap = 2, padding_left = 16,
                padding_right = 16, padding_bottom = 10,
                key = "q" .. quote.year,
                text{ string.format(t(quote.text), entry.word),
                    style = "body_large", id = "quote" },
                quiet(t(quote.who) .. ", " .. quote.year, "quoted") }
        end)
    end
end

local function entry_head(state, entry)
    return column{ width = "fill", padding_left = 20, padding_right = 20,
        padding_bottom = 16, gap = 8,
        row{ width = "fill", down = "center",
            text{ entry.word, id = "head_word", weight = 1,
                style = state.large and "display_large" or "display_medium",
                font = "light" },
            icon_button{ icon = "volume", id = "say",
                description = words.listen, on_click = { "say", entry.id } } },
        text{ entry.part, id = "part", style = "label_large",
            ink = "primary" },
        text{ entry.meaning, id = "head_meaning",
            style = "headline_small" },
        quiet(string.format(t(words.uses), entry.uses), "uses") }
end

function screens.entry(state, id)
    local entry = entries[id]
    local note = note_of(state, id)
    return page{ title = "",
        actions = shuffle_by_skin{
            icon_button{ icon = "search", id = "open_search",
                description = words.find, on_click = "start_search" },
            icon_button{ icon = "edit", id = "edit_note",
                description = words.note, on_click = { "edit_note", id } },
            icon_button{ icon = "add", id = "save",
                description = words.save, on_click = { "go", "save", id } } },
        list{ weight = 1, id = "entry_list",
            entry_head(state, entry),
            note and column{ width = "fill", padding_left = 20,
                padding_right = 20, padding_bottom = 16,
                text{ note, id = "own_note", style = "body_large",
                    ink = "tertiary" } } or false,
            fold(state, entry, "synonyms", related_rows(entry, false)),
            fold(state, entry, "opposites", related_rows(entry, true)),
            fold(state, entry, "origin", origin_part(entry)),
            fold(state, entry, "quotes", quote_rows(entry)) } }
end

function screens.save(state, id)
    return sheet{ title = words.save, id = "save_sheet",
        item{ words.new_list, icon = "add", id = "new_list",
            on_click = { "new_list", id } },
        table.map(state.lists, function(list_of)
            return row{ width = "fill", padding_left = 8,
                key = "l" .. list_of.id,
                checkbox{ list_of.name, width = "fill", id = "list_check",
                    checked = table.index(list_of.words, id) ~= nil,
                    on_change = { "in_list", list_of.id, id } } }
        end) }
end

function screens.new_list(state, word)
    return dialog{ title = words.new_list, id = "new_list_dialog",
        field{ text = state.list_name, hint = words.name, width = "fill",
            id = "list_name", autofocus = true, on_change = "list_name" },
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.keep, id = "create",
                      disabled = state.list_name:trim() == "",
                      on_click = { "create", word } } } }
end

function screens.note(state, id)
    return dialog{ title = words.note, id = "note_dialog",
        field{ text = state.note, hint = words.note_hint, width = "fill",
            id = "note_text", autofocus = true, on_change = "note" },
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.keep, id = "keep",
                      on_click = { "save_note", id } } } }
end

function screens.list(state, id)
    local its = find_list(state, id)
    return page{ title = its.name,
        list{ weight = 1, id = "list_words",
            #its.words == 0 and text{ words.empty, padding = 24 } or
            table.map(its.words, function(word)
                return word_row(entries[word], icon_button{ icon = "delete",
                    id = "remove",
                    description = t(words.remove) .. ": " ..
                        entries[word].word,
                    on_click = { "in_list", id, word, false } })
            end) } }
end

function screens.ad()
    return page{ title = words.ad,
        web{ weight = 1, text{ content.brand(random("ad")),
                               style = "headline_large" },
             text{ words.ad_text },
             button{ words.cancel, id = "close", on_click = "back" } } }
end

return {
    package = "org.proctor.dictionary",
    name = { en = "Dictionary", zh = "词典" },
    hue = 70,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { entries = entries, related = related,
              first_list = catalog.first_list },
    on_back = function(state)
        if current() == "main" and state.tab ~= "today" then
            state.tab = "today"
            return true
        end
        return false
    end,
}
