-- Documents of Darkroom: photos and projects, and what can be done to them. A
-- document is plain data as tools/phone/pictures/picture_document.h reads it.
local names = include("darkroom_words")
local words = names.words

local WIDTH, HEIGHT = 384, 288
local LAYERS_MAX, STEPS_MAX, FILTERS_MAX = 12, 32, 8
local PHOTOS = 14

local document = {}

-- ---- what there is ----

local subject_names = table.keys(names.subjects)

local function make_photos()
    local r = random("photos")
    local order = r.shuffle(subject_names)
    local places = r.shuffle(names.places)
    local day = dates.today() - r.int(1, 4)
    local photos = {}
    for i = 1, PHOTOS do
        local subject = order[i] or order[r.int(1, #order)]
        photos[i] = { id = i, scene = subject, seed = r.int(1, 1000000),
            subject = names.subjects[subject], place = places[i], day = day,
            spots = 0 }
        day = day - r.int(2, 17)
    end
    -- Some are dusty.
    photos[3].spots, photos[5].spots, photos[8].spots = 2, 2, 1
    return photos
end

document.photos = make_photos()

-- The title of a photo: what is on it, and where it was taken.
function document.title(photo)
    local function joined(language)
        return photo.subject[language] .. " · " .. photo.place[language]
    end
    return photo.name or { en = joined("en"), zh = joined("zh") }
end

local function photo_layer(id, photo)
    return { id = id, kind = "photo", scene = photo.scene, seed = photo.seed,
             spots = photo.spots, name = photo.subject, steps = {},
             filters = {} }
end

local function new_document(layers)
    local highest = 0
    for _, layer in ipairs(layers) do
        highest = math.max(highest, layer.id)
    end
    return { width = WIDTH, height = HEIGHT, layers = layers,
             active = highest, next_layer = highest + 1 }
end

-- A text in the middle of the width, at a height in percent.
function document.new_caption(doc, text, color, height, size)
    return { kind = "text", name = { en = text, zh = text }, text = text,
             x = 50, y = height, size = size, color = color,
             width = doc.width, height = doc.height, steps = {} }
end

-- From now on a layer keeps its pixels: steps that it has already are lost.
function document.make_smart(layer)
    layer.smart, layer.smart_after = true, #layer.steps
end

-- A photo that was brightened.
local function make_calendar(id)
    local r = random("calendar")
    local photo = r.pick(document.photos)
    return { id = id, name = names.calendar, day = photo.day,
        layers = { photo_layer(1, photo),
            { id = 2, kind = "adjust", op = "light", name = words.light,
              brightness = r.int(8, 11) * 5, contrast = 0 } } }
end

-- Projects have a photo, another on top of it, a colour and a caption.
local function make_projects()
    local projects = {}
    for i, name in ipairs(names.projects) do
        local r = random("project", i)
        local some = r.shuffle(document.photos)
        local second = photo_layer(2, some[2])
        document.make_smart(second)
        second.steps = { { op = "place", scale = r.int(7, 9) * 5,
                           x = r.pick{ 25, 72 }, y = r.pick{ 30, 68 } } }
        local wash = { id = 3, kind = "blank", name = words.fill,
            opacity = r.int(3, 6) * 10, steps = { { op = "fill",
            color = r.pick{ 0xe8843a, 0x2f6fa8, 0x7a5aa8 } } } }
        local place = names.places[r.int(1, #names.places)].en:upper()
        local caption = document.new_caption({ width = WIDTH,
            height = HEIGHT }, place, 0xffffff, r.pick{ 14, 86 }, 26)
        caption.id, caption.name = 4, words.caption
        projects[i] = { id = PHOTOS + i, name = name, day = some[1].day,
            layers = { photo_layer(1, some[1]), second, wash, caption } }
    end
    projects[#projects + 1] = make_calendar(PHOTOS + #projects + 1)
    return projects
end

document.projects = make_projects()

function document.item(id)
    return document.photos[id] or document.projects[id - PHOTOS]
end

-- As it is before anything was done.
function document.new(id)
    local item = document.item(id)
    return new_document(table.copy(item.layers or { photo_layer(1, item) }))
end

-- ---- layers ----

function document.layer(doc, id)
    return table.find(doc.layers, id)
end

function document.active(doc)
    return document.layer(doc, doc.active)
end

local function has_pixels(layer)
    return layer.kind == "photo" or layer.kind == "blank"
end
document.has_pixels = has_pixels

-- Can its pixels be changed? Those of a smart layer stay.
function document.is_paintable(layer)
    return has_pixels(layer) and not layer.smart
end

-- Put a new layer above the active one, and select it. False: no room.
function document.insert(doc, layer)
    local _, place = document.active(doc)
    if #doc.layers >= LAYERS_MAX then
        return false
    end
    layer.id = doc.next_layer
    doc.next_layer = doc.next_layer + 1
    table.insert(doc.layers, place + 1, layer)
    doc.active = layer.id
    return true
end

function document.add_photo(doc, photo)
    local layer = photo_layer(0, photo)
    if doc.width ~= WIDTH or doc.height ~= HEIGHT then
        layer.steps = { { op = "resize", width = doc.width,
                          height = doc.height } }
    end
    return document.insert(doc, layer)
end

function document.duplicate(doc)
    local layer = table.copy((document.active(doc)))
    layer.copy_of = layer.id
    return document.insert(doc, layer)
end

function document.delete(doc)
    local _, place = document.active(doc)
    if #doc.layers < 2 then
        return false
    end
    table.remove(doc.layers, place)
    doc.active = doc.layers[math.max(1, place - 1)].id
    return true
end

-- By one, up or down; false at the end.
function document.move(doc, by)
    local layer, place = document.active(doc)
    local other = doc.layers[place + by]
    if not other then
        return false
    end
    doc.layers[place], doc.layers[place + by] = other, layer
    return true
end

-- ---- changes ----

local function add_step(layer, step)
    if #layer.steps >= STEPS_MAX then
        return false
    end
    table.insert(layer.steps, step)
    return true
end

-- A filter of a smart layer stays a filter; otherwise it changes pixels.
function document.filter(doc, filter)
    local layer = document.active(doc)
    if not layer.smart then
        return add_step(layer, filter)
    elseif #layer.filters >= FILTERS_MAX then
        return false
    end
    table.insert(layer.filters, filter)
    return true
end

function document.adjust(doc, filter)
    local layer = table.copy(filter)
    layer.kind, layer.name = "adjust", words[filter.op]
    return document.insert(doc, layer)
end

-- Erase a part of the active photo; not of a smart one, which keeps its pixels.
function document.erase(doc, part)
    local layer = document.active(doc)
    return layer.kind == "photo" and document.is_paintable(layer) and
           add_step(layer, { op = "erase", part = part })
end

-- Where a point of a doc of that size is after a change of its shape.
local moved = {
    crop = function(point, step)
        return point.x - step.left, point.y - step.top
    end,
    rotate = function(point, step, doc)
        if step.quarters % 4 == 1 then
            return doc.height - 1 - point.y, point.x
        elseif step.quarters % 4 == 3 then
            return point.y, doc.width - 1 - point.x
        end
        return doc.width - 1 - point.x, doc.height - 1 - point.y
    end,
    flip = function(point, step, doc)
        if step.way == "sides" then
            return doc.width - 1 - point.x, point.y
        end
        return point.x, doc.height - 1 - point.y
    end,
    resize = function(point, step, doc)
        return point.x * step.width // doc.width,
               point.y * step.height // doc.height
    end,
}

local function move_points(layer, step, doc)
    for _, one in ipairs(layer.steps) do
        if one.op == "heal" then
            one.x, one.y = moved[step.op](one, step, doc)
        end
    end
end

-- A smart layer is scaled from what it was, however often.
local function add_shape(layer, step)
    local last = layer.steps[#layer.steps]
    if layer.smart and step.op == "resize" and last and last.op == "resize" then
        layer.steps[#layer.steps] = table.copy(step)
        return true
    end
    return add_step(layer, table.copy(step))
end

local function size_after(doc, step)
    if step.op == "crop" then
        return step.right - step.left, step.bottom - step.top
    elseif step.op == "resize" then
        return step.width, step.height
    elseif step.op == "rotate" and step.quarters % 2 == 1 then
        return doc.height, doc.width
    end
    return doc.width, doc.height
end

-- Crop, rotate, flip or resize all of it.
function document.reshape(doc, step)
    for _, layer in ipairs(doc.layers) do
        if layer.kind == "blank" then
            move_points(layer, step, doc)
        elseif layer.kind ~= "adjust" and not add_shape(layer, step) then
            return false
        end
        if layer.mask and not add_step(layer.mask, table.copy(step)) then
            return false
        end
    end
    doc.width, doc.height = size_after(doc, step)
    return true
end

local ratios = { square = { 1, 1 }, r4x3 = { 4, 3 }, r3x2 = { 3, 2 },
                 r16x9 = { 16, 9 } }

-- The largest part of that ratio; keep says which side of it stays.
function document.crop(doc, ratio, keep)
    local part = ratios[ratio]
    local width, height = doc.width, doc.height
    if not part then
        return nil
    elseif width * part[2] > height * part[1] then
        width = height * part[1] // part[2]
    else
        height = width * part[2] // part[1]
    end
    local left, top = doc.width - width, doc.height - height
    if keep == "keep_start" then
        left, top = 0, 0
    elseif keep == "keep_middle" then
        left, top = left // 2, top // 2
    end
    return { op = "crop", left = left, top = top, right = left + width,
             bottom = top + height }
end

function document.resize(doc, percent)
    return { op = "resize", width = math.max(8, doc.width * percent // 100),
             height = math.max(8, doc.height * percent // 100) }
end

-- ---- masks ----

local shapes = { rotate = true, flip = true, crop = true, resize = true,
                 place = true }

-- The photo whose subject a mask of this layer shows: its own, or the nearest
-- one below.
local function photo_of(doc, place)
    for i = place, 1, -1 do
        if doc.layers[i].kind == "photo" then
            return doc.layers[i]
        end
    end
end

local gradients = { top = "top", bottom = "bottom", left_side = "left",
                    right_side = "right", centre = "middle", edges = "middle" }

function document.new_mask(doc, kind, feather)
    local _, place = document.active(doc)
    if gradients[kind] then
        return { kind = gradients[kind], width = doc.width,
                 height = doc.height, inverted = kind == "edges",
                 feather = 0, steps = {} }
    end
    local photo = photo_of(doc, place)
    if not photo then
        return nil
    end
    return { kind = "subject", scene = photo.scene, seed = photo.seed,
             inverted = kind == "background", feather = feather,
             steps = table.copy(table.filter(photo.steps, function(step)
                 return shapes[step.op] == true
             end)) }
end

-- ---- in words ----

local function describe_values(one)
    local values = {}
    for _, name in ipairs(table.keys(one)) do
        if name ~= "op" then
            values[#values + 1] = name .. "=" .. tostring(one[name])
        end
    end
    return one.op .. "(" .. table.concat(values, ",") .. ")"
end

local function describe_steps(steps)
    return table.concat(table.map(steps, describe_values), " ")
end

-- The steps of a layer, with "smart" where it was made so.
local function describe_changes(layer)
    local parts = {}
    for i = 0, #(layer.steps or {}) do
        if i > 0 then
            parts[#parts + 1] = describe_values(layer.steps[i])
        end
        if layer.smart and i == layer.smart_after then
            parts[#parts + 1] = "smart"
        end
    end
    return table.concat(parts, " ")
end

local function describe_adjustment(layer)
    local filter = { op = layer.op }
    for name, value in pairs(layer) do
        if type(value) == "number" and name ~= "id" and name ~= "opacity" and
           name ~= "copy_of" then
            filter[name] = value
        end
    end
    return "adjust " .. describe_values(filter)
end

-- "boat-7" is one photo alone: others may have the same subject.
function document.photo_name(photo)
    return photo.scene .. "-" .. photo.seed
end

-- "photo boat-7", "text MIRAMAR at 50,88 size=26 color=ffffff"
local function describe_content(layer)
    if layer.kind == "adjust" then
        return describe_adjustment(layer)
    elseif layer.kind == "text" then
        return string.format("text %s at %d,%d size=%d color=%06x", layer.text,
                             layer.x, layer.y, layer.size, layer.color)
    end
    return layer.scene and layer.kind .. " " .. document.photo_name(layer) or
           layer.kind
end

local function describe_mask(mask)
    return "mask " .. mask.kind .. (mask.inverted and " inverted" or "") ..
           (mask.feather > 0 and " feather=" .. mask.feather or "")
end

local function describe_layer(layer)
    local parts = { describe_content(layer) }
    local function add(what)
        parts[#parts + 1] = what
    end
    if layer.copy_of then add("copy") end
    if layer.hidden then add("hidden") end
    if (layer.opacity or 100) ~= 100 then add("opacity=" .. layer.opacity) end
    if (layer.blend or "normal") ~= "normal" then add(layer.blend) end
    local changes = describe_changes(layer)
    if changes ~= "" then add(changes) end
    if layer.filters and #layer.filters > 0 then
        add("filters " .. describe_steps(layer.filters))
    end
    if layer.mask then
        add(describe_mask(layer.mask))
    end
    return table.concat(parts, " ")
end

-- "384x288; photo boat-7 flip(way=sides); adjust gray() mask subject inverted"
function document.describe(doc)
    return doc.width .. "x" .. doc.height .. "; " ..
           table.concat(table.map(doc.layers, describe_layer), "; ")
end

-- ---- healing ----

document.rows, document.columns = 6, 8

-- How much more than a spot is replaced, in pixels.
local RIM = 5

-- Where the spots of a photo are on the document now.
local function spots_of(layer)
    local size = { width = WIDTH, height = HEIGHT }
    local spots = photo_spots(layer.seed, layer.spots)
    for _, step in ipairs(layer.steps) do
        if moved[step.op] then
            for _, spot in ipairs(spots) do
                spot.x, spot.y = moved[step.op](spot, step, size)
            end
            size.width, size.height = size_after(size, step)
        end
    end
    return spots
end

-- The field of the grid that a point is in: row and column.
function document.field_of(doc, point)
    return math.min(document.rows, 1 + point.y * document.rows // doc.height),
           math.min(document.columns,
                    1 + point.x * document.columns // doc.width)
end

function document.spots(doc)
    local found = {}
    for _, layer in ipairs(doc.layers) do
        if layer.kind == "photo" then
            found = table.join(found, spots_of(layer))
        end
    end
    return found
end

local function is_healed(doc, spot)
    for _, layer in ipairs(doc.layers) do
        for _, step in ipairs(layer.steps or {}) do
            if step.op == "heal" and step.x == spot.x and step.y == spot.y then
                return true
            end
        end
    end
    return false
end

-- What a tap into that field heals: a spot in it, or else its middle.
function document.heal_step(doc, row, column)
    for _, spot in ipairs(document.spots(doc)) do
        local its_row, its_column = document.field_of(doc, spot)
        if its_row == row and its_column == column and
           not is_healed(doc, spot) then
            return { op = "heal", x = spot.x, y = spot.y,
                     radius = spot.radius + RIM }
        end
    end
    return { op = "heal", radius = 12,
             x = (2 * column - 1) * doc.width // (2 * document.columns),
             y = (2 * row - 1) * doc.height // (2 * document.rows) }
end

return document
