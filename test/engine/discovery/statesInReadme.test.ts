import { assert, describe, it } from "vitest"
import { statesInReadme } from "../../../src/engine/discovery/domain/statesInReadme.ts"
import { outputOf, surveyOf } from "../../support/survey.ts"

const statesOf = (text: string, key = "wagon") =>
  statesInReadme(surveyOf({ "README.md": text }))(key).map(({ what: { name, line, values } }) => [
    name,
    line,
    ...values
  ])

describe("states that the readme lists", () => {
  it.each<[string, string, number]>([
    [
      "a table below a heading with the noun",
      "## Wagons\n\n| State | Meaning |\n|---|---|\n| `loose` | free |\n| **tight** | bound |\n",
      3
    ],
    ["a table whose column names the noun", "Wagon state | Meaning\n--- | ---\nloose | free\ntight | bound\n", 1],
    ["a list below a heading", "### Wagon states\n\n- `loose`: free\n- **tight** - bound\n\nMore.\n", 1]
  ])("are those of %s", (_, text, line) => {
    const [found] = statesOf(text)
    assert.match(String(found?.[0]), /^states?$/i)
    assert.deepStrictEqual(found?.slice(1), [line, "loose", "tight"])
    assert.deepStrictEqual(statesOf(text, "depot"), [])
  })

  it.each([
    ["codes", "## Wagons\n\n| Status | Meaning |\n|---|---|\n| 200 | fine |\n| 404 | gone |\n"],
    ["a column that repeats", "## Wagons\n\n| Status | Part |\n|---|---|\n| done | roof |\n| done | floor |\n"],
    ["another column", "## Wagons\n\n| Colour | Meaning |\n|---|---|\n| red | stop |\n| green | go |\n"],
    ["sentences", "### Wagon states\n\nA wagon is `loose` or `tight`.\n"],
    ["one alone", "### Wagon states\n\n- `loose`: free\n"]
  ])("%s are none", (_, text) => {
    assert.deepStrictEqual(statesOf(text), [])
  })

  it("are given with the noun, where the code has no set of them", async () => {
    const domain = (code: string) =>
      outputOf({
        "README.md": "# Shunt\n\n## Wagons\n\n| State | Meaning |\n|---|---|\n| loose | free |\n| tight | bound |\n",
        "db.sql":
          "CREATE TABLE wagons (id int, load int, state text);\nCREATE TABLE tracks (id int, length int, name text);\nCREATE TABLE depots (id int, name text, town text);\n",
        "src/use.ts": `export const shunt = (wagon: Wagon, track: Track, depot: Depot) => wagonOf(trackOf(depotOf()))\n${code}`
      })
    assert.include((await domain("")).domain_md, "Values of `State`: `loose`, `tight` (`README.md:5`)")
    const ofCode = (await domain('export type WagonState = "idle" | "busy"\n')).domain_md
    assert.notInclude(ofCode, "`loose`")
    assert.include(ofCode, "Values of `WagonState`: `idle`, `busy`")
  })
})
