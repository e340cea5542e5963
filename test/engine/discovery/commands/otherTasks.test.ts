import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { purposeOfLine, purposeOfScript } from "../../../../src/engine/discovery/commands/words.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import { commandsIn } from "../../../support/statedCommands.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

describe("Targets that make nothing", () => {
  const makefile = (rule: string) => commandsIn({ Makefile: rule }, "build")

  it("neither need nor run anything, or only print", () => {
    assert.deepStrictEqual(makefile("all:\n\nclean:\n\trm -f kettle\n"), [])
    assert.deepStrictEqual(makefile(".PHONY: build\nbuild: # nothing to do\n"), [])
    assert.deepStrictEqual(makefile('build:\n\t@echo "ask for tea > or coffee" \\\n\t  "or water"\n'), [])
    assert.deepStrictEqual(makefile("build:\n\t$(info nothing to build)\n\t@:\n"), [])
  })

  it("are others than those that need, write or run something, if only on a condition", () => {
    for (const rule of [
      "all: kettle\n",
      "all: $(PROGRAMS)\n",
      "build:\n\techo tea > kettle.txt\n",
      "build:\n\t@echo boiling; ./boil\n",
      "build:\nifdef TEA\n\t./boil\nendif\n",
      "build:\n.if defined(TEA)\n\t./boil\n.endif\n",
      "all:\n\ninclude rules.mk\n"
    ])
      assert.lengthOf(makefile(rule), 1, rule)
  })

  it("are not what a document asks for", () => {
    const install = "Run `make docs` first.\n"
    assert.deepStrictEqual(commandsIn({ Makefile: "docs:\n\nbuild: kettle\n", INSTALL: install }, "docs"), [])
    assert.lengthOf(commandsIn({ Makefile: "docs: pages\n\nbuild: kettle\n", INSTALL: install }, "docs"), 2)
  })
})

describe("A task for everything", () => {
  const rakefile = (task: string) => commandsIn({ Rakefile: `desc "x"\n${task}` }, "build")

  it("builds where it needs or runs what builds", () => {
    assert.deepStrictEqual(rakefile("task all: %i[compile spec]\n"), ["rake all @ Rakefile"])
    assert.deepStrictEqual(rakefile('task :all do\n  sh "gem build kettle.gemspec"\nend\n'), ["rake all @ Rakefile"])
  })

  it("does not where it runs tests with several versions of a library", () => {
    assert.deepStrictEqual(rakefile('task :all => ["appraisal:install"] do\n  exec "rake appraisal"\nend\n'), [])
    assert.deepStrictEqual(rakefile('task :all do\n  sh "bundle exec appraisal rake spec"\nend\ntask :compile\n'), [
      "rake compile @ Rakefile"
    ])
    assert.strictEqual(purposeOfLine("bundle exec rake all"), null)
    assert.strictEqual(purposeOfLine("tox -e all"), null)
    assert.strictEqual(purposeOfLine("make all"), "build")
    assert.strictEqual(purposeOfScript("all", "make py37\nmake py38"), null)
  })

  it("of tox is what its commands are", () => {
    const tox = (commands: string) => ({ "tox.ini": `[testenv:all]\ncommands =\n  ${commands}\n` })
    assert.deepStrictEqual(commandsIn(tox("pytest tests"), "build"), [])
    assert.deepStrictEqual(commandsIn(tox("pytest tests"), "test"), ["tox -e all @ tox.ini"])
  })
})

describe("What a document only mentions", () => {
  const module = { "go.mod": "module example.com/kettle\n" }
  const main = { isEntryPoint: 3 }

  it("`go build` makes nothing where the root is a library and the program lies below `cmd`", () => {
    const readme = { "README.md": "Crashes are written down, for which `go build` keeps symbols.\n" }
    const below = { "kettle.go": {}, "cmd/kettle/main.go": main }
    assert.deepStrictEqual(commandsIn({ ...module, ...readme }, "build", below), ["go build ./... @ go.mod"])
    const atRoot = { "main.go": main }
    assert.deepStrictEqual(commandsIn({ ...module, ...readme }, "build", atRoot), ["go build @ README.md"])
    assert.deepStrictEqual(commandsIn({ ...module, ...readme }, "build", { "kettle.go": {} }), ["go build @ README.md"])
  })

  it("how something was built comes after what is usual", () => {
    const observed = { "main.go": main }
    const built = { ...module, "README.md": "Symbols are there only when built with `go build -v`.\n" }
    assert.deepStrictEqual(commandsIn(built, "build", observed)[0], "go build -v @ README.md")
    const [first] = commandsOf(surveyOf(built, observed)).filter(({ purpose }) => purpose === "build")
    assert.isDefined(first?.aside)
    const asked = { ...module, "README.md": "The program is built with `go build -v`.\n" }
    const [stated] = commandsOf(surveyOf(asked, observed)).filter(({ purpose }) => purpose === "build")
    assert.isUndefined(stated?.aside)
  })

  it("a program in a list of what has to be there is none; in a sentence that says to run it it is", () => {
    const makefile = { Makefile: "kettle: kettle.o\n\t$(CC) -o kettle kettle.o\n" }
    const needs = { ...makefile, "CONTRIBUTING.md": "# Tea\n\n## Prerequisites\n\n* `make`.\n" }
    assert.deepStrictEqual(commandsIn(needs, "build"), ["make @ Makefile"])
    const asks = { ...makefile, "CONTRIBUTING.md": "# Tea\n\n## Prerequisites\n\nFirst run `make`.\n" }
    assert.deepStrictEqual(commandsIn(asks, "build"), ["make @ Makefile", "make @ CONTRIBUTING.md"])
  })
})

describe("A script that starts with a file that is not there", () => {
  const readme = { "README.md": "# Kettle\n\n```\nnpx kettle\n```\n" }
  const started = (start: string, others: Texts = {}) => {
    const manifest = { name: "kettle", bin: { kettle: "cli.js" }, scripts: { start } }
    const texts = { "package.json": JSON.stringify(manifest), "cli.js": "", ...readme, ...others }
    return commandsOf(surveyOf(texts)).find(({ purpose, origin }) => purpose === "run" && origin === "script")?.lacks
  }

  it("lacks its settings, or the program itself", () => {
    assert.strictEqual(started("node cli.js --config dev/kettle.config.js"), "dev/kettle.config.js")
    assert.strictEqual(started("NODE_ENV=dev node --watch dev-kettle.js"), "dev-kettle.js")
  })

  it("lacks nothing that is there, built, described, or copied from a sample", () => {
    assert.isUndefined(started("node cli.js -c kettle.config.js", { "kettle.config.js": "" }))
    assert.isUndefined(started("node dist/server.js"))
    assert.isUndefined(started("node cli.js -c till.json", { "INSTALL.md": "Create `till.json` first.\n" }))
    assert.isUndefined(started("node cli.js -c till.json", { "till.example.json": "{}" }))
    assert.isUndefined(started("node server.js", { "server.ts": "" }))
    assert.isUndefined(started("npm run build && kettle"))
  })
})

describe("Programs of a gem", () => {
  const gemspec = (executables: string) => ({
    "kettle.gemspec": `Gem::Specification.new do |spec|\n  spec.name = "kettle"\n  spec.executables = ${executables}\nend\n`
  })
  const runs = (executables: string, files: Texts) => commandsIn({ ...gemspec(executables), ...files }, "run")
  const chosen = "spec.files.grep(%r{^exe/}) { |f| File.basename(f) }"

  it("are what lies where a pattern chooses them", () => {
    for (const executables of [
      chosen,
      'Dir["exe/*"].map { |f| File.basename(f) }',
      '`git ls-files -- exe/*`.split("\\n").map { |f| File.basename(f) }',
      "Dir.children('exe')",
      "%w[kettle]",
      '["kettle"]',
      '"kettle"'
    ])
      assert.deepStrictEqual(runs(executables, { "exe/kettle": "" }), ["kettle @ kettle.gemspec"], executables)
  })

  it("are none where nothing lies there, or only what helps to develop", () => {
    assert.deepStrictEqual(runs(chosen, { "bin/console": "", "bin/setup": "" }), [])
    assert.deepStrictEqual(runs("spec.files.grep(/^bin\\//) { |f| File.basename(f) }", { "bin/console": "" }), [])
  })
})

describe("Fixers", () => {
  it("change files, and are no linters", () => {
    assert.strictEqual(purposeOfScript("fix", "ruff check --fix ."), "format")
    assert.strictEqual(purposeOfScript("lintfix", "eslint --fix ."), "format")
    assert.strictEqual(purposeOfScript("lint_fix", "eslint --fix ."), "format")
    assert.strictEqual(purposeOfScript("lint", "eslint --fix ."), "lint")
    assert.strictEqual(purposeOfScript("prefix", "eslint ."), "lint")
  })

  it("come after the check", () => {
    const lints = (texts: Texts) => ordered(commandsOf(surveyOf(texts)), "lint").map(({ command }) => command)
    const pipeline = { ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: ruff check .\n" }
    assert.deepStrictEqual(lints({ "README.md": "```\nruff check --fix .\n```\n", ...pipeline }), [
      "ruff check .",
      "ruff check --fix ."
    ])
    const both = { "lint:all": "eslint --fix .", "lint:look": "eslint ." }
    assert.strictEqual(lints({ "package.json": JSON.stringify({ scripts: both }) })[0], "npm run lint:look")
  })
})

describe("Targets that look at what others made", () => {
  const scanned = "build:\n\tgo build -o kettle .\n\ncheck-binaries: build\n\t.venv/bin/scan bin/\n"

  it("build, generate or release nothing", () => {
    assert.deepStrictEqual(commandsIn({ Makefile: scanned }, "build"), ["make build @ Makefile"])
    assert.deepStrictEqual(commandsIn({ Makefile: scanned }, "test"), [])
    for (const name of ["verify-release", "check-generated-protos", "scan:dist", "check-build"])
      assert.isNull(purposeOfScript(name, "scan-tool ."), name)
    assert.isNull(purposeOfScript("check-build", ""))
  })

  it("do it where their own lines say so, and what is only built for a check is built", () => {
    assert.strictEqual(purposeOfScript("check-build", "cargo build --locked"), "build")
    assert.strictEqual(purposeOfScript("build-check", "cargo build --locked"), "build")
    assert.strictEqual(purposeOfScript("check-types", "tsc --noEmit"), "types")
    assert.strictEqual(purposeOfScript("checkout-build", "scan-tool ."), "build")
  })
})

describe("A target named package", () => {
  const releases = (recipe: string) => commandsIn({ "Makefile.in": `package:\n\t${recipe}\n` }, "release")

  it("makes a release where it packs the sources", () => {
    assert.deepStrictEqual(releases("tar -zcvf kettle.tar.gz $(srcdir)/*.[chyl1-8] $(srcdir)/README"), [
      "make package @ Makefile.in"
    ])
    assert.lengthOf(releases("tar czf kettle.tgz $(SRCS) Makefile"), 1)
    assert.lengthOf(releases("git archive -o kettle.tar.gz HEAD"), 1)
  })

  it("makes none where it packs what was built, or all of a folder to run it elsewhere", () => {
    assert.deepStrictEqual(releases("zip -r function.zip ."), [])
    assert.deepStrictEqual(releases("tar czf kettle.tgz dist/*"), [])
    assert.deepStrictEqual(releases("tar xzf kettle.tgz -C $(SRCDIR)"), [])
  })
})
