-- When the tasks in Darkroom are done: the picture that was exported looks as
-- it should, and the layers that it was made of are as the task asks.
local darkroom = use("darkroom")
local document = darkroom.document
local photos = document.photos

local truths = {}

-- Pixels of the same changes are the same, whatever way they were made; a value
-- that is one step of its slider off is less alike than this.
local SSIM, PSNR = 0.98, 38

-- A spot of dust is a small part of a picture.
local PSNR_DUST = 48

-- ---- what was exported ----

local function state()
    local app = in_the_end("darkroom")
    return app and app.state
end

-- The last export of a photo or project.
local function export_of(id)
    for _, one in ipairs(state() and state().exports or {}) do
        if one.open == id then
            return one
        end
    end
end

local function is_alike(path, wanted, mask, outside)
    local ssim, psnr = likeness(path, wanted, mask, outside)
    return ssim >= SSIM and psnr >= PSNR
end

local function is_clean(path, wanted)
    local _, psnr = likeness(path, wanted)
    return psnr >= PSNR_DUST
end

local function layers_of(id, kind)
    local one = export_of(id)
    return one and table.filter(one.doc.layers, function(layer)
        return layer.kind == kind
    end) or {}
end

-- What becomes of a layer's shape; all other steps change its pixels.
local shapes = { crop = true, rotate = true, flip = true, resize = true,
                 place = true }

local function is_burned(layer)
    return #table.filter(layer.steps, function(step)
        return not shapes[step.op]
    end) > 0
end

-- A photo layer still has the pixels of the photo that was opened.
local function has_original(id)
    local opened = document.new(id).layers[1]
    return #table.filter(layers_of(id, "photo"), function(layer)
        return layer.scene == opened.scene and layer.seed == opened.seed and
               not is_burned(layer)
    end) > 0
end

-- No photo has lost its pixels: each change can still be set otherwise.
local function is_changeable(id)
    return #table.filter(layers_of(id, "photo"), is_burned) == 0
end

-- ---- facts ----

local function shuffled(name)
    return random(name).shuffle(photos)
end

-- The facts of a photo, for the instruction.
local function facts_of(photo, other)
    local lower = photo.subject.en:lower()
    return { id = photo.id, subject = t{ en = lower, zh = photo.subject.zh },
             place = t(photo.place), scene = photo.scene,
             file = darkroom.file_name(photo), other = other.id,
             other_file = darkroom.file_name(other) }
end

local function some_facts(name, clean)
    local some = shuffled(name)
    if clean then
        some = table.filter(some, function(photo)
            return photo.spots == 0
        end)
    end
    return facts_of(some[1], some[2])
end

-- A photo with two spots, and where they are.
local function dusty_facts(name)
    local some = table.filter(shuffled(name), function(photo)
        return photo.spots == 2
    end)
    local fact = facts_of(some[1], some[2])
    local doc = document.new(some[1].id)
    local spots = document.spots(doc)
    fact.row, fact.column = document.field_of(doc, spots[1])
    fact.last_row, fact.last_column = document.field_of(doc, spots[2])
    return fact
end

local function project_facts(name)
    local some = random(name).shuffle(document.projects)
    local project, other = some[1], some[2]
    return { id = project.id, project = t(project.name), place = "",
             file = darkroom.file_name(project), other = other.id,
             other_file = darkroom.file_name(other),
             text = project.layers[4].text,
             opacity = project.layers[3].opacity,
             other_opacity = other.layers[3].opacity }
end

-- ---- targets ----

local function photo_layer(doc)
    return doc.layers[1]
end

-- The document with the changes, and the mask of its subject.
local function target_of(fact, change)
    local doc = document.new(fact.id)
    change(doc, fact)
    return doc
end

local function subject_of(id)
    local doc = document.new(id)
    photo_layer(doc).mask = document.new_mask(doc, "subject", 0)
    doc.mask_of = 1
    return doc
end

-- A truth from parts: facts(), change(doc, fact) for the target, apart = true
-- to compare subject and background apart, looks = another comparison than
-- is_alike, and process(fact) with the clauses about the way, which count once
-- a picture was exported.
local function truth(name, parts)
    truths[name] = {
        facts = parts.facts,
        pictures = function(fact)
            return { target = target_of(fact, parts.change),
                     subject = parts.apart and subject_of(fact.id) or nil }
        end,
        clauses = function(fact)
            local one = export_of(fact.id)
            local wanted = target_of(fact, parts.change)
            local clauses = { { "exported", one ~= nil } }
            if parts.apart then
                local mask = subject_of(fact.id)
                table.insert(clauses, { "subject", not one or
                    is_alike(one.path, wanted, mask, false) })
                table.insert(clauses, { "background", not one or
                    is_alike(one.path, wanted, mask, true) })
            else
                table.insert(clauses, { "looks", not one or
                    (parts.looks or is_alike)(one.path, wanted) })
            end
            for _, clause in ipairs(parts.process and parts.process(fact) or
                                    {}) do
                table.insert(clauses, { clause[1], not one or clause[2] })
            end
            return clauses
        end,
    }
end

local function add_filter(doc, filter)
    table.insert(photo_layer(doc).steps, filter)
end

local function light(brightness)
    return { op = "light", brightness = brightness, contrast = 0 }
end

-- An adjustment, maybe in a part of the picture.
local function add_adjustment(doc, filter, mask)
    document.adjust(doc, filter)
    if mask then
        document.active(doc).mask = document.new_mask(doc, mask, 0)
    end
end

local function changeable(fact)
    return { { "changeable", is_changeable(fact.id) } }
end

local function original_kept(fact)
    return { { "original_kept", has_original(fact.id) } }
end

-- ---- easy ----

truth("mirror", {
    facts = function() return some_facts("mirror task") end,
    change = function(doc)
        document.reshape(doc, { op = "flip", way = "sides" })
    end,
})

truth("turn", {
    facts = function() return some_facts("turn task") end,
    change = function(doc)
        document.reshape(doc, { op = "rotate", quarters = 1 })
    end,
})

truth("square", {
    facts = function() return some_facts("square task") end,
    change = function(doc)
        document.reshape(doc, document.crop(doc, "square", "keep_middle"))
    end,
})

truth("half", {
    facts = function() return some_facts("half task") end,
    change = function(doc)
        document.reshape(doc, document.resize(doc, 50))
    end,
})

truth("gray", {
    facts = function() return some_facts("gray task") end,
    change = function(doc) add_filter(doc, { op = "gray" }) end,
})

truth("bright", {
    facts = function()
        local fact = some_facts("bright task")
        fact.amount = random("bright task").int(4, 9) * 5
        fact.wrong = fact.amount + 10
        return fact
    end,
    change = function(doc, fact) add_filter(doc, light(fact.amount)) end,
})

truth("mosaic", {
    facts = function()
        local fact = some_facts("mosaic task")
        fact.cell = random("mosaic task").int(7, 12) * 2
        fact.wrong = fact.cell - 6
        return fact
    end,
    change = function(doc, fact)
        add_filter(doc, { op = "mosaic", cell = fact.cell })
    end,
})

truth("negative", {
    facts = function() return some_facts("negative task") end,
    change = function(doc) add_filter(doc, { op = "invert" }) end,
})

-- ---- medium ----

truth("adjustment", {
    facts = function()
        local fact = some_facts("adjustment task")
        fact.amount = random("adjustment task").int(4, 9) * 5
        fact.minus, fact.wrong = -fact.amount, -fact.amount - 10
        return fact
    end,
    change = function(doc, fact) add_adjustment(doc, light(fact.minus)) end,
    process = changeable,
})

truth("colours-back", {
    facts = function() return some_facts("colours back task") end,
    change = function(doc) add_adjustment(doc, { op = "gray" }) end,
    process = original_kept,
})

truth("smart-mosaic", {
    facts = function()
        local fact = some_facts("smart mosaic task")
        fact.cell = random("smart mosaic task").int(7, 12) * 2
        fact.wrong = fact.cell - 6
        return fact
    end,
    change = function(doc, fact)
        add_filter(doc, { op = "mosaic", cell = fact.cell })
    end,
    process = changeable,
})

truth("levels", {
    facts = function()
        local r = random("levels task")
        local fact = some_facts("levels task")
        fact.black, fact.white = r.int(4, 9) * 5, 255 - r.int(4, 9) * 5
        fact.wrong = fact.white - 30
        return fact
    end,
    change = function(doc, fact)
        add_filter(doc, { op = "levels", black = fact.black,
                          white = fact.white, middle = 100 })
    end,
})

-- Heal all spots of the photo.
local function heal_all(doc, fact)
    add_filter(doc, document.heal_step(doc, fact.row, fact.column))
    add_filter(doc, document.heal_step(doc, fact.last_row, fact.last_column))
end

truth("dust", {
    facts = function() return dusty_facts("dust task") end,
    change = heal_all,
    looks = is_clean,
})

truth("dust-kept", {
    facts = function() return dusty_facts("dust kept task") end,
    change = heal_all,
    looks = is_clean,
    process = original_kept,
})

truth("caption", {
    facts = function()
        local r = random("caption task")
        local fact = some_facts("caption task")
        local color = r.pick{ "c_yellow", "c_red", "c_blue" }
        fact.text = photos[fact.id].place.en:upper()
        fact.text_lower = fact.text:lower()
        fact.height = r.pick{ "at_top", "at_middle" }
        fact.height_name = t(darkroom.words[fact.height]):lower()
        fact.color, fact.color_name = color, t(darkroom.words[color]):lower()
        fact.hex = string.format("%06x", darkroom.colors[color])
        fact.percent = darkroom.heights[fact.height]
        return fact
    end,
    change = function(doc, fact)
        document.insert(doc, document.new_caption(doc, fact.text,
            darkroom.colors[fact.color], fact.percent, 26))
    end,
})

truth("wordless", {
    facts = function() return project_facts("wordless task") end,
    change = function(doc) doc.layers[4].hidden = true end,
    process = function(fact)
        local edit = state() and state().edits[tostring(fact.id)]
        local texts = edit and table.filter(edit.states[edit.at].doc.layers,
            function(layer) return layer.kind == "text" end)
        return { { "words_kept", texts and #texts == 1 and
                   texts[1].text == fact.text } }
    end,
})

return truths
