import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../src", import.meta.url))

interface Import {
  /** Path below src of who imports. */
  readonly by: string
  /** Path below src, or a package. */
  readonly of: string
  readonly own: boolean
  /** What is taken from it. */
  readonly names: string
  /** Whether the whole line is one of types, which is gone at run time. */
  readonly isType: boolean
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ path: path.split(sep).join("/"), text: readFileSync(join(root, path), "utf8") }))

const importLine = /(?:^|\n)(?:import|export)\s+(type\s+)?([^"'`;]*?)\s*from\s+"([^"]+)"|\bimport(?:\s+|\()"([^"]+)"/g

const imports: ReadonlyArray<Import> = files.flatMap(({ path, text }) =>
  [...text.matchAll(importLine)].map(([, type, names = "", from, dynamic]) => {
    const specifier = from ?? dynamic ?? ""
    const own = specifier.startsWith(".")
    const of = own
      ? relative(root, join(root, dirname(path), specifier))
          .split(sep)
          .join("/")
      : specifier
    return { by: path, of, own, names: names.replaceAll(/[{}]/g, "").trim(), isType: type !== undefined }
  })
)

const layerOf = (path: string) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : path)

const mayImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  schema: [],
  engine: ["schema"],
  services: ["schema", "engine"],
  http: ["schema", "services"],
  mcp: ["schema", "services"],
  layers: ["schema", "engine", "services", "http", "mcp"],
  cli: ["schema", "engine", "services", "layers"],
  "main.ts": ["cli"]
}

const breaking = (isWrong: (line: Import) => boolean) =>
  imports.filter(isWrong).map(({ by, of, names }) => `${by} imports ${names} from ${of}`)

const isPackage = (of: string, name: string) => of === name || of.startsWith(`${name}/`)

const onlyIn = (name: string, ...folders: ReadonlyArray<string>) =>
  breaking(({ by, of, own }) => !own && isPackage(of, name) && !folders.includes(layerOf(by)))

/** The areas inside `services`: each may import those before it. */
const serviceAreas = [
  "support",
  "ports",
  "audit_log",
  "access",
  "notices",
  "outbox",
  "people",
  "repositories",
  "webhooks",
  "credentials",
  "views",
  "projects",
  "forecasts",
  "discovery",
  "jobs",
  "retention",
  "observations",
  "fixes",
  "tickets",
  "issues",
  "missions",
  "reviews",
  "change_reviews",
  "github",
  "registration",
  "context",
  "settings",
  "overview",
  "workflows"
]

/** Who is calling is known below the area that establishes it: the audit log names them for that area, too. */
const belowTheirArea: Readonly<Record<string, string>> = {
  "services/access/Caller.ts": "support",
  "services/access/Cursors.ts": "support",
  "services/access/Reach.ts": "support"
}

/** The groups of files that import each other, directly or through others, each in alphabetical order. */
const cyclesOf = (targets: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const reachable = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const pending = [from]
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      for (const target of targets.get(file) ?? []) {
        if (!seen.has(target)) pending.push(target)
        seen.add(target)
      }
    }
    return seen
  }
  const reached = new Map([...targets.keys()].map((file) => [file, reachable(file)]))
  const members = [...targets.keys()].filter((file) => reached.get(file)?.has(file)).sort()
  const groups = members.map((file) =>
    members.filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file))
  )
  return groups.filter((group, index) => members[index] === group[0])
}

describe("cycles of files", () => {
  it("are found whether direct or through other files", () => {
    const targets = { a: ["b"], b: ["c"], c: ["a", "d"], d: ["e"], e: ["d"], f: ["a"] }
    assert.deepStrictEqual(cyclesOf(new Map(Object.entries(targets).map(([file, of]) => [file, new Set(of)]))), [
      ["a", "b", "c"],
      ["d", "e"]
    ])
  })
})

describe("imports", () => {
  it("there are many of them, in every folder that has arrows", () => {
    assert.isAbove(imports.length, 500)
    assert.deepStrictEqual([...new Set(files.map(({ path }) => layerOf(path)))].sort(), Object.keys(mayImport).sort())
  })

  it("follow the arrows schema ← engine ← services ← http, mcp ← layers ← cli ← main", () => {
    assert.deepStrictEqual(
      breaking(({ by, of, own }) => {
        const [from, to] = [layerOf(by), layerOf(of)]
        return own && from !== to && mayImport[from]?.includes(to) !== true
      }),
      []
    )
  })

  it("lead down the ladder of areas inside services", () => {
    const areaOf = (path: string) => belowTheirArea[path] ?? path.split("/")[1] ?? ""
    const areas = new Set(files.filter(({ path }) => layerOf(path) === "services").map(({ path }) => areaOf(path)))
    assert.deepStrictEqual(
      [...areas].filter((area) => !serviceAreas.includes(area)),
      []
    )
    assert.deepStrictEqual(
      breaking(
        ({ by, of, own }) =>
          own &&
          layerOf(by) === "services" &&
          layerOf(of) === "services" &&
          serviceAreas.indexOf(areaOf(of)) > serviceAreas.indexOf(areaOf(by))
      ),
      []
    )
  })

  it("form no cycle of files", () => {
    const targets = new Map(files.map(({ path }) => [path, new Set<string>()]))
    for (const { by, of, own } of imports) {
      if (own) targets.get(by)?.add(of)
    }
    assert.deepStrictEqual(cyclesOf(targets), [])
  })

  it("name files that exist, with their ending", () => {
    const known = new Set(files.map(({ path }) => path))
    assert.deepStrictEqual(
      breaking(({ of, own }) => own && !known.has(of)),
      []
    )
  })

  it("take the web framework into doors, layers and the command line only", () => {
    assert.deepStrictEqual(onlyIn("@effect/platform", "http", "mcp", "layers", "cli"), [])
    assert.deepStrictEqual(onlyIn("@effect/platform-node", "layers", "cli"), [])
  })

  it("reach the engine through its index.ts only, the command's first step through ahead.ts", () => {
    const isEntrance = (by: string, of: string) =>
      of === "engine/index.ts" || (of === "engine/ahead.ts" && by === "cli/ahead.ts")
    assert.deepStrictEqual(
      breaking(({ by, of, own }) => own && layerOf(of) === "engine" && layerOf(by) !== "engine" && !isEntrance(by, of)),
      []
    )
  })

  it("take packages of the Model Context Protocol into mcp only, and nothing of them at run time", () => {
    const ofProtocol = (of: string) => of.startsWith("@modelcontextprotocol/")
    assert.deepStrictEqual(
      breaking(({ by, of, isType }) => ofProtocol(of) && (layerOf(by) !== "mcp" || !isType)),
      []
    )
    assert.isNotEmpty(imports.filter(({ of }) => ofProtocol(of)))
  })

  it("take the database into repos, layers and the command line; services know its client for transactions only", () => {
    assert.deepStrictEqual(onlyIn("@effect/sql", "services", "layers", "cli"), [])
    assert.deepStrictEqual(onlyIn("@effect/sql-pg", "layers"), [])
    assert.deepStrictEqual(onlyIn("pg", "layers"), [])
    assert.deepStrictEqual(
      breaking(
        ({ by, of, names }) =>
          isPackage(of, "@effect/sql") &&
          layerOf(by) === "services" &&
          !holdsSql(by) &&
          !/^(type )?(SqlClient|SqlError)$/.test(names)
      ),
      []
    )
  })

  it("take no test or build library", () => {
    for (const name of ["vitest", "@effect/vitest", "typescript"]) assert.deepStrictEqual(onlyIn(name), [])
  })
})

/** Repos, and the helpers that all of them share. */
const holdsSql = (path: string) => path.endsWith("Repo.ts") || path.startsWith("services/support/")

describe("SQL", () => {
  it("is written in repos, layers and the command line", () => {
    const statement = /\bsql(<[^`]*>)?`\s*(WITH|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|LOCK|TRUNCATE)\b/
    const found = files.filter(
      ({ path, text }) => layerOf(path) === "services" && !holdsSql(path) && statement.test(text)
    )
    assert.deepStrictEqual(
      found.map(({ path }) => path),
      []
    )
  })
})

describe("services", () => {
  it("are classes: a bare effect would be built again by each that yields it", () => {
    const bareEffect = /^export const [A-Z]\w* = Effect\./m
    const found = files.filter(({ path, text }) => layerOf(path) === "services" && bareEffect.test(text))
    assert.deepStrictEqual(
      found.map(({ path }) => path),
      []
    )
  })
})

describe("responses", () => {
  it("are printed in one way: every group of handlers is built by http/group.ts", () => {
    const found = files.filter(({ text }) => text.includes("HttpApiBuilder.group("))
    assert.deepStrictEqual(
      found.map(({ path }) => path),
      ["http/group.ts"]
    )
  })
})

describe("files", () => {
  it("are catalogues when they are called index", () => {
    const index = files.filter(({ path }) => path.endsWith("/index.ts"))
    // A catalogue of values, or a list of what other folders may import.
    const catalogues = ["layers/migrations/", "schema/operations/", "engine/rules/"].map(
      (folder) => `${folder}index.ts`
    )
    const lists = (text: string) =>
      text
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .trim()
        .split("\n")
    assert.deepStrictEqual(
      index
        .filter(({ path }) => !catalogues.includes(path))
        .filter(({ text }) =>
          lists(text).some((line) => !/^(?:export [^=]*\bfrom "|export const \w+ = \(\) => import\(|$)/.test(line))
        )
        .map(({ path }) => path),
      []
    )
  })
})

describe("folders of the engine", () => {
  const folders = new Map<string, number>()
  for (const { path } of files.filter(({ path }) => path.startsWith("engine/"))) {
    const folder = dirname(path)
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }

  it("hold at most 25 files on one level", () => {
    assert.deepStrictEqual(
      [...folders].filter(([, count]) => count > 25).map(([folder]) => folder),
      []
    )
  })

  it("are described in its README, each of them", () => {
    const readme = readFileSync(join(root, "engine/README.md"), "utf8")
    const described = [...folders.keys()]
      .map((folder) => folder.replace(/^engine\/?/, ""))
      .filter((folder) => folder !== "" && !folder.startsWith("rules/"))
      .filter((folder) => !readme.includes(`\`${folder}/\``))
    assert.deepStrictEqual(described, [])
  })
})
