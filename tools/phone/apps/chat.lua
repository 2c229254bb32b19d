-- Chats: messages with people and groups, contacts, and moments that are liked
-- and commented.

local words = {
    chats = { en = { "Chats", "Messages" }, zh = { "聊天", "消息" } },
    contacts = { en = { "Contacts", "People" }, zh = { "通讯录", "联系人" } },
    moments = { en = { "Moments", "Feed" }, zh = { "朋友圈", "动态" } },
    me = { en = { "Me", "Profile" }, zh = { "我", "我的" } },
    search = { en = { "Search chats and people", "Search" },
               zh = { "搜索聊天和联系人", "搜索" } },
    new_group = { en = { "New group", "Start a group" },
                  zh = { "发起群聊", "新建群聊" } },
    group_name = { en = { "Name of the group", "Group name" },
                   zh = { "群名称", "群聊名称" } },
    create = { en = { "Create", "Create group" }, zh = { "创建", "完成创建" } },
    message = { en = { "Write a message", "Message" }, zh = { "输入消息", "消息" } },
    send = { en = "Send", zh = "发送" },
    info = { en = { "Chat info", "Details" }, zh = { "聊天信息", "详情" } },
    members = { en = "Members: %d", zh = "成员 %d 人" },
    mute = { en = { "Mute", "Mute notifications" },
             zh = { "消息免打扰", "静音" } },
    pin = { en = { "Pin to top", "Keep on top" }, zh = { "置顶聊天", "置顶" } },
    leave = { en = { "Leave group", "Exit group" }, zh = { "退出群聊", "退群" } },
    sure_leave = { en = "Leave %s?", zh = "确定退出“%s”吗？" },
    cancel = { en = "Cancel", zh = "取消" },
    yes_leave = { en = { "Leave", "Yes, leave" }, zh = { "退出", "确定退出" } },
    alias = { en = { "Remark", "Nickname" }, zh = { "备注", "备注名" } },
    edit_alias = { en = { "Set remark", "Edit nickname" },
                   zh = { "设置备注", "修改备注" } },
    save = { en = { "Save", "Done" }, zh = { "保存", "完成" } },
    write = { en = { "Send a message", "Chat" }, zh = { "发消息", "聊天" } },
    phone = { en = "Phone", zh = "电话" },
    region = { en = "Region", zh = "地区" },
    block = { en = { "Block", "Block contact" }, zh = { "加入黑名单", "屏蔽" } },
    like = { en = { "Like", "Give a heart" }, zh = { "赞", "点赞" } },
    unlike = { en = { "Unlike", "Take back the heart" },
               zh = { "取消赞", "取消点赞" } },
    likes = { en = { "%d likes", "Likes: %d" }, zh = { "%d 人赞过", "%d 个赞" } },
    comment = { en = { "Comment", "Write a comment" }, zh = { "评论", "写评论" } },
    all_comments = { en = { "Show all comments", "More comments" },
                     zh = { "查看全部评论", "更多评论" } },
    hours_ago = { en = "%d h ago", zh = "%d 小时前" },
    ad = { en = { "Ad", "Sponsored" }, zh = { "广告", "推广" } },
    ad_text = { en = "A phone that never sleeps", zh = "永不掉线的手机" },
    ad_page = { en = "You are leaving Chats. This page is an advertisement.",
                zh = "您已离开本应用，此页面为广告。" },
    close = { en = "Close", zh = "关闭" },
    privacy = { en = { "Who can see my moments", "Moments privacy" },
                zh = { "谁可以看我的朋友圈", "朋友圈权限" } },
    everyone = { en = "All contacts", zh = "所有联系人" },
    half_year = { en = "Only the last six months", zh = "最近半年" },
    three_days = { en = "Only the last three days", zh = "最近三天" },
    receipts = { en = { "Read receipts", "Show that I have read" },
                 zh = { "已读回执", "显示已读" } },
    sounds = { en = { "Sounds", "Message sounds" }, zh = { "提示音", "消息提示音" } },
    you = { en = "You", zh = "我" },
    done = { en = "Done", zh = "完成" },
    more = { en = { "More", "More options" }, zh = { "更多", "更多选项" } },
    earlier = { en = { "Earlier messages", "Load more" },
                zh = { "更早的消息", "加载更多" } },
    today = { en = "Today", zh = "今天" },
}

local world = include("chat_people")
local people, moments = world.people, world.moments

local SHOWN = 4 -- messages of a chat at first

-- ---- the state ----

local function first_state()
    return { tab = "chats", base = math.floor(now()), typed = "", text = "",
        chats = table.map(world.chats, function(chat)
            return { members = table.copy(chat.members), unread = chat.unread,
                     muted = false, pinned = false, left = false, name = "",
                     sent = {} }
        end),
        earlier = false, aliases = {}, blocked = {}, typed_alias = "",
        chosen = {}, typed_name = "", liked = {}, comments = {},
        unfolded = {}, typed_comment = "", privacy = "everyone",
        receipts = true, sounds = true }
end

-- ---- names ----

local function alias_of(state, id)
    for _, one in ipairs(state.aliases) do
        if one.person == id then
            return one.name
        end
    end
end

local function name_of(state, id)
    return id == 0 and words.you or alias_of(state, id) or people[id].name
end

local function chat_name(state, number)
    local made = world.chats[number]
    local own = state.chats[number]
    if own.name ~= "" then
        return own.name
    end
    return made and made.name or name_of(state, own.members[1])
end

local function messages_of(state, number)
    local made = world.chats[number]
    return table.join(made and made.messages or {}, state.chats[number].sent)
end

local function is_group(state, number)
    return #state.chats[number].members > 1
end

-- ---- handlers ----

local handlers = {}

function handlers.tab(state, name) state.tab = name end

function handlers.typed(state, text) state.typed = text end

function handlers.open(state, number)
    state.chats[number].unread, state.text, state.earlier = 0, "", false
    go("chat", number)
end

function handlers.earlier(state) state.earlier = true end

function handlers.text(state, text) state.text = text end

function handlers.send(state, number)
    local said = state.text:trim()
    if said ~= "" then
        table.insert(state.chats[number].sent,
            { from = 0, text = said, at = math.floor(now()) })
        state.text = ""
        event("sent", number, said)
    end
end

function handlers.mute(state, number, set) state.chats[number].muted = set end

function handlers.pin(state, number, set) state.chats[number].pinned = set end

function handlers.leave(state, number)
    state.chats[number].left = true
    home()
end

function handlers.start_group(state)
    state.chosen, state.typed_name = {}, ""
    go("group")
end

function handlers.choose(state, id)
    table.toggle(state.chosen, id)
end

function handlers.name_typed(state, text) state.typed_name = text end

function handlers.create(state)
    if #state.chosen > 1 then
        table.insert(state.chats, { members = table.copy(state.chosen),
            unread = 0, muted = false, pinned = false, left = false,
            name = state.typed_name:trim(), sent = {} })
        state.tab = "chats"
        home("chat", #state.chats)
    end
end

-- ---- handlers: contacts ----

function handlers.person(_, id) go("person", id) end

function handlers.write(state, id)
    for number, chat in ipairs(state.chats) do
        if #chat.members == 1 and chat.members[1] == id then
            handlers.open(state, number)
            return
        end
    end
    table.insert(state.chats, { members = { id }, unread = 0, muted = false,
        pinned = false, left = false, name = "", sent = {} })
    handlers.open(state, #state.chats)
end

function handlers.edit_alias(state, id)
    state.typed_alias = alias_of(state, id) or ""
    go("alias", id)
end

function handlers.alias_typed(state, text) state.typed_alias = text end

function handlers.save_alias(state, id)
    state.aliases = table.filter(state.aliases, function(one)
        return one.person ~= id
    end)
    local name = state.typed_alias:trim()
    if name ~= "" then
        table.insert(state.aliases, { person = id, name = name })
    end
    back()
end

function handlers.block(state, id, set)
    local place = table.index(state.blocked, id)
    if set and not place then
        table.insert(state.blocked, id)
    elseif place then
        table.remove(state.blocked, place)
    end
end

-- ---- handlers: moments ----

function handlers.like(state, id)
    table.toggle(state.liked, id)
end

function handlers.unfold(state, id) table.insert(state.unfolded, id) end

function handlers.start_comment(state, id)
    state.typed_comment = ""
    go("comment", id)
end

function handlers.comment_typed(state, text) state.typed_comment = text end

function handlers.comment(state, id)
    local said = state.typed_comment:trim()
    if said ~= "" then
        table.insert(state.comments, { moment = id, text = said })
        event("commented", id, said)
        back()
    end
end

function handlers.privacy(state, name)
    state.privacy = name
    back()
end

function handlers.receipts(state, set) state.receipts = set end

function handlers.sounds(state, set) state.sounds = set end

-- ---- parts of the screens ----

local function face(id, size)
    return art{ art = "portrait", seed = id * 5 + 2, width = size,
        height = size, radius = size / 4 }
end

local function chat_face(state, number, size)
    local members = state.chats[number].members
    if #members == 1 then
        return face(members[1], size)
    end
    local half = size // 2 - 2
    local function small(place)
        return members[place] and art{ art = "portrait",
            seed = members[place] * 5 + 2, width = half, height = half,
            radius = 4 } or space{ width = half, height = half }
    end
    return column{ width = size, height = size, gap = 2,
        row{ gap = 2, small(1), small(2) }, row{ gap = 2, small(3), small(4) } }
end

local function minute_of(state, message)
    return message.at and message.at // 60 or state.base // 60 - message.age
end

local function when_text(state, message)
    return dates.recent(minute_of(state, message), state.base // 86400)
end

local function chat_order(state)
    local numbers = {}
    for number, chat in ipairs(state.chats) do
        if not chat.left then
            table.insert(numbers, number)
        end
    end
    local function newest(number)
        local messages = messages_of(state, number)
        return #messages > 0 and minute_of(state, messages[#messages]) or
               math.maxinteger
    end
    return table.sort(numbers, function(a, b)
        local pinned = state.chats[a].pinned
        if pinned ~= state.chats[b].pinned then
            return pinned
        end
        return newest(a) > newest(b)
    end)
end

local function chat_row(state, number)
    local own, messages = state.chats[number], messages_of(state, number)
    local last_one = messages[#messages]
    local said = last_one and t(last_one.text) or ""
    if last_one and is_group(state, number) then
        said = t(name_of(state, last_one.from)) .. ": " .. said
    end
    return row{ id = "chat_row", key = "c" .. number, width = "fill",
        gap = 14, padding = 10, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "open", number },
        background = own.pinned and "surface_container" or nil,
        chat_face(state, number, 52),
        column{ weight = 1, gap = 3,
            row{ width = "fill", gap = 8, down = "center",
                text{ chat_name(state, number), id = "chat_name", weight = 1,
                    lines = 1, style = "title_medium" },
                last_one and quiet(when_text(state, last_one), "time") or
                    false },
            row{ width = "fill", gap = 6, down = "center",
                quiet(said, "last_message", { weight = 1, lines = 1,
                    style = "body_medium" }),
                own.muted and icon{ icon = "mute", width = 16, height = 16,
                    ink = "outline" } or false,
                own.unread > 0 and badge{ own.unread, id = "unread" } or
                    false } } }
end

local function heading(said, ...)
    return row{ width = "fill", height = 64, down = "center",
        padding_left = 20, padding_right = 8,
        text{ said, id = "title", weight = 1, style = "headline_medium" },
        ... }
end

local function chats_tab(state)
    return { heading(words.chats,
            icon_button{ icon = "search", id = "search",
                on_click = { "go", "search" } },
            icon_button{ icon = "add", id = "new_group",
                description = words.new_group, on_click = "start_group" }),
        list{ weight = 1, id = "chat_list",
            table.map(chat_order(state), function(number)
                return chat_row(state, number)
            end) } }
end

local function person_row(state, id, handler)
    return row{ id = "person_row", key = "p" .. id, width = "fill", gap = 14,
        padding = 8, padding_left = 20, padding_right = 20, down = "center",
        on_click = handler or { "person", id },
        face(id, 44),
        text{ name_of(state, id), id = "person_name", weight = 1,
            style = "body_large" } }
end

local function contacts_tab(state)
    local ids = table.sort(table.map(people, function(one)
        return one.id
    end), function(a, b)
        return t(name_of(state, a)) < t(name_of(state, b))
    end)
    return { heading(words.contacts),
        list{ weight = 1, id = "contact_list",
            item{ words.new_group, icon = "people", id = "group_entry",
                on_click = "start_group" },
            divider{},
            table.map(ids, function(id)
                return person_row(state, id)
            end) } }
end

local function comment_line(state, from, said, key)
    return row{ width = "fill", gap = 6, id = "comment_line", key = key,
        text{ name_of(state, from), id = "comment_author",
            style = "label_large", ink = "primary" },
        text{ said, id = "comment_text", weight = 1, style = "body_medium" } }
end

local function comment_lines(state, moment)
    local lines = {}
    local own = table.filter(state.comments, function(one)
        return one.moment == moment.id
    end)
    local open = table.index(state.unfolded, moment.id)
    for i, one in ipairs(moment.comments) do
        if open or i <= 2 then
            table.insert(lines, comment_line(state, one.from, one.text,
                                             "c" .. i))
        end
    end
    if not open then
        table.insert(lines, text{ words.all_comments, id = "all_comments",
            style = "label_large", ink = "primary", padding_top = 4,
            padding_bottom = 4, on_click = { "unfold", moment.id } })
    end
    for i, one in ipairs(own) do
        table.insert(lines, comment_line(state, 0, one.text, "o" .. i))
    end
    return lines
end

local function moment_card(state, moment)
    local liked = table.index(state.liked, moment.id) ~= nil
    return column{ width = "fill", id = "moment", key = "m" .. moment.id,
        padding = 16, gap = 8,
        row{ width = "fill", gap = 12, down = "center",
            face(moment.author, 44),
            column{ weight = 1,
                text{ name_of(state, moment.author), id = "author",
                    style = "title_small", ink = "primary" },
                quiet(string.format(t(words.hours_ago), moment.hours),
                    "moment_age") } },
        text{ moment.mood, id = "moment_text", style = "body_large" },
        art{ art = moment.mood.art, seed = moment.id * 9, width = "fill",
            height = 130, radius = 12 },
        row{ width = "fill", down = "center", gap = 4,
            quiet(string.format(t(words.likes), moment.likes +
                (liked and 1 or 0)), "likes", { weight = 1 }),
            icon_button{ icon = liked and "heart_full" or "heart",
                id = "like", selected = liked,
                ink = liked and "#e0245e" or "on_surface_variant",
                description = liked and words.unlike or words.like,
                on_click = { "like", moment.id } },
            icon_button{ icon = "comment", id = "comment",
                description = words.comment,
                on_click = { "start_comment", moment.id } } },
        column{ width = "fill", gap = 2, padding = 10, radius = 10,
            background = "surface_container",
            comment_lines(state, moment) } }
end

local function ad_card()
    return row{ id = "promoted", key = "ad", width = "fill", gap = 14,
        padding = 16, down = "center", background = "surface_container_low",
        on_click = { "go", "ad" },
        art{ art = "phone", seed = 4, width = 64, height = 64, radius = 12 },
        column{ weight = 1, gap = 2,
            text{ content.brand(random("ad")), style = "title_small" },
            quiet(words.ad_text),
            text{ words.ad, style = "label_small", ink = "outline" } } }
end

local function moments_tab(state)
    local rows = {}
    for i, moment in ipairs(moments) do
        table.insert(rows, moment_card(state, moment))
        if i == 2 then
            table.insert(rows, ad_card())
        end
    end
    return { heading(words.moments), list{ weight = 1, id = "feed", rows } }
end

local privacy_names = { everyone = words.everyone,
                        half_year = words.half_year,
                        three_days = words.three_days }

local function me_tab(state)
    local function switch_row(label, sign, name)
        return item{ label, icon = sign, id = name .. "_row",
            switch{ checked = state[name], id = name .. "_switch",
                description = label, on_change = name } }
    end
    return { row{ width = "fill", gap = 16, padding = 24, down = "center",
            face(0, 72),
            text{ content.person(random("me")), id = "me",
                style = "headline_small" } },
        shuffle_by_skin{
            item{ words.privacy, icon = "eye", id = "privacy",
                detail = privacy_names[state.privacy],
                on_click = { "go", "privacy" } },
            switch_row(words.receipts, "check", "receipts"),
            switch_row(words.sounds, "volume", "sounds") } }
end

local tab_content = { chats = chats_tab, contacts = contacts_tab,
                      moments = moments_tab, me = me_tab }
local tab_icons = { chats = "chat", contacts = "people", moments = "moments",
                    me = "person" }

local screens = {}

function screens.main(state)
    return page{
        column{ width = "fill", weight = 1, tab_content[state.tab](state) },
        market.tab_bar(words, state.tab, { "chats", "contacts", "moments",
                                           "me" }, tab_icons) }
end

function screens.ad()
    return ad_page(words.ad, words.ad_page, words.close)
end

function screens.search(state)
    local wanted = state.typed:lower():trim()
    local fitting = {}
    for number, chat in ipairs(state.chats) do
        local name = t(chat_name(state, number))
        if wanted ~= "" and not chat.left and name:lower():find(wanted) then
            table.insert(fitting, number)
        end
    end
    return page{ title = words.search,
        column{ width = "fill", padding = 16,
            field{ text = state.typed, hint = words.search, width = "fill",
                id = "search_input", autofocus = true,
                on_change = "typed" } },
        list{ weight = 1, id = "found",
            table.map(fitting, function(number)
                return chat_row(state, number)
            end) } }
end

-- ---- a chat ----

local function bubble(state, number, message, key)
    local own = message.from == 0
    local said = text{ message.text, id = own and "own_message" or "message",
        padding = 12, radius = 18, style = "body_large",
        background = own and "primary_container" or "surface_container_high",
        ink = own and "on_primary_container" or "on_surface" }
    return row{ width = "fill", key = key, gap = 8, down = "end",
        padding_left = own and 56 or 0, padding_right = own and 0 or 56,
        not own and face(message.from, 36) or false,
        column{ weight = 1, gap = 2, across = own and "end" or "start",
            not own and is_group(state, number) and
                quiet(name_of(state, message.from), "speaker") or false,
            said,
            quiet(when_text(state, message), "time", {
                style = "label_small" }) } }
end

function screens.chat(state, number)
    local messages = messages_of(state, number)
    local from = state.earlier and 1 or math.max(#messages - SHOWN + 1, 1)
    local rows = {}
    for i = from, #messages do
        rows[#rows + 1] = bubble(state, number, messages[i], "b" .. i)
    end
    return page{ title = chat_name(state, number),
        actions = { icon_button{ icon = "more", id = "info",
            description = words.info, on_click = { "go", "info", number } } },
        list{ weight = 1, id = "bubbles", padding = 12, gap = 10,
            from > 1 and row{ width = "fill", across = "center",
                text_button{ words.earlier, id = "earlier",
                    on_click = "earlier" } } or false,
            rows },
        row{ width = "fill", padding = 8, gap = 4, down = "center",
            background = "surface_container",
            field{ text = state.text, hint = words.message, weight = 1,
                id = "message_input", on_change = "text" },
            icon_button{ icon = "send", id = "send", ink = "primary",
                description = words.send, on_click = { "send", number } } } }
end

function screens.info(state, number)
    local own = state.chats[number]
    local function switch_row(label, name, on)
        return item{ label, id = name .. "_row",
            switch{ checked = on, id = name .. "_switch",
                description = label, on_change = { name, number } } }
    end
    return page{ title = words.info,
        list{ weight = 1, id = "info_list",
            quiet(string.format(t(words.members), #own.members + 1),
                "member_count", { padding = 16 }),
            table.map(own.members, function(id)
                return person_row(state, id)
            end),
            divider{},
            shuffle_by_skin{ switch_row(words.mute, "mute", own.muted),
                switch_row(words.pin, "pin", own.pinned) },
            is_group(state, number) and row{ width = "fill", padding = 16,
                across = "center",
                button{ words.leave, id = "leave", style = "danger",
                    on_click = { "go", "leave", number } } } or false } }
end

function screens.leave(state, number)
    return dialog{ title = string.format(t(words.sure_leave),
            t(chat_name(state, number))), id = "leave_dialog",
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.yes_leave, id = "confirm",
              on_click = { "leave", number } } } }
end

function screens.group(state)
    return page{ title = words.new_group,
        actions = { text_button{ words.create, id = "create",
            disabled = #state.chosen < 2, on_click = "create" } },
        column{ width = "fill", padding = 16,
            field{ text = state.typed_name, hint = words.group_name,
                width = "fill", id = "group_name",
                on_change = "name_typed" } },
        list{ weight = 1, id = "choices",
            table.map(people, function(one)
                return checkbox{ name_of(state, one.id), width = "fill",
                    id = "choice", key = "p" .. one.id, padding_left = 8,
                    padding_right = 16,
                    checked = table.index(state.chosen, one.id) ~= nil,
                    on_click = { "choose", one.id } }
            end) } }
end

-- ---- a contact ----

function screens.person(state, id)
    local person = people[id]
    local alias = alias_of(state, id)
    return page{ title = "",
        list{ weight = 1, id = "person_scroll",
            row{ width = "fill", gap = 20, padding = 24, down = "center",
                face(id, 80),
                column{ weight = 1, gap = 4,
                    text{ alias or person.name, id = "person_name",
                        style = "headline_small" },
                    alias and quiet(person.name, "real_name") or false } },
            item{ words.edit_alias, icon = "edit", id = "edit_alias",
                detail = alias, on_click = { "edit_alias", id } },
            item{ words.phone, icon = "call", detail = person.phone,
                id = "person_phone" },
            item{ words.region, icon = "place", detail = person.city,
                id = "person_region" },
            item{ words.block, icon = "lock", id = "block_row",
                switch{ checked = table.index(state.blocked, id) ~= nil,
                    id = "block_switch", description = words.block,
                    on_change = { "block", id } } },
            row{ width = "fill", padding = 24, across = "center",
                button{ words.write, icon = "chat", id = "write",
                    style = "filled", height = 48,
                    on_click = { "write", id } } } } }
end

function screens.alias(state, id)
    return page{ title = words.edit_alias,
        actions = { text_button{ words.save, id = "save_alias",
            on_click = { "save_alias", id } } },
        column{ width = "fill", padding = 16,
            field{ text = state.typed_alias, hint = words.alias,
                width = "fill", id = "alias_input",
                on_change = "alias_typed" } } }
end

-- ---- moments and settings ----

function screens.comment(state, id)
    return sheet{ title = words.comment, id = "comment_sheet",
        text{ moments[id].mood, id = "quoted_moment", style = "body_medium",
            ink = "on_surface_variant", padding_left = 16 },
        row{ width = "fill", padding = 16, gap = 8, down = "center",
            field{ text = state.typed_comment, hint = words.comment,
                weight = 1, id = "comment_input", autofocus = true,
                on_change = "comment_typed" },
            icon_button{ icon = "send", id = "send_comment", ink = "primary",
                description = words.send, on_click = { "comment", id } } } }
end

function screens.privacy(state)
    return sheet{ title = words.privacy, id = "privacy_sheet",
        table.map({ "everyone", "half_year", "three_days" }, function(name)
            return item{ privacy_names[name], id = "privacy_" .. name,
                key = name, on_click = { "privacy", name },
                radio{ checked = state.privacy == name, clickable = false } }
        end) }
end

return {
    package = "org.proctor.chat",
    name = { en = "Chats", zh = "微聊" },
    hue = 150,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { people = people, chats = world.chats, moments = moments,
              meeting = world.meeting },
    on_back = function(state)
        if current() == "main" and state.tab ~= "chats" then
            state.tab = "chats"
            return true
        end
        return false
    end,
}
