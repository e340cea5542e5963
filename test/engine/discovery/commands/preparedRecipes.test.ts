import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const commandsIn = (texts: Texts, purpose: Purpose): ReadonlyArray<string> =>
  ordered(commandsOf(surveyOf({ "kettle.py": "x = 1\n", ...texts })), purpose).map(({ command }) => command)

const builds = (Makefile: string, files: Texts = {}) => commandsIn({ Makefile, ...files }, "build")

describe("A recipe that works in a folder which another makes", () => {
  it("comes after the one that makes it", () => {
    for (const [makes, enters] of [
      ["cmake -S . -B pot", "cmake --build pot"],
      ["cmake -Bpot", "make -C pot all"],
      ["meson setup pot", "ninja -C pot"],
      ["mkdir -p pot; cd pot; cmake ..", "cd pot && make"]
    ] as const) {
      const text = `setup:\n\t${makes}\n\nbuild:\n\t${enters}\n`
      assert.deepStrictEqual(builds(text), ["make setup && make build"], enters)
      const justfile = text.replaceAll("\t", "    ")
      assert.deepStrictEqual(commandsIn({ justfile }, "build"), ["just setup && just build"], enters)
    }
    const named = "DIR = pot\n\nsetup:\n\tcmake -B $(DIR)\n\nbuild:\n\tcmake --build $(DIR)\n"
    assert.deepStrictEqual(builds(named), ["make setup && make build"])
  })

  it("is enough where it makes the folder, asks for that, or finds it", () => {
    const setup = "setup:\n\tcmake -B pot\n\n"
    for (const text of [
      `${setup}build: setup\n\tcmake --build pot\n`,
      `${setup}build:\n\t$(MAKE) setup\n\tcmake --build pot\n`,
      `${setup}build:\n\tcmake -B pot && cmake --build pot\n`,
      "clean-build:\n\trm -rf pot && mkdir pot\n\nbuild:\n\tcmake --build pot\n",
      "build:\n\tcmake --build pot\n"
    ])
      assert.deepStrictEqual(builds(text), ["make build"], text)
    assert.deepStrictEqual(builds(`${setup}build:\n\tmake -C pot\n`, { "pot/Makefile": "" }), ["make build"])
  })

  it("is found at bounded cost among thousands that ask for each other", () => {
    const rules = Array.from(
      { length: 3_000 },
      (_, n) => `build-${n}:\n\tmkdir a${n}\n\tcd b${n} && make\n\tmake build-${(n + 1) % 3_000}\n`
    )
    const start = performance.now()
    builds(rules.join("\n"))
    assert.isBelow(performance.now() - start, 20_000)
  })
})

describe("A target called release", () => {
  it("builds where it only goes to a folder and compiles there", () => {
    for (const line of [
      "cd pot && cmake -DCMAKE_BUILD_TYPE=Release .. && make",
      "mkdir -p pot && cd pot && cmake .. && make -j4"
    ]) {
      assert.deepStrictEqual(commandsIn({ Makefile: `release:\n\t${line}\n` }, "release"), [], line)
      assert.deepStrictEqual(builds(`release:\n\t${line}\n`, { "pot/a.c": "" }), ["make release"], line)
    }
  })

  it("releases where it also packs or tags", () => {
    for (const line of ["cd pot && cmake .. && make package", "cd pot && make && git tag v1", "mkdir pot && cd pot"])
      assert.deepStrictEqual(
        commandsIn({ Makefile: `release:\n\t${line}\n`, "pot/a.c": "" }, "release"),
        ["make release"],
        line
      )
  })
})

describe("Programs and tasks that are read as all others", () => {
  it("a bundler is given sources that are there", () => {
    const scripts = (build: string): Texts => ({
      "package.json": JSON.stringify({ name: "kettle", scripts: { build } })
    })
    for (const build of ["tsup src/kettle.ts --dts", "babel src -d dist", "rollup -i src/kettle.ts -o dist/k.js"]) {
      assert.deepStrictEqual(commandsIn(scripts(build), "build"), [], build)
      assert.deepStrictEqual(commandsIn({ ...scripts(build), "src/kettle.ts": "" }, "build"), ["npm run build"], build)
    }
  })

  it("what makes pages is given some that are there, and what tests or only builds again starts nothing", () => {
    const scripts = (start: string, files: Texts = {}) =>
      commandsIn({ "package.json": JSON.stringify({ name: "kettle", scripts: { dev: start } }), ...files }, "run")
    for (const start of ["parcel pages/index.html", "npx parcel serve pages/index.pug --out-dir docs"]) {
      assert.deepStrictEqual(scripts(start), [], start)
      const file = /pages\/\S+/.exec(start)![0]
      assert.deepStrictEqual(scripts(start, { [file]: "" }), ["npm run dev"], start)
    }
    const tested = { "test/index.js": "", "tests.js": "", "server.js": "" }
    for (const start of ["node test", "node ./test/", "node test/index.js", "unbuild --stub"])
      assert.deepStrictEqual(scripts(start, tested), [], start)
    for (const start of ["node server.js", "node tests.js"])
      assert.deepStrictEqual(scripts(start, tested), ["npm run dev"], start)
  })

  it("the program of a package is none where its file only exports", () => {
    const texts = { "package.json": '{"name": "kettle", "bin": "kettle.js"}', "kettle.js": "" }
    const runs = (exportsAlone: number) =>
      ordered(commandsOf(surveyOf(texts, { "kettle.js": { exportsAlone } })), "run").map(({ command }) => command)
    assert.deepStrictEqual(runs(0), ["node kettle.js"])
    assert.deepStrictEqual(runs(1), [])
  })

  it("a task may have a table of its own", () => {
    const task = (more: string, table = "tool.poe.tasks") => `[project]\nname = "kettle"\n\n[${table}.lint]\n${more}`
    const lints = (text: string, files: Texts = {}) => commandsIn({ "pyproject.toml": text, ...files }, "lint")
    assert.deepStrictEqual(lints(task('help = "looks"\ncmd = "ruff check ."\n')), ["poe lint"])
    assert.deepStrictEqual(lints(task('sequence = [\n  "ruff check .",\n]\n')), ["poe lint"])
    assert.deepStrictEqual(lints(task('cmd = "ruff check ."\n', "tool.pdm.scripts")), ["pdm run lint"])
    assert.deepStrictEqual(lints(task('cmd = "ruff check spec"\n')), [])
    assert.deepStrictEqual(lints(task('cmd = "ruff check spec"\n'), { "spec/a.py": "" }), ["poe lint"])
    assert.deepStrictEqual(lints(task('help = "looks"\n')), [])
  })
})
