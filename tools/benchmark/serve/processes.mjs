/* Programs that are measured: started, ended, and their CPU time. */
import {execFile, spawn} from "node:child_process";
import {readdirSync, readFileSync} from "node:fs";
import {createInterface} from "node:readline";

const TICKS = 100; /* a second, on every Linux */
const children = new Set();

/* Start a program, and wait for the line that matches. */
export async function start(program, args, pattern, environment = {}) {
    const child = spawn(program, args, {
        stdio: ["ignore", "pipe", "pipe"],
        env: {...process.env, ...environment}});
    const gone = new Promise((resolve) => child.on("exit", resolve));
    let said = "";
    children.add(child);
    const found = await new Promise((resolve, reject) => {
        const look = (line) => {
            said += line + "\n";
            const match = pattern.exec(line);
            if (match)
                resolve(match);
        };
        createInterface({input: child.stdout}).on("line", look);
        createInterface({input: child.stderr}).on("line", look);
        gone.then(() => reject(new Error(args[0] + " has ended: " + said)));
    });
    return {pid: child.pid, found, stop: async () => {
        child.kill("SIGINT");
        await gone;
        children.delete(child);
    }};
}

export function stopAll() {
    for (const child of children)
        child.kill("SIGKILL");
}

/* Run a program to its end. */
export function run(program, ...args) {
    return new Promise((resolve, reject) => execFile(
        program, args, (error, out) => error ? reject(error) : resolve(out)));
}

/* Parent and CPU time in seconds; null: it has ended. */
function statusOf(pid) {
    try {
        const text = readFileSync(`/proc/${pid}/stat`, "utf8");
        const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
        return {parent: Number(fields[1]),
                seconds: (Number(fields[11]) + Number(fields[12])) / TICKS};
    } catch {
        return null;
    }
}

/* The CPU time of a process in seconds. */
export const cpuOf = (pid) => statusOf(pid).seconds;

/* The same with all processes that it has started, as a browser does. */
export function cpuOfTree(root) {
    const all = new Map();
    for (const name of readdirSync("/proc")) {
        const status = /^\d+$/.test(name) ? statusOf(name) : null;
        if (status)
            all.set(Number(name), status);
    }
    const isWithin = (pid) => pid === root ||
        (all.has(pid) && isWithin(all.get(pid).parent));
    let seconds = 0;
    for (const [pid, status] of all)
        seconds += isWithin(pid) ? status.seconds : 0;
    return seconds;
}
