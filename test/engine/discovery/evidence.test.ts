import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const briefOf = async (texts: Texts) => (await outputOf(texts)).hyrax_md ?? ""
const lineOf = async (texts: Texts, start: string) =>
  (await briefOf(texts)).split("\n").find((line) => line.startsWith(start)) ?? ""

describe("A noun", () => {
  const type = (name: string) =>
    `class ${name}:\n    def __init__(self):\n        self.size = 1\n        self.note = ""\n`
  const texts = {
    "README.md":
      "# Post\n\nA parcel in a cart. A parcel by cart. Parcel and cart. A gadget helps. The mail box is a box of mail, for a thing or a thing, and till.\n",
    "setup.py": "setup(name='post')\n",
    "post/all.py": ["Parcel", "Cart", "MailBox", "Gadget", "ThingTill", "Post"].map(type).join(""),
    ...Object.fromEntries(
      [1, 2, 3, 4].map((n) => [`post/u${n}.py`, "Parcel()\nCart()\nMailBox()\nGadget()\nThingTill()\nPost()\n"])
    )
  }
  const sectionsOf = async (files: Texts) => {
    const text = (await outputOf(files)).domain_md ?? ""
    const [main = "", candidates = ""] = text.split("## Candidates")
    return { main, candidates: candidates.split("\n## ")[0]! }
  }

  it("is a type that the readme speaks of often, or by all its words; others and the product are candidates", async () => {
    const { main, candidates } = await sectionsOf(texts)
    for (const name of ["Parcel", "Cart", "MailBox"]) assert.include(main, `**${name}**`)
    for (const name of ["Gadget", "ThingTill", "Post"]) {
      assert.notInclude(main, `**${name}**`)
      assert.include(candidates, `**${name}**`)
    }
  })

  it("is not stated where the readme speaks of fewer than three types", async () => {
    const readme = { "README.md": "# Post\n\nA parcel, a parcel, a parcel; a cart, a cart, a cart; a gadget.\n" }
    const brief = await briefOf({ ...texts, ...readme })
    assert.include(brief, "- Not stated. Candidates, by how much of the code names them:\n- **")
    assert.notInclude(await briefOf(texts), "Not stated. Candidates")
  })

  it("is neither a namespace of C++ nor a table that holds settings, and what another library parses is not stored", async () => {
    const cpp = "namespace Shops {\nclass Cart {\n public:\n  int size;\n  int note;\n};\n}\n"
    const uses = Object.fromEntries(
      [1, 2, 3].map((n) => [`src/u${n}.cpp`, "Shops::Cart f(Shops::Cart c) { return c; }\n"])
    )
    const tables = ["version", "settings", "parcels", "carts"].map(
      (name) => `CREATE TABLE ${name} (id int, note text);\n`
    )
    const parsed = "class ShopDocument < Kramdown::Document\n  attr_reader :size\nend\n"
    const code =
      "class Till:\n    pass\n\n\ndef save_version():\n    pass\n\ndef save_settings():\n    pass\n\ndef save_parcel():\n    pass\n"
    const text =
      (await outputOf({ "src/shop.h": cpp, ...uses, "db/schema.sql": tables.join(""), "a.py": code, "b.rb": parsed }))
        .domain_md ?? ""
    for (const name of ["Shops", "version", "settings", "ShopDocument"]) assert.notInclude(text, `**${name}**`)
    assert.include(text, "**parcels**")
  })
})

describe("A command", () => {
  it("for one system comes after what is usual", async () => {
    const cargo = { "Cargo.toml": '[package]\nname = "shop"\n', "src/main.rs": "fn main() {}\n" }
    const makefile = "build-linux:\n\tcargo build --target x86_64-unknown-linux-musl\n"
    assert.include(await lineOf({ ...cargo, Makefile: makefile }, "- Build"), "Build: `cargo build`")
    const plain = `${makefile}build:\n\tcargo build --release\n`
    assert.include(await lineOf({ ...cargo, Makefile: plain }, "- Build"), "Build: `make build`")
  })

  it("ends before a remark in parentheses", async () => {
    const readme = "```\ngo build -o shop cmd/shop.go (The program may be put in your $PATH)\n```\n"
    const build = await lineOf({ "README.md": readme, "go.mod": "module shop\n" }, "- Build")
    assert.include(build, "`go build -o shop cmd/shop.go` (`README.md:2`)")
  })

  it("that is half of a build is left out where its document does not state the other half", async () => {
    const cmake = { "CMakeLists.txt": "project(shop)\n" }
    const half = "    ./prepare --all\n    make\n"
    assert.include(await lineOf({ ...cmake, "CONTRIBUTING.md": half }, "- Build"), "Build: `cmake -B build && cmake")
    const whole = "    cmake -S .\n    make\n"
    assert.include(
      await lineOf({ ...cmake, "CONTRIBUTING.md": whole }, "- Build"),
      "`cmake -S . && make` (`CONTRIBUTING.md:1`)"
    )
    assert.include(await lineOf({ ...cmake, "CONTRIBUTING.md": half, Makefile: "x:\n" }, "- Build"), "Build: `make`")
    const perl = { "Makefile.PL": "WriteMakefile();\n", "CONTRIBUTING.md": "    perl Makefile.PL && make README\n" }
    assert.include(await lineOf(perl, "- Build"), "Build: `perl Makefile.PL && make`")
  })

  it("of a document of a part has the folder of that part", async () => {
    const texts = { "pom.xml": "<project/>\n", "client/INSTALL": "  ./configure\n  make\n", "client/configure": "" }
    assert.include(await lineOf(texts, "- Build"), "Build: `mvn package`")
  })

  it("of tox in TOML is for what its words run; `py` comes before a special environment", async () => {
    const tables =
      '[tool.tox]\nenvlist = ["py", "slow_test"]\n[tool.tox.env.py]\ncommands = [["pytest", "-v"]]\n[tool.tox.env.slow_test]\ncommands = [["pytest", "slow"]]\n[tool.tox.env.tidy]\ncommands = [["flake8", "."], ["isort", "."]]\n'
    assert.include(await lineOf({ "pyproject.toml": tables }, "- Test all"), "Test all: `tox -e py`")
  })

  it("that prepares what the program runs with is no way to run it", async () => {
    const texts = {
      "package.json": '{"name": "shop", "bin": "shop.js"}\n',
      "shop.js": "#!/usr/bin/env node\n",
      "README.md": "```sh\nshop -i /srv/shop\nshop -c /srv/shop\n```\n"
    }
    const run = await lineOf(texts, "- Run")
    assert.include(run, "Run: `shop -c /srv/shop`")
    assert.notInclude(run, "shop -i")
  })

  it("of a pipeline that fills in what it is about is none of a checkout", async () => {
    const pipeline = (step: string) => ({ ".travis.yml": `script:\n  - ${step}\n`, "a.py": "x = 1\n" })
    assert.include(await lineOf(pipeline("pyflakes $FILES"), "- Lint"), "not stated")
    assert.include(await lineOf(pipeline("pyflakes src"), "- Lint"), "`pyflakes src`")
  })

  it("of PHPUnit needs a manifest that installs it where it is looked for", async () => {
    const texts = (composer: string) => ({ "phpunit.xml": "<phpunit/>\n", "composer.json": composer })
    const isUsual = async (composer: string) =>
      (await lineOf(texts(composer), "- Test all")).includes("vendor/bin/phpunit")
    assert.isTrue(await isUsual('{"require-dev": {"phpunit/phpunit": "9"}}'))
    assert.isFalse(await isUsual('{"require": {"php": "8"}}'))
    assert.isFalse(await isUsual('{"require-dev": {"phpunit/phpunit": "9"}, "config": {"vendor-dir": "lib"}}'))
  })

  it("of Spring needs a program, not only the plugin", async () => {
    const pom = "<project><artifactId>spring-boot-maven-plugin</artifactId></project>\n"
    const main =
      "package shop;\n\nimport org.springframework.boot.SpringApplication;\n\npublic class Shop {\n  public static void main(String[] args) {\n    SpringApplication.run(Shop.class, args);\n  }\n}\n"
    const starts = async (texts: Texts) => (await lineOf(texts, "- Run")).includes("spring-boot:run")
    assert.isTrue(await starts({ "pom.xml": pom, "src/main/java/shop/Shop.java": main }))
    assert.isFalse(await starts({ "pom.xml": pom, "src/main/java/shop/Till.java": "package shop;\n\nclass Till {}\n" }))
  })

  it("of Ant that makes an official release is no build", async () => {
    const target = (name: string, about: string) => `<target name="${name}" description="${about}"/>`
    const xml = `<project>${target("all", "build an official release")}\n${target("compile", "compiles")}</project>\n`
    assert.include(await lineOf({ "build.xml": xml }, "- Build"), "Build: `ant compile`")
    assert.include(await lineOf({ "build.xml": xml }, "- Release"), "`ant all`")
  })
})

describe("A command of Rust", () => {
  const cargo = { "Cargo.toml": '[package]\nname = "shop"\n', "src/bin/main.rs": "fn main() {}\n" }

  it("runs the program below bin, and one test by the function that is marked as one", async () => {
    const test =
      "mod cart;\n\n#[rstest]\n// Slow.\n#[ignore]\nfn adds_one() {\n    assert!(true);\n}\n\nfn helps() {}\n"
    const brief = await briefOf({ ...cargo, "tests/cart_test.rs": test })
    for (const part of ["Run: `cargo run`", "`cargo test --test cart_test`", "`cargo test adds_one`"])
      assert.include(brief, part)
  })

  it("that installs from a folder needs that folder", async () => {
    const texts = (path: string) => ({ ...cargo, "README.md": `    cargo install --path ${path}\n` })
    assert.include(await lineOf(texts("./shop"), "- Build"), "`cargo build`")
    assert.include(await lineOf(texts("."), "- Build"), "`cargo install --path .`")
  })
})

describe("A release", () => {
  const workflow = (on: string) => `on: ${on}\njobs:\n  a:\n    steps:\n      - uses: docker/build-push-action@v5\n`

  it("is no workflow that only a person starts, unless its name says so; nor what ships documents", async () => {
    const steps = async (path: string, on: string) =>
      (await lineOf({ "a.py": "x = 1\n", [`.github/workflows/${path}`]: workflow(on) }, "- Release")).includes(
        "The workflow"
      )
    assert.isFalse(await steps("images.yml", "workflow_dispatch"))
    assert.isTrue(await steps("release.yml", "workflow_dispatch"))
    assert.isTrue(await steps("images.yml", "release"))
    assert.isFalse(await steps("deploy-docs.yml", "release"))
    const both = {
      ".github/workflows/images.yml": workflow("release"),
      ".github/workflows/release.yml": workflow("release")
    }
    assert.include(
      await lineOf({ "a.py": "x = 1\n", ...both }, "- Release"),
      "The workflow `.github/workflows/release.yml`"
    )
  })
})

describe("A place", () => {
  it("of a start is the file that is named so, and what answers over HTTP before scripts", async () => {
    const main = "int main(int argc, char **argv) { return 0; }\n"
    const brief = await briefOf({ "lock.c": main, "main.c": main })
    assert.isBelow(brief.indexOf("`main.c:1`: declares"), brief.indexOf("`lock.c:1`: declares"))
    const php = await briefOf({
      "bin/tidy.php": "#!/usr/bin/env php\n<?php\nrun();\n",
      "index.php": "<?php\nserve();\n"
    })
    assert.isBelow(php.indexOf("`index.php:1`: front controller"), php.indexOf("`bin/tidy.php:1`"))
  })

  it("of a start is no example; a front controller may lie in a folder where the root has none", async () => {
    const main = "package a;\n\npublic class Uses {\n  public static void main(String[] args) {}\n}\n"
    assert.notInclude(await briefOf({ "src/a/examples/Uses.java": main, "src/a/Cart.java": "class Cart {}\n" }), "Uses")
    const php = { "shop/index.php": "<?php\nserve();\n", "tidy.php": "#!/usr/bin/env php\n<?php\nrun();\n" }
    const brief = await briefOf(php)
    assert.isBelow(brief.indexOf("`shop/index.php:1`: front"), brief.indexOf("`tidy.php:1`"))
  })

  it("of a program of Perl is stated by its Makefile.PL", async () => {
    const makefile = "WriteMakefile(\n  'EXE_FILES' => [ qw(bin/shop) ],\n);\n"
    const brief = await briefOf({ "Makefile.PL": makefile, "bin/shop": "#!/usr/bin/perl\nprint 1;\n" })
    assert.include(brief, "- `bin/shop:1`: program `shop`, by Makefile.PL")
  })

  it("where data is written is one of Perl as well, and no file that only says that the program runs", async () => {
    const perl = "open(my $out, '>', $path) or die;\nopen(my $in, '<', $path);\n"
    assert.include(await briefOf({ "lib/Shop.pm": perl }), "`lib/Shop.pm:1` writes files")
    const script = "fs.writeFileSync(config.pid_file, String(process.pid))\n"
    assert.notInclude(await briefOf({ "shop.js": script }), "writes files")
  })
})

describe("A transition", () => {
  it("leads to a constant, not to what a variable holds", async () => {
    const code = (to: string) =>
      `function f(order) {\n  if (order.state === "OPEN") {\n    order.state = ${to};\n  }\n}\n`
    const domain = async (to: string) => (await outputOf({ "shop.js": code(to) })).domain_md ?? ""
    assert.include(await domain('"CLOSED"'), "`OPEN` → `CLOSED`")
    const waits = code('"CLOSED"').replace('"OPEN"', "waiting")
    assert.notInclude((await outputOf({ "shop.js": waits })).domain_md ?? "", "→")
    for (const held of ["previous", "order.previous"]) assert.notInclude(await domain(held), "→")
  })
})
