import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

/** A package of its own; `npm test` installs it. */
const suite = fileURLToPath(new URL("../conformance/", import.meta.url))
const program = join(suite, "node_modules/@modelcontextprotocol/conformance/dist/index.js")

/**
 * The suite's program cannot send credentials: what it says goes through here, with a key added; with several, since it
 * calls more often in a minute than the endpoint lets one key.
 */
const proxyWithKeys = (url: string, apiKeys: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
      const target = new URL(url)
      let calls = 0
      const server = createServer((incoming, outgoing) => {
        const onward = request(
          {
            hostname: target.hostname,
            port: target.port,
            path: incoming.url,
            method: incoming.method,
            headers: { ...incoming.headers, authorization: `Bearer ${apiKeys[calls++ % apiKeys.length]}` }
          },
          (answer) => {
            outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
            answer.pipe(outgoing)
          }
        )
        onward.on("error", () => outgoing.destroy())
        incoming.pipe(onward)
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/mcp/`, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** Node 20 has no `globSync`, which the program imports and needs for another of its commands only. */
const runnable = (): string => {
  if (!existsSync(program)) throw new Error("The conformance suite is not installed: run `npm ci` in test/conformance.")
  const folder = mkdtempSync(join(tmpdir(), "assay-conformance-"))
  symlinkSync(join(suite, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, "package.json"), readFileSync(join(dirname(program), "../package.json")))
  const entry = join(folder, "index.js")
  writeFileSync(entry, readFileSync(program, "utf8").replace(/globSync as \w+,/, ""))
  return entry
}

/** Runs the protocol's own conformance suite for one revision; its exit code and what it printed. */
export const conformance = (url: string, apiKeys: ReadonlyArray<string>, revision: string, expectedFailures: string) =>
  Effect.gen(function* () {
    const proxy = yield* proxyWithKeys(url, apiKeys)
    return yield* Effect.async<{ readonly code: number | null; readonly output: string }>((resume) => {
      const child = spawn(
        process.execPath,
        [
          runnable(),
          "server",
          ...["--url", proxy.url, "--suite", "all", "--spec-version", revision],
          ...["--expected-failures", expectedFailures]
        ],
        { stdio: ["ignore", "pipe", "pipe"] }
      )
      const parts: Array<string> = []
      child.stdout.on("data", (part) => parts.push(String(part)))
      child.stderr.on("data", (part) => parts.push(String(part)))
      child.on("close", (code) => resume(Effect.succeed({ code, output: parts.join("") })))
      return Effect.sync(() => child.kill())
    })
  }).pipe(Effect.scoped)
