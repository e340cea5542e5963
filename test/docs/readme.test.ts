import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { clientVariables, settings } from "../../src/layers/Config.ts"
import { features } from "../../src/schema/Feature.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const read = (path: string) => readFileSync(join(root, path), "utf8")
const readme = read("README.md")

const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name))
]

const table = [
  "| Variable | Default | What it does |",
  "| --- | --- | --- |",
  ...Object.values(settings).map(
    ({ variable, fallback, description }) => `| \`${variable}\` | ${fallback} | ${description} |`
  )
].join("\n")

const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable))
/** Read by the tests alone, or set by npm and the shell. */
const others = new Set(["ASSAY_SNAPSHOTS", ...clientVariables])

/** As code hosts make the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const anchorsOf = (text: string) =>
  new Set(
    [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading))
  )

const linksOf = (text: string) =>
  [...text.replace(/```[\s\S]*?```|`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link)

describe("The README", () => {
  it("has a table of all settings with their defaults", () => {
    assert.isTrue(readme.includes(table), `The table of settings in README.md must read:\n\n${table}\n`)
    const rows = readme.match(/^\| `[A-Z_]+` \|/gm) ?? []
    assert.strictEqual(rows.length, variables.size)
  })

  it("names npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> }
    const named = [
      ...[...readme.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = ""]) => name),
      ...[...readme.matchAll(/npm (test|start)\b/g)].map(([, name = ""]) => name)
    ]
    assert.isNotEmpty(named)
    for (const name of named) assert.property(scripts, name)
  })

  it("has the two commands that everything else rests on", () => {
    for (const command of ["npm ci && npm start", "npm ci && npm test"]) assert.include(readme, command)
  })
})

describe("the page on operations", () => {
  it("lists the beta features with their plans, and whether this version has them", () => {
    const rows = Object.entries(features).map(
      ([name, { plans, inThisVersion }]) => `| \`${name}\` | ${plans.join(", ")} | ${inThisVersion ? "yes" : "no"} |`
    )
    const head = ["| Feature | Plans | In this version |", "|---|---|---|"]
    assert.include(read("docs/operations.md"), [...head, ...rows].join("\n"))
  })
})

for (const page of pages) {
  describe(page, () => {
    const text = read(page)

    it("names only settings that exist", () => {
      const named = [...text.matchAll(/\b(?:ASSAY_[A-Z_]*[A-Z]|DATABASE_URL)\b/g)].map(([name]) => name)
      for (const name of named) assert.isTrue(variables.has(name) || others.has(name), `${name} is no setting`)
    })

    it("links to pages and headings that exist", () => {
      for (const link of linksOf(text)) {
        if (/^[a-z]+:/.test(link)) continue
        const [path = "", anchor] = link.split("#")
        const target = path === "" ? page : relative(root, join(root, dirname(page), decodeURIComponent(path)))
        assert.isFalse(target.startsWith(".."), `${link} leaves the project`)
        assert.isTrue(existsSync(join(root, target)), `${link} leads nowhere`)
        if (anchor !== undefined) assert.isTrue(anchorsOf(read(target)).has(anchor), `${link} names no heading`)
      }
    })
  })
}
