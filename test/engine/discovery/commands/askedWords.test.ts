import { assert, describe, it } from "vitest"
import { ordered, type Purpose } from "../../../../src/engine/discovery/commands/Command.ts"
import { purposeOfScript } from "../../../../src/engine/discovery/commands/words.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Facts = Readonly<Record<string, Partial<Observed>>>

const first = (texts: Readonly<Record<string, string>>, observed: Facts = {}, purpose: Purpose = "run") =>
  ordered(commandsOf(surveyOf(texts, observed)), purpose)[0]?.command

describe("Starts of programs that must be given something", () => {
  it("`go run` is shown with the command that its package asks for", () => {
    const go = { "go.mod": "module example.org/kettle\n", "main.go": "" }
    assert.strictEqual(first(go, { "main.go": { isEntryPoint: 3, asks: "command" } }), "go run . <command>")
    assert.strictEqual(first(go, { "main.go": { isEntryPoint: 3 } }), "go run .")
    const observed: Facts = {
      "main.go": { isEntryPoint: 3, imports: [{ module: "example.org/kettle/cmd", names: [], line: 2 }] },
      "cmd/root.go": { asks: "command" }
    }
    assert.strictEqual(first(go, observed), "go run . <command>")
  })

  it("what another package of the module asks for is not asked by the program", () => {
    const go = { "go.mod": "module example.org/kettle\n", "main.go": "" }
    const observed: Facts = {
      "main.go": { isEntryPoint: 3, imports: [{ module: "example.org/kettle/cmd", names: [], line: 2 }] },
      "tea/root.go": { asks: "command" }
    }
    assert.strictEqual(first(go, observed), "go run .")
  })

  it("`cargo run` is shown with what stands behind `--`", () => {
    const cargo = { "Cargo.toml": '[package]\nname = "kettle"\n', "src/main.rs": "" }
    assert.strictEqual(
      first(cargo, { "src/main.rs": { isEntryPoint: 1 }, "src/cli.rs": { asks: "command" } }),
      "cargo run -- <command>"
    )
    assert.strictEqual(
      first(cargo, { "src/main.rs": { isEntryPoint: 1 }, "src/tea.rs": { asks: "command" } }),
      "cargo run"
    )
  })

  it("a program that a manifest of Python installs is that of the module it names", () => {
    const python = { "pyproject.toml": '[project]\nname = "kettle"\n[project.scripts]\nkettle = "kettle.cli:main"\n' }
    assert.strictEqual(first(python, { "kettle/cli.py": { asks: "arguments" } }), "kettle <arguments>")
    assert.strictEqual(first(python, { "kettle/cli.py": {}, "kettle/tea.py": { asks: "arguments" } }), "kettle")
  })

  it("a start with something behind the program is left as a document has it", () => {
    const cargo = {
      "Cargo.toml": '[package]\nname = "kettle"\n',
      "README.md": "# Kettle\n\n```sh\ncargo run -- tea\n```\n"
    }
    assert.strictEqual(first(cargo, { "src/main.rs": { isEntryPoint: 1, asks: "command" } }), "cargo run -- tea")
  })
})

describe("Other first commands", () => {
  it("a target that formats the sources comes after one that only looks at them", () => {
    const lines = (flag: string) => `\tpython -m black ${flag}.\n\tpython -m flake8 .\n\tpython -m pytest\n`
    const makefile = `CI:\n${lines("")}\ncheck:\n${lines("--check ")}`
    assert.strictEqual(first({ Makefile: makefile, "kettle.py": "", "test_kettle.py": "" }, {}, "check"), "make check")
  })

  it("a script that serves the product for its tests runs none, unless it runs some", () => {
    assert.strictEqual(purposeOfScript("serve:test", "KETTLE_PORT=5060 nodemon ./bin/kettle.js serve"), null)
    assert.strictEqual(purposeOfScript("serve:test", "vitest run"), "test")
    assert.strictEqual(purposeOfScript("unit:test", "node boil.js"), "test")
  })

  it("programs that do something to the data of an application are no start; its settings start it", () => {
    const texts = {
      "setup.py":
        "setup(name='kettle', entry_points={'paste.app_factory': ['main = kettle:main'],\n'console_scripts': [\n'kettle-migrate = kettle.m:main',\n'kettle-reset = kettle.r:main']})",
      "README.md": "# Kettle\n",
      "kettle/views.py": ""
    }
    const route = {
      framework: "pyramid",
      method: "GET",
      path: "/",
      handler: null,
      guards: [],
      line: 1,
      end: 1
    } as const
    const observed: Facts = { "kettle/views.py": { routes: [route] } }
    assert.strictEqual(first(texts, observed), undefined)
    assert.strictEqual(first({ ...texts, "development.ini": "" }, observed), "pserve development.ini")
  })

  it("one test of Rust is one of the sources where files for tests only help", () => {
    const texts = { "Cargo.toml": '[package]\nname = "kettle"\n' }
    const test = { kind: "test", shape: "#[test]", line: 3, end: 5, symbol: "boils" } as const
    const observed: Facts = { "src/lib.rs": { sites: [test] }, "src/tests/utils.rs": { sites: [] } }
    assert.strictEqual(first(texts, observed, "test_case"), "cargo test boils")
  })
})
