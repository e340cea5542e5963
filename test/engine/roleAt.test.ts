import { assert, describe, it } from "vitest"
import { sourceFile } from "../support/audit.ts"

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
