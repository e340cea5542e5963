import { assert, describe, it } from "vitest"
import type { Noun } from "../../../src/engine/discovery/domain/Noun.ts"
import { statesOfShown } from "../../../src/engine/discovery/domain/nounStates.ts"
import { outputOf } from "../../support/survey.ts"

const nounIn = async (texts: Readonly<Record<string, string>>, noun: string): Promise<string> =>
  ((await outputOf(texts)).domain_md ?? "").split("\n").find((line) => line.startsWith(`- **${noun}**`)) ?? ""

const tables =
  "CREATE TABLE wagons (id int, load int, track_id int);\nCREATE TABLE tracks (id int, length int, name text);\nCREATE TABLE depots (id int, name text, town text);\n"
const uses = "export const shunt = (wagon: Wagon, track: Track, depot: Depot) => wagonOf(trackOf(depotOf()))\n"

describe("values below the last table of a program", () => {
  const python = `SCHEMA = (\n    """\n${["tracks", "depots", "wagons"].map((name) => `    CREATE TABLE ${name} (\n        id INTEGER,\n        load TEXT CHECK(load IN ('none', 'coal')),\n        name TEXT\n    )\n    """,\n    """\n`).join("")}    """,\n)\n\nTRAIN_STATES = ("planned", "running", "arrived")\n\ndef save(db):\n${["tracks", "depots", "wagons"].map((name) => `    db.execute("UPDATE ${name} SET load = 1")\n`).join("")}`

  it("are of no table, where its statement ends before them; those within it are its own", async () => {
    const found = await nounIn({ "README.md": "# Yard\n\nMoves wagons.\n", "yard.py": python }, "wagons")
    assert.include(found, "Values of `wagons.load`: `none`, `coal`")
    assert.notInclude(found, "planned")
  })
})

describe("states that another file declares", () => {
  it.each([
    [
      "choices of an enumeration in Django",
      {
        "yard/enums.py": 'class Coupling(models.TextChoices):\n    LOOSE = "loose", _("Loose")\n    TIGHT = "tight"\n',
        "yard/wagon.py":
          "from .enums import Coupling\n\nclass Wagon(models.Model):\n    load = models.IntegerField()\n    status = models.CharField(\n        max_length=9, choices=Coupling.choices\n    )\n"
      },
      "Values of `Coupling`: `LOOSE`, `TIGHT` (`yard/enums.py:1`)"
    ],
    [
      "a list of pairs in Django",
      {
        "yard/constants.py": 'WAGON_STATES = [\n    ("loose", "Loose"),\n    ("tight", _("Tight")),\n]\n',
        "yard/wagon.py":
          "from . import constants\n\nclass Wagon(models.Model):\n    load = models.IntegerField()\n    mode = models.CharField(choices=constants.WAGON_STATES)\n"
      },
      "Values of `wagon_states`: `loose`, `tight`"
    ],
    [
      "an enumeration of TypeScript",
      {
        "src/coupling.ts": 'export enum Coupling {\n  Loose = "loose",\n  Tight = "tight"\n}\n',
        "src/wagon.ts":
          'import { Coupling } from "./coupling.ts"\n\nexport class Wagon {\n  load: number\n  mode: Coupling\n}\n'
      },
      "Values of `Coupling`: `Loose`, `Tight`"
    ],
    [
      "constants of Go, of a type that a third file declares",
      {
        "yard/type.go": "package yard\n\ntype Coupling string\n",
        "yard/values.go": 'package yard\n\nconst (\n\tLoose Coupling = "loose"\n\tTight Coupling = "tight"\n)\n',
        "yard/wagon.go": "package yard\n\ntype Wagon struct {\n\tLoad int\n\tMode Coupling\n}\n"
      },
      "Values of `Coupling`: `Loose`, `Tight`"
    ]
  ])("%s", async (_, texts, expected) => {
    assert.include(await nounIn({ "db.sql": tables, "src/use.ts": uses, ...texts }, "Wagon"), expected)
  })

  it("an enumeration of the same name in a package, or in two files as near, is of no noun", async () => {
    const wagon = (from: string) =>
      `import { Coupling } from "${from}"\n\nexport class Wagon {\n  load: number\n  mode: Coupling\n}\n`
    const coupling = "export enum Coupling {\n  Loose,\n  Tight\n}\n"
    const others = { "db.sql": tables, "src/use.ts": uses, "src/coupling.ts": coupling }
    assert.include(await nounIn({ ...others, "src/wagon.ts": wagon("./coupling.ts") }, "Wagon"), "Loose")
    assert.notInclude(await nounIn({ ...others, "src/wagon.ts": wagon("train-parts") }, "Wagon"), "Loose")
    const ambiguous = { ...others, "src/joint.ts": coupling, "src/wagon.ts": wagon("./index.ts") }
    assert.notInclude(await nounIn(ambiguous, "Wagon"), "Loose")
  })
})

describe("states in the declaration of a noun", () => {
  it.each([
    [
      "a union of a field in TypeScript",
      "ts",
      'export class Wagon {\n  load: number\n  status: "loose" | "tight"\n}\n'
    ],
    [
      "a literal of a field in Python",
      "py",
      'class Wagon(Base):\n    __tablename__ = "wagons"\n    load = Column(Integer)\n    status: Literal["loose", "tight"] = "loose"\n'
    ],
    [
      "an enumeration of a column in SQLAlchemy",
      "py",
      'class Wagon(Base):\n    __tablename__ = "wagons"\n    load = Column(Integer)\n    status = Column(Enum("loose", "tight", name="wagon_status"))\n'
    ]
  ])("%s", async (_, ending, text) => {
    const noun = await nounIn({ "db.sql": tables, "src/use.ts": uses, [`src/wagon.${ending}`]: text }, "Wagon")
    assert.include(noun, "status`: `loose`, `tight`")
  })

  it.each([
    ["Mongoose", 'const wagon = new Schema({\n  status: { type: String, enum: ["loose", "tight"] }\n})\n', "status"],
    [
      "Sequelize",
      'const wagon = { status: DataTypes.ENUM("loose", "tight") }\nconst other = {\n  status: DataTypes.ENUM("loose", "tight")\n}\n',
      "status"
    ],
    [
      "Knex",
      'exports.up = (knex) => knex.createTable("wagons", (t) => t.enum("status", ["loose", "tight"]))\n',
      "status"
    ],
    ["an object of constants", 'const WagonStatus = Object.freeze({\n  loose: "l",\n  tight: "t"\n})\n', "WagonStatus"]
  ])("values of a column or of constants: %s", async (_, text, name) => {
    const domain = (await outputOf({ "db.sql": tables, "src/use.ts": uses, "src/wagon.js": text })).domain_md ?? ""
    assert.include(domain, `\`${name}\`: \`loose\`, \`tight\` (\`src/wagon.js:`)
  })

  it("whose name has a noun right before the state are of that noun; what only has it somewhere is not", async () => {
    const states = (name: string) => ({
      "db.sql": tables,
      "src/use.ts": uses,
      "src/states.js": `export const ${name} = ["loose", "tight"]\n`
    })
    assert.include(await nounIn(states("coupledWagonStates"), "wagons"), "Values of `coupledWagonState`: `loose`")
    assert.notInclude(await nounIn(states("coupledWagonLoadStates"), "wagons"), "Values of")
  })

  it("that two files declare alike are cited from the one that has the noun", async () => {
    const kinds = "pub enum WagonKind {\n    Flat,\n    Tank,\n}\n"
    const texts = {
      "README.md": "# Shunt\n\nShunt moves wagons. A wagon has a load, each wagon has axles; wagons stand still.\n",
      "src/bin/paint.rs": `${kinds}\nfn main() {}\n`,
      "src/wagon.rs": `/// What an engine pulls.\npub struct Wagon {\n    pub load: u8,\n    pub kind: WagonKind,\n}\n\n${kinds}`,
      ...Object.fromEntries(
        [1, 2, 3, 4].map((n) => [`src/use${n}.rs`, "pub fn push(one: &Wagon) -> u8 {\n    1\n}\n"])
      ),
      "db.sql": tables
    }
    assert.include((await outputOf(texts)).domain_md, "`Flat`, `Tank` (`src/wagon.rs:7`)")
  })

  it("of types of one name in two packages of Go the one that is shown has its own package's states, or what it names", () => {
    const placed = (path: string, names: string, name: string) =>
      ({
        what: { name, as: "struct", line: 1, fields: [], relations: [], values: [] },
        file: { path, names, language: path.split(".").at(-1) }
      }) as unknown as Noun["declarations"][number]
    const kind = placed("rails/kinds.go", "", "CraneType") as unknown as Noun["states"][number]
    const shown = placed("yard/crane.go", "Crane Load", "Crane")
    const naming = placed("yard/crane.go", "Crane CraneType", "Crane")
    const other = placed("rails/crane.go", "Crane CraneType", "Crane")
    assert.deepStrictEqual(statesOfShown([kind], [shown], [shown, other]), [])
    assert.deepStrictEqual(statesOfShown([kind], [naming], [naming, other]), [kind])
    assert.deepStrictEqual(statesOfShown([kind], [other], [shown, other]), [kind])
    assert.deepStrictEqual(statesOfShown([kind], [shown], [shown]), [kind])
  })

  it("are listed by themselves where the type with such a field is no noun", async () => {
    const texts = {
      "src/wagon.ts": "export class Wagon {\n  load: number\n  mode: Coupling\n}\n",
      "src/coupling.ts": "export enum Coupling {\n  Loose,\n  Tight\n}\n"
    }
    const domain = (await outputOf(texts)).domain_md ?? ""
    assert.include(domain, "## Other closed sets of values\n\n- `Coupling`: `Loose`, `Tight`")
  })

  it("what a store begins with, and an object that holds anything else, is no set of values", async () => {
    const store =
      'const initialState = {\n  loose: "l",\n  tight: "t"\n}\nconst WagonState = {\n  loose: "l",\n  tight: "t",\n  move() {}\n}\n'
    const domain = (await outputOf({ "db.sql": tables, "src/use.ts": uses, "src/wagon.js": store })).domain_md ?? ""
    assert.notInclude(domain, "`loose`")
  })

  it("a union of a field that is no state, and texts that a default is joined of, are none", async () => {
    const text = 'export class Wagon {\n  load: number\n  colour: "red" | "blue"\n  status: string = "loose"\n}\n'
    assert.notInclude(
      await nounIn({ "db.sql": tables, "src/use.ts": uses, "src/wagon.ts": text }, "Wagon"),
      "Values of"
    )
  })
})
