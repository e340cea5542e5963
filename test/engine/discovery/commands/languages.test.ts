import { assert, describe, it } from "vitest"
import { entryPointsOf } from "../../../../src/engine/discovery/architecture/entries.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>
type Facts = Readonly<Record<string, Partial<Observed>>>

const commandsFor = (purpose: Purpose, texts: Texts, facts: Facts = {}): ReadonlyArray<string> =>
  commandsOf(surveyOf(texts, facts))
    .filter((one) => one.purpose === purpose)
    .map(({ command }) => command)

const entriesIn = (texts: Texts, facts: Facts = {}): ReadonlyArray<string> =>
  entryPointsOf(surveyOf(texts, facts)).map(({ file_path }) => file_path)

describe("Builds of languages whose code is not read", () => {
  const dune = "; pours\n(executable\n (name main)\n (public_name kettle)\n (libraries str))\n\n(rule (targets x.ml))\n"

  it("dune makes the programs that have a public name, and tests where a stanza declares some", () => {
    const texts = { "dune-project": "(lang dune 3.0)", "src/dune": dune, "src/main.ml": "" }
    assert.deepStrictEqual(commandsFor("build", texts), ["dune build"])
    assert.deepStrictEqual(commandsFor("run", texts), ["kettle"])
    assert.deepStrictEqual(entriesIn(texts), ["src/main.ml"])
    assert.deepStrictEqual(commandsFor("test", texts), [])
    assert.deepStrictEqual(commandsFor("test", { ...texts, "test/dune": "(test\n (name all))\n" }), ["dune test"])
    const inner = { ...texts, "src/dune": "(executable (name gen))\n", "test/dune": dune, "contrib/dune": dune }
    assert.deepStrictEqual([commandsFor("run", inner), entriesIn(inner)], [[], []])
  })

  it("an extension of PHP is made with phpize, another config.m4 is not", () => {
    const texts = { "config.m4": "PHP_NEW_EXTENSION(kettle, kettle.c, $ext_shared)\n" }
    assert.deepStrictEqual(commandsFor("build", texts), ["phpize && ./configure && make"])
    assert.deepStrictEqual(commandsFor("use", texts), ["make install"])
    assert.deepStrictEqual(commandsFor("test", texts), [])
    assert.deepStrictEqual(commandsFor("test", { ...texts, "tests/001.phpt": "" }), ["NO_INTERACTION=1 make test"])
    assert.deepStrictEqual(commandsFor("build", { "config.m4": "AC_DEFUN([KETTLE], [])\n" }), [])
  })

  it("a package of R is built and put in its place by R", () => {
    const texts = { DESCRIPTION: "Package: kettle\nSuggests: testthat\n" }
    assert.deepStrictEqual(commandsFor("build", texts), ["R CMD build ."])
    assert.deepStrictEqual(commandsFor("test", texts), [])
    assert.deepStrictEqual(commandsFor("test", { ...texts, "tests/testthat.R": "" }), ["Rscript -e 'devtools::test()'"])
    assert.deepStrictEqual(commandsFor("build", { DESCRIPTION: "What this is about.\n" }), [])
  })

  it("LuaRocks installs the programs that a rockspec names", () => {
    const rock = 'build = {\n install = {\n  bin = {\n   kettle = "kettle.lua"\n  }\n }\n}\n'
    assert.deepStrictEqual(entriesIn({ "kettle-1.rockspec": rock, "kettle.lua": "" }), ["kettle.lua"])
    assert.deepStrictEqual(commandsFor("run", { "kettle-1.rockspec": rock }), ["kettle"])
    assert.deepStrictEqual(commandsFor("run", { "kettle-1.rockspec": "build = { modules = { x = 'x.lua' } }" }), [])
  })

  it("LuaRocks puts in its place what the rockspec for the sources at hand describes", () => {
    const spec = "package = 'kettle'\n"
    assert.deepStrictEqual(commandsFor("use", { "kettle-1.0-1.rockspec": spec }), [
      "luarocks make kettle-1.0-1.rockspec"
    ])
    const several = { "kettle-1.0-1.rockspec": spec, "kettle-2.0-1.rockspec": spec }
    assert.deepStrictEqual(commandsFor("use", several), [])
    assert.deepStrictEqual(commandsFor("use", { ...several, "kettle-scm-1.rockspec": spec }), [
      "luarocks make kettle-scm-1.rockspec"
    ])
  })

  it("qmake makes a program unless the project is a library or only has others below it", () => {
    assert.deepStrictEqual(commandsFor("run", { "tea.pro": "TEMPLATE = app\nTARGET = kettle\n" }), ["kettle"])
    assert.deepStrictEqual(commandsFor("run", { "tea.pro": "SOURCES += main.cpp\n" }), ["tea"])
    for (const template of ["lib", "subdirs"])
      assert.deepStrictEqual(commandsFor("run", { "tea.pro": `TEMPLATE = ${template}\nTARGET = kettle\n` }), [])
  })

  it("qmake is given the one of several projects that is meant, and not given one that the others include", () => {
    const shared = { "common.pro": "CONFIG += qt\n" }
    assert.deepStrictEqual(commandsFor("build", { ...shared, "tea.pro": "TEMPLATE = subdirs\n" }), [
      "qmake tea.pro && make"
    ])
    assert.deepStrictEqual(commandsFor("build", { ...shared, "tea.pro": "TEMPLATE = app\n" }), [])
    assert.deepStrictEqual(commandsFor("build", { "tea.pro": "TEMPLATE = app\n" }), ["qmake && make"])
    assert.deepStrictEqual(commandsFor("run", shared), [])
  })

  it("a project of qmake has the targets that a document asks for, and what it installs", () => {
    const readme = "# Tea\n\n```sh\nqmake\nmake\nsudo make install\n```\n"
    const project = (more: string) => ({ "tea.pro": `SOURCES += a.cpp\n${more}` })
    assert.deepStrictEqual(commandsFor("use", { ...project(""), "README.md": readme }), ["sudo make install"])
    assert.deepStrictEqual(commandsFor("use", project("INSTALLS += target\n")), ["make install"])
    assert.deepStrictEqual(commandsFor("use", project("")), [])
  })

  it("an item of a list that is nothing but the installation of the product", () => {
    const readme = (line: string) => ({ "tea.gemspec": 's.name = "tea"', "README.rdoc": `= Tea\n\n${line}\n` })
    assert.deepStrictEqual(commandsFor("use", readme("* sudo gem install tea")), ["sudo gem install tea"])
    assert.deepStrictEqual(commandsFor("use", readme("* sudo gem install cup")), [])
    assert.deepStrictEqual(commandsFor("use", readme("* gem install tea takes a while")), [])
  })

  it("Erlang starts the module of the application that its description names", () => {
    const source = (mod: string) => ({ "src/kettle.app.src": `{application, kettle, [${mod}]}.`, "src/kettle.erl": "" })
    assert.deepStrictEqual(entriesIn(source("{mod, {kettle, []}}")), ["src/kettle.erl"])
    assert.deepStrictEqual(entriesIn(source("{modules, []}")), [])
  })

  it("one module of tests of Rebar", () => {
    const texts = { "rebar.config": "{erl_opts, []}.", "test/kettle_tests.erl": "" }
    assert.deepStrictEqual(commandsFor("test_file", texts), ["rebar3 eunit --module=kettle_tests"])
    assert.deepStrictEqual(commandsFor("test_file", { "rebar.config": "", "src/kettle.erl": "" }), [])
  })
})

describe("Modules of the kernel", () => {
  const makefile = "obj-m := kettle.o\n\nall:\n\tmake -C /lib/modules/x/build M=$(PWD) modules\n"
  const facts: Facts = { "kettle.c": { calls: [["module_init", 1, 7]] }, watch: { isEntryPoint: 1 } }

  it("are loaded, and no script at the root is the product", () => {
    const readme = "RUNNING\n=======\n\n     # insmod kettle.ko cups=2\n"
    assert.deepStrictEqual(commandsFor("run", { Makefile: makefile, README: readme }, facts), [
      "insmod kettle.ko cups=2"
    ])
    assert.deepStrictEqual(commandsFor("run", { Makefile: makefile }, facts), ["sudo insmod kettle.ko"])
    const other = "RUNNING\n=======\n\n     # modprobe loop\n"
    assert.deepStrictEqual(commandsFor("run", { Makefile: makefile, README: other }, facts), ["sudo insmod kettle.ko"])
    assert.deepStrictEqual(commandsFor("run", { Makefile: "all:\n\techo tea\n" }, facts), ["./watch"])
  })

  it("are built by a plain `make`", () => {
    const first = "obj-m := kettle.o\n\nkettle:\n\t$(MAKE) -C /lib/modules/x/build M=$(PWD) modules\n"
    assert.deepStrictEqual(commandsFor("build", { Makefile: first }), ["make"])
    assert.deepStrictEqual(commandsFor("build", { Makefile: "kettle:\n\tcat tea\n" }), [])
  })
})

describe("Targets that need something first, or are named for something else", () => {
  const build = (more: string) => `${more}all: build\n\nbuild:\n\tlua make.lua\n`

  it("a Makefile that includes what a configure beside it writes is configured first", () => {
    const builds = (texts: Texts) => commandsFor("build", texts)
    const including = { GNUmakefile: build("-include config.unix\n\n") }
    assert.include(builds({ ...including, configure: "" }), "./configure && make build")
    assert.include(builds({ ...including, configure: "", "config.unix": "" }), "make build")
    assert.include(builds(including), "make build")
    assert.include(builds({ GNUmakefile: build(""), configure: "" }), "make build")
  })

  it("a round of other targets for those who develop, and what DKMS builds, are no builds", () => {
    const kernel = "obj-m := tea.o\n\ndefault:\n\t$(MAKE) -C /lib/modules M=$(CURDIR) modules\n\n"
    const targets = "dkms-build:\n\tdkms build tea\n\ndev: dkms-remove dkms-build dkms-install\n"
    assert.deepStrictEqual(commandsFor("build", { Makefile: kernel + targets }), ["make"])
    assert.deepStrictEqual(commandsFor("build", { Makefile: "build-dev:\n\tgo build ./...\n" }), ["make build-dev"])
  })

  it("`bootstrap` that starts what was built installs nothing", () => {
    const makefile = (line: string) => ({ Makefile: `bootstrap:\n\t${line}\n` })
    assert.deepStrictEqual(commandsFor("install", makefile("dune exec -- tea *.ml")), [])
    assert.deepStrictEqual(commandsFor("install", makefile("npm ci")), ["make bootstrap"])
  })

  it("suites of Common Test are run, with other tests of Erlang before or after them", () => {
    const texts = { "rebar.config": "{erl_opts, []}.", "test/tea_SUITE.erl": "" }
    assert.deepStrictEqual(commandsFor("test", texts), ["rebar3 ct"])
    assert.deepStrictEqual(commandsFor("test_file", texts), ["rebar3 ct --suite=test/tea_SUITE.erl"])
    const both = { ...texts, "test/tea_tests.erl": "", "test/cup_tests.erl": "" }
    assert.deepStrictEqual(commandsFor("test", both), ["rebar3 eunit && rebar3 ct"])
    assert.deepStrictEqual(commandsFor("test", { "rebar.config": "", "src/tea.erl": "" }), ["rebar3 eunit"])
  })
})

describe("Tests that `configure` is asked for", () => {
  const tests = "if ENABLE_TESTS\nTESTS = pour\nendif\n"
  const always = "TESTS = pour\n"
  const option = (help: string) => `AC_ARG_ENABLE([tests], AS_HELP_STRING([${help}], [make tests]), [], [])\n`
  const asked = (configure: string, makefile: string) =>
    commandsFor("test", { "configure.ac": configure, "Makefile.am": makefile })

  it("are asked for with the option that is off, and without one that is on", () => {
    assert.deepStrictEqual(asked(option("--enable-tests"), tests), ["./configure --enable-tests && make && make check"])
    assert.deepStrictEqual(asked(option("--disable-tests"), tests), ["make check"])
    assert.deepStrictEqual(asked(option("--enable-tests"), always), ["make check"])
    assert.deepStrictEqual(asked("AC_ARG_ENABLE([tea], AS_HELP_STRING([--enable-tea], [x]))\n", tests), ["make check"])
  })
})

describe("What is put in its place", () => {
  it("is usual where the build has it, and left to the document that states it", () => {
    const automake = { "configure.ac": "", "Makefile.am": "bin_PROGRAMS = kettle\n" }
    assert.deepStrictEqual(commandsFor("use", automake), ["make install"])
    assert.deepStrictEqual(commandsFor("use", { ...automake, INSTALL: "    $ sudo make install\n" }), [
      "sudo make install"
    ])
    const cmake = (text: string) => ({ "CMakeLists.txt": "project(kettle)\n", "src/CMakeLists.txt": text })
    assert.deepStrictEqual(commandsFor("use", cmake("install(TARGETS kettle DESTINATION bin)\n")), [
      "cmake --install build"
    ])
    assert.deepStrictEqual(commandsFor("use", cmake("add_executable(kettle a.c)\n")), [])
    const meson = (text: string) => ({ "meson.build": `project('kettle', 'c')\n${text}` })
    assert.deepStrictEqual(commandsFor("use", meson("executable('kettle', 'a.c', install: true)\n")), [
      "meson install -C build"
    ])
    assert.deepStrictEqual(commandsFor("use", meson("executable('kettle', 'a.c')\n")), [])
  })

  it("what the pages of the documentation need is not what the product needs", () => {
    const readme = "# Kettle\n\n    bundle install\n"
    const texts = { "docs/README.md": readme, "docs/Gemfile": "gem 'jekyll'", "Makefile.am": "" }
    assert.deepStrictEqual(commandsFor("install", texts), [])
    assert.deepStrictEqual(commandsFor("install", { "README.md": readme, Gemfile: "gem 'tea'" }), ["bundle install"])
  })
})

describe("Statements of use", () => {
  const build = { "CMakeLists.txt": "add_executable(kettle a.c)\nadd_executable(cup b.c)\n" }

  it("a line of its own with the forms of the arguments, but no sentence and no link", () => {
    const runs = (line: string) => commandsFor("run", { ...build, "README.md": `# Tea\n\n${line}\n` })
    assert.deepStrictEqual(runs("kettle [options] *tea-file*"), ["kettle [options] tea-file"])
    assert.deepStrictEqual(runs("`kettle <file> [-v]`"), ["kettle <file> [-v]"])
    for (const line of ["kettle [see below](x.md)", "kettle boils [some] water", "kettle <b>boils</b> water", "kettle"])
      assert.deepStrictEqual(runs(line), [], line)
    assert.deepStrictEqual(runs("teapot [options] file"), [])
  })

  it("a page whose synopsis is long shows its first options", () => {
    const page = `.SH SYNOPSIS\n.B kettle\n${Array.from({ length: 40 }, (_, at) => `[\\-${at} cup]`).join("\n")}\n`
    const [run = ""] = commandsFor("run", { "Makefile.am": "" }, { "kettle.1.man": { text: page } })
    assert.match(run, /^kettle \[-0 cup\] .*\] \.\.\.$/)
    assert.isAtMost(run.length, 160)
  })

  it("a page about none of the programs that the build makes says nothing", () => {
    const page = { "kettle2.8": { text: ".SH SYNOPSIS\n.B kettle2\n[\\-v]\n" } }
    const makefile = { Makefile: "all: kettle3\n\nkettle3: a.o\n\t$(CC) -o kettle3 a.o\n" }
    assert.deepStrictEqual(commandsFor("run", makefile, page), ["./kettle3"])
    assert.deepStrictEqual(commandsFor("run", {}, page), ["kettle2 [-v]"])
  })

  it("of several programs of Perl, also those that a class of the build adds, it is not known which one is meant", () => {
    const built = (more: string) => ({ "Build.PL": `new(script_files => ['script/cup'],${more});\n` })
    assert.deepStrictEqual(commandsFor("run", built("")), ["cup"])
    assert.deepStrictEqual(commandsFor("run", built(" sbin_files => { 'script/tea' => 'sbin/tea' }")), [])
  })

  it("of several programs the one that a desktop or the system starts", () => {
    const desktop = { "data/tea.desktop": "[Desktop Entry]\nExec=cup %f\n" }
    assert.deepStrictEqual(commandsFor("run", build), [])
    assert.deepStrictEqual(commandsFor("run", { ...build, ...desktop }), ["cup"])
    const unit = { "tea.service.in": "[Service]\nExecStart=@sbindir@/kettle -d\n" }
    assert.deepStrictEqual(commandsFor("run", { ...build, ...unit }), ["kettle"])
    assert.deepStrictEqual(commandsFor("run", { ...build, ...desktop, ...unit }), [])
    const shell = { "tea.service": "[Service]\nExecStart=/bin/sh -c 'kettle'\n" }
    assert.deepStrictEqual(commandsFor("run", { ...build, ...shell }), [])
  })
})
