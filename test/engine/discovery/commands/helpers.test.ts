import { assert, describe, it } from "vitest"
import { purposeOfLine } from "../../../../src/engine/discovery/commands/words.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { commandsIn } from "../../../support/statedCommands.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>
type Facts = Readonly<Record<string, Partial<Observed>>>

describe("What builds without being called so", () => {
  const manifest = (scripts: Texts) => ({ "package.json": JSON.stringify({ scripts }) })

  it("is what a package compiles with before it is packed, where no script builds", () => {
    assert.deepStrictEqual(commandsIn(manifest({ prepack: "npm run clean && tsc -b" }), "build"), [
      "npm run prepack @ package.json"
    ])
    assert.deepStrictEqual(commandsIn(manifest({ prepare: "tsc -b", build: "tsc -b" }), "build"), [
      "npm run build @ package.json"
    ])
    assert.deepStrictEqual(commandsIn(manifest({ prepare: "husky install" }), "build"), [])
  })

  it("is a script of the repository below the heading on building, and none of the tests", () => {
    const makes = { "hack/make-binary.sh": "", "hack/run-all.sh": "" }
    const guide = (heading: string) => ({
      "CONTRIBUTING.md": `# Tea\n\n## ${heading}\n\n    hack/make-binary.sh\n    hack/run-all.sh\n`
    })
    assert.deepStrictEqual(commandsIn({ ...makes, ...guide("Compiling") }, "build"), [
      "hack/make-binary.sh @ CONTRIBUTING.md"
    ])
    assert.deepStrictEqual(commandsIn({ ...makes, ...guide("Running tests") }, "test"), [
      "hack/run-all.sh @ CONTRIBUTING.md"
    ])
    assert.deepStrictEqual(commandsIn({ ...makes, ...guide("Compiling the docs") }, "build"), [])
  })
})

describe("What is no start of the product", () => {
  const routes = [
    { framework: "Flask", method: "GET" as const, path: "/tea", handler: "tea", guards: [], line: 1, end: 2 }
  ]
  const project = (names: ReadonlyArray<string>) => ({
    "pyproject.toml": `[project]\nname = "kettle"\n\n[project.scripts]\n${names.map((name) => `${name} = "kettle.x:main"\n`).join("")}`
  })
  const runs = (names: ReadonlyArray<string>, observed: Facts = { "kettle/app.py": { routes } }) =>
    commandsIn(project(names), "run", observed).map((one) => one.split(" ")[0])

  it("programs of an application for the web that only help", () => {
    assert.deepStrictEqual(runs(["sar", "check-service"]), [])
    assert.deepStrictEqual(runs(["sar", "kettle-admin"]), ["sar", "kettle-admin"])
    assert.deepStrictEqual(runs(["sar", "start"]), ["sar", "start"])
    assert.deepStrictEqual(runs(["boil"]), ["boil"])
    assert.deepStrictEqual(runs(["sar", "check-service"], { "kettle/app.py": {} }), ["sar", "check-service"])
  })

  it("a program that people start to work on", () => {
    const crate = { "Cargo.toml": '[package]\nname = "kettle"\n' }
    const aside = (text: string) =>
      commandsOf(surveyOf({ ...crate, "CONTRIBUTING.md": text })).find(({ purpose }) => purpose === "run")?.aside
    assert.isUndefined(aside("# Guide\n\nThen start `kettle --hot`.\n"))
    const runsOf = (text: string) => commandsIn({ ...crate, "CONTRIBUTING.md": text }, "run")
    assert.deepStrictEqual(runsOf("# Guide\n\nTo run tests, build the `kettle` binary first.\n"), [])
    assert.lengthOf(runsOf("# Guide\n\nTo run it, type `kettle` in a terminal.\n"), 1)
    assert.strictEqual(aside("# Guide\n\nYou start working on `kettle --hot` here.\n"), "CONTRIBUTING.md")
  })
})

describe("What a document asks for that is not there", () => {
  it("a list of what Python needs", () => {
    const readme = { "README.md": "```\npip install -r requirements.txt\n```\n", "setup.py": "setup()\n" }
    assert.deepStrictEqual(commandsIn(readme, "install"), ["pip install -e . @ setup.py"])
    assert.include(
      commandsIn({ ...readme, "requirements.txt": "" }, "install"),
      "pip install -r requirements.txt @ README.md"
    )
  })

  it("a module of Python that runs when it is started may be any but a helper's", () => {
    const readme = { "README.md": "```\npython -m kettle.cli boil\n```\n" }
    const started = (path: string) => commandsIn(readme, "run", { [path]: { isEntryPoint: 9 } })
    assert.deepStrictEqual(started("src/kettle/cli.py"), ["python -m kettle.cli boil @ README.md"])
    assert.deepStrictEqual(commandsIn(readme, "run", { "src/kettle/cli.py": {} }), [])
    const helper = { "README.md": "```\npython -m tools.cli boil\n```\n" }
    assert.deepStrictEqual(commandsIn(helper, "run", { "tools/cli.py": { isEntryPoint: 9 } }), [])
  })

  it("a formatter with a long option lists nothing", () => {
    assert.strictEqual(purposeOfLine("goimports -l ."), "lint")
    assert.strictEqual(purposeOfLine("goimports -local example.com/tea -w cmd"), "format")
    assert.strictEqual(purposeOfLine("gofmt -s -d ."), "lint")
    assert.strictEqual(purposeOfLine("gofmt -l -w ."), "format")
  })
})
