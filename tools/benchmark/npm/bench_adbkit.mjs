// bench_adbkit.mjs SERVER-PORT SERIAL: @devicefarmer/adbkit, through an adb
// server.
import adbkit from "@devicefarmer/adbkit";

import { obey } from "./commands.mjs";

const { Adb, ShellCommand } = adbkit;
const device = Adb.createClient({ port: Number(process.argv[2]) }).getDevice(process.argv[3]);

// It has no command for "exec:", which is otherwise the same.
class ExecCommand extends ShellCommand {
    _send(service) {
        return super._send(service.replace("shell:", "exec:"));
    }
}

async function lengthOf(stream) {
    return (await Adb.util.readAll(stream)).length;
}

await obey({
    shell: async () => lengthOf(await device.shell("echo")),
    frame: async () => lengthOf(await new ExecCommand(await device.transport()).execute("frame")),
});
