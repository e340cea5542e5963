import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { tools as observers } from "../../../src/engine/core/process/observers.ts"
import { discover } from "../../../src/engine/discovery/discover.ts"
import { treeOf } from "../../support/audit.ts"
import { madeUp } from "../../support/madeUp.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "discovery-cache-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Texts = Readonly<Record<string, string>>

const route = (name: string): string =>
  `import { Router } from "express"\nexport const ${name} = Router()\n${name}.get("/${name}", guard, (req, res) => res.json([]))\n`

const texts: Texts = {
  "README.md": "# Shop\n\nSells things to people over HTTP.\n",
  "package.json": `{ "name": "shop", "scripts": { "test": "vitest run" }, "dependencies": { "express": "4.18.2" } }\n`,
  "schema.sql": "CREATE TABLE orders (id uuid PRIMARY KEY, status text CHECK (status IN ('open', 'paid')));\n",
  "src/settings.ts": `export const port = process.env.SHOP_PORT ?? "3000"\n`,
  ...Object.fromEntries(["orders", "users", "carts", "bills"].map((name) => [`src/routes/${name}.ts`, route(name)]))
}

// In this thread: to start another one takes longer than to observe a few files.
const cached = (tree: Texts) => discover(treeOf(tree), { observers, cache: folder })
const fresh = (tree: Texts) => discover(treeOf(tree), { observers })
const textOf = ({ output, skipped, left_out, failures }: Awaited<ReturnType<typeof discover>>): string =>
  JSON.stringify({ output, skipped, left_out, failures })

describe("a discovery after a discovery", { timeout: 120_000 }, () => {
  it("observes only files that changed and says the same as one without a cache", async () => {
    const inAThread = await discover(treeOf(texts), { workers: 1, cache: folder })
    assert.strictEqual(inAThread.reused_files, 0)
    const edits: ReadonlyArray<Texts> = [
      texts,
      { ...texts, "src/settings.ts": `export const port = process.env.OTHER_PORT ?? "4000"\n` },
      { ...texts, "src/routes/tags.ts": route("tags"), "logo.md": "\0binary" },
      { ...texts, "tests/orders.test.ts": texts["src/routes/orders.ts"]! }
    ]
    for (const edited of edits) {
      const again = await cached(edited)
      assert.strictEqual(textOf(again), textOf(await fresh(edited)))
      assert.isAtLeast(again.reused_files, Object.keys(texts).length - 1)
    }
  })

  it("observes everything again when the cache is damaged, truncated or not ours, and replaces it", async () => {
    await cached(texts)
    const [name] = readdirSync(folder)
    const file = join(folder, name!)
    const whole = readFileSync(file)
    const flipped = Buffer.from(whole)
    flipped[60]! ^= 1
    for (const bytes of [flipped, whole.subarray(0, whole.length - 1), Buffer.from("{}"), Buffer.alloc(0)]) {
      writeFileSync(file, bytes)
      const damaged = await cached(texts)
      assert.strictEqual(damaged.reused_files, 0)
      assert.strictEqual(textOf(damaged), textOf(await fresh(texts)))
      assert.strictEqual((await cached(texts)).reused_files, Object.keys(texts).length)
    }
  })

  it("leaves no credential in the cache", async () => {
    const token = `ghp_${madeUp("alnum", 36, 22)}`
    await cached({ ...texts, "src/key.ts": `export const key = process.env.SHOP_KEY || "${token}"\n` })
    const [name] = readdirSync(folder)
    assert.notInclude(readFileSync(join(folder, name!), "utf8"), token)
  })
})
