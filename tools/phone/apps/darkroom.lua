-- Darkroom: a picture editor with layers, masks, adjustment layers and smart
-- filters. What it edits are documents (darkroom_document.lua), whose pixels
-- the phone works out.
local names = include("darkroom_words")
local document = include("darkroom_document")
local words = names.words

local STEP = 8         -- photos that are loaded at once
local STATES_MAX = 24  -- that can be undone
local THUMB = 128      -- pixels

local FOLDER = "/sdcard/Pictures/Darkroom/"
local HISTORY = "/sdcard/Android/data/org.proctor.darkroom/files/history.json"

-- ---- tools ----

local tools = { "crop", "turn", "size", "adjust", "effects", "mask", "cutout",
                "heal", "caption", "fill" }
local tool_icons = { crop = "crop", turn = "rotate_right", size = "resize",
                     adjust = "sliders", effects = "drop", mask = "mask",
                     cutout = "scissors", heal = "bandage",
                     caption = "font_size",
                     fill = "lightbulb" }

local adjustments = { "light", "levels", "hue", "gray", "sepia", "invert" }
local effects = { "blur", "sharpen", "mosaic", "noise" }

-- The values of each filter: name, label, least, most, step, first.
local ranges = {
    light = { { "brightness", "brightness", -100, 100, 5, 0 },
              { "contrast", "contrast", -100, 100, 5, 0 } },
    levels = { { "black", "black", 0, 250, 5, 0 },
               { "white", "white", 5, 255, 5, 255 },
               { "middle", "middle", 10, 300, 10, 100 } },
    hue = { { "hue", "hue_angle", -180, 180, 10, 0 },
            { "saturation", "saturation", -100, 100, 5, 0 } },
    gray = {}, sepia = {}, invert = {},
    blur = { { "radius", "radius", 1, 24, 1, 4 } },
    sharpen = { { "amount", "amount", 10, 200, 10, 60 } },
    mosaic = { { "cell", "cell", 2, 48, 2, 10 } },
    noise = { { "amount", "amount", 5, 100, 5, 20 } },
    size = { { "scale", "scale", 20, 130, 5, 100 } },
    mask = { { "feather", "feather", 0, 24, 1, 0 } },
    caption = { { "size", "text_size", 10, 60, 2, 26 } },
    place = { { "scale", "scale", 20, 150, 5, 100 },
              { "x", "across", 0, 100, 5, 50 },
              { "y", "downward", 0, 100, 5, 50 } },
    settings = { { "opacity", "opacity", 0, 100, 5, 100 } },
}

local blends = { "normal", "multiply", "screen", "overlay", "soft_light",
                 "darken", "lighten", "difference" }
local colors = { c_white = 0xffffff, c_black = 0x101010, c_red = 0xc8473a,
                 c_yellow = 0xf2c14e, c_blue = 0x2f6fa8, c_orange = 0xe8843a }
local color_names = { "c_white", "c_black", "c_red", "c_yellow", "c_blue",
                      "c_orange" }
local heights = { at_top = 12, at_middle = 50, at_bottom = 88 }

-- ---- state ----

local function first_state()
    return { tab = "photos", shown = STEP, edits = {}, exports = {},
             open = 0, tool = "", pending = {}, news = true, ad = true }
end

local function edit_of(state)
    return state.edits[tostring(state.open)]
end

local function current_document(state)
    local edit = edit_of(state)
    return edit.states[edit.at].doc
end

-- A name that a file can have: "sailboat-moro-bay".
local function file_name(item)
    local name = document.title(item).en:lower()
    return (name:replace(" · ", "-"):replace(" ", "-"))
end

-- What it is about, for a reader of the files: layers and how they came about.
local function write_history(state)
    local edit = edit_of(state)
    local doc = edit.states[edit.at].doc
    local steps = {}
    for i = 1, edit.at do
        steps[i] = edit.states[i].what
    end
    save_data({ photo = document.title(document.item(state.open)).en,
                steps = steps, layers = doc.layers,
                now = document.describe(doc),
                exports = table.map(state.exports, function(one)
                    return one.path:sub(#FOLDER + 1) .. ": " ..
                           file_name(document.item(one.open)) .. " " ..
                           document.describe(one.doc)
                end) }, HISTORY)
end

-- Change a copy of the document, and go on from it. Where f returns false
-- nothing has changed.
local function change(state, what, f)
    local edit = edit_of(state)
    local doc = table.copy(edit.states[edit.at].doc)
    if f(doc) == false then
        return false
    end
    for i = #edit.states, edit.at + 1, -1 do
        edit.states[i] = nil
    end
    if edit.at >= STATES_MAX then
        table.remove(edit.states, 2)
    end
    table.insert(edit.states, { what = what, doc = doc })
    edit.at = #edit.states
    write_history(state)
    return true
end

-- ---- what is being set ----

local function first_values(kind)
    local values = {}
    for _, range in ipairs(ranges[kind] or {}) do
        values[range[1]] = range[6]
    end
    return values
end

local function filter_of(pending)
    local filter = { op = pending.op }
    for _, range in ipairs(ranges[pending.op]) do
        filter[range[1]] = pending.values[range[1]]
    end
    return filter
end

local function find_range(kind, name)
    for _, range in ipairs(ranges[kind]) do
        if range[1] == name then
            return range
        end
    end
end

-- Which values the sliders of the tool in use set.
local function range_kind(state)
    local tool = state.tool
    if tool == "adjust" or tool == "effects" or tool == "tune" then
        return state.pending.op
    end
    return tool
end

local starts = {
    crop = function() return { ratio = "whole", keep = "keep_middle" } end,
    size = function() return { values = first_values("size") } end,
    adjust = function()
        return { op = "light", where = "here", values = first_values("light") }
    end,
    effects = function()
        return { op = "blur", values = first_values("blur") }
    end,
    mask = function()
        return { kind = "subject", values = first_values("mask") }
    end,
    cutout = function() return { part = "background" } end,
    caption = function()
        return { text = "", color = "c_white", height = "at_bottom",
                 values = first_values("caption") }
    end,
    fill = function() return { color = "c_orange" } end,
    place = function() return { values = first_values("place") } end,
    tune = function(doc, number)
        local layer = document.active(doc)
        local filter = number and layer.filters[number] or layer
        local values = {}
        for _, range in ipairs(ranges[filter.op]) do
            values[range[1]] = filter[range[1]]
        end
        return { op = filter.op, number = number, values = values }
    end,
    settings = function(doc)
        local layer = document.active(doc)
        return { blend = layer.blend or "normal",
                 values = { opacity = layer.opacity or 100 } }
    end,
}

-- What the tool in use does to a document; false where it cannot.
local uses = {}

function uses.crop(doc, pending)
    local step = document.crop(doc, pending.ratio, pending.keep)
    return step ~= nil and document.reshape(doc, step)
end

function uses.size(doc, pending)
    if pending.values.scale == 100 then
        return false
    end
    return document.reshape(doc, document.resize(doc, pending.values.scale))
end

function uses.adjust(doc, pending)
    local filter = filter_of(pending)
    if pending.where == "above" then
        return document.adjust(doc, filter)
    end
    return document.has_pixels(document.active(doc)) and
           document.filter(doc, filter)
end

function uses.effects(doc, pending)
    return document.has_pixels(document.active(doc)) and
           document.filter(doc, filter_of(pending))
end

function uses.mask(doc, pending)
    local mask = document.new_mask(doc, pending.kind, pending.values.feather)
    document.active(doc).mask = mask
    return mask ~= nil
end

function uses.cutout(doc, pending)
    return document.erase(doc, pending.part)
end

-- Other values for an adjustment layer, or for a smart filter by its number.
function uses.tune(doc, pending)
    local layer = document.active(doc)
    local filter = pending.number and layer.filters[pending.number] or layer
    for name, value in pairs(pending.values) do
        filter[name] = value
    end
end

function uses.caption(doc, pending)
    return pending.text:trim() ~= "" and document.insert(doc,
        document.new_caption(doc, pending.text, colors[pending.color],
                             heights[pending.height], pending.values.size))
end

function uses.fill(doc, pending)
    local layer = document.active(doc)
    if not document.is_paintable(layer) or #layer.steps >= 30 then
        return false
    end
    table.insert(layer.steps, { op = "fill", color = colors[pending.color] })
end

function uses.place(doc, pending)
    local layer = document.active(doc)
    if layer.kind ~= "photo" or #layer.steps >= 30 then
        return false
    end
    local step = { op = "place", scale = pending.values.scale,
                   x = pending.values.x, y = pending.values.y }
    table.insert(layer.steps, step)
    if layer.mask and layer.mask.kind == "subject" then
        table.insert(layer.mask.steps, table.copy(step))
    end
end

function uses.settings(doc, pending)
    local layer = document.active(doc)
    layer.opacity = pending.values.opacity
    layer.blend = pending.blend
end

-- The document as it would be.
local function shown_document(state)
    local doc = current_document(state)
    if uses[state.tool] then
        local copy = table.copy(doc)
        if uses[state.tool](copy, state.pending) ~= false then
            return copy
        end
    end
    return doc
end

-- ---- handlers ----

local handlers = {}

function handlers.tab(state, name) state.tab = name end

function handlers.more(state, left)
    if left >= 300 or state.shown >= #document.photos then
        return false
    end
    state.shown = state.shown + STEP
end

function handlers.close_ad(state) state.ad = false end

function handlers.open(state, id)
    local key = tostring(id)
    state.open, state.tool = id, ""
    state.edits[key] = state.edits[key] or { at = 1, states = {
        { what = "opened", doc = document.new(id) } } }
    go("editor")
    if state.news then
        go("news")
    end
end

function handlers.close_news(state)
    state.news = false
    back()
end

function handlers.undo(state)
    local edit = edit_of(state)
    edit.at = math.max(1, edit.at - 1)
    state.tool = ""
    write_history(state)
end

function handlers.redo(state)
    local edit = edit_of(state)
    edit.at = math.min(#edit.states, edit.at + 1)
    state.tool = ""
    write_history(state)
end

function handlers.return_to(state, at)
    edit_of(state).at = at
    write_history(state)
    back()
end

-- ---- tools ----

function handlers.tool(state, name, number)
    state.tool = name
    state.pending = starts[name] and
                    starts[name](current_document(state), number) or {}
end

function handlers.cancel(state) state.tool = "" end

function handlers.apply(state)
    local what = state.tool ~= "tune" and state.pending.op or state.tool
    local done = change(state, what, function(doc)
        return uses[state.tool](doc, state.pending)
    end)
    if not done and state.tool ~= "crop" and state.tool ~= "size" then
        snack(words.not_possible)
    end
    state.tool = ""
end

function handlers.ratio(state, name) state.pending.ratio = name end
function handlers.keep(state, name) state.pending.keep = name end
function handlers.where(state, name) state.pending.where = name end
function handlers.mask_kind(state, name) state.pending.kind = name end
function handlers.part(state, name) state.pending.part = name end
function handlers.color(state, name) state.pending.color = name end
function handlers.height(state, name) state.pending.height = name end
function handlers.caption_text(state, text) state.pending.text = text:upper() end
function handlers.blend(state, name) state.pending.blend = name end

function handlers.kind(state, name)
    state.pending.op = name
    state.pending.values = first_values(name)
end

function handlers.amount(state, name, value)
    state.pending.values[name] = value
end

function handlers.more_or_less(state, name, by)
    local range = find_range(range_kind(state), name)
    state.pending.values[name] = math.max(range[3],
        math.min(range[4], state.pending.values[name] + by))
end

function handlers.turn(state, quarters)
    change(state, quarters == 1 and "right" or "left", function(doc)
        return document.reshape(doc, { op = "rotate", quarters = quarters })
    end)
end

function handlers.flip(state, way)
    change(state, way, function(doc)
        return document.reshape(doc, { op = "flip", way = way })
    end)
end

function handlers.heal(state, row, column)
    change(state, "heal", function(doc)
        local layer = document.active(doc)
        if not document.is_paintable(layer) or #layer.steps >= 30 then
            return false
        end
        table.insert(layer.steps, document.heal_step(doc, row, column))
    end)
end

function handlers.remove_mask(state)
    change(state, "remove_mask", function(doc)
        document.active(doc).mask = nil
    end)
    state.tool = ""
end

-- ---- layers ----

function handlers.layers(state)
    state.tool = ""
    go("layers")
end

function handlers.select(state, id)
    local edit = edit_of(state)
    edit.states[edit.at].doc.active = id
end

function handlers.show(state, id, on)
    change(state, on and "show" or "hide", function(doc)
        document.layer(doc, id).hidden = not on or nil
    end)
end

function handlers.layer_menu(state, id)
    handlers.select(state, id)
    go("layer_menu", id)
end

function handlers.add_layer() go("add_layer") end

function handlers.blank(state)
    back()
    if not change(state, "blank", function(doc)
        return document.insert(doc, { kind = "blank", name = words.blank,
                                      steps = {}, filters = {} })
    end) then
        snack(words.full)
    end
end

function handlers.pick_photo() replace("pick_photo") end

function handlers.add_photo(state, id)
    back()
    if not change(state, "photo_layer", function(doc)
        return document.add_photo(doc, document.photos[id])
    end) then
        snack(words.full)
    end
end

-- What the menu of a layer does: to the active one.
local function menu_handler(what, f)
    handlers[what] = function(state)
        back()
        if not change(state, what, f) then
            snack(what == "delete" and words.only_layer or words.full)
        end
    end
end

menu_handler("duplicate", document.duplicate)
menu_handler("delete", document.delete)
menu_handler("up", function(doc) return document.move(doc, 1) end)
menu_handler("down", function(doc) return document.move(doc, -1) end)
menu_handler("smart", function(doc)
    document.make_smart(document.active(doc))
end)
-- What was a filter becomes pixels.
menu_handler("raster", function(doc)
    local layer = document.active(doc)
    layer.smart, layer.smart_after = nil, nil
    for _, filter in ipairs(layer.filters) do
        table.insert(layer.steps, filter)
    end
    layer.filters = {}
end)

-- The settings of a layer are set below the picture.
function handlers.layer_tool(state, name)
    back()
    back()
    handlers.tool(state, name)
end

function handlers.tune_filter(state, number)
    back()
    handlers.tool(state, "tune", number)
end

function handlers.remove_filter(state, number)
    change(state, "delete", function(doc)
        table.remove(document.active(doc).filters, number)
    end)
end

-- ---- export ----

function handlers.export(state)
    state.tool = ""
    state.file, state.half = file_name(document.item(state.open)), false
    go("export")
end

function handlers.file(state, text) state.file = text end
function handlers.half(state, on) state.half = on end

local function exported_document(state)
    local doc = table.copy(current_document(state))
    if state.half then
        document.reshape(doc, document.resize(doc, 50))
    end
    return doc
end

-- Only letters, digits, blanks, '-' and '_' of the name remain.
local function safe_name(text)
    local safe = ""
    for i = 1, #text do
        local c = text:sub(i, i)
        local b = c:byte()
        if b >= 128 or ("abcdefghijklmnopqrstuvwxyz0123456789-_ "):find(
                           c:lower()) then
            safe = safe .. c
        end
    end
    return safe:trim()
end

function handlers.save(state)
    local name = safe_name(state.file)
    local path = FOLDER .. (name == "" and "untitled" or name) .. ".png"
    local doc = exported_document(state)
    local done, why = save_picture(doc, path)
    back()
    if not done then
        snack(string.format(words.not_saved.en, why))
        return
    end
    state.exports = table.filter(state.exports, function(one)
        return one.path ~= path
    end)
    table.insert(state.exports, 1, { path = path, open = state.open,
        doc = { width = doc.width, height = doc.height,
                layers = doc.layers } })
    state.exports[9] = nil
    write_history(state)
    snack({ en = string.format(words.saved.en, path:sub(#FOLDER + 1)),
            zh = string.format(words.saved.zh, path:sub(#FOLDER + 1)) })
end

-- ---- parts of the screens ----

local function quiet(value, id)
    return text{ value, id = id, style = "body_small", lines = 1,
                 ink = "on_surface_variant" }
end

local function thumbnail(doc, wide, high)
    return picture{ picture = render(doc, THUMB), width = wide, height = high,
                    radius = 8, id = "thumbnail" }
end

local function photo_card(state, item, wide)
    local edit = state.edits[tostring(item.id)]
    local doc = edit and edit.states[edit.at].doc or document.new(item.id)
    return column{ width = wide, gap = 4, key = "p" .. item.id,
        id = "photo_card", on_click = { "open", item.id },
        stack{ width = wide, height = wide * 3 / 4, across = "center",
            down = "center", background = "surface_container_high",
            thumbnail(doc, wide, math.min(wide * 3 / 4,
                wide * doc.height // doc.width)) },
        text{ document.title(item), id = "photo_title",
            style = "title_small", lines = 2 },
        quiet(dates.medium(item.day), "photo_day") }
end

local function photo_grid(state, items)
    local wide = (display().width - 48) // 2
    return grid{ columns = 2, gap = 16, width = "fill", padding_left = 16,
        padding_right = 16, padding_bottom = 16,
        table.map(items, function(item)
            return photo_card(state, item, wide)
        end) }
end

local function advertisement(state)
    return state.ad and row{ width = "fill", gap = 12, down = "center",
        padding_left = 16, padding_right = 4, padding_bottom = 8, id = "ad",
        icon{ icon = "gift", width = 36, height = 36, ink = "tertiary" },
        column{ weight = 1, quiet(words.ad),
            text{ words.ad_text, style = "body_medium" } },
        icon_button{ icon = "close", id = "close_ad",
            description = words.close, on_click = "close_ad" } } or false
end

local function photos_tab(state)
    local photos = {}
    for i = 1, math.min(state.shown, #document.photos) do
        photos[i] = document.photos[i]
    end
    return list{ weight = 1, id = "photo_list", on_scroll = "more",
        advertisement(state), photo_grid(state, photos) }
end

local function projects_tab(state)
    return list{ weight = 1, id = "project_list",
        column{ width = "fill", height = 8 },
        table.map(document.projects, function(project)
            local edit = state.edits[tostring(project.id)]
            local doc = edit and edit.states[edit.at].doc or
                        document.new(project.id)
            return row{ width = "fill", gap = 16, padding = 16,
                down = "center", key = "j" .. project.id, id = "project_row",
                on_click = { "open", project.id },
                thumbnail(doc, 128, 128 * doc.height // doc.width),
                column{ weight = 1, gap = 4,
                    text{ project.name, style = "title_medium" },
                    quiet(string.format(t(words.layers_of), #doc.layers)) } }
        end) }
end

local function exports_tab(state)
    return list{ weight = 1, id = "export_list",
        #state.exports == 0 and text{ words.no_exports, padding = 32,
            id = "no_exports" } or false,
        table.map(state.exports, function(one)
            return row{ width = "fill", gap = 16, padding = 16,
                down = "center", key = one.path,
                thumbnail(one.doc, 96, math.min(96,
                    96 * one.doc.height // one.doc.width)),
                column{ weight = 1, gap = 4,
                    text{ one.path:sub(#FOLDER + 1), style = "title_small",
                        id = "export_name" },
                    quiet(string.format(t(words.pixels), one.doc.width,
                                        one.doc.height)) } }
        end) }
end

local tabs_of = { photos = photos_tab, projects = projects_tab,
                  exports = exports_tab }

-- ---- panels: what is below the picture ----

local function chips(list_of, chosen, handler)
    return carousel{ width = "fill", gap = 8, padding_left = 16,
        padding_right = 16,
        table.map(list_of, function(name)
            return chip{ words[name], id = handler .. "_" .. name,
                selected = chosen == name, checked = chosen == name,
                on_click = { handler, name } }
        end) }
end

local function value_row(state, range)
    local name, label = range[1], words[range[2]]
    local value = state.pending.values[name]
    return column{ width = "fill", padding_left = 16, padding_right = 8,
        key = name,
        row{ width = "fill", across = "spread", padding_right = 8,
            text{ label, style = "label_large" },
            text{ value, id = name .. "_value", style = "label_large",
                ink = "primary" } },
        row{ width = "fill", down = "center",
            icon_button{ icon = "minus", id = name .. "_less",
                description = string.format(t(words.less_of), t(label)),
                on_click = { "more_or_less", name, -range[5] } },
            column{ weight = 1,
                slider{ id = name, width = "fill", from = range[3],
                    to = range[4], step = range[5], value = value,
                    description = label, on_change = { "amount", name } } },
            icon_button{ icon = "add", id = name .. "_more",
                description = string.format(t(words.more_of), t(label)),
                on_click = { "more_or_less", name, range[5] } } } }
end

local function values_of(state)
    return table.map(ranges[range_kind(state)] or {}, function(range)
        return value_row(state, range)
    end)
end

local function note(value)
    return column{ width = "fill", padding_left = 16, padding_right = 16,
        text{ value, style = "body_small", ink = "on_surface_variant",
            id = "note" } }
end

local function about_layer(state, word)
    local layer = document.active(current_document(state))
    return string.format(t(word), t(layer.name))
end

local function pixels_note(state)
    local layer = document.active(current_document(state))
    if not document.has_pixels(layer) then
        return note(about_layer(state, words.no_pixels))
    elseif layer.smart then
        return note(words.smart_note)
    end
    return note(about_layer(state, words.burn_note))
end

-- What painting would do to the pixels of the active layer.
local function paint_note(state, value)
    local layer = document.active(current_document(state))
    if not document.has_pixels(layer) then
        return note(about_layer(state, words.no_pixels))
    elseif layer.smart then
        return note(about_layer(state, words.smart_pixels))
    end
    return note(value or about_layer(state, words.burn_note))
end

local panels = {}

function panels.crop(state)
    return { chips({ "whole", "square", "r4x3", "r3x2", "r16x9" },
                   state.pending.ratio, "ratio"),
             chips({ "keep_start", "keep_middle", "keep_end" },
                   state.pending.keep, "keep") }
end

function panels.turn()
    local function button_of(name, icon_name, ...)
        return item{ words[name], icon = icon_name, id = name,
                     on_click = { ... } }
    end
    return shuffle_by_skin{ button_of("right", "rotate_right", "turn", 1),
        button_of("left", "undo", "turn", -1),
        button_of("sides", "swap", "flip", "sides"),
        button_of("ends", "sort", "flip", "ends") }
end

function panels.size(state)
    local doc = document.resize(current_document(state),
                                state.pending.values.scale)
    return { values_of(state),
             note(string.format(t(words.pixels), doc.width, doc.height)) }
end

function panels.adjust(state)
    return { chips(adjustments, state.pending.op, "kind"), values_of(state),
        column{ width = "fill", padding_left = 16,
            text{ words.where, style = "label_large" } },
        chips({ "here", "above" }, state.pending.where, "where"),
        state.pending.where == "here" and pixels_note(state) or false }
end

function panels.effects(state)
    return { chips(effects, state.pending.op, "kind"), values_of(state),
             pixels_note(state) }
end

function panels.mask(state)
    local doc = current_document(state)
    return { chips({ "subject", "background", "top", "bottom", "left_side",
                     "right_side", "centre", "edges" },
                   state.pending.kind, "mask_kind"), values_of(state),
        document.active(doc).mask and column{ padding_left = 8,
            text_button{ words.remove_mask, id = "remove_mask",
                on_click = "remove_mask" } } or
            note(about_layer(state, words.mask_note)) }
end

function panels.cutout(state)
    local layer = document.active(current_document(state))
    return { column{ width = "fill", padding_left = 16,
            text{ words.erase_what, style = "label_large" } },
        chips({ "background", "subject" }, state.pending.part, "part"),
        layer.kind == "blank" and note(words.only_photos) or
            paint_note(state) }
end

function panels.tune(state) return { values_of(state) } end

function panels.heal(state)
    return { paint_note(state, words.heal_note) }
end

function panels.caption(state)
    return { column{ width = "fill", padding_left = 16, padding_right = 16,
            field{ text = state.pending.text, hint = words.text_hint,
                id = "caption_text", width = "fill",
                on_change = "caption_text" } },
        chips({ "at_top", "at_middle", "at_bottom" }, state.pending.height,
              "height"),
        chips(color_names, state.pending.color, "color"), values_of(state) }
end

function panels.fill(state)
    return { chips(color_names, state.pending.color, "color"),
             paint_note(state) }
end

function panels.place(state) return { values_of(state) } end

function panels.settings(state)
    return { values_of(state), chips(blends, state.pending.blend, "blend") }
end

local function panel(state)
    return column{ width = "fill", background = "surface_container",
        padding_bottom = 8, gap = 8, id = "panel",
        row{ width = "fill", down = "center", padding_left = 4,
            padding_right = 4, height = 56,
            icon_button{ icon = "close", id = "cancel",
                description = words.cancel, on_click = "cancel" },
            text{ words[state.tool], weight = 1, text_align = "center",
                style = "title_medium", id = "panel_title" },
            uses[state.tool] and icon_button{ icon = "check", id = "apply",
                description = words.apply, on_click = "apply" } or
                column{ width = 48 } },
        panels[state.tool](state) }
end

local function tool_bar()
    return carousel{ width = "fill", background = "surface_container",
        id = "tool_bar", padding_left = 8, padding_right = 8,
        table.map(tools, function(name)
            return column{ width = 76, height = 76, across = "center",
                down = "center", gap = 4, id = "tool_" .. name, key = name,
                on_click = { "tool", name },
                icon{ icon = tool_icons[name] },
                text{ words[name], style = "label_medium", lines = 1 } }
        end) }
end

-- ---- the picture ----

-- A grid over the picture: a tap into a field heals there.
local function heal_grid(wide, high)
    local rows = {}
    for r = 1, document.rows do
        rows[r] = row{ width = wide, height = high // document.rows,
            key = "r" .. r, table.map({ 1, 2, 3, 4, 5, 6, 7, 8 }, function(c)
                return column{ width = wide // document.columns,
                    height = high // document.rows, key = "c" .. c,
                    id = "field",
                    description = string.format(t(words.heal_at), r, c),
                    on_click = { "heal", r, c } }
            end) }
    end
    return column{ width = wide, height = high, rows }
end

-- A keyboard stands below the field for text.
local picture_heights = { [""] = 480, caption = 120 }

local function big_picture(doc, most, grid_over)
    local wide, high = display().width, display().width * doc.height //
                       doc.width
    if high > most then
        wide, high = most * doc.width // doc.height, most
    end
    return stack{ width = "fill", weight = 1, across = "center",
        down = "center", background = "surface_container_high",
        picture{ picture = render(doc), width = wide, height = high,
            id = "picture" },
        grid_over and heal_grid(wide, high) or false }
end

-- ---- screens ----

local screens = {}

function screens.main(state)
    return page{
        row{ width = "fill", height = 64, padding_left = 16, down = "center",
            text{ words.title, style = "headline_medium", font = "light" } },
        tabs{ table.map({ "photos", "projects", "exports" }, function(name)
            return tab{ words[name], id = "tab_" .. name,
                selected = state.tab == name, on_click = { "tab", name } }
        end) },
        tabs_of[state.tab](state) }
end

function screens.news()
    return sheet{ title = words.news, id = "news", modal = true,
        column{ width = "fill", padding_left = 16, padding_right = 16,
            padding_bottom = 16, gap = 24,
            text{ words.news_text, style = "body_large" },
            button{ words.got_it, id = "got_it", width = "fill",
                style = "filled", on_click = "close_news" } } }
end

local function actions_of(state)
    local edit = edit_of(state)
    return {
        icon_button{ icon = "undo", id = "undo", description = words.undo,
            disabled = edit.at == 1, on_click = "undo" },
        icon_button{ icon = "redo", id = "redo", description = words.redo,
            disabled = edit.at == #edit.states, on_click = "redo" },
        shuffle_by_skin{
            icon_button{ icon = "time", id = "history",
                description = words.history, on_click = { "go", "history" } },
            icon_button{ icon = "layers", id = "layers",
                description = words.layers, on_click = "layers" },
            icon_button{ icon = "download", id = "export",
                description = words.export, on_click = "export" } } }
end

function screens.editor(state)
    local doc = current_document(state)
    local layer = document.active(doc)
    local healing = state.tool == "heal" and document.is_paintable(layer)
    return page{ title = "", actions = actions_of(state),
        big_picture(shown_document(state), healing and 430 or
                    picture_heights[state.tool] or 260, healing),
        row{ width = "fill", height = 40, padding_left = 16, gap = 8,
            padding_right = 16, down = "center",
            icon{ icon = layer.smart and "star" or "layers", width = 18,
                height = 18 },
            text{ string.format(t(words.editing), t(layer.name)),
                style = "label_large", weight = 1, lines = 1,
                id = "active_layer" },
            quiet(string.format(t(words.pixels), doc.width, doc.height),
                  "pixels") },
        state.tool == "" and tool_bar() or panel(state) }
end

function screens.history(state)
    local edit = edit_of(state)
    local rows = {}
    for i = #edit.states, 1, -1 do
        rows[#rows + 1] = item{ t(words[edit.states[i].what]):replace("%s", ""):trim(),
            id = "state_row", key = "h" .. i, on_click = { "return_to", i },
            radio{ checked = i == edit.at, clickable = false } }
    end
    return page{ title = words.history,
        list{ weight = 1, id = "history_list", rows } }
end

-- One layer alone, for its picture in the list.
local function alone(doc, layer)
    local one = table.copy(layer)
    one.hidden = nil
    return { width = doc.width, height = doc.height, layers = { one } }
end

local layer_icons = { adjust = "sliders", text = "font_size" }

local function layer_picture(doc, layer)
    if not layer_icons[layer.kind] then
        return thumbnail(alone(doc, layer), 64, 48)
    end
    return column{ width = 64, height = 48, across = "center",
        down = "center", radius = 8, background = "surface_container_highest",
        icon{ icon = layer_icons[layer.kind] } }
end

local function layer_details(layer)
    local details = {}
    if layer.smart then
        details[#details + 1] = t(words.is_smart)
    end
    if layer.mask then
        details[#details + 1] = t(words.mask)
    end
    if layer.blend and layer.blend ~= "normal" then
        details[#details + 1] = t(words[layer.blend])
    end
    details[#details + 1] = (layer.opacity or 100) .. " %"
    return table.concat(details, " · ")
end

local function layer_row(doc, layer)
    local name = t(layer.name)
    local active = layer.id == doc.active
    return row{ width = "fill", down = "center", gap = 8, height = 76,
        padding_left = 4, padding_right = 4, key = "l" .. layer.id,
        id = "layer_row", selected = active,
        background = active and "secondary_container" or nil,
        on_click = { "select", layer.id },
        icon_button{ icon = layer.hidden and "eye_off" or "eye", id = "eye",
            description = string.format(t(layer.hidden and words.show or
                                          words.hide), name),
            on_click = { "show", layer.id, layer.hidden == true } },
        layer_picture(doc, layer),
        column{ weight = 1, gap = 2,
            text{ name, style = "title_small", lines = 1, id = "layer_name" },
            quiet(layer_details(layer), "layer_details") },
        icon_button{ icon = "more", id = "layer_menu",
            description = string.format(t(words.menu_of), name),
            on_click = { "layer_menu", layer.id } } }
end

-- The filters of the active layer stand below it.
local function filter_rows(layer)
    local rows = {}
    for i, filter in ipairs(layer.filters or {}) do
        rows[i] = row{ width = "fill", padding_left = 64, padding_right = 4,
            down = "center", key = "f" .. i, id = "filter_row",
            text{ string.format(t(words.filter_of), t(words[filter.op])),
                weight = 1, style = "body_medium" },
            #ranges[filter.op] > 0 and icon_button{ icon = "sliders",
                id = "tune_filter",
                description = string.format(t(words.tune_of),
                                            t(words[filter.op])),
                on_click = { "tune_filter", i } } or false,
            icon_button{ icon = "delete", id = "remove_filter",
                description = string.format(t(words.remove_of),
                                            t(words[filter.op])),
                on_click = { "remove_filter", i } } }
    end
    return rows
end

function screens.layers(state)
    local doc = current_document(state)
    local rows = {}
    for i = #doc.layers, 1, -1 do
        rows[#rows + 1] = layer_row(doc, doc.layers[i])
        if doc.layers[i].id == doc.active then
            rows = table.join(rows, filter_rows(doc.layers[i]))
        end
    end
    return page{ title = words.layers,
        actions = { icon_or_text{ words.add, icon = "add", id = "add_layer",
                                  on_click = "add_layer" } },
        list{ weight = 1, id = "layer_list", rows } }
end

function screens.add_layer()
    return sheet{ title = words.add, id = "add_sheet",
        shuffle_by_skin{
            item{ words.blank, icon = "file", id = "blank",
                on_click = "blank" },
            item{ words.photo_layer, icon = "image", id = "photo_layer",
                on_click = "pick_photo" } } }
end

function screens.pick_photo()
    return page{ title = words.photo_from,
        list{ weight = 1, id = "pick_list",
            table.map(document.photos, function(photo)
                return row{ width = "fill", gap = 16, padding_left = 16,
                    padding_top = 8, padding_bottom = 8, down = "center",
                    key = "p" .. photo.id, id = "pick_row",
                    on_click = { "add_photo", photo.id },
                    thumbnail(document.new(photo.id), 80, 60),
                    text{ document.title(photo), style = "title_small",
                        weight = 1 } }
            end) } }
end

function screens.layer_menu(state, id)
    local layer = document.layer(current_document(state), id)
    if not layer then
        return sheet{ id = "menu_sheet" }
    end
    local function entry(name, icon_name, ...)
        return item{ words[name], icon = icon_name, id = "menu_" .. name,
                     key = name, on_click = { ... } }
    end
    return sheet{ title = layer.name, id = "menu_sheet",
        shuffle_by_skin{
            entry("settings", "drop", "layer_tool", "settings"),
            entry("duplicate", "copy", "duplicate"),
            document.has_pixels(layer) and (layer.smart and
                entry("raster", "image", "raster") or
                entry("smart", "star_empty", "smart")) or
                entry("up", "up", "up"),
            document.has_pixels(layer) and entry("up", "up", "up") or
                entry("down", "down", "down") },
        document.has_pixels(layer) and entry("down", "down", "down") or false,
        layer.kind == "photo" and
            entry("place", "resize", "layer_tool", "place") or false,
        layer.kind == "adjust" and #ranges[layer.op] > 0 and
            entry("tune", "sliders", "layer_tool", "tune") or false,
        entry("delete", "delete", "delete") }
end

function screens.export(state)
    local doc = exported_document(state)
    return page{ title = words.export,
        big_picture(doc, 300),
        column{ width = "fill", padding = 16, gap = 16,
            field{ text = state.file, hint = words.name, id = "file_name",
                width = "fill", on_change = "file" },
            row{ width = "fill", gap = 8, down = "center",
                text{ words.export_size, style = "label_large", weight = 1 },
                chip{ words.export_full, id = "size_full",
                    selected = not state.half, checked = not state.half,
                    on_click = { "half", false } },
                chip{ words.export_half, id = "size_half",
                    selected = state.half, checked = state.half,
                    on_click = { "half", true } } },
            quiet(string.format(t(words.pixels), doc.width, doc.height)),
            quiet(words.format),
            button{ words.export, id = "save", width = "fill",
                style = "filled", on_click = "save" } } }
end

return {
    package = "org.proctor.darkroom",
    name = { en = "Darkroom", zh = "暗房" },
    hue = 265,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { document = document, words = words, colors = colors,
              heights = heights, file_name = file_name, folder = FOLDER },
    on_back = function(state)
        if current() == "editor" and state.tool ~= "" then
            state.tool = ""
            return true
        elseif current() == "main" and state.tab ~= "photos" then
            state.tab = "photos"
            return true
        end
        return false
    end,
}
