import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"

const built = new URL("../../dist/web/", import.meta.url)

interface Chunk {
  readonly file: string
  readonly name?: string
  readonly imports?: ReadonlyArray<string>
  readonly dynamicImports?: ReadonlyArray<string>
}

const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(new URL(".vite/manifest.json", built), "utf8")
)

const most = 200

const chunkOf = (key: string): Chunk => {
  const chunk = manifest[key]
  if (chunk === undefined) throw new Error(`${key} is not in the manifest of the build.`)
  return chunk
}

const entry = chunkOf("index.html")

/** What the entry loads on demand, by the name of its module: a chunk that other views share has no module's path as its key. */
const loadedByEntry = (name: string): Chunk => {
  const [chunk, ...others] = (entry.dynamicImports ?? []).map(chunkOf).filter((one) => one.name === name)
  if (chunk === undefined || others.length > 0) throw new Error(`The entry loads not one chunk ${name}.`)
  return chunk
}

const withImports = (chunk: Chunk, seen: Set<string> = new Set()): ReadonlySet<string> => {
  if (seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const key of chunk.imports ?? []) withImports(chunkOf(key), seen)
  return seen
}

/** What a browser loads before the triage view is drawn: the entry, the frame and the view, with their static imports. */
const files = new Set(
  [entry, loadedByEntry("Shell"), loadedByEntry("Triage")].flatMap((chunk) => [...withImports(chunk)])
)

const kilobytes = (file: string) => gzipSync(readFileSync(new URL(file, built)), { level: 9 }).length / 1000

describe("the first script of the web app", () => {
  it(`has at most ${most} kB (gzip) when the triage view is the first`, () => {
    const sizes = [...files].map((file) => ({ file, size: kilobytes(file) })).sort((a, b) => b.size - a.size)
    const total = sizes.reduce((sum, { size }) => sum + size, 0)
    const largest = sizes.slice(0, 8).map(({ file, size }) => `${size.toFixed(1)} kB ${file}`)
    assert.isAtMost(total, most, `${total.toFixed(1)} kB in ${files.size} files:\n${largest.join("\n")}\n`)
  })

  it("holds no menu, dialog, message, code view, diff or Markdown: they are loaded when they are shown", () => {
    const onDemand = [
      "src/parts/menu/MenuPopover.tsx",
      "src/parts/dialog/Floating.tsx",
      "src/parts/toast/ToastRegion.tsx",
      "src/app/shell/NoticesPopover.tsx",
      "src/views/observation/ObservationDetailPane.tsx"
    ]
    assert.deepStrictEqual(
      onDemand.filter((key) => files.has(chunkOf(key).file)),
      []
    )
  })
})
