import { assert, describe, it } from "vitest"
import { ObservedFiles } from "../../../src/engine/discovery/Observed.ts"
import { historyRecipes } from "../../../src/engine/discovery/recipes/historyRecipes.ts"
import { type Commit, Survey } from "../../../src/engine/discovery/Survey.ts"

const paths = [
  "package.json",
  "package-lock.json",
  "CHANGELOG.md",
  "src/migrations/index.ts",
  "src/migrations/0009_x.sql",
  "locales/de.json"
]

const commit = (subject: string, changes: Readonly<Record<string, "A" | "M">>, id = 1): Commit => ({
  id: id.toString(16).padStart(40, "0"),
  subject,
  at: 1_700_000_000,
  author: "a@example.com",
  changes: Object.entries(changes).map(([path, status]) => ({ path, status }))
})

const times = (count: number, make: (i: number) => Commit) => Array.from({ length: count }, (_, i) => make(i))
const guidesOf = (commits: ReadonlyArray<Commit>) =>
  historyRecipes(new Survey(new ObservedFiles().inOrder, paths, commits))
const textsOf = (commits: ReadonlyArray<Commit>) =>
  guidesOf(commits).map(({ slug, items }) => [slug, ...items.map(({ text }) => text)])

describe("guides from history", () => {
  it("a change that five commits made is a guide with what changes with it and an example", () => {
    const bumps = times(5, (i) =>
      commit(`Bump left-pad to 1.${i}`, { "package.json": "M", "package-lock.json": "M" }, i)
    )
    assert.deepStrictEqual(textsOf(bumps), [
      [
        "bump-a-dependency",
        "Set the version in the manifest: `package.json` (5 of 5 such commits).",
        "Change `package-lock.json` with it (5 of 5 such commits).",
        "Commit `000000000000`, “Bump left-pad to 1.0”, did it in 2 files."
      ]
    ])
    assert.deepStrictEqual(textsOf(bumps.slice(1)), [])
  })

  it("migrations that are added are known by their folder, with where they are listed", () => {
    const added = times(6, (i) =>
      commit("Keep orders", { [`src/migrations/000${i + 4}_x.sql`]: "A", "src/migrations/index.ts": "M" })
    )
    const [guide] = textsOf(added)
    assert.deepStrictEqual(guide!.slice(0, 3), [
      "add-a-migration",
      "Add the migration in `src/migrations` (6 of 6 such commits), as `0009_x.sql` there.",
      "Change `src/migrations/index.ts` with it (6 of 6 such commits)."
    ])
  })

  it("translations and releases are known by their files, releases also by their subject", () => {
    const texts = times(5, () => commit("German", { "locales/de.json": "M" }))
    const releases = times(5, (i) => commit(`v1.${i}.0`, { "package.json": "M", "CHANGELOG.md": "M" }))
    assert.deepStrictEqual(
      guidesOf([...texts, ...releases]).map(({ slug }) => slug),
      ["add-a-translation", "make-a-release"]
    )
  })

  it("a manifest that other changes touch is none, nor is a sweeping change", () => {
    assert.deepStrictEqual(guidesOf(times(9, () => commit("Add a script", { "package.json": "M" }))), [])
    const sweep = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}.ts`, "M" as const]))
    assert.deepStrictEqual(guidesOf(times(9, () => commit("Bump deps", { ...sweep, "package.json": "M" }))), [])
  })
})
