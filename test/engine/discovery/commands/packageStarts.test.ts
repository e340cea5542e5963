import { assert, describe, it } from "vitest"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const runs = (texts: Texts, observed: Readonly<Record<string, Partial<Observed>>> = {}): ReadonlyArray<string> =>
  commandsOf(surveyOf(texts, observed))
    .filter(({ purpose }) => purpose === "run")
    .map(({ command }) => command)

describe("Packages of Python that are started by their name", () => {
  const manifest = { "pyproject.toml": '[project]\nname = "tea-shop"\n' }
  const main = { isEntryPoint: 3 }
  const django = { ...main, calls: [["execute_from_command_line", 1, 9]] } as const

  it("a package that hands its arguments to Django serves by it", () => {
    const inside = { ...manifest, "src/shop/__init__.py": "" }
    assert.deepStrictEqual(runs(inside, { "src/shop/server/__main__.py": django }), ["python -m shop.server runserver"])
    const beside = { "manage.py": {}, "src/shop/server/__main__.py": django }
    assert.deepStrictEqual(runs(inside, beside), ["python manage.py runserver"])
    assert.deepStrictEqual(runs(inside, { "src/shop/server/__main__.py": main }), [])
  })

  it("the only package with a main file is started where nothing speaks of it, or the one with the product's name", () => {
    assert.deepStrictEqual(runs(manifest, { "shop/__main__.py": main }), ["python -m shop"])
    const two = { "tea_shop/__main__.py": main, "till/__main__.py": main }
    assert.deepStrictEqual(runs(manifest, two), ["python -m tea_shop"])
    assert.deepStrictEqual(runs(manifest, { "shop/__main__.py": main, "till/__main__.py": main }), [])
  })

  it("what helps those who work on it is no start, nor is a package that no manifest installs", () => {
    assert.deepStrictEqual(runs(manifest, { "tools/__main__.py": main, "scripts/shop/__main__.py": main }), [])
    assert.deepStrictEqual(runs({ Makefile: "" }, { "shop/__main__.py": main }), [])
  })
})

describe("Manual pages of several programs", () => {
  const page = (name: string) => `.TH X 1\n.SH SYNOPSIS\n.B ${name}\n[options] file\n.SH DESCRIPTION\nText.\n`
  const pages = (...names: ReadonlyArray<string>) =>
    Object.fromEntries(names.map((name) => [`man/${name}.1`, { text: page(name) }]))
  const readme = { "README.md": "# Kettle\n\nTools for tea.\n" }

  it("the only one whose name begins with the product's is shown", () => {
    assert.deepStrictEqual(runs(readme, pages("kettle-boil", "teapot")), ["kettle-boil [options] file"])
    assert.deepStrictEqual(runs(readme, pages("kettle-boil", "kettle-pour", "teapot")), [])
    assert.deepStrictEqual(runs(readme, pages("spout", "teapot")), [])
  })

  it("a program with the product's own name comes before what only helps it", () => {
    const made = { Makefile: "PROGS = kettle\n\nall: $(PROGS)\n" }
    assert.deepStrictEqual(runs({ ...readme, ...made }, pages("kettle-boil", "teapot")), ["./kettle"])
  })

  it("programs that the build makes and that are named alike are each shown", () => {
    const made = {
      Makefile: "PROGS = teapotd teapotctl\n\nall: $(PROGS)\n",
      README: "$Id: README,v 1.3 2005/01/12 $\n\nHOT WATER\n"
    }
    assert.deepStrictEqual(runs(made, pages("teapotd", "teapotctl")), [
      "teapotctl [options] file",
      "teapotd [options] file"
    ])
    const others = { ...made, Makefile: "PROGS = boil pour\n\nall: $(PROGS)\n" }
    assert.deepStrictEqual(runs(others, pages("boil", "pour")), [])
  })
})
