/* meter_goals.mjs ROWS: hold the rows of `proctor meter --json` to account. */
import {readFileSync} from "node:fs";

const goals = [
    {checks: "hand", least: 0.99},
    {checks: "proposed", least: 0.95},
];
const rows = JSON.parse(readFileSync(process.argv[2], "utf8"));

for (const {checks, least} of goals) {
    const row = rows.find((one) => one.judge === "rules" &&
        one.checks === checks && one.converter === "offline" &&
        one.class === "all");
    if (!row)
        throw new Error(`no row of ${checks} checks`);
    const reached = row.pairs > 0 && row.pair_accuracy >= least;

    console.log(`${checks} checks: ${(100 * row.pair_accuracy).toFixed(1)} % of ` +
        `${row.pairs} pairs, at least ${100 * least} %: ` +
        (reached ? "reached" : "missed"));
    if (!reached)
        process.exitCode = 1;
}
