// A client that reads commands: "NAME TIMES" on a line of its standard
// input runs one of its operations so often, and its standard output says how
// many microseconds each took.
import assert from "node:assert/strict";
import readline from "node:readline";

// Each operation gives the number of bytes that came back.
export async function obey(operations) {
    console.log("ready");
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const [name, times, bytes] = line.split(" ");
        const began = process.hrtime.bigint();

        for (let i = 0; i < Number(times); i++)
            assert.equal(await operations[name](), Number(bytes));
        console.log(Number(process.hrtime.bigint() - began) / 1e3 / Number(times));
    }
    process.exit(0);
}
