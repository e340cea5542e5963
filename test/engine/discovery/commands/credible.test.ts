import { assert, describe, it } from "vitest"
import { entryPointsOf } from "../../../../src/engine/discovery/architecture/entries.ts"
import { ordered, type Purpose } from "../../../../src/engine/discovery/commands/Command.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

/** Commands for a purpose in the order in which they are listed, with their folder before them. */
const commandsFor = (purpose: Purpose, texts: Texts, observed: Readonly<Record<string, Partial<Observed>>> = {}) =>
  ordered(commandsOf(surveyOf(texts, observed)), purpose).map(({ command, folder }) =>
    folder === "" ? command : `${folder}$ ${command}`
  )

/** That many files of one length. */
const files = (ending: string, count: number): Texts =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/${ending}${index}.${ending}`, ""]))

const workflow = (...lines: ReadonlyArray<string>) => ({
  ".github/workflows/ci.yml": `on: push\njobs:\n  one:\n    steps:\n      - run: |\n${lines.map((line) => `          ${line}\n`).join("")}`
})

describe("Lines of a pipeline's step", () => {
  const part = { "site/package.json": "{}", "site/app.js": "" }

  it("are run in the folder that a line above them leads to, until one leads back", () => {
    const step = workflow("cd site", "npm install", "cd -", "bundle install")
    assert.deepStrictEqual(commandsFor("install", { ...part, ...step, Gemfile: "" }), [
      "bundle install",
      "site$ npm install"
    ])
    const oneLine = workflow("cd site && npm install")
    assert.deepStrictEqual(commandsFor("install", { ...part, ...oneLine }), ["site$ npm install"])
  })

  it("are left out below a folder that the step makes, or that is known only when it runs", () => {
    assert.deepStrictEqual(commandsFor("install", workflow("cd made", "npm install")), [])
    assert.deepStrictEqual(commandsFor("install", workflow("cd $WORK", "npm install")), [])
  })

  it("that configure and make are one build, in their order", () => {
    const tree = { "configure.ac": "AC_INIT\n", ...workflow("autoreconf -fi", "./configure", "make -j4") }
    assert.strictEqual(commandsFor("build", tree)[0], "autoreconf -fi && ./configure && make -j4")
    assert.deepStrictEqual(commandsFor("build", { Makefile: "", ...workflow("make -j4", "make all") }), [
      "make -j4",
      "make all"
    ])
  })
})

describe("What is asked first", () => {
  it("an image is made after everything else is", () => {
    const image = { Dockerfile: "FROM scratch\nCOPY . .\n", ...workflow("docker build .") }
    assert.deepStrictEqual(commandsFor("build", { ...image, "go.mod": "module example.com/kettle\n" }), [
      "go build ./...",
      "docker build ."
    ])
  })

  it("scripts of the language that most is written in come before those of another", () => {
    const manifests = {
      "package.json": '{"scripts":{"test":"jest"}}',
      "composer.json": '{"scripts":{"test":"phpunit"}}',
      "phpunit.xml.dist": "<phpunit/>",
      "test/a.test.js": ""
    }
    assert.deepStrictEqual(commandsFor("test", { ...manifests, ...files("php", 9), ...files("js", 1) }), [
      "composer test",
      "npm test"
    ])
    assert.deepStrictEqual(commandsFor("test", { ...manifests, ...files("php", 1), ...files("js", 9) }), [
      "npm test",
      "composer test"
    ])
  })

  it("what helpers in another language need is not what the program needs", () => {
    const needs = { "requirements.txt": "pytest\n" }
    assert.deepStrictEqual(commandsFor("install", { ...needs, ...files("go", 9), ...files("py", 1) }), [])
    assert.deepStrictEqual(commandsFor("install", { ...needs, ...files("go", 1), ...files("py", 9) }), [
      "pip install -r requirements.txt"
    ])
  })

  it("a script that runs one file of tests comes after what runs all", () => {
    const tree = {
      "tox.ini": "[testenv]\ncommands = python -m pytest tests/test_core.py\n",
      Makefile: "test:\n\tpytest\n"
    }
    assert.deepStrictEqual(commandsFor("test", tree), ["make test", "tox"])
  })
})

describe("Names of scripts and targets", () => {
  it("the one that is named for the purpose comes before those that do it among other things", () => {
    assert.deepStrictEqual(commandsFor("test", { Makefile: "cli:\n\tgo test ./cli\ntest:\n\tgo test ./...\n" }), [
      "make test",
      "make cli"
    ])
  })

  it("`dev` that only builds is a build", () => {
    assert.deepStrictEqual(commandsFor("run", { Makefile: "dev:\n\tgo install .\n" }), [])
    assert.deepStrictEqual(commandsFor("build", { Makefile: "dev:\n\tgo install .\n" }), ["make dev"])
    assert.deepStrictEqual(commandsFor("run", { Makefile: "dev:\n\tgo run .\n" }), ["make dev"])
  })

  it("notes on a release are no release, an archive of the sources is no build", () => {
    assert.deepStrictEqual(commandsFor("release", { Makefile: "release-notes:\n\tgit log\nrelease:\n\t./ship\n" }), [
      "make release"
    ])
    assert.deepStrictEqual(commandsFor("build", { Makefile: "dist:\n\ttar cz . > a.tgz\n" }), [])
    assert.deepStrictEqual(commandsFor("build", { Makefile: "dist:\n\tgo build .\n\ttar cz kettle\n" }), ["make dist"])
  })

  it("a linter's name within a path is no linter", () => {
    const readme = "```\npython cppcheck/tools/donate.py\ncppcheck src\n```\n"
    assert.deepStrictEqual(commandsFor("lint", { "CONTRIBUTING.md": readme }), ["cppcheck src"])
  })

  it("tests with a tag are not all tests", () => {
    const text = "```\nbusted -t unit\n```\n"
    assert.deepStrictEqual(commandsFor("test", { "CONTRIBUTING.md": text, ".busted": "return {}\n" }), ["busted"])
  })
})

describe("One file of tests", () => {
  it("of PHP is run with the program that Composer puts in place", () => {
    const tests = { "tests/AbstractTeaTest.php": "", "tests/TeaTest.php": "" }
    const fileOf = (composer: string) => commandsFor("test_file", { ...tests, "composer.json": composer })
    assert.deepStrictEqual(fileOf('{"require-dev": {"phpunit/phpunit": "9"}}'), [
      "vendor/bin/phpunit tests/TeaTest.php"
    ])
    assert.deepStrictEqual(fileOf('{"require-dev": {"symfony/phpunit-bridge": "5"}}'), [
      "vendor/bin/simple-phpunit tests/TeaTest.php"
    ])
    assert.deepStrictEqual(fileOf('{"require-dev": {"phpunit/phpunit": "9"}, "config": {"bin-dir": "bin"}}'), [])
    assert.deepStrictEqual(fileOf("{}"), [])
  })
})

describe("How a program is started", () => {
  const program = { "Cargo.toml": '[package]\nname = "kettle"\n' }
  const runs = (...lines: ReadonlyArray<string>) =>
    commandsFor("run", { ...program, "config/tea.toml": "", "README.md": `\`\`\`\n${lines.join("\n")}\n\`\`\`\n` })

  it("is not how one that runs is looked after", () => {
    assert.deepStrictEqual(runs("kettle update", "kettle ls", "kettle --recompile", "kettle boil"), ["kettle boil"])
  })

  it("is shown with files that are there", () => {
    assert.deepStrictEqual(runs("kettle -r ./config/environment", "kettle -r ./config/tea.toml"), [
      "kettle -r ./config/tea.toml"
    ])
  })
})

describe("What a document shows", () => {
  it("what builds and then puts in place is a build, too", () => {
    const guide = { "README.md": "```\nmeson Build\nninja -C Build && sudo ninja -C Build install\n```\n" }
    const tree = { ...guide, "meson.build": "project('kettle')\n" }
    assert.deepStrictEqual(commandsFor("build", tree).slice(0, 1), ["meson Build && ninja -C Build"])
    assert.deepStrictEqual(commandsFor("use", tree), ["sudo ninja -C Build install"])
  })

  it("a sentence that begins with a linter's name is none", () => {
    const lint = (line: string) => commandsFor("lint", { "CONTRIBUTING.md": `    ${line}\n` })
    assert.deepStrictEqual(lint("standard perl methods should work for these."), [])
    assert.deepStrictEqual(lint("flake8 skips all checks on the line."), [])
    assert.deepStrictEqual(lint("standard --fix"), ["standard --fix"])
  })

  it("a container is started after what is usual", () => {
    const tree = { "Cargo.toml": '[package]\nname = "kettle"\n', "README.md": "```\ndocker run kettle\n```\n" }
    assert.deepStrictEqual(commandsFor("run", tree, { "src/main.rs": { isEntryPoint: 1 } }), [
      "cargo run",
      "docker run kettle"
    ])
  })

  it("a folder of the repository's name that holds no manifest is the checkout", () => {
    const guide = { "CONTRIBUTING.md": "```\ncd kettle\npoetry install\n```\n", "kettle/a.py": "" }
    const manifest = '[project]\nname = "kettle"\n'
    assert.include(commandsFor("install", { ...guide, "pyproject.toml": manifest }), "poetry install")
    assert.include(commandsFor("install", { ...guide, "kettle/pyproject.toml": manifest }), "kettle$ poetry install")
  })

  it("a step that needs a script which has to be made first gives way to what is usual", () => {
    const guide = { INSTALL: "    ./configure\n    make\n", "configure.ac": "AC_INIT\n" }
    assert.deepStrictEqual(commandsFor("build", { ...guide, "autogen.sh": "" }), [
      "./autogen.sh && ./configure && make"
    ])
    assert.deepStrictEqual(commandsFor("build", { ...guide, configure: "" }), ["./configure && make"])
  })

  it("one test of Go without its package is run where tests are", () => {
    const guide = { "CONTRIBUTING.md": "```\ngo test -run TestBoil\n```\n", "go.mod": "module example.com/kettle\n" }
    assert.notInclude(commandsFor("test_case", guide, { "tea/a_test.go": {} }), "go test -run TestBoil")
    assert.include(commandsFor("test_case", guide, { "a_test.go": {} }), "go test -run TestBoil")
  })
})

describe("Entry points", () => {
  const entries = (texts: Texts, ...paths: ReadonlyArray<string>) =>
    entryPointsOf(surveyOf(texts, Object.fromEntries(paths.map((path) => [path, { isEntryPoint: 1 }])))).map(
      ({ file_path }) => file_path
    )

  it("Cabal says where a program starts", () => {
    const cabal =
      "name: kettle\nlibrary\n  exposed-modules: Tea\nexecutable kettle\n  main-is: Main.hs\n  hs-source-dirs: app\n"
    assert.deepStrictEqual(entries({ "kettle.cabal": cabal, "app/Main.hs": "" }), ["app/Main.hs"])
    assert.deepStrictEqual(entries({ "kettle.cabal": cabal, "Main.hs": "" }), [])
  })

  it("what is copied into a new project, or into a release, is none", () => {
    assert.deepStrictEqual(
      entries({ "Makefile.PL": "" }, "share/skel/bin/app.psgi", "rel/files/nodetool", "script/kettle"),
      ["script/kettle"]
    )
  })

  it("a package of Java may be called tools; an installer and cases of tests come last", () => {
    const main = "src/main/org/apache/tools/ant/Main.java"
    assert.deepStrictEqual(entries({}, "installer/Install.java", "src/etc/testcases/A.java", main)[0], main)
  })
})
