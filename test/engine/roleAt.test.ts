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

const wildcards = `int matches(const char *text) { return 0; }

#if	defined(WILDMAT_TEST)
int main(void) { return checks(); }
#else
int plain(void) { return 0; }
#endif

#ifndef TEST
int usual(void) { return 0; }
#endif

#ifdef LATEST
int newest(void) { return 0; }
# ifdef TEST
int inner(void) { return 0; }
# endif
int last(void) { return 0; }
#endif
`

describe("the role of a place in a file of C", () => {
  it("is test inside of the blocks that are compiled for a test of the file alone", async () => {
    const file = await sourceFile("src/wildmat.c", wildcards)
    const roleOfText = (name: string) => file.roleAt(wildcards.indexOf(`int ${name}(`))
    assert.deepStrictEqual(
      ["matches", "main", "plain", "usual", "newest", "inner", "last"].map((name) => `${roleOfText(name)} ${name}`),
      ["source matches", "test main", "source plain", "source usual", "source newest", "test inner", "source last"]
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
