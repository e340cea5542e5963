import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { assert, describe, it } from "vitest"
import { builtFile } from "../../src/engine/core/process/builtFile.ts"
import { aFolder } from "../support/gitRepository.ts"

describe("a compiled module beside its caller", () => {
  it("is the one in the same bundle for what runs in a bundle, and null where that has none", () => {
    const bundle = join(aFolder(), "bundled")
    mkdirSync(bundle)
    writeFileSync(join(bundle, "scanWorker.cjs"), "")
    const caller = pathToFileURL(join(bundle, "chunk-A.cjs")).href
    assert.strictEqual(builtFile(caller, "scanWorker")?.href, pathToFileURL(join(bundle, "scanWorker.cjs")).href)
    assert.isNull(builtFile(caller, "observers"))
  })
})

describe("a compiled process", () => {
  const process_ = new URL("../../src/engine/core/process/ScanProcess.ts", import.meta.url).href

  /** The modules that a process starts threads from while it looks at a folder of one file. */
  const threadsOf = (name: string): ReadonlyArray<string> => {
    const folder = aFolder()
    const watch = join(folder, "watch.cjs")
    writeFileSync(
      watch,
      `const threads = require("node:worker_threads")
       threads.Worker = class extends threads.Worker {
         constructor(entry, ...rest) { super(entry, ...rest); process.stderr.write(entry.href + "\\n") }
       }`
    )
    const root = join(folder, "code")
    mkdirSync(root)
    writeFileSync(join(root, "a.js"), "export const a = 1\n")
    const entry = fileURLToPath(builtFile(process_, name)!)
    const input = JSON.stringify({ source: { kind: "folder", root }, suite: "full" })
    const { stdout, stderr } = spawnSync(process.execPath, ["--require", watch, entry], { input, encoding: "utf8" })
    assert.include(stdout, '"type":"result"', stderr)
    return stderr.split("\n").filter((line) => line !== "")
  }

  it.each(["scan-process", "discovery-process"])(
    "%s inspects files in threads, which it can end one by one",
    (name) => {
      assert.deepStrictEqual(threadsOf(name), [builtFile(process_, "scanWorker")!.href])
    }
  )
})
