import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const guidesOf = async (files: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> => {
  const { guides } = await outputOf(files)
  return new Map(guides.map(({ slug, content }) => [slug, content]))
}

const engines = ["steam", "diesel", "horse", "wind"]
const programOf = (call: string, names: ReadonlyArray<string>): string =>
  `import * as all from "./engines.js"\nexport const start = () => {\n${names.map((name) => `  ${call}("${name}", all.${name})\n`).join("")}}\n`
const declared = "export function registerEngine(name, engine) {\n  known.set(name, engine)\n}\n"

describe("parts that one file makes known", () => {
  it("with a function of the program's own are added there", async () => {
    const guides = await guidesOf({
      "src/main.js": programOf("registerEngine", engines),
      "src/known.js": declared
    })
    const engine = guides.get("add-an-engine") ?? ""
    assert.include(engine, "1. Call `registerEngine` in `src/main.js:3`, beside the 4 calls that are there.")
    assert.include(engine, "2. What it is given is declared at `src/known.js:1`.")
  })

  it("are none with a function of a library, in three calls, or where routes and the like are made known", async () => {
    const slugsOf = async (call: string, count: number, declares: string) => [
      ...(await guidesOf({ "src/main.js": programOf(call, engines.slice(0, count)), "src/known.js": declares })).keys()
    ]
    assert.notInclude(await slugsOf("registerEngine", 4, "export const known = new Map()\n"), "add-an-engine")
    assert.notInclude(await slugsOf("registerEngine", 3, declared), "add-an-engine")
    const counted = declared.replace("registerEngine", "registerFailedEngine")
    assert.notInclude(await slugsOf("registerFailedEngine", 4, counted), "add-a-failed-engine")
    const routes = declared.replace("registerEngine", "registerRoute")
    assert.notInclude(await slugsOf("registerRoute", 4, routes), "add-a-route")
  })
})
