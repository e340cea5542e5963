import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const commandsIn = (texts: Texts, purpose: Purpose): ReadonlyArray<string> =>
  ordered(commandsOf(surveyOf(texts)), purpose).map(({ command }) => command)

const lackedIn = (texts: Texts, command: string): string | undefined =>
  commandsOf(surveyOf(texts)).find((one) => one.command === command)?.lacks

describe("A target that needs a file which nothing makes", () => {
  const makefile = (needs: string, rest = "") => ({
    Makefile: `default: kettle\n\nall: spout.bin kettle\n\nkettle:\n\tcabal build\n\nspout.bin: ${needs}\n\tmzc -o spout.bin ${needs}\n${rest}`,
    "kettle.cabal": "name: kettle\n\nexecutable kettle\n"
  })

  it("comes after the first rule of the Makefile", () => {
    assert.deepStrictEqual(commandsIn(makefile("spout.scm"), "build"), ["make", "make all"])
    assert.strictEqual(lackedIn(makefile("spout.scm"), "make all"), "spout.scm")
    // A plain make does no better where the first rule is the one.
    assert.deepStrictEqual(commandsIn({ Makefile: "build: spout.scm\n\tgcc -o kettle kettle.c\n" }, "build"), [
      "make build"
    ])
  })

  it("is the build where the file is there, made by a rule, or spoken of", () => {
    const whole = { ...makefile("spout.scm"), "spout.scm": "" }
    assert.deepStrictEqual(commandsIn(whole, "build"), ["make all"])
    for (const rest of [
      "%.scm: %.in\n\tsed s/a/b/ $< > $@\n",
      "fetch:\n\tcurl -O http://tea.example/spout.scm\n",
      "include rules.mk\n"
    ])
      assert.isUndefined(lackedIn(makefile("spout.scm", rest), "make all"), rest)
    const described = { ...makefile("spout.scm"), "README.md": "Put `spout.scm` beside the Makefile.\n" }
    assert.isUndefined(lackedIn(described, "make all"))
    assert.isUndefined(lackedIn({ ...makefile("spout.o"), "spout.c": "" }, "make all"))
  })

  it("is found at bounded cost where targets need each other, and not looked for in what a program wrote", () => {
    const rules = (count: number) =>
      Array.from({ length: count }, (_, n) => {
        const others = Array.from({ length: count }, (_, other) => `t${other}`).filter((other) => other !== `t${n}`)
        return `t${n}: ${others.join(" ")} absent${n}.scm\n\tmzc -o t${n} absent${n}.scm\n`
      }).join("\n")
    const all = (count: number) => ({
      Makefile: `all: t0\n\tcabal build\n\n${rules(count)}\ndist: t0\n\ttar -czf kettle-$(VERSION).tar.gz .\n`,
      "kettle.cabal": "name: kettle\n"
    })
    assert.strictEqual(lackedIn(all(100), "make all"), "absent0.scm")
    assert.isUndefined(lackedIn(all(400), "make all"))
    assert.deepStrictEqual(commandsIn(all(400), "release"), ["make dist"])
  })

  it("a plain make builds where the first rule needs what builds, not where it starts or tests something", () => {
    const first = (name: string) => ({
      Makefile: `${name}: kettle\n\nkettle:\n\tghc --make Kettle.hs\n\tcabal build\n`
    })
    assert.deepStrictEqual(commandsIn(first("default"), "build"), ["make"])
    assert.deepStrictEqual(commandsIn(first("start"), "build"), [])
  })
})

describe("A start with an example of the repository", () => {
  const texts = (files: Texts = {}) => ({
    "package.json": JSON.stringify({ name: "kettle", bin: { kettle: "bin/kettle.js" } }),
    "bin/kettle.js": "",
    "README.md": "# Kettle\n\n## Usage\n\n```\nkettle examples/tea/green.txt\nkettle boil tea.txt\n```\n",
    ...files
  })

  it("comes after others where the tree is without that folder", () => {
    assert.deepStrictEqual(commandsIn(texts(), "run"), ["kettle boil tea.txt", "kettle examples/tea/green.txt"])
    assert.strictEqual(lackedIn(texts(), "kettle examples/tea/green.txt"), "examples/tea/green.txt")
  })

  it("stays first where the folder is there, and so does a file of the user", () => {
    assert.strictEqual(commandsIn(texts({ "examples/tea/green.txt": "" }), "run")[0], "kettle examples/tea/green.txt")
    assert.isUndefined(lackedIn(texts({ "README.md": "```\nkettle data/green.txt\n```\n" }), "kettle data/green.txt"))
  })
})
