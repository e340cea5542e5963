import { assert, describe, it } from "vitest"
import { isActor } from "../../../src/engine/discovery/domain/actors.ts"
import { isMachinery } from "../../../src/engine/discovery/domain/declarations.ts"
import { nounKey } from "../../../src/engine/discovery/domain/Noun.ts"
import { outputOf } from "../../support/survey.ts"

const domainOf = async (texts: Readonly<Record<string, string>>): Promise<string> =>
  (await outputOf(texts)).domain_md ?? ""

const mainNouns = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const main = /## Main nouns\n([\s\S]*?)(?:\n## |$)/.exec(await domainOf(texts))?.[1] ?? ""
  return [...main.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name!)
}

describe("a type whose comment says that it does something", () => {
  it.each([
    "Collects wagons from lines and assembles them to trains",
    "Shunter collects wagons from single lines.",
    "This class handle wagons and adds a bar on top of them.",
    "A helper for all that has wheels.",
    "Base class for wagons.",
    "Responsible for moving wagons."
  ])("is a part of the program: %s", (doc) => {
    assert.isTrue(isActor({ doc: { what: { doc } } } as unknown as Parameters<typeof isActor>[0]))
  })

  it.each([
    "A wagon is what an engine pulls.",
    "A category of wagons.",
    "Store the style of wagons",
    "Wagon represents what runs on a track and handles loads.",
    "The wagons that a shunter collects.",
    "Contains information about the test performed."
  ])("is none of what holds something: %s", (doc) => {
    assert.isFalse(isActor({ doc: { what: { doc } } } as unknown as Parameters<typeof isActor>[0]))
  })

  it("fills no list of nouns", async () => {
    const struct = (name: string, comment: string) =>
      `package yard\n\n// ${name} ${comment}\ntype ${name} struct {\n\tLoad int\n\tAxles int\n}\n`
    const yard = (comment: string) => ({
      "README.md":
        "# Shunt\n\nShunt moves wagons. A wagon has a load, wagons stand on tracks; each track has wagons.\n",
      "yard/wagon.go": struct("Wagon", "describes what an engine pulls along."),
      "yard/receipt.go": struct("Receipt", "describes which wagon was moved to where."),
      "yard/coupler.go": struct("Coupler", comment),
      ...Object.fromEntries(
        [1, 2, 3, 4].map((n) => [`cmd/use${n}.go`, "package cmd\n\nfunc use(w *Wagon, r *Receipt, c *Coupler) {\n}\n"])
      )
    })
    assert.sameMembers(
      [...(await mainNouns(yard("describes how two wagons hold each other.")))],
      ["Wagon", "Receipt", "Coupler"]
    )
    assert.notInclude(await mainNouns(yard("collects wagons and assembles them to trains.")), "Coupler")
  })
})

describe("what fills up one or two nouns", () => {
  const rust = (name: string, methods: string) =>
    `/// What belongs to a wagon of a yard.\npub struct ${name} {\n    pub load: u8,\n    pub axles: u8,\n}\n\nimpl ${name} {\n${methods}}\n`
  const methods = ["open", "close", "move_on", "stop"]
    .map(
      (name) =>
        `    pub fn ${name}(&self) -> u8 {\n        let depth: u8 = 1;\n        let town: u8 = 2;\n        depth\n    }\n`
    )
    .join("\n")
  const yard = (name: string, stem: string) => ({
    "README.md":
      "# Shunt\n\nShunt moves wagons. A wagon has a load, wagons stand on tracks; each track has wagons, and a track ends.\n",
    "src/wagon.rs": rust("Wagon", ""),
    "src/track.rs": rust("Track", ""),
    [`src/${stem}.rs`]: rust(name, methods),
    ...Object.fromEntries(
      [1, 2, 3, 4].map((n) => [
        `src/use${n}.rs`,
        `pub fn use${n}(one: &Wagon, two: &${name}, at: &Track) -> u8 {\n    one.load\n}\n`
      ])
    )
  })

  it("is a thing; what matches or handles it is none", async () => {
    assert.include(await mainNouns(yard("Coupling", "coupling")), "Coupling")
    assert.notInclude(await mainNouns(yard("WagonMatcher", "wagon_matcher")), "WagonMatcher")
  })

  it("has the functions that an implementation of Rust gives it, and is cited where it is declared", async () => {
    const domain = await domainOf(yard("Coupling", "coupling"))
    assert.include(domain, "**Coupling** (struct `src/coupling.rs:2`)")
    assert.notInclude(domain, "`depth`")
  })
})

describe("names of nouns", () => {
  it("looks, fonts and bars of tools are of the screen", () => {
    for (const name of ["LinkLook", "TitleFont", "FilterBar", "WagonMojo"]) assert.isTrue(isMachinery(name), name)
    for (const name of ["Outlook", "Look", "CrossBar", "Barrel"]) assert.isFalse(isMachinery(name), name)
  })

  it("the T before a type's name is no part of it; a word that begins with T is whole", () => {
    assert.deepStrictEqual(["TWagon", "Track", "TLSKey", "TVShow"].map(nounKey), [
      "wagon",
      "track",
      "tls key",
      "tv show"
    ])
  })
})

describe("the product's name before a colon or a dash of the readme's title", () => {
  const texts = (title: string) => ({
    "README.md": `# ${title}\n\nA yard master has a total load. Wagons are moved by it; a wagon has a load, each wagon has axles.\n`,
    "yard.sql": "CREATE TABLE wagons (id int, load int, axles int, name text);\n",
    "yard/core.py": "class YardMaster:\n    def __init__(self):\n        self.load = 1\n        self.town = 2\n",
    ...Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [
        `yard/use${n}.py`,
        'from yard.core import YardMaster\n\n\ndef add_wagon(db):\n    YardMaster()\n    db.execute("INSERT INTO wagons (load) VALUES (1)")\n'
      ])
    )
  })

  it("is no noun", async () => {
    assert.notInclude(await mainNouns(texts("Yard-Master: moves what stands on rails")), "YardMaster")
    assert.include(await mainNouns(texts("Moves what stands on rails")), "YardMaster")
  })
})

describe("values of a type that is named after a noun", () => {
  it("are of the noun where it is declared in the same tree", async () => {
    const texts = {
      "yard.sql":
        "CREATE TABLE wagons (id int, load int, track_id int);\nCREATE TABLE tracks (id int, length int, name text);\nCREATE TABLE depots (id int, name text, town text);\n",
      "src/use.ts": "export const shunt = (wagon: Wagon, track: Track, depot: Depot) => wagonOf(trackOf(depotOf()))\n",
      "src/kinds.cpp": "class WagonType\n{\npublic:\n  enum Id { Flat, Tank };\n  Id id;\n  int load;\n};\n"
    }
    const wagon = (await domainOf(texts)).split("\n").find((line) => /^- \*\*wagons?\*\*/i.test(line)) ?? ""
    assert.include(wagon, "Values of `WagonType.Id`: `Flat`, `Tank`")
  })
})

describe("a structure whose status the code changes", () => {
  const program = (moves: string, beside = "") => ({
    "README.md": "# mvall\n\nRenames many files at once.\n",
    "src/mvall.h":
      "typedef enum {\n  SPEC_NEW,\n  SPEC_READY,\n  SPEC_DONE\n} NameSpecStatus;\n\nstruct _NameSpec {\n  char *before;\n  char *after;\n  NameSpecStatus status;\n};\n" +
      beside,
    "src/plan.c": `#include "mvall.h"\nvoid plan(NameSpec *spec) {\n${moves}}\n`,
    ...Object.fromEntries(
      [1, 2, 3].map((n) => [`src/use${n}.c`, `#include "mvall.h"\nvoid use${n}(NameSpec *spec) {\n}\n`])
    )
  })
  const moves =
    "  if (spec->status == SPEC_NEW)\n    spec->status = SPEC_READY;\n  if (spec->status == SPEC_READY)\n    spec->status = SPEC_DONE;\n"

  it("is a noun alone; one whose status stays is none alone", async () => {
    assert.deepStrictEqual(await mainNouns(program(moves)), ["NameSpec"])
    assert.deepStrictEqual(await mainNouns(program("  use(spec);\n")), [])
  })

  it("has what its header declares beside it where a file of code is named after a part of that", async () => {
    const struct = (name: string) => `\nstruct ${name} {\n  char *label;\n  int depth;\n};\n`
    const texts = program(moves, struct("_SortPlan") + struct("_SortRule"))
    const uses = Object.fromEntries(
      [1, 2, 3].map((n) => [`src/more${n}.c`, "void more(NameSpec *spec, SortPlan *plan, SortRule *rule) {\n}\n"])
    )
    assert.deepStrictEqual(await mainNouns({ ...texts, ...uses }), ["NameSpec", "SortPlan"])
  })
})

describe("the word that the readme has most", () => {
  const of = (word: string, names: number) =>
    Array.from({ length: names }, (_, n) => `    ${word}_${"abcdefgh"[n]}: u8,`).join("\n")
  const does = (word: string, names: number) =>
    Array.from({ length: names }, (_, n) => `fn ${"abcdefgh"[n]}_${word}() -> u8 {\n    1\n}\n`).join("\n")
  const program = (groups: number) => ({
    "README.md": `# pardon\n\n${"It reads a rule. ".repeat(15)}\n\n${"It sees a target. ".repeat(6)}\n\n${"It has a group. ".repeat(groups)}\n`,
    "src/lib.rs": `struct Held {\n${of("rule", 2)}\n${of("target", 6)}\n${of("group", 4)}\n}\n\n${does("rule", 2)}\n${does("target", 5)}\n${does("group", 2)}\n`
  })

  it("needs less in the code than others", async () => {
    assert.include(await mainNouns(program(12)), "rule")
    assert.notInclude(await mainNouns(program(16)), "rule")
  })
})
