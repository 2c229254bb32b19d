-- Video: a feed, search with filters, a player with comments, channels,
-- playlists, the history of what was watched, and subscriptions.

local words = include("video_words")
local catalog = include("video_catalog")
local channels, videos = catalog.channels, catalog.videos
local subjects, comments_of = catalog.subjects, catalog.comments_of

local parts = include("video_parts")(catalog)
local subscription = parts.subscription
local counted = parts.counted
local ago = parts.ago
local hours_ago = parts.hours_ago
local duration = parts.duration
local views_text = parts.views_text
local quiet = parts.quiet
local badge_over = parts.badge_over
local thumbnail = parts.thumbnail
local face = parts.face
local feed_card = parts.feed_card
local video_row = parts.video_row
local advertiser = parts.advertiser
local sponsored_card = parts.sponsored_card
local sponsored_row = parts.sponsored_row
local top_icons = parts.top_icons
local choice_chips = parts.choice_chips
local subscriber_text = parts.subscriber_text
local subscribe_button = parts.subscribe_button
local channel_row = parts.channel_row

local FEED = 6       -- loaded at a time
local RESULTS = 7
local COMMENTS = 8
local AD = 15        -- seconds of an advertisement
local AD_LEAST = 5   -- before it can be skipped
local LATER = 0      -- the id of the playlist Watch later

-- ---- the state ----

local function first_filter()
    return { sort = "relevance", date = "any", length = "any",
             captions = false }
end

local function first_state()
    return { base = dates.today(), tab = "home", typed = "", query = "",
        recent = {}, topic = 0, feed_shown = FEED, hidden = {},
        shown = RESULTS, filter = first_filter(), draft = first_filter(),
        opened = 0, controls = true, unfolded = false,
        player = { id = 0, from = 0, at = 0, ad_till = 0, playing = false,
                   quality = "auto", speed = 100, captions = "off" },
        likes = {}, dislikes = {},
        comment_order = "top", comments_shown = COMMENTS, writing = "",
        mine = {}, next_comment = 1, liked_comments = {},
        channel_tab = "videos", channel_order = "latest",
        subscriptions = table.copy(catalog.subscriptions),
        later = table.copy(catalog.later),
        lists = table.copy(catalog.playlists), next_list = 3, list_name = "",
        history = table.copy(catalog.history), history_paused = false,
        history_query = "",
        wifi = "auto", mobile = "auto", captions = "off",
        muted_feed = true, breaks = 0, restricted = false }
end

-- ---- finding ----

local function find_list(state, id)
    if id == LATER then
        return { id = LATER, name = words.later, videos = state.later }
    end
    return table.find(state.lists, id)
end

local function text_of(video)
    local title, name = video.title, channels[video.channel].name
    return (title.en .. " " .. title.zh .. " " .. name.en .. " " ..
            name.zh):lower()
end

local function falling(field)
    return function(a, b) return a[field] > b[field] end
end

local function rising(field)
    return function(a, b) return a[field] < b[field] end
end

local orders = { relevance = falling("score"), views = falling("views"),
                 date = rising("days"), rating = falling("liked") }
local most_days = { any = math.huge, week = 7, month = 30, year = 365 }
local least_seconds = { any = 0, short = 0, medium = 240, long = 1200 }
local most_seconds = { any = math.huge, short = 240, medium = 1200,
                       long = math.huge }

local function fits(filter, video)
    return video.days <= most_days[filter.date] and
           video.seconds >= least_seconds[filter.length] and
           video.seconds < most_seconds[filter.length] and
           (video.captions or not filter.captions)
end

local function found(query, filter)
    local has_words = market.finder(query)
    return table.sort(table.filter(videos, function(video)
        return has_words(text_of(video)) and fits(filter, video)
    end), orders[filter.sort])
end

local function found_channels(query)
    local has_words = market.finder(query)
    return table.filter(channels, function(channel)
        return has_words((channel.name.en .. " " .. channel.name.zh .. " " ..
                          channel.handle):lower())
    end)
end

local function feed_of(state)
    local shuffled = random("feed").shuffle(videos)
    return table.filter(shuffled, function(video)
        return not table.index(state.hidden, video.id) and
               (state.topic == 0 or video.subject == state.topic)
    end)
end

local function videos_of(channel, order)
    local list = table.map(channel.videos, function(id) return videos[id] end)
    if order == "popular" then
        return table.sort(list, falling("views"))
    end
    return table.sort(list, order == "latest" and rising("days") or
                            falling("days"))
end

-- The comments on a video, one's own first.
local function comments_on(state, video, order)
    local list = comments_of(video)
    table.sort(list, order == "top" and falling("likes") or rising("hours"))
    return table.join(discussion.own(state, video, 0), list)
end

-- ---- the player ----

local function in_ad(player)
    return now() < player.ad_till
end

-- Seconds from the start of the video.
local function position(player)
    local length = videos[player.id].seconds
    local spent = player.playing and
                  math.max(0, now() - player.at) * player.speed / 100 or 0
    return math.min(length, math.floor(player.from + spent))
end

local function hold(player)
    player.from, player.at = position(player), now()
end

local function start(state, id)
    local player = state.player
    state.opened = state.opened + 1
    player.id, player.from, player.playing = id, 0, true
    player.ad_till = state.opened % 3 == 1 and now() + AD or now()
    player.at = player.ad_till
    player.quality = state.wifi
    player.captions = videos[id].captions and state.captions or "off"
end

local function remember(state, id)
    if state.history_paused then
        return
    end
    state.history = table.filter(state.history, function(one)
        return one.id ~= id
    end)
    table.insert(state.history, 1, { id = id, days = 0 })
end

-- ---- handlers: browsing ----

local handlers = {}

function handlers.tab(state, name) state.tab = name end

function handlers.topic(state, number)
    state.topic, state.feed_shown = number, FEED
end

market.add_search_handlers(handlers)

function handlers.search(state, text)
    state.query = text:trim()
    if state.query == "" then
        return
    end
    state.typed, state.shown = state.query, RESULTS
    state.filter = first_filter()
    state.recent = market.remember(state.recent, state.query)
    home("results")
end

handlers.more_feed = loads_more("feed_shown", FEED, #videos)
handlers.more = loads_more("shown", RESULTS, #videos)
handlers.more_comments = loads_more("comments_shown", COMMENTS, 24)

function handlers.start_filters(state)
    state.draft = table.copy(state.filter)
    go("filters")
end

function handlers.pick(state, part, value) state.draft[part] = value end

function handlers.with_captions(state, on) state.draft.captions = on end

function handlers.reset(state) state.draft = first_filter() end

function handlers.apply(state)
    state.filter, state.shown = table.copy(state.draft), RESULTS
    back()
end

function handlers.hide(state, id)
    table.insert(state.hidden, id)
    back()
    snack(words.hidden)
end

-- ---- handlers: a video ----

function handlers.open(state, id)
    start(state, id)
    remember(state, id)
    state.controls, state.unfolded = false, false
    go("video", id)
end

-- Of a page that was left for another video.
function handlers.start(state, id)
    start(state, id)
    remember(state, id)
end

function handlers.close_video(state)
    state.player.playing = false
    back()
end

function handlers.controls(state, shown) state.controls = shown end

function handlers.skip_ad(state)
    state.player.ad_till, state.player.at = now(), now()
end

function handlers.pause(state)
    hold(state.player)
    state.player.playing = false
end

function handlers.resume(state)
    state.player.at, state.player.playing = now(), true
end

function handlers.seek(state, seconds)
    local player = state.player
    hold(player)
    player.from = math.max(0, math.min(videos[player.id].seconds,
                                       player.from + seconds))
end

function handlers.quality(state, how)
    state.player.quality = how
    back()
end

function handlers.speed(state, percent)
    if state.player.playing then
        hold(state.player)
    end
    state.player.speed = percent
    back()
end

function handlers.captions(state, language)
    state.player.captions = language
    back()
end

function handlers.unfold(state, open) state.unfolded = open end

function handlers.like(state, id)
    table.toggle(state.likes, id)
    if table.index(state.likes, id) and table.index(state.dislikes, id) then
        table.toggle(state.dislikes, id)
    end
end

function handlers.dislike(state, id)
    table.toggle(state.dislikes, id)
    if table.index(state.likes, id) and table.index(state.dislikes, id) then
        table.toggle(state.likes, id)
    end
end

-- ---- handlers: comments ----

discussion.add_handlers(handlers, { order = "top", step = COMMENTS,
                                    send = "send", sent = words.sent })

-- ---- handlers: channels ----

function handlers.channel(state, id)
    state.channel_tab, state.channel_order = "videos", "latest"
    go("channel", id)
end

function handlers.channel_tab(state, name) state.channel_tab = name end
function handlers.channel_order(state, order) state.channel_order = order end

function handlers.subscribe(state, id)
    table.insert(state.subscriptions, { id = id, bell = "some" })
    snack(words.subscribed)
end

function handlers.bell(state, id, level)
    subscription(state, id).bell = level
    back()
end

function handlers.unsubscribe(state, id)
    local _, place = subscription(state, id)
    table.remove(state.subscriptions, place)
    back()
end

-- ---- handlers: lists ----

function handlers.later(state, id)
    table.toggle(state.later, id)
    back()
    snack(table.index(state.later, id) and words.saved_later or words.removed)
end

function handlers.keep(state, list, id)
    table.toggle(find_list(state, list).videos, id)
end

function handlers.new_list(state, video)
    state.list_name = ""
    go("new_list", video)
end

function handlers.list_name(state, text) state.list_name = text end

function handlers.create(state, video)
    local name = state.list_name:trim()
    if name == "" then
        return
    end
    table.insert(state.lists, 1, { id = state.next_list, name = name,
                                   videos = video > 0 and { video } or {} })
    event("created", state.next_list, name)
    state.next_list = state.next_list + 1
    back()
end

function handlers.remove(state, list, place)
    table.remove(find_list(state, list).videos, place)
    back()
    snack(words.removed)
end

function handlers.move(state, list, place, to)
    local of = find_list(state, list).videos
    table.insert(of, to, table.remove(of, place))
    back()
end

function handlers.delete_list(state, list)
    local _, place = find_list(state, list)
    table.remove(state.lists, place)
    home()
end

function handlers.find_history(state, text) state.history_query = text end

function handlers.history(state)
    state.history_query = ""
    go("history")
end

function handlers.forget(state, id)
    state.history = table.filter(state.history, function(one)
        return one.id ~= id
    end)
    back()
    snack(words.removed)
end

function handlers.pause_history(state, on) state.history_paused = on end

function handlers.clear_history(state)
    state.history = {}
    back()
    back()
end

-- ---- handlers: settings ----

function handlers.net_quality(state, net, how)
    state[net] = how
    back()
end

function handlers.breaks(state, minutes)
    state.breaks = minutes
    back()
end

function handlers.default_captions(state, language)
    state.captions = language
    back()
end

function handlers.muted_feed(state, on) state.muted_feed = on end
function handlers.restricted(state, on) state.restricted = on end

-- ---- the tabs ----

local function with_ads(cards)
    local all = {}
    for i, card in ipairs(cards) do
        all[#all + 1] = card
        if i % 4 == 2 then
            all[#all + 1] = sponsored_card(i)
        end
    end
    return all
end

local function home_tab(state)
    local feed = feed_of(state)
    local cards = {}
    for i = 1, math.min(state.feed_shown, #feed) do
        cards[i] = feed_card(feed[i])
    end
    local topics = { { name = words.all, value = 0 } }
    for number, subject in ipairs(subjects) do
        topics[#topics + 1] = { value = number,
            name = { en = subject.en:sub(1, 1):upper() .. subject.en:sub(2),
                     zh = subject.zh } }
    end
    return { row{ width = "fill", height = 60, down = "center",
            padding_left = 16, padding_right = 4, gap = 8,
            row{ width = 34, height = 24, radius = 7, background = "primary",
                across = "center", down = "center",
                icon{ icon = "play", width = 16, height = 16,
                    ink = "on_primary" } },
            text{ words.app, weight = 1, style = "title_large",
                font = "bold" },
            top_icons() },
        choice_chips("topic", state.topic, topics),
        list{ weight = 1, id = "feed", key = "feed" .. state.topic,
            on_scroll = "more_feed",
            #cards > 0 and with_ads(cards) or
                text{ words.empty, padding = 32 } } }
end

local function newest_of_subscriptions(state)
    local list = table.filter(videos, function(video)
        return subscription(state, video.channel) ~= nil
    end)
    list = table.sort(list, rising("days"))
    return { table.unpack(list, 1, math.min(12, #list)) }
end

local function following_tab(state)
    return { row{ width = "fill", height = 60, down = "center",
            padding_left = 16, padding_right = 4,
            text{ words.following, weight = 1, style = "title_large",
                font = "bold" }, top_icons() },
        row{ width = "fill", down = "center",
            carousel{ weight = 1, gap = 4, padding_left = 12,
                id = "channel_strip",
                table.map(state.subscriptions, function(one)
                    local channel = channels[one.id]
                    return column{ width = 84, gap = 4, across = "center",
                        padding = 4, id = "strip_channel",
                        key = "c" .. one.id,
                        on_click = { "channel", one.id },
                        face(channel, 56),
                        text{ channel.name, style = "label_small", lines = 1,
                            text_align = "center" } }
                end) },
            text_button{ words.manage, id = "manage",
                on_click = { "go", "manage" } } },
        divider{},
        list{ weight = 1, id = "subscription_list",
            text{ words.new_videos, style = "title_medium", padding = 12 },
            #state.subscriptions == 0 and text{ words.empty, padding = 24 } or
            table.map(newest_of_subscriptions(state), function(video)
                return video_row(video, {})
            end) } }
end

local function list_row(list)
    local first = list.videos[1]
    return row{ id = "list_row", key = "l" .. list.id, width = "fill",
        gap = 16, padding = 8, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "go", "playlist", list.id },
        badge_over({ width = 112, part = first and
                art{ art = subjects[videos[first].subject].art,
                    seed = videos[first].seed, width = 112, height = 63,
                    radius = 8 } or
                space{ width = 112, height = 63, radius = 8,
                    background = "surface_container_high" } },
            tostring(#list.videos)),
        column{ weight = 1, gap = 2,
            text{ list.name, id = "list_name", style = "title_small",
                lines = 1 },
            quiet(counted(words.videos, #list.videos), "list_count") } }
end

local function history_tile(entry)
    local video = videos[entry.id]
    return column{ id = "history_tile", key = "h" .. entry.id, width = 148,
        gap = 4, on_click = { "open", entry.id },
        thumbnail(video, 148, 84, 10),
        text{ video.title, style = "label_large", lines = 2 } }
end

local function library_tab(state)
    return { row{ width = "fill", height = 60, down = "center",
            padding_left = 16, padding_right = 4,
            text{ words.library, weight = 1, style = "title_large",
                font = "bold" }, top_icons() },
        list{ weight = 1, id = "library_list", padding_bottom = 16,
            item{ words.history, icon = "restart", id = "history_row",
                on_click = "history",
                icon{ icon = "right", width = 24, height = 24 } },
            carousel{ gap = 12, padding_left = 16, padding_right = 16,
                padding_bottom = 12, id = "history_strip",
                table.map({ table.unpack(state.history, 1,
                    math.min(5, #state.history)) }, history_tile) },
            divider{},
            item{ words.later, icon = "time", id = "later_row",
                detail = counted(words.videos, #state.later),
                on_click = { "go", "playlist", LATER } },
            item{ words.liked, icon = "heart", id = "liked_row",
                detail = counted(words.videos, #state.likes),
                on_click = { "go", "liked" } },
            row{ width = "fill", down = "center", padding_left = 16,
                padding_right = 8, padding_top = 8,
                text{ words.playlists, weight = 1, style = "title_medium" },
                icon_or_text{ words.new_list, icon = "add", id = "new_list",
                    on_click = { "new_list", 0 } } },
            table.map(state.lists, list_row) } }
end

local tabs_of = { home = home_tab, following = following_tab,
                  library = library_tab }

-- ---- screens: browsing ----

local screens = {}

function screens.main(state)
    return page{ tabs_of[state.tab](state),
        market.tab_bar(words, state.tab, { "home", "following", "library" },
            { home = "home", following = "people", library = "person" }) }
end

function screens.search(state)
    return market.search_page(words, state, { icon = "time", autofocus = true,
        button = icon_button{ icon = "search", id = "search_button",
            description = words.find,
            on_click = { "search", state.typed } } })
end

local function active_filters(state)
    local filter = state.filter
    local parts = {}
    if filter.sort ~= "relevance" then
        parts[#parts + 1] = t(words["sort_" .. filter.sort])
    end
    for _, part in ipairs{ "date", "length" } do
        if filter[part] ~= "any" then
            parts[#parts + 1] = t(words[part .. "_" .. filter[part]])
        end
    end
    if filter.captions then
        parts[#parts + 1] = t(words.with_captions)
    end
    return #parts > 0 and row{ width = "fill", padding_left = 16,
        padding_bottom = 8, quiet(table.concat(parts, " · "),
                                  "active_filters") } or false
end

local function result_rows(state)
    local list = found(state.query, state.filter)
    local rows = { sponsored_row(100) }
    for i = 1, math.min(state.shown, #list) do
        rows[#rows + 1] = video_row(list[i], {})
    end
    if #list == 0 then
        rows[#rows + 1] = text{ words.none, padding = 32, id = "no_results" }
    end
    return table.join(table.map(found_channels(state.query),
        function(channel) return channel_row(state, channel) end), rows)
end

function screens.results(state)
    return page{
        row{ width = "fill", height = 64, down = "center",
            icon_button{ icon = "back", on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            row{ weight = 1, height = 40, radius = 20, down = "center",
                background = "surface_container_high", id = "search_bar",
                padding_left = 16, padding_right = 16,
                on_click = "start_search",
                text{ state.query, id = "query", lines = 1 } },
            icon_button{ icon = "filter", id = "open_filters",
                description = words.filters, on_click = "start_filters" } },
        active_filters(state),
        list{ weight = 1, id = "results", on_scroll = "more",
            key = state.query .. state.filter.sort .. state.filter.date ..
                  state.filter.length,
            result_rows(state) } }
end

local function filter_part(state, part, values)
    return { text{ words[part], style = "title_small", padding_left = 16,
                   padding_top = 12, padding_bottom = 4 },
             flow{ gap = 8, width = "fill", padding_left = 16,
                   padding_right = 16,
                   table.map(values, function(value)
                       return chip{ words[part .. "_" .. value],
                           id = part .. "_" .. value, checkable = true,
                           checked = state.draft[part] == value,
                           on_click = { "pick", part, value } }
                   end) } }
end

function screens.filters(state)
    return sheet{ title = words.filters, id = "filter_sheet",
        filter_part(state, "sort", { "relevance", "date", "views",
                                     "rating" }),
        filter_part(state, "length", { "any", "short", "medium", "long" }),
        filter_part(state, "date", { "any", "week", "month", "year" }),
        item{ words.with_captions, id = "captions_row",
            switch{ checked = state.draft.captions, id = "with_captions",
                description = words.with_captions,
                on_change = "with_captions" } },
        row{ width = "fill", across = "end", gap = 8, padding = 16,
            text_button{ words.reset, id = "reset", on_click = "reset" },
            button{ words.apply, id = "apply", on_click = "apply" } } }
end

function screens.sponsor(_, number)
    local ad = advertiser(number)
    return page{ title = words.sponsored,
        column{ width = "fill", weight = 1, gap = 16, padding = 32,
            across = "center", down = "center",
            art{ art = ad.art, seed = ad.seed, width = 240, height = 240,
                radius = 24 },
            text{ ad.brand, style = "headline_medium", id = "brand" },
            text{ words.ad_offer, style = "title_medium" },
            text{ words.ad_page, style = "body_medium",
                ink = "on_surface_variant", text_align = "center" },
            button{ words.close, id = "close_ad", style = "outlined",
                ink = "primary", on_click = "back" } } }
end

-- ---- screens: the player ----

local scenes = { "subject", "portrait", "subject", "skyline", "subject",
                 "landscape" }
local SCENE = 8 -- seconds

local caption_lines = {
    en = { "Welcome back, everyone.", "Let us begin with the basics.",
           "This is the step that most people forget.",
           "Take your time here.", "And now look at the difference." },
    zh = { "欢迎大家回来。", "我们先从基础讲起。", "这一步大多数人都会忘记。",
           "这里不要着急。", "现在看看有什么不同。" },
    es = { "Bienvenidos de nuevo.", "Empecemos por lo básico.",
           "Este es el paso que casi todos olvidan.",
           "Aquí, con calma.", "Y ahora vean la diferencia." },
    fr = { "Bon retour à tous.", "Commençons par les bases.",
           "C'est l'étape que l'on oublie souvent.",
           "Prenez votre temps ici.", "Regardez maintenant la différence." },
}
local caption_names = { en = "English", zh = "中文", es = "Español",
                        fr = "Français" }

local PLAYER = 232 -- height

local function light_button(name, id, description, action)
    return icon_button{ icon = name, id = id, ink = "#ffffff", radius = 24,
        background = "#80000000", description = description,
        on_click = action }
end

local function scene_picture(video, at)
    local number = at // SCENE
    local motif = scenes[number % #scenes + 1]
    return art{ art = motif == "subject" and subjects[video.subject].art or
                      motif,
        seed = video.seed + number, width = "fill", height = PLAYER,
        radius = 0, id = "picture" }
end

local function caption_text(player, at)
    local lines = caption_lines[player.captions]
    return column{ width = "fill", height = "fill", across = "center",
        down = "end", padding = 20,
        text{ lines[at // 6 % #lines + 1], id = "caption",
            style = "body_large", ink = "#ffffff", background = "#b3000000",
            padding_left = 8, padding_right = 8, radius = 4 } }
end

local function player_controls(state, video, at)
    local player = state.player
    return column{ width = "fill", height = "fill", background = "#73000000",
        down = "spread", padding = 4,
        row{ width = "fill", across = "end", gap = 4,
            light_button("captions", "captions", words.captions,
                         { "go", "captions" }),
            light_button("gear", "player_settings", words.settings,
                         { "go", "player_settings" }) },
        row{ width = "fill", across = "center", gap = 28, down = "center",
            light_button("fast_back", "rewind", words.rewind,
                         { "seek", -10 }),
            light_button(player.playing and "pause" or "play", "play_pause",
                player.playing and words.pause or words.play,
                player.playing and "pause" or "resume"),
            light_button("fast_forward", "ahead", words.ahead,
                         { "seek", 10 }) },
        row{ width = "fill", padding = 8,
            text{ duration(at) .. " / " .. duration(video.seconds),
                id = "elapsed", style = "label_large", ink = "#ffffff" } } }
end

local function playing_text(player, video)
    return string.format(t(player.playing and words.playing or words.paused),
                         t(video.title), t(channels[video.channel].name))
end

local function ad_player(state, video)
    local player = state.player
    local ad = advertiser(player.id)
    local left = math.ceil(player.ad_till - now())
    local wait = left - (AD - AD_LEAST)
    return stack{ width = "fill", height = PLAYER, id = "ad_player",
        description = playing_text(player, video),
        art{ art = ad.art, seed = ad.seed, width = "fill", height = PLAYER,
            radius = 0 },
        column{ width = "fill", height = "fill", down = "end", padding = 12,
            row{ width = "fill", across = "spread", down = "center",
                text{ t(words.sponsored) .. " · " .. duration(left),
                    id = "ad_time", style = "label_large", ink = "#ffffff",
                    background = "#b3000000", radius = 4, padding = 6 },
                wait > 0 and text{ string.format(t(words.ad_in), wait),
                    id = "ad_wait", style = "label_large", ink = "#ffffff",
                    background = "#b3000000", radius = 4, padding = 10 } or
                button{ words.skip, id = "skip_ad", style = "tonal",
                    on_click = "skip_ad" } } } }
end

-- A page that was left for another video shows its first picture.
local function poster(video)
    return stack{ width = "fill", height = PLAYER, across = "center",
        down = "center", id = "poster",
        art{ art = subjects[video.subject].art, seed = video.seed,
            width = "fill", height = PLAYER, radius = 0 },
        light_button("play", "start", words.play, { "start", video.id }) }
end

local function running_player(state, video)
    local player = state.player
    local at = position(player)
    local shown = state.controls
    return stack{ width = "fill", height = PLAYER, id = "player",
        description = playing_text(player, video),
        on_click = { "controls", not shown },
        scene_picture(video, at),
        player.captions ~= "off" and caption_text(player, at) or false,
        shown and player_controls(state, video, at) or false }
end

local function player_of(state, video)
    local player = state.player
    if player.id ~= video.id then
        return poster(video)
    end
    if in_ad(player) then
        redraw(1)
        return ad_player(state, video)
    end
    if player.playing then
        redraw(state.controls and 1 or SCENE / 2)
    end
    return running_player(state, video)
end

local function player_progress(state, video)
    local player = state.player
    local running = player.id == video.id and not in_ad(player)
    return progress{ width = "fill", id = "progress",
        value = running and position(player) / video.seconds or 0 }
end

-- ---- screens: a video ----

local function unfolded_part(state, video)
    return column{ width = "fill", gap = 6, padding = 12, radius = 12,
        background = "surface_container_high", id = "description_card",
        text{ words.description, style = "title_small" },
        text{ string.format(t(words.views), grouped(video.views)),
            id = "exact_views", style = "title_medium" },
        text{ string.format(t(words.uploaded),
            dates.full(state.base - video.days)), id = "upload_date",
            style = "body_medium" },
        text{ string.format(t(words.liked_part), video.liked / 10),
            id = "liked_part", style = "body_medium" },
        text{ t(subjects[video.subject]) .. " · " ..
            channels[video.channel].handle, style = "body_medium",
            ink = "on_surface_variant" } }
end

local function title_part(state, video)
    local open = state.unfolded
    return column{ width = "fill", gap = 6, padding = 12,
        text{ video.title, id = "title_text", style = "title_large" },
        row{ width = "fill", gap = 8, down = "center", id = "fold",
            on_click = { "unfold", not open },
            quiet(views_text(video) .. " · " .. ago(video.days),
                  "video_detail"),
            text{ open and words.show_less or words.show_more,
                id = "fold_text", style = "label_large" } },
        open and unfolded_part(state, video) or false }
end

local function action_chips(state, video)
    local liked = table.index(state.likes, video.id) ~= nil
    local disliked = table.index(state.dislikes, video.id) ~= nil
    local likes = video.views * video.liked // 24000 + (liked and 1 or 0)
    return carousel{ gap = 8, padding_left = 12, padding_right = 12,
        height = 48, down = "center", id = "actions",
        chip{ shortened(likes), icon = liked and "heart_full" or "heart",
            id = "like", description = t(liked and words.unlike or
                words.like) .. " " .. shortened(likes),
            checkable = true, checked = liked,
            on_click = { "like", video.id } },
        chip{ disliked and words.undislike or words.dislike, id = "dislike",
            checkable = true, checked = disliked,
            on_click = { "dislike", video.id } },
        chip{ words.save, icon = "add", id = "save",
            on_click = { "go", "save", video.id } } }
end

local function channel_part(state, video)
    local channel = channels[video.channel]
    return row{ width = "fill", gap = 12, padding = 12, down = "center",
        id = "channel_part", on_click = { "channel", channel.id },
        face(channel, 40),
        column{ weight = 1,
            text{ channel.name, id = "channel_name", style = "title_small",
                lines = 1 },
            quiet(subscriber_text(channel)) },
        subscribe_button(state, channel.id) }
end

local function comment_teaser(state, video)
    local list = comments_on(state, video.id, "top")
    return column{ width = "fill", padding = 12,
        column{ width = "fill", gap = 4, padding = 12, radius = 12,
            background = "surface_container_high", id = "open_comments",
            on_click = { "comments", video.id },
            row{ gap = 8, down = "center",
                text{ words.comments, style = "title_small" },
                quiet(tostring(#list)) },
            text{ list[1].text, style = "body_small", lines = 1 } } }
end

local function related(video)
    local list = table.filter(videos, function(other)
        return other.id ~= video.id and (other.subject == video.subject or
                                         other.channel == video.channel)
    end)
    return { table.unpack(table.sort(list, falling("score")), 1, 10) }
end

function screens.video(state, id)
    local video = videos[id]
    return page{
        stack{ width = "fill", height = PLAYER, player_of(state, video),
            column{ padding = 4, light_button("down", "collapse",
                                              words.collapse,
                                              "close_video") } },
        player_progress(state, video),
        list{ weight = 1, id = "video_list", padding_bottom = 24,
            title_part(state, video), action_chips(state, video),
            channel_part(state, video), comment_teaser(state, video),
            text{ words.up_next, style = "title_medium", padding = 12 },
            table.map(related(video), function(other)
                return video_row(other, {})
            end) } }
end

-- ---- sheets of the player ----

local function option(label, id, chosen, action)
    return item{ label, id = id, on_click = action,
        radio{ checked = chosen, clickable = false } }
end

local function quality_name(how)
    return how == "auto" and words.auto or how .. "p"
end

local function speed_name(percent)
    return percent == 100 and words.normal or
           string.format(percent % 10 == 0 and "%.1f×" or "%.2f×",
                         percent / 100)
end

local function captions_name(language)
    return language == "off" and words.off or caption_names[language]
end

function screens.player_settings(state)
    local player = state.player
    return sheet{ id = "player_sheet",
        item{ words.quality, icon = "gear", id = "open_quality",
            detail = quality_name(player.quality),
            on_click = { "replace", "quality" } },
        item{ words.speed, icon = "stopwatch", id = "open_speed",
            detail = speed_name(player.speed),
            on_click = { "replace", "speed" } },
        item{ words.captions, icon = "captions", id = "open_captions",
            detail = captions_name(player.captions),
            on_click = { "replace", "captions" } } }
end

function screens.quality(state)
    local best = videos[state.player.id].best
    local all = table.filter({ 2160, 1080, 720, 480, 360, 144 },
                             function(lines) return lines <= best end)
    local names = table.join({ "auto" }, table.map(all, tostring))
    return sheet{ title = words.quality, id = "quality_sheet",
        table.map(names, function(how)
            return option(quality_name(how), "quality_" .. how,
                          state.player.quality == how, { "quality", how })
        end) }
end

function screens.speed(state)
    return sheet{ title = words.speed, id = "speed_sheet",
        table.map({ 50, 75, 100, 125, 150, 175, 200 }, function(percent)
            return option(speed_name(percent), "speed_" .. percent,
                          state.player.speed == percent,
                          { "speed", percent })
        end) }
end

local function caption_options(handler, chosen)
    return table.map({ "off", "en", "zh", "es", "fr" }, function(language)
        return option(captions_name(language), "captions_" .. language,
                      chosen == language, { handler, language })
    end)
end

function screens.captions(state)
    if not videos[state.player.id].captions then
        return sheet{ title = words.captions, id = "captions_sheet",
            text{ words.no_captions, padding = 16 },
            option(words.off, "captions_off", true, { "captions", "off" }) }
    end
    return sheet{ title = words.captions, id = "captions_sheet",
        caption_options("captions", state.player.captions) }
end

-- ---- screens: comments ----

local function own_row(comment)
    return row{ width = "fill", gap = 12, padding = 12, key = "m" ..
            comment.id, id = "own_comment",
        icon{ icon = "person_filled", width = 32, height = 32 },
        column{ weight = 1, gap = 2,
            quiet(t(words.you) .. " · " .. t(words.now), "comment_who"),
            text{ comment.text, id = "comment_text", style = "body_medium" } },
        icon_button{ icon = "delete", id = "delete_comment",
            description = words.delete_comment,
            on_click = { "delete_comment", comment.id } } }
end

local function comment_row(state, video, comment)
    if comment.id < 0 then
        return own_row(comment)
    end
    local liked = table.index(state.liked_comments,
                              video .. " " .. comment.id) ~= nil
    local replies = #comment.replies +
                    #discussion.own(state, video, comment.id)
    return row{ width = "fill", gap = 12, padding = 12, key = "c" ..
            comment.id, id = "comment",
        art{ art = "portrait", seed = video * 50 + comment.id, width = 32,
            height = 32, radius = 16 },
        column{ weight = 1, gap = 2,
            quiet(t(comment.who) .. " · " .. hours_ago(comment.hours),
                  "comment_who"),
            text{ comment.text, id = "comment_text", style = "body_medium" },
            row{ gap = 4, down = "center",
                icon_button{ icon = liked and "heart_full" or "heart",
                    id = "like_comment", selected = liked,
                    ink = liked and "primary" or nil,
                    description = string.format(t(liked and
                        words.unlike_comment or words.like_comment),
                        t(comment.who)),
                    on_click = { "like_comment", video, comment.id } },
                quiet(grouped(comment.likes + (liked and 1 or 0)),
                      "comment_likes"),
                text_button{ replies > 0 and
                    counted(words.replies, replies) or words.reply,
                    id = "thread", description = t(words.reply) .. " " ..
                        t(comment.who),
                    on_click = { "thread", video, comment.id } } } } }
end

local function composer(state, video, parent)
    return row{ width = "fill", gap = 4, padding = 8, down = "center",
        background = "surface_container",
        field{ text = state.writing, weight = 1, id = "write_field",
            hint = parent == 0 and words.write or words.write_reply,
            on_change = "write" },
        icon_button{ icon = "send", id = "send", description = words.send,
            disabled = state.writing:trim() == "",
            on_click = { "send", video, parent } } }
end

function screens.comments(state, id)
    local list_of = comments_on(state, id, state.comment_order)
    local rows = {}
    for i = 1, math.min(state.comments_shown, #list_of) do
        rows[i] = comment_row(state, id, list_of[i])
    end
    return page{ title = words.comments,
        actions = { icon_or_text{ words[state.comment_order], icon = "sort",
            id = "comment_order",
            on_click = { "go", "comment_order" } } },
        row{ width = "fill", padding_left = 16, padding_bottom = 8,
            quiet(words[state.comment_order], "comment_order_text") },
        divider{},
        list{ weight = 1, id = "comment_list", key = state.comment_order,
            on_scroll = "more_comments", rows },
        composer(state, id, 0) }
end

function screens.comment_order(state)
    return sheet{ title = words.sort, id = "comment_sheet",
        table.map({ "top", "newest" }, function(order)
            return option(words[order], "order_" .. order,
                          state.comment_order == order,
                          { "comment_order", order })
        end) }
end

function screens.thread(state, video, id)
    local comment = table.filter(comments_of(video), function(one)
        return one.id == id
    end)[1]
    local own = discussion.own(state, video, id)
    return page{ title = words.reply_title,
        list{ weight = 1, id = "thread_list",
            row{ width = "fill", gap = 12, padding = 16,
                background = "surface_container_low",
                column{ weight = 1, gap = 2,
                    quiet(t(comment.who) .. " · " ..
                          hours_ago(comment.hours), "comment_who"),
                    text{ comment.text, id = "parent_text",
                        style = "body_large" } } },
            table.map(comment.replies, function(reply, place)
                return column{ width = "fill", gap = 2, padding = 12,
                    padding_left = 40, key = "r" .. place, id = "reply",
                    quiet(reply.who, "reply_who"),
                    text{ reply.text, style = "body_medium" } }
            end),
            table.map(own, own_row) },
        composer(state, video, id) }
end

-- ---- screens: channels ----

local function about_part(state, channel)
    local sum = 0
    for _, id in ipairs(channel.videos) do
        sum = sum + videos[id].views
    end
    return column{ width = "fill", gap = 16, padding = 16, id = "about_part",
        item{ string.format(t(words.joined),
                  dates.full(state.base - channel.joined)),
            icon = "info", id = "joined" },
        item{ string.format(t(words.subscribers),
                  grouped(channel.subscribers)), icon = "people",
            id = "exact_subscribers" },
        item{ words.total_views, detail = grouped(sum), icon = "chart",
            id = "total_views" },
        item{ words.country, detail = channel.country, icon = "world",
            id = "country" } }
end

local function channel_videos(state, channel)
    return { choice_chips("channel_order", state.channel_order, {
            { name = words.latest, value = "latest" },
            { name = words.popular, value = "popular" },
            { name = words.oldest, value = "oldest" } }),
        table.map(videos_of(channel, state.channel_order), function(video)
            return video_row(video, {})
        end) }
end

function screens.channel(state, id)
    local channel = channels[id]
    local on_videos = state.channel_tab == "videos"
    return page{ title = "", actions = top_icons(),
        list{ weight = 1, id = "channel_list",
            art{ art = subjects[videos[channel.videos[1]].subject].art,
                seed = channel.seed + 1, width = "fill", height = 96 },
            row{ width = "fill", gap = 16, padding = 16, down = "center",
                face(channel, 80),
                column{ weight = 1, gap = 2,
                    text{ channel.name, id = "channel_title",
                        style = "headline_small", font = "bold" },
                    quiet(channel.handle, "handle"),
                    quiet(subscriber_text(channel) .. " · " ..
                          counted(words.videos, #channel.videos),
                          "subscribers", 2) } },
            row{ padding_left = 16, padding_bottom = 8,
                subscribe_button(state, id) },
            tabs{ tab{ words.channel_videos, id = "tab_videos",
                    selected = on_videos,
                    on_click = { "channel_tab", "videos" } },
                tab{ words.about, id = "tab_about", selected = not on_videos,
                    on_click = { "channel_tab", "about" } } },
            on_videos and channel_videos(state, channel) or
                about_part(state, channel) } }
end

function screens.bell(state, id)
    local one = subscription(state, id)
    return sheet{ title = channels[id].name, id = "bell_sheet",
        table.map({ "all", "some", "none" }, function(level)
            return option(words["bell_" .. level], "bell_" .. level,
                          one ~= nil and one.bell == level,
                          { "bell", id, level })
        end),
        divider{},
        item{ words.unsubscribe, icon = "close", id = "unsubscribe",
            on_click = { "unsubscribe", id } } }
end

function screens.manage(state)
    return page{ title = words.manage,
        list{ weight = 1, id = "manage_list",
            table.map(state.subscriptions, function(one)
                local channel = channels[one.id]
                return row{ id = "manage_row", key = "c" .. one.id,
                    width = "fill", gap = 16, padding = 12, down = "center",
                    on_click = { "channel", one.id },
                    face(channel, 48),
                    column{ weight = 1, gap = 2,
                        text{ channel.name, style = "title_small",
                            id = "channel_name" },
                        quiet(subscriber_text(channel), "subscribers") },
                    icon_button{ icon = "bell", id = "bell",
                        description = t(words.bell) .. " " ..
                            t(channel.name),
                        on_click = { "go", "bell", one.id } } }
            end) } }
end

-- ---- screens: lists ----

local function place_items(state, list, place)
    local count = #find_list(state, list).videos
    return { place > 1 and item{ words.move_top, icon = "arrow_up",
                 id = "move_top", on_click = { "move", list, place, 1 } } or
                 false,
             place > 1 and item{ words.move_up, icon = "up", id = "move_up",
                 on_click = { "move", list, place, place - 1 } } or false,
             place < count and item{ words.move_down, icon = "down",
                 id = "move_down",
                 on_click = { "move", list, place, place + 1 } } or false,
             item{ words.remove_list, icon = "delete", id = "remove",
                 on_click = { "remove", list, place } } }
end

-- From "feed", "list", "history", or elsewhere.
function screens.video_menu(state, id, from, list, place)
    local video = videos[id]
    local in_later = table.index(state.later, id) ~= nil
    return sheet{ id = "video_sheet",
        row{ width = "fill", padding_left = 16, padding_right = 16,
            padding_bottom = 8,
            text{ video.title, id = "menu_title", style = "title_medium",
                lines = 2 } },
        from == "list" and place_items(state, list, place) or false,
        shuffle_by_skin{
            item{ in_later and words.in_later or words.add_later,
                icon = "time", id = "later", on_click = { "later", id } },
            item{ words.save, icon = "add", id = "save",
                on_click = { "replace", "save", id } },
            item{ words.channel, icon = "person", id = "go_channel",
                on_click = { "replace", "channel", video.channel } } },
        from == "feed" and item{ words.not_interested, icon = "eye_off",
            id = "hide", on_click = { "hide", id } } or false,
        from == "history" and item{ words.remove_history, icon = "delete",
            id = "forget", on_click = { "forget", id } } or false }
end

function screens.save(state, id)
    local function choice(list)
        return item{ list.name, id = "target_list", key = "l" .. list.id,
            on_click = { "keep", list.id, id },
            checkbox{ checked = table.index(list.videos, id) ~= nil,
                clickable = false } }
    end
    return sheet{ title = words.save_to, id = "save_sheet",
        row{ width = "fill", padding_left = 16, padding_right = 16,
            text{ videos[id].title, id = "menu_title", lines = 2,
                style = "body_medium", ink = "on_surface_variant" } },
        choice(find_list(state, LATER)), table.map(state.lists, choice),
        item{ words.new_list, icon = "add", id = "new_list",
            on_click = { "new_list", id } },
        row{ width = "fill", across = "end", padding = 8,
            text_button{ words.done, id = "done", on_click = "back" } } }
end

function screens.new_list(state, video)
    return dialog{ title = words.new_list, id = "new_list_dialog",
        field{ text = state.list_name, hint = words.list_name, width = "fill",
            id = "list_name", autofocus = true, on_change = "list_name" },
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.create, id = "create",
                      disabled = state.list_name:trim() == "",
                      on_click = { "create", video } } } }
end

local function playlist_head(list)
    local first = list.videos[1]
    return column{ width = "fill", gap = 4, padding = 16,
        background = "surface_container",
        first and art{ art = subjects[videos[first].subject].art,
            seed = videos[first].seed, width = "fill", height = 140,
            radius = 12 } or false,
        text{ list.name, id = "list_title", style = "headline_small",
            font = "bold" },
        row{ width = "fill", across = "spread", down = "center",
            quiet(counted(words.videos, #list.videos), "list_count"),
            first and button{ words.play, icon = "play", id = "play_list",
                on_click = { "open", first } } or false } }
end

function screens.playlist(state, id)
    local its = find_list(state, id)
    return page{ title = "", actions = id ~= LATER and { icon_button{
            icon = "delete", id = "delete_list",
            description = words.delete_list,
            on_click = { "go", "sure_delete", id } } } or {},
        list{ weight = 1, id = "playlist_videos", playlist_head(its),
            #its.videos == 0 and text{ words.empty, padding = 24 } or
            table.map(its.videos, function(video, place)
                return video_row(videos[video], { from = "list", list = id,
                    place = place })
            end) } }
end

function screens.sure_delete(state, id)
    return dialog{ title = words.delete_list, id = "delete_dialog",
        message = string.format(t(words.sure_delete),
                                t(find_list(state, id).name)),
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.delete, id = "confirm_delete",
                      on_click = { "delete_list", id } } } }
end

function screens.liked(state)
    return page{ title = words.liked,
        list{ weight = 1, id = "liked_videos",
            #state.likes == 0 and text{ words.empty, padding = 24 } or
            table.map(state.likes, function(id)
                return video_row(videos[id], {})
            end) } }
end

local function day_name(days)
    return days == 0 and words.today or days == 1 and words.yesterday or
           counted(words.days_ago, days)
end

local function history_rows(state)
    local has_words = market.finder(state.history_query)
    local rows, day = {}, -1
    for _, entry in ipairs(state.history) do
        if has_words(text_of(videos[entry.id])) then
            if entry.days ~= day then
                day = entry.days
                rows[#rows + 1] = text{ day_name(day), id = "history_day",
                    style = "title_small", padding = 12 }
            end
            rows[#rows + 1] = video_row(videos[entry.id],
                                        { from = "history" })
        end
    end
    return #rows > 0 and rows or text{ words.empty, padding = 24 }
end

function screens.history(state)
    return page{ title = words.history,
        actions = { icon_button{ icon = "more", id = "history_menu",
            description = words.more, on_click = { "go", "history_menu" } } },
        row{ width = "fill", padding_left = 12, padding_right = 12,
            search_bar{ icon{ icon = "search", width = 24, height = 24 },
                field{ text = state.history_query, weight = 1,
                    hint = words.find_history, id = "history_field",
                    on_change = "find_history" } } },
        list{ weight = 1, id = "history_list", history_rows(state) } }
end

function screens.history_menu(state)
    return sheet{ id = "history_sheet",
        item{ words.pause_history, id = "pause_row",
            switch{ checked = state.history_paused, id = "pause_history",
                description = words.pause_history,
                on_change = "pause_history" } },
        item{ words.clear_history, icon = "delete", id = "clear_history",
            on_click = { "replace", "sure_clear" } } }
end

function screens.sure_clear()
    return dialog{ title = words.clear_history, id = "clear_dialog",
        message = words.sure_clear,
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.clear, id = "confirm_clear",
                      on_click = "clear_history" } } }
end

-- ---- screens: settings ----

local net_qualities = { "auto", "higher", "saver" }

function screens.settings(state)
    return page{ title = words.settings,
        list{ weight = 1, id = "settings_list",
            table.map({ "wifi", "mobile" }, function(net)
                return item{ words[net], id = net .. "_quality",
                    detail = words[state[net]],
                    on_click = { "go", "net_quality", net } }
            end),
            item{ words.breaks, id = "break_row",
                detail = state.breaks == 0 and words.off or
                    string.format(t(words.every), state.breaks),
                on_click = { "go", "breaks" } },
            item{ words.default_captions, id = "captions_row",
                detail = captions_name(state.captions),
                on_click = { "go", "default_captions" } },
            divider{},
            table.map({ "muted_feed", "restricted" },
                      function(name)
                return item{ words[name], id = name .. "_row",
                    switch{ checked = state[name], on_change = name,
                        id = name, description = words[name] } }
            end),
            divider{},
            item{ words.pause_history, id = "pause_row",
                switch{ checked = state.history_paused, id = "pause_history",
                    description = words.pause_history,
                    on_change = "pause_history" } } } }
end

function screens.net_quality(state, net)
    return sheet{ title = words[net], id = "net_sheet",
        table.map(net_qualities, function(how)
            return option(words[how], "net_" .. how, state[net] == how,
                          { "net_quality", net, how })
        end) }
end

function screens.default_captions(state)
    return sheet{ title = words.default_captions, id = "captions_sheet",
        caption_options("default_captions", state.captions) }
end

function screens.breaks(state)
    return sheet{ title = words.breaks, id = "break_sheet",
        table.map({ 0, 15, 30, 60, 90 }, function(minutes)
            return option(minutes == 0 and words.off or
                          string.format(t(words.every), minutes),
                          "break_" .. minutes, state.breaks == minutes,
                          { "breaks", minutes })
        end) }
end

return {
    package = "org.proctor.video",
    name = { en = "Video", zh = "视频" },
    hue = 29,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { channels = channels, videos = videos, subjects = subjects,
              comments_of = comments_of, found = found,
              videos_of = videos_of, playlists = catalog.playlists,
              history = catalog.history, later = catalog.later,
              subscriptions = catalog.subscriptions },
    on_back = function(state)
        local screen = current()
        if screen == "video" then
            state.player.playing = false
        elseif screen == "main" and state.tab ~= "home" then
            state.tab = "home"
            return true
        end
        return false
    end,
}
