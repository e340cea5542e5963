import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { makefilePrograms } from "../../../../src/engine/discovery/commands/programs/makefilePrograms.ts"
import { perlPrograms } from "../../../../src/engine/discovery/commands/programs/perlPrograms.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const commandsIn = (texts: Texts, purpose: Purpose): ReadonlyArray<string> =>
  ordered(commandsOf(surveyOf(texts)), purpose).map(({ command, folder }) => `${folder}${command}`)

const scripts = (all: Texts, files: Texts = {}): Texts => ({
  "package.json": JSON.stringify({ name: "kettle", scripts: all }),
  "lib/kettle.js": "exports.boil = () => 1\n",
  "test/boil.test.js": "test('boils', () => {})\n",
  ...files
})

const makefile = (text: string, files: Texts = {}): Texts => ({ Makefile: text, "kettle.py": "x = 1\n", ...files })

describe("Scripts and targets that lack what they run", () => {
  it("a linter or a bundler without its settings is none", () => {
    for (const [lint, file] of [
      ["eslint lib", ".eslintrc.json"],
      ["eslint lib", "eslint.config.mjs"],
      ["npx stylelint lib", ".stylelintrc"],
      ["grunt lint", "Gruntfile.js"]
    ] as const) {
      assert.deepStrictEqual(commandsIn(scripts({ lint }), "lint"), [], lint)
      assert.deepStrictEqual(commandsIn(scripts({ lint }, { [file]: "" }), "lint"), ["npm run lint"], lint)
    }
    assert.deepStrictEqual(commandsIn(scripts({ build: "rollup -c" }), "build"), [])
    assert.deepStrictEqual(commandsIn(scripts({ build: "rollup -i lib/kettle.js -o k.js" }), "build"), [
      "npm run build"
    ])
  })

  it("a linter counts that is given its settings, has some in the manifest or needs none", () => {
    assert.deepStrictEqual(commandsIn(scripts({ lint: "eslint -c lint.json lib" }), "lint"), [])
    assert.deepStrictEqual(commandsIn(scripts({ lint: "eslint -c lint.json lib" }, { "lint.json": "" }), "lint"), [
      "npm run lint"
    ])
    for (const lint of ["eslint --no-eslintrc lib", "standard", "xo"])
      assert.deepStrictEqual(commandsIn(scripts({ lint }), "lint"), ["npm run lint"], lint)
    const manifest = JSON.stringify({ name: "kettle", eslintConfig: {}, scripts: { lint: "eslint lib" } })
    assert.deepStrictEqual(commandsIn({ ...scripts({}), "package.json": manifest }, "lint"), ["npm run lint"])
  })

  it("a folder of tests, a script or a file of variables has to be there", () => {
    const lint = { lint: "standard lib spec" }
    assert.deepStrictEqual(commandsIn(scripts(lint), "lint"), [])
    assert.deepStrictEqual(commandsIn(scripts(lint, { "spec/a.js": "" }), "lint"), ["npm run lint"])
    const test = { test: "node --env-file=.env.test --test" }
    assert.deepStrictEqual(commandsIn(scripts(test), "test"), [])
    for (const file of [".env.test", ".env.example"])
      assert.deepStrictEqual(commandsIn(scripts(test, { [file]: "" }), "test"), ["npm test"], file)
    const docs = { docs: "bash scripts/docs.sh" }
    assert.deepStrictEqual(commandsIn(scripts(docs), "docs"), [])
    assert.deepStrictEqual(commandsIn(scripts(docs, { "scripts/docs.sh": "" }), "docs"), ["npm run docs"])
  })

  it("so does a script that another one asks for, also where they ask for each other", () => {
    const test = { test: "npm run lint && mocha", lint: "eslint lib" }
    assert.deepStrictEqual(commandsIn(scripts(test), "test"), [])
    assert.deepStrictEqual(commandsIn(scripts(test, { ".eslintrc": "" }), "test"), ["npm test"])
    assert.deepStrictEqual(commandsIn(scripts({ test: "npm run unit" }), "test"), [])
    assert.deepStrictEqual(commandsIn(scripts({ test: "npm run all", all: "npm run test" }), "test"), ["npm test"])
  })

  it("what documents and pipelines ask of them is no better", () => {
    const texts = scripts({ lint: "eslint lib" }, { "README.md": "# Kettle\n\n## Lint\n\n```sh\nnpm run lint\n```\n" })
    assert.deepStrictEqual(commandsIn(texts, "lint"), [])
    assert.deepStrictEqual(commandsIn({ ...texts, ".eslintrc": "" }, "lint"), ["npm run lint"])
    const steps = (path: string) => ({
      ...makefile(""),
      ".github/workflows/ci.yml": `on: pull_request\njobs:\n  a:\n    steps:\n      - run: shellcheck ${path}\n`
    })
    assert.deepStrictEqual(commandsIn(steps("www/install.sh"), "lint"), [])
    assert.deepStrictEqual(commandsIn({ ...steps("www/install.sh"), "www/install.sh": "" }, "lint"), [
      "shellcheck www/install.sh"
    ])
  })

  it("a target that enters a folder or starts a script which is not there is none", () => {
    for (const [line, file] of [
      ["cd spout && go test ./...", "spout/a.go"],
      ["$(MAKE) -C spout test", "spout/Makefile"],
      ["./hack/test.sh", "hack/test.sh"],
      ["python tools/check.py", "tools/check.py"],
      ["go test ./... ./spout/...", "spout/a.go"],
      ["pytest tests/unit", "tests/test_a.py"]
    ] as const) {
      assert.deepStrictEqual(commandsIn(makefile(`test:\n\t${line}\n`), "test"), [], line)
      assert.deepStrictEqual(commandsIn(makefile(`test:\n\t${line}\n`, { [file]: "" }), "test"), ["make test"], line)
    }
  })

  it("a target counts whose folder or script the file makes, or which is filled in", () => {
    for (const text of [
      "test: spout\n\tcd spout && go test ./...\n\nspout:\n\tgit clone http://tea.example/spout\n",
      "test:\n\t./check.sh\n\ncheck.sh: check.in\n\tsed s/a/b/ $< > $@\n",
      "test:\n\tcd $(BUILD) && go test ./...\n",
      "test:\n\tcd build && go test ./...\n"
    ])
      assert.deepStrictEqual(commandsIn(makefile(text), "test"), ["make test"], text)
  })

  it("a program that is a variable needs a value", () => {
    const text = "lint:\n\t$(LINTER) lib\n"
    assert.deepStrictEqual(commandsIn(makefile(text), "lint"), [])
    assert.deepStrictEqual(commandsIn(makefile(`LINTER ?= flake8\n${text}`), "lint"), ["make lint"])
    assert.deepStrictEqual(commandsIn(makefile(`include tools.mk\n${text}`), "lint"), ["make lint"])
    assert.deepStrictEqual(commandsIn(makefile("test:\n\t$(MAKE) check\n"), "test"), ["make test"])
  })

  it("pytest needs tests", () => {
    const tox = {
      "tox.ini": "[tox]\nenvlist = py3\n\n[testenv]\ncommands = pytest {posargs}\n",
      "kettle.py": "x = 1\n"
    }
    assert.deepStrictEqual(commandsIn(tox, "test"), [])
    assert.include(commandsIn({ ...tox, "tests/test_a.py": "def test_a():\n    pass\n" }, "test"), "tox")
  })

  it("is found at bounded cost where everything lacks something and scripts ask for all others", () => {
    const names = Array.from({ length: 100 }, (_, n) => `test${n}`)
    const all = names.map((name) => `npm run ${name}`).join(" && ")
    const asking = Object.fromEntries(names.map((name) => [name, all]))
    const start = performance.now()
    commandsIn(scripts(asking), "test")
    const rules = Array.from({ length: 4_000 }, (_, n) => `test-${n}:\n\tcd spout${n} && ./hack/a${n}.sh`).join("\n")
    commandsIn(makefile(rules), "test")
    commandsIn(makefile(`test:\n\tpytest ${"tests ".repeat(50_000)}\n`), "test")
    commandsIn(scripts({ lint: "eslint ".repeat(50_000) }), "lint")
    assert.isBelow(performance.now() - start, 20_000)
  })

  it("Django starts only where the module of its settings is there", () => {
    const manage = 'import os\nos.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")\n'
    assert.deepStrictEqual(commandsIn({ "manage.py": manage }, "run"), [])
    for (const settings of ["shop/settings.py", "shop/settings/__init__.py"])
      assert.deepStrictEqual(commandsIn({ "manage.py": manage, [settings]: "x = 1\n" }, "run"), [
        "python manage.py runserver"
      ])
    assert.deepStrictEqual(commandsIn({ "manage.py": "import shop\n" }, "run"), ["python manage.py runserver"])
  })

  it("`cargo run` needs to know which of several programs is meant", () => {
    const crate = (more: string): Texts => ({
      Makefile: "run:\n\tcargo run\n",
      "Cargo.toml": `[package]\nname = "kettle"\n${more}[[bin]]\nname = "kettle"\npath = "src/main.rs"\n[[bin]]\nname = "lid"\n`,
      "src/main.rs": "fn main() {}\n",
      "src/bin/lid.rs": "fn main() {}\n"
    })
    const runs = (texts: Texts) =>
      ordered(
        commandsOf(surveyOf(texts, { "src/main.rs": { isEntryPoint: 1 }, "src/bin/lid.rs": { isEntryPoint: 1 } })),
        "run"
      ).map(({ command }) => command)
    assert.deepStrictEqual(runs(crate("")), ["cargo run --bin kettle"])
    assert.include(runs(crate('default-run = "kettle"\n')), "make run")
  })

  it("a target called release that only compiles makes none", () => {
    const release = (line: string) => commandsIn(makefile(`release:\n\t${line}\n`), "release")
    for (const line of [
      "cargo build --release",
      "CGO_ENABLED=0 go build -o bin/kettle ./cmd/kettle",
      "cmake --build out"
    ])
      assert.deepStrictEqual(release(line), [], line)
    for (const line of ["cargo publish", "cargo build --release && tar czf kettle.tar.gz target", "npm publish"])
      assert.deepStrictEqual(release(line), ["make release"], line)
  })

  it("a name to which every use adds something is no program", () => {
    const named = (use: string): Texts => ({
      Makefile: `PROG = kettle\nall:\n\t@echo $(PROG) needs no compiler\ninstall:\n\t${use}\n`,
      "kettle.bash": "echo tea\n"
    })
    const names = (texts: Texts) => makefilePrograms(surveyOf(texts)).map(({ name }) => name)
    assert.deepStrictEqual(names(named("install -m 755 $(PROG).bash $(LIBDIR)/extensions/$(PROG).bash")), [])
    assert.deepStrictEqual(names(named("install -m 755 $(PROG) $(PREFIX)/bin")), ["kettle"])
  })

  it("MakeMaker installs a script under its whole name", () => {
    const names = (file: string) =>
      perlPrograms(surveyOf({ "Makefile.PL": `WriteMakefile(EXE_FILES => ['${file}']);\n` })).map(({ name }) => name)
    assert.deepStrictEqual(names("bin/kettle.pl"), ["kettle.pl"])
    assert.deepStrictEqual(names("bin/kettle.PL"), ["kettle"])
  })
})
