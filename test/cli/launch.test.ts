import { execFile, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { aFolder } from "../support/gitRepository.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

const write = (folder: string, path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Stands in for the compiler: notes that it ran, and "compiles" a program that prints its source. */
const compiler = `
  const { appendFileSync, readFileSync, writeFileSync } = require("node:fs")
  appendFileSync("compilations", "one\\n")
  const outDir = process.argv[process.argv.indexOf("--outDir") + 1]
  writeFileSync(outDir + "/main.js", readFileSync("src/main.ts"))
`

/** Stands in for the bundler of the web app. */
const webBundler = `
  import { appendFileSync, mkdirSync } from "node:fs"
  appendFileSync("bundled-webs", "one\\n")
  mkdirSync(process.argv[2])
`

/** A checkout with our launcher and build script, a program of one line, and a compiler that counts its runs. */
const aCheckout = () => {
  const folder = aFolder()
  for (const path of ["bin", "scripts/build.mjs", "scripts/buildState.mjs"])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  write(folder, "package.json", '{ "type": "module" }')
  for (const path of ["package-lock.json", "tsconfig.json", "tsconfig.build.json"]) write(folder, path, "{}")
  for (const path of ["scripts/bundle.mjs", "scripts/codeCache.mjs", "scripts/notices.mjs"]) write(folder, path, "")
  write(folder, "scripts/bundleWeb.mjs", webBundler)
  for (const path of ["web/index.html", "web/vite.config.ts", "web/src/main.tsx"]) write(folder, path, "")
  write(folder, "src/main.ts", 'console.log("first")')
  write(folder, "node_modules/typescript/package.json", '{ "type": "commonjs" }')
  write(folder, "node_modules/typescript/bin/tsc", compiler)
  return folder
}

const start = (folder: string) =>
  spawnSync(process.execPath, [join(folder, "bin/assay")], { cwd: folder, encoding: "utf8" })

const startBeside = (folder: string) =>
  new Promise<string>((resolve) => {
    execFile(process.execPath, [join(folder, "bin/assay")], { cwd: folder, encoding: "utf8" }, (_, stdout) =>
      resolve(stdout)
    )
  })

const lines = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0)
const compilations = (folder: string) => lines(join(folder, "compilations"))
const bundledWebs = (folder: string) => lines(join(folder, "bundled-webs"))

// Each start is a process, and a loaded machine takes seconds for it.
describe("bin/assay in a checkout", { timeout: 600_000 }, () => {
  it("compiles at the first start and after a change, and not when nothing has changed", () => {
    const folder = aCheckout()
    assert.deepStrictEqual([start(folder).stdout, compilations(folder)], ["first\n", 1])
    assert.deepStrictEqual([start(folder).stdout, compilations(folder)], ["first\n", 1])
    write(folder, "src/main.ts", 'console.log("second")')
    assert.deepStrictEqual([start(folder).stdout, compilations(folder)], ["second\n", 2])
    // The same contents with new times, as after a copy.
    write(folder, "src/main.ts", 'console.log("second")')
    assert.deepStrictEqual([start(folder).stdout, compilations(folder)], ["second\n", 2])
    write(folder, "src/other.ts", "")
    start(folder)
    rmSync(join(folder, "src/other.ts"))
    start(folder)
    assert.strictEqual(compilations(folder), 4)
  })

  it("builds the web app after a change in it only, and compiles nothing else then", () => {
    const folder = aCheckout()
    start(folder)
    write(folder, "src/main.ts", 'console.log("second")')
    start(folder)
    assert.deepStrictEqual([compilations(folder), bundledWebs(folder)], [2, 1])
    write(folder, "web/src/main.tsx", "export const changed = true")
    assert.strictEqual(start(folder).stdout, "second\n")
    assert.deepStrictEqual([compilations(folder), bundledWebs(folder)], [2, 2])
  })

  it("starts without a compiler when dist is current, and says what to do when it is not", () => {
    const folder = aCheckout()
    start(folder)
    rmSync(join(folder, "node_modules"), { recursive: true })
    assert.strictEqual(start(folder).stdout, "first\n")
    write(folder, "src/main.ts", 'console.log("second")')
    const stale = start(folder)
    assert.strictEqual(stale.status, 1)
    assert.strictEqual(stale.stdout, "")
    assert.match(stale.stderr, /does not match the sources, and the compiler is not installed\. Run `npm ci`/)
    rmSync(join(folder, "dist"), { recursive: true })
    assert.match(start(folder).stderr, /is missing, and the compiler is not installed/)
  })

  it("compiles once when several start at the same time, and takes over from a build that was killed", async () => {
    const folder = aCheckout()
    writeFileSync(join(folder, "dist.lock"), "4000000")
    const outputs = await Promise.all(Array.from({ length: 4 }, () => startBeside(folder)))
    assert.deepStrictEqual(outputs, ["first\n", "first\n", "first\n", "first\n"])
    assert.strictEqual(compilations(folder), 1)
    assert.deepStrictEqual(
      readdirSync(folder).filter((name) => name.startsWith("dist")),
      ["dist"]
    )
  })

  it("leaves the program that runs in place until the next one is complete", () => {
    const folder = aCheckout()
    start(folder)
    write(folder, "src/main.ts", 'console.log("second")')
    // A compiler that writes half of its output, looks at what others see, and fails.
    const halfway = `const { readFileSync, writeFileSync } = require("node:fs")
      writeFileSync(process.argv[process.argv.indexOf("--outDir") + 1] + "/main.js", "half")
      writeFileSync("seen", readFileSync("dist/main.js"))
      process.exit(2)`
    write(folder, "node_modules/typescript/bin/tsc", halfway)
    assert.strictEqual(start(folder).status, 1)
    for (const path of ["seen", "dist/main.js"])
      assert.strictEqual(readFileSync(join(folder, path), "utf8"), 'console.log("first")')
  })

  it("names every taken port before it compiles anything", async () => {
    const folder = aCheckout()
    const held = createServer().listen(0, "127.0.0.1")
    await once(held, "listening")
    const address = held.address()
    const port = typeof address === "object" && address !== null ? String(address.port) : ""
    const env = { ...process.env, ASSAY_PORT: port, ASSAY_DOCS_PORT: "0", ASSAY_ADMIN_PORT: port }
    const { status, stderr } = await new Promise<{ status: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [join(folder, "bin/assay"), "serve"], { cwd: folder, env }, (error, _, stderr) =>
        resolve({ status: error?.code, stderr })
      )
    })
    held.close()
    assert.strictEqual(status, 2)
    assert.match(
      stderr,
      new RegExp(`^assay: port ${port} on 127.0.0.1 is taken; .* Set ASSAY_PORT.\n.* Set ASSAY_ADMIN_PORT.\n$`)
    )
    assert.strictEqual(compilations(folder), 0)
    assert.isFalse(existsSync(join(folder, ".assay")))
  })

  it("does not start what failed to compile", () => {
    const folder = aCheckout()
    start(folder)
    write(folder, "src/main.ts", 'console.log("second")')
    write(folder, "node_modules/typescript/bin/tsc", "process.exit(2)")
    const failed = start(folder)
    assert.deepStrictEqual([failed.status, failed.stdout], [1, ""])
    assert.include(failed.stderr, "The build failed")
  })
})
