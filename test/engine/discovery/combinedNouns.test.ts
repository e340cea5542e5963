import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const mainNouns = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const main = /## Main nouns\n([\s\S]*?)(?:\n## |$)/.exec((await outputOf(texts)).domain_md ?? "")?.[1] ?? ""
  return main.split("\n").filter((line) => line.startsWith("- "))
}

const readme = "# Yardctl\n\nKeeps wagons and the sidings they stand in. Each wagon stands in a siding.\n"

const program = (body: string) => ({ "README.md": readme, "yardctl.py": body })

const both =
  "def add_wagon(name):\n    wagons = load()\n    wagons.append(name)\n\n\ndef remove_wagon(name):\n    pass\n\n\ndef list_sidings():\n    for siding in load_sidings():\n        print(siding['name'], siding['slope'], siding['gauge'])\n\n\ndef load_siding():\n    wagons = []\n    return wagons\n"

describe("a program without types", () => {
  it("is about the words of its readme that several kinds of evidence in the code show, each with its place", async () => {
    const found = await mainNouns(program(both))
    assert.strictEqual(found.length, 2)
    assert.match(found.join("\n"), /\*\*wagon\*\* \(variable `yardctl\.py:\d+`\)/)
    assert.match(found.join("\n"), /\*\*siding\*\* \(object `yardctl\.py:\d+`\).*Has `name`, `slope`, `gauge`\./)
  })

  it("is not about what only functions are named after, nor about what no document has a word for", async () => {
    const once = "def add_wagon(name):\n    pass\n\n\ndef list_sidings():\n    pass\n"
    assert.deepStrictEqual(await mainNouns(program(once)), [])
    const others = both.replaceAll("wagon", "bogie").replaceAll("siding", "buffer")
    assert.deepStrictEqual(await mainNouns(program(others)), [])
  })

  it("is not about what its functions do, where nothing has parts of that name", async () => {
    const text = both
      .replaceAll("wagon", "accept")
      .replaceAll("siding", "check")
      .replace(/ {8}print.*/, "        pass")
    const documents = readme.replaceAll("wagon", "accept").replaceAll("siding", "check")
    assert.deepStrictEqual(await mainNouns({ "README.md": documents, "yardctl.py": text }), [])
  })

  it("is not about a server, a request or an option, whatever shows them", async () => {
    const text = both.replaceAll("wagon", "server").replaceAll("siding", "request")
    const documents = readme.replaceAll("wagon", "server").replaceAll("siding", "request")
    assert.deepStrictEqual(await mainNouns({ "README.md": documents, "yardctl.py": text }), [])
  })

  it("is about what users give to it, as the readme writes its arguments", async () => {
    const text =
      "def add_wagon(name):\n    pass\n\n\ndef drop_wagon(name):\n    for wagon in wagons:\n        pass\n\n\ndef load_train(name):\n    pass\n\n\ndef send_train(name):\n    for train in trains:\n        pass\n"
    const usage =
      "# Yardctl\n\nMoves them by night.\n\n    yardctl load <train> --with <wagon> ...\n\nA train has a wagon at least.\n"
    assert.strictEqual((await mainNouns({ "README.md": usage, "yardctl.py": text })).length, 2)
    const silent = usage.replace("A train has a wagon at least.", "").replace("<train> --with <wagon>", "train wagon")
    assert.deepStrictEqual(await mainNouns({ "README.md": silent, "yardctl.py": text }), [])
  })
})

describe("a server that no document speaks of", () => {
  const module = (name: string, verbs: ReadonlyArray<string>) =>
    `const express = require("express")\nconst app = express()\n${verbs.map((verb, n) => `function ${verb}${name[0]!.toUpperCase()}${name.slice(1)}(req, res) {\n  res.send("")\n}\napp.${["get", "post", "put"][n]!}("/${name}s/:id", ${verb}${name[0]!.toUpperCase()}${name.slice(1)})\n`).join("")}`
  const server = (names: ReadonlyArray<string>, verbs: ReadonlyArray<string>) => ({
    "package.json": '{ "name": "shuntd", "dependencies": { "express": "4" } }\n',
    ...Object.fromEntries(names.map((name) => [`src/routes/${name}s.js`, module(name, verbs)]))
  })

  it("is about what several routes and functions of a file of that name handle; not where one does, nor about logins", async () => {
    const verbs = ["get", "create", "update"]
    const found = await mainNouns(server(["wagon", "siding"], verbs))
    assert.match(found.join("\n"), /\*\*siding\*\*[^*]*\n- \*\*wagon\*\*/)
    assert.deepStrictEqual(await mainNouns(server(["wagon", "siding"], ["get"])), [])
    assert.deepStrictEqual(await mainNouns(server(["login", "webhook"], verbs)), [])
  })
})

describe("a program of which one noun is shown", () => {
  it("has that noun where it is shown somewhat better than enough", async () => {
    const text =
      "def add_wagon(name):\n    wagons = load()\n    for wagon in wagons:\n        print(wagon['name'], wagon['load'], wagon['gauge'])\n\n\ndef remove_wagon(name):\n    pass\n"
    assert.strictEqual((await mainNouns(program(text))).length, 1)
    const less = text.replace("def remove_wagon", "def remove_it").replace(/ {8}print.*/, "        pass")
    assert.deepStrictEqual(await mainNouns(program(less.replace("wagons = load()", "pass"))), [])
  })
})

describe("one word beside tables", () => {
  const text =
    "def add_wagon(name):\n    for wagon in wagons:\n        print(wagon['name'], wagon['load'], wagon['gauge'])\n\n\ndef remove_wagon(db):\n    db.execute('SELECT name FROM moves')\n    db.execute('SELECT name FROM drivers')\n"
  const schema = ["moves", "drivers"].map((name) => `CREATE TABLE ${name} (id INTEGER, name TEXT, load INTEGER);\n`)
  const tree = (tables: string) => ({
    ...program(text),
    "more.py":
      "def more(db):\n    db.execute('UPDATE moves SET load = 1')\n    db.execute('UPDATE drivers SET load = 1')\n",
    "schema.sql": tables
  })

  it("is no noun where the code names several of them, which are candidates; it is where there is none", async () => {
    const output = (await outputOf(tree(schema.join("")))).domain_md ?? ""
    assert.notInclude(output, "**wagon**")
    assert.match(output, /## Candidates[\s\S]*\*\*(?:moves|drivers)\*\*/)
    assert.match((await mainNouns(tree(""))).join("\n"), /\*\*wagon\*\*/)
  })
})

describe("types that one file of a small program declares and another uses by functions", () => {
  const types = (last: string) =>
    `class Wagon:\n    """Wagon that stands in a siding."""\n\n    name: str\n    load: int\n\n\nclass Siding${last}:\n    name: str\n    gauge: int\n\n\ndef get_wagons():\n    wagons = []\n    return wagons\n\n\ndef get_sidings():\n    sidings = []\n    return sidings\n`
  const tree = (last: string) => ({
    "README.md": readme,
    "yard/local.py": types(last),
    "yard/main.py": "from yard.local import get_sidings, get_wagons\n\nprint(get_sidings(), get_wagons())\n"
  })

  it("are shown with their fields and what their comment says, also where the last word only says that one is held", async () => {
    for (const last of ["", "Entry"]) {
      const found = (await mainNouns(tree(last))).join("\n")
      assert.match(found, /Wagon that stands in a siding\..*Has `name`, `load`\./i)
      assert.match(found, /Siding\w*\*\* \(class `yard\/local\.py:8`\).*Has `name`, `gauge`\./i)
    }
    assert.notInclude((await mainNouns(tree("Parser"))).join("\n"), "(class `yard/local.py:8`)")
  })
})

describe("a program with one table", () => {
  const words =
    "# Shuntctl\n\nA siding holds wagons, a siding has a gauge. Each siding and each crew are listed. A crew loads wagons; sidings and crews have names, and a wagon has a load. Each crew is in a siding, each wagon has crews. The wagons of a siding are counted, the crews of a wagon as well.\n"
  const table = "CREATE TABLE moves (id INTEGER, train TEXT, load INTEGER, at_night INTEGER);\n"
  const module = (name: string) =>
    `def add_${name}(db):\n    db.execute("INSERT INTO moves (train) VALUES (1)")\n\n\nclass ${name[0]!.toUpperCase()}${name.slice(1)}:\n    pass\n`
  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `yard/part${n}.py`,
        'def move(db):\n    db.execute("UPDATE moves SET load = 1")\n'
      ])
    )
  const tree = (count: number) => ({
    "README.md": words,
    "schema.sql": table,
    "yard/siding.py": module("siding"),
    "yard/crew.py": module("crew"),
    "yard/wagon.py": module("wagon"),
    ...files(count)
  })

  it("is led by it where as many files name it as what documents speak of most; not where few do", async () => {
    assert.match((await mainNouns(tree(9)))[0]!, /^- \*\*moves\*\*/)
    assert.notMatch((await mainNouns(tree(1)))[0]!, /^- \*\*moves\*\*/)
  })
})
