import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ScanResult } from "../../src/engine/core/scan/ScanResult.ts"
import { aFolder, aRepository } from "../support/gitRepository.ts"
import { aTemporaryFolder } from "../support/server.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }

/** Packages that `npm install` of the release puts beside it: those of development are missing. */
const dependencies = () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
  }
  return Object.entries(packages).flatMap(([path, { dev }]) =>
    /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && dev !== true && existsSync(join(root, path)) ? [path] : []
  )
}

/** A clean prefix with the packed tarball as npm installs it, from the packages that are here already: without network. */
const installed = () => {
  const prefix = aFolder()
  const quiet = { cwd: root, stdio: "ignore" } as const
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", prefix], quiet)
  const [tarball = ""] = readdirSync(prefix)
  const own = join(prefix, "node_modules/assay")
  mkdirSync(own, { recursive: true })
  execFileSync("tar", ["xzf", join(prefix, tarball), "-C", own, "--strip-components=1"])
  for (const path of dependencies()) {
    mkdirSync(dirname(join(prefix, path)), { recursive: true })
    symlinkSync(join(root, path), join(prefix, path))
  }
  const { bin } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as {
    readonly bin: { readonly assay: string }
  }
  mkdirSync(join(prefix, "node_modules/.bin"))
  symlinkSync(join("../assay", bin.assay), join(prefix, "node_modules/.bin/assay"))
  return { prefix, tarball }
}

// npx runs what is in the prefix, and fails rather than ask a registry.
const npx = ["--offline", "--no", "--", "assay"]
const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env.PATH ?? "",
  HOME: aFolder(),
  ...more
})

describe("the packed package, in a clean prefix", () => {
  let prefix: string
  let tarball: string

  beforeAll(() => {
    ;({ prefix, tarball } = installed())
  })

  const run = (...args: ReadonlyArray<string>) =>
    execFileSync("npx", [...npx, ...args], {
      cwd: prefix,
      env: environment(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })

  it("has the name and version that the release's files carry, and runs by npx", () => {
    assert.strictEqual(tarball, `assay-${version}.tgz`)
    assert.include(run("--version"), version)
  })

  it("contains what a start needs, and no sources", () => {
    const packed = execFileSync("tar", ["tzf", join(prefix, tarball)], { encoding: "utf8" })
    const paths = packed.split("\n").map((path) => path.replace(/^package\//, ""))
    assert.includeMembers(paths, [
      "bin/assay",
      "bin/launch.js",
      "dist/main.js",
      "dist/bundled/main.cjs",
      "dist/bundled/LICENSES.txt",
      "dist/engine/core/process/bundled/scan-process.cjs",
      "docs/operations.md",
      "grammars/tree-sitter-typescript.wasm",
      "grammars/LICENSE-APACHE-2.0.txt",
      "dist/web/index.html",
      "web/docs/site.js"
    ])
    assert.deepStrictEqual(
      paths.filter((path) => /^(?:src|test|scripts|node_modules)\/|\.map$|\.tsbuildinfo$/.test(path)),
      []
    )
  })

  it("audits a repository", () => {
    const { path } = aRepository({
      "settings.py": "import yaml\n\n\ndef read(stream):\n    return yaml.load(stream, Loader=yaml.Loader)\n"
    })
    const { findings, tool_failures } = JSON.parse(run("audit", path, "--json")) as ScanResult
    assert.deepStrictEqual(tool_failures, [])
    assert.includeMembers(
      findings.map(({ tool }) => tool),
      ["insecure_deserialization"]
    )
  })

  it.scoped("serves: database, web app and interfaces come up, and it is ready", () =>
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const start = Effect.sync(() =>
        spawn("npx", [...npx, "serve"], {
          cwd: prefix,
          env: environment({ ASSAY_DATA_DIR: dataDir, ASSAY_PORT: "0", ASSAY_DOCS_PORT: "0", ASSAY_ADMIN_PORT: "0" }),
          stdio: ["ignore", "pipe", "pipe"],
          // npx stands between: its whole group is ended.
          detached: true
        })
      )
      const child = yield* Effect.acquireRelease(start, (started) =>
        Effect.promise(async () => {
          if (started.exitCode !== null || started.pid === undefined) return
          const exit = once(started, "exit")
          process.kill(-started.pid, "SIGTERM")
          await exit
        })
      )
      let log = ""
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        log += text
      })
      const line = yield* Effect.promise(() =>
        Promise.race([once(createInterface({ input: child.stdout }), "line"), once(child, "exit").then(() => [null])])
      )
      assert.isString(line[0], log)
      const { api, admin } = JSON.parse(String(line[0])) as { readonly api: string; readonly admin: string }
      const statusOf = (url: string, headers: Readonly<Record<string, string>> = {}) =>
        Effect.promise(() => fetch(url, { headers }).then(({ status }) => status))
      assert.strictEqual(yield* statusOf(`${admin}/readyz`), 200)
      assert.strictEqual(yield* statusOf(`${api}/`, { accept: "text/html" }), 200)
      assert.strictEqual(yield* statusOf(`${api}/api/repos`), 401)
    })
  )
})
