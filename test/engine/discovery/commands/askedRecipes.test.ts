import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { asRules } from "../../../../src/engine/discovery/commands/runners/justRecipes.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const commandsIn = (texts: Texts, purpose: Purpose): ReadonlyArray<string> =>
  ordered(commandsOf(surveyOf(texts)), purpose).map(({ command }) => command)

describe("Recipes that are given something", () => {
  const crate = { "Cargo.toml": '[package]\nname = "kettle"\n' }

  it("are read with values that hold colons, quotes and spaces", () => {
    const { text, parameters } = asRules(
      "test RUNNER='cargo: test' +files *rest $LEVEL='1': (fetch 'a b') && build\nx := 'y: z'\n"
    )
    assert.strictEqual(text.split("\n")[0], "test: fetch  && build")
    assert.strictEqual(text.split("\n")[1], "x := 'y: z'")
    assert.deepStrictEqual(
      parameters.get("test")?.map(({ name, isRequired }) => `${name} ${isRequired}`),
      ["RUNNER false", "files true", "rest false", "LEVEL false"]
    )
  })

  it("just runs all tests by the recipe that must be given nothing", () => {
    const justfile =
      "test RUNNER='cargo nextest run':\n    {{ RUNNER }}\n\nrun-test TEST:\n    cargo test --test {{TEST}}\n\ndebug TEST:\n    cargo test --test {{TEST}} --features debug\n"
    const texts = { ...crate, justfile, "src/lib.rs": "" }
    assert.deepStrictEqual(commandsIn(texts, "test"), ["just test"])
    assert.deepStrictEqual(commandsIn(texts, "test_case"), [])
    assert.deepStrictEqual(commandsIn(texts, "test_file"), [])
    assert.deepStrictEqual(commandsIn({ ...texts, "tests/pour.rs": "" }, "test_file"), [
      "just run-test <file of tests, without its ending>"
    ])
  })

  it("a parameter that goes to the tests names one of them", () => {
    const justfile = (head: string) => ({ ...crate, justfile: `${head}:\n    cargo test {{ name }}\n` })
    assert.deepStrictEqual(commandsIn(justfile("test name=''"), "test_case"), ["just test <name of the test>"])
    assert.deepStrictEqual(commandsIn(justfile("test-one name"), "test_case"), ["just test-one <name of the test>"])
    assert.deepStrictEqual(commandsIn(justfile("test-one name"), "test"), ["cargo test"])
  })

  it("a release and a start are shown with what they take, what lints or builds a choice is left out", () => {
    const justfile =
      "release version:\n    git tag {{version}}\n    cargo publish\n\nserve port:\n    ./serve.sh {{port}}\n\nlint path:\n    cargo clippy {{path}}\n"
    assert.deepStrictEqual(commandsIn({ justfile }, "release"), ["just release <version>"])
    assert.deepStrictEqual(commandsIn({ justfile }, "run"), ["just serve <port>"])
    assert.deepStrictEqual(commandsIn({ justfile }, "lint"), [])
    assert.deepStrictEqual(commandsIn({ justfile: justfile.replace("lint path", "lint path='.'") }, "lint"), [
      "just lint"
    ])
  })

  it("a task that requires a variable or is internal is no command by itself", () => {
    const taskfile = (more: string) => ({
      "Taskfile.yml": `version: '3'\n\ntasks:\n  test:\n${more}    cmds:\n      - go test {{.PKG}}\n`
    })
    assert.deepStrictEqual(commandsIn(taskfile("    requires:\n      vars: [PKG]\n"), "test"), [])
    assert.deepStrictEqual(commandsIn(taskfile("    requires:\n      vars:\n        - PKG\n"), "test"), [])
    assert.deepStrictEqual(commandsIn(taskfile("    internal: true\n"), "test"), [])
    assert.deepStrictEqual(commandsIn(taskfile("    deps: [build]\n"), "test"), ["task test"])
  })

  it("a target of Make that ends without a variable is shown with it, or not at all", () => {
    const guarded = (before = "") => ({
      Makefile: `${before}release:\n\t@test -n "$(VERSION)" || exit 1\n\tgit tag v$(VERSION)\n\tcargo publish\n\ntest:\n\t@if [ -z "$(SUITE_DIR)$(CUP)" ]; then exit 1; fi\n\tcargo test\n\nlint:\n\t@[ -n "$(CUP)" ] || exit 1\n\tcargo clippy $(CUP)\n`
    })
    assert.deepStrictEqual(commandsIn(guarded(), "release"), ["make release VERSION=<version>"])
    assert.deepStrictEqual(commandsIn(guarded(), "lint"), [])
    assert.deepStrictEqual(commandsIn(guarded("VERSION = 1.2\nCUP ?= src\n"), "release"), ["make release"])
    assert.deepStrictEqual(commandsIn(guarded("VERSION = 1.2\nCUP ?= src\n"), "lint"), ["make lint"])
  })

  it("of several targets for the same the one that a pipeline runs comes first", () => {
    const makefile = { Makefile: "lint-shell:\n\tshellcheck a.sh\n\nlint-sh:\n\tshellcheck *.sh\n" }
    assert.strictEqual(commandsIn(makefile, "lint")[0], "make lint-sh")
    const pipeline = { ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: make lint-shell\n" }
    assert.strictEqual(commandsIn({ ...makefile, ...pipeline }, "lint")[0], "make lint-shell")
  })
})

describe("Targets that are named for more than they do", () => {
  it("`check` that only makes something else is no check, and a document may say that it tests", () => {
    const makefile = (needs: string) => ({
      Makefile: `kettle: a.o\n\tcc -o kettle a.o\n\nsample: kettle\n\t./kettle a.txt > a.out\n\ncheck: ${needs}\n`
    })
    assert.deepStrictEqual(commandsIn(makefile("sample"), "check"), [])
    assert.deepStrictEqual(commandsIn({ ...makefile("sample"), INSTALL: "Then\n\n    make check\n" }, "test"), [
      "make check"
    ])
    assert.deepStrictEqual(commandsIn(makefile("style-check"), "lint"), ["make check"])
  })

  it("`release` whose one need compiles builds with the options of a release", () => {
    const makefile = (recipe: string) => ({
      Makefile: `.PHONY: release\nrelease: build/bin/kettle\n\nbuild/bin/kettle:\n\t${recipe}\n`,
      "main.go": ""
    })
    assert.deepStrictEqual(commandsIn(makefile("go build -o build/bin/kettle main.go"), "release"), [])
    assert.deepStrictEqual(commandsIn(makefile("go build -o build/bin/kettle main.go"), "build"), ["make release"])
    assert.deepStrictEqual(commandsIn(makefile("npm publish"), "release"), ["make release"])
    const readme = { "README.md": "# Build\n\n```\nmake release\n```\n" }
    assert.deepStrictEqual(
      commandsIn({ ...makefile("go build -o build/bin/kettle main.go"), ...readme }, "release"),
      []
    )
    assert.deepStrictEqual(commandsIn({ ...makefile("npm publish"), ...readme }, "release"), ["make release"])
  })

  it("`run` that prints how the program is used starts nothing", () => {
    const makefile = (options: string) => ({ Makefile: `serve: kettle\n\t./kettle ${options}\n` })
    assert.deepStrictEqual(commandsIn(makefile("--help"), "run"), [])
    assert.deepStrictEqual(commandsIn(makefile("--port 80"), "run"), ["make serve"])
  })

  it("tests that need files which a list names, and which are not there, come after what a document says", () => {
    const makefile = {
      Makefile:
        "SAMPLES=test/tea.in test/milk.in\n\nout.txt: kettle $(SAMPLES)\n\t./kettle $(SAMPLES) > out.txt\n\ntest: out.txt\n\tdiff out.txt good.txt\n\ncheck:\n\t./test.sh\n"
    }
    const texts = { ...makefile, INSTALL: "Then\n\n    make check\n" }
    assert.strictEqual(commandsIn(texts, "test")[0], "make check")
    const including = (file: string) => ({ ...texts, Makefile: `${makefile.Makefile}\ninclude ${file}\n` })
    assert.strictEqual(commandsIn(including(".depend"), "test")[0], "make check")
    assert.strictEqual(commandsIn(including("rules.mk"), "test")[0], "make test")
    const whole = { ...texts, "test/tea.in": "", "test/milk.in": "" }
    assert.strictEqual(commandsIn(whole, "test")[0], "make test")
  })
})
