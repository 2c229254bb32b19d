// @devicefarmer/adbkit does the task. It connects to port 5037 itself.
import adbkit from "@devicefarmer/adbkit";

import { doTask } from "./tasks.mjs";
import { elementsOf } from "./ui_tree.mjs";

const device = adbkit.Adb.createClient().getDevice(process.env.ANDROID_SERIAL);

async function run(command) {
    return (await adbkit.Adb.util.readAll(await device.shell(command))).toString();
}

await doTask({
    elements: async () => elementsOf(await run("uiautomator dump /dev/tty")),
    tap: (x, y) => run(["input", "tap", x, y]),
    type: (text) => run(["input", "text", text]),
    enter: () => run("input keyevent 66"),
});
process.exit(0);
