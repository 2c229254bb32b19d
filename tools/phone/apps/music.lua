-- Music: artists, releases and songs, playlists, charts, podcasts, a player
-- with a queue, and its settings.

local words = include("music_words")
local catalog = include("music_catalog")
local artists, releases, songs = catalog.artists, catalog.releases,
                                 catalog.songs
local shows, episodes = catalog.shows, catalog.episodes

local STEP = 15      -- of a chart, loaded at a time
local EPISODES = 10 -- loaded at a time
local RESULTS = 14

-- ---- the state ----

local function first_state()
    return { base = dates.today(), tab = "home", typed = "", query = "",
        recent = {}, kind = "all", shown = RESULTS, chart = "world",
        chart_shown = STEP, shelf = "playlists", release_kind = "all",
        tour_open = false, episode_order = "newest", unfinished = false,
        episodes_shown = EPISODES, list_name = "", ad_seen = false,
        follows = {}, subscriptions = {}, albums = {}, liked = {},
        downloads = {}, lists = table.copy(catalog.playlists), next_list = 4,
        player = { kind = "", list = {}, place = 0, from = "", playing = false,
                   shuffle = false, repeats = "off", sleep = 0, speed = 10 },
        quality = { mobile = "high", wifi = "high" }, wifi_only = false,
        autoplay = true, louder = false }
end

local function find_list(state, id)
    return table.find(state.lists, id)
end

-- The id of what is playing, or paused; nil if there is nothing.
local function current_id(player)
    return player.list[player.place]
end

-- ---- finding ----

local function by(field)
    return function(a, b) return a[field] > b[field] end
end

local function songs_of(list)
    return table.map(list, function(id) return songs[id] end)
end

local function releases_of(artist, kind)
    local list = table.map(artist.releases, function(id)
        return releases[id]
    end)
    return table.sort(table.filter(list, function(release)
        return kind == "all" or release.kind == kind
    end), by("saves"))
end

local function top_songs(artist)
    return table.sort(table.filter(songs, function(song)
        return song.artist == artist.id
    end), by("plays"))
end

local function text_of(...)
    local parts = {}
    for _, name in ipairs{ ... } do
        parts[#parts + 1] = name.en .. " " .. name.zh
    end
    return table.concat(parts, " "):lower()
end

local texts = {
    songs = function(song)
        return text_of(song.title, artists[song.artist].name)
    end,
    albums = function(release)
        return text_of(release.title, artists[release.artist].name)
    end,
    artists = function(artist) return text_of(artist.name) end,
    podcasts = function(show) return text_of(show.name) end,
}
local all_of = { songs = songs, albums = releases, artists = artists,
                 podcasts = shows }
local orders = { songs = by("plays"), albums = by("saves"),
                 artists = by("listeners") }

-- Of one kind: "songs", "albums", "artists", "podcasts".
local function found(kind, query)
    local has_words = market.finder(query)
    local list = table.filter(all_of[kind], function(one)
        return has_words(texts[kind](one))
    end)
    return orders[kind] and table.sort(list, orders[kind]) or list
end

local function episodes_of(state, show)
    local list = table.filter(table.map(show.episodes, function(id)
        return episodes[id]
    end), function(one) return not state.unfinished or not one.finished end)
    return state.episode_order == "newest" and list or
        table.sort(list, function(a, b) return a.days > b.days end)
end

-- ---- handlers ----

local handlers = {}

function handlers.tab(state, name) state.tab = name end

market.add_search_handlers(handlers)

function handlers.search(state, text)
    state.query = text:trim()
    if state.query == "" then
        return
    end
    state.typed, state.kind, state.shown = state.query, "all", RESULTS
    state.recent = market.remember(state.recent, state.query)
    home("results")
end

function handlers.kind(state, kind)
    state.kind, state.shown = kind, RESULTS
end

handlers.more = loads_more("shown", RESULTS, #songs)
handlers.more_chart = loads_more("chart_shown", STEP, #catalog.charts.world)
handlers.more_episodes = loads_more("episodes_shown", EPISODES,
                                    #shows[1].episodes)

function handlers.chart(state, name)
    state.chart, state.chart_shown = name, STEP
end

function handlers.shelf(state, name) state.shelf = name end

function handlers.artist(state, id)
    state.tour_open = false
    go("artist", id)
end

function handlers.tour(state, open) state.tour_open = open end

function handlers.discography(state, id)
    state.release_kind = "all"
    go("discography", id)
end

function handlers.release_kind(state, kind) state.release_kind = kind end
function handlers.album(_, id) go("album", id) end

function handlers.show(state, id)
    state.episode_order, state.unfinished = "newest", false
    state.episodes_shown = EPISODES
    go("show", id)
end

function handlers.episode_order(state, order)
    state.episode_order, state.episodes_shown = order, EPISODES
end

function handlers.unfinished(state, on)
    state.unfinished, state.episodes_shown = on, EPISODES
end

function handlers.follow(state, id) table.toggle(state.follows, id) end
function handlers.subscribe(state, id) table.toggle(state.subscriptions, id) end
function handlers.save_album(state, id) table.toggle(state.albums, id) end

function handlers.like(state, id)
    table.toggle(state.liked, id)
    back()
end

function handlers.download(state, id) table.toggle(state.downloads, id) end

-- ---- handlers of playlists ----

function handlers.new_list(state, song)
    state.list_name = ""
    go("new_list", song)
end

function handlers.list_name(state, text) state.list_name = text end

function handlers.create(state, song)
    local name = state.list_name:trim()
    if name == "" then
        return
    end
    table.insert(state.lists, 1, { id = state.next_list, name = name,
                                   songs = song > 0 and { song } or {} })
    event("created", state.next_list, name)
    state.next_list = state.next_list + 1
    back()
    if song > 0 then
        back()
    end
end

function handlers.add_to(state, list, song)
    table.insert(find_list(state, list).songs, song)
    back()
    snack(words.done)
end

function handlers.remove(state, list, place)
    table.remove(find_list(state, list).songs, place)
    back()
    snack(words.removed)
end

function handlers.delete_list(state, list)
    local _, place = find_list(state, list)
    table.remove(state.lists, place)
    home()
end

-- ---- handlers of the player ----

-- A free account gets an advertisement before its first song.
local function start(state, kind, list, place, from)
    local player = state.player
    player.kind, player.list, player.place = kind, list, place
    player.from, player.playing = from, true
    if kind == "song" and not state.ad_seen then
        state.ad_seen = true
        go("ad")
    end
end

-- A song of an album is followed by the others.
function handlers.play_song(state, id, from)
    local list = { id }
    if from == "album" then
        list = table.copy(releases[songs[id].release].songs)
    end
    start(state, "song", list, table.index(list, id), from)
end

function handlers.play_album(state, id)
    start(state, "song", table.copy(releases[id].songs), 1, "album")
end

function handlers.play_list(state, id)
    local list = find_list(state, id)
    if #list.songs > 0 then
        start(state, "song", table.copy(list.songs), 1, "list " .. id)
    end
end

function handlers.play_from_list(state, id, place)
    start(state, "song", table.copy(find_list(state, id).songs), place,
          "list " .. id)
end

function handlers.play_episode(state, id)
    start(state, "episode", { id }, 1, "show")
end

function handlers.pause(state) state.player.playing = false end

function handlers.resume(state) state.player.playing = true end

local function move(state, steps)
    local player = state.player
    player.place = (player.place - 1 + steps) % #player.list + 1
    player.playing = true
end

function handlers.next(state) move(state, 1) end
function handlers.previous(state) move(state, -1) end
function handlers.shuffle(state, on) state.player.shuffle = on end
function handlers.repeats(state, how) state.player.repeats = how end

function handlers.speed(state, tenths)
    state.player.speed = tenths
    back()
end

function handlers.sleep(state, minutes)
    state.player.sleep = minutes
    back()
end

function handlers.play_next(state, id)
    local player = state.player
    if player.kind == "song" then
        table.insert(player.list, player.place + 1, id)
    else
        start(state, "song", { id }, 1, "queue")
    end
    back()
    snack(words.queued)
end

function handlers.add_queue(state, id)
    local player = state.player
    if player.kind == "song" then
        table.insert(player.list, id)
    else
        start(state, "song", { id }, 1, "queue")
    end
    back()
    snack(words.queued)
end

function handlers.skip_ad() back() end

-- ---- handlers of settings ----

function handlers.quality(state, net, how)
    state.quality[net] = how
    back()
end

function handlers.wifi_only(state, on) state.wifi_only = on end
function handlers.autoplay(state, on) state.autoplay = on end
function handlers.louder(state, on) state.louder = on end

-- ---- parts of the screens ----

local function quiet(value, id)
    return text{ value, id = id, style = "body_small", lines = 1,
                 ink = "on_surface_variant" }
end

local function cover(of, size, radius)
    return art{ art = of.cover, seed = of.seed, width = size, height = size,
                radius = radius or 8, id = "cover" }
end

local function face(artist, size)
    return art{ art = artist.band and "band" or "portrait",
                seed = artist.seed, width = size, height = size,
                radius = size // 2, id = "face" }
end

local function duration(length)
    return string.format("%d:%02d", length // 60, length % 60)
end

local function heading(label, action)
    return row{ width = "fill", down = "center", padding_left = 16,
        padding_right = 8, padding_top = 16, padding_bottom = 4,
        text{ label, style = "title_large", font = "bold", weight = 1 },
        action or false }
end

-- "Song · The Blue Harbors"
local function song_detail(song)
    return t(artists[song.artist].name)
end

local function menu_button(id, list, place)
    return icon_button{ icon = "more", id = "song_menu",
        description = words.more,
        on_click = { "go", "song_menu", id, list or 0, place or 0 } }
end

local function is_current(state, kind, id)
    return state.player.kind == kind and current_id(state.player) == id
end

-- A song of a list; parts.first comes before it, parts.action plays it.
local function song_row(state, song, parts)
    local playing = is_current(state, "song", song.id)
    return row{ id = "song_row", key = parts.key or "s" .. song.id,
        width = "fill", gap = 12, padding_left = 16, padding_right = 4,
        padding_top = 6, padding_bottom = 6, down = "center",
        on_click = parts.action or { "play_song", song.id, "results" },
        parts.first or cover(releases[song.release], 48),
        column{ weight = 1, gap = 2,
            text{ song.title, id = "song_title", lines = 1,
                style = "body_large", ink = playing and "primary" or nil },
            quiet(parts.detail or song_detail(song), "song_detail") },
        parts.tail or false,
        menu_button(song.id, parts.list, parts.place) }
end

local function release_kind_text(release)
    return t(words[release.kind])
end

local function release_tile(release)
    return column{ id = "release_tile", key = "r" .. release.id, width = 136,
        gap = 4, on_click = { "album", release.id },
        cover(release, 136, 12),
        text{ release.title, id = "release_title", lines = 1,
            style = "title_small" },
        quiet(release_kind_text(release) .. " · " .. release.year) }
end

local function release_row(release)
    return row{ id = "release_row", key = "r" .. release.id, width = "fill",
        gap = 16, padding = 8, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "album", release.id },
        cover(release, 64),
        column{ weight = 1, gap = 2,
            text{ release.title, id = "release_title", lines = 1,
                style = "body_large" },
            quiet(release_kind_text(release) .. " · " .. release.year,
                  "release_year") } }
end

local function artist_row(artist)
    return row{ id = "artist_row", key = "a" .. artist.id, width = "fill",
        gap = 16, padding = 8, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "artist", artist.id },
        face(artist, 56),
        column{ weight = 1, gap = 2,
            text{ artist.name, id = "artist_name", lines = 1,
                style = "body_large" },
            quiet(t(words.artist) .. " · " .. t(artist.genre)) } }
end

local function show_row(show)
    return row{ id = "show_row", key = "p" .. show.id, width = "fill",
        gap = 16, padding = 8, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "show", show.id },
        cover(show, 72, 16),
        column{ weight = 1, gap = 2,
            text{ show.name, id = "show_name", lines = 1,
                style = "body_large" },
            quiet(string.format(t(words.hosted), t(show.host))) } }
end

local function list_row(list)
    local first = list.songs[1]
    return row{ id = "list_row", key = "l" .. list.id, width = "fill",
        gap = 16, padding = 8, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "go", "playlist", list.id },
        first and cover(releases[songs[first].release], 56, 4) or
            icon{ icon = "list", width = 56, height = 56 },
        column{ weight = 1, gap = 2,
            text{ list.name, id = "list_name", lines = 1,
                style = "body_large" },
            quiet(t(words.playlist) .. " · " ..
                  string.format(t(words.song_count), #list.songs)) } }
end

-- Of what is playing: its cover, title, and by whom it is.
local function playing_of(player)
    local id = current_id(player)
    if player.kind == "song" then
        local song = songs[id]
        return releases[song.release], song.title, artists[song.artist].name
    end
    local show = shows[episodes[id].show]
    return show, episodes[id].title, show.name
end

local function playing_text(player, title)
    return string.format(t(player.playing and words.playing or words.paused),
                         t(title))
end

local function play_button(player, size)
    return icon_button{ icon = player.playing and "pause" or "play",
        id = "play_pause", width = size, height = size,
        background = size > 48 and "primary" or nil,
        ink = size > 48 and "on_primary" or nil, radius = size // 2,
        description = player.playing and words.pause or words.play,
        on_click = player.playing and "pause" or "resume" }
end

local function mini_player(player)
    if player.kind == "" then
        return false
    end
    local of, title, who = playing_of(player)
    return row{ id = "mini_player", width = "fill", gap = 12, padding = 8,
        down = "center", background = "surface_container_high",
        description = playing_text(player, title),
        on_click = { "go", "player" },
        cover(of, 44, 6),
        column{ weight = 1,
            text{ title, id = "playing_title", lines = 1,
                style = "title_small" },
            quiet(who, "playing_artist") },
        play_button(player, 48) }
end

-- A page with the player at its bottom.
local function music_page(state, parts)
    table.insert(parts, mini_player(state.player))
    return page(parts)
end

local function search_button()
    return icon_button{ icon = "search", id = "open_search",
        description = words.find, on_click = "start_search" }
end

local function choice_chips(handler, chosen, names)
    return carousel{ id = handler .. "_chips", height = 48, gap = 8,
        padding_left = 16, padding_right = 16, down = "center",
        table.map(names, function(name)
            return chip{ words[name == "home" and "here" or name],
                id = handler .. "_" .. name, checkable = true,
                checked = chosen == name, on_click = { handler, name } }
        end) }
end

-- ---- the tabs ----

local function premium_card()
    return row{ id = "premium", width = "fill", gap = 16, padding = 16,
        down = "center", background = "tertiary_container", radius = 20,
        on_click = { "go", "premium" },
        column{ weight = 1, gap = 2,
            quiet(words.sponsored),
            text{ words.premium, style = "title_medium",
                ink = "on_tertiary_container" },
            quiet(words.premium_detail) },
        icon{ icon = "gift", width = 36, height = 36,
            ink = "on_tertiary_container" } }
end

local function quick_tile(list)
    local first = list.songs[1]
    return row{ id = "quick_tile", key = "q" .. list.id, width = "fill",
        gap = 8, down = "center", radius = 8,
        background = "surface_container_high",
        on_click = { "go", "playlist", list.id },
        first and cover(releases[songs[first].release], 56, 8) or
            icon{ icon = "list", width = 56, height = 56 },
        text{ list.name, weight = 1, lines = 1, style = "title_small" } }
end

local function newest_releases()
    return table.sort(table.join(releases), by("year"))
end

local function shelf(label, tiles)
    return { heading(label),
             carousel{ width = "fill", gap = 12, padding_left = 16,
                       padding_right = 16, tiles } }
end

local function artist_tile(artist)
    return column{ id = "artist_tile", key = "a" .. artist.id, width = 104,
        gap = 6, across = "center", on_click = { "artist", artist.id },
        face(artist, 96),
        text{ artist.name, lines = 1, text_align = "center",
            style = "label_large" } }
end

local function home_tab(state)
    local new = newest_releases()
    return list{ weight = 1, id = "home_list", padding_bottom = 16,
        grid{ columns = 2, gap = 8, width = "fill", padding_left = 16,
            padding_right = 16, padding_bottom = 16,
            table.map({ table.unpack(state.lists, 1,
                                     math.min(4, #state.lists)) },
                      quick_tile) },
        column{ width = "fill", padding_left = 16, padding_right = 16,
            premium_card() },
        shelf(words.new_releases,
              table.map({ table.unpack(new, 1, 8) }, release_tile)),
        shelf(words.popular_artists,
              table.map(table.sort(table.join(artists), by("listeners")),
                        artist_tile)),
        heading(words.for_you),
        table.map({ table.unpack(table.sort(table.join(songs), by("plays")),
                                 1, 5) },
                  function(song) return song_row(state, song, {}) end) }
end

local function change_badge(entry)
    local change = catalog.climb(entry)
    if not change then
        return text{ words.fresh, style = "label_small", ink = "tertiary",
            id = "change" }
    end
    return text{ change > 0 and "+" .. change or change < 0 and
                 "−" .. -change or "=", style = "label_medium",
        ink = change > 0 and "primary" or "on_surface_variant",
        id = "change" }
end

local function chart_row(state, entry)
    local song = songs[entry.song]
    return song_row(state, song, {
        key = "c" .. entry.place,
        action = { "play_song", song.id, "chart" },
        detail = song_detail(song) .. " · " ..
                 string.format(t(words.weeks), entry.weeks),
        first = row{ gap = 12, down = "center",
            column{ width = 44, across = "center",
                text{ entry.place, style = "headline_small", font = "bold",
                    id = "place" },
                change_badge(entry) },
            cover(releases[song.release], 48) } })
end

local function charts_tab(state)
    local chart = catalog.charts[state.chart]
    local rows = {}
    for place = 1, math.min(state.chart_shown, #chart) do
        rows[place] = chart_row(state, chart[place])
    end
    return { choice_chips("chart", state.chart, { "world", "home" }),
        row{ width = "fill", padding_left = 16, padding_bottom = 8,
             quiet(words.this_week) },
        list{ weight = 1, id = "chart_list", key = state.chart,
            on_scroll = "more_chart", rows } }
end

local function show_tile(show)
    return column{ id = "show_tile", key = "p" .. show.id, width = "fill",
        gap = 6, padding = 10, radius = 20,
        background = "surface_container_low", on_click = { "show", show.id },
        row{ width = "fill", across = "center", cover(show, 132, 16) },
        text{ show.name, id = "show_name", lines = 1,
            style = "title_medium" },
        quiet(string.format(t(words.hosted), t(show.host))),
        row{ gap = 4, down = "center",
            rating{ value = show.rating / 10, text_size = 12 },
            quiet(string.format("%.1f", show.rating / 10)) } }
end

local function podcasts_tab()
    return list{ weight = 1, id = "podcast_list", padding = 16,
        grid{ columns = 2, gap = 12, width = "fill",
            table.map(shuffle_by_skin(shows), show_tile) } }
end

local shelves = {}

function shelves.playlists(state)
    return { item{ words.liked, icon = "heart_full", id = "liked_row",
                   detail = string.format(t(words.song_count), #state.liked),
                   on_click = { "go", "liked" } },
             table.map(state.lists, list_row) }
end

function shelves.albums(state)
    return table.map(state.albums, function(id)
        return release_row(releases[id])
    end)
end

function shelves.artists(state)
    return table.map(state.follows, function(id)
        return artist_row(artists[id])
    end)
end

function shelves.podcasts(state)
    return table.map(state.subscriptions, function(id)
        return show_row(shows[id])
    end)
end

local function library_tab(state)
    local rows = shelves[state.shelf](state)
    return { choice_chips("shelf", state.shelf,
                          { "playlists", "albums", "artists", "podcasts" }),
        list{ weight = 1, id = "library_list", key = state.shelf,
            #rows > 0 and rows or
            text{ words.empty, padding = 24, id = "empty" } } }
end

local tabs = { home = home_tab, charts = charts_tab, podcasts = podcasts_tab,
               library = library_tab }

-- ---- screens ----

local screens = {}

function screens.main(state)
    local library = state.tab == "library"
    return page{ row{ width = "fill", height = 64, down = "center",
            padding_left = 16, padding_right = 4,
            text{ words[state.tab], weight = 1, style = "headline_medium",
                font = "bold", id = "tab_title" },
            library and icon_or_text{ words.new_list, icon = "add",
                id = "new_list", on_click = { "new_list", 0 } } or false,
            search_button(),
            icon_button{ icon = "gear", id = "open_settings",
                description = words.settings,
                on_click = { "go", "settings" } } },
        tabs[state.tab](state), mini_player(state.player),
        market.tab_bar(words, state.tab,
            { "home", "charts", "podcasts", "library" },
            { home = "headphones", charts = "chart", podcasts = "mic",
              library = "library" }) }
end

function screens.search(state)
    return market.search_page(words, state, { icon = "time", autofocus = true,
        button = icon_button{ icon = "search", id = "search_button",
            description = words.find,
            on_click = { "search", state.typed } } })
end

local result_rows = {
    songs = function(state, song) return song_row(state, song, {}) end,
    albums = function(_, release) return release_row(release) end,
    artists = function(_, artist) return artist_row(artist) end,
    podcasts = function(_, show) return show_row(show) end,
}

local function results_of(state, kind, most)
    local list = found(kind, state.query)
    local rows = {}
    for i = 1, math.min(most, #list) do
        rows[i] = result_rows[kind](state, list[i])
    end
    return rows
end

-- A few of every kind, or all of one.
local function result_list(state)
    if state.kind ~= "all" then
        return results_of(state, state.kind, state.shown)
    end
    return table.join(results_of(state, "artists", 3),
                      results_of(state, "songs", 4),
                      results_of(state, "albums", 3),
                      results_of(state, "podcasts", 3))
end

function screens.results(state)
    local rows = result_list(state)
    return music_page(state, {
        row{ width = "fill", height = 64, down = "center",
            padding_right = 16,
            icon_button{ icon = "back", on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            search_bar{ id = "search_bar", weight = 1,
                on_click = "start_search", icon{ icon = "search" },
                text{ state.query, weight = 1, lines = 1 } } },
        choice_chips("kind", state.kind,
            { "all", "songs", "albums", "artists", "podcasts" }),
        list{ weight = 1, id = "results", key = state.kind .. state.query,
            on_scroll = "more",
            #rows > 0 and rows or
            text{ words.none, padding = 32, id = "no_results" } } })
end

local function tour_part(state, artist)
    local open = state.tour_open
    return { row{ id = "tour", width = "fill", padding = 16, gap = 12,
            down = "center", on_click = { "tour", not open },
            icon{ icon = "ticket", width = 24, height = 24 },
            text{ words.on_tour, weight = 1, style = "title_medium" },
            quiet(string.format(t(words.concerts), #artist.tour)),
            icon{ icon = open and "up" or "down", width = 24, height = 24 } },
        open and table.map(artist.tour, function(concert)
            return row{ id = "concert", key = "t" .. concert.days,
                width = "fill", gap = 16, padding_left = 16,
                padding_right = 16, padding_bottom = 12, down = "center",
                column{ width = 104,
                    text{ dates.medium(state.base + concert.days),
                        id = "concert_day", style = "title_small" } },
                column{ weight = 1,
                    text{ concert.city, id = "concert_city",
                        style = "body_large" },
                    quiet(concert.hall) } }
        end) or false }
end

local function artist_head(state, artist)
    local follows = table.index(state.follows, artist.id) ~= nil
    return column{ width = "fill", across = "center", gap = 8, padding = 16,
        face(artist, 144),
        text{ artist.name, id = "artist_name", style = "headline_medium",
            font = "bold", text_align = "center" },
        quiet(string.format(t(words.listeners), grouped(artist.listeners)),
              "listeners"),
        row{ gap = 12, shuffle_by_skin{
            button{ follows and words.following or words.follow,
                id = "follow", style = follows and "tonal" or "outlined",
                icon = follows and "check" or nil,
                on_click = { "follow", artist.id } },
            button{ words.play, icon = "play", id = "play_artist",
                on_click = { "play_song", top_songs(artist)[1].id,
                             "artist" } } } } }
end

local function artist_songs(state, artist)
    local rows = {}
    for place, song in ipairs{ table.unpack(top_songs(artist), 1, 5) } do
        rows[place] = song_row(state, song, {
            action = { "play_song", song.id, "artist" },
            detail = string.format(t(words.plays), grouped(song.plays)),
            first = row{ gap = 12, down = "center",
                text{ place, width = 20, style = "title_small",
                    ink = "on_surface_variant" },
                cover(releases[song.release], 48) } })
    end
    return rows
end

function screens.artist(state, id)
    local artist = artists[id]
    return music_page(state, { title = "", actions = { search_button() },
        list{ weight = 1, id = "artist_list", padding_bottom = 16,
            artist_head(state, artist),
            heading(words.popular), artist_songs(state, artist),
            heading(words.releases, text_button{ words.see_all,
                id = "discography", on_click = { "discography", id } }),
            carousel{ width = "fill", gap = 12, padding_left = 16,
                padding_right = 16,
                table.map({ table.unpack(releases_of(artist, "all"), 1, 3) },
                          release_tile) },
            tour_part(state, artist) } })
end

function screens.discography(state, id)
    return music_page(state, { title = artists[id].name,
        carousel{ height = 48, gap = 8, padding_left = 16, padding_right = 16,
            down = "center",
            table.map({ "all", "album", "single", "live" }, function(kind)
                return chip{ words[kind], id = "release_kind_" .. kind,
                    checkable = true, checked = state.release_kind == kind,
                    on_click = { "release_kind", kind } }
            end) },
        list{ weight = 1, id = "discography", key = state.release_kind,
            table.map(releases_of(artists[id], state.release_kind),
                      release_row) } })
end

local function total_minutes(list)
    local sum = 0
    for _, id in ipairs(list) do
        sum = sum + songs[id].seconds
    end
    return string.format(t(words.minutes), (sum + 30) // 60)
end

local function album_head(state, release)
    local saved = table.index(state.albums, release.id) ~= nil
    return { row{ width = "fill", gap = 16, padding = 16, down = "center",
            cover(release, 128, 12),
            column{ weight = 1, gap = 4,
                text{ release.title, id = "release_title",
                    style = "headline_small", font = "bold" },
                text{ artists[release.artist].name, id = "artist_name",
                    style = "title_small", ink = "primary",
                    on_click = { "artist", release.artist } },
                text{ release_kind_text(release) .. " · " .. release.year,
                    id = "release_year", style = "body_small",
                    ink = "on_surface_variant" },
                quiet(string.format(t(words.song_count), #release.songs) ..
                      " · " .. total_minutes(release.songs)) } },
        row{ width = "fill", gap = 8, padding_left = 16, padding_right = 16,
            padding_bottom = 8, down = "center",
            shuffle_by_skin{
                button{ words.play, icon = "play", id = "play_album",
                    on_click = { "play_album", release.id } },
                icon_button{ icon = saved and "check" or "add", id = "save",
                    selected = saved,
                    description = saved and words.unsave_album or
                        words.save_album,
                    on_click = { "save_album", release.id } } } } }
end

function screens.album(state, id)
    local release = releases[id]
    return music_page(state, { title = "", actions = { search_button() },
        list{ weight = 1, id = "album_list",
            album_head(state, release),
            table.map(release.songs, function(song, place)
                return song_row(state, songs[song], {
                    action = { "play_song", song, "album" },
                    first = text{ place, width = 24, text_align = "center",
                        style = "body_large", ink = "on_surface_variant" },
                    tail = quiet(duration(songs[song].seconds), "duration") })
            end) } })
end

function screens.song_menu(state, id, list, place)
    local song = songs[id]
    local liked = table.index(state.liked, id) ~= nil
    return sheet{ id = "song_sheet",
        row{ width = "fill", gap = 16, padding = 16, down = "center",
            cover(releases[song.release], 56),
            column{ weight = 1,
                text{ song.title, id = "menu_title", style = "title_medium" },
                quiet(song_detail(song)) } },
        divider{},
        list > 0 and item{ words.remove_list, icon = "delete",
            id = "remove_song", on_click = { "remove", list, place } } or
            false,
        shuffle_by_skin{
            item{ liked and words.unlike or words.like, id = "like",
                icon = liked and "heart_full" or "heart",
                on_click = { "like", id } },
            item{ words.play_next, icon = "play_next", id = "play_next",
                on_click = { "play_next", id } },
            item{ words.add_queue, icon = "queue", id = "add_queue",
                on_click = { "add_queue", id } },
            item{ words.add_list, icon = "add", id = "add_list",
                on_click = { "replace", "add_list", id } },
            item{ words.go_album, icon = "disc", id = "go_album",
                on_click = { "replace", "album", song.release } },
            item{ words.go_artist, icon = "person", id = "go_artist",
                on_click = { "replace", "artist", song.artist } } } }
end

function screens.add_list(state, id)
    return sheet{ title = words.add_list, id = "add_sheet",
        item{ words.new_list, icon = "add", id = "new_list",
            on_click = { "new_list", id } },
        table.map(state.lists, function(one)
            return item{ one.name, icon = "list", key = "l" .. one.id,
                id = "target_list",
                detail = string.format(t(words.song_count), #one.songs),
                on_click = { "add_to", one.id, id } }
        end) }
end

function screens.new_list(state, song)
    return dialog{ title = words.new_list, id = "new_list_dialog",
        field{ text = state.list_name, hint = words.list_name, width = "fill",
            id = "list_name", autofocus = true, on_change = "list_name" },
        buttons = { { words.cancel, id = "cancel", on_click = "back" },
                    { words.create, id = "create",
                      disabled = state.list_name:trim() == "",
                      on_click = { "create", song } } } }
end

function screens.playlist(state, id)
    local its = find_list(state, id)
    local shuffle = state.player.shuffle
    return music_page(state, { title = "",
        actions = { icon_button{ icon = "delete", id = "delete_list",
            description = words.delete_list,
            on_click = { "delete_list", id } } },
        list{ weight = 1, id = "playlist_songs",
            column{ width = "fill", padding = 16, gap = 4,
                background = "primary_container",
                text{ its.name, id = "list_title", style = "headline_large",
                    font = "bold", ink = "on_primary_container" },
                text{ string.format(t(words.song_count), #its.songs) ..
                    " · " .. total_minutes(its.songs), id = "list_count",
                    style = "body_medium", ink = "on_primary_container" },
                row{ gap = 8, down = "center", padding_top = 8,
                    button{ words.play, icon = "play", id = "play_list",
                        on_click = { "play_list", id } },
                    icon_button{ icon = "shuffle", id = "shuffle",
                        description = words.shuffle, selected = shuffle,
                        ink = shuffle and "primary" or nil,
                        on_click = { "shuffle", not shuffle } } } },
            #its.songs == 0 and text{ words.empty, padding = 24 } or
            table.map(its.songs, function(song, place)
                return song_row(state, songs[song], {
                    key = "n" .. place, list = id, place = place,
                    action = { "play_from_list", id, place } })
            end) } })
end

function screens.liked(state)
    return music_page(state, { title = words.liked,
        list{ weight = 1, id = "liked_songs",
            #state.liked == 0 and text{ words.empty, padding = 24 } or
            table.map(songs_of(state.liked), function(song)
                return song_row(state, song, {})
            end) } })
end

-- ---- screens of podcasts ----

local function episode_row(state, one)
    local has = table.index(state.downloads, one.id) ~= nil
    return row{ id = "episode_row", key = "e" .. one.id, width = "fill",
        padding_left = 16, padding_right = 4, padding_top = 10,
        padding_bottom = 10, gap = 8, down = "center",
        on_click = { "play_episode", one.id },
        column{ weight = 1, gap = 2,
            quiet(dates.medium(state.base - one.days) .. " · " ..
                  string.format(t(words.minutes), one.minutes),
                  "episode_day"),
            text{ one.title, id = "episode_title", style = "body_large",
                ink = is_current(state, "episode", one.id) and "primary" or
                    one.finished and "on_surface_variant" or nil },
            quiet(string.format(t(words.with), t(one.speaker)), "speaker"),
            one.finished and text{ words.finished, id = "finished",
                style = "label_small", ink = "tertiary" } or false },
        icon_button{ icon = has and "check" or "download", id = "download",
            selected = has,
            description = t(has and words.downloaded or words.download) ..
                " " .. t(one.title),
            on_click = { "download", one.id } } }
end

local function show_head(state, show)
    local has = table.index(state.subscriptions, show.id) ~= nil
    return row{ width = "fill", gap = 16, padding = 16, down = "center",
        cover(show, 112, 20),
        column{ weight = 1, gap = 6,
            text{ show.name, id = "show_name", style = "title_large",
                font = "bold" },
            quiet(string.format(t(words.hosted), t(show.host))),
            button{ has and words.subscribed or words.subscribe,
                id = "subscribe", style = has and "tonal" or "filled",
                on_click = { "subscribe", show.id } } } }
end

function screens.show(state, id)
    local list_of = episodes_of(state, shows[id])
    local rows = {}
    for i = 1, math.min(state.episodes_shown, #list_of) do
        rows[i] = episode_row(state, list_of[i])
    end
    local newest = state.episode_order == "newest"
    return music_page(state, { title = "", actions = { search_button() },
        list{ weight = 1, id = "episode_list", on_scroll = "more_episodes",
            show_head(state, shows[id]),
            row{ width = "fill", gap = 8, padding_left = 16,
                padding_right = 16, down = "center",
                chip{ newest and words.newest or words.oldest, icon = "sort",
                    id = "episode_order",
                    on_click = { "episode_order",
                                 newest and "oldest" or "newest" } },
                chip{ words.unfinished, id = "unfinished", checkable = true,
                    checked = state.unfinished, on_change = "unfinished" } },
            rows } })
end

-- ---- the player ----

local next_repeat = { off = "all", all = "one", one = "off" }
local repeat_icons = { off = "repeat", all = "repeat", one = "repeat_one" }

local function player_controls(player)
    return row{ width = "fill", across = "spread", down = "center",
        icon_button{ icon = "shuffle", id = "shuffle",
            description = words.shuffle, selected = player.shuffle,
            ink = player.shuffle and "primary" or nil,
            on_click = { "shuffle", not player.shuffle } },
        icon_button{ icon = "previous_song", id = "previous",
            description = words.previous, on_click = "previous" },
        play_button(player, 72),
        icon_button{ icon = "next_song", id = "next",
            description = words.next, on_click = "next" },
        icon_button{ icon = repeat_icons[player.repeats], id = "repeat",
            description = words["repeats_" .. player.repeats],
            selected = player.repeats ~= "off",
            ink = player.repeats ~= "off" and "primary" or nil,
            on_click = { "repeats", next_repeat[player.repeats] } } }
end

local function player_tools(player)
    return row{ width = "fill", across = "spread", down = "center",
        text_button{ string.format("%.1f×", player.speed / 10), id = "speed",
            description = t(words.speed) .. " " ..
                string.format("%.1f×", player.speed / 10),
            on_click = { "go", "speed" } },
        icon_button{ icon = "dark", id = "sleep", description = words.sleep,
            selected = player.sleep > 0,
            ink = player.sleep > 0 and "primary" or nil,
            on_click = { "go", "sleep" } },
        icon_button{ icon = "queue", id = "queue",
            description = words.queue, on_click = { "go", "queue" } } }
end

function screens.player(state)
    local player = state.player
    local of, title, who = playing_of(player)
    return page{ background = "primary_container",
        row{ width = "fill", height = 64, down = "center", across = "spread",
            padding_left = 4, padding_right = 16,
            icon_button{ icon = "down", id = "collapse",
                description = words.collapse, on_click = "back" },
            text{ words.now, style = "label_large" },
            space{ width = 40 } },
        scroll{ weight = 1, padding_left = 28, padding_right = 28, gap = 28,
            padding_top = 16,
            row{ width = "fill", across = "center",
                art{ art = of.cover, seed = of.seed, width = 312,
                    height = 312, radius = 24, id = "big_cover",
                    description = playing_text(player, title) } },
            column{ width = "fill", gap = 4,
                text{ title, id = "playing_title", style = "headline_small",
                    font = "bold" },
                text{ who, id = "playing_artist", style = "body_large",
                    ink = "on_surface_variant" } },
            progress{ width = "fill", value = 0.04, id = "elapsed" },
            player_controls(player), player_tools(player),
            player.sleep > 0 and text{ string.format(t(words.stops_in),
                player.sleep), id = "stops_in", style = "body_medium",
                width = "fill", text_align = "center" } or false } }
end

function screens.queue(state)
    local player = state.player
    return page{ title = words.queue,
        list{ weight = 1, id = "queue_list",
            player.kind == "song" and
            table.map({ table.unpack(player.list, player.place) },
                      function(id, place)
                return row{ width = "fill", gap = 16, padding = 8,
                    padding_left = 16, down = "center", key = "u" .. place,
                    id = "queue_row",
                    cover(releases[songs[id].release], 48),
                    column{ weight = 1,
                        text{ songs[id].title, id = "song_title", lines = 1,
                            style = "body_large",
                            ink = place == 1 and "primary" or nil },
                        quiet(song_detail(songs[id])) } }
            end) or text{ words.empty, padding = 24 } } }
end

local function option(label, id, chosen, action, detail)
    return item{ label, id = id, detail = detail, on_click = action,
        radio{ checked = chosen, clickable = false } }
end

function screens.speed(state)
    return sheet{ title = words.speed, id = "speed_sheet",
        table.map({ 5, 8, 10, 12, 15, 20 }, function(tenths)
            return option(string.format("%.1f×", tenths / 10),
                          "speed_" .. tenths, state.player.speed == tenths,
                          { "speed", tenths })
        end) }
end

function screens.sleep(state)
    return sheet{ title = words.sleep, id = "sleep_sheet",
        table.map({ 0, 5, 15, 30, 45, 60 }, function(minutes)
            return option(minutes == 0 and words.sleep_off or
                          string.format(t(words.sleep_on), minutes),
                          "sleep_" .. minutes, state.player.sleep == minutes,
                          { "sleep", minutes })
        end) }
end

-- ---- advertisements and settings ----

function screens.ad()
    local brand = content.brand(random("ad"))
    return sheet{ modal = true, id = "ad_sheet",
        column{ width = "fill", gap = 12, padding = 24, across = "center",
            row{ width = "fill", across = "spread", down = "center",
                quiet(words.sponsored),
                icon_button{ icon = "close", id = "skip_ad",
                    description = words.close, on_click = "skip_ad" } },
            art{ art = "headphones", seed = 77, width = 160, height = 160,
                radius = 24 },
            text{ brand, style = "headline_small", id = "brand" },
            text{ words.premium_detail, style = "body_medium",
                ink = "on_surface_variant" },
            button{ words.try, id = "try",
                on_click = { "replace", "premium" } } } }
end

function screens.premium()
    return page{ title = words.sponsored,
        column{ width = "fill", weight = 1, gap = 16, padding = 32,
            across = "center", down = "center",
            icon{ icon = "gift", width = 96, height = 96, ink = "tertiary" },
            text{ words.premium, style = "headline_medium",
                text_align = "center" },
            text{ words.premium_detail, style = "body_large",
                ink = "on_surface_variant" },
            button{ words.not_now, id = "not_now", style = "outlined",
                ink = "primary", on_click = "back" } } }
end

local function quality_item(state, net)
    return item{ words[net], id = net .. "_quality",
        detail = words[state.quality[net]],
        on_click = { "go", "quality", net } }
end

function screens.settings(state)
    return page{ title = words.settings,
        list{ weight = 1, id = "settings_list",
            text{ words.quality, style = "title_small", ink = "primary",
                padding = 16 },
            quality_item(state, "wifi"), quality_item(state, "mobile"),
            divider{},
            table.map({ "wifi_only", "autoplay", "louder" }, function(name)
                return item{ words[name], id = name .. "_row",
                    switch{ checked = state[name], on_change = name,
                        id = name, description = words[name] } }
            end) } }
end

function screens.quality(state, net)
    return sheet{ title = words[net], id = "quality_sheet",
        table.map({ "low", "normal", "high", "lossless" }, function(how)
            return option(words[how], "quality_" .. how,
                          state.quality[net] == how,
                          { "quality", net, how }, words[how .. "_detail"])
        end) }
end

return {
    package = "org.proctor.music",
    name = { en = "Music", zh = "音乐" },
    hue = 320,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { artists = artists, releases = releases, songs = songs,
              charts = catalog.charts, climb = catalog.climb, shows = shows,
              episodes = episodes, playlists = catalog.playlists,
              found = found, top_songs = top_songs,
              episodes_of = episodes_of, current_id = current_id },
    on_back = function(state)
        if current() == "main" and state.tab ~= "home" then
            state.tab = "home"
            return true
        end
        return false
    end,
}
