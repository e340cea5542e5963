import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { shellIn } from "../../../../src/engine/discovery/commands/shellIn.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const commandsIn = (texts: Texts, purpose: Purpose): ReadonlyArray<string> =>
  ordered(commandsOf(surveyOf(texts)), purpose).map(({ command }) => command)

const crate = { "Cargo.toml": '[package]\nname = "kettle"\n', "src/lib.rs": "pub fn boil() {}\n" }

describe("Recipes that do something else", () => {
  it("what runs again at each change neither tests nor lints, and may start the program", () => {
    const justfile =
      "watch +args='check':\n    cargo watch --exec '{{args}}'\n\ntest: (watch 'test')\n\nlint:\n    watchexec cargo clippy\n\nrun:\n    cargo watch -x run\n"
    assert.deepStrictEqual(commandsIn({ ...crate, justfile }, "test"), ["cargo test"])
    assert.notInclude(commandsIn({ ...crate, justfile }, "lint"), "just lint")
    assert.include(commandsIn({ ...crate, justfile }, "run"), "just run")
    const once = justfile.replace("test: (watch 'test')", "test:\n    cargo test")
    assert.deepStrictEqual(commandsIn({ ...crate, justfile: once }, "test"), ["just test"])
  })

  it("a release that is only tried unless it is given a value is none", () => {
    const justfile = (line: string) => ({ ...crate, justfile: `bump dry="true":\n    ${line}\n` })
    const choice = 'bump-my-version bump {{ if dry == "true" { "--dry-run" } else { "" } }}'
    assert.deepStrictEqual(commandsIn(justfile(choice), "release"), [])
    assert.deepStrictEqual(commandsIn(justfile(`LEVEL={{ x }} ${choice}`), "release"), [])
    assert.deepStrictEqual(commandsIn(justfile("bump-my-version bump patch"), "release"), ["just bump"])
  })

  it("tests that end in a browser come after those that a document asks for", () => {
    const texts = (last: string) => ({
      justfile: `test:\n    pytest\n    ${last}\n`,
      "CONTRIBUTING.md": "# Contributing\n\n## Tests\n\n```sh\npytest\n```\n"
    })
    assert.deepStrictEqual(commandsIn(texts("xdg-open htmlcov/index.html"), "test"), ["pytest", "just test"])
    assert.deepStrictEqual(commandsIn(texts("rm -rf htmlcov"), "test"), ["just test", "pytest"])
  })

  it("an aggregate target is no program, the file that a rule makes is one", () => {
    const makefile = (phony: string, rest: string) => ({
      Makefile: `default: kettle\n\nkettle: ${rest}\n\n.PHONY: ${phony}\n`,
      "kettle.c": "int main() { return 0; }\n"
    })
    assert.notInclude(commandsIn(makefile("kettle lint", "lint cover"), "run"), "./kettle")
    assert.include(commandsIn(makefile("lint", "kettle.c\n\t$(CC) kettle.c -o kettle"), "run"), "./kettle")
    assert.include(commandsIn(makefile("kettle", "kettle.c\n\t$(CC) kettle.c -o kettle"), "run"), "./kettle")
  })

  it("Cargo is asked for a file of tests only where it looks for some", () => {
    const asked = (manifest: string, purpose: Purpose) => {
      const pours: Partial<Observed> = { sites: [{ kind: "test", shape: "test", line: 1, end: 2, symbol: "pours" }] }
      const survey = surveyOf({ "Cargo.toml": `[package]\nname = "kettle"\n${manifest}` }, { "tests/pour.rs": pours })
      return ordered(commandsOf(survey), purpose).map(({ command }) => command)
    }
    assert.deepStrictEqual(asked("", "test_file"), ["cargo test --test pour"])
    assert.deepStrictEqual(asked("autotests = false\n", "test_file"), [])
    const listed = 'autotests = false\n\n[[test]]\nname = "pour"\n'
    assert.deepStrictEqual(asked(listed, "test_file"), ["cargo test --test pour"])
    assert.deepStrictEqual(asked("autotests = false\n", "test_case"), ["cargo test pours"])
  })
})

describe("What documents and pipelines show beside commands", () => {
  const linesIn = (block: string) => shellIn(`# Kettle\n\n\`\`\`console\n${block}\n\`\`\`\n`).map(({ text }) => text)

  it("what a command prints is none, behind a first line with a prompt", () => {
    assert.deepStrictEqual(linesIn("$ just test-all\ncc *.c -o main\n./test --all"), ["just test-all"])
    assert.deepStrictEqual(linesIn("$ make \\\n  all\nBuilt."), ["make all"])
    assert.deepStrictEqual(linesIn("make\n./test --all"), ["make", "./test --all"])
  })

  it("is read at bounded cost, however many lines repeat it", () => {
    const start = performance.now()
    const readme = `\`\`\`console\n${"$ make\nBuilt.\n".repeat(20_000)}\`\`\`\n`
    commandsIn({ "README.md": readme, "kettle.py": "x = 1\n", Makefile: "all:\n\tcc kettle.c\n" }, "build")
    const steps = "          awk '\n          make\n          '\n          echo \\\"\n".repeat(10_000)
    const workflow = `on: push\njobs:\n  a:\n    steps:\n      - run: |\n${steps}`
    commandsIn({ ".github/workflows/ci.yml": workflow, "kettle.py": "x = 1\n" }, "build")
    assert.isBelow(performance.now() - start, 20_000)
  })

  it("what follows a prompt that only leads to the folder is typed there, and so is what the administrator types", () => {
    assert.deepStrictEqual(linesIn("$ git clone http://tea.example/kettle\nmake\nmake test").slice(1), [
      "make",
      "make test"
    ])
    assert.deepStrictEqual(linesIn("$ make\n# make install"), ["make", "make install"])
  })

  it("a text over several lines of a step is an argument, and so is the input of a command", () => {
    const steps = (lines: ReadonlyArray<string>) => ({
      ".github/workflows/ci.yml": `on: pull_request\njobs:\n  a:\n    steps:\n      - run: |\n${lines.map((line) => `          ${line}\n`).join("")}`
    })
    const awk = ["awk '", "  /^#/ {", "    next", "  }", "' CHANGES", "# it's built", "uv build"]
    assert.deepStrictEqual(commandsIn(steps(awk), "build"), ["uv build"])
    assert.deepStrictEqual(commandsIn(steps(["cat > run.sh <<EOF", "uv build", "EOF", "hatch build"]), "build"), [
      "hatch build"
    ])
    assert.deepStrictEqual(commandsIn(steps(['echo "it\'s"', "uv build"]), "build"), ["uv build"])
  })

  it("a tool for releases is shown in its own readme, and releases itself as its guide for contributors says", () => {
    const texts = (path: string) => ({
      "pyproject.toml": '[project]\nname = "tbump"\n\n[project.scripts]\ntbump = "tbump:main"\n',
      "tbump.py": "def main():\n    pass\n",
      [path]: "# Tbump\n\n## Usage\n\n```sh\ntbump minor --push\n```\n"
    })
    assert.deepStrictEqual(commandsIn(texts("README.md"), "release"), [])
    assert.deepStrictEqual(commandsIn(texts("CONTRIBUTING.md"), "release"), ["tbump minor --push"])
  })

  it("tests of a readme lie in a folder of the tree", () => {
    const texts = { "README.md": "# Kettle\n\n## Tests\n\n```sh\npytest -v tests/unit\n```\n", "kettle.py": "x = 1\n" }
    assert.deepStrictEqual(commandsIn(texts, "test"), [])
    assert.include(commandsIn({ ...texts, "tests/unit/test_a.py": "" }, "test"), "pytest -v tests/unit")
  })

  it("submodules are fetched beside what the package manager installs", () => {
    const texts = {
      "README.md": "# Kettle\n\n## Testing\n\n```sh\ngit submodule update\n```\n",
      "package.json": '{"name": "kettle", "dependencies": {"tea": "1"}}',
      "kettle.js": ""
    }
    assert.deepStrictEqual(commandsIn(texts, "install"), ["npm install", "git submodule update"])
  })
})
