// An MCP client does the task with the tools of @mobilenext/mobile-mcp, whose
// server it starts.
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { doTask } from "./tasks.mjs";

const server = fileURLToPath(import.meta.resolve("@mobilenext/mobile-mcp/lib/index.js"));
const client = new Client({ name: "proctor-test", version: "1.0.0" });

async function call(name, args = {}) {
    const result = await client.callTool({ name, arguments: args });
    const text = result.content.map((item) => item.text ?? "").join("\n");

    if (result.isError) throw new Error(`${name}: ${text}`);
    return text;
}

// By default a client of MCP gives its server PATH and HOME, and no ANDROID_HOME.
const { MOBILEMCP_LEGACY_ROBOT } = process.env;
const options = MOBILEMCP_LEGACY_ROBOT ? { MOBILEMCP_LEGACY_ROBOT } : {};

await client.connect(new StdioClientTransport({
    command: process.execPath,
    args: [server],
    env: { ...options, MOBILEMCP_DISABLE_TELEMETRY: "1" },
}));
const { devices } = JSON.parse(await call("mobile_list_available_devices"));
const device = devices[0].id;

await doTask({
    async elements() {
        const list = await call("mobile_list_elements_on_screen", { device, format: "json" });

        return JSON.parse(list.slice(list.indexOf("["))).map(({ text, label, identifier, coordinates }) => ({
            text,
            description: label,
            id: identifier,
            x: Math.floor(coordinates.x + coordinates.width / 2),
            y: Math.floor(coordinates.y + coordinates.height / 2),
        }));
    },
    tap: (x, y) => call("mobile_click_on_screen_at_coordinates", { device, x, y }),
    type: (text) => call("mobile_type_keys", { device, text, submit: false }),
    enter: () => call("mobile_press_button", { device, button: "ENTER" }),
});
await client.close();
