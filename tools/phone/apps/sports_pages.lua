-- The pages of Sports on one match, league, team or player.

local words = include("sports_words")
local parts = include("sports_parts")
local season = parts.season
local world = season.world
local leagues, teams, players = world.leagues, world.teams, world.players
local sports, matches = world.sports, season.matches

local LOADED = 12 -- players of a list at first, and each time it is scrolled

local screens = {}

-- ---- a match ----

local function big_side(team)
    return column{ weight = 1, gap = 8, across = "center",
        id = "side", key = "t" .. team.id, description = team.name,
        on_click = { "open", "team", team.id },
        parts.crest(team, 64),
        text{ team.name, ink = parts.on_board, style = "title_small",
              text_align = "center", lines = 2, id = "side_name" } }
end

local function big_score(state, match, minute)
    local status = season.status_of(match, minute)
    local hidden = parts.is_hidden(state, match, minute)
    local score = season.score_of(match, minute)
    local said = not score and "– : –" or hidden and "? : ?" or
                 score[1] .. " : " .. score[2]
    return column{ width = 132, across = "center", gap = 4,
        text{ said, id = "match_score", ink = parts.on_board,
              text_size = 32, font = "bold", lines = 1 },
        text{ parts.status_text(state, match, minute), id = "match_status",
              style = "label_large",
              ink = status == "live" and parts.live or parts.signal },
        text{ dates.medium(match.start // 1440), id = "match_day", lines = 1,
              style = "label_medium", ink = parts.board_quiet } }
end

local function event_row(match, event)
    local own = players[event.player]
    local home = event.side == 1
    local detail = season.is_goal(event) and event.other and
                   string.format(t(words.assist_by),
                                 t(players[event.other].name)) or
                   event.kind == "change" and
                   string.format(t(words.off), t(players[event.other].name))
    local mark = (event.kind == "yellow" or event.kind == "red" or
                  event.kind == "two_minutes") and
        space{ width = 12, height = 16, radius = 2,
               background = event.kind == "yellow" and "#f5c400" or
                            event.kind == "red" and "#e02020" or
                            "#5b8def" } or
        icon{ icon = event.kind == "change" and "swap" or match.sport,
              width = 18, height = 18 }
    local said = column{ weight = 1, across = home and "start" or "end",
        text{ own.name, id = "event_player", style = "body_large", lines = 1 },
        quiet(t(words[event.kind]) .. (detail and " · " .. detail or ""),
              "event_detail",
              { text_align = home and "left" or "right" }) }
    local away_first = row{ width = 40, across = "center",
        text{ event.minute .. "′", id = "event_minute", style = "label_large",
              ink = "primary" } }
    return row{ id = "event", width = "fill", gap = 10, padding = 8,
        padding_left = 16, padding_right = 16, down = "center",
        on_click = { "open", "player", event.player },
        home and { away_first, mark, said } or { said, mark, away_first } }
end

local function quarter_rows(match, minute)
    local _, clock = season.status_of(match, minute)
    local over = season.is_finished(match, minute) and 4 or clock // 10
    local rows = {}
    for quarter = 1, over do
        local function part(side)
            local at = match.quarters[side]
            return at[quarter] - (at[quarter - 1] or 0)
        end
        rows[quarter] = parts.fact(
            string.format(t(words.quarter), quarter),
            part(1) .. " : " .. part(2), "quarter")
    end
    return rows
end

local function form_row(team, minute)
    local list = table.filter(season.matches_of(team.id), function(match)
        return season.is_finished(match, minute)
    end)
    local row_of = {}
    for place = math.max(1, #list - 4), #list do
        local match = list[place]
        local score = season.score_of(match, minute)
        local side = match.home == team.id and 1 or 2
        local name = score[1] == score[2] and "draw" or
                     score[side] > score[3 - side] and "win" or "loss"
        row_of[#row_of + 1] = column{ width = 28, height = 28, radius = 14,
            across = "center", down = "center",
            background = name == "win" and "#2e7d32" or
                         name == "loss" and "#b3261e" or "#6b7280",
            text{ words["letter_" .. name], ink = "#ffffff",
                  style = "label_medium" } }
    end
    return row{ width = "fill", padding = 8, padding_left = 16,
        padding_right = 16, gap = 8, down = "center",
        text{ team.name, weight = 1, lines = 1, style = "body_large" },
        row_of }
end

local function about_match(state, match)
    return { divider{},
        parts.fact(words.ground, teams[match.home].ground, "ground"),
        parts.fact(words.start, dates.medium(match.start // 1440) .. " · " ..
                   parts.time(state, match.start % 1440), "start_time") }
end

local match_tabs = {}

function match_tabs.events(state, match, minute)
    if (season.status_of(match, minute)) == "upcoming" then
        return { quiet(words.not_started, "not_started", { padding = 16,
                       style = "body_large" }),
                 not state.hide_scores and
                     { parts.heading(words.form),
                       form_row(teams[match.home], minute),
                       form_row(teams[match.away], minute) } or false,
                 about_match(state, match) }
    elseif parts.is_hidden(state, match, minute) then
        return column{ width = "fill", padding = 40, gap = 16,
            across = "center",
            icon{ icon = "eye_off", width = 40, height = 40,
                  ink = "outline" },
            text{ words.hidden_score, id = "hidden_score" },
            button{ words.show_score, id = "show_score", style = "tonal",
                    on_click = { "reveal", match.id } } }
    end
    local list = season.events_of(match, minute)
    return { match.quarters and quarter_rows(match, minute) or
             #list == 0 and quiet(words.no_events, "no_events",
                                  { padding = 16 }) or
             table.map(list, function(event)
                 return event_row(match, event)
             end),
             about_match(state, match) }
end

local function line_up_of(match, team)
    local starting, bench = season.line_up(match, team)
    local function rows(ids)
        return table.map(ids, function(id)
            local player = players[id]
            return parts.player_row(player, words[player.line],
                text{ player.number, id = "shirt", style = "title_medium",
                      ink = "on_surface_variant" })
        end)
    end
    return { parts.heading(t(team.name) .. " · " .. t(words.starting)),
             rows(starting),
             #bench > 0 and parts.heading(t(team.name) .. " · " ..
                                          t(words.bench)) or false,
             rows(bench) }
end

function match_tabs.line_ups(_, match, minute)
    if minute < match.start - 60 then
        return quiet(words.line_ups_later, "line_ups_later",
                     { padding = 16, style = "body_large" })
    end
    return { line_up_of(match, teams[match.home]),
             line_up_of(match, teams[match.away]) }
end

-- Names of the statistics of each sport, and their range.
local statistics = {
    football = { { "corners", 1, 11 }, { "fouls", 5, 19 },
                 { "saves", 0, 7 } },
    hockey = { { "face_offs", 15, 36 }, { "saves", 9, 30 } },
    basketball = { { "rebounds", 24, 48 }, { "assists", 10, 29 },
                   { "threes", 4, 15 }, { "turnovers", 6, 19 } },
}

local function statistic_row(name, home, away, unit)
    return column{ width = "fill", padding = 10, padding_left = 16,
        padding_right = 16, gap = 6,
        row{ width = "fill", down = "center",
            text{ home .. unit, id = "home_" .. name, width = 56,
                  style = "title_medium" },
            text{ words[name], weight = 1, text_align = "center",
                  style = "body_medium", ink = "on_surface_variant" },
            text{ away .. unit, id = "away_" .. name, width = 56,
                  text_align = "right", style = "title_medium" } },
        row{ width = "fill", gap = 3,
            space{ weight = home + 1, height = 6, radius = 3,
                   background = "primary" },
            space{ weight = away + 1, height = 6, radius = 3,
                   background = "tertiary" } } }
end

function match_tabs.statistics(_, match, minute)
    local status, clock = season.status_of(match, minute)
    if status == "upcoming" then
        return quiet(words.not_started, "not_started",
                     { padding = 16, style = "body_large" })
    end
    local r = random("statistics", match.id)
    local phases = sports[match.sport].phases
    local length = phases[#phases][4]
    local held = r.int(34, 66)
    local function so_far(low, high)
        return r.int(low, high) * clock // length
    end
    local score, counts = season.score_of(match, minute), {}
    for _, one in ipairs(statistics[match.sport]) do
        counts[one[1]] = { so_far(one[2], one[3]), so_far(one[2], one[3]) }
    end
    -- A shot is a goal, saved, or wide.
    local saves = counts.saves
    return { saves and
                 { statistic_row("possession", held, 100 - held, "%"),
                   statistic_row("shots", score[1] + saves[2] + so_far(1, 8),
                                 score[2] + saves[1] + so_far(1, 8), "") } or
                 false,
             table.map(statistics[match.sport], function(one)
                 local count = counts[one[1]]
                 return statistic_row(one[1], count[1], count[2], "")
             end) }
end

-- Of both teams, the newest first.
local function meetings_of(match)
    local list = season.matches_where(function(other)
        return other.home == match.home and other.away == match.away or
               other.home == match.away and other.away == match.home
    end)
    return table.sort(list, function(a, b) return a.start > b.start end)
end

local function count_box(number, said, id)
    return column{ weight = 1, across = "center", padding = 12,
        text{ number, id = id, style = "headline_medium", font = "bold" },
        quiet(said, nil, { lines = 1, text_align = "center" }) }
end

function match_tabs.meetings(state, match, minute)
    local wins = { [match.home] = 0, [match.away] = 0 }
    local draws, list = 0, meetings_of(match)
    for _, one in ipairs(list) do
        local score = season.is_finished(one, minute) and
                      season.score_of(one, minute)
        if score and score[1] == score[2] then
            draws = draws + 1
        elseif score then
            local winner = score[1] > score[2] and one.home or one.away
            wins[winner] = wins[winner] + 1
        end
    end
    return { not state.hide_scores and row{ width = "fill",
                 count_box(wins[match.home], teams[match.home].name,
                           "home_wins"),
                 count_box(draws, words.draws, "draws"),
                 count_box(wins[match.away], teams[match.away].name,
                           "away_wins") } or false,
             divider{},
             table.map(list, function(one)
                 return parts.match_row(state, one, minute, true)
             end) }
end

local match_names = { "events", "line_ups", "statistics", "meetings" }

function screens.match(state, id)
    local match, minute = matches[id], parts.minute()
    local status = season.status_of(match, minute)
    local league = leagues[match.league]
    if status == "live" then
        redraw(60)
    end
    local reminder = parts.reminder_of(state, id)
    return page{
        parts.board_head({
            column{ width = "fill", across = "center", gap = 12,
                text{ t(league.name) .. " · " ..
                      string.format(t(words.round), match.round),
                      id = "match_league", ink = parts.board_quiet,
                      style = "label_large", lines = 1,
                      on_click = { "open", "league", league.id } },
                row{ width = "fill", padding_left = 8, padding_right = 8,
                    big_side(teams[match.home]),
                    big_score(state, match, minute),
                    big_side(teams[match.away]) } } },
            status == "upcoming" and parts.board_button("bell", "remind",
                words.remind, { "go", "remind", id }, reminder ~= nil) or
                false),
        parts.board_tabs(state.match_tab, match_names, "match_tab"),
        list{ weight = 1, id = "match_page", key = state.match_tab,
            padding_bottom = 24,
            match_tabs[state.match_tab](state, match, minute) } }
end

-- ---- a league ----

local league_tabs = {}
local orders = { "points", "difference", "scored", "against" }

-- Large texts leave room for the most important columns only.
local function is_wide()
    return parts.text_scale() <= 1.2
end

local function cell(said, width, id, more)
    local made = more or {}
    made[1], made.width, made.id = said, width * parts.text_scale(), id
    made.text_align, made.lines = "center", 1
    made.style = made.style or "body_medium"
    return text(made)
end

local function signed(number)
    return number > 0 and "+" .. number or number < 0 and "−" .. -number or "0"
end

-- A heading of the table, which sorts by its column.
local function column_head(state, name, width, order)
    local on = state.order == order
    return column{ width = width * parts.text_scale(), id = "col_" .. name,
        across = "center",
        padding_top = 10, padding_bottom = 10, selected = on,
        description = words[order], on_click = { "sort_by", order },
        text{ words["col_" .. name], style = "label_medium", lines = 1,
              font = on and "bold" or "regular",
              ink = on and "primary" or "on_surface_variant" } }
end

local function table_head(state, wide)
    local function plain(name, width)
        return cell(words["col_" .. name], width, nil,
                    { style = "label_medium", ink = "on_surface_variant" })
    end
    return row{ width = "fill", padding_left = 12, padding_right = 12,
        down = "center", background = "surface_container",
        cell("#", 28, nil, { style = "label_medium",
                             ink = "on_surface_variant" }),
        text{ words.team, weight = 1, style = "label_medium",
              ink = "on_surface_variant" },
        wide and { plain("played", 28), plain("win", 24), plain("draw", 24),
                   plain("loss", 24),
                   column_head(state, "goals", 60, "scored") } or false,
        column_head(state, "difference", 44, "difference"),
        column_head(state, "points", 40, "points") }
end

local function table_row(state, line, place, wide)
    local team = teams[line.team]
    local followed = parts.follow_of(state, "team", team.id)
    return row{ id = "table_row", key = "t" .. team.id, width = "fill",
        height = wide and 48 or 72, padding_left = 12, padding_right = 12,
        down = "center", on_click = { "open", "team", team.id },
        description = team.name,
        background = followed and "primary_container" or nil,
        cell(place, 28, "place", { style = "label_large" }),
        row{ weight = 1, gap = 8, down = "center", parts.crest(team, 24),
            text{ team.name, id = "team_name", weight = 1, lines = 2,
                  style = "label_large" } },
        wide and { cell(line.played, 28, "played"), cell(line.win, 24, "win"),
                   cell(line.draw, 24, "draw"), cell(line.loss, 24, "loss"),
                   cell(line.scored .. ":" .. line.against, 60, "goals",
                        { style = "body_small" }) } or false,
        cell(signed(line.scored - line.against), 44, "difference"),
        cell(line.points, 40, "points", { style = "title_small",
                                          font = "bold" }) }
end

function league_tabs.table_tab(state, league, minute)
    local wide = is_wide()
    return { row{ width = "fill", padding = 8, padding_left = 16, gap = 8,
                 down = "center",
                 flow{ weight = 1, gap = 8,
                     parts.chips(state.venue, { "all", "home", "away" },
                                 "venue", "venue_") },
                 icon_or_text{ words.sort, icon = "sort", id = "sort",
                     on_click = { "go", "sort" } } },
             table_head(state, wide),
             table.map(season.table_of(league, state.venue, state.order,
                                       minute),
                 function(line, place)
                     return table_row(state, line, place, wide)
                 end) }
end

function league_tabs.fixtures(state, league, minute)
    local list = season.matches_where(function(match)
        return match.league == league.id and match.round == state.round
    end)
    return { row{ width = "fill", padding = 4, down = "center",
                 icon_button{ icon = "left", id = "earlier_round",
                     description = words.earlier_round,
                     disabled = state.round == 1,
                     on_click = { "round", state.round - 1 } },
                 text{ string.format(t(words.round), state.round),
                       id = "round", weight = 1, text_align = "center",
                       style = "title_medium" },
                 icon_button{ icon = "right", id = "later_round",
                     description = words.later_round,
                     disabled = state.round == league.rounds,
                     on_click = { "round", state.round + 1 } } },
             table.map(list, function(match)
                 return parts.match_row(state, match, minute, true)
             end) }
end

function league_tabs.scorers(state, league, minute)
    local ball = league.sport == "basketball"
    local order = ball and "points" or state.leaders
    local list = season.scorers_of(league, order, minute)
    return { not ball and row{ width = "fill", padding = 8,
                 padding_left = 16, gap = 8,
                 parts.chips(order, { "goals", "assists" }, "leaders",
                             "by_") } or false,
             table.map({ table.unpack(list, 1, math.min(#list,
                                                        state.shown)) },
                 function(one)
                     local player = players[one.player]
                     return parts.player_row(player,
                         t(teams[player.team].name) .. " · " ..
                         t(words[player.line]),
                         text{ one[order], id = "count", font = "bold",
                               style = "title_large", ink = "primary" })
                 end) }
end

local league_names = { "table_tab", "fixtures", "scorers" }

function screens.league(state, id)
    local league, minute = leagues[id], parts.minute()
    return page{
        parts.board_head(row{ width = "fill", padding_left = 20, gap = 16,
            padding_right = 20, down = "center",
            parts.league_badge(league, 52),
            column{ weight = 1,
                text{ league.name, id = "league_title", lines = 2,
                      style = "title_large", ink = parts.on_board },
                text{ t(words[league.sport]) .. " · " ..
                      parts.season_name(0), style = "label_medium",
                      ink = parts.board_quiet } } },
            parts.follow_buttons(state, "league", id)),
        parts.board_tabs(state.league_tab, league_names, "league_tab"),
        list{ weight = 1, id = "league_page", key = state.league_tab,
            padding_bottom = 24, on_scroll = "more_players",
            league_tabs[state.league_tab](state, league, minute) } }
end

function screens.sort(state)
    return market.sort_sheet(words, state.order, orders)
end

-- ---- a team ----

local team_tabs = {}
local squad_orders = {
    number = function(a, b) return a.number < b.number end,
    age = function(a, b) return a.born > b.born end,
}

local function squad_row(player)
    return parts.player_row(player, t(player.country) .. " · " ..
        string.format(t(words.age), world.age_of(player, dates.today())),
        text{ player.number, id = "shirt", style = "title_medium",
              ink = "on_surface_variant" })
end

function team_tabs.squad(state, team)
    local squad = table.map(team.squad, function(id) return players[id] end)
    local order = squad_orders[state.squad_order]
    local rows = order and table.map(table.sort(squad, order), squad_row) or
        table.map(sports[team.sport].lines, function(line)
            return { parts.heading(words[line.id .. "s"], "line"),
                     table.map(table.filter(squad, function(player)
                         return player.line == line.id
                     end), squad_row) }
        end)
    return { flow{ width = "fill", padding = 8, padding_left = 16, gap = 8,
                 parts.chips(state.squad_order, { "line", "number", "age" },
                             "squad_order", "by_") },
             table.map(rows, function(one)
                 return one[1] and column{ width = "fill", one } or one
             end) }
end

function team_tabs.fixtures(state, team, minute)
    local over = state.team_matches == "results"
    local list = table.filter(season.matches_of(team.id), function(match)
        return season.is_finished(match, minute) == over
    end)
    if over then
        table.sort(list, function(a, b) return a.start > b.start end)
    end
    return { row{ width = "fill", padding = 8, padding_left = 16, gap = 8,
                 parts.chips(state.team_matches, { "upcoming", "results" },
                             "team_matches", "") },
             table.map(list, function(match)
                 return parts.match_row(state, match, minute, true)
             end) }
end

function team_tabs.club(_, team)
    local function honour(said, years, id)
        return row{ width = "fill", padding = 12, padding_left = 16,
            padding_right = 16, gap = 16, down = "center",
            icon{ icon = "trophy", ink = #years > 0 and "primary" or
                  "outline" },
            column{ weight = 1,
                text{ said, style = "body_large" },
                quiet(#years > 0 and table.concat(years, ", ") or
                      words.none_won, id) },
            text{ #years, style = "title_large" } }
    end
    return { parts.heading(words.club),
        parts.fact(words.city, world.cities[team.city], "city"),
        parts.fact(words.coach, team.coach, "coach"),
        parts.fact(words.ground, team.ground, "ground"),
        parts.fact(words.seats, grouped(team.seats), "seats"),
        parts.fact(words.founded, team.founded, "founded"),
        parts.heading(words.honours),
        honour(words.title_won, team.titles, "titles"),
        honour(words.cup_won, team.cups, "cups") }
end

local team_names = { "squad", "fixtures", "news", "club" }

-- `article_rows` makes the rows of a team's news.
local function make_team_screen(article_rows)
    function team_tabs.news(state, team, minute)
        return article_rows(state, { team }, minute)
    end

    function screens.team(state, id)
        local team, minute = teams[id], parts.minute()
        local league = leagues[team.league]
        return page{
            parts.board_head(row{ width = "fill", padding_left = 20, gap = 16,
                padding_right = 20, down = "center",
                parts.crest(team, 64),
                column{ weight = 1, gap = 4,
                    text{ team.name, id = "team_title", lines = 2,
                          style = "headline_small", ink = parts.on_board },
                    text{ league.name, id = "team_league", lines = 1,
                          style = "label_large", ink = parts.signal,
                          on_click = { "open", "league", league.id } } } },
                parts.follow_buttons(state, "team", id)),
            parts.board_tabs(state.team_tab, team_names, "team_tab"),
            list{ weight = 1, id = "team_page", key = state.team_tab,
                padding_bottom = 24,
                team_tabs[state.team_tab](state, team, minute) } }
    end
end

-- ---- a player ----

local function fold_head(state, name)
    local open = table.index(state.unfolded, name) ~= nil
    return row{ id = "fold_" .. name, width = "fill", padding = 16,
        down = "center", on_click = { "unfold", name, not open },
        description = string.format(t(open and words.fold_one or
                                      words.unfold_one), t(words[name])),
        text{ words[name], weight = 1, style = "title_medium" },
        icon{ icon = open and "up" or "down" } }
end

local function total_box(number, said, id)
    return column{ weight = 1, across = "center", padding = 12, gap = 2,
        radius = 14, background = "surface_container",
        text{ number, id = id, style = "headline_small", font = "bold" },
        quiet(said, nil, { lines = 1 }) }
end

-- What is counted in a sport.
local counted = { football = { "goals", "assists", "cards" },
                  hockey = { "goals", "assists", "cards" },
                  basketball = { "points" } }
local function count_name(player, name)
    local hockey = teams[player.team].sport == "hockey"
    return name == "cards" and hockey and words.penalties or
           name == "points" and words.by_points or words[name]
end

local function total_of(log, name)
    local sum = 0
    for _, entry in ipairs(log) do
        sum = sum + entry[name]
    end
    return sum
end

local function log_row(player, entry, names)
    local match = matches[entry.match]
    local home = match.home == player.team
    local other = teams[home and match.away or match.home]
    local said = {}
    for _, name in ipairs(names) do
        if entry[name] > 0 then
            said[#said + 1] = t(count_name(player, name)) .. " " ..
                              entry[name]
        end
    end
    return row{ id = "log_row", key = "m" .. match.id, width = "fill",
        gap = 12, padding = 10, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "open", "match", match.id },
        text{ dates.short(match.start // 1440), width = 64, lines = 1,
              style = "label_medium", ink = "on_surface_variant" },
        parts.crest(other, 28),
        column{ weight = 1,
            text{ string.format(t(words.against_team), t(other.name)),
                  id = "log_team", lines = 1, style = "body_large" },
            quiet(home and words.at_home or words.away, "log_venue") },
        text{ #said > 0 and table.concat(said, " · ") or "–", id = "log_count",
              style = "label_large" } }
end

local function season_rows(player, career)
    local ball = teams[player.team].sport == "basketball"
    return table.map(career.seasons, function(one)
        return row{ id = "season_row", width = "fill", gap = 12, padding = 10,
            padding_left = 16, padding_right = 16, down = "center",
            text{ parts.season_name(one.back), width = 68, lines = 1,
                  style = "label_large" },
            column{ weight = 1,
                text{ teams[one.team].name, id = "season_team", lines = 1,
                      style = "body_large" },
                quiet(t(words.played) .. " " .. one.played,
                      "season_played") },
            text{ ball and t(words.by_points) .. " " .. one.points or
                  t(words.goals) .. " " .. one.goals .. " · " ..
                  t(words.assists) .. " " .. one.assists,
                  id = "season_count", style = "label_medium" } }
    end)
end

local function transfer_rows(player, career)
    local function line(back, from, to, fee)
        return row{ id = "transfer_row", width = "fill", gap = 12,
            padding = 10, padding_left = 16, padding_right = 16,
            down = "center",
            text{ parts.season_name(back), width = 68, lines = 1,
                  style = "label_large" },
            column{ weight = 1,
                text{ teams[to].name, style = "body_large", lines = 1 },
                quiet(from, "transfer_from") },
            fee and text{ money(fee * 100), style = "label_large", lines = 1,
                          id = "fee" } or false }
    end
    return { line(career.moved - 1, string.format(t(words.came_from),
                  t(teams[career.from].name)), player.team, career.fee),
             line(#career.seasons + 1, string.format(t(words.trained),
                  t(world.cities[career.trained])), career.from) }
end

function screens.player(state, id)
    local player, minute = players[id], parts.minute()
    local team = teams[player.team]
    local career, log = world.career_of(player), season.log_of(player, minute)
    local names = counted[team.sport]
    local function folded(name, rows)
        return { divider{}, fold_head(state, name),
                 table.index(state.unfolded, name) and rows or false }
    end
    return page{
        parts.board_head(row{ width = "fill", padding_left = 20, gap = 16,
            padding_right = 20, down = "center",
            parts.portrait(player, 72),
            column{ weight = 1, gap = 4,
                text{ player.name, id = "player_title", lines = 2,
                      style = "headline_small", ink = parts.on_board },
                text{ team.name, id = "player_team", lines = 1,
                      style = "label_large", ink = parts.signal,
                      on_click = { "open", "team", team.id } } } }),
        list{ weight = 1, id = "player_page", padding_bottom = 24,
            parts.heading(words.this_season),
            row{ width = "fill", padding = 16, padding_top = 4, gap = 8,
                total_box(#log, words.played, "total_played"),
                table.map(names, function(name)
                    return total_box(total_of(log, name), count_name(player, name),
                                     "total_" .. name)
                end) },
            parts.fact(words.number, player.number, "number"),
            parts.fact(words.age_label, world.age_of(player, dates.today()),
                       "age"),
            parts.fact(words.country, player.country, "country"),
            parts.fact(words.height, parts.height(state, player.height),
                       "height"),
            folded("match_log", table.map(log, function(entry)
                return log_row(player, entry, names)
            end)),
            folded("seasons", season_rows(player, career)),
            folded("transfers", transfer_rows(player, career)) } }
end

return { parts = parts, screens = screens,
         make_team_screen = make_team_screen, loaded = LOADED }
