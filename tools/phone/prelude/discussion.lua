-- Comments below something, and replies to them, as in Video and News: what
-- their handlers do. Each app has its own screens and wording.

discussion = {}

local function leave(window)
    if current() == window then
        back()
    end
end

-- One's own comments on something; the parent is the comment that they reply
-- to, 0 for none.
function discussion.own(state, about, parent)
    return table.filter(state.mine, function(one)
        return one.about == about and one.parent == parent
    end)
end

-- In the state there have to be comment_order, comments_shown, writing, mine,
-- next_comment and liked_comments. Of parts, `order` is the first order, `step`
-- how many are shown at first, `send` the name of the handler that adds a
-- comment, and `sent` what is said of that.
function discussion.add_handlers(handlers, parts)
    function handlers.comments(state, id)
        state.comment_order, state.comments_shown = parts.order, parts.step
        state.writing = ""
        go("comments", id)
    end

    function handlers.comment_order(state, order)
        state.comment_order, state.comments_shown = order, parts.step
        leave("comment_order")
    end

    function handlers.like_comment(state, about, comment)
        table.toggle(state.liked_comments, about .. " " .. comment)
    end

    function handlers.thread(state, about, comment)
        state.writing = ""
        go("thread", about, comment)
    end

    function handlers.write(state, text) state.writing = text end

    handlers[parts.send] = function(state, about, parent)
        local text = state.writing:trim()
        if text == "" then
            return
        end
        table.insert(state.mine, 1, { id = -state.next_comment, about = about,
                                      parent = parent, text = text })
        state.next_comment = state.next_comment + 1
        state.writing = ""
        snack(parts.sent)
    end

    function handlers.delete_comment(state, id)
        state.mine = table.filter(state.mine, function(one)
            return one.id ~= id
        end)
        leave("sure_delete")
    end
end
