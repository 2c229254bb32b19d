/* Numbers, times and places of a farm in words. */

const count = new Intl.NumberFormat("en");

const number = (value) => count.format(Math.round(value || 0));

/* "1 phone", "3 phones" */
const many = (value, noun) => number(value) + " " + noun +
    (value === 1 ? "" : "s");

/* 75 -> "1 min"; short, as it changes each second. */
function duration(seconds) {
    if (seconds < 1)
        return "under 1 s";
    if (seconds < 90)
        return Math.round(seconds) + " s";
    if (seconds < 5400)
        return Math.round(seconds / 60) + " min";
    if (seconds < 129600)
        return Math.round(seconds / 3600) + " h";
    return Math.round(seconds / 86400) + " days";
}

/* "settings.dark #2, try 3" */
function taskWords(item) {
    return item.task + (item.repeat ? " #" + (item.repeat + 1) : "") +
        (item.attempt ? ", try " + (item.attempt + 1) : "");
}

/* Episodes per hour, by the last five minutes of a run that goes on; or 0. */
const speedOf = (run) =>
    run.recent && run.taken ? run.recent / Math.max(run.recent_s, 1) * 3600 : 0;

/* Where the recording of an episode is. */
function placeOf(run, episode) {
    const path = episode.task + "/" + episode.repeat + "/" + episode.attempt;

    if (!run)
        return "";
    if (run.recordings.startsWith("worker:"))
        return "kept on " + episode.worker;
    return run.recordings + (run.recordings.startsWith("/")
        ? "/episodes/" + path
        : "/" + path + "-….zip");
}

export {number, many, duration, taskWords, speedOf, placeOf};
