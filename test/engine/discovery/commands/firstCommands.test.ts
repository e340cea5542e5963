import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { releaseSteps } from "../../../../src/engine/discovery/commands/releases.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const commandsIn = (
  texts: Texts,
  purpose: Purpose,
  observed: Readonly<Record<string, Partial<Observed>>> = {}
): ReadonlyArray<string> => ordered(commandsOf(surveyOf(texts, observed)), purpose).map(({ command }) => command)

const main: Partial<Observed> = { isEntryPoint: 3 }

describe("The first of several targets", () => {
  const makefile = (all: string, build = "build:\n\tgo build ./cmd/kettle\n") => ({
    Makefile: `all: ${all}\n\n${build}\ntest:\n\tgo test ./...\n\nlint:\n\tgolangci-lint run\n\ngenerate:\n\tgo generate\n\nimages:\n\tdocker build .\n\nplugins:\n\tgo build ./plugins\n`,
    "go.mod": "module tea.example/kettle\n",
    "cmd/kettle/main.go": "package main\n",
    "plugins/plugin.go": "package plugins\n"
  })

  it("`all` that also tests, lints, generates or makes an image is not the build, where there is a target for that", () => {
    for (const other of ["test", "lint", "generate", "images"])
      assert.deepStrictEqual(commandsIn(makefile(`build ${other}`), "build"), ["make build"], other)
    const deep = makefile("build check", "build:\n\tgo build ./cmd/kettle\n\ncheck: lint test\n")
    assert.deepStrictEqual(commandsIn(deep, "build"), ["make build"])
  })

  it("`all` is the build where it only builds, where the build needs the same, or where no target is for that", () => {
    assert.include(commandsIn(makefile("build plugins"), "build"), "make all")
    const generated = makefile("build", "build: generate\n\tgo build ./cmd/kettle\n")
    assert.include(commandsIn(generated, "build"), "make all")
    const alone = makefile("kettle test", "kettle:\n\tgo build ./cmd/kettle\n")
    assert.include(commandsIn(alone, "build"), "make all")
  })

  it("a release comes before the upload that it ends with", () => {
    const justfile = "publish:\n    cargo publish\n\nrelease:\n    git tag v1\n    just publish\n"
    assert.deepStrictEqual(commandsIn({ justfile }, "release"), ["just release", "just publish"])
    assert.deepStrictEqual(commandsIn({ justfile: "publish:\n    cargo publish\n" }, "release"), ["just publish"])
  })
})

describe("A start that starts nothing, or something else", () => {
  const started = (start: string, files: Texts = {}) =>
    commandsIn(
      {
        "package.json": JSON.stringify({ name: "kettle", main: "bin/cmd.js", scripts: { start } }),
        "bin/cmd.js": "boil()\n",
        ...files
      },
      "run"
    )

  it("a program that is given a file of a folder which is not there is not started so", () => {
    const start = "node bin/cmd.js example/app.js:bundle.js --live"
    assert.notInclude(started(start), "npm start")
    assert.include(started(start, { "example/app.js": "" }), "npm start")
    assert.include(started("node bin/cmd.js dist/app.js"), "npm start")
    assert.include(started("node bin/cmd.js --out pages/app.js"), "npm start")
    assert.include(started("node bin/cmd.js text/html"), "npm start")
  })

  it("what shows the pages of documents does not start the program, and starts a site", () => {
    const readme = (command: string) => ({ "docs/README.md": `# Documents\n\n\`\`\`bash\n${command}\n\`\`\`\n` })
    const program = { "pyproject.toml": '[project]\nname = "kettle"\n', "kettle.py": "x = 1\n", "mkdocs.yml": "" }
    assert.deepStrictEqual(commandsIn({ ...program, ...readme("mkdocs serve") }, "run"), [])
    assert.include(commandsIn({ ...program, ...readme("mkdocs serve") }, "docs"), "mkdocs serve")
    const built = { ...program, ...readme("mkdocs build\nmkdocs serve") }
    assert.deepStrictEqual(commandsIn(built, "docs"), ["mkdocs build"])
    const target = { ...program, Makefile: "serve:\n\tmkdocs serve\n" }
    assert.deepStrictEqual(commandsIn(target, "run"), [])
    const both = { ...program, Makefile: "serve:\n\tmkdocs serve &\n\tflask run\n" }
    assert.deepStrictEqual(commandsIn(both, "run"), ["make serve"])
    assert.deepStrictEqual(commandsIn({ "mkdocs.yml": "", ...readme("mkdocs serve") }, "run"), ["mkdocs serve"])
  })

  it("of several programs of Go the one named like the product comes first, and a library for C is none", () => {
    const run = (paths: ReadonlyArray<string>, more: Readonly<Record<string, Partial<Observed>>> = {}) =>
      commandsIn({ "go.mod": "module tea.example/go-kettle/v2\n" }, "run", {
        ...Object.fromEntries(paths.map((path) => [path, main])),
        ...more
      })
    assert.deepStrictEqual(run(["c-bindings/c.go", "cmd/grind/main.go", "cmd/kettle/main.go"]), [
      "go run ./cmd/kettle",
      "go run ./cmd/grind"
    ])
    assert.deepStrictEqual(run(["cmd/mill-lint/main.go", "cmd/mill/main.go"])[0], "go run ./cmd/mill")
    const calls: Partial<Observed> = { ...main, imports: [{ module: "C", names: [], line: 2 }] }
    assert.deepStrictEqual(run(["cmd/mill/main.go"], { "cmd/exports/main.go": calls })[0], "go run ./cmd/mill")
    assert.deepStrictEqual(run([], { "cmd/exports/main.go": calls }), ["go run ./cmd/exports"])
  })

  it("a program of Go that another one loads as a plug-in is not started by a person", () => {
    const run = (callee: string) =>
      commandsIn({ "go.mod": "module tea.example/kettle\n" }, "run", {
        "main.go": { ...main, calls: [[callee, 1, 9]] }
      })
    assert.deepStrictEqual(run("plugin.Serve"), [])
    assert.deepStrictEqual(run("server.Serve"), ["go run ."])
  })
})

describe("What is shipped or tested beside", () => {
  const workflow = (step: string) => `on:\n  workflow_dispatch:\njobs:\n  a:\n    steps:\n      - ${step}\n`
  const pypi = { ".github/workflows/publish-python.yml": workflow("uses: pypa/gh-action-pypi-publish@v1") }
  const binaries = { ".github/workflows/release.yml": workflow("uses: goreleaser/goreleaser-action@v6") }
  const firstOf = (texts: Texts) => releaseSteps(surveyOf(texts))[0]?.text ?? ""

  it("a package of a helper language comes after what ships the product", () => {
    const go = { "a.go": "", "b.go": "", "c.go": "", "setup.py": "" }
    assert.include(firstOf({ ...go, ...pypi, ...binaries }), "release.yml")
    assert.include(firstOf({ ...go, ...pypi }), "publish-python.yml")
    assert.include(firstOf({ "a.py": "", "b.py": "", ...pypi, ...binaries }), "publish-python.yml")
  })

  it("a target is given tests of a folder that is not there", () => {
    const texts = (files: Texts = {}) => ({
      "package.json": JSON.stringify({ name: "kettle", scripts: { test: "make test" } }),
      "index.js": "module.exports = 1\n",
      Makefile: "TESTS = test/*.test.js\n\ntest:\n\t@NODE_ENV=test mocha \\\n\t\t--reporter dot \\\n\t\t$(TESTS)\n",
      ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: npm test\n",
      ...files
    })
    assert.deepStrictEqual(commandsIn(texts(), "test"), [])
    assert.deepStrictEqual(commandsIn(texts(), "test_file"), [])
    const whole = texts({ "test/tea.test.js": "" })
    assert.deepStrictEqual(commandsIn(whole, "test").slice(0, 2), ["npm test", "make test"])
    assert.include(commandsIn(whole, "test_file").join("\n"), "make test TESTS=")
    assert.include(commandsIn(texts({ Makefile: "test:\n\tnode check.js\n", "check.js": "" }), "test"), "npm test")
  })
})
