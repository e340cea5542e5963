import { assert, describe, it } from "vitest"
import { proseNouns } from "../../../src/engine/discovery/domain/proseNouns.ts"
import { outputOf } from "../../support/survey.ts"

const domainOf = async (texts: Readonly<Record<string, string>>): Promise<string> =>
  (await outputOf(texts)).domain_md ?? ""

const mainNouns = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const main = /## Main nouns\n([\s\S]*?)(?:\n## |$)/.exec(await domainOf(texts))?.[1] ?? ""
  return [...main.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name!)
}

const functions = (names: ReadonlyArray<string>): string =>
  names.map((name) => `int ${name}(int at) {\n  return at;\n}\n`).join("\n")

describe("nouns of a library without a word in its readme", () => {
  const type = (name: string, comment: string) =>
    `${comment}\nexport class ${name} {\n  first = 1\n  second = 2\n${["open", "read", "next", "close"].map((verb) => `  ${verb}() {\n    return 1\n  }\n`).join("")}}\n`
  const library = (comment: string, users: ReadonlyArray<number>) => ({
    "README.md": "# Quill\n\nReads small languages.\n",
    "src/parser.ts": type("Parser", comment),
    "src/token.ts": type("Token", comment),
    "src/parseOptions.ts": type("ParseOptions", comment),
    ...Object.fromEntries(
      users.map((n) => [
        `src/use${n}.ts`,
        "export const use = (one: Parser, two: Token, how: ParseOptions) => [one, two, how]\n"
      ])
    )
  })

  it("are the types with a file, functions and a comment of their own; options serve them", async () => {
    const nouns = await mainNouns(library("/** What a user of this library holds in the hand. */", [1, 2, 3]))
    assert.sameMembers([...nouns], ["Parser", "Token"])
  })

  it("what asks for something and what sorts serve them", async () => {
    const comment = "/** What a user of this library holds in the hand. */"
    const named = (last: string) =>
      Object.fromEntries(
        Object.entries(library(comment, [1, 2, 3])).map(([path, text]) => [path, text.replaceAll(/\bToken\b/g, last)])
      )
    assert.notInclude([...(await mainNouns(named("TokenRequest")))], "TokenRequest")
    assert.notInclude([...(await mainNouns(named("TokenSorter")))], "TokenSorter")
    assert.include([...(await mainNouns(named("TokenBook")))], "TokenBook")
  })

  it("a type that hardly any code names is none", async () => {
    const alone = library("/** What a user holds. */", [])
    assert.isEmpty(await mainNouns(alone))
  })

  it("are read of C++ behind a macro that exports the class", async () => {
    const header = (name: string) =>
      `class QUILL_API ${name}\n{\npublic:\n  int first;\n  int second;\n  void open();\n};\n`
    const texts = {
      "README.md": "# Quill\n\nIt has an archive and a ledger.\n",
      "include/Archive.hpp": header("Archive"),
      "include/Ledger.hpp": header("Ledger"),
      ...Object.fromEntries(
        [1, 2, 3].map((n) => [`src/use${n}.cpp`, "void use(Archive &one, Ledger &two) { one.open(); }\n"])
      )
    }
    assert.include(await domainOf(texts), "Archive")
    assert.notInclude(await domainOf(texts), "QUILL_API")
  })
})

describe("words that name no thing", () => {
  it("acronyms, names of others and what only stands before another noun are none", () => {
    const text =
      "# Notes\n\nThe XML of a letter, an XML, each XML. It talks to a Kettle, the Kettle, and each Kettle.\n" +
      "A ferry ticket, the ferry ticket, each ferry ticket. A letter has an owner; each letter, the letters.\n"
    const found = proseNouns([text])
    assert.isTrue(found.has("letter"))
    for (const word of ["xml", "kettle", "ferry"]) assert.isFalse(found.has(word), word)
  })

  it("what most files are named after is the product, whatever the readme says", async () => {
    const readme =
      "# Boards\n\nA heron keeps a queue of letters. Each letter has a stamp; letters wait for a heron. The heron, a heron. A stamp is of a letter, and each stamp has a price.\n"
    const names = ["letter_send", "letter_drop", "stamp_letter", "stamp_check", "stamp_price", "heron_start"]
    const files = ["app", "queue", "letter", "stamp", "price", "post"]
    const nouns = await mainNouns({
      "README.md": readme,
      ...Object.fromEntries(files.map((file) => [`src/heron_${file}.c`, functions(names)]))
    })
    assert.include(nouns, "letter")
    assert.notInclude(nouns, "heron")
  })
})

describe("the product's own name", () => {
  const type = (name: string) =>
    `<?php\n/** What the clerk of this yard looks at first. */\nclass ${name}\n{\n    public $first;\n    public $second;\n}\n`
  const yard = (names: ReadonlyArray<string>, readme: string) => ({
    "README.md": readme,
    ...Object.fromEntries(names.map((name) => [`lib/${name.split("_").at(-1)}.php`, type(name)])),
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [
        `lib/use${n}.php`,
        `<?php\n${names.map((name) => `new ${name}();`).join("\n")}\n`
      ])
    )
  })
  const parts = ["Yard_Wagon", "Yard_Track", "Yard_Signal", "Yard_Siding", "Yard_Crane"]

  it("is what all types begin with before a mark, and no noun", async () => {
    const nouns = await mainNouns(yard(["Yard", ...parts], "# Whereabouts of wagons\n\nWagons on tracks.\n"))
    assert.include(nouns, "Yard_Wagon")
    assert.notInclude(nouns, "Yard")
  })

  it("is the title of the readme where that is one word; of several words none is", async () => {
    const named = ["Crane", "Wagon", "Track"]
    assert.notInclude(await mainNouns(yard(named, "# Crane\n\nLifts a wagon from a track.\n")), "Crane")
    assert.include(await mainNouns(yard(named, "# Crane and wagon control\n\nLifts a wagon.\n")), "Crane")
  })
})

describe("nouns of manuals", () => {
  const manual =
    "Boats\n=====\n\nA boat has a crew. Each boat is in a harbour; boats leave a harbour. The crew of a boat, a crew, each crew.\nEvery harbour has a pilot. The boats of a harbour wait for its pilot; each pilot knows the harbour.\n"
  const code = {
    "src/boat.c": functions(["boat_open", "boat_move", "boat_load", "crew_of_boat", "boat_name"]),
    "src/harbour.c": functions(["harbour_open", "harbour_close", "boat_in_harbour", "harbour_pilot"]),
    "src/crew.c": functions(["crew_hire", "crew_leave", "crew_count", "pilot_call", "pilot_pay"])
  }

  it("are those of its pages where the readme says nothing", async () => {
    const nouns = await mainNouns({ "README.md": "# Sail\n\nSee docs.\n", "docs/boats.rst": manual.repeat(3), ...code })
    assert.includeMembers([...nouns], ["boat", "harbour"])
  })

  it("are not those of the change log", async () => {
    const texts = { "README.md": "# Sail\n\nSee docs.\n", "docs/changelog.rst": manual.repeat(3), ...code }
    assert.isEmpty(await mainNouns(texts))
  })

  it("are those of POD between the code of a program in Perl", async () => {
    const pod = `\n=head1 DESCRIPTION\n\n${manual.replace("=====", "").repeat(3)}\n=cut\n`
    const subs = (names: ReadonlyArray<string>) => names.map((name) => `sub ${name} {\n  return 1;\n}\n`).join("\n")
    const nouns = await mainNouns({
      "README.md": "# Sail\n\nSee the manual.\n",
      "lib/Boat.pm": `package Boat;\n${pod}\n${subs(["boat_open", "boat_move", "boat_load", "boat_name", "crew_of_boat"])}`,
      "lib/Harbour.pm": `package Harbour;\n${subs(["harbour_open", "harbour_close", "boat_in_harbour", "harbour_pilot"])}`
    })
    assert.includeMembers([...nouns], ["boat", "harbour"])
  })
})

describe("what a noun is", () => {
  it("is quoted from the readme where no comment says it", async () => {
    const texts = (sentence: string) => ({
      "README.md": `# Depot\n\nKeeps wagons, engines and tracks of a depot.\n\n${sentence}\n`,
      "db/schema.sql":
        "CREATE TABLE wagons (id int, axles int);\nCREATE TABLE engines (id int, power int);\nCREATE TABLE tracks (id int, length int);\n",
      "src/save.js":
        'export const save = (db) => [db.run("INSERT INTO wagons (id) VALUES (1)"), db.run("INSERT INTO engines (id) VALUES (1)"), db.run("INSERT INTO tracks (id) VALUES (1)")]\n'
    })
    assert.include(
      await domainOf(texts("A wagon is what an engine pulls along a track.")),
      "The readme says: “A wagon is what an engine pulls along a track.” (`README.md:5`)."
    )
    assert.notInclude(await domainOf(texts("People like to paint a wagon before it leaves.")), "The readme says")
  })

  it("lines of a statement that are a list are one table; after a closed statement another argument follows", async () => {
    const table = (lines: string) => `db.execute([${lines}])\ndb.execute("INSERT INTO notes (a) VALUES (1)")\n`
    const others = {
      "schema.sql":
        "CREATE TABLE users (id int, name text, age int);\nCREATE TABLE shelves (id int, text text, title text);\n",
      "a.php":
        '<?php\n$db->query("INSERT INTO users (a) VALUES (1)");\n$db->query("INSERT INTO shelves (a) VALUES (1)");\n'
    }
    const open = await domainOf({
      ...others,
      "notes.py": table(
        "'CREATE TABLE IF NOT EXISTS notes (',\n            '    title VARCHAR, body VARCHAR,',\n            '    author INTEGER);'"
      )
    })
    assert.include(open, "Has `title`, `body`, `author`.")
    const closed = await domainOf({
      ...others,
      "notes.py": table("'CREATE TABLE notes (title VARCHAR, body VARCHAR)', 'author INTEGER'")
    })
    assert.notInclude(closed, "author")
  })
})

describe("states of languages whose syntax is not read", () => {
  it.each([
    [
      "Haskell",
      "src/Light.hs",
      "module Light where\n\ndata Colour = Red | Amber\n  | Green\n  deriving (Eq)\n\nuse :: Colour -> Int\n",
      "`Red`, `Amber`, `Green`"
    ],
    ["OCaml", "src/light.ml", "type colour = Red | Amber | Green\n\nlet use x = x\n", "`Red`, `Amber`, `Green`"],
    ["Vala", "src/Light.vala", "public enum Colour {\n  RED,\n  AMBER,\n  GREEN;\n}\n", "`RED`, `AMBER`, `GREEN`"]
  ])("alternatives of %s that hold nothing are a closed set of values", async (_, path, text, values) => {
    assert.include(await domainOf({ [path]: text }), values)
  })

  it("alternatives that hold something are none", async () => {
    const text = "module Shape where\n\ndata Shape = Circle Double | Square Double | Point\n\nuse :: Shape -> Int\n"
    assert.notInclude(await domainOf({ "src/Shape.hs": text }), "Circle")
  })
})
