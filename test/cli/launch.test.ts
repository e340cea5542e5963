import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
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
  const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs")
  appendFileSync("compilations", "one\\n")
  mkdirSync("dist", { recursive: true })
  writeFileSync("dist/main.js", readFileSync("src/main.ts"))
`

/** A checkout with our launcher and build script, a program of one line, and a compiler that counts its runs. */
const aCheckout = () => {
  const folder = aFolder()
  for (const path of ["bin", "scripts/build.mjs"]) cpSync(join(root, path), join(folder, path), { recursive: true })
  write(folder, "package.json", '{ "type": "module" }')
  for (const path of ["package-lock.json", "tsconfig.json", "tsconfig.build.json"]) write(folder, path, "{}")
  write(folder, "scripts/bundle.mjs", "")
  write(folder, "src/main.ts", 'console.log("first")')
  write(folder, "node_modules/typescript/package.json", '{ "type": "commonjs" }')
  write(folder, "node_modules/typescript/bin/tsc", compiler)
  return folder
}

const start = (folder: string) =>
  spawnSync(process.execPath, [join(folder, "bin/assay")], { cwd: folder, encoding: "utf8" })

const compilations = (folder: string) =>
  existsSync(join(folder, "compilations"))
    ? readFileSync(join(folder, "compilations"), "utf8").split("\n").length - 1
    : 0

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

it("a release tarball contains what a start needs, and no sources", () => {
  const options = ["pack", "--dry-run", "--ignore-scripts", "--json"]
  const listed = JSON.parse(
    execFileSync("npm", options, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  )
  const packs: ReadonlyArray<{ readonly files: ReadonlyArray<{ readonly path: string }> }> = Object.values(listed)
  const paths = packs.flatMap(({ files }) => files.map(({ path }) => path))
  for (const path of [
    "bin/assay",
    "bin/launch.js",
    "dist/main.js",
    "dist/engine/core/process/bundled/scan-process.js",
    "docs/operations.md",
    "grammars/tree-sitter-typescript.wasm",
    "grammars/LICENSE-APACHE-2.0.txt",
    "web/index.html",
    "web/docs/site.js"
  ]) {
    assert.include(paths, path)
  }
  assert.deepStrictEqual(
    paths.filter((path) => /^(?:src|test|scripts|node_modules)\/|\.map$|\.tsbuildinfo$/.test(path)),
    []
  )
}, 600_000)
