-- Texts, icons, buttons and rows that several screens of Store share.

local words = include("store_words")

local apps, kinds, developers

-- ---- finding ----

local function kind_of(app)
    return table.filter(kinds, function(kind) return kind.id == app.kind end)[1]
end

local function is_pending(state, id)
    return table.index(state.pending, id) ~= nil
end

local function owned(state, app)
    return app.price == 0 or table.index(state.owned, app.id) ~= nil
end

-- What is on the phone: not the newest while an update is pending.
local function version_here(state, app)
    return app.versions[is_pending(state, app.id) and 2 or 1]
end

-- ---- texts ----

local function size_text(tenths)
    if tenths >= 10000 then
        return string.format("%d.%02d GB", tenths // 10000,
                             tenths % 10000 // 100)
    end
    return string.format("%d.%d MB", tenths // 10, tenths % 10)
end

local function stars_text(tenths)
    return string.format("%d.%d", tenths // 10, tenths % 10)
end

local function price_text(app)
    return app.price == 0 and t(words.free) or money(app.price)
end

local function date_text(state, days)
    return dates.full(state.base - days)
end

local function used_text(days)
    return days == 0 and words.used_today or days == 1 and words.used_day or
           string.format(t(words.used_days), days)
end

-- ---- pictures ----

local tints = { "#00796b", "#5e35b1", "#c2185b", "#e65100", "#3949ab",
                "#2e7d32", "#6d4c41", "#0277bd", "#c62828", "#455a64",
                "#f9a825", "#6a1b9a" }

-- A copy looks almost like what it copies.
local function look_seed(app)
    return app.copy and apps[kind_of(app).first].seed or app.seed
end

local function tint(app) return tints[1 + look_seed(app) % #tints] end

local function app_icon(app, size)
    local seed = look_seed(app)
    local moon = size * (50 + seed % 5 * 8) // 100
    return stack{ width = size, height = size, radius = size * 23 // 100,
        clips = true, across = "center", down = "center", id = "app_icon",
        background = tint(app),
        column{ width = size, height = size, down = "end",
            across = seed % 3 == 0 and "start" or "end",
            space{ width = moon, height = moon, radius = moon // 2,
                background = app.copy and "#40000000" or "#38ffffff" } },
        icon{ icon = kind_of(app).icon, width = size * 54 // 100,
            height = size * 54 // 100, ink = "#ffffff" } }
end

-- A rating with a star: the fonts of phones may lack one.
local function star_text(tenths, after)
    return row{ gap = 3, down = "center", id = "app_facts",
        quiet(stars_text(tenths), "app_rating"),
        icon{ icon = "star", width = 12, height = 12,
            ink = "on_surface_variant" },
        after and quiet("·  " .. after, "app_more", { lines = 1 }) or false }
end

-- ---- installing ----

local function job_share(job)
    return math.min(math.max(now() - job.from, 0) / job.seconds, 1)
end

local function job_of(state, id)
    return table.find(state.jobs, id)
end

-- The size of what is loaded for an app: an update, or all of it.
local function load_size(state, app)
    return is_pending(state, app.id) and app.versions[1].size or app.size
end

local function progress_row(state, app, job)
    redraw(1)
    local share = job_share(job)
    return column{ width = "fill", gap = 4,
        quiet(string.format(t(words.loading), math.floor(share * 100),
                            size_text(load_size(state, app))), "loading"),
        progress{ width = "fill", value = share, to = 1, id = "progress" } }
end

local function stop_button(app)
    return icon_button{ icon = "close", id = "stop",
        description = t(words.stop) .. ": " .. t(app.name),
        on_click = { "stop", app.id } }
end

-- What one can do with an app, as a small button.
local function get_button(state, app)
    local function small(label, id, handler, style)
        return button{ label, id = id, style = style or "tonal", height = 36,
            padding_left = 16, padding_right = 16, on_click = handler }
    end
    if job_of(state, app.id) then
        return stop_button(app)
    elseif is_pending(state, app.id) then
        return small(words.update, "update", { "update", app.id }, "filled")
    elseif table.find(state.installed, app.id) then
        return small(words.open, "launch", { "launch", app.id }, "outlined")
    elseif not app.compatible then
        return quiet(words.incompatible, "incompatible", { lines = 2,
            width = 84, text_align = "right" })
    elseif owned(state, app) then
        return small(words.get, "get", { "get", app.id })
    end
    return small(money(app.price), "price", { "get", app.id })
end

-- ---- rows ----

local function facts_text(app)
    return size_text(app.size) .. (app.choice and "  ·  " .. t(words.choice) or
                                   "")
end

-- parts: rank, key, and what is written instead of developer and facts.
local function app_row(state, app, parts)
    parts = parts or {}
    local job = job_of(state, app.id)
    return row{ id = "app_row", key = parts.key or "app" .. app.id,
        width = "fill", gap = 14, padding_left = 16, padding_right = 12,
        padding_top = 10, padding_bottom = 10, down = "center",
        on_click = { "open", app.id },
        parts.rank and text{ parts.rank, id = "rank", width = 28,
            text_align = "center", style = "title_medium",
            ink = "on_surface_variant" } or false,
        app_icon(app, 56),
        column{ weight = 1, gap = 2,
            text{ app.name, id = "app_name", lines = 2,
                style = "title_medium" },
            job and progress_row(state, app, job) or
                { quiet(parts.first or developers[app.developer].name,
                        "app_developer", { lines = 1 }),
                  parts.second and quiet(parts.second, "app_second") or
                      star_text(app.rating, facts_text(app)) } },
        get_button(state, app) }
end

local function heading(name, id, more)
    return row{ width = "fill", padding_left = 20, padding_right = 8,
        padding_top = 16, padding_bottom = 4, down = "center", id = id,
        on_click = more,
        text{ name, weight = 1, style = "title_large", lines = 1 },
        more and icon_button{ icon = "forward", id = id .. "_more",
            description = t(words.more) .. ": " .. t(name),
            on_click = more } or false }
end

-- A tall tile of a carousel.
local function app_tile(app, key)
    return column{ id = "app_tile", key = key .. app.id, width = 108,
        gap = 6, on_click = { "open", app.id },
        app_icon(app, 100),
        text{ app.name, id = "app_name", lines = 2, style = "body_medium" },
        star_text(app.rating, price_text(app)) }
end

local function tiles(name, list)
    return carousel{ id = name, width = "fill", gap = 12,
        padding_left = 20, padding_right = 20,
        table.map(list, function(app) return app_tile(app, name) end) }
end

-- One line of details: a name, and what it is.
local function fact_row(name, value, id)
    return row{ width = "fill", gap = 16, padding = 10, padding_left = 20,
        padding_right = 20, down = "center",
        quiet(name, nil, { style = "body_medium", width = 128 }),
        text{ value, id = id, weight = 1, text_align = "right",
            style = "body_medium" } }
end

return function(store)
    apps, kinds, developers = store.apps, store.kinds, store.developers
    return { kind_of = kind_of, is_pending = is_pending,
             owned = owned, version_here = version_here,
             size_text = size_text, stars_text = stars_text,
             price_text = price_text,
             date_text = date_text, used_text = used_text,
             app_icon = app_icon, tint = tint, star_text = star_text,
             job_of = job_of, load_size = load_size,
             progress_row = progress_row, stop_button = stop_button,
             get_button = get_button, app_row = app_row, heading = heading,
             tiles = tiles, fact_row = fact_row }
end
