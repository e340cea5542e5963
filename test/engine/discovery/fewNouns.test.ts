import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const mainNouns = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const main = /## Main nouns\n([\s\S]*?)(?:\n## |$)/.exec((await outputOf(texts)).domain_md ?? "")?.[1] ?? ""
  return [...main.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name!)
}

const copies = (path: (n: number) => string, text: string) =>
  Object.fromEntries([1, 2, 3, 4].map((n) => [path(n), text]))

describe("a repository with one or two nouns that its readme names", () => {
  const readme = "# Shunt\n\nShunt moves wagons. A wagon has a load, wagons stand on tracks.\n"
  const struct = (name: string, comment: string, fields: string) =>
    `package yard\n\n// ${name} ${comment}\ntype ${name} struct {\n${fields}}\n`
  const yard = (receipt: string, wagon = "\tLoad int\n\tAxles int\n") => ({
    "README.md": `${readme}\nA receipt names what was moved; each track has wagons.\n`,
    "yard/wagon.go": struct("Wagon", "describes what an engine pulls along.", wagon),
    "yard/receipt.go": receipt,
    "yard/paths.go": struct("Paths", "contains the folders that the program needs.", "\tBase string\n\tTmp string\n"),
    ...copies(
      (n) => `cmd/use${n}.go`,
      "package cmd\n\nfunc use(w *Wagon, r *Receipt, p *Paths, o *ReceiptOptions) {\n}\n"
    )
  })

  it("has a type with three signs as well; folders and options of the program are none", async () => {
    const receipt = struct("Receipt", "describes which wagon was moved to where.", "\tWagon string\n\tTrack string\n")
    assert.sameMembers([...(await mainNouns(yard(receipt)))], ["Wagon", "Receipt"])
    const options = struct(
      "ReceiptOptions",
      "describes how a receipt is to be printed.",
      "\tWagon string\n\tTrack string\n"
    )
    assert.notInclude(await mainNouns(yard(options)), "ReceiptOptions")
  })

  it("types of Go that are put into another without a name are parts of it; one alone is a wrapper", async () => {
    const receipt = struct("Receipt", "describes which wagon was moved to where.", "\tWagon string\n\tTrack string\n")
    const embedded = '\tmeta.Type `json:",inline"`\n\tmeta.Object\n'
    assert.include(await mainNouns(yard(receipt, embedded)), "Wagon")
    assert.notInclude(await mainNouns(yard(receipt, "\tmeta.Object\n")), "Wagon")
  })
})

describe("functions put into what a constructor of JavaScript makes", () => {
  const library = (method: string) => ({
    "README.md": "# Postbag\n\nA message is sent by a courier. Each courier takes messages, a message has a courier.\n",
    "lib/message.js":
      "var Message = function Message() {\n  this.subject = ''\n  this.text = ''\n}\n\nmodule.exports = Message\n",
    "lib/courier.js": `function Courier(host) {\n  this.host = host\n}\n${method}\nmodule.exports = Courier\n`,
    ...copies((n) => `lib/use${n}.js`, "module.exports = () => [new Message(), new Courier()]\n")
  })

  it("make it a thing, as a second field does", async () => {
    const method = "\nCourier.prototype.send = function (message) {\n  return message\n}\n"
    assert.sameMembers([...(await mainNouns(library(method)))], ["Message", "Courier"])
    assert.notInclude(await mainNouns(library("")), "Courier")
  })
})

describe("types of OCaml that stand for others", () => {
  const program = (entry: string) => ({
    "README.md":
      "# Shelf\n\nReads entries of books. An entry has a condition; entries are sorted by their condition.\n",
    "entry.ml": `${entry}\n\nlet sort_entry x = x\nlet print_entry x = x\nlet read_entry x = x\nlet find_entry x = x\nlet drop_entry x = x\n`,
    "condition.mli":
      "(* What an entry has to fulfil. *)\ntype condition =\n  | True\n  | And of condition * condition\n\nval test : condition -> Entry.entry -> bool\n",
    "condition.ml":
      "type condition =\n  | True\n  | And of condition * condition\n\nlet test_condition c = c\nlet read_condition c = c\n",
    ...copies((n) => `use${n}.mli`, "val filter : condition -> entry -> entry list\n")
  })

  it("are nouns where they join several, or hold many; another name for one is none", async () => {
    const joined = await mainNouns(program("type entry = kind * key * (string * string) list"))
    assert.sameMembers([...joined], ["entry", "condition"])
    assert.notInclude(await mainNouns(program("type entry = string")), "entry")
  })
})

describe("one plain type alone", () => {
  const header = (comment: string) => `${comment}struct berth {\n  int depth;\n  int length;\n};\n`
  const harbour = (comment: string, files: number) => ({
    "README.md": "# Quay\n\nQuay keeps the book of a harbour.\n",
    "src/berth.h": header(comment),
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [
        `src/part${n}.c`,
        n < files
          ? `int part_${n}(struct berth *one) {\n  return one->depth;\n}\n`
          : `int part_${n}(int at) {\n  return at;\n}\n`
      ])
    )
  })

  it("is enough where a good part of the files names it and a comment says what it is", async () => {
    assert.deepStrictEqual(await mainNouns(harbour("/* Describes where one ship lies. */\n", 9)), ["berth"])
  })

  it("is not enough without the comment, or where few files name it", async () => {
    assert.isEmpty(await mainNouns(harbour("", 9)))
    assert.isEmpty(await mainNouns(harbour("/* Describes where one ship lies. */\n", 4)))
  })

  const match = (status: string) => ({
    "README.md": "# Quoits\n\nStart a match and wait for a partner.\n",
    "quoits/match.py": `${status}class Thrower:\n    def __init__(self, name):\n        self.name = name\n        self.points = 0\n\n\nclass Match:\n    def __init__(self):\n        self.throwers = []\n        self.status = 1\n`,
    ...Object.fromEntries(
      [1, 2, 3, 4].map((n) => [
        `quoits/use${n}.py`,
        "from quoits.match import Match\n\n\ndef use():\n    return Match()\n"
      ])
    )
  })

  it("is enough with a status, a file of its own and a word in the readme; what it holds several of goes with it", async () => {
    const status = "class MatchStatus:\n    waiting: int = 1\n    running: int = 2\n\n\n"
    assert.deepStrictEqual(await mainNouns(match(status)), ["Match", "Thrower"])
  })

  it("is not enough without the status", async () => {
    assert.isEmpty(await mainNouns(match("")))
  })
})
