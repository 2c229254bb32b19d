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

-- ---- the checklist ----

local filters = { blur = true, sharpen = true, mosaic = true, noise = true }
local scalings = { place = true, resize = true }
local retouching = { heal = true, fill = true }

-- Has a photo of the export lost anything to steps that f chooses? f is given
-- the step and its layer.
local function has_loss(id, f)
    for _, layer in ipairs(layers_of(id, "photo")) do
        for i, step in ipairs(layer.steps) do
            if not (layer.smart and i > layer.smart_after) and
               f(step, layer) then
                return true
            end
        end
    end
    return false
end

-- The questions on non-destructive editing, as the tasks have them.
local function checklist(fact)
    local id = fact.id
    local function kept(f)
        return export_of(id) ~= nil and not has_loss(id, f)
    end
    return {
        { "smart_objects", kept(function(step) return scalings[step.op] end) },
        { "masks", kept(function(step) return step.op == "erase" end) },
        { "smart_filters", kept(function(step) return filters[step.op] end) },
        { "adjustment_layers", kept(function(step)
            return not shapes[step.op] and not filters[step.op] and
                   not retouching[step.op] and step.op ~= "erase"
        end) },
        { "duplicate_layers", kept(function(step, layer)
            return not shapes[step.op] and not layer.copy_of
        end) },
        { "blank_layers", kept(function(step)
            return retouching[step.op]
        end) },
    }
end

-- ---- facts ----

local function shuffled(name)
    return random(name).shuffle(photos)
end

-- The facts of a photo, for the instruction.
local function facts_of(photo, other)
    local lower = photo.subject.en:lower()
    return { id = photo.id, subject = t{ en = lower, zh = photo.subject.zh },
             place = t(photo.place), scene = document.photo_name(photo),
             file = darkroom.file_name(photo), other = other.id,
             other_file = darkroom.file_name(other) }
end

local function some_facts(name)
    local some = shuffled(name)
    return facts_of(some[1], some[2])
end

-- A photo whose subject is colourful, for changes to the subject.
local function colourful_facts(name)
    local some = table.filter(shuffled(name), function(photo)
        return photo.scene ~= "snowman"
    end)
    return facts_of(some[1], some[2])
end

-- Facts of two photos with different subjects: the second is to be added.
local function two_facts(name)
    local some = shuffled(name)
    local first = some[1]
    local others = table.filter(some, function(photo)
        return photo.scene ~= first.scene
    end)
    local fact = facts_of(first, some[2])
    local added = facts_of(others[1], first)
    fact.added, fact.added_subject = added.id, added.subject
    fact.added_place, fact.added_scene = added.place, added.scene
    fact.wrong_added = others[2].id
    return fact
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
    local some = random(name).shuffle(table.filter(document.projects,
        function(project) return #project.layers == 4 end))
    local project, other = some[1], some[2]
    return { id = project.id, project = t(project.name), place = "",
             file = darkroom.file_name(project), other = other.id,
             other_file = darkroom.file_name(other),
             text = project.layers[4].text,
             inset = t(project.layers[2].name):lower() }
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
        checklist = parts.process and checklist,
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

truth("uncovered", {
    facts = function() return project_facts("uncovered task") end,
    change = function(doc) table.remove(doc.layers, 3) end,
})

truth("in-front", {
    facts = function() return project_facts("in front task") end,
    change = function(doc)
        doc.layers[2], doc.layers[3] = doc.layers[3], doc.layers[2]
    end,
})

truth("multiplied", {
    facts = function()
        local fact = project_facts("multiplied task")
        fact.opacity = random("multiplied task").int(14, 18) * 5
        fact.wrong = fact.opacity - 50
        return fact
    end,
    change = function(doc, fact)
        doc.layers[3].opacity, doc.layers[3].blend = fact.opacity, "multiply"
    end,
})

truth("wide", {
    facts = function() return some_facts("wide task") end,
    change = function(doc)
        document.reshape(doc, { op = "flip", way = "sides" })
        document.reshape(doc, document.crop(doc, "r16x9", "keep_end"))
    end,
})

truth("sharp-half", {
    facts = function()
        local fact = some_facts("sharp half task")
        fact.amount = random("sharp half task").int(12, 18) * 10
        fact.wrong = fact.amount - 90
        return fact
    end,
    change = function(doc, fact)
        add_filter(doc, { op = "sharpen", amount = fact.amount })
        document.reshape(doc, document.resize(doc, 50))
    end,
})

truth("tint", {
    facts = function()
        local r = random("tint task")
        local fact = some_facts("tint task")
        fact.color = r.pick{ "c_orange", "c_blue", "c_yellow" }
        fact.color_name = t(darkroom.words[fact.color]):lower()
        fact.color_value = darkroom.colors[fact.color]
        fact.opacity = r.int(6, 10) * 5
        fact.rest, fact.wrong = 100 - fact.opacity, fact.opacity - 20
        return fact
    end,
    change = function(doc, fact)
        document.insert(doc, { kind = "blank", opacity = fact.opacity,
            steps = { { op = "fill", color = fact.color_value } } })
    end,
    process = original_kept,
})

truth("double", {
    facts = function()
        local fact = two_facts("double task")
        fact.opacity = random("double task").int(10, 14) * 5
        return fact
    end,
    change = function(doc, fact)
        document.add_photo(doc, photos[fact.added])
        document.active(doc).opacity = fact.opacity
        document.active(doc).blend = "screen"
    end,
})

-- ---- edits that stay changeable ----

truth("sharp-square", {
    facts = function()
        local fact = some_facts("sharp square task")
        fact.amount = random("sharp square task").int(12, 18) * 10
        fact.wrong = fact.amount - 90
        return fact
    end,
    change = function(doc, fact)
        add_filter(doc, { op = "sharpen", amount = fact.amount })
        document.reshape(doc, document.crop(doc, "square", "keep_middle"))
    end,
    process = changeable,
})

truth("splash", {
    facts = function() return colourful_facts("splash task") end,
    change = function(doc)
        add_adjustment(doc, { op = "gray" }, "background")
    end,
    apart = true,
    process = original_kept,
})

truth("recolour", {
    facts = function()
        local fact = colourful_facts("recolour task")
        fact.hue = random("recolour task").int(9, 15) * 10
        fact.wrong = fact.hue - 60
        return fact
    end,
    change = function(doc, fact)
        add_adjustment(doc, { op = "hue", hue = fact.hue, saturation = 0 },
                       "subject")
    end,
    apart = true,
    process = changeable,
})

truth("soft-background", {
    facts = function()
        local fact = colourful_facts("soft background task")
        fact.radius = random("soft background task").int(8, 12)
        fact.wrong = 2
        return fact
    end,
    change = function(doc, fact)
        document.duplicate(doc)
        local copy = document.active(doc)
        copy.filters = { { op = "blur", radius = fact.radius } }
        copy.mask = document.new_mask(doc, "background", 0)
    end,
    apart = true,
    process = changeable,
})

truth("vignette", {
    facts = function()
        local fact = some_facts("vignette task")
        fact.amount = random("vignette task").int(8, 12) * 5
        fact.minus = -fact.amount
        return fact
    end,
    change = function(doc, fact)
        add_adjustment(doc, light(fact.minus), "edges")
    end,
    process = changeable,
})

truth("sunset", {
    facts = function()
        local fact = some_facts("sunset task")
        fact.amount = random("sunset task").int(12, 18) * 5
        fact.minus = -fact.amount
        return fact
    end,
    change = function(doc, fact)
        add_adjustment(doc, { op = "hue", hue = 0,
                              saturation = fact.minus }, "top")
    end,
    process = changeable,
})

truth("inset", {
    facts = function()
        local fact = two_facts("inset task")
        local r = random("inset task")
        fact.scale, fact.x, fact.y = r.int(6, 9) * 5, r.pick{ 25, 75 },
                                     r.pick{ 25, 75 }
        fact.wrong = fact.scale + 20
        return fact
    end,
    change = function(doc, fact)
        document.add_photo(doc, photos[fact.added])
        document.active(doc).steps = { { op = "place", scale = fact.scale,
                                         x = fact.x, y = fact.y } }
    end,
    process = function(fact)
        return { { "smart_object", not has_loss(fact.id, function(step)
            return scalings[step.op]
        end) } }
    end,
})

truth("cut-out", {
    facts = function() return two_facts("cut out task") end,
    change = function(doc, fact)
        document.add_photo(doc, photos[fact.added])
        document.active(doc).mask = document.new_mask(doc, "subject", 0)
    end,
    process = changeable,
})

truth("retouched", {
    facts = function()
        local fact = dusty_facts("retouched task")
        fact.amount = random("retouched task").int(5, 9) * 5
        fact.text = photos[fact.id].place.en:upper()
        return fact
    end,
    change = function(doc, fact)
        heal_all(doc, fact)
        add_adjustment(doc, light(fact.amount), "subject")
        document.insert(doc, document.new_caption(doc, fact.text, 0xffffff,
            darkroom.heights.at_bottom, 26))
    end,
    looks = is_clean,
    process = changeable,
})

truth("dimmed", {
    facts = function()
        local project = document.projects[#document.projects]
        local other = document.projects[1]
        local amount = random("dimmed task").int(2, 4) * 5
        local before_it = project.layers[2].brightness
        return { id = project.id, project = t(project.name),
                 file = darkroom.file_name(project), other = other.id,
                 scene = document.photo_name(project.layers[1]),
                 before = before_it, amount = amount, less = amount - before_it,
                 wrong = amount + 20 }
    end,
    change = function(doc, fact) doc.layers[2].brightness = fact.amount end,
    process = function(fact)
        return { { "one_adjustment", is_changeable(fact.id) and
                   #layers_of(fact.id, "adjust") == 1 } }
    end,
})

return truths
