import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const mainNouns = async (texts: Texts): Promise<ReadonlyArray<string>> => {
  const main = /## Main nouns\n([\s\S]*?)(?:\n## |$)/.exec((await outputOf(texts)).domain_md ?? "")?.[1] ?? ""
  return [...main.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name!)
}

describe("a small program of which no document says what it is about", () => {
  const struct = (name: string) => `pub struct ${name} {\n    pub first: u8,\n    pub second: u8,\n}\n`
  const shunter = (names: ReadonlyArray<string>, users = 2): Texts => ({
    "README.md": "# Shunter\n\nRemoves what was left over.\n",
    "src/types.rs": names.map(struct).join("\n"),
    ...Object.fromEntries(
      Array.from({ length: users }, (_, n) => [
        `src/use${n}.rs`,
        `pub fn use_${n}(${names.map((name, i) => `a${i}: ${name}`).join(", ")}) {}\n`
      ])
    )
  })

  it("is about the few types that its files share, whatever they are called", async () => {
    assert.sameMembers(
      [...(await mainNouns(shunter(["ParseResult", "TrackInfo", "WagonStruct"])))],
      ["ParseResult", "TrackInfo", "WagonStruct"]
    )
  })

  it("is not about its options, errors and states, two types alone, or some of many", async () => {
    assert.isEmpty(await mainNouns(shunter(["ExecOptions", "RunError", "State", "TrackInfo", "WagonInfo"])))
    const many = ["AInfo", "BInfo", "CInfo", "DInfo", "EInfo", "FInfo", "GInfo"].map((name) => `Track${name}`)
    assert.isEmpty(await mainNouns(shunter(many)))
  })

  it("a larger program is not about every type that two of its files share", async () => {
    assert.isEmpty(await mainNouns(shunter(["ParseResult", "TrackInfo", "WagonStruct"], 14)))
  })
})

describe("a small program of which one or two nouns are given", () => {
  const struct = (name: string) => `pub struct ${name} {\n    pub first: u8,\n    pub second: u8,\n}\n`
  const yard = (types: ReadonlyArray<string>): Texts => ({
    "README.md":
      "# Shunter\n\nA wagon stands on a track. Each wagon has a track; wagons move to tracks. Every siding is counted once.\n",
    "src/wagon.rs": struct("Wagon"),
    "src/track.rs": struct("Track"),
    ...Object.fromEntries(types.map((name) => [`src/own_${name.toLowerCase()}.rs`, struct(name)])),
    ...Object.fromEntries(
      [1, 2, 3, 4].map((n) => [
        `src/use${n}.rs`,
        `pub fn use_${n}(w: Wagon, t: Track, ${types.map((name, i) => `a${i}: ${name}`).join(", ")}) {}\n`
      ])
    )
  })

  it("has those of its types as well whose last word the readme has", async () => {
    const named = await mainNouns(yard(["TempSiding", "OddKettle"]))
    assert.sameMembers([...named], ["Wagon", "Track", "TempSiding"])
    assert.sameMembers([...(await mainNouns(yard(["OddKettle"])))], ["Wagon", "Track"])
  })
})

describe("types that one of the nouns implements, or holds several of", () => {
  const readme = "# Yard\n\nA shunt request is sent. Each shunt request has wagons; shunt requests are kept.\n"
  const javaClass = (name: string, head: string, fields: string) =>
    `package yard;\n\n/** A ${name} describes how wagons are moved. */\npublic class ${name} ${head} {\n${fields}\n  public void one() {\n  }\n\n  public void two() {\n  }\n\n  public void three() {\n  }\n\n  public void four() {\n  }\n}\n`
  const plain = "  private int from;\n  private int to;\n"
  const yard = (others: ReadonlyArray<string>, fields = plain): Texts => ({
    "README.md": readme,
    "src/yard/WagonMover.java":
      "package yard;\n\n/** Moves wagons of one kind. */\npublic interface WagonMover {\n  void one();\n}\n",
    "src/yard/ShuntOrder.java": javaClass("ShuntOrder", "", fields),
    "src/yard/movers/SteamMover.java": javaClass("SteamMover", "implements WagonMover", plain),
    ...Object.fromEntries(
      others.map((name) => [
        `src/yard/movers/${name}.java`,
        `package yard;\n\nclass ${name} implements WagonMover {\n}\n`
      ])
    ),
    "src/yard/Siding.java": "package yard;\n\npublic interface Siding {\n  void one();\n}\n",
    ...Object.fromEntries(
      [1, 2, 3, 4].map((n) => [
        `src/yard/Use${n}.java`,
        `package yard;\n\nclass Use${n} {\n  SteamMover one;\n  ShuntOrder two;\n}\n`
      ])
    )
  })

  it("lead in place of one of several implementations; of two alone each may be a thing of its own", async () => {
    const several = await mainNouns(yard(["FastMover", "SlowMover"]))
    assert.include(several, "WagonMover")
    assert.notInclude(several, "SteamMover")
    assert.include(await mainNouns(yard(["FastMover"])), "SteamMover")
  })

  it("count without an abstract type in between", async () => {
    assert.include(await mainNouns(yard(["FastMover", "AbstractMover"])), "SteamMover")
  })

  it("fill up a short list where a field holds several of them", async () => {
    const several = "  private List<Siding> sidings;\n  private int to;\n"
    assert.include(await mainNouns(yard([], several)), "Siding")
    assert.notInclude(await mainNouns(yard([])), "Siding")
  })
})

it("two words that say only how programs talk to each other are no nouns", async () => {
  const { isFairlySpoken } = await import("../../../src/engine/discovery/domain/spokenWords.ts")
  const words = (...keys: ReadonlyArray<string>) =>
    new Map(keys.map((key) => [key, { weight: 5 }])) as unknown as Parameters<typeof isFairlySpoken>[0]
  assert.isFalse(isFairlySpoken(words("server", "client")))
  assert.isTrue(isFairlySpoken(words("server", "mailbox")))
})
