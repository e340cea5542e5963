import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const linesOf = async (texts: Readonly<Record<string, string>>, start: string) =>
  ((await outputOf(texts)).hyrax_md ?? "").split("\n").filter((line) => line.startsWith(start))

const goFile = (package_: string, body: string) => `package ${package_}\n\n${body}\n`

describe("Commands", () => {
  it("of the language that most is written in come first", async () => {
    const texts = {
      "go.mod": "module example.com/shop\n",
      "yarn.lock": "",
      "package.json": "{}",
      "a.go": goFile("shop", "func A() {\n\tprintln(1)\n\tprintln(2)\n}")
    }
    assert.include((await linesOf({ ...texts, "ui.js": "run()\n" }, "- Install"))[0], "Install: `go mod download`")
    const script = Array.from({ length: 40 }, () => "run()\n").join("")
    assert.include((await linesOf({ ...texts, "ui.js": script }, "- Install"))[0], "Install: `yarn install`")
  })

  it("of a build folder that only the pipeline makes are left out where a usual one is known", async () => {
    const pipeline = "script:\n  - ninja -C output test\n"
    const own = "project('shop')\ntest('cart', cart)\n"
    const [usual] = await linesOf({ "meson.build": own, ".travis.yml": pipeline }, "- Test all")
    assert.include(usual, "`meson test -C build`")
    const [stated] = await linesOf({ ".travis.yml": pipeline }, "- Test all")
    assert.include(stated, "`ninja -C output test`")
  })

  it("steps of a build stay together; what goes on after a dash is prose", async () => {
    const readme = "  bin/shop - Tool for shops\n  $ ./configure && make\n"
    const texts = { README: readme, configure: "#!/bin/sh\n", "bin/shop": "#!/usr/bin/perl\n" }
    assert.include((await linesOf(texts, "- Build"))[0], "`./configure && make`")
    assert.deepStrictEqual(await linesOf(texts, "- Run"), ["- Run: `bin/shop` (not stated; usual with `bin/shop`)"])
    const [run] = await linesOf({ ...texts, README: "  bin/shop --open\n" }, "- Run")
    assert.include(run, "`bin/shop --open`")
  })

  it("`npm test` needs a script of that name; plain `make` is a build, what packs the sources is none", async () => {
    const readme = "# Tests\n\n    npm test\n"
    assert.deepStrictEqual(await linesOf({ "README.md": readme, "package.json": '{"scripts": {}}' }, "- Test all"), [
      "- Test all: not stated."
    ])
    const scripts = '{"scripts": {"test": "mocha"}}'
    assert.include((await linesOf({ "README.md": readme, "package.json": scripts }, "- Test all"))[0], "`npm test`")
    const makefile = "opt:\n\tcc a.c\ndist:\n\ttar cf a.tar .\n"
    const [build] = await linesOf({ Makefile: makefile, ".travis.yml": "script:\n  - make\n" }, "- Build")
    assert.include(build, "Build: `make` (`Makefile:1`)")
    const packing = "dist:\n\ttar cf a.tar .\nopt:\n\tcc a.c\n"
    assert.deepStrictEqual(await linesOf({ Makefile: packing }, "- Build"), ["- Build: not stated."])
  })

  it("of a script for those who work on the repository are none that the program has", async () => {
    const script = ["bump", "tag", "ship"]
      .map((name) => `@cli.command("${name}")\ndef ${name}():\n    pass\n`)
      .join("\n")
    const slugsWith = async (path: string) =>
      (await outputOf({ [path]: `import click\n\n${script}`, "shop/a.py": "x = 1\n" })).guides.map(({ slug }) => slug)
    assert.include(await slugsWith("shop/cli.py"), "add-a-command")
    assert.notInclude(await slugsWith("extra/release.py"), "add-a-command")
  })

  it("a package with several programs is asked for the first; a document in quotes counts", async () => {
    const cabal = "name: shop\nexecutable shop\n  main-is: a.hs\n"
    assert.include((await linesOf({ "shop.cabal": cabal }, "- Run"))[0], "`cabal run`")
    const two = `${cabal}executable shop-admin\n  main-is: b.hs\n`
    assert.include((await linesOf({ "shop.cabal": two }, "- Run"))[0], "`cabal run shop`")
    const [build] = await linesOf(
      { "pom.xml": "<project/>", "readme.txt": 'Execute "mvn clean install".\n' },
      "- Build"
    )
    assert.include(build, "`mvn clean install` (`readme.txt:1`)")
  })

  it("a linter that settings set up is the usual one", async () => {
    assert.include((await linesOf({ "pyproject.toml": "[tool.ruff]\n" }, "- Lint"))[0], "`ruff check .` (not stated")
    assert.deepStrictEqual(await linesOf({ "pyproject.toml": "[project]\n" }, "- Lint"), ["- Lint: not stated."])
  })
})

describe("What a repository is about", () => {
  const entity = (name: string, extra = "") =>
    `package shop;\n\n@Entity\n@Table(name = "${name.toLowerCase()}s")\npublic class ${name} {\n  private long id;\n  private String title;\n${extra}}\n`

  it("types below annotations are nouns, cited where their name is", async () => {
    const { domain_md } = await outputOf({
      "src/Order.java": entity("Order"),
      "src/Pay.java": "package shop;\n\npublic class Pay {\n  Order order;\n}\n"
    })
    assert.include(domain_md, "- **Order** (ORM entity `src/Order.java:5`)")
  })

  it("what other nouns refer to comes before what is only named as often", async () => {
    const tables =
      "CREATE TABLE carts (id int, note text);\nCREATE TABLE shops (id int, note text);\nCREATE TABLE bills (id int, shop_id int);\nCREATE TABLE items (id int, shop_id int);\n"
    const { domain_md } = await outputOf({
      "db/schema.sql": tables,
      "src/till.py": "class Till:\n    pass\n\ndef save_cart():\n    pass\n\ndef save_shop():\n    pass\n"
    })
    const text = domain_md ?? ""
    assert.isAbove(text.indexOf("**carts**"), text.indexOf("**shops**"))
  })

  it("a message that the readme does not speak of is left out, one that it speaks of is not", async () => {
    const message = (name: string) => `message ${name} {\n  string id = 1;\n  string note = 2;\n}\n`
    const code = "package a\n\ntype Till struct{}\n\nfunc SendParcel() {}\n\nfunc SendIpAndPort() {}\n"
    const { domain_md } = await outputOf({
      "README.md": "# Post\n\nIt sends a parcel to a port that everyone in the town knows.\n",
      "post.proto": message("Parcel") + message("IpAndPort"),
      "a.go": code
    })
    assert.include(domain_md, "- **Parcel** (")
    assert.notInclude(domain_md, "**IpAndPort**")
  })

  it("of plain types two are enough where each has a file of its own, and the readme may name a type as the code does", async () => {
    const type = (name: string) =>
      `export class ${name} {\n  readonly size: number = 1\n  readonly note: string = ""\n}\n`
    const texts = {
      "README.md": "# Tea\n\nA `TeaPot` holds tea. Bookmarks, more bookmarks, and a bookmark.\n",
      "src/use1.ts": "new TeaPot()\nnew Bookmark()\n"
    }
    const apart = await outputOf({ ...texts, "src/teaPot.ts": type("TeaPot"), "src/bookmark.ts": type("Bookmark") })
    for (const noun of ["TeaPot", "Bookmark"]) assert.include(apart.domain_md, `- **${noun}** (`)
    assert.notInclude(apart.domain_md, "Candidates")
    const manual = texts["README.md"] + "Some other words of a manual. ".repeat(900)
    const inManual = await outputOf({
      ...texts,
      "README.md": manual,
      "src/teaPot.ts": type("TeaPot"),
      "src/bookmark.ts": type("Bookmark")
    })
    assert.include(inManual.domain_md, "## Candidates", "a manual says every word a few times")
    const together = await outputOf({ ...texts, "src/all.ts": type("TeaPot") + type("Bookmark") })
    assert.notInclude(together.domain_md ?? "", "- **TeaPot** (")
  })

  it("plain types that neither the readme nor a comment speaks of are left out, as is what a screen shows", async () => {
    const type = (name: string) =>
      `export class ${name} {\n  readonly size: number = 1\n  readonly note: string = ""\n}\n`
    const uses = Object.fromEntries(
      [1, 2, 3].map((n) => [`src/use${n}.ts`, "new Cup()\nnew Saucer()\nnew Kettle()\nnew Bookmark()\n"])
    )
    const { domain_md } = await outputOf({
      "README.md": "# Tea\n\nCups, kettles and bookmarks of all kinds for everyone.\n",
      "src/cup.ts": type("Cup"),
      "src/kettle.ts": type("Kettle"),
      "src/saucer.ts": type("Saucer"),
      "src/ui/bookmark.ts": type("Bookmark"),
      ...uses
    })
    for (const noun of ["Cup", "Kettle"]) assert.include(domain_md, `**${noun}** (`)
    for (const other of ["Saucer", "Bookmark"]) assert.notInclude(domain_md, `**${other}**`)
  })
})

describe("Places", () => {
  it("scripts in a language that hardly anything is written in say neither where it starts nor what it stores", async () => {
    const script = 'if __name__ == "__main__":\n    open("notes", "w").write("x")\n'
    const erlang = Array.from({ length: 60 }, (_, n) => `f(${n}) -> ok.\n`).join("")
    const helped = await outputOf({ "notes.py": script, "src/shop.erl": erlang.repeat(4) })
    assert.notInclude(helped.hyrax_md, "notes.py:")
    const own = await outputOf({ "notes.py": script, "src/shop.erl": "f() -> ok.\n" })
    assert.include(own.hyrax_md, "`notes.py:1`: declares what runs when it is started")
    assert.include(own.hyrax_md, "`notes.py:2` writes files")
  })

  it("programs in the language that most is written in come before those in another", async () => {
    const java = (size: number) =>
      `public class Shop {\n  public static void main(String[] args) {\n${"    run();\n".repeat(size)}  }\n}\n`
    const texts = { "a.py": `if __name__ == "__main__":\n${"    run()\n".repeat(20)}` }
    const first = async (size: number) =>
      (await linesOf({ ...texts, "src/deep/Shop.java": java(size) }, "- `")).find((line) => line.includes("declares"))
    assert.include((await first(100)) ?? "", "src/deep/Shop.java:2")
    assert.include((await first(20)) ?? "", "a.py:1")
  })

  it("an asynchronous main function of Rust and a script of Perl start what they are in", async () => {
    const { hyrax_md } = await outputOf({
      "Cargo.toml": '[package]\nname = "shop"\n',
      "src/main.rs": "#[tokio::main]\nasync fn main() -> Result<()> {\n    Ok(())\n}\n",
      shopctl: "#!/usr/bin/perl\nprint 1;\n"
    })
    assert.include(hyrax_md, "`src/main.rs:2`: program `shop`, by Cargo.toml")
    assert.include(hyrax_md, "Run: `cargo run`")
  })

  it("handlers of a receiver are looked for in the folder of the routes", async () => {
    const routes = ["carts", "bills", "shops"]
    const { guides } = await outputOf({
      "go.mod": "module example.com/shop\n",
      "api/server.go": `package api\n\nimport "net/http"\n\nfunc (s *Server) routes(router *http.ServeMux) {\n${routes.map((name) => `\trouter.HandleFunc("/${name}", s.${name})`).join("\n")}\n}\n`,
      ...Object.fromEntries(
        routes.flatMap((name) => [
          [
            `api/${name}.go`,
            `package api\n\nfunc (s *Server) ${name}(w http.ResponseWriter, r *http.Request) {\n\tw.Write(nil)\n}\n`
          ],
          [`web/${name}.go`, `package web\n\nfunc (p *Pages) ${name}() {\n\tprintln(1)\n}\n`]
        ])
      )
    })
    const content = guides.find(({ slug }) => slug === "add-an-endpoint")?.content ?? ""
    assert.include(content, "1. Write the handler in `api` (all 3 known handlers are there).")
  })
})
