import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { releaseSteps } from "../../../../src/engine/discovery/commands/releases.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>
type Facts = Readonly<Record<string, Partial<Observed>>>

const commandsIn = (texts: Texts, purpose: Purpose, observed: Facts = {}): ReadonlyArray<string> =>
  ordered(commandsOf(surveyOf(texts, observed)), purpose).map(({ command }) => command)

const readme = (...lines: ReadonlyArray<string>): Texts => ({
  "README.md": `# Kettle\n\n## Usage\n\n\`\`\`\n${lines.join("\n")}\n\`\`\`\n`
})

const npm: Texts = { "package.json": '{"name": "kettle", "bin": "./cli.js"}', "cli.js": "boil()\n" }

describe("Installations", () => {
  it("what adds packages to the project of a user installs nothing here, whatever options stand before them", () => {
    for (const line of [
      "npm i --save tea milk",
      "npm install -y kettle",
      "npm install -y --save-dev tea @tea/cup",
      "npm i -D tea milk"
    ])
      assert.deepStrictEqual(commandsIn({ ...npm, ...readme(line) }, "install"), ["npm install"], line)
    const line = "npm install --legacy-peer-deps"
    assert.include(commandsIn({ ...npm, ...readme(line) }, "install"), line)
  })
})

describe("Starts that documents show", () => {
  it("a second column that says what a line does is no part of it", () => {
    const shown = readme("kettle boil tea.js            Boils the given tea.", "kettle boil --fast tea.js     Faster.")
    assert.deepStrictEqual(commandsIn({ ...npm, ...shown }, "run"), ["kettle boil tea.js", "kettle boil --fast tea.js"])
  })

  it("a program of Go that fetches or makes something helps the one that the repository has its name from", () => {
    const tree = { "go.mod": "module example.org/kettle\n", "cmd/kettle/main.go": "", "cmd/pots/main.go": "" }
    const facts = Object.fromEntries(
      ["cmd/kettle/main.go", "cmd/pots/main.go", "cmd/download_tea/main.go"].map((path) => [path, { isEntryPoint: 3 }])
    )
    const runs = (...lines: ReadonlyArray<string>) => commandsIn({ ...tree, ...readme(...lines) }, "run", facts)
    assert.strictEqual(runs("go run ./cmd/download_tea/main.go", "go run ./cmd/pots -a")[0], "go run ./cmd/pots -a")
    assert.deepStrictEqual(runs("go run ./cmd/pots -a", "go run ./cmd/kettle -b"), ["go run ./cmd/kettle -b"])
  })
})

describe("Scripts that give a program of the tree an example", () => {
  const scripts = (all: Texts, files: Texts = {}): Texts => ({
    ...npm,
    ...files,
    "package.json": JSON.stringify({ name: "kettle", bin: "./cli.js", scripts: all })
  })
  const all = {
    tea: "./cli.js start ./test/tea/tea.js",
    test: "npm run tea",
    "build-cup": "./cli.js build ./test/cup.js"
  }

  it("run, build and test nothing where it is not there", () => {
    assert.deepStrictEqual(commandsIn(scripts(all), "test"), [])
    assert.deepStrictEqual(commandsIn(scripts(all), "build"), [])
    const there = scripts(all, { "test/tea/tea.js": "boil()\n", "test/cup.js": "boil()\n" })
    assert.deepStrictEqual(commandsIn(there, "test"), ["npm test"])
    assert.deepStrictEqual(commandsIn(there, "build"), ["npm run build-cup"])
  })

  it("may name a file that they make", () => {
    const made = { build: "./cli.js build --out ./made/cup.js" }
    assert.deepStrictEqual(commandsIn(scripts(made), "build"), ["npm run build"])
  })
})

describe("Builds by a script that was written by hand", () => {
  const tree = { README: "Kettle\n", "src/kettle.c": "int x;\n" }

  it("`Configure` comes before `make` where it makes the Makefile", () => {
    assert.deepStrictEqual(commandsIn({ ...tree, Configure: "" }, "build"), ["./Configure && make"])
    assert.notInclude(
      commandsIn({ ...tree, Configure: "", Makefile: "all:\n\tcc -o a src/kettle.c\n" }, "build"),
      "./Configure && make"
    )
  })
})

describe("Releases", () => {
  const pom = (parent: string, more = "") =>
    `<project><parent><groupId>org.tea</groupId><artifactId>${parent}</artifactId></parent><artifactId>kettle</artifactId>${more}</project>\n`
  const scm = "<scm><developerConnection>scm:git:ssh://code.example/kettle</developerConnection></scm>"

  it("a parent of Maven that is known for it sets up the plugin that makes them, where the module says where its code is", () => {
    const release = "mvn release:prepare release:perform"
    assert.deepStrictEqual(commandsIn({ "pom.xml": pom("maven-plugins", scm) }, "release"), [release])
    assert.deepStrictEqual(commandsIn({ "pom.xml": pom("maven-plugins") }, "release"), [])
    assert.deepStrictEqual(commandsIn({ "pom.xml": pom("tea-parent", scm) }, "release"), [])
  })

  it("tables of a manifest set up what raises the version", () => {
    const steps = (texts: Texts) => releaseSteps(surveyOf(texts)).map(({ text }) => text)
    assert.deepStrictEqual(steps({ "pyproject.toml": "[project]\nname = 'a'\n\n[tool.bumpversion]\ntag = true\n" }), [
      "`pyproject.toml:4`: the version is raised by a tool that is set up here."
    ])
    assert.lengthOf(steps({ "setup.cfg": "[bumpversion]\ncurrent_version = 1\n" }), 1)
    assert.lengthOf(steps({ "package.json": '{\n  "name": "a",\n  "release-it": {\n    "git": {}\n  }\n}\n' }), 1)
    assert.deepStrictEqual(steps({ "pyproject.toml": "[tool.ruff]\n", "package.json": '{"release-it": "1.0"}' }), [])
  })

  it("a script that publishes says so by its name, and uploads something", () => {
    const script = (name: string, text: string) => commandsIn({ "kettle.py": "", [name]: text }, "release")
    const uploads = "python -m build\ntwine upload --repository testpypi dist/*\n"
    assert.deepStrictEqual(script("publish_test_pypi.sh", uploads), ["./publish_test_pypi.sh"])
    assert.deepStrictEqual(script("scripts/publish.sh", uploads), ["scripts/publish.sh"])
    assert.deepStrictEqual(script("publish_test_pypi.sh", "echo tea\n"), [])
    assert.deepStrictEqual(script("publish_pots.sh", uploads), [])
  })
})
