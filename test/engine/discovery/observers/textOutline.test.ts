import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { textOutline } from "../../../../src/engine/discovery/observers/textOutline.ts"
import { outputOf } from "../../../support/survey.ts"

const nounsIn = async (texts: Readonly<Record<string, string>>): Promise<string> =>
  /## Main nouns\n([\s\S]*?)(?:\n## |$)/.exec((await outputOf(texts)).domain_md ?? "")?.[1] ?? ""

const namesIn = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> =>
  [...(await nounsIn(texts)).matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name!)

const readme =
  "# Depot\n\nA depot has wagons and engines. Each wagon has a load, and an engine pulls wagons. A wagon is of an engine.\n"

/** Both types, each in a file of its own, and three files that name both. */
const inFiles = (ending: string, wagon: string, engine: string, use: string): Readonly<Record<string, string>> => ({
  "README.md": readme,
  [`src/Wagon.${ending}`]: wagon,
  [`src/Engine.${ending}`]: engine,
  ...Object.fromEntries([1, 2, 3, 4].map((n) => [`src/Use${n}.${ending}`, use]))
})

const functions = (name: string, form: (name: string) => string): string =>
  ["load", "empty", "couple", "move", "count"].map((verb) => form(`${verb}_${name}`)).join("\n")

describe("types of languages whose syntax is not read", () => {
  it.each<readonly [language: string, texts: Readonly<Record<string, string>>, has: string]>([
    [
      "Perl",
      inFiles(
        "pm",
        `package Depot::Wagon;\n\nsub new { return bless {}, shift }\n${functions("wagon", (name) => `sub ${name} { my $self = shift; $self->{load}; $self->{axles} }`)}\n`,
        `package Depot::Engine;\n\nsub new { return bless {}, shift }\n${functions("engine", (name) => `sub ${name} { my $self = shift; $self->{power}; $self->{wagons} }`)}\n`,
        "use Depot::Wagon;\nmy $wagon = Depot::Wagon->new; my $engine = Depot::Engine->new;\n"
      ),
      "`load`, `axles`"
    ],
    [
      "Haskell",
      inFiles(
        "hs",
        `module Wagon where\n\n-- | What an engine pulls along the track.\ndata Wagon = Wagon\n  { load :: Int\n  , axles :: Int\n  }\n\n${functions("wagon", (name) => `${name} :: Wagon -> Int\n${name} _ = 1\n`)}`,
        `module Engine where\n\ndata Engine = Engine { power :: Int, pulled :: [Wagon] }\n\n${functions("engine", (name) => `${name} :: Engine -> Int\n${name} _ = 1\n`)}`,
        "module Use where\n\nuse :: Wagon -> Engine -> Int\nuse _ _ = 1\n"
      ),
      "“What an engine pulls along the track.” Has `load`, `axles`."
    ],
    [
      "Erlang",
      inFiles(
        "erl",
        `-module(wagon).\n-record(wagon, {\n  load = 0,\n  axles = 2\n}).\n\n${functions("wagon", (name) => `${name}(#wagon{load = L}) ->\n  L.\n`)}`,
        `-module(engine).\n-record(engine, {\n  power = 0,\n  wagons = []\n}).\n\n${functions("engine", (name) => `${name}(#engine{power = P}) ->\n  P.\n`)}`,
        "-module(use).\nuse(#wagon{}, #engine{}) ->\n  ok.\n"
      ),
      "Has `load`, `axles`."
    ],
    [
      "Vala",
      inFiles(
        "vala",
        `public class Wagon : Object {\n  public int load { get; set; }\n  private int axles;\n${functions("wagon", (name) => `  public void ${name} () {\n  }`)}\n}\n`,
        `public class Engine : Object {\n  public int power { get; set; }\n  private int wagons;\n${functions("engine", (name) => `  public void ${name} () {\n  }`)}\n}\n`,
        "public void use (Wagon wagon, Engine engine) {\n}\n"
      ),
      "Has `load`, `axles`."
    ],
    [
      "Lua",
      inFiles(
        "lua",
        `local Wagon = {}\nWagon.__index = Wagon\n\n${functions("wagon", (name) => `function Wagon:${name}()\n  self.load = 1\n  self.axles = 2\nend`)}\n`,
        `local Engine = {}\n\n${functions("engine", (name) => `function Engine:${name}()\n  self.power = 1\n  self.wagons = 2\nend`)}\n`,
        "local Wagon = require 'Wagon'\nlocal one = Wagon.new(Engine.new())\n"
      ),
      "Has `load`, `axles`."
    ],
    [
      "Pascal",
      inFiles(
        "pas",
        `unit Wagon;\n\ntype\n  TCoupling = (cLoose, cTight);\n\n  TWagon = class(TObject)\n  private\n    FLoad: Integer;\n    FAxles, FDoors: Integer;\n${functions("wagon", (name) => `    procedure ${name};`)}\n  end;\n`,
        `unit Engine;\n\ntype\n  TEngine = record\n    Power: Integer;\n    Wagons: array of TWagon;\n  end;\n\n${functions("engine", (name) => `procedure ${name}(at: Integer);\nbegin\nend;\n`)}`,
        "unit Use;\n\nprocedure use(one: TWagon; two: TEngine);\nbegin\nend;\n"
      ),
      "Has `Load`, `Axles`."
    ],
    ...["coffee", "ls"].map(
      (ending) =>
        [
          ending === "ls" ? "LiveScript" : "CoffeeScript",
          inFiles(
            ending,
            `class Wagon extends Stock\n  constructor: (load) ->\n    @load = load\n    @axles = 2\n\n${functions("wagon", (name) => `  ${name}: (at) ->\n    @load == at\n`)}\nmodule.exports = Wagon\n`,
            `module.exports = class Engine\n  constructor: (@power, @wagons) ->\n\n${functions("engine", (name) => `  ${name}: ->\n    @power\n`)}\n`,
            "use = (at) ->\n  wagon = new Wagon at\n  new Engine wagon\n"
          ),
          "Has `load`, `axles`."
        ] as const
    )
  ])("%s declares nouns, with what they have", async (_, texts, has) => {
    const nouns = await nounsIn(texts)
    assert.match(nouns, /\*\*(?:[Ww]|TW)agon\*\*/)
    assert.include(nouns, has)
  })

  it("a package of Perl that makes no objects is none", async () => {
    const texts = inFiles(
      "pm",
      `package Depot::Wagon;\n\n${functions("wagon", (name) => `sub ${name} { return 1 }`)}\n`,
      `package Depot::Engine;\n\n${functions("engine", (name) => `sub ${name} { return 1 }`)}\n`,
      "use Depot::Wagon;\nDepot::Wagon::load_wagon(1);\n"
    )
    assert.notInclude(await nounsIn(texts), "(package")
  })

  it("a form and an error of Pascal are none, nor is a name for another type", async () => {
    const unit = (head: string) =>
      `unit Wagon;\n\ntype\n  TWagon = ${head}\n    Load: Integer;\n    Axles: Integer;\n  end;\n`
    const use = "unit Use;\n\nprocedure use(one: TWagon; two: TEngine);\nbegin\nend;\n"
    for (const head of ["class(TForm)", "class(TCustomPanel)", "class(Exception)", "class of TStock;", "class;"])
      assert.notInclude(await nounsIn(inFiles("pas", unit(head), unit(head), use)), "(class", head)
  })

  it("a table of Lua that only holds functions is none", async () => {
    const texts = inFiles(
      "lua",
      `local Wagon = {}\n\n${functions("wagon", (name) => `function Wagon.${name}()\nend`)}\n`,
      `local Engine = {}\n\n${functions("engine", (name) => `function Engine.${name}()\nend`)}\n`,
      "local Wagon = require 'Wagon'\nWagon.load_wagon(1)\n"
    )
    assert.notInclude(await nounsIn(texts), "(type")
  })
})

describe("types that macros declare", () => {
  const header = (name: string, parent: string) =>
    `#define DEPOT_TYPE_${name.toUpperCase()} (depot_${name.toLowerCase()}_get_type ())\nG_DECLARE_FINAL_TYPE (Depot${name}, depot_${name.toLowerCase()}, DEPOT, ${name.toUpperCase()}, ${parent})\n`
  const code = (name: string) => functions(name, (one) => `int depot_${one} (Depot${name} *self) {\n  return 1;\n}`)
  const depot = (parent: string) => ({
    "README.md": readme,
    "src/depot-wagon.h": header("Wagon", "GObject"),
    "src/depot-wagon.c": code("Wagon"),
    "src/depot-engine.h": header("Engine", parent),
    "src/depot-engine.c": code("Engine"),
    "src/use.c": "int use (DepotWagon *wagon, DepotEngine *engine) {\n  return 1;\n}\n",
    "src/more.c": "int more (DepotWagon *wagon, DepotEngine *engine) {\n  return 1;\n}\n"
  })

  it("a class of GObject is a noun", async () => {
    assert.includeMembers([...(await namesIn(depot("GObject")))], ["DepotWagon", "DepotEngine"])
  })

  it("one that derives from a widget is drawn, and none", async () => {
    assert.notInclude(await namesIn(depot("GtkWidget")), "DepotEngine")
  })
})

describe("structures of C that begin with a structure of a toolkit", () => {
  const header = (name: string, first: string) =>
    `typedef struct\n{\n  ${first};\n\n  int load;\n  int gauge;\n} Depot${name};\n`
  const code = (name: string) => functions(name, (one) => `int depot_${one} (Depot${name} *self) {\n  return 1;\n}`)
  const depot = (first: string) => ({
    "README.md": readme,
    "src/depot-wagon.h": header("Wagon", "GObject parent"),
    "src/depot-wagon.c": code("Wagon"),
    "src/depot-engine.h": header("Engine", first),
    "src/depot-engine.c": code("Engine"),
    "src/use.c": "int use (DepotWagon *wagon, DepotEngine *engine) {\n  return 1;\n}\n",
    "src/more.c": "int more (DepotWagon *wagon, DepotEngine *engine) {\n  return 1;\n}\n"
  })

  it("are drawn, and no nouns; those that only point to one are", async () => {
    assert.notInclude(await namesIn(depot("GtkVBox box")), "DepotEngine")
    for (const first of ["GObject parent", "GtkWidget *box"])
      assert.include([...(await namesIn(depot(first)))], "DepotEngine")
  })
})

describe("classes of C++ that derive from a toolkit's", () => {
  const header = (name: string, base: string) =>
    `#pragma once\n\nclass ${name}${base}\n{\npublic:\n  int load;\n  int gauge;\n  void couple ();\n};\n`
  const code = (name: string) =>
    `#include "${name}.h"\n\n${functions(name.toLowerCase(), (one) => `int ${one} (${name} *self)\n{\n  return 1;\n}`)}\n`
  const depot = (base: string) => ({
    "README.md": readme,
    ...Object.fromEntries(
      ["Wagon", "Engine"].flatMap((name) => [
        [`src/${name}.h`, header(name, name === "Engine" ? base : "")],
        [`src/${name}.cpp`, code(name)]
      ])
    ),
    "src/use.cpp": "int use (Wagon *wagon, Engine *engine)\n{\n  return 1;\n}\n",
    "src/more.cpp": "int more (Wagon *wagon, Engine *engine)\n{\n  return 1;\n}\n"
  })

  it("are drawn, or run and start the program, and no nouns; what derives from an object of it is one", async () => {
    for (const base of [" : public QDialog", ": public QTreeView", " : public Gtk::Window", " : public wxPanel"])
      assert.notInclude([...(await namesIn(depot(base)))], "Engine", base)
    for (const base of [" : public QPaintEngine", " : public QThread"])
      assert.notInclude([...(await namesIn(depot(base)))], "Engine", base)
    for (const base of ["", " : public QObject", " : public Machine"])
      assert.include([...(await namesIn(depot(base)))], "Engine", base)
  })

  it("in a program of C++ headers without a class are its own, not those of a helper in C", async () => {
    const structures = ["Wagon", "Engine"].map(
      (name) => `typedef struct {\n    int load;\n    int gauge;\n} ${name}_t;\n`
    )
    const long = Array.from({ length: 90 }, (_, n) => `int shunt_${n} (int at)\n{\n  return at;\n}\n`).join("\n")
    const texts = {
      "README.md": readme,
      "src/depot.h": structures.join("\n"),
      ...Object.fromEntries(
        ["wagon", "engine", "use", "more"].map((name) => [
          `src/${name}.cpp`,
          `${functions(name, (one) => `int ${one} (Wagon_t &wagon, Engine_t &engine)\n{\n  return 1;\n}`)}\n`
        ])
      ),
      "src/shunt.cpp": long
    }
    assert.includeMembers([...(await namesIn(texts))], ["Wagon_t", "Engine_t"])
    assert.notInclude(
      [...(await namesIn({ ...texts, "src/part.c": "int part (void)\n{\n  return 1;\n}\n" }))],
      "Wagon_t"
    )
  })
})

describe("types of OCaml", () => {
  it("`and` goes on with types, or with values, which are none", () => {
    const types = (text: string) =>
      textOutline(new SourceFile({ path: "depot.ml", text })).flatMap(({ kind, name }) =>
        kind === "type" ? [name] : []
      )
    assert.deepStrictEqual(types("type wagon = { load: int }\n\nand engine = { power: int }\n"), ["wagon", "engine"])
    assert.deepStrictEqual(
      types(
        "type wagon = int\n\nlet mass wagons =\n  let loads = wagons\n  and masses = List.map load wagons\n  in masses\n"
      ),
      ["wagon"]
    )
  })
})
