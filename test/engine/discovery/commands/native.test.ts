import { assert, describe, it } from "vitest"
import { ordered, type Purpose } from "../../../../src/engine/discovery/commands/Command.ts"
import { releaseSteps } from "../../../../src/engine/discovery/commands/releases.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const commandsFor = (purpose: Purpose, texts: Texts): ReadonlyArray<string> =>
  ordered(commandsOf(surveyOf(texts)), purpose).map(({ command }) => command)

const meson = { "meson.build": "project('kettle', 'c')\nexecutable('kettle', 'kettle.c')\n" }

const workflow = (...lines: ReadonlyArray<string>) => ({
  ".github/workflows/ci.yml": `on: push\njobs:\n  one:\n    steps:\n      - run: |\n${lines.map((line) => `          ${line}\n`).join("")}`
})

describe("Headings that name a kind of build", () => {
  const readme = (release: string) =>
    `# Kettle\n\n## Building\n\n### Debug\n\n\`\`\`\nmeson -Dbuildtype=debug out\n\`\`\`\n\n### Release\n\n\`\`\`\n${release}\n\`\`\`\n\n### Compiling\n\n\`\`\`\nninja -C out\n\`\`\`\n`

  it("what is configured below them comes before what builds in the folder", () => {
    const texts = { ...meson, "README.md": readme("meson --prefix=/usr out") }
    assert.strictEqual(commandsFor("build", texts)[0], "meson --prefix=/usr out && ninja -C out")
    assert.deepStrictEqual(releaseSteps(surveyOf(texts)), [])
  })

  it("are about the product where the section ships a version", () => {
    const steps = "## Release\n\n1. Run `make dist`\n2. Tag the version and upload the tarball\n"
    for (const texts of [{ "README.md": steps }, { "README.md": `## Debug\n\n    make DEBUG=1\n\n${steps}` }])
      assert.lengthOf(releaseSteps(surveyOf(texts)), 2)
  })

  it("a section that only compiles says nothing of versions, with or without the other kind", () => {
    const alone = "# Kettle\n\n## Release\n\n    cmake -B out -DCMAKE_BUILD_TYPE=Release\n    cmake --build out\n"
    const texts = { "CMakeLists.txt": "project(kettle)\n", "README.md": alone }
    assert.strictEqual(commandsFor("build", texts)[0], "cmake -B out -DCMAKE_BUILD_TYPE=Release && cmake --build out")
    assert.deepStrictEqual(releaseSteps(surveyOf(texts)), [])
  })
})

describe("Tests that a pipeline asks for", () => {
  const first = (step: string, texts: Texts) => commandsFor("test", { ...texts, ...workflow(step) })

  it("are there where CMake declares some, also by a function of its own or in a folder", () => {
    const cmake = (more: string) => ({ "CMakeLists.txt": `project(kettle)\n${more}` })
    assert.deepStrictEqual(first("ctest", cmake("add_executable(kettle kettle.c)\n")), [])
    assert.deepStrictEqual(first("ctest", cmake("include(TestBigEndian)\ntest_big_endian(BIG)\n")), [])
    for (const more of [
      "add_test(boil boil)\n",
      "kettle_unit_test(boil)\n",
      "add_subdirectory(tests)\n",
      "include(CTest)\n"
    ])
      assert.include(first("ctest", cmake(more)), "ctest")
  })

  it("are there where Meson, Automake or Make declare some", () => {
    assert.deepStrictEqual(first("meson test", meson), [])
    assert.include(first("meson test", { ...meson, "test/meson.build": "test('boil', boil)\n" }).join(), "meson test")
    const automake = (more: string) => ({ "configure.ac": "", "Makefile.am": `bin_PROGRAMS = kettle\n${more}` })
    assert.deepStrictEqual(first("make check", automake("")), [])
    assert.include(first("make check", automake("TESTS = boil.sh\n")), "make check")
    const both = { ...automake(""), "test/Makefile": "check:\n\t./boil\n" }
    assert.include(first("make check", both), "make check")
  })

  it("a manual that GNU packs with each program speaks of tests that need not be there, another document does not", () => {
    const manual = "These are generic installation instructions.\n\nOptionally, type `make check' or `make check`.\n"
    const automake = { "configure.ac": "", configure: "", "Makefile.am": "bin_PROGRAMS = kettle\n" }
    assert.deepStrictEqual(commandsFor("test", { ...automake, INSTALL: manual }), [])
    assert.deepStrictEqual(commandsFor("test", { ...automake, INSTALL: "Test it:\n\n    make check\n" }), [
      "make check"
    ])
  })
})

describe("Targets and scripts that make a release", () => {
  it("pack the sources under the name of a version, which a variable may hold", () => {
    const makefile =
      "VERSION = 1.2\nNAME = kettle-$(VERSION)\nexport: source doc\n\nsource:\n\tcp *.c $(NAME)\n\ttar czf $(NAME).tar.gz $(NAME)\n\ndoc:\n\ttex2html kettle\n"
    assert.deepStrictEqual(commandsFor("release", { Makefile: makefile }), ["make export"])
    assert.deepStrictEqual(commandsFor("release", { "Makefile.in": makefile, configure: "" }), ["make export"])
    assert.deepStrictEqual(commandsFor("release", { Makefile: "export:\n\t./export-settings\n" }), [])
    assert.deepStrictEqual(commandsFor("release", { Makefile: "export PATH := bin\ndist:\n\tcp kettle dist\n" }), [])
  })

  it("unpack nothing, and build no program that is then packed without a version", () => {
    assert.deepStrictEqual(commandsFor("release", { Makefile: "dist:\n\ttar xzf kettle-1.2.tar.gz\n" }), [])
    const builds = "dist:\n\tgo build .\n\ttar czf out.tgz kettle\n"
    assert.deepStrictEqual(commandsFor("release", { Makefile: builds }), [])
    assert.deepStrictEqual(commandsFor("build", { Makefile: builds }), ["make dist"])
  })

  it("tag a version", () => {
    assert.deepStrictEqual(commandsFor("release", { Makefile: "tag:\n\tgit tag -s v$(VERSION)\n" }), ["make tag"])
    assert.deepStrictEqual(commandsFor("release", { Makefile: "tag:\n\tctags -R .\n" }), [])
  })

  it("a script counts by what it does, where its text is read", () => {
    const script = (text: string) => commandsFor("release", { "scripts/mkRelease.sh": text })
    assert.deepStrictEqual(script("#!/bin/sh\nninja dist -C build\n"), ["scripts/mkRelease.sh"])
    assert.deepStrictEqual(script("#!/bin/sh\ncmake -DCMAKE_BUILD_TYPE=Release .\nmake\n"), [])
  })

  it("qmake has those that a project adds", () => {
    const project = (added: string) => ({
      "kettle.pro": `TEMPLATE = app\nVERSION = 1.2\n${added}dist.commands = tar czf kettle-$(VERSION).tar.gz *\n`
    })
    assert.deepStrictEqual(commandsFor("release", project("QMAKE_EXTRA_TARGETS += dist\n")), ["make dist"])
    assert.deepStrictEqual(commandsFor("release", project("")), [])
  })
})

describe("What comes before a build", () => {
  const rule = "kettle: kettle.o\n\t$(CC) -o $@ $^\n"

  it("is a configure of its own where the Makefile includes what that writes, or says so", () => {
    const build = (makefile: string, more: Texts = { configure: "" }) =>
      commandsFor("build", { Makefile: makefile, ...more })
    assert.deepStrictEqual(build(`include settings.mk\n${rule}`), ["./configure && make"])
    assert.deepStrictEqual(build(`include settings.mk\n${rule}`, { configure: "", "settings.mk": "" }), ["make"])
    assert.deepStrictEqual(build(`-include settings.mk\n${rule}`), ["make"])
    assert.deepStrictEqual(build(`include .depend\n${rule}`), ["make"])
    assert.deepStrictEqual(build(`include settings.mk\n${rule}`, {}), ["make"])
    assert.include(build(`all: kettle\n\n${rule}\nnone:\n\t@echo "Run ./configure first"\n`), "./configure && make all")
  })

  it("is the configure of a document, whatever the target is called", () => {
    const texts = { Makefile: "default: build\n\nbuild: tea.o\n\tcc -o tea tea.o\n", configure: "" }
    assert.deepStrictEqual(commandsFor("build", { ...texts, INSTALL: "    ./configure && make\n" }), [
      "./configure && make"
    ])
    assert.deepStrictEqual(commandsFor("build", { ...texts, INSTALL: "    make\n" }), ["make build", "make"])
  })

  it("a target that configures, builds or starts fetches nothing", () => {
    const install = (line: string) => commandsFor("install", { Makefile: `bootstrap:\n\t${line}\n` })
    for (const line of ["./autogen.sh", "cargo run -- --init", "cmake -B out"])
      assert.deepStrictEqual(install(line), [])
    for (const line of ["pip install -e .", "git submodule update --init", "./fetch-all"])
      assert.deepStrictEqual(install(line), ["make bootstrap"])
  })
})

describe("Linters and single tests", () => {
  it("targets beside those of Automake lint; those that it has itself state nothing", () => {
    const makefile = (more: string) => ({ "configure.ac": "", "Makefile.am": `bin_PROGRAMS = kettle\n${more}` })
    assert.deepStrictEqual(commandsFor("lint", makefile("lint:\n\tcppcheck $(srcdir)\n")), ["make lint"])
    const format = "format:\n\tclang-format -i a.c\n\nformat-diff: format\n\tgit diff\n\nformat-check:\n\t./same a.c\n"
    assert.deepStrictEqual(commandsFor("lint", makefile(format)), ["make format-check"])
    assert.deepStrictEqual(commandsFor("lint", makefile("lint-local:\n\tcppcheck $(srcdir)\n")), [])
    assert.deepStrictEqual(commandsFor("release", makefile("dist-hook:\n\ttar cf a-1.2.tar .\n")), [])
  })

  it("one file of Busted is run where the repository sets it up", () => {
    const spec = { "spec/kettle_spec.lua": "" }
    assert.deepStrictEqual(commandsFor("test_file", { ...spec, ".busted": "return {}\n" }), [
      "busted spec/kettle_spec.lua"
    ])
    const rockspec = (type: string) => ({
      ...spec,
      "kettle-1-1.rockspec": `package = 'kettle'\ntest = { type = '${type}' }\n`
    })
    assert.deepStrictEqual(commandsFor("test_file", rockspec("busted")), ["busted spec/kettle_spec.lua"])
    assert.deepStrictEqual(commandsFor("test_file", rockspec("command")), [])
  })

  it("one test of bindings is not how one of the program is run", () => {
    const imports = [{ module: "pytest", names: [], line: 1 }] as unknown as Observed["imports"]
    const sites: Observed["sites"] = [{ kind: "test", shape: "test", line: 1, end: 2, symbol: "test_pour" }]
    const one = (texts: Texts) =>
      commandsOf(surveyOf({ "tea.py": "", ...texts }, { "tests/test_tea.py": { imports, sites } })).flatMap(
        ({ purpose, command }) => (purpose === "test_file" ? [command] : [])
      )
    assert.deepStrictEqual(one({}), ["pytest tests/test_tea.py"])
    assert.deepStrictEqual(one({ "a.js": "", "b.js": "" }), [])
  })

  it("a manual with the quotation marks of TeX says its commands", () => {
    const texts = { Makefile: "all: a.c\n\tcc a.c\n", INSTALL: "Then type ``make -j2'' and wait.\n" }
    assert.include(commandsFor("build", texts), "make -j2")
    assert.notInclude(commandsFor("build", { ...texts, INSTALL: "Never type ``make -j2'' there.\n" }), "make -j2")
  })
})

describe("A build behind a script that configures", () => {
  const cmake = { "CMakeLists.txt": "project(kettle)\n", "configure.sh": "" }
  const build = (text: string, texts: Texts = cmake) =>
    commandsFor("build", { ...texts, "README.md": `# Kettle\n\n${text}` })

  it("goes on in the folder that the script makes", () => {
    const expected = ["./configure.sh && make -C build"]
    assert.deepStrictEqual(build("```\n./configure.sh\ncd build\nmake\n```\n"), expected)
    assert.deepStrictEqual(build("```\n./configure.sh && cd build && make\n```\n"), expected)
    const clone = "git clone https://example.org/kettle\ncd kettle\n"
    assert.deepStrictEqual(build(`\`\`\`\n${clone}./configure.sh && cd build && make\n\`\`\`\n`), expected)
    assert.deepStrictEqual(build(`\`\`\`\n${clone}./configure.sh\ncd build\nmake\n\`\`\`\n`), expected)
    const usual = ["cmake -B build && cmake --build build"]
    assert.deepStrictEqual(
      build("```\n./configure.sh\ncd build\nmake\n```\n", { "CMakeLists.txt": "project(kettle)\n" }),
      usual
    )
  })

  it("is said where it also installs, and other targets than the program are no build", () => {
    const python = { ...meson, "configure.py": "" }
    const text =
      "```\n./configure.py\ncd build && ninja install\n```\n\n## Documents\n\n```\ncd build && ninja docs\n```\n"
    assert.deepStrictEqual(build(text, python), ["./configure.py && ninja -C build"])
    assert.deepStrictEqual(commandsFor("use", { ...python, "README.md": text }), ["ninja -C build install"])
    assert.deepStrictEqual(commandsFor("docs", { ...python, "README.md": text }), ["ninja -C build docs"])
  })
})

describe("What installs, lints and tests besides", () => {
  it("a script that installs, in quotes where the sentence asks to run it", () => {
    const use = (text: string) => commandsFor("use", { "install.sh": "", INSTALL: text })
    assert.deepStrictEqual(use('Execute the install script "sh install.sh" there.\n'), ["sh install.sh"])
    assert.deepStrictEqual(use('\tExecute the install script "sh install.sh" from the\n\tfolder.\n'), ["sh install.sh"])
    assert.deepStrictEqual(use('Never mind "sh install.sh" there.\n'), [])
    assert.deepStrictEqual(commandsFor("use", { INSTALL: 'Execute the install script "sh install.sh".\n' }), [])
  })

  it("the product's own package of Cabal or LuaRocks is installed for those who use it", () => {
    const texts = { "kettle.cabal": "name: kettle\nexecutable kettle\n" }
    const use = (name: string) => commandsFor("use", { ...texts, "README.md": `Type \`cabal install ${name}\`.\n` })
    assert.deepStrictEqual(use("kettle"), ["cabal install kettle"])
    assert.deepStrictEqual(use("alex"), [])
  })

  it("bindings come after the program where they are a small part", () => {
    const readme = "```\npip install .\n```\n\n```\nmeson setup out\nninja -C out install\n```\n"
    const texts = { ...meson, "setup.py": "setup()\n", "README.md": readme }
    const whole = { ...texts, "a.js": "", "b.js": "", "c.js": "" }
    assert.deepStrictEqual(commandsFor("use", whole), ["ninja -C out install", "pip install ."])
    assert.deepStrictEqual(commandsFor("install", whole), [])
    assert.deepStrictEqual(commandsFor("install", texts), ["pip install ."])
  })

  it("targets of CMake and Meson lint and make a release; what they build is none of these", () => {
    const cmake = (text: string) => ({ "CMakeLists.txt": `project(kettle)\n${text}` })
    assert.deepStrictEqual(commandsFor("lint", cmake("add_custom_target(lint COMMAND clang-tidy kettle.c)\n")), [
      "cmake --build build --target lint"
    ])
    assert.deepStrictEqual(commandsFor("release", cmake("add_custom_target(dist COMMAND make package_source)\n")), [
      "cmake --build build --target dist"
    ])
    assert.deepStrictEqual(commandsFor("release", cmake("add_custom_target(dist DEPENDS kettle)\n")), [])
    const target = { "meson.build": "project('kettle')\nrun_target('lint', command : ['cppcheck', '.'])\n" }
    assert.deepStrictEqual(commandsFor("lint", target), ["ninja -C build lint"])
  })

  it("one test of what Ninja runs in a folder is asked of CMake or Meson", () => {
    const readme = "```\ncmake -G Ninja -B out\nninja -C out\nninja -C out test\n```\n"
    const texts = { "CMakeLists.txt": "project(kettle)\n", "README.md": readme }
    assert.deepStrictEqual(commandsFor("test_case", texts), ["ctest --test-dir out -R '<name of the test>'"])
    const other = { "CMakeLists.txt": "project(kettle)\n", "out/a.c": "", "README.md": readme }
    assert.deepStrictEqual(commandsFor("test_case", other), [])
  })

  it("tests of dune are there where a stanza or a transcript declares some", () => {
    const texts = {
      "dune-project": "(lang dune 3.0)",
      "src/dune": "(library\n (public_name tea))\n",
      "README.md": "    dune runtest\n"
    }
    assert.deepStrictEqual(commandsFor("test", texts), [])
    assert.deepStrictEqual(commandsFor("test", { ...texts, "test/boil.t": "" }), ["dune runtest"])
    assert.deepStrictEqual(commandsFor("test", { ...texts, "test/dune": "(test\n (name all))\n" }), ["dune runtest"])
  })

  it("of several manual pages the one whose name begins the others shows how the program is started", () => {
    const runsOf = (...names: ReadonlyArray<string>) => {
      const text = (name: string) => `.TH ${name} 8\n.SH SYNOPSIS\n.B ${name}\n[options] file\n.SH DESCRIPTION\n`
      const pages = Object.fromEntries(names.map((name) => [`${name}.8`, { text: text(name) }]))
      return commandsOf(surveyOf({}, pages)).flatMap(({ purpose, command }) => (purpose === "run" ? [command] : []))
    }
    assert.deepStrictEqual(runsOf("tea", "tea-pour", "tea-boil"), ["tea [options] file"])
    assert.deepStrictEqual(runsOf("tea", "cup"), [])
  })

  it("tests are run as the product is where a section on tests says so", () => {
    const readme = (heading: string) => ({
      "tea.cabal": "name: tea\nexecutable tea\n",
      "README.md": `## ${heading}\n\nDo it via \`cabal run -- tea --test\`.\n`
    })
    assert.deepStrictEqual(commandsFor("test", readme("How to run tests")), ["cabal run -- tea --test"])
    assert.deepStrictEqual(commandsFor("test", readme("Configuration")), [])
  })

  it("a program in quotes is started where a sentence asks to run it, however far that is indented", () => {
    const makefile = { Makefile: "PROGNAME = tea\n\nall: tea.o\n\tcc tea.o\n" }
    const run = (line: string) => commandsFor("run", { ...makefile, README: `TEA\n\n${line}\n\n\ttea -p pot\n` })
    assert.strictEqual(run('  Run "./tea" inside a window.')[0], "./tea")
    assert.strictEqual(run('  The file "./tea" is small.')[0], "tea -p pot")
  })

  it("dune makes a program of a file that is there", () => {
    const texts = { "dune-project": "(lang dune 3.0)", "src/tea.ml": "" }
    const build = (target: string) => commandsFor("build", { ...texts, "README.md": `    dune build ${target}\n` })
    assert.deepStrictEqual(build("src/tea.exe"), ["dune build src/tea.exe"])
    assert.deepStrictEqual(build("your_tester.bc.js"), ["dune build"])
  })

  it("a Makefile names the program by what it becomes in its place, Automake without its folder", () => {
    const makefile = "all: out.o\n\tcc out.o\n\ninstall:\n\tcp out.o $(DESTDIR)$(BINDIR)/kettle\n"
    assert.deepStrictEqual(commandsFor("run", { Makefile: makefile }), ["kettle"])
    assert.deepStrictEqual(commandsFor("run", { "Makefile.am": "bin_PROGRAMS = tools/kettle\n" }), ["kettle"])
  })
})
