import { assert, describe, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { sourceFile, treeOf } from "../support/audit.ts"
import { madeUp } from "../support/madeUp.ts"

const rust = `pub fn run() {}

#[cfg(not(test))]
pub fn clock() {}

#[cfg(test)]
mod checks {
  fn helper() {}
}

#[test]
fn works() {}
`

describe("the role of a place in a file", () => {
  it("is test inside of the items of Rust that only tests are made of", async () => {
    const file = await sourceFile("src/lib.rs", rust)
    const roleOfText = (text: string) => file.roleAt(rust.indexOf(text))
    assert.deepStrictEqual(
      ["run", "clock", "helper", "works"].map((name) => `${roleOfText(`fn ${name}`)} ${name}`),
      ["source run", "source clock", "test helper", "test works"]
    )
  })
})

describe("credentials in a text file", () => {
  it("are reported like those in settings, unless the text is prose by its name", async () => {
    const line = `db_password = ${madeUp("alnum", 20)}\n`
    const { findings } = await scan(treeOf({ "deploy/settings.txt": line, "README.txt": line }), { suite: "standard" })
    assert.deepStrictEqual(
      findings.map(({ tool, locations: [{ file_path }] }) => `${tool} ${file_path}`),
      ["secret_detection deploy/settings.txt"]
    )
  })
})
