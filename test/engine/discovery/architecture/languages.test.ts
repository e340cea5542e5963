import { assert, describe, it } from "vitest"
import { entryPointsOf, routeItems } from "../../../../src/engine/discovery/architecture/entries.ts"
import { storeItems } from "../../../../src/engine/discovery/architecture/stores.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { outputOf, surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>
type Facts = Readonly<Record<string, Partial<Observed>>>

const entriesIn = (texts: Texts, facts: Facts = {}): ReadonlyArray<string> =>
  entryPointsOf(surveyOf(texts, facts)).map(({ file_path }) => file_path)

/** Entry points with their lines, of code that is parsed. */
const placesIn = async (texts: Texts): Promise<ReadonlyArray<string>> => {
  const { hyrax_md } = await outputOf(texts)
  return [...(hyrax_md ?? "").matchAll(/^- `([\w./-]+:\d+)`: (?:declares what runs|what the kernel)/gm)].map(
    ([, place]) => place!
  )
}

const started: Partial<Observed> = { isEntryPoint: 1 }

describe("Where programs start", () => {
  it("modules of Perl do not, though they begin with the line of a program", () => {
    const facts = { "lib/Kettle.pm": started, "Makefile.PL": started, "kettle.pl": started }
    assert.deepStrictEqual(entriesIn({}, facts), ["kettle.pl"])
  })

  it("programs that a list of Perl computes, or that a class of the build adds", () => {
    const made = 'my @bins = qw( kettle cup );\nWriteMakefile(EXE_FILES => [ map { "script/$_" } @bins ]);\n'
    const files = { "script/kettle.pl": "", "script/cup": "", "script/other": "" }
    assert.deepStrictEqual(entriesIn({ "Makefile.PL": made, ...files }), ["script/kettle.pl", "script/cup"])
    const built = "new(sbin_files => { 'script/cup' => 'sbin/cup' }, script_files => ['script/other']);\n"
    assert.deepStrictEqual(entriesIn({ "Build.PL": built, ...files }), ["script/cup", "script/other"])
  })

  it("of programs of dune the one that has the product's name first", () => {
    const stanza = (name: string) => `(executable\n (name main)\n (public_name ${name}))\n`
    const texts = { "README.md": "# Kettle\n", "a/dune": stanza("cup"), "b/dune": stanza("kettle") }
    assert.deepStrictEqual(entriesIn({ ...texts, "a/main.ml": "", "b/main.ml": "" }), ["b/main.ml", "a/main.ml"])
  })

  it("helpers that are installed come after what a package starts by its name, and alone they come first", () => {
    const scripts = '[project]\nname = "kettle"\n\n[project.scripts]\nfill = "kettle.scripts.fill:main"\n'
    const texts = { "pyproject.toml": scripts, "kettle/scripts/fill.py": "" }
    const facts = { "kettle/__main__.py": started, "kettle/scripts/fill.py": started }
    assert.deepStrictEqual(entriesIn(texts, facts), ["kettle/__main__.py", "kettle/scripts/fill.py"])
    assert.deepStrictEqual(entriesIn(texts, { "kettle/pour.py": started }), [
      "kettle/scripts/fill.py",
      "kettle/pour.py"
    ])
    const named = scripts.replace("fill =", "kettle =")
    assert.deepStrictEqual(entriesIn({ ...texts, "pyproject.toml": named }, facts)[0], "kettle/scripts/fill.py")
  })

  it("what a build makes before the file of its name with which a package hands it out", () => {
    const manifest = '{ "name": "kettle", "bin": { "kettle": "kettle.js" } }\n'
    const dune = "(executable (name main) (public_name kettle))\n"
    const texts = { "package.json": manifest, "kettle.js": "", "src/dune": dune, "src/main.ml": "" }
    assert.deepStrictEqual(entriesIn(texts), ["src/main.ml", "kettle.js"])
    assert.deepStrictEqual(entriesIn({ ...texts, "src/dune": dune.replace("kettle", "cup") })[0], "kettle.js")
  })

  it("the source of what npm start runs, and not a script for those who work on it", () => {
    const manifest = (start: string) => `{ "name": "kettle", "main": "index.js", "scripts": { "start": "${start}" } }\n`
    const texts = { "index.js": "", "src/server.ts": "", "scripts/serve.js": "" }
    assert.deepStrictEqual(
      entriesIn({ ...texts, "package.json": manifest("NODE_ENV=test node --inspect dist/server.js") }),
      ["src/server.ts", "index.js"]
    )
    for (const start of ["node scripts/serve.js", "webpack serve", "node dist/absent.js"])
      assert.deepStrictEqual(entriesIn({ ...texts, "package.json": manifest(start) })[0], "index.js", start)
  })

  it("what python -m starts, and packages for pages after the program that they are part of", () => {
    assert.deepStrictEqual(entriesIn({ "kettle/__main__.py": "", "__main__.py": "" }), ["kettle/__main__.py"])
    const page = { "web/package.json": '{ "name": "pages", "main": "index.js" }\n', "web/index.js": "" }
    assert.deepStrictEqual(entriesIn({ ...page, "main.go": "x".repeat(400) }, { "main.go": started })[0], "main.go")
    const grown = { ...page, "web/index.js": "x".repeat(400) }
    assert.deepStrictEqual(entriesIn({ ...grown, "main.go": "x" }, { "main.go": started })[0], "web/index.js")
  })

  it("a folder with the product's name counts as that with hyphens as well", () => {
    const facts = { "app/cup/main.go": started, "app/tea-kettle/main.go": started }
    assert.deepStrictEqual(
      entriesIn({ "go.mod": "module example.com/TeaKettle\n" }, facts)[0],
      "app/tea-kettle/main.go"
    )
    assert.deepStrictEqual(entriesIn({ "go.mod": "module example.com/TeaPot\n" }, facts)[0], "app/cup/main.go")
  })

  it("a program of dune that is not installed where no other is, but not one for tests", () => {
    const program = "(executable\n (name kettle)\n (libraries tea))\n"
    const files = { "bin/kettle.ml": "", "test/kettle.ml": "" }
    assert.deepStrictEqual(entriesIn({ "bin/dune": program, "test/dune": program, ...files }), ["bin/kettle.ml"])
    const installed = { "src/dune": "(executable (name main) (public_name cup))\n", "src/main.ml": "" }
    assert.deepStrictEqual(entriesIn({ "bin/dune": program, ...files, ...installed }), ["src/main.ml"])
  })

  it("the module that a Makefile links last into a program of OCaml", () => {
    const files = { "tea.ml": "", "cup.ml": "", "main.ml": "" }
    const direct = "kettle: tea.cmx main.cmx\n\tocamlopt -o kettle tea.cmx main.cmx\n"
    assert.deepStrictEqual(entriesIn({ Makefile: direct, ...files }), ["main.ml"])
    const byVariable =
      "OBJS = tea.cmx \\\n  cup.cmx\n\nkettle.opt: $(OBJS)\n\t$(OCAMLOPT) $(FLAGS) -o $@ unix.cmxa $^\n\nlibtea.cmxa: tea.cmx\n\tocamlopt -a -o $@ $^\n"
    assert.deepStrictEqual(entriesIn({ "Makefile.in": byVariable, ...files })[0], "cup.ml")
    assert.deepStrictEqual(entriesIn({ Makefile: "all:\n\tgcc -o kettle main.o\n", ...files }), [])
  })

  it("no module of variables that hold each other without end", async () => {
    const variables = ["A", "B", "C", "D"].map(
      (name, at, all) => `${name} = ${`$(${all[at + 1] ?? "A"}) `.repeat(20_000)}`
    )
    const makefile = `${variables.join("\n")}\n\nkettle: $(A)\n\t$(OCAMLOPT) -o $@ $^\n`
    assert.deepStrictEqual(await placesIn({ Makefile: makefile, "main.ml": "let () = main ()\n" }), ["main.ml:1"])
  })

  it("a module of OCaml that calls its main function when it is loaded; others do other things then", async () => {
    const entries = (text: string) => placesIn({ "src/kettle.ml": text })
    assert.deepStrictEqual(await entries("let main () = pour 1\n\nlet () = main ()\n"), ["src/kettle.ml:3"])
    assert.deepStrictEqual(await entries("let _ = Printexc.catch main ()\n"), ["src/kettle.ml:1"])
    assert.deepStrictEqual(await entries("let () = exit (Cmd.eval cmd)\n"), ["src/kettle.ml:1"])
    assert.deepStrictEqual(await entries("let () = Printexc.register_printer show\n"), [])
  })

  it("the main function of Vala", async () => {
    const entries = (text: string) => placesIn({ "src/kettle.vala": text })
    assert.deepStrictEqual(await entries("namespace Tea {\n\nvoid main(string[] args) {\n}\n}\n"), [
      "src/kettle.vala:3"
    ])
    const method = "class Tea {\n    public static int main(string[] args) {\n    }\n}\n"
    assert.deepStrictEqual(await entries(method), ["src/kettle.vala:2"])
    assert.deepStrictEqual(await entries("class Tea {\n    void remain() { main.pour(); }\n}\n"), [])
  })

  it("programs that Automake installs, in whichever folder; those for the build and for tests are none", () => {
    const made = "noinst_PROGRAMS = gentea\nbin_PROGRAMS = kettle\nkettle_SOURCES = cup.cpp cup.h \\\n  main.cpp\n"
    const files = { "src/game/main.cpp": "", "src/game/cup.cpp": "", "src/game/gentea.c": "", "tests/pour.c": "" }
    const build = { "src/game/Makefile.am": made, "tests/Makefile.am": "bin_PROGRAMS = pour\n" }
    assert.deepStrictEqual(entriesIn({ ...build, ...files }), ["src/game/main.cpp"])
    const main = { "src/game/cup.cpp": started }
    assert.deepStrictEqual(entriesIn({ ...build, ...files }, main)[0], "src/game/cup.cpp")
    assert.deepStrictEqual(entriesIn({ "src/Makefile.am": "bin_PROGRAMS = pour\n", "src/pour.c": "" }), ["src/pour.c"])
    assert.deepStrictEqual(entriesIn({ "src/Makefile.am": "noinst_PROGRAMS = pour\n", "src/pour.c": "" }), [])
  })

  it("goals of a Maven plugin, with the way to add one; annotations of the same name elsewhere are none", async () => {
    const goal = (name: string, packages = "org.apache.maven.plugins.annotations"): string =>
      `package org.tea;\n\nimport ${packages}.Mojo;\n\n@Mojo(defaultPhase = Phase.VERIFY, name = "${name}")\npublic class ${name[0]!.toUpperCase()}${name.slice(1)}Mojo extends AbstractMojo {\n}\n`
    const path = (name: string): string => `src/main/java/org/tea/${name[0]!.toUpperCase()}${name.slice(1)}Mojo.java`
    const all = (packages?: string) =>
      outputOf(Object.fromEntries(["pour", "boil", "rinse"].map((name) => [path(name), goal(name, packages)])))
    const { guides, hyrax_md } = await all()
    assert.include(hyrax_md ?? "", "`src/main/java/org/tea/PourMojo.java:5`: goal `pour` of the Maven plugin")
    const guide = guides.find(({ slug }) => slug === "add-a-command")?.content ?? ""
    assert.include(guide, "Declare a Maven goal (`@Mojo`) in a file of `src/main/java/org/tea`")
    const other = await all("org.coffee")
    assert.notInclude(other.hyrax_md ?? "", "goal `pour`")
    assert.isUndefined(other.guides.find(({ slug }) => slug === "add-a-command"))
  })

  it("the class with the product's name before the only one that a build names", () => {
    const build = '<project name="kettle"><attribute name="Main-Class" value="org.tea.Cup"/></project>'
    const facts: Facts = { "src/org/tea/Cup.java": started, "src/org/tea/Kettle.java": started }
    assert.deepStrictEqual(entriesIn({ "build.xml": build }, facts).slice(0, 2), [
      "src/org/tea/Kettle.java",
      "src/org/tea/Cup.java"
    ])
    const other = build.replace("kettle", "cup")
    assert.strictEqual(entriesIn({ "build.xml": other }, facts)[0], "src/org/tea/Cup.java")
  })

  it("the main file of a crate before its library", () => {
    const manifest = '[package]\nname = "kettle"\n\n[lib]\nname = "tea"\n'
    const texts = { "Cargo.toml": manifest, "src/lib.rs": "", "src/main.rs": "" }
    assert.deepStrictEqual(entriesIn(texts), ["src/main.rs", "src/lib.rs"])
    assert.deepStrictEqual(entriesIn({ "Cargo.toml": manifest, "src/lib.rs": "" }), ["src/lib.rs"])
  })

  it("the function that a script of Python calls, and no method of its name", async () => {
    const manifest = '[project]\nname = "kettle"\n\n[project.scripts]\nkettle = "kettle.cli:main"\n'
    const method = "class Pour:\n    def main(self):\n        pass\n\n\n"
    const shown = async (text: string) =>
      (await outputOf({ "pyproject.toml": manifest, "kettle/cli.py": text })).hyrax_md ?? ""
    assert.include(await shown(`${method}def main():\n    pass\n`), "`kettle/cli.py:6`: program")
    assert.include(await shown(`def main():\n    pass\n\n\n${method}`), "`kettle/cli.py:1`: program")
  })

  it("a program of Object Pascal, and no unit", async () => {
    const program = "{ once }\nPROGRAM Kettle;\nUSES Pour;\nBEGIN\n  Pour.Main;\nEND.\n"
    const unit = "unit Pour;\n// This program pours;\ninterface\nend.\n"
    for (const path of ["kettle.lpr", "Kettle.dpr", "src/kettle.pas", "kettle.pp"])
      assert.deepStrictEqual(await placesIn({ [path]: program, "pour.pas": unit }), [`${path}:2`])
    assert.deepStrictEqual(await placesIn({ "kettle.pp": "class kettle {\n}\n", "pour.pas": unit }), [])
  })

  it("what a package names in CoffeeScript or LiveScript", () => {
    const manifest = '{ "name": "kettle", "main": "./lib/kettle", "bin": { "pour": "lib/pour.js" } }\n'
    const texts = { "package.json": manifest, "lib/pour.ls": "", "src/kettle.coffee": "" }
    assert.deepStrictEqual(entriesIn(texts), ["lib/pour.ls", "src/kettle.coffee"])
    assert.deepStrictEqual(entriesIn({ ...texts, "lib/kettle.js": "" })[1], "lib/kettle.js")
  })

  it("a script that is too large for the audit, by its head, and no data of that size", async () => {
    const filler = "# tea\n".repeat(100_000)
    assert.deepStrictEqual(await placesIn({ "README.md": "# Kettle\n", "kettle.pl": `#!/usr/bin/perl\n${filler}` }), [
      "kettle.pl:1"
    ])
    assert.deepStrictEqual(await placesIn({ "README.md": "# Kettle\n", kettle: `#!/usr/bin/perl\n${filler}` }), [
      "kettle:1"
    ])
    assert.deepStrictEqual(await placesIn({ "README.md": "# Kettle\n", kettle: filler }), [])
    assert.deepStrictEqual(await placesIn({ "README.md": "# Kettle\n", "kettle.js": `#!/usr/bin/node\n${filler}` }), [])
  })

  it("modules of the kernel, where a Makefile makes one", async () => {
    const module = "static int pour(void)\n{\n\treturn 0;\n}\n\nmodule_init(pour);\n"
    const made = { Makefile: "obj-$(CONFIG_TEA) += kettle.o\n", "kettle.c": module }
    assert.deepStrictEqual(await placesIn(made), ["kettle.c:6"])
    assert.deepStrictEqual(await placesIn({ ...made, Makefile: "all: kettle.o\n" }), [])
  })
})

describe("What is not the product's", () => {
  it("routes of a profiler alone", () => {
    const route = (path: string) => ({
      routes: [{ method: "ANY", path, handler: null, line: 1, framework: "net/http", guards: [] }]
    })
    const shown = (path: string) =>
      routeItems(surveyOf({}, { "metrics.go": route(path) as unknown as Partial<Observed> })).length
    assert.deepStrictEqual([shown("/debug/pprof/profile"), shown("/metrics"), shown("/debugger")], [0, 1, 1])
  })

  it("memory that processes share", () => {
    const stores = (shown: string): Partial<Observed> => ({ stores: [{ kind: "files", line: 1, shown }] })
    const kept = (shown: string) => storeItems(surveyOf({}, { "kettle.c": stores(shown) })).length
    assert.deepStrictEqual([kept('fd = shm_open("/tea", O_CREAT)'), kept('open("/dev/shm/tea", O_CREAT)')], [0, 0])
    assert.strictEqual(kept('open("shmoop", O_CREAT)'), 1)
  })

  it("writes of tools for developers, of temporary files, and of the builder of a release", () => {
    const stores: Partial<Observed> = { stores: [{ kind: "files", line: 1, shown: "open(x)" }] }
    const shown = (path: string) => storeItems(surveyOf({}, { [path]: stores })).length
    for (const path of ["devtools/docs.pl", "src/tmp.go", "src/kettletemp.erl", "priv/builder.erl"])
      assert.strictEqual(shown(path), 0, path)
    for (const path of ["tools.pl", "src/stamp.go", "src/template.erl", "priv/data/x.go"])
      assert.strictEqual(shown(path), 1, path)
  })
})
