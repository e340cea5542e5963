import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const domainOf = async (texts: Texts): Promise<string> => (await outputOf(texts)).domain_md ?? ""

const mainNouns = async (texts: Texts): Promise<ReadonlyArray<string>> => {
  const main = /## Main nouns\n([\s\S]*?)(?:\n## |$)/.exec(await domainOf(texts))?.[1] ?? ""
  return [...main.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name!)
}

const pythonClass = (name: string, doc: string, bases = "") =>
  `class ${name}${bases}:\n    """${doc}"""\n\n    def __init__(self, load, track):\n        self.load = load\n        self.track = track\n\n    def move(self):\n        return self.load\n\n    def stop(self):\n        return self.track\n\n    def turn(self):\n        return self\n`

const users = (names: ReadonlyArray<string>): Texts =>
  Object.fromEntries(
    [1, 2, 3, 4].map((n) => [
      `wagonyard/use${n}.py`,
      `from .all import ${names.join(", ")}\n\n\ndef use${n}(${names.map((name, i) => `a${i}: ${name}`).join(", ")}):\n    return 1\n`
    ])
  )

describe("a small program of Python", () => {
  const program = (name: string, path: string, doc: string): Texts => ({
    "pyproject.toml": '[project]\nname = "wagonyard"\nversion = "1.0"\n',
    "README.md": "# Yard\n\nMoves them by night.\n",
    "wagonyard/engine.py": pythonClass("Engine", "What pulls a train."),
    "wagonyard/siding.py": pythonClass("Siding", "Where a train waits."),
    [path]: pythonClass(name, doc),
    ...users(["Engine", "Siding", name])
  })

  it("has no noun with all of the product's name; a word of its name before another one is left out only", async () => {
    const root = await mainNouns(program("WagonYard", "wagonyard/app.py", "The yard of all wagons."))
    assert.sameMembers([...root], ["Engine", "Siding"])
    const part = await mainNouns(program("WagonTrack", "wagonyard/track.py", "What a wagon rolls on."))
    assert.include(part, "WagonTrack")
  })

  it("has no widgets, loaders and options among its nouns", async () => {
    const ring = "A ring that turns while a train is awaited."
    assert.notInclude(await mainNouns(program("Turntable", "wagonyard/widgets.py", ring)), "Turntable")
    assert.include(await mainNouns(program("Turntable", "wagonyard/turntable.py", ring)), "Turntable")
    for (const name of ["TrackLoader", "Opt"])
      assert.notInclude(await mainNouns(program(name, `wagonyard/${name.toLowerCase()}.py`, ring)), name)
  })
})

describe("a program whose types are few", () => {
  const program = (text: string): Texts => ({
    "pyproject.toml": '[project]\nname = "wagonyard"\nversion = "1.0"\n',
    "README.md": `# Yard\n\n${text}`,
    "wagonyard/engine.py": pythonClass("Engine", "What pulls a train."),
    "wagonyard/siding.py": pythonClass("Siding", "Where a train waits."),
    "wagonyard/tickets.py":
      "def read_ticket(path):\n    return path\n\n\ndef print_ticket(ticket):\n    return ticket\n\n\ndef find_ticket(name):\n    return name\n\n\ndef ticket_of(train):\n    return train\n",
    ...users(["Engine", "Siding"])
  })
  const sentence = "Each engine needs a ticket. A ticket has a day, all tickets are kept. "
  const other = "Trains wait at a gradient. A gradient is steep, each gradient has signs. "

  it("has the word that its readme and its code have most as a third noun", async () => {
    assert.include(await mainNouns(program(sentence.repeat(2))), "ticket")
  })

  it("has none where the code has no such word", async () => {
    assert.notInclude((await mainNouns(program(other.repeat(2)))).join(" "), "gradient")
  })
})

describe("a program with tables and a type that is extended", () => {
  const table = (name: string) => `CREATE TABLE ${name} (id int, load int, length int, town text);\n`
  const program = (derived: number): Texts => ({
    "db.sql": ["wagons", "tracks", "depots", "freights"].map(table).join(""),
    "README.md":
      "# Yard\n\nA robot moves wagons. Write a robot of your own; each robot has a track. Robots report to depots.\n",
    "src/robot.ts":
      "export class Robot {\n  load: number\n  length: number\n\n  run() {\n    return wagonOf(this.load)\n  }\n}\n",
    ...Object.fromEntries(
      ["Adder", "Boa", "Cobra", "Daboia", "Elaps"].map((name, i) => [
        `src/robots/${name}.ts`,
        `import { Robot } from "../robot.ts"\n\nexport class ${name}${i < derived ? " extends Robot" : ""} {\n  run(robot: Robot) {\n    return ${i < 2 ? "wagonOf(trackOf(depotOf(freightOf(robot))))" : "robot"}\n  }\n}\n`
      ])
    )
  })

  it("is led by that type where the readme speaks of it and four files derive from it", async () => {
    const place = async (derived: number) => (await mainNouns(program(derived))).indexOf("Robot")
    const [extended, named] = [await place(5), await place(3)]
    assert.isAtLeast(extended, 0)
    assert.isTrue(named < 0 || extended < named, `${extended} ${named}`)
  })
})

describe("a set of values that is called a status", () => {
  const program = (set: string, others = ""): Texts => ({
    "db.sql":
      "CREATE TABLE wagons (id int, status text, load int);\nCREATE TABLE tracks (id int, length int);\nCREATE TABLE depots (id int, town text);\n",
    "src/constants.ts": `export enum ${set} {\n  Loose = "loose",\n  Tight = "tight"\n}\n${others}`,
    "src/use.ts": "export const shunt = (wagon: Wagon) => wagonOf(trackOf(depotOf(wagon)))\n"
  })
  const wagon = async (texts: Texts) =>
    (await domainOf(texts)).split("\n").find((line) => /^- \*\*wagons?\*\*/i.test(line)) ?? ""

  it("is of the only noun with a status, where it is the only set of that kind", async () => {
    assert.include(await wagon(program("CouplingStatus")), "Values of `CouplingStatus`: `Loose`, `Tight`")
  })

  it("is of none where there is another such set, or it is the status of an answer", async () => {
    const another = 'export enum GateStatus {\n  Open = "open",\n  Shut = "shut"\n}\n'
    assert.notInclude(await wagon(program("CouplingStatus", another)), "Values of")
    for (const name of ["HttpStatus", "CachedStatus", "LoadingStatus", "PageStatus"])
      assert.notInclude(await wagon(program(name)), "Values of", name)
  })
})
