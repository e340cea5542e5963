import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const guidesOf = async (texts: Texts): Promise<ReadonlyMap<string, string>> =>
  new Map((await outputOf(texts)).guides.map(({ slug, content }) => [slug, content]))

const each = (names: ReadonlyArray<string>, file: (name: string) => readonly [path: string, text: string]): Texts =>
  Object.fromEntries(names.map(file))

const breeds = ["Adder", "Boa", "Cobra", "Daboia"]

describe("types that implement one of the program's own", () => {
  const javaClass = (name: string, head: string) =>
    `package yard;\n\npublic class ${name} ${head} {\n  private int from;\n  private int to;\n\n  public void run() {\n  }\n}\n`
  const yard = (folder: string, base: string, others: Texts = {}): Texts => ({
    [`src/yard/${base}.java`]: `package yard;\n\npublic interface ${base} {\n  void run();\n}\n`,
    ...each(breeds, (name) => [`src/yard/${folder}/${name}.java`, javaClass(name, `implements ${base}`)]),
    ...others
  })

  it("say how another is added where they fill a folder of their own, also through a type in between", async () => {
    const guide = (await guidesOf(yard("shunting", "WagonShunter"))).get("add-a-wagon-shunter") ?? ""
    assert.include(
      guide,
      "Write a type that derives from `WagonShunter` (`src/yard/WagonShunter.java:3`) in `src/yard/shunting`"
    )
    const between = yard("shunting", "AbstractRunner", {
      "src/yard/Runner.java": "package yard;\n\npublic interface Runner {\n  void run();\n}\n",
      "src/yard/AbstractRunner.java": javaClass("AbstractRunner", "implements Runner")
    })
    assert.isTrue((await guidesOf(between)).has("add-a-runner"))
  })

  it("count once for each file that declares one, also where all have the same name", async () => {
    const runner = "class WagonRunner:\n    def run(self):\n        raise NotImplementedError\n"
    const same = (names: ReadonlyArray<string>): Texts => ({
      "yard/runner.py": runner,
      ...each(names, (name) => [
        `yard/runners/${name.toLowerCase()}.py`,
        "from yard.runner import WagonRunner\n\n\nclass Shunt(WagonRunner):\n    def run(self):\n        return 1\n"
      ])
    })
    assert.include((await guidesOf(same(breeds))).get("add-a-wagon-runner") ?? "", "(4 of 4 are there)")
    assert.isFalse((await guidesOf(same(breeds.slice(1)))).has("add-a-wagon-runner"))
  })

  it("derive from none that has the name of a keyword argument", async () => {
    const named = (keyword: string): Texts => ({
      "yard/keeper.py": "class keeper(type):\n    def run(self):\n        return 1\n",
      ...each(breeds, (name) => [
        `yard/keepers/${name.toLowerCase()}.py`,
        `from yard.keeper import keeper\n\n\nclass ${name}(${keyword}keeper):\n    def run(self):\n        return 1\n`
      ])
    })
    assert.isTrue((await guidesOf(named(""))).has("add-a-keeper"))
    assert.isFalse((await guidesOf(named("keeper="))).has("add-a-keeper"))
  })

  it("say nothing where they lie among others, are too few, or are what every program has", async () => {
    const among = each(["Eel", "Fox", "Gnu", "Hen", "Ibis"], (name) => [
      `src/yard/shunting/${name}.java`,
      javaClass(name, "")
    ])
    assert.isFalse((await guidesOf(yard("shunting", "WagonShunter", among))).has("add-a-wagon-shunter"))
    const { "src/yard/shunting/Boa.java": _, ...few } = yard("shunting", "WagonShunter")
    assert.isFalse((await guidesOf(few)).has("add-a-wagon-shunter"))
    assert.isFalse((await guidesOf(yard("errors", "YardException"))).has("add-a-yard-exception"))
  })
})

describe("modules that make themselves known", () => {
  const goModule = (name: string, call: string, around = "init") =>
    `package ${name}\n\nimport "example.org/yard/track"\n\nfunc ${around}() {\n\t${call}(&track.Siding{Name: "${name}"})\n}\n`
  const yard = (around: string, call = "track.RegisterSiding", isDeclared = true): Texts => ({
    "go.mod": "module example.org/yard\n",
    "track/track.go": `package track\n\ntype Siding struct {\n\tName string\n}\n\nfunc ${isDeclared ? "RegisterSiding" : "KeepSiding"}(siding *Siding) {\n}\n`,
    ...each(
      breeds.map((name) => name.toLowerCase()),
      (name) => [`sidings/${name}/${name}.go`, goModule(name, call, around)]
    )
  })

  it("say how another is added: in a folder beside theirs, with the call that makes it known", async () => {
    const guide = (await guidesOf(yard("init"))).get("add-a-siding") ?? ""
    assert.include(guide, "a module that calls `track.RegisterSiding` when it is loaded")
    assert.include(guide, "below `sidings`")
  })

  it("say nothing where the call is one of many in a function, or the function is another's", async () => {
    assert.isFalse((await guidesOf(yard("Start"))).has("add-a-siding"))
    assert.isFalse((await guidesOf(yard("init", "track.RegisterSiding", false))).has("add-a-siding"))
  })
})

describe("where a document says that a file is placed", () => {
  const yard = (sentence: string): Texts => ({
    "README.md": `# Yard\n\nMoves wagons.\n\n## Use\n\n${sentence} It is read at the next start.\n`,
    "lib/yard.js": "module.exports = () => 1\n",
    "example/sidings/one.js": "module.exports = () => 2\n"
  })

  it("is how another is added, in the words of the document", async () => {
    const placed = (
      await guidesOf(yard('A night siding is a file placed in the "sidings" directory of the yard.'))
    ).get("add-a-night-siding")
    assert.include(placed ?? "", "is a file placed in the")
    const added = await guidesOf(yard("To add a siding, put a module with its name into `example/sidings`."))
    assert.isTrue(added.has("add-a-siding"))
  })

  it("is none where the folder is not in the tree, or it is a setting of users", async () => {
    assert.isFalse(
      (await guidesOf(yard('A night siding is a file placed in the "tracks" directory of the yard.'))).has(
        "add-a-night-siding"
      )
    )
    assert.isFalse((await guidesOf(yard("To add a user, put its name into `example/sidings`."))).has("add-a-user"))
  })
})

describe("commands that calls make known to an interpreter", () => {
  const calls = (call: string, third: string) =>
    `int yard_init(Interp *interp) {\n${["couple", "shunt", "brake", "load", "weigh", "stop"].map((name) => `  ${call}(interp, "${name}", ${third},\n      NULL, NULL);\n`).join("")}  return 0;\n}\n`
  const branches = `int box(int argc, char **cmd) {\n${["get", "set", "put", "cut", "has"].map((name, i) => `  ${i === 0 ? "if" : "else if"} (strcmp(cmd, "${name}") == 0) return ${i};\n`).join("")}  return -1;\n}\n`

  it("are the commands, with the name after what they are made known to; branches over one object's words are not", async () => {
    const guide = (await guidesOf({ "yard.c": calls("Make_CreateObjCommand", "yard_cmd"), "box.c": branches })).get(
      "add-a-command"
    )
    assert.include(guide ?? "", "Declare a call of `Make_CreateObjCommand` in `yard.c`, where all 6 commands are")
  })

  it("are none where what follows the name is a text, or nothing says that it is a command", async () => {
    for (const [call, third] of [
      ["Make_CreateObjCommand", '"text"'],
      ["g_signal_connect", "yard_cmd"]
    ] as const)
      assert.isFalse((await guidesOf({ "yard.c": calls(call, third) })).has("add-a-command"), call)
  })
})
