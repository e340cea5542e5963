import { assert, describe, it } from "vitest"
import { proseNouns } from "../../../src/engine/discovery/domain/proseNouns.ts"
import type { SpokenWord } from "../../../src/engine/discovery/domain/spokenWords.ts"
import { type Ranked, withSpokenWords } from "../../../src/engine/discovery/domain/withSpokenWords.ts"
import { outputOf } from "../../support/survey.ts"

const mainNouns = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const text = (await outputOf(texts)).domain_md ?? ""
  const main = /## Main nouns\n([\s\S]*?)(?:\n## |$)/.exec(text)?.[1] ?? ""
  return [...main.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name!)
}

const readme = `# Mühle

A board game for two. Each player has nine pieces and moves a piece on the board. Three pieces in a row are a mill.
A player who closes a mill takes a piece of the other player. The board has three squares; every board has a name.
The first player begins. Pieces never leave the board; players count pieces, and a mill of three pieces stays a mill.
`

const functions = (names: ReadonlyArray<string>): string =>
  names.map((name) => `int ${name}(int at) {\n  return at;\n}\n`).join("\n")

const code = {
  "src/moves.c": functions(["move_piece", "take_piece", "count_pieces", "find_mill", "open_mill", "close_mill"]),
  "src/board.c": functions(["board_clear", "board_draw", "mill_closed", "player_of_piece"]),
  "src/player.c": functions(["player_next", "player_loses", "first_player"])
}

describe("nouns that documents and code share", () => {
  it("a program without types is about what its readme speaks of and its functions and files are named after", async () => {
    const nouns = await mainNouns({ "README.md": readme, ...code })
    assert.sameMembers([...nouns], ["board", "piece", "player"])
  })

  it("nothing is stated where the code does not name what the readme speaks of", async () => {
    const other = { "src/main.c": functions(["start", "parse_args"]) }
    assert.isEmpty(await mainNouns({ "README.md": readme, ...other }))
  })

  it("nothing is stated where no document says what the code is about", async () => {
    assert.isEmpty(await mainNouns({ "README.md": "# Mühle\n\nSee the manual.\n", ...code }))
  })

  it("the type of that name stands for the word, with its states", async () => {
    const board =
      "typedef enum { PIECE_STATE_HAND, PIECE_STATE_BOARD } PieceState;\n\ntypedef struct {\n  int at;\n  int owner;\n} Piece;\n"
    const uses = Object.fromEntries(
      [1, 2, 3].map((n) => [`src/use${n}.c`, `int use_${n}(Piece *piece) {\n  return piece->at;\n}\n`])
    )
    const nouns = await mainNouns({ "README.md": readme, ...code, "src/piece.h": board, ...uses })
    assert.include(nouns, "Piece")
    assert.notInclude(nouns, "piece")
  })

  it("stored tables lead, whatever the readme speaks of", async () => {
    const names = ["orders", "customers", "invoices"]
    const writes = names.map((name) => `export const save = (db) => db.run("INSERT INTO ${name} (id) VALUES (1)")\n`)
    const nouns = await mainNouns({
      "README.md": readme,
      ...code,
      "db/schema.sql": names.map((name) => `CREATE TABLE ${name} (id int, total int, sent date);\n`).join(""),
      ...Object.fromEntries(writes.map((text, n) => [`src/save${n}.js`, text]))
    })
    assert.sameMembers(nouns.slice(0, 3), ["orders", "customers", "invoices"])
  })
})

describe("words without a type of their own", () => {
  const place = (name: string, as: string) =>
    ({
      what: { name, as, line: 1, fields: [], relations: [] },
      file: { path: "tea.go" }
    }) as unknown as SpokenWord["place"]
  const type = (name: string, uses: number, isStated = true): Ranked => ({
    key: name.toLowerCase(),
    noun: { name, declarations: [place(name, "struct")], doc: null, uses, states: [] },
    kind: 2,
    rank: uses,
    isStated,
    isCentral: isStated
  })
  const word = (written: string, uses: number, generality: 0 | 1 | 2): readonly [string, SpokenWord] => [
    written,
    { word: { written, mentions: 9, generality }, weight: 6, uses, place: place(written, "file") }
  ]
  const order = (types: ReadonlyArray<Ranked>, words: ReadonlyArray<readonly [string, SpokenWord]>): string =>
    withSpokenWords(types, new Map(words), [])
      .map(({ noun: { name } }) => name)
      .join(" ")

  it("come after types that as many files name where they may be technical, and before others", () => {
    const words = [word("server", 3, 1), word("image", 3, 1), word("kettle", 4, 0)]
    const types = [type("Kettle", 4), type("Blend", 3), type("Cup", 9, false)]
    assert.strictEqual(order(types, words), "Kettle Blend server image Cup")
    assert.strictEqual(order([type("Kettle", 2), type("Blend", 2)], words), "server image Kettle Blend")
  })

  it("keep the order of what documents speak of, however many files are named after them", () => {
    const words = [word("kettle", 7, 0), word("group", 22, 0), word("brewing", 26, 0)]
    assert.strictEqual(order([type("Cup", 9, false)], words), "kettle group brewing Cup")
    const stored: Ranked = { ...type("Blend", 26), kind: 0 }
    const table = { ...stored, noun: { ...stored.noun, declarations: [place("blends", "SQL table")] } }
    assert.strictEqual(order([table], words), "Blend kettle group brewing")
  })

  it("come after types of which documents speak and that twice as many files name, or that four times as many do, and before others", () => {
    const words = [word("ticket", 7, 0), word("kettle", 4, 0)]
    assert.strictEqual(order([type("Blend", 27), type("Kettle", 14)], words), "Kettle ticket Blend")
    assert.strictEqual(order([type("Blend", 27), type("Kettle", 13)], words), "ticket Kettle Blend")
    assert.strictEqual(order([type("Blend", 28), type("Kettle", 13)], words), "Kettle Blend ticket")
  })
})

describe("nouns of prose", () => {
  it('words after an article or in the plural count, not those after "to", and none of code and sections about building', () => {
    const text =
      "# Notes\n\nA queue keeps a job. Each job has a priority; jobs wait in the queue until the queue is empty.\n\n```\nthe hammer, the hammer, the hammer\n```\n\n" +
      "## Installation\n\nThe anvil, the anvil, an anvil. You need to chisel, to chisel, they chisel the stone.\n"
    const found = proseNouns([text])
    assert.strictEqual(found.get("job")?.mentions, 3)
    assert.isFalse(found.has("hammer"))
    assert.isFalse(found.has("anvil"))
    assert.isFalse(found.has("chisel"))
  })

  it("what is done to a noun is none, however it is written", () => {
    const found = proseNouns(["The edit of a job, an edit of each job, every edit. A job has an edit."])
    assert.isFalse(found.has("edit"))
    assert.isTrue(found.has("job"))
  })

  it("how a program is made, and what something is like, are none", () => {
    const found = proseNouns(["A completion of a wagon, each completion. The hidden, a hidden, each hidden timestamp."])
    assert.sameMembers(
      [...found.keys()].filter((key) => key !== "wagon"),
      []
    )
  })

  it("a word that is never written without its last letter keeps it", () => {
    const found = proseNouns(["The btrfs of a disk, a btrfs that is full, each btrfs."])
    assert.strictEqual(found.get("btrf")?.written, "btrfs")
  })
})

describe("where a word without a type of its name is shown", () => {
  const tree = (type: string) => ({
    "README.md": readme,
    ...code,
    "src/draw.c": `struct ${type} {\n  int at;\n};\n`
  })
  const pieceIn = async (texts: Readonly<Record<string, string>>): Promise<string> =>
    /\*\*piece\*\* \((\w+)/.exec((await outputOf(texts)).domain_md ?? "")?.[1] ?? ""

  it("is no type that only begins with it; one that holds it counts", async () => {
    assert.strictEqual(await pieceIn(tree("PieceArea")), "function")
    assert.strictEqual(await pieceIn(tree("PieceRecord")), "type")
  })

  it("is no file of pages that a server sends, where the program names it as well", async () => {
    const texts = (folder: string) => ({ "README.md": readme, ...code, [`${folder}/piece.c`]: functions(["draw_it"]) })
    assert.strictEqual(await pieceIn(texts("static")), "function")
    assert.strictEqual(await pieceIn(texts("src")), "file")
  })

  it("comes first where names of files end in it, not where they begin with it", async () => {
    const about = `# Yard\n\n${"A yard has a tender and a gauge. Each tender is long, each gauge is small. ".repeat(5)}\n`
    const texts = (ends: string, begins: string) => ({
      "README.md": about,
      ...Object.fromEntries(
        ["one", "two", "three"].flatMap((n) => [
          [`src/${n}_${ends}_v2.c`, functions([`${n}_${ends}`])],
          [`src/${begins}_${n}.c`, functions([`${n}_${begins}`])]
        ])
      )
    })
    assert.strictEqual((await mainNouns(texts("tender", "gauge")))[0], "tender")
    assert.strictEqual((await mainNouns(texts("gauge", "tender")))[0], "gauge")
  })

  it("is no class of Python within a function", async () => {
    const texts = (indent: string, head: string) => ({
      "README.md": readme,
      "game.py": `${head}${indent}class OwnPiece:\n${indent}    pass\n\n\ndef take_piece(at):\n    return at\n\n\ndef count_pieces(at):\n    return at\n\n\ndef board_clear():\n    return 1\n\n\ndef player_of_board():\n    return 1\n`,
      "board.py": "def board_draw():\n    return 1\n",
      "player.py": "def player_next():\n    return 1\n"
    })
    assert.notStrictEqual(await pieceIn(texts("    ", "def play():\n")), "type")
    assert.strictEqual(await pieceIn(texts("", "")), "type")
  })
})
