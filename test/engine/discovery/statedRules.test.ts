import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const principlesOf = async (item: string): Promise<string> =>
  (
    await outputOf({
      "CONTRIBUTING.md": `# Contributing\n\n## Before you ask for review\n\n- ${item}\n- All tests pass on your machine.\n`
    })
  ).principles_md ?? ""

describe("a rule of a list", () => {
  it("is quoted where a command in it has a word that is noise elsewhere", async () => {
    const rule = "Speed is a claim of `npm run bench -- <api|issues|jobs>`, not of tests."
    assert.include(await principlesOf(rule), `“${rule}”`)
  })

  it("is left out where the sentence itself speaks of issues", async () => {
    assert.notInclude(await principlesOf("Speed is discussed in issues, not in tests of ours."), "Speed")
  })
})
