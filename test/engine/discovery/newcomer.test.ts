import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const briefOf = async (texts: Readonly<Record<string, string>>): Promise<string> =>
  (await outputOf(texts)).hyrax_md ?? ""

const lineOf = async (texts: Readonly<Record<string, string>>, start: string): Promise<string> =>
  (await briefOf(texts)).split("\n").find((line) => line.startsWith(start)) ?? ""

describe("commands that a newcomer runs", () => {
  it("all tests are run by no script for some of them, and by none that makes something with one", async () => {
    const scripts = {
      test: "vitest run",
      "test:http": "vitest run test/http",
      pictures: "vitest run test/web/pictures.test.js"
    }
    const contributing = "# Tests\n\nSpeed is what `npm run bench` measures; `npx vitest run test/cart` is quick.\n"
    const texts = {
      "package.json": JSON.stringify({ scripts: { ...scripts, bench: "node bench.js" } }),
      "CONTRIBUTING.md": contributing
    }
    assert.strictEqual(await lineOf(texts, "- Test all"), "- Test all: `npm test` (`package.json:1`)")
    const guide = (await outputOf(texts)).guides.find(({ slug }) => slug === "test")?.content ?? ""
    assert.include(guide, "- Some of them: `npm run test:http`")
    assert.notMatch(guide, /^- \w[^“]*(?:pictures|bench)/m)
    const only = { "package.json": JSON.stringify({ scripts: { "test:http": "vitest run test/http" } }) }
    assert.include(await lineOf(only, "- Test all"), "`npm run test:http`")
  })

  it("a flag of the same command makes no variant, a set of features does", async () => {
    const readme = "# Build\n\n```sh\ncargo build --no-default-features --features sound\ncargo build --release\n```\n"
    const line = await lineOf({ "README.md": readme, "Cargo.toml": '[package]\nname = "radio"\n' }, "- Build")
    assert.include(line, "Build: `cargo build --release`")
  })

  it("the working folder of a container is no mode that waits for changes", async () => {
    const makefile = (flag: string) => `lint:\n\tpodman run ${flag} linter run\n`
    assert.include(await lineOf({ Makefile: makefile("-w /app") }, "- Lint"), "`make lint`")
    assert.include(await lineOf({ Makefile: makefile("-w yes") }, "- Lint"), "not stated")
  })

  it("a sentence that begins with the program's name is no way to run it", async () => {
    const texts = (line: string) => ({ "README.md": `# Use\n\n    ${line}\n`, seek: "#!/usr/bin/perl\nprint 1;\n" })
    assert.include(await lineOf(texts("seek is ready to build!"), "- Run"), "not stated")
    assert.include(await lineOf(texts("seek --all word"), "- Run"), "`./seek --all word`")
  })

  it("tasks of poe have the name before the key that says what they run", async () => {
    const text = '[tool.poe.tasks]\nlint.help = "Looks for mistakes"\nlint.sequence = [\n  "ruff check .",\n]\n'
    const line = await lineOf({ "pyproject.toml": text }, "- Lint")
    assert.include(line, "`poe lint` (`pyproject.toml:3`)")
    assert.notInclude(line, "help")
  })

  it("a namespace of Rake ends where its block does, and says what its tasks are for", async () => {
    const rakefile =
      "require 'minitest/test_task'\nMinitest::TestTask.create\nnamespace :test do\n  task :coverage do\n  end\nend\ntask :docs\nif true\n  namespace :package do\n    task :all\n  end\n  namespace :release do\n    task :all\n  end\nend\n"
    const brief = await briefOf({ Rakefile: rakefile, "lib/a.rb": "def a\nend\n" })
    assert.include(brief, "- Build: `rake package:all`")
    assert.include(brief, "- Test all: `rake test` (`Rakefile:2`)")
    assert.notInclude(brief, "test:package")
    assert.notInclude(/- Build.*/.exec(brief)![0], "release:all")
  })

  it("MakeMaker has a usual way to install, build and test; its first step comes before `make`", async () => {
    const usual = await briefOf({ "Makefile.PL": "use ExtUtils::MakeMaker;\n" })
    for (const command of ["cpanm --installdeps .", "perl Makefile.PL && make", "make test"])
      assert.include(usual, `\`${command}\` (not stated; usual with \`Makefile.PL\`)`)
    const readme = "# Building\n\n    perl Makefile.PL\n    make\n"
    const texts = { "Makefile.PL": "use ExtUtils::MakeMaker;\n", "README.md": readme }
    assert.include(await lineOf(texts, "- Build"), "Build: `perl Makefile.PL && make` (`README.md:3`)")
  })

  it("what a pipeline fills in is no build of a checkout", async () => {
    const build = (tag: string) => ({
      Dockerfile: "FROM php\nCOPY . /app\n",
      ".gitlab-ci.yml": `build:\n  script:\n    - docker build -t ${tag} .\n`
    })
    assert.include(await lineOf(build("$CI_REGISTRY_IMAGE"), "- Build"), "Build: `docker build .` (`Dockerfile:1`)")
    assert.include(await lineOf(build("shop"), "- Build"), "`docker build -t shop .`")
  })

  it("a workflow that proposes releases by itself is one, whatever branch starts it", async () => {
    const workflow = (uses: string) => ({
      ".github/workflows/release.yml": `on:\n  push:\n    branches: [main]\njobs:\n  a:\n    steps:\n      - uses: ${uses}\n`
    })
    assert.include(await lineOf(workflow("googleapis/release-please-action@v4"), "- Release"), "release.yml")
    assert.include(await lineOf(workflow("actions/checkout@v4"), "- Release"), "not stated")
  })

  it("ESLint's settings without a script have it run as is usual", async () => {
    const texts = { ".eslintrc": "{}", "package.json": '{"scripts": {}}' }
    assert.include(await lineOf(texts, "- Lint"), "`npx eslint .` (not stated; usual with `.eslintrc`)")
    const stated = { ...texts, "package.json": '{"scripts": {"lint": "eslint src"}}' }
    assert.include(await lineOf(stated, "- Lint"), "`npm run lint` (`package.json:1`)")
  })

  it("a link, and a line that asks a program for its version, are no commands", async () => {
    const texts = (line: string) => ({ "README.md": `# Style\n\n${line}\n`, "a.py": "print(1)\n" })
    assert.include(await lineOf(texts("Use `ruff <https://docs.example.org/ruff/>`."), "- Lint"), "not stated")
    assert.include(await lineOf(texts("    rubocop --version"), "- Lint"), "not stated")
    assert.include(await lineOf(texts("Use `ruff check .`."), "- Lint"), "`ruff check .`")
  })

  it("what a build tool is usually asked comes before a container and before a choice of features", async () => {
    const maven = { "pom.xml": "<project/>" }
    const dockerfile = { Dockerfile: "FROM jdk\nCOPY . /app\n" }
    assert.include(await lineOf({ ...maven, ...dockerfile }, "- Build"), "Build: `mvn package")
    const readme = { "README.md": "# Test\n\n```sh\ncargo test --no-default-features --features tls\n```\n" }
    const cargo = { "Cargo.toml": '[package]\nname = "radio"\n' }
    assert.include(await lineOf({ ...readme, ...cargo }, "- Test all"), "Test all: `cargo test` (not stated")
  })

  it("commands of one line keep their order; `ci` does more than test", async () => {
    const text = "# Release\n\n```sh\nnpm version patch && npm publish\n```\n"
    const release = await lineOf({ "CONTRIBUTING.md": text, "package.json": "{}" }, "- Release")
    assert.match(release, /`npm version patch`.*`npm publish`/)
    const brief = await briefOf({ Makefile: "ci:\n\tgo test ./...\ntest:\n\tgo test ./...\n" })
    assert.include(brief, "- Test all: `make test`")
    assert.include(brief, "- Check all: `make ci`")
  })

  it("Meson's first step is known without its word; the choices of a pipeline's job are no build", async () => {
    const text = "    meson Build\n    ninja -C Build\n"
    const line = await lineOf({ INSTALL: text, "meson.build": "project('shop')\n" }, "- Build")
    assert.include(line, "Build: `meson Build && ninja -C Build` (`INSTALL:1`)")
    const pipeline = "script:\n  - cmake -S . -B out -DSSL=OFF\n"
    const cmake = await lineOf({ "CMakeLists.txt": "project(shop)\n", ".travis.yml": pipeline }, "- Build")
    assert.include(cmake, "`cmake -B build && cmake --build build` (not stated")
  })

  it("targets of Ant are commands; those that begin with a dash are not", async () => {
    const text = '<project>\n<target name="dist"/>\n<target name="-test"/>\n<target name="test"/>\n</project>\n'
    const brief = await briefOf({ "build.xml": text, "A.java": "class A {}\n" })
    assert.include(brief, "- Build: `ant dist` (`build.xml:2`)")
    assert.include(brief, "- Test all: `ant test` (`build.xml:4`)")
  })

  it("a test of Go that stands beside its source shows how one is run", async () => {
    const test = (name: string) => `func ${name}(t *testing.T) {}\n`
    const head = 'package a\n\nimport "testing"\n\n'
    const brief = await briefOf({
      "go.mod": "module example.com/a\n",
      "tests/a_test.go": head + test("TestWhole"),
      "shop/cart/b_test.go": head + test("TestMain") + test("TestCart")
    })
    assert.include(brief, "`go test ./shop/cart -run '^TestCart$'`")
  })

  it("the bare name of a program comes after how a document starts it", async () => {
    const texts = {
      "pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:main"\n',
      "shop/cli.py": "def main():\n    pass\n"
    }
    assert.include(await lineOf(texts, "- Run"), "Run: `shop`")
    const readme = { ...texts, "README.md": "# Use\n\n    shop serve --port 80\n" }
    assert.include(await lineOf(readme, "- Run"), "Run: `shop serve --port 80`")
  })

  it("what packs one kind of archive, starts tests, or checks translations neither builds nor runs", async () => {
    const makefile =
      "all: a.c\n\tcc a.c\npackage-deb:\n\tnfpm deb\nstart:\n\tgo test ./...\nrun-spelling:\n\tspell po\n"
    const texts = { Makefile: makefile, "README.md": "# Build\n\n    make\n" }
    assert.notInclude(await lineOf(texts, "- Build"), "package-deb")
    assert.include(await lineOf(texts, "- Run"), "not stated")
    assert.include(await lineOf({ Makefile: "run-dev:\n\tgo build\n" }, "- Run"), "`make run-dev`")
  })

  it("a comment of one word, and a command with a gap to fill in, are none", async () => {
    const install = "# Install\n\n```sh\n# yarn\nyarn global add shop\n```\n"
    assert.include(await lineOf({ "README.md": install, "a.py": "print(1)\n" }, "- Install"), "not stated")
    const cross = "# Build\n\n```sh\ncross build --target <your desired target>\n```\n"
    const cargo = { "Cargo.toml": '[package]\nname = "radio"\n', "README.md": cross }
    assert.include(await lineOf(cargo, "- Build"), "Build: `cargo build` (not stated")
  })

  it("a test of a module of Maven is run in the module, wherever it lies there", async () => {
    const brief = await briefOf({
      "pom.xml": "<project><modules><module>shop.test</module></modules></project>\n",
      "shop.test/pom.xml": "<project/>\n",
      "shop.test/tst/shop/CartTest.java": "class CartTest {\n  @Test\n  public void adds() {}\n}\n"
    })
    assert.include(brief, "`mvn -pl shop.test test -Dtest=CartTest`")
  })
})

describe("how something is added", () => {
  const guidesOf = async (text: string) => (await outputOf({ "CONTRIBUTING.md": text, "a.py": "print(1)\n" })).guides

  it("is quoted from documents for contributors, with each step's place", async () => {
    const text =
      "# Work\n\n## How to add a new exporter\n\n1. Write `exporters/<name>.py`.\n2. List it in `all.py`.\n\n## Style\n\nBe short.\n"
    const guide = (await guidesOf(text)).find(({ slug }) => slug === "add-a-new-exporter")
    assert.include(guide?.content, "As `CONTRIBUTING.md:3` says.")
    assert.include(guide?.content, "1. “Write `exporters/<name>.py`.” (`CONTRIBUTING.md:5`)")
    assert.include(guide?.content, "2. “List it in `all.py`.” (`CONTRIBUTING.md:6`)")
    assert.notInclude(guide?.content, "Be short")
  })

  it("is not what a contributor makes outside of the tree, nor a title without steps", async () => {
    const steps = "\n\n1. Press the button.\n2. Wait for an answer.\n"
    const slugs = (await guidesOf(`## Create a pull request${steps}\n## Add a theme\n\nAsk us.\n`)).map(
      ({ slug }) => slug
    )
    assert.notInclude(slugs, "create-a-pull-request")
    assert.notInclude(slugs, "add-a-theme")
  })
})

describe("where it starts, and where it writes", () => {
  it("the program with the repository's name comes first; a front controller may lie in a folder", async () => {
    const main = (name: string) => ({ [`cmd/${name}/main.go`]: "package main\n\nfunc main() {}\n" })
    const brief = await briefOf({ "go.mod": "module example.com/tailer\n", ...main("mark"), ...main("tailer") })
    assert.isBelow(brief.indexOf("cmd/tailer/main.go:3"), brief.indexOf("cmd/mark/main.go:3"))
    assert.include(await briefOf({ "php/index.php": "<?php\necho 1;\n" }), "`php/index.php:1`: front controller")
  })

  it("a gem that is named as it is created is loaded by that name", async () => {
    const texts = {
      "till.gemspec": "Gem::Specification.new 'till', '1.0' do |s|\nend\n",
      "lib/till.rb": "module Till\nend\n"
    }
    assert.include(await briefOf(texts), '`lib/till.rb:1`: what `require "till"` loads')
  })

  it("a file opened for reading is not written, nor is what a build does state of the program", async () => {
    const go = (flag: string) =>
      `package a\n\nimport "os"\n\nfunc A() { os.OpenFile("a", os.${flag}, 0) }\nfunc B() { os.OpenFile("b", os.${flag}, 0) }\n`
    assert.notInclude(await briefOf({ "store/a.go": go("O_RDONLY") }), "writes")
    assert.include(await briefOf({ "store/a.go": go("O_RDWR") }), "Mostly written in `store`")
    const ruby = "Minitest::TestTask.create\nFile.write('a', 'b')\n"
    assert.notInclude(await briefOf({ Rakefile: ruby, "lib/a.rb": "def a\nend\n" }), "writes")
  })

  it("collections of documents are nouns where there are several, and written where they are changed", async () => {
    const file = (...names: ReadonlyArray<string>) =>
      `const mongo = require("mongodb")\nmodule.exports = (db) => {\n${names.map((name) => `  db.collection("${name}").updateOne({}, {})\n`).join("")}}\n`
    const two = file("parcels", "carts")
    const brief = await briefOf({ "lib/a.js": two, "lib/b.js": two })
    assert.include(brief, "- **parcels** (collection of documents `lib/a.js:3`)")
    assert.include(brief, "Collection `parcels` is written by `lib/a.js:3`, `lib/b.js:3`")
    assert.notInclude(await briefOf({ "lib/a.js": file("parcels"), "lib/b.js": file("parcels") }), "**parcels**")
    const example = `const mongo = require("mongodb")\nexports.text = \`${two.split("\n").slice(2, 4).join("\\n")}\`\n`
    assert.notInclude(await briefOf({ "lib/a.js": example, "lib/b.js": example }), "parcels")
  })

  it("a route may say its path among other things", async () => {
    const file =
      'module.exports = (server) => {\n  server.get({ path: "/parcels/:id", name: "parcel" }, (req, res) => res.json({}))\n}\n'
    assert.include(await briefOf({ "lib/api.js": file }), "`lib/api.js` declares 1 route: `GET /parcels/{id}` (line 2)")
  })
})

describe("nouns", () => {
  const words = "class names of the parcel, the entry, the entry and an entry.\n"
  const type = (name: string) =>
    `class ${name}:\n    def __init__(self):\n        self.size = 1\n        self.note = ""\n`
  const uses = (...names: ReadonlyArray<string>) =>
    Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`shop/use${n}.py`, names.map((name) => `${name}()\n`).join("")]))

  it("a general word is one where the readme speaks of it often", async () => {
    const texts = { "shop/a.py": type("Entry") + type("Parcel"), ...uses("Entry", "Parcel") }
    assert.include(await briefOf({ ...texts, "README.md": words }), "**Entry**")
    assert.notInclude(await briefOf({ ...texts, "README.md": "The parcel and an entry.\n" }), "**Entry**")
  })

  it("what reads the program's input is none", async () => {
    const texts = { "README.md": "Position, parcel and cart.\n", ...uses("Parcel", "Cart", "Position") }
    const types = { "shop/a.py": type("Parcel") + type("Cart") }
    assert.notInclude(await briefOf({ ...texts, ...types, "shop/parser/p.py": type("Position") }), "**Position**")
    assert.include(await briefOf({ ...texts, ...types, "shop/map/p.py": type("Position") }), "**Position**")
  })

  it("a type of a header with many is one where a file of code has its name", async () => {
    const struct = (name: string) => `struct ${name} {\n  int size;\n  int note;\n};\n`
    const use = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((n) => [
        `src/use${n}.c`,
        '#include "all.h"\nint f(struct parcel *a, struct cart *b, struct gadget *c) { return 1; }\n'
      ])
    )
    const brief = await briefOf({
      "README.md": "It delivers.\n",
      "src/all.h": struct("parcel") + struct("cart") + struct("gadget"),
      "src/parcel.c": "int p(struct parcel *a) { return 1; }\n",
      "src/cart.c": "int c(struct cart *a) { return 1; }\n",
      ...use
    })
    assert.include(brief, "**parcel**")
    assert.notInclude(brief, "**gadget**")
  })

  it("classes of PHP that begin with a small letter are types; SQL of a document declares no table", async () => {
    const php = (name: string) => `<?php\nclass ${name} {\n  public $size;\n  public $note;\n}\n`
    const use = Object.fromEntries(
      [1, 2, 3, 4].map((n) => [`php/use${n}.php`, "<?php\nfunction f() {\n  return [new parcel(), new cart()];\n}\n"])
    )
    const brief = await briefOf({
      "README.md": "A parcel and a cart.\n",
      "php/parcel.php": php("parcel"),
      "php/cart.php": php("cart"),
      "notes/example.xml": "<doc>\nCREATE TABLE secrets (id int, note text);\n</doc>\n",
      ...use
    })
    assert.include(brief, "**parcel** (class `php/parcel.php:2`)")
    assert.notInclude(brief, "secrets")
  })
})
