-- Sports: matches by day, leagues with tables and leaders, teams, players,
-- news, what is followed with its notifications, and reminders.

local words = include("sports_words")
local pages = include("sports_pages")
local parts = pages.parts
local season = parts.season
local world = season.world
local leagues, teams, players = world.leagues, world.teams, world.players
local matches = season.matches

local DAYS = 5       -- of the strip
local FOUND = 12     -- players that a search shows
local PRICE = 799    -- cents of the offer

local alert_names = { "kick_off", "line_ups", "goals", "final" }
local sport_names = { "football", "basketball", "hockey" }
local befores = { 0, 15, 60, 1440 }

-- ---- the state ----

-- What is followed at first: no team of the first league, nor of a city with
-- two teams there.
local function first_follows()
    local r = random("follows")
    local first, third = leagues[2].first, leagues[3].first
    return { { kind = "team", id = first + r.int(0, 5), kick_off = true,
               line_ups = true, goals = true, final = true },
             { kind = "team", id = third + r.int(2, 7), kick_off = false,
               line_ups = false, goals = true, final = true },
             { kind = "league", id = 4, kick_off = true, line_ups = false,
               goals = false, final = true } }
end

local function first_state()
    return { tab = "matches", sport = "football", day = dates.today(),
        strip = dates.today() - 2, only_live = false, folded = {},
        match_tab = "events", league_tab = "table_tab", team_tab = "squad",
        venue = "all", order = "points", round = 1, leaders = "goals",
        shown = pages.loaded, squad_order = "line",
        team_matches = "upcoming", unfolded = {}, follows = first_follows(),
        reminders = {}, hide_scores = false, revealed = {}, units = "metric",
        clock = "24", quiet_night = true, offer = true, plus = false,
        query = "" }
end

-- ---- handlers: looking ----

local handlers = {}

function handlers.tab(state, name) state.tab = name end
function handlers.sport(state, name) state.sport = name end
function handlers.only_live(state, on) state.only_live = on end
function handlers.strip(state, by) state.strip = state.strip + by end

function handlers.day(state, day)
    state.day, state.only_live = day, false
    if day < state.strip or day >= state.strip + DAYS then
        state.strip = day - 2
    end
end

function handlers.pick_day(state, day)
    back()
    handlers.day(state, day)
end

function handlers.fold(state, league, on)
    state.folded = table.filter(state.folded, function(id)
        return id ~= league
    end)
    if on then
        table.insert(state.folded, league)
    end
end

-- The round that is not over.
local function present_round(league)
    local minute = parts.minute()
    for _, id in ipairs(league.matches) do
        if not season.is_finished(matches[id], minute) then
            return matches[id].round
        end
    end
    return league.rounds
end

-- A page on a match, league, team or player. The first one comes with an
-- offer above it.
function handlers.open(state, kind, id)
    if kind == "league" then
        state.league_tab, state.venue, state.order = "table_tab", "all",
                                                     "points"
        state.leaders, state.shown = "goals", pages.loaded
        state.round = present_round(leagues[id])
    elseif kind == "team" then
        state.team_tab, state.squad_order = "squad", "line"
        state.team_matches = "upcoming"
    elseif kind == "match" then
        state.match_tab = "events"
    else
        state.unfolded = {}
    end
    go(kind, id)
    if state.offer then
        state.offer = false
        go("plus")
    end
end

function handlers.match_tab(state, name) state.match_tab = name end
function handlers.team_tab(state, name) state.team_tab = name end
function handlers.venue(state, name) state.venue = name end
function handlers.sort_by(state, name) state.order = name end
function handlers.round(state, round) state.round = round end
function handlers.squad_order(state, name) state.squad_order = name end
function handlers.team_matches(state, name) state.team_matches = name end

function handlers.league_tab(state, name)
    state.league_tab, state.shown = name, pages.loaded
end

function handlers.sort(state, name)
    state.order = name
    back()
end

function handlers.leaders(state, name)
    state.leaders, state.shown = name, pages.loaded
end

function handlers.more_players(state, left)
    if left >= 300 or state.league_tab ~= "scorers" or
       state.shown >= 10 * pages.loaded then
        return false
    end
    state.shown = state.shown + pages.loaded
end

function handlers.unfold(state, name, on)
    state.unfolded = table.filter(state.unfolded, function(one)
        return one ~= name
    end)
    if on then
        table.insert(state.unfolded, name)
    end
end

function handlers.reveal(state, id) table.insert(state.revealed, id) end

function handlers.search(state)
    state.query = ""
    go("search")
end

function handlers.query(state, text) state.query = text end
function handlers.clear(state) state.query = "" end

-- ---- handlers: the offer ----

function handlers.no_plus() back() end

function handlers.try_plus(state)
    state.plus = true
    back()
    snack(words.plus_done)
end

-- ---- handlers: following ----

function handlers.follow(state, kind, id)
    table.insert(state.follows, { kind = kind, id = id, kick_off = true,
        line_ups = false, goals = true, final = true })
    local name = parts.subject_of(kind, id).name
    snack({ en = string.format(words.followed.en, name.en),
            zh = string.format(words.followed.zh, name.zh) },
          words.alerts, "go", "alerts", kind, id)
end

function handlers.unfollow(state, kind, id)
    state.follows = table.filter(state.follows, function(one)
        return one.kind ~= kind or one.id ~= id
    end)
    local name = parts.subject_of(kind, id).name
    snack{ en = string.format(words.unfollowed.en, name.en),
           zh = string.format(words.unfollowed.zh, name.zh) }
end

function handlers.unfollow_here(state, kind, id)
    back()
    handlers.unfollow(state, kind, id)
end

function handlers.alert(state, kind, id, name, on)
    parts.follow_of(state, kind, id)[name] = on
end

local function without(reminders, id)
    return table.filter(reminders, function(one) return one.match ~= id end)
end

function handlers.remind(state, id, before)
    state.reminders = without(state.reminders, id)
    table.insert(state.reminders, { match = id, before = before })
    back()
    snack(words.reminded)
end

function handlers.forget(state, id)
    state.reminders = without(state.reminders, id)
    back()
    snack(words.forgotten)
end

-- ---- handlers: settings ----

function handlers.hide_scores(state, on)
    state.hide_scores, state.revealed = on, {}
end

function handlers.quiet_night(state, on) state.quiet_night = on end

function handlers.units(state, name)
    state.units = name
    back()
end

function handlers.clock(state, name)
    state.clock = name
    back()
end

-- ---- news ----

-- An article is of a finished match, of a coming one, or of a player.
local function articles_of(of_teams, minute)
    local list = {}
    for _, team in ipairs(of_teams) do
        local before, coming
        for _, match in ipairs(season.matches_of(team.id)) do
            if season.is_finished(match, minute) then
                before = match
            else
                coming = coming or match
            end
        end
        for kind, match in pairs{ report = before or nil,
                                  preview = coming or nil } do
            list[#list + 1] = { kind = kind, id = match.id, art = "skyline",
                seed = match.id, day = kind == "report" and
                match.start // 1440 or dates.today() }
        end
        local player = players[team.squad[random("signing", team.id).int(3,
                                                               #team.squad)]]
        list[#list + 1] = { kind = "signing", id = player.id,
            art = "portrait", seed = player.id * 13 + 5,
            day = dates.today() - random("signing day", team.id).int(1, 6) }
    end
    return table.sort(list, function(a, b) return a.day > b.day end)
end

local function headline(state, kind, id, minute)
    if kind == "signing" then
        local player = players[id]
        return string.format(t(words.signing), t(player.name),
                             t(teams[player.team].name))
    end
    local match = matches[id]
    local home, away = t(teams[match.home].name), t(teams[match.away].name)
    if kind == "preview" then
        return string.format(t(words.preview), home, away)
    elseif parts.is_hidden(state, match, minute) then
        return string.format(t(words.report_hidden), home, away)
    end
    local score = season.score_of(match, minute)
    return string.format(t(words.report), home, score[1], score[2], away)
end

local function article_row(state, one, minute)
    return row{ id = "article", key = one.kind .. one.id, width = "fill",
        gap = 16, padding = 12, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "go", "article", one.kind, one.id },
        column{ weight = 1, gap = 4,
            text{ headline(state, one.kind, one.id, minute), lines = 3,
                  id = "headline", style = "title_medium" },
            quiet(dates.short(one.day), "article_day") },
        one.kind == "signing" and parts.portrait(players[one.id], 72) or
            row{ width = 72, across = "center", gap = 4,
                parts.crest(teams[matches[one.id].home], 34),
                parts.crest(teams[matches[one.id].away], 34) } }
end

local function advertisement()
    return row{ id = "ad", width = "fill", gap = 16, padding = 12,
        padding_left = 16, padding_right = 16, down = "center",
        background = "tertiary_container", on_click = { "go", "ad" },
        column{ weight = 1,
            text{ words.ad_title, style = "title_small",
                  ink = "on_tertiary_container" },
            text{ words.sponsored, style = "label_small",
                  ink = "on_tertiary_container" } },
        art{ art = "shirt", seed = 4, width = 64, height = 56, radius = 8 } }
end

local function article_rows(state, of_teams, minute)
    return table.map(articles_of(of_teams, minute), function(one, place)
        return { article_row(state, one, minute),
                 place == 2 and not state.plus and advertisement() or
                     false, divider{} }
    end)
end

pages.make_team_screen(function(state, of_teams, minute)
    return table.map(article_rows(state, of_teams, minute), function(rows)
        return column{ width = "fill", rows }
    end)
end)

-- ---- the first screen: matches ----

local screens = pages.screens

local function day_cell(state, day)
    local on = day == state.day
    local today = day == dates.today()
    local _, _, of_month = dates.parts(day)
    return column{ weight = 1, id = "day", key = "d" .. day, radius = 14,
        across = "center", padding_top = 6, padding_bottom = 6,
        background = on and parts.signal or nil, selected = on,
        description = dates.long(day), on_click = { "day", day },
        text{ today and words.today or
              t{ en = dates.medium(day):sub(1, 3),
                 zh = utf8.sub(dates.medium(day), -2) },
              style = "label_small", lines = 1,
              ink = on and parts.board or parts.board_quiet },
        text{ of_month, style = "title_large", font = "bold", lines = 1,
              ink = on and parts.board or parts.on_board } }
end

local function calendar_strip(state)
    local cells = {}
    for day = state.strip, state.strip + DAYS - 1 do
        cells[#cells + 1] = day_cell(state, day)
    end
    return row{ width = "fill", down = "center", padding_left = 4,
        padding_right = 4, padding_bottom = 8,
        parts.board_button("left", "earlier_days", words.earlier,
                           { "strip", -DAYS }),
        cells,
        parts.board_button("right", "later_days", words.later,
                           { "strip", DAYS }) }
end

local function sport_pills(state)
    return row{ width = "fill", padding_left = 16, padding_right = 16, gap = 6,
        padding_bottom = 10, down = "center",
        table.map(sport_names, function(name)
            local on = state.sport == name
            return row{ id = "sport_" .. name, gap = 6, down = "center",
                padding = 8, padding_left = 12, padding_right = 12,
                radius = 18, selected = on, description = words[name],
                background = on and parts.on_board or parts.board_low,
                on_click = { "sport", name },
                icon{ icon = name, width = 20, height = 20,
                      ink = on and parts.board or parts.on_board },
                on and text{ words[name], style = "label_large", lines = 1,
                             ink = parts.board } or false }
        end),
        space{ weight = 1 },
        row{ id = "only_live", gap = 6, down = "center", padding = 8,
            padding_left = 12, padding_right = 12, radius = 18,
            checkable = true, checked = state.only_live,
            background = state.only_live and parts.live or parts.board_low,
            on_click = { "only_live", not state.only_live },
            space{ width = 8, height = 8, radius = 4,
                   background = state.only_live and parts.on_board or
                                parts.live },
            text{ words.only_live, style = "label_large", lines = 1,
                  ink = parts.on_board } } }
end

local function league_section(state, league, list, minute)
    local folded = table.index(state.folded, league.id) ~= nil
    local name = t(league.name)
    return { row{ width = "fill", padding_left = 16, padding_right = 4,
                 height = 56, down = "center", gap = 12,
                 key = "l" .. league.id, background = "surface_container",
                 parts.league_badge(league, 28),
                 text{ name, id = "section_name", weight = 1, lines = 1,
                       style = "title_small",
                       on_click = { "open", "league", league.id } },
                 quiet(#list, "match_count"),
                 icon_button{ icon = folded and "down" or "up", id = "fold",
                     description = string.format(t(folded and
                         words.unfold_one or words.fold_one), name),
                     on_click = { "fold", league.id, not folded } } },
             not folded and table.map(list, function(match)
                 return parts.match_row(state, match, minute)
             end) or false }
end

local tabs_of = {}

function tabs_of.matches(state, minute)
    local any_live = false
    local sections = table.map(table.filter(leagues, function(league)
        return league.sport == state.sport
    end), function(league)
        local list = season.matches_where(function(match)
            local live = (season.status_of(match, minute)) == "live"
            local fits = match.league == league.id and
                         match.start // 1440 == state.day and
                         (live or not state.only_live)
            any_live = any_live or fits and live
            return fits
        end)
        return #list > 0 and league_section(state, league, list, minute) or
               false
    end)
    local shown = table.filter(sections, function(one) return one end)
    if any_live then
        redraw(60)
    end
    return { column{ width = "fill", background = parts.board,
                 sport_pills(state), calendar_strip(state) },
             list{ weight = 1, id = "match_list", padding_bottom = 96,
                 key = state.sport .. state.day,
                 #shown == 0 and quiet(state.only_live and words.no_live or
                     words.no_matches, "no_matches", { width = "fill",
                     padding = 48, text_align = "center",
                     style = "body_large" }) or shown } }
end

function tabs_of.leagues()
    return list{ weight = 1, id = "league_list", padding_bottom = 96,
        table.map(sport_names, function(name)
            return { parts.heading(words[name]),
                     table.map(table.filter(leagues, function(league)
                         return league.sport == name
                     end), function(league)
                         return parts.league_row(league)
                     end) }
        end) }
end

local function reminder_text(before)
    return before == 0 and words.at_start or words["before_" .. before]
end

function tabs_of.following(state, minute)
    return list{ weight = 1, id = "follow_list", padding_bottom = 96,
        #state.follows == 0 and quiet(words.no_follows, "no_follows",
            { padding = 24, style = "body_large" }) or false,
        table.map(state.follows, function(one)
            local subject = parts.subject_of(one.kind, one.id)
            local bell = icon_button{ icon = "bell", id = "alerts",
                description = string.format(t(words.alerts_of),
                                            t(subject.name)),
                on_click = { "go", "alerts", one.kind, one.id } }
            return one.kind == "team" and parts.team_row(subject, bell) or
                   parts.league_row(subject, bell)
        end),
        #state.reminders > 0 and parts.heading(words.reminders) or false,
        table.map(state.reminders, function(one)
            return { parts.match_row(state, matches[one.match], minute, true),
                     row{ width = "fill", padding_left = 92,
                          padding_bottom = 12,
                          quiet(reminder_text(one.before),
                                "reminder_time") } }
        end) }
end

function tabs_of.news(state, minute)
    local of_teams = table.map(table.filter(state.follows, function(one)
        return one.kind == "team"
    end), function(one) return teams[one.id] end)
    return list{ weight = 1, id = "news_list", padding_bottom = 96,
        article_rows(state, #of_teams > 0 and of_teams or
            { teams[leagues[1].first], teams[leagues[2].first] }, minute) }
end

local dock_icons = { matches = "calendar", leagues = "trophy",
                     following = "star", news = "file" }

-- Four icons on a bar that hovers above the list.
local function dock(state)
    return column{ width = "fill", height = "fill", across = "center",
        down = "end", padding_bottom = 16,
        row{ height = 60, radius = 30, padding_left = 10, padding_right = 10,
            gap = 6, down = "center", background = parts.board,
            shadow = "shadow",
            table.map({ "matches", "leagues", "following", "news" },
                function(name)
                    local on = state.tab == name
                    return icon_button{ icon = dock_icons[name], width = 60,
                        height = 44, radius = 22, id = "dock_" .. name,
                        description = words[name], selected = on,
                        background = on and parts.signal or nil,
                        ink = on and parts.board or parts.on_board,
                        on_click = { "tab", name } }
                end) } }
end

function screens.main(state)
    return page{
        row{ width = "fill", height = 60, padding_left = 20,
            padding_right = 4, down = "center", background = parts.board,
            text{ state.tab == "matches" and words.app or words[state.tab],
                  id = "app_title", weight = 1, text_size = 24,
                  font = "bold", ink = parts.signal, lines = 1 },
            state.tab == "matches" and parts.board_button("calendar",
                "choose_day", words.choose_day, { "go", "calendar" }) or
                false,
            parts.board_button("search", "search", words.find, "search"),
            parts.board_button("gear", "settings", words.settings,
                               { "go", "settings" }) },
        stack{ width = "fill", weight = 1,
            column{ width = "fill", height = "fill",
                    tabs_of[state.tab](state, parts.minute()) },
            dock(state) } }
end

function screens.calendar(state)
    return page{ title = words.choose_day,
        dates.calendar{ least = matches[1].start // 1440, months = 8,
            from = state.day, to = state.day, pick = "pick_day" } }
end

-- ---- search ----

local function found(list_of, query)
    local has = market.finder(query)
    return table.filter(list_of, function(one)
        return has((one.name.en .. " " .. one.name.zh):lower())
    end)
end

function screens.search(state)
    local rows = false
    if state.query:trim() ~= "" then
        local some = found(players, state.query)
        rows = table.join(
            table.map(found(teams, state.query), function(team)
                return parts.team_row(team)
            end),
            table.map(found(leagues, state.query), function(league)
                return parts.league_row(league)
            end),
            table.map({ table.unpack(some, 1, math.min(#some, FOUND)) },
                function(player)
                    return parts.player_row(player,
                                            teams[player.team].name)
                end))
    end
    return page{
        row{ width = "fill", height = 64, down = "center", padding_right = 8,
            background = parts.board,
            icon_button{ icon = "back", on_click = "back",
                ink = parts.on_board,
                description = { en = "Navigate up", zh = "转到上一层级" } },
            field{ text = state.query, hint = words.search, weight = 1,
                id = "search_input", autofocus = true,
                background = "surface", on_change = "query" },
            state.query ~= "" and icon_button{ icon = "close", id = "clear",
                ink = parts.on_board, description = words.clear,
                on_click = "clear" } or false },
        list{ weight = 1, id = "search_results", key = state.query,
            rows and (#rows > 0 and rows or quiet(words.none_found,
                "none_found", { padding = 24 })) } }
end

-- ---- sheets ----

function screens.alerts(state, kind, id)
    local follow = parts.follow_of(state, kind, id)
    local subject = parts.subject_of(kind, id)
    return sheet{ title = string.format(t(words.alerts_of), t(subject.name)),
        id = "alerts_sheet",
        follow and shuffle_by_skin(table.map(alert_names, function(name)
            local said = words["alert_" .. name]
            return item{ said, id = name .. "_row", key = name,
                switch{ checked = follow[name], id = name,
                        description = said,
                        on_change = { "alert", kind, id, name } } }
        end)) or false,
        item{ words.unfollow, icon = "close", id = "unfollow_here",
              on_click = { "unfollow_here", kind, id } } }
end

function screens.remind(state, id)
    local reminder = parts.reminder_of(state, id)
    local match = matches[id]
    return sheet{ title = words.remind, id = "remind_sheet",
        row{ width = "fill", padding_left = 16, padding_bottom = 8,
            quiet(parts.match_name(match) .. "\n" ..
                  dates.medium(match.start // 1440) .. " · " ..
                  parts.time(state, match.start % 1440), "remind_match",
                  { style = "body_medium" }) },
        table.map(befores, function(before)
            return item{ reminder_text(before), id = "before_" .. before,
                key = "b" .. before, on_click = { "remind", id, before },
                radio{ checked = reminder and reminder.before == before or
                       false, clickable = false } }
        end),
        reminder and item{ words.forget, icon = "delete", id = "forget",
            on_click = { "forget", id } } or false }
end

-- An offer that covers the page: only the small cross and BACK lead on.
function screens.plus()
    return page{
        row{ width = "fill", padding = 8, across = "end",
            background = parts.board,
            icon_button{ icon = "close", id = "close_offer",
                ink = parts.board_quiet, description = words.plus_no,
                on_click = "no_plus" } },
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 20, padding = 32,
            background = parts.board,
            column{ width = 132, height = 132, radius = 66,
                across = "center", down = "center",
                background = parts.signal,
                icon{ icon = "trophy", width = 72, height = 72,
                      ink = parts.board } },
            text{ words.plus, text_size = 34, font = "bold",
                  ink = parts.signal },
            text{ words.plus_line, style = "title_medium",
                  ink = parts.on_board, text_align = "center" } },
        column{ width = "fill", padding = 24, gap = 10, across = "center",
            background = parts.board,
            row{ width = "fill",
                button{ words.plus_try, weight = 1, height = 56,
                    id = "try_plus", background = parts.signal,
                    ink = parts.board, on_click = "try_plus" } },
            text{ string.format(t(words.plus_price), money(PRICE)),
                  style = "body_small", ink = parts.board_quiet } } }
end

-- ---- an article ----

local function scorer_line(match, minute)
    local names = table.map(table.filter(season.events_of(match, minute),
        season.is_goal), function(event)
            return t(players[event.player].name) .. " " .. event.minute .. "′"
        end)
    return #names > 0 and string.format(t(words.scored_by),
        table.concat(names, t{ en = ", ", zh = "、" })) or false
end

local function place_of(team, minute)
    local rows = season.table_of(leagues[team.league], "all", "points",
                                 minute)
    for place, line in ipairs(rows) do
        if line.team == team.id then
            return t{ en = "no. " .. place, zh = tostring(place) }
        end
    end
end

local article_texts = {}

function article_texts.signing(_, id)
    local team = teams[players[id].team]
    local career = world.career_of(players[id])
    return { string.format(t(words.signing_text), t(team.coach),
                           money(career.fee * 100)) }
end

function article_texts.preview(_, id, minute)
    local match = matches[id]
    local home, away = teams[match.home], teams[match.away]
    return { string.format(t(words.preview_text), t(home.ground),
                           place_of(home, minute), place_of(away, minute)) }
end

function article_texts.report(state, id, minute)
    local match = matches[id]
    if parts.is_hidden(state, match, minute) then
        return { words.hidden_score }
    end
    local score = season.score_of(match, minute)
    return { string.format(t(words.report_text),
                           t(teams[match.home].ground), score[1], score[2]),
             scorer_line(match, minute) }
end

function screens.article(state, kind, id)
    local minute = parts.minute()
    local of_player = kind == "signing"
    local match = not of_player and matches[id]
    return page{ title = words.news,
        list{ weight = 1, id = "article_page", gap = 12, padding = 20,
            text{ headline(state, kind, id, minute), id = "article_title",
                  style = "headline_medium", font = "bold" },
            row{ width = "fill", gap = 12, down = "center",
                of_player and parts.portrait(players[id], 96) or
                { parts.crest(teams[match.home], 64),
                  parts.crest(teams[match.away], 64) } },
            table.map(table.filter(article_texts[kind](state, id, minute),
                function(one) return one end), function(one)
                    return text{ one, style = "body_large", width = "fill",
                                 id = "paragraph" }
                end),
            match and parts.match_row(state, match, minute, true) or
                parts.player_row(players[id],
                                 teams[players[id].team].name) } }
end

function screens.ad()
    return page{ title = words.sponsored,
        web{ weight = 1, text{ words.ad_title, style = "headline_large" },
             text{ words.ad_text },
             button{ words.close, id = "close", on_click = "back" } } }
end

-- ---- settings ----

local function choice_dialog(said, names, prefix, chosen, handler)
    return dialog{ title = said, id = handler .. "_dialog",
        table.map(names, function(name)
            return item{ words[prefix .. name], id = prefix .. name,
                key = name, on_click = { handler, name },
                radio{ checked = name == chosen, clickable = false } }
        end) }
end

function screens.units(state)
    return choice_dialog(words.units, { "metric", "imperial" }, "",
                         state.units, "units")
end

function screens.clock(state)
    return choice_dialog(words.clock, { "24", "12" }, "clock_", state.clock,
                         "clock")
end

function screens.settings(state)
    local function toggle(name, sign)
        return item{ words[name], icon = sign, id = name .. "_row",
            detail = words[name .. "_text"],
            switch{ checked = state[name], id = name,
                    description = words[name], on_change = name } }
    end
    return page{ title = words.settings,
        shuffle_by_skin{
            toggle("hide_scores", "eye_off"),
            toggle("quiet_night", "dark"),
            item{ words.units, icon = "resize", id = "units",
                  detail = words[state.units],
                  on_click = { "go", "units" } },
            item{ words.clock, icon = "time", id = "clock",
                  detail = words["clock_" .. state.clock],
                  on_click = { "go", "clock" } } } }
end

return {
    package = "org.proctor.sports",
    name = words.app,
    hue = 200,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { words = words, leagues = leagues, teams = teams, players = players,
              cities = world.cities, matches = matches,
              first_follows = first_follows,
              match_name = parts.match_name, age_of = world.age_of,
              career_of = world.career_of, is_goal = season.is_goal,
              is_finished = season.is_finished,
              score_of = season.score_of,
              matches_of = season.matches_of, table_of = season.table_of,
              log_of = season.log_of, scorers_of = season.scorers_of },
    on_back = function(state)
        if current() == "main" and state.tab ~= "matches" then
            state.tab = "matches"
            return true
        end
        return false
    end,
}
