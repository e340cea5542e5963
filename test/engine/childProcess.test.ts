import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "vitest"
import { aFolder } from "../support/gitRepository.ts"

const built = pathToFileURL(join(import.meta.dirname, "../../dist/engine/core/process/childProcess.js")).href

/** Runs a program over the build, as commands do; a program that hangs has no status. */
const program = (source: string) => {
  const text = `import { childOf, startAhead } from ${JSON.stringify(built)}\n${source}`
  return spawnSync(process.execPath, ["--input-type=module", "-e", text], { encoding: "utf8", timeout: 600_000 })
}

describe("a process that is started ahead", () => {
  it("is the one that gets the request, once", () => {
    const { stdout } = program(`
      startAhead("scan-process")
      const [first, second] = [childOf("scan-process", 512), childOf("scan-process", 512)]
      console.log(first.pid !== second.pid)
      for (const child of [first, second]) child.kill()
    `)
    assert.strictEqual(stdout, "true\n")
  })

  it("neither keeps a command alive that asks it nothing, nor outlives it", () => {
    const { status, stdout } = program(`
      startAhead("scan-process")
      console.log("done")
    `)
    assert.deepStrictEqual([status, stdout], [0, "done\n"])
  })

  it("audits what the request names, whether that is what it was likely to name or not", () => {
    const [likely, other] = [aFolder(), aFolder()]
    writeFileSync(join(likely, "a.ts"), "export const a = 1\n")
    for (const name of ["b.ts", "c.ts"]) writeFileSync(join(other, name), "export const b = 1\n")
    const { stdout } = program(`
      const likely = { kind: "folder", root: ${JSON.stringify(likely)} }
      for (const source of [likely, { kind: "folder", root: ${JSON.stringify(other)} }]) {
        startAhead("scan-process", likely)
        const child = childOf("scan-process", 512)
        child.stdin.end(JSON.stringify({ source, suite: "standard" }))
        let text = ""
        for await (const chunk of child.stdout) text += chunk
        const { result } = text.trim().split("\\n").map((line) => JSON.parse(line)).find(({ type }) => type === "result")
        console.log(result.inventory.files)
      }
    `)
    assert.strictEqual(stdout, "1\n2\n")
  })

  it("is left alone by a request that needs more memory", () => {
    const { stdout } = program(`
      startAhead("scan-process")
      const child = childOf("scan-process", 1024)
      console.log(child.spawnargs.includes("--max-old-space-size=1024"))
      child.kill()
    `)
    assert.strictEqual(stdout, "true\n")
  })
})
