-- Lists that load as they are scrolled.

-- A handler for on_scroll: show more, up to a number, when the end is near.
-- The state says how many are shown; truths see how far a list was loaded.
function loads_more(field, step, most)
    return function(state, left)
        if left >= 300 or state[field] >= most then
            return false
        end
        state[field] = state[field] + step
        event("loaded", field, state[field])
    end
end
