import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

const modules = process.env.ASSAY_INSPECTOR ?? fileURLToPath(new URL("../../node_modules", import.meta.url))

const program = join(modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js")

/**
 * With its page and that page's build tools the inspector is 110 MB, more than all of our dependencies that are not
 * binaries: it is used where it is installed. `ASSAY_INSPECTOR` names a `node_modules` folder elsewhere that has it.
 */
export const inspectorIsInstalled = existsSync(program)

/** Runs the command line of the MCP inspector against an endpoint. */
export const inspect = (endpoint: string, apiKey: string, ...args: ReadonlyArray<string>) =>
  Effect.async<{ readonly code: number | null; readonly out: string; readonly log: string }>((resume) => {
    const child = spawn(
      process.execPath,
      [program, ...["--cli", endpoint, "--transport", "http", "--header", `Authorization: Bearer ${apiKey}`], ...args],
      // It keeps a catalogue of servers in the home folder.
      { env: { PATH: process.env.PATH, HOME: tmpdir() }, stdio: ["ignore", "pipe", "pipe"] }
    )
    const parts = { out: "", log: "" }
    child.stdout.on("data", (part) => {
      parts.out += String(part)
    })
    child.stderr.on("data", (part) => {
      parts.log += String(part)
    })
    child.on("close", (code) => resume(Effect.succeed({ code, ...parts })))
    return Effect.sync(() => child.kill())
  })
