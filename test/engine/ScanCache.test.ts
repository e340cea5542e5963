import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { ScanCache } from "../../src/engine/core/cache/ScanCache.ts"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import type { ScanOptions } from "../../src/engine/core/scan/ScanOptions.ts"
import type { ScanResult } from "../../src/engine/core/scan/ScanResult.ts"
import type { AuditTool } from "../../src/engine/core/tool/AuditTool.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { patternTool, treeOf } from "../support/audit.ts"
import { inForm } from "../support/forms.ts"
import { Chance } from "../support/generate.ts"
import { madeUp } from "../support/madeUp.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scan-cache-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Texts = Record<string, string>

const audit = (texts: Texts, options: Partial<ScanOptions> = {}): Promise<ScanResult> =>
  scan(treeOf(texts), { suite: "full", cache: folder, ...options })

/** Everything but what a scan costs. */
const comparable = ({ cpu_seconds, wall_ms, peak_rss_bytes, reused_files, ...rest }: ScanResult): string =>
  JSON.stringify(rest)

/** Texts of all tools' fixtures, by a name that keeps their language and makes them product code. */
const samples = (): ReadonlyArray<readonly [path: string, text: string]> => {
  const root = join(import.meta.dirname, "../fixtures/audit")
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [`app/${path.slice(root.length + 1)}`, readFileSync(path, "utf8")] as const
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

class Edits {
  private readonly chance: Chance
  private readonly texts: Texts
  private readonly spare: Array<readonly [string, string]>

  constructor(seed: number, files: number) {
    this.chance = new Chance(seed)
    this.spare = samples()
      .map((sample) => [this.chance.next(), sample] as const)
      .sort(([a], [b]) => a - b)
      .map(([, sample]) => sample)
    this.texts = Object.fromEntries(this.spare.splice(0, files))
  }

  get now(): Texts {
    return { ...this.texts }
  }

  /** Lines inserted, removed and swapped, files added, renamed, copied and deleted. */
  make(count: number): void {
    for (let i = 0; i < count; i++) this.one()
  }

  private one(): void {
    const path = this.chance.pick(Object.keys(this.texts))
    const lines = this.texts[path]!.split("\n")
    const at = this.chance.below(lines.length)
    const change = this.chance.below(7)
    if (change === 0) lines.splice(at, 0, "", "")
    if (change === 1) lines.splice(at, 1 + this.chance.below(4))
    if (change === 2) lines.push(...lines.slice(at, at + 5))
    this.texts[path] = lines.join("\n")
    const [added] = change === 3 ? this.spare.splice(0, 1) : []
    if (added !== undefined) this.texts[added[0]] = added[1]
    if (change === 4 || change === 5) this.texts[path.replace("app/", `app/m${at}/`)] = this.texts[path]!
    if ((change === 5 || change === 6) && Object.keys(this.texts).length > 5) delete this.texts[path]
  }
}

describe("a scan after a scan", () => {
  it.each(inForm({ short: [1], long: [1, 2, 3] }))(
    "reports the same as one without a cache, whatever was edited (%i)",
    async (seed) => {
      const edits = new Edits(seed, 60)
      await audit(edits.now, { tools })
      for (let round = 0; round < 4; round++) {
        edits.make(1 + round * 2)
        const after = await audit(edits.now, { tools })
        const fresh = await scan(treeOf(edits.now), { suite: "full", tools })
        assert.strictEqual(comparable(after), comparable(fresh))
        assert.isAbove(after.reused_files, 30)
        assert.strictEqual(fresh.reused_files, 0)
      }
    },
    600_000
  )

  const calls: Array<string> = []
  const watched = patternTool(/bad/, {
    tool: {
      inspect: (file, emit) => {
        calls.push(file.path)
        for (const { index } of file.text.matchAll(/bad/g)) {
          emit({ rule: "match", start: index, end: index + 3, message: "Bad." })
        }
        return { length: file.text.length }
      },
      finish: (facts, _, emit) => {
        if (facts.length > 2) emit(facts[0]!.path, { rule: "match", start: 0, end: 1, message: "Many files." })
      }
    }
  })
  const inspected = async (texts: Texts, options: Partial<ScanOptions> = {}) => {
    calls.length = 0
    await audit(texts, { tools: [watched], ...options })
    return [...calls]
  }

  it("inspects no unchanged file", async () => {
    const texts = { "a.js": "x", "b.js": "bad", "c.js": "ok" }
    assert.deepStrictEqual((await inspected(texts)).sort(), ["a.js", "b.js", "c.js"])
    assert.deepStrictEqual(await inspected(texts), [])
    assert.deepStrictEqual(await inspected({ ...texts, "c.js": "now bad" }), ["c.js"])
    assert.deepStrictEqual(await inspected({ ...texts, "moved.js": "bad" }), ["c.js", "moved.js"])
  })

  it("knows nothing when rules, their versions, the salt or the options are others", async () => {
    const texts = { "a.js": "ok", "b.js": "ok" }
    const all = ["a.js", "b.js"]
    await inspected(texts)
    assert.deepStrictEqual(await inspected(texts, { tools: [{ ...watched, version: 2 }] }), all)
    assert.deepStrictEqual(await inspected(texts), all)
    assert.deepStrictEqual(await inspected(texts, { salt: "other" }), all)
    await inspected(texts)
    assert.deepStrictEqual(await inspected(texts, { suite: "standard" }), all)
    assert.deepStrictEqual(await inspected(texts, { suggestions: true }), all)
    // These are kept apart, not in place of each other.
    assert.deepStrictEqual(await inspected(texts), [])
  })

  it("analyses everything when the cache file is damaged, truncated or not ours, and replaces it", async () => {
    const texts = { "a.js": "ok", "b.js": "ok" }
    const file = join(folder, "full.scan")
    await inspected(texts)
    const whole = readFileSync(file)
    const flipped = Buffer.from(whole)
    flipped[40]! ^= 1
    for (const bytes of [flipped, whole.subarray(0, whole.length - 1), Buffer.from("[]"), Buffer.alloc(0)]) {
      writeFileSync(file, bytes)
      assert.deepStrictEqual(await inspected(texts), ["a.js", "b.js"])
      assert.deepStrictEqual(await inspected(texts), [])
    }
    truncateSync(file, 100)
    assert.deepStrictEqual(await inspected(texts), ["a.js", "b.js"])
  })

  it("goes on without a folder it can write", async () => {
    writeFileSync(join(folder, "file"), "")
    assert.deepStrictEqual(await inspected({ "a.js": "ok" }, { cache: join(folder, "file/below") }), ["a.js"])
  })

  it("may run beside another of the same repository", async () => {
    const one = new Edits(4, 40)
    const other = new Edits(4, 40)
    other.make(5)
    const both = await Promise.all([audit(one.now, { tools }), audit(other.now, { tools }), audit(one.now, { tools })])
    const fresh = await Promise.all([one, other, one].map((edits) => scan(treeOf(edits.now), { suite: "full", tools })))
    assert.deepStrictEqual(both.map(comparable), fresh.map(comparable))
    assert.deepStrictEqual(readdirSync(folder), ["full.scan"])
    assert.strictEqual(comparable(await audit(other.now, { tools })), comparable(fresh[1]!))
  })

  it("tries a file again that was not got through", async () => {
    let patience = 0
    const slow: AuditTool = {
      ...watched,
      inspect: (file) => {
        calls.push(file.path)
        if (patience++ === 0) throw Object.assign(new Error("crash"), { name: "ParserCrashed" })
        return undefined
      }
    }
    const texts = { "a.js": "ok" }
    assert.deepStrictEqual(await inspected(texts, { tools: [slow] }), ["a.js"])
    assert.deepStrictEqual(await inspected(texts, { tools: [slow] }), [])
  })
})

describe("what a scan leaves behind", () => {
  const token = `ghp_${madeUp("alnum", 36, 9)}`
  const text = `import x from "./${token}/y"\nexport const send = (db, id) => db.query("SELECT '${token}' WHERE " + id)\n`

  it("holds no secret of the files, their facts or their names", async () => {
    const quoting = patternTool(/SELECT.*/, {
      tool: {
        inspect: (file) => ({ [file.text.slice(0, 70)]: [file.text, { text: file.text }] }),
        finish: (facts, _, emit) => {
          for (const { path } of facts) emit(path, { rule: "match", start: 0, end: 30, message: `From ${token}.` })
        }
      }
    })
    const texts = { "a.js": text, [`src/${token}.js`]: "export const a = 1\n", "b.js": "export const b = 1\n" }
    for (let i = 0; i < 2; i++) {
      const { findings } = await audit(texts, { tools: [...tools, quoting] })
      assert.isAbove(findings.length, 2)
      const left = readFileSync(join(folder, "full.scan"), "utf8")
      assert.include(left, "a.js")
      assert.notInclude(left, token)
      assert.notInclude(left, token.slice(4, 30))
    }
  })
})

describe("what one scan keeps for the next", () => {
  const MAX_BYTES = 20_000
  const FILES = 200
  const pathOf = (i: number) => `src/${"é".repeat(i % 7)}file${i}.ts`
  const outcomeOf = (i: number) => ({
    path: pathOf(i),
    language: "typescript" as const,
    role: "source" as const,
    lines: i,
    bytes: 10 * i,
    skipped: null,
    located: [],
    facts: [{ tools: ["a", "b"], json: JSON.stringify({ name: `fact ${i}` }) }],
    failures: [],
    ignores: [],
    ran: ["a", "b"],
    secrets: []
  })

  const reusedAfter = (keepsPart: boolean): ReadonlyArray<number> => {
    const limits = { maxBytes: MAX_BYTES, keepsPart }
    const first = new ScanCache(folder, "limited", "key", limits)
    first.begin([])
    for (let i = 0; i < FILES; i++) first.keepOutcome(`blob${i}`, outcomeOf(i))
    first.finish()
    const second = new ScanCache(folder, "limited", "key", limits)
    const known = Array.from({ length: FILES }, (_, i) => second.outcome(pathOf(i), `blob${i}`))
    return known.flatMap((outcome, i) => {
      if (outcome !== null) assert.deepStrictEqual(JSON.parse(String(outcome.facts[0]?.json)), { name: `fact ${i}` })
      return outcome === null ? [] : [i]
    })
  }

  it("is the first files where not all of it may be kept and a part is wanted, within the limit", () => {
    const reused = reusedAfter(true)
    assert.isAbove(reused.length, 10)
    assert.isBelow(reused.length, FILES)
    assert.deepStrictEqual(reused, [...reused.keys()])
    const [name] = readdirSync(folder)
    assert.isAtMost(readFileSync(join(folder, name!)).length, MAX_BYTES + 100)
  })

  it("is nothing where not all of it may be kept and no part is wanted", () => {
    assert.deepStrictEqual(reusedAfter(false), [])
  })

  it("includes what commits changed, by the same key, without those that name a secret", () => {
    const changes = (path: string) => Buffer.from(`1\t0\t${path}\0`)
    const scanned = (key: string, keep: ReadonlyArray<readonly [commit: string, path: string]>) => {
      const cache = new ScanCache(folder, "commits", "rules")
      cache.begin([])
      const store = cache.commitStore(key)
      const known = ["c1", "c2"].map((commit) => store.changes(commit)?.toString())
      for (const [commit, path] of keep) store.keep(commit, changes(path))
      cache.finish()
      return known
    }
    const token = `ghp_${madeUp("alnum", 36, 9)}`
    const kept = [
      ["c1", "a.ts"],
      ["c2", `${token}.ts`]
    ] as const
    assert.deepStrictEqual(scanned("attributes", kept), [undefined, undefined])
    assert.deepStrictEqual(scanned("attributes", kept.slice(0, 1)), [String(changes("a.ts")), undefined])
    assert.deepStrictEqual(scanned("others", []), [undefined, undefined])
  })
})
