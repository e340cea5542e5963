import { spawnSync } from "node:child_process"
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "vitest"
import { bundleIn } from "../../src/engine/core/bundle/bundleIn.ts"
import { aFolder } from "../support/gitRepository.ts"

const built = pathToFileURL(join(import.meta.dirname, "../../dist/engine/core/bundle/bundleIn.js")).href

/** Long enough for its code to be kept; all such sources have one length, which is all that V8 compares. */
const sourceOf = (value: number) => `exports.value = (() => ${value})();${" ".repeat(10_000)}`

const cacheIn = (folder: string) => join(folder, "a.cjs.cache")

/** What the module is elsewhere: in one process V8 remembers what it has compiled of a file. */
const valueIn = (folder: string) => {
  const copy = aFolder()
  cpSync(folder, copy, { recursive: true })
  return (bundleIn(copy).load("a.cjs") as { readonly value: number }).value
}

/** A bundle of one module, with the code of it. */
const cached = (value: number) => {
  const folder = aFolder()
  writeFileSync(join(folder, "a.cjs"), sourceOf(value))
  const bundle = bundleIn(folder)
  bundle.load("a.cjs")
  bundle.writeCache()
  return folder
}

/** The code of one module with the checksum of another one's source. */
const forged = (code: string, source: string) =>
  Buffer.concat([readFileSync(cacheIn(source)).subarray(0, 4), readFileSync(cacheIn(code)).subarray(4)])

describe("a bundle's compiled code", () => {
  it("is what runs, where it is that of the source", () => {
    const folder = cached(2)
    writeFileSync(cacheIn(folder), forged(cached(1), folder))
    assert.strictEqual(valueIn(folder), 1)
  })

  it("is ignored when the source is another one, and replaced when it is written again", () => {
    const folder = cached(1)
    writeFileSync(join(folder, "a.cjs"), sourceOf(2))
    const bundle = bundleIn(folder)
    assert.deepStrictEqual([valueIn(folder), bundle.load("a.cjs")], [2, { value: 2 }])
    bundle.writeCache()
    assert.deepStrictEqual(
      readFileSync(cacheIn(folder)).subarray(0, 4),
      readFileSync(cacheIn(cached(2))).subarray(0, 4)
    )
    assert.strictEqual(valueIn(folder), 2)
    assert.deepStrictEqual(readdirSync(folder).sort(), ["a.cjs", "a.cjs.cache"])
  })

  it.each([0, 4, 8, 100])("is ignored when it ends after %i bytes", (length) => {
    const folder = cached(1)
    writeFileSync(cacheIn(folder), readFileSync(cacheIn(folder)).subarray(0, length))
    assert.strictEqual(valueIn(folder), 1)
  })

  it("is ignored when any of its bytes is another one", () => {
    const folder = cached(1)
    const good = readFileSync(cacheIn(folder))
    for (const at of [
      ...Array(24).keys(),
      ...Array.from({ length: 20 }, (_, n) => Math.floor((good.length * n) / 20))
    ]) {
      const damaged = Buffer.from(good)
      damaged[at] = damaged[at]! ^ 0xff
      writeFileSync(cacheIn(folder), damaged)
      assert.strictEqual(valueIn(folder), 1)
    }
  })

  it("is ignored by a process in which V8 compiles otherwise", () => {
    const folder = cached(2)
    writeFileSync(cacheIn(folder), forged(cached(1), folder))
    const program = `import { bundleIn } from "${built}"; console.log(bundleIn(${JSON.stringify(folder)}).load("a.cjs").value)`
    const valueWith = (...flags: ReadonlyArray<string>) =>
      spawnSync(process.execPath, [...flags, "--input-type=module", "-e", program], { encoding: "utf8" }).stdout
    assert.deepStrictEqual([valueWith(), valueWith("--max-lazy")], ["1\n", "2\n"])
  })

  it("comes with the build, for the command and for the scanning processes", () => {
    const compiled = join(import.meta.dirname, "../../dist")
    for (const folder of ["bundled", "engine/core/process/bundled"]) {
      const names = readdirSync(join(compiled, folder))
      assert.isAbove(names.filter((name) => name.endsWith(".cache")).length, 10)
      for (const name of names) assert.isTrue(existsSync(join(compiled, folder, name.replace(/\.cache$/, ""))))
    }
  })
})

describe("the modules of a bundle", () => {
  it("are run once, and know each other by their file names", () => {
    const folder = aFolder()
    writeFileSync(
      join(folder, "counter.cjs"),
      "globalThis.bundleRuns = (globalThis.bundleRuns ?? 0) + 1; exports.runs = globalThis.bundleRuns"
    )
    writeFileSync(join(folder, "a.cjs"), 'exports.runs = () => require("./counter.cjs").runs')
    const bundle = bundleIn(folder)
    const { runs } = bundle.load("a.cjs") as { readonly runs: () => number }
    assert.deepStrictEqual([runs(), runs(), bundle.load("counter.cjs")], [1, 1, { runs: 1 }])
  })

  it("are the same for who imports a start of their bundle by its address", async () => {
    const folder = aFolder()
    writeFileSync(join(folder, "other-entry.cjs"), "exports.own = {}")
    const url = pathToFileURL(join(folder, "other.cjs")).href
    writeFileSync(join(folder, "a.cjs"), `exports.imported = (url) => importModule(url)`)
    const bundle = bundleIn(folder)
    const { imported } = bundle.load("a.cjs") as { readonly imported: (url: string) => Promise<unknown> }
    assert.strictEqual(await imported(url), bundle.load("other-entry.cjs"))
    assert.isFunction(((await imported("node:path")) as { readonly join: unknown }).join)
  })
})
