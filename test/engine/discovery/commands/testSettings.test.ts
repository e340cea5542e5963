import { assert, describe, it } from "vitest"
import { routeFiles } from "../../../../src/engine/discovery/architecture/routeFiles.ts"
import { stateItems } from "../../../../src/engine/discovery/architecture/state.ts"
import type { Purpose } from "../../../../src/engine/discovery/commands/Command.ts"
import { programFiles } from "../../../../src/engine/discovery/commands/programs/ownPrograms.ts"
import { documented } from "../../../../src/engine/discovery/commands/releases.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { commandRecipe } from "../../../../src/engine/discovery/recipes/commandRecipe.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>
type Facts = Readonly<Record<string, Partial<Observed>>>

const commandsFor = (purpose: Purpose, texts: Texts, facts: Facts = {}): ReadonlyArray<string> =>
  commandsOf(surveyOf(texts, facts))
    .filter((command) => command.purpose === purpose)
    .map(({ command }) => command)

const manifest = (scripts: Texts, more: object = {}): Texts => ({
  "package.json": JSON.stringify({ name: "kettle", scripts, ...more })
})

const inTypes = { "src/tea.ts": "", "src/test/tea.ts": "" }
const ofTea: Partial<Observed> = { sites: [{ kind: "test", shape: "it", line: 1, end: 2, symbol: "boils" }] }

describe("Settings that a compiler or a runner of tests needs", () => {
  it("of TypeScript's compiler are in the tree, or it is given a file: it builds nothing without, whatever sources there are", () => {
    for (const build of ["tsc", "tsc --noEmit false", "npx tsc -b"]) {
      assert.deepStrictEqual(commandsFor("build", { ...manifest({ build }), ...inTypes }), [], build)
      assert.deepStrictEqual(
        commandsFor("build", { ...manifest({ build }), ...inTypes, "tsconfig.json": "{}" }),
        ["npm run build"],
        build
      )
    }
    const given = manifest({ build: "tsc src/tea.ts --outDir dist" })
    assert.deepStrictEqual(commandsFor("build", { ...given, ...inTypes }), ["npm run build"])
  })

  it("of mocha are in the tree, or it is given tests, where all tests are of TypeScript", () => {
    for (const test of ["mocha", "yarn nyc mocha", "nyc --reporter=lcov mocha --timeout 5000 -r ts-node/register"]) {
      const texts = { ...manifest({ test }), ...inTypes }
      assert.deepStrictEqual(commandsFor("test", texts), [], test)
      for (const settings of [{ ".mocharc.yml": "" }, { "test/mocha.opts": "" }, { "test/tea.js": "" }])
        assert.deepStrictEqual(commandsFor("test", { ...texts, ...settings }), ["npm test"], test)
      assert.deepStrictEqual(commandsFor("test", { ...texts, ...manifest({ test }, { mocha: { spec: "src" } }) }), [
        "npm test"
      ])
    }
    const given = "mocha -r ts-node/register 'src/test/**/*.ts'"
    assert.deepStrictEqual(commandsFor("test", { ...manifest({ test: given }), ...inTypes }), ["npm test"])
  })

  it("of Jest say what reads TypeScript, where all tests are of it", () => {
    const texts = { ...manifest({ test: "jest" }), "src/tea.ts": "", "src/tea.test.ts": "" }
    assert.deepStrictEqual(commandsFor("test", texts), [])
    for (const settings of [{ "jest.config.js": "" }, { ".babelrc": "{}" }, { "src/cup.test.js": "" }])
      assert.deepStrictEqual(commandsFor("test", { ...texts, ...settings }), ["npm test"])
    const configured = { ...manifest({ test: "jest --config tools/units.json" }), "tools/units.json": "{}" }
    assert.deepStrictEqual(commandsFor("test", { ...texts, ...configured }), ["npm test"])
  })
})

describe("One file of tests", () => {
  const one = (test: string, more: Texts = {}, path = "test/tea.ts") =>
    commandsFor("test_file", { ...manifest({ test }), ...more }, { [path]: ofTea })

  it("of TypeScript is run by mocha with what its script loads, and with nothing where settings load it", () => {
    assert.deepStrictEqual(one('mocha --require ts-node/register -r ./test/setup.ts "test/**/*.ts"'), [
      "npx mocha --require ts-node/register -r ./test/setup.ts test/tea.ts"
    ])
    assert.deepStrictEqual(one("mocha", { ".mocharc.json": "{}" }), ["npx mocha test/tea.ts"])
    assert.deepStrictEqual(one('mocha "test/**/*.ts"'), ["npx mocha test/tea.ts"])
  })

  it("of TypeScript is not given to mocha where nothing states what reads it, and one of JavaScript is", () => {
    for (const test of ["mocha", "NODE_OPTIONS=--import=tsx mocha 'test/**/*.ts'", "ts-mocha test/tea.ts"])
      assert.deepStrictEqual(one(test), [], test)
    assert.deepStrictEqual(one("mocha", {}, "test/tea.js"), ["npx mocha test/tea.js"])
  })
})

describe("What starts, routes, stores and releases nothing", () => {
  it("is a built file whose source only exports", () => {
    const texts = manifest({ run: "LEVEL=${LEVEL:=info} node dist/index.js" })
    const run = (exportsAlone: number) =>
      commandsFor("run", { ...texts, "dist/index.js": "" }, { "src/index.ts": { exportsAlone } })
    assert.notInclude(run(7), "npm run run")
    assert.include(run(0), "npm run run")
  })

  it("is a script by which maintainers merge what is proposed", () => {
    const files = ["merge-pr.py", "backport.sh", "merge-cups.py", "kettle.py"]
    const facts = Object.fromEntries(files.map((path) => [path, { isEntryPoint: 1 }]))
    assert.deepStrictEqual(programFiles(surveyOf({}, facts)), ["kettle.py", "merge-cups.py"])
  })

  it("is what stands in for a server in a page or its tests", () => {
    const routes: Observed["routes"] = [
      { method: "GET", path: "/tea", handler: null, framework: "Express", line: 1, end: 1 } as never
    ]
    const byImport = (module: string) => ({ routes, imports: [{ module, names: [], line: 1 }] })
    const survey = surveyOf(
      {},
      {
        "app/mirage/config.js": { routes },
        "src/msw/handlers.js": { routes },
        "src/answers.js": byImport("miragejs"),
        "src/server.js": byImport("express")
      }
    )
    assert.deepStrictEqual(
      routeFiles(survey).map(({ path }) => path),
      ["src/server.js"]
    )
  })

  it("is text that is put into an editor", () => {
    const stored = (callee: string) => stateItems(surveyOf({}, { "src/a.js": { calls: [[callee, 1, 1]] } })).length > 0
    for (const callee of ["editor.session.insert", "this.editor.session.insert", "aceEditor.session.insert"])
      assert.isFalse(stored(callee), callee)
    for (const callee of ["session.insert", "this.session.save", "credit.collection.insert"])
      assert.isTrue(stored(callee), callee)
  })

  it("is what the product publishes for those who use it, and a question that one is to answer", () => {
    const releases = (text: string) => commandsFor("release", { ...manifest({}), "README.md": `# Kettle\n\n${text}\n` })
    for (const text of [
      "This command does an `npm publish` and sets tags.",
      "`kettle ship` uses `npm publish` to publish."
    ])
      assert.deepStrictEqual(releases(text), [], text)
    assert.deepStrictEqual(releases("To release, run `npm publish`."), ["npm publish"])
    const steps = (list: string) => documented(surveyOf({ "README.md": `# Kettle\n\n## Release process\n\n${list}\n` }))
    assert.deepStrictEqual(steps("1. Does the branch exist?\n2. Do you need more time before your release?"), [])
    assert.strictEqual(steps("1. Does the branch exist?\n2. Push the tag `v1`.").length, 1)
  })

  it("is the one command of each program of Cobra, to which none is added", () => {
    const command = (symbol: string): Partial<Observed> => ({
      sites: [{ kind: "command", shape: "cobra command", line: 3, end: 3, symbol }]
    })
    const facts = { "cmd/a/main.go": command("a"), "cmd/b/main.go": command("b"), "cmd/c/main.go": command("c") }
    assert.isNull(commandRecipe(surveyOf({}, facts)))
    const lists: Facts = {
      "cmd/root.go": { sites: [{ kind: "command_list", shape: "AddCommand", line: 3, end: 3, symbol: null }] }
    }
    assert.isNotNull(commandRecipe(surveyOf({}, { ...facts, ...lists })))
  })

  it("is a small part that alone has what needs installing, and not one of much of the sources", () => {
    const part = { "util/odbc/package.json": "{}" }
    const install = (lines: number) =>
      commandsFor(
        "install",
        { ...part, "kettle.py": "" },
        { "kettle.py": {}, "util/odbc/a.js": {}, ...(lines > 10 ? {} : manyFiles) }
      )
    assert.deepStrictEqual(install(10), [])
    assert.deepStrictEqual(install(20), ["npm install"])
  })
})

const manyFiles: Facts = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`lib/a${i}.py`, {}]))
