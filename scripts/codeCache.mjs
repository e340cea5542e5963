import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"

/**
 * Writes the code that V8 makes of the bundles beside them. V8 compiles functions when they are first called, so those
 * that every start calls are called first.
 */
const [compiled, which] = process.argv.slice(2)
const engine = join(resolve(compiled), "engine/core")
const { bundleIn, entryOf } = await import(pathToFileURL(join(engine, "bundle/bundleIn.js")).href)

/** All chunks but those of entries, which would start. */
const command = async () => {
  const folder = join(resolve(compiled), "bundled")
  const bundle = bundleIn(folder)
  const chunks = readdirSync(folder).filter(
    (name) => name.endsWith(".cjs") && name !== entryOf("main") && name !== "main.cjs"
  )
  for (const chunk of chunks) bundle.load(chunk)
  bundle.writeCache()
}

const scan = async () => {
  const bundle = bundleIn(join(engine, "process/bundled"))
  const folder = mkdtempSync(join(tmpdir(), "assay-"))
  try {
    await bundle.load(entryOf("warmUp")).warmUp(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  bundle.writeCache()
}

await { command, scan }[which]()
process.exit(0)
