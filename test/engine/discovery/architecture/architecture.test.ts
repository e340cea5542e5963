import { assert, describe, it } from "vitest"
import { architectureOf } from "../../../../src/engine/discovery/architecture/architecture.ts"
import { entryPointsOf } from "../../../../src/engine/discovery/architecture/entries.ts"
import { dividedFolder } from "../../../../src/engine/discovery/architecture/layers.ts"
import type { Item } from "../../../../src/engine/discovery/Draft.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { profileOf } from "../../../../src/engine/discovery/profile/profile.ts"
import { surveyOf } from "../../../support/survey.ts"

const texts = (items: ReadonlyArray<Item>): ReadonlyArray<string> => items.map(({ text }) => text)

const importing = (...modules: ReadonlyArray<string>): Partial<Observed> => ({
  imports: modules.map((module, i) => ({ module, names: [], line: i + 1 }))
})

describe("What imports what", () => {
  it("is divided where most of the sources lie below, and not in one folder alone", () => {
    const paths = (...all: ReadonlyArray<string>) => all.map((path) => ({ path }))
    assert.strictEqual(dividedFolder(paths("src/a/x.ts", "src/a/y.ts", "src/b/z.ts", "main.ts")), "")
    assert.strictEqual(dividedFolder(paths("src/a/x.ts", "src/a/y.ts", "src/b/z.ts")), "src")
    assert.strictEqual(
      dividedFolder(paths("src/main/java/a/b/c/X.java", "src/main/java/a/b/d/Y.java")),
      "src/main/java/a/b"
    )
  })

  it("says the direction, and where it is broken", () => {
    const survey = surveyOf(
      {},
      {
        "src/http/a.ts": importing(...Array.from({ length: 11 }, () => "../store/a.ts")),
        "src/http/b.ts": importing("../schema/a.ts", "../schema/b.ts", "../schema/b.ts", "express"),
        "src/store/a.ts": importing("../http/a.ts"),
        "src/store/b.ts": {},
        "src/schema/a.ts": {},
        "src/schema/b.ts": {}
      }
    )
    assert.deepStrictEqual(texts(architectureOf(survey).layers), [
      "`src/http` imports `src/store` (11), `src/schema` (3), for example `src/http/a.ts:1`.",
      "Against that direction: `src/store` imports `src/http` in 1 place, first `src/store/a.ts:1`; the other way round it is 11."
    ])
  })

  it.each<readonly [language: string, files: Record<string, Partial<Observed>>, manifests: Record<string, string>]>([
    [
      "Python, by its packages",
      {
        "shop/web/a.py": importing("shop.data.rows", "shop.data", "..data.rows"),
        "shop/web/b.py": {},
        "shop/data/rows.py": {},
        "shop/data/x.py": {}
      },
      {}
    ],
    [
      "Go, by its module",
      {
        "web/a.go": importing("example.com/shop/data", "example.com/shop/data/deep", "example.com/shop/data"),
        "web/b.go": {},
        "data/a.go": {},
        "data/b.go": {}
      },
      { "go.mod": "module example.com/shop\n" }
    ],
    [
      "Java, by its packages",
      {
        "src/main/java/shop/web/A.java": importing("shop.data.Row", "shop.data.*", "shop.data.Cart"),
        "src/main/java/shop/web/B.java": {},
        "src/main/java/shop/data/Row.java": {},
        "src/main/java/shop/data/Cart.java": {}
      },
      {}
    ],
    [
      "Rust, by its crate",
      {
        "src/web/a.rs": importing("crate::data::row", "crate::data", "crate::data::cart"),
        "src/web/b.rs": {},
        "src/data/row.rs": {},
        "src/data/cart.rs": {}
      },
      { "Cargo.toml": "[package]\n" }
    ],
    [
      "PHP, by its namespaces",
      {
        "src/Web/A.php": importing("Shop\\Data\\Row", "Shop\\Data\\Cart", "Shop\\Data\\Row"),
        "src/Web/B.php": {},
        "src/Data/Row.php": {},
        "src/Data/Cart.php": {}
      },
      { "composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}' }
    ]
  ])("is known for %s", (_, files, manifests) => {
    const [item] = texts(architectureOf(surveyOf(manifests, files)).layers)
    assert.match(item ?? "", /[wW]eb` imports `[\w/]*[dD]ata` \(3\)/)
  })
})

describe("Entry points", () => {
  it("are those that manifests state before those that the code declares; scripts for contributors are none", () => {
    const survey = surveyOf(
      {
        "package.json": '{"bin": {"shop": "dist/cli.js"}, "main": "lib/index.js"}',
        "pyproject.toml": '[project.scripts]\nshopd = "shop.daemon:main"\n'
      },
      {
        "src/cli.ts": {},
        "lib/index.js": {},
        "shop/daemon.py": {
          definitions: [{ name: "main", kind: "function", line: 7, end: 9, exported: true, bases: [], doc: null }]
        },
        "cmd/web/main.go": { isEntryPoint: 5 },
        "scripts/clean.py": { isEntryPoint: 2 }
      }
    )
    assert.deepStrictEqual(texts(architectureOf(survey).entries), [
      "`src/cli.ts:1`: program `shop`, by package.json",
      "`shop/daemon.py:7`: program `shopd` calls `shop.daemon:main`, by pyproject.toml",
      "`lib/index.js:1`: what an import of the package loads, by package.json",
      "`cmd/web/main.go:5`: declares what runs when it is started"
    ])
  })

  it.each([
    ["Ant", "build.xml", '<attribute name="Main-Class" value="com.shop.Shop"/>'],
    ["Maven", "pom.xml", "<mainClass>com.shop.Shop</mainClass>"],
    ["Gradle", "build.gradle", "mainClassName = 'com.shop.Shop'"]
  ])(
    "the main class that %s names comes before others; a test and a script that configures are none",
    (_, build, text) => {
      const starting = { isEntryPoint: 7 }
      const survey = surveyOf(
        { [build]: text },
        {
          "src/com/shop/Shop.java": starting,
          "src/com/acme/Tool.java": starting,
          "src/com/acme/ToolTest.java": starting,
          "configure.pl": starting
        }
      )
      assert.deepStrictEqual(
        entryPointsOf(survey).map(({ file_path, why }) => `${file_path}: ${why}`),
        [
          `src/com/shop/Shop.java: main class \`com.shop.Shop\`, by ${build}`,
          "src/com/acme/Tool.java: declares what runs when it is started"
        ]
      )
    }
  )

  it("are the server of the product before its tools; a package that tests the build and tests of the author are none", () => {
    const starting = { isEntryPoint: 7 }
    const survey = surveyOf(
      { "README.md": "# ShelfDB\n\nA store of shelves.\n" },
      {
        "cmd/inspect/main.go": starting,
        "cmd/shelfd/main.go": starting,
        "test_package/main.cpp": starting,
        "xt/pod.pl": starting
      }
    )
    assert.deepStrictEqual(
      entryPointsOf(survey).map(({ file_path, why }) => `${file_path}: ${why}`),
      [
        "cmd/shelfd/main.go: declares what runs when it is started",
        "cmd/inspect/main.go: declares what runs when it is started"
      ]
    )
  })

  it("are those of the package with most of the code before those of packages that serve it", () => {
    const manifest = (name: string) => JSON.stringify({ name, main: "index.js" })
    const survey = surveyOf(
      { "packages/desk-cloud/package.json": manifest("desk-cloud"), "packages/desk/package.json": manifest("desk") },
      { "packages/desk-cloud/index.js": {}, "packages/desk/index.js": {}, "packages/desk/lib/rows.js": {} }
    )
    assert.deepStrictEqual(
      entryPointsOf(survey).map(({ file_path }) => file_path),
      ["packages/desk/index.js", "packages/desk-cloud/index.js"]
    )
  })

  it("are scripts and tools only where a build, a manual page or the product's name says that they are programs", () => {
    const starting = { isEntryPoint: 7 }
    const entries = (texts: Readonly<Record<string, string>>, ...paths: ReadonlyArray<string>) =>
      entryPointsOf(surveyOf(texts, Object.fromEntries(paths.map((path) => [path, starting])))).map(
        ({ file_path }) => file_path
      )
    assert.deepStrictEqual(entries({}, "scripts/amalgamate.py", "tools/dump.c", "test/run.c"), [])
    assert.deepStrictEqual(entries({ "doc/dump.1": "" }, "tools/dump.c", "tools/count.c"), ["tools/dump.c"])
    const build = { "tools/CMakeLists.txt": "add_executable(count count.c)\n" }
    assert.deepStrictEqual(entries(build, "tools/dump.c", "tools/count.c", "tests/count.c"), ["tools/count.c"])
    const installed = { "CMakeLists.txt": "catkin_install_python(PROGRAMS\n  scripts/boil\n  DESTINATION bin)\n" }
    assert.deepStrictEqual(entries(installed, "scripts/boil", "scripts/clean", "cmake/depend", "KettleTest/main.cpp"), [
      "scripts/boil"
    ])
    assert.deepStrictEqual(entries({ "README.md": "# Kettle\n" }, "scripts/kettle.py", "scripts/ship.py"), [
      "scripts/kettle.py"
    ])
    assert.deepStrictEqual(entries({}, "style-checker", "spell-check.py", "stylist", "checker"), ["checker", "stylist"])
  })

  it("routes of servers that tests, load tests and examples start are none of the product", () => {
    const routes = [{ method: "GET", path: "/query", handler: "query", line: 3 }] as unknown as Observed["routes"]
    const listed = (path: string) => texts(architectureOf(surveyOf({}, { [path]: { routes } })).routes)
    for (const path of [
      "stress/server.go",
      "cmd/shelf_stress/main.go",
      "load-test/app.js",
      "mocks/api.ts",
      "kettle/dummy/v1.py"
    ])
      assert.deepStrictEqual(listed(path), [], path)
    for (const path of ["config/routes.rb", "services/stressed.go", "src/stress.ts"])
      assert.strictEqual(listed(path).length, 1, path)
  })

  it("a gem's program comes before its library, however it is listed", () => {
    for (const listed of ['"kettle"', '["kettle"]', "%w{kettle}"]) {
      const survey = surveyOf(
        { "kettle.gemspec": `s.name = "kettle"\ns.executables = ${listed}\n` },
        { "bin/kettle": {}, "lib/kettle.rb": {} }
      )
      assert.deepStrictEqual(
        entryPointsOf(survey).map(({ file_path }) => file_path),
        ["bin/kettle", "lib/kettle.rb"],
        listed
      )
    }
  })

  it("routes are listed by the file that declares them, with what answers", () => {
    const route = { framework: "express", method: "GET", guards: [], line: 3, end: 3 } as const
    const survey = surveyOf({}, { "src/a.ts": { routes: [{ ...route, path: "/carts", handler: "listCarts" }] } })
    assert.deepStrictEqual(texts(architectureOf(survey).routes), [
      "`src/a.ts` declares 1 route: `GET /carts` → `listCarts` (line 3)"
    ])
  })
})

describe("State, and what lies outside", () => {
  it("tables are listed with the code that writes them, migrations aside; objects that store by their folder", () => {
    const survey = surveyOf(
      {},
      {
        "db/schema.sql": { entities: [{ name: "carts", as: "SQL table", line: 4, fields: ["id"], relations: [] }] },
        "src/CartsRepo.ts": { writes: [["carts", 9]] },
        "src/migrations/1.ts": { writes: [["carts", 1]] },
        "src/a.py": {
          calls: [
            ["session.add", 1, 2],
            ["seen.add", 1, 3],
            ["self.db.save", 2, 8]
          ]
        }
      }
    )
    assert.deepStrictEqual(texts(architectureOf(survey).state), [
      "Mostly written in `src` (3 writes of tables)",
      "Table `carts` (declared at `db/schema.sql:4`) is written by `src/CartsRepo.ts:9`",
      "`src`: 2 calls that store or remove something, as in `src/a.py:8` (`self.db.save`)"
    ])
  })

  it("files and stores are listed with the line that writes them, those named for what is kept first", () => {
    const survey = surveyOf(
      {},
      {
        "src/a.js": { stores: [{ kind: "files", line: 3, shown: "fs.writeFileSync(path, text)" }] },
        "src/storage.js": { stores: [{ kind: "files", line: 9, shown: "fs.appendFile(log, line)" }] },
        "scripts/make.js": { stores: [{ kind: "files", line: 1, shown: "fs.writeFileSync(out, text)" }] }
      }
    )
    assert.deepStrictEqual(texts(architectureOf(survey).state), [
      "Mostly written in `src` (2 writes of files or stores)",
      "`src/storage.js:9` writes files (2 files of the sources do so): `fs.appendFile(log, line)`",
      "`src/a.js:3` writes files: `fs.writeFileSync(path, text)`"
    ])
  })

  it("what is stored comes before helpers that write often, settings and caches; locks, mocks, tests and migrations are left out", () => {
    const stores = (count: number) => ({
      stores: Array.from({ length: count }, (_, i) => ({ kind: "files" as const, line: i + 1, shown: `write${i}()` }))
    })
    const survey = surveyOf(
      {},
      {
        "src/FileUtil.java": stores(8),
        "src/PageCache.java": stores(1),
        "src/OrderStore.java": stores(1),
        "src/lockfile.c": stores(2),
        "src/mock_storage.js": stores(2),
        "src/com/shop/OrderStoreTest.java": stores(2),
        "src/shop_migrate.py": stores(2)
      }
    )
    assert.deepStrictEqual(
      texts(architectureOf(survey).state)
        .slice(1)
        .map((text) => text.split(" ")[0]),
      ["`src/OrderStore.java:1`", "`src/PageCache.java:1`", "`src/FileUtil.java:1`"]
    )
  })

  it("a pool that takes something in is no connection", () => {
    const survey = surveyOf(
      {},
      { "src/a.rs": { calls: [["pool.insert", 3, 2]] }, "src/b.php": { calls: [["conn.insert", 2, 4]] } }
    )
    assert.deepStrictEqual(texts(architectureOf(survey).state), [
      "Mostly written in `src` (2 writes of tables)",
      "`src`: 2 calls that store or remove something, as in `src/b.php:4` (`conn.insert`)"
    ])
  })

  it("services are named by the client that is imported", () => {
    const survey = surveyOf(
      {},
      { "src/a.ts": importing("pg", "./pg"), "src/b.py": { ...importing("boto3"), calls: [["requests.get", 1, 5]] } }
    )
    assert.deepStrictEqual(texts(architectureOf(survey).outside), [
      "Amazon Web Services: by `boto3` in 1 file, first `src/b.py:1`",
      "PostgreSQL: by `pg` in 1 file, first `src/a.ts:1`",
      "other servers, over HTTP: by `requests.get` in 1 file, first `src/b.py:5`"
    ])
  })
})

describe("Units", () => {
  it("say which of the others they need, and where that stands", () => {
    const survey = surveyOf({
      "core/Cargo.toml": '[package]\nname = "core"\n',
      "cli/Cargo.toml": '[package]\nname = "cli"\n[dependencies]\ncore = { path = "../core" }\n'
    })
    assert.deepStrictEqual(texts(architectureOf(survey).units), [
      "`cli` in `cli` (`cli/Cargo.toml:1`); needs `core` (line 4)",
      "`core` in `core` (`core/Cargo.toml:1`)"
    ])
  })
})

describe("The profile", () => {
  it("a product is not built with itself, with what an example needs, or with a placeholder", () => {
    const survey = surveyOf(
      {
        "pyproject.toml": '[project]\nname = "flask"\ndependencies = [\n  "click>=8",\n  "flask",\n]\n',
        "examples/requirements.txt": "django==5.0\n",
        "pom.xml":
          "<artifactId>clinic</artifactId><dependency><groupId>a</groupId><artifactId>hibernate-core</artifactId><version>${v}</version>"
      },
      { "src/flask/app.py": importing("click.core", "flask.json", "django.db") }
    )
    assert.deepStrictEqual(
      profileOf(survey).frameworks.map(({ name, version }) => [name, version]),
      [
        ["Click", ">=8"],
        ["Hibernate", null]
      ]
    )
  })

  it("an application whose package is called samples is one; pages that are shown are no language of it", () => {
    const survey = surveyOf(
      { "public/help/a.html": "<p>".repeat(500) },
      { "src/main/java/org/samples/clinic/Owner.java": {}, "src/main/java/org/samples/clinic/Pet.java": {} }
    )
    assert.strictEqual(profileOf(survey).size.source_files, 2)
    assert.notInclude(
      profileOf(survey).languages.map(({ name }) => name),
      "HTML"
    )
  })
})
