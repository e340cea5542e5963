import { assert, describe, it } from "vitest"
import type { Purpose } from "../../../../src/engine/discovery/commands/Command.ts"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>
type Seen = Readonly<Record<string, Partial<Observed>>>

const first = (purpose: Purpose, texts: Texts, observed: Seen = {}): string | undefined =>
  ordered(commandsOf(surveyOf(texts, observed)), purpose)[0]?.command

const main = { isEntryPoint: 3 }
const block = (...lines: ReadonlyArray<string>) => `# Shop\n\n## Use\n\n\`\`\`sh\n${lines.join("\n")}\n\`\`\`\n`

describe("Starts that documents show", () => {
  const cargo = { "Cargo.toml": '[package]\nname = "kettle"\n' }
  const form = "kettle [OPTIONS] <SUBCOMMAND>"

  it("by an example come before a form that leaves open what is asked for", () => {
    const example = "kettle --config tea.toml boil"
    assert.strictEqual(first("run", { ...cargo, "README.md": block(form, example) }), example)
    assert.strictEqual(first("run", { ...cargo, "README.md": block("kettle COMMAND", example) }), example)
    const two = { "README.md": `# Kettle\n\n${form}\n`, "HACKING.md": block(example) }
    assert.strictEqual(first("run", { ...cargo, ...two }), example)
    assert.strictEqual(first("run", { ...cargo, "README.md": block("kettle <file>", example) }), "kettle <file>")
  })

  it("are what a build leaves in a folder under the product's name, whatever its sources are called", () => {
    const go = {
      "go.mod": "module example.org/tea-kettle\n",
      "README.md": block("make", "./bin/tea-kettle --pot boil")
    }
    const seen = { "cmd/manager/main.go": main }
    assert.strictEqual(first("run", go, seen), "./bin/tea-kettle --pot boil")
    const other = { ...go, "README.md": block("./bin/spout -v boil") }
    assert.strictEqual(first("run", other, seen), "go run ./cmd/manager")
  })

  it("are of the only program of several that Makefiles and documents name", () => {
    const seen = { "cmd/pot/main.go": main, "cmd/tea-boiler/main.go": main }
    const go = { "go.mod": "module example.org/tools\n" }
    assert.strictEqual(
      first("run", { ...go, Makefile: "release-tea-boiler:\n\tgo build ./...\n" }, seen),
      "go run ./cmd/pot"
    )
    assert.strictEqual(first("run", { ...go, Makefile: "OUT = tea-boiler\n" }, seen), "go run ./cmd/tea-boiler")
    assert.strictEqual(first("run", { ...go, Makefile: "OUT = pot tea-boiler\n" }, seen), "go run ./cmd/pot")
  })
})

describe("Tests of Python whose runner no settings name", () => {
  const project = { "pyproject.toml": '[project]\nname = "shop"\n', "shop/__init__.py": "" }
  const file = (module: string): Partial<Observed> => ({
    imports: [{ module, line: 1, names: [] }] as unknown as Observed["imports"],
    sites: [{ kind: "test", symbol: "Orders.test_sum", line: 4 }] as unknown as Observed["sites"]
  })
  const seen = (module: string): Seen => ({ "tests/test_orders.py": file(module) })

  it("are run by what Python brings where they import that, in the folder that they lie in", () => {
    assert.strictEqual(first("test", project, seen("unittest")), "python -m unittest discover -s tests")
    assert.strictEqual(
      first("test", { ...project, "tests/__init__.py": "" }, seen("unittest")),
      "python -m unittest discover"
    )
    assert.strictEqual(first("test_file", project, seen("unittest")), "python -m unittest tests/test_orders.py")
    assert.strictEqual(
      first("test_case", project, seen("unittest")),
      "python -m unittest tests.test_orders.Orders.test_sum"
    )
    assert.isUndefined(first("test", { ...project, "tox.ini": "" }, seen("unittest")))
    assert.isUndefined(first("test", project, seen("nose")))
  })

  it("are run one by one with the runner that a document names", () => {
    const readme = { "README.md": "# Shop\n\n## Tests\n\nTo run the tests use `pytest`.\n" }
    assert.strictEqual(
      first("test_case", { ...project, ...readme }, seen("unittest")),
      "pytest tests/test_orders.py::Orders::test_sum"
    )
  })

  it("are not run by a runner that only the words about the product name", () => {
    const manifest = { "pyproject.toml": '[project]\nname = "shop"\nkeywords = ["pytest", "tea"]\n' }
    assert.isUndefined(first("test_file", manifest, seen("nose")))
    const dependent = { "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["pytest"]\n' }
    assert.strictEqual(first("test_file", dependent, seen("nose")), "pytest tests/test_orders.py")
  })
})

describe("Targets called `test`", () => {
  it("that only link a program of that name test nothing", () => {
    const makefile = (body: string) => ({ Makefile: `test: test.cmo\n\t${body}\n`, "test.ml": "let () = ()\n" })
    assert.isUndefined(first("test", makefile("$(OCAMLC) -o $@ unix.cma $^")))
    assert.isUndefined(first("test", makefile("gcc -o test test.o")))
    assert.strictEqual(first("test", makefile("gcc -o test test.o && ./test")), "make test")
    assert.strictEqual(first("test", makefile("./test")), "make test")
  })
})

describe("A plug-in of a server", () => {
  it("is built into it by the program for that", () => {
    const go = { "go.mod": "module example.org/tea\n" }
    const readme = { "README.md": block("xcaddy build --with example.org/tea") }
    assert.strictEqual(first("build", { ...go, ...readme }), "xcaddy build --with example.org/tea")
    assert.strictEqual(first("build", go), "go build ./...")
  })
})
