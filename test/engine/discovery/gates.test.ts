import { assert, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const workflow = (on: string, command: string) =>
  `on: ${on}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ${command}\n`

it("what a pipeline runs for proposed changes and who owns which paths is enforced, spacing is no principle", async () => {
  const { principles_md } = await outputOf({
    "package.json": '{ "scripts": { "test": "vitest run", "lint": "eslint ." } }\n',
    ".github/workflows/ci.yml": workflow("[push, pull_request]", "npm test"),
    ".github/workflows/nightly.yml": workflow("[schedule]", "npm run lint"),
    ".github/CODEOWNERS": "# Owners\n* @acme/all\n/src/ @acme/core # reviews\n",
    ...Object.fromEntries(
      ["a", "b", "c", "d", "e", "f"].map((name) => [
        `src/${name}_part.js`,
        `export const ${name} = () => {\n${"  const x = 'one'\n".repeat(10)}  return x\n}\n`
      ])
    )
  })
  const text = principles_md ?? ""
  assert.include(text, "A proposed change is checked with `npm test` (`.github/workflows/ci.yml:6`).")
  assert.notInclude(text, "npm run lint")
  assert.include(text, "Owned by `@acme/all`: `*` (`.github/CODEOWNERS:2`).")
  assert.include(text, "Owned by `@acme/core`: `/src/` (`.github/CODEOWNERS:3`).")
  assert.include(text, "JavaScript files of more than one word are named in snake_case: 6 of 6 files (100 %).")
  assert.notMatch(text, /indented|quotes|semicolon/)
})
