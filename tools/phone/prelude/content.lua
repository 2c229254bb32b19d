-- What apps are filled with: made up from the seed, so that no two phones have
-- the same, and nothing of it can be known beforehand.
content = {}
