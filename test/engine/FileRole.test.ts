import { assert, describe, it } from "vitest"
import { type FileRole, roleByPath, roleOf } from "../../src/engine/core/files/FileRole.ts"
import { type Language, languageOf } from "../../src/engine/core/files/Language.ts"
import { layoutOf } from "../../src/engine/core/files/TreeTerms.ts"

const roles: Record<FileRole, ReadonlyArray<string>> = {
  source: [
    "generator/html/expected.html",
    "src/a.ts",
    "lib/latest.py",
    "app/contest/view.py",
    "cmd/testify.go",
    "go/src/code.example.org/shop/cart.go",
    "src/main/java/shop/Testimony.java",
    "src/it/messages.ts",
    "src/main/java/shop/testcases/Board.java",
    "spec.go",
    "includes/jquery_cart.php",
    "lib/queue-client/page.php",
    "src/queue-2.3/Select.php",
    "bin/build.js",
    "web/jquery-plugins.ts",
    "src/generate.ts",
    "Dockerfile",
    "src/main/java/shop/benchmark/Run.java",
    "src/main/java/shop/samples/docs/spec/Order.java",
    "shop/src/main/kotlin/shop/vendor/VendorController.kt",
    "src/main/java/shop/TestConnectionController.java",
    "src/main/java/shop/ChiSquareTest.java",
    "src/main/java/shop/OrderSpec.java",
    "snapshots/store.go",
    "services/sandbox/jail.go",
    "src/http/docs/pages.ts",
    "engine/mock.py",
    "src/commonMain/kotlin/shop/stub/Client.kt",
    "lib/samples/index.js",
    "lib/ace/editor.js",
    "js/ckeditor/stamps.js",
    "src/calendar-2.0/days.ts",
    "shop/static/js/till-2.js",
    "app/docs/page.tsx",
    "internal/benchmark/run.go",
    "pkg/snapshots/store.go",
    "src/sandbox/jail.rs",
    "settings.txt",
    "deploy/credentials.txt",
    "web/report.20240131.js",
    "web/decade.facade.js",
    "t/index.ts",
    "src/esm/load.js",
    "includes/ext/queue.php"
  ],
  test: [
    "t/range/hymn.html",
    "internal/testingutil/db.go",
    "src/a.test.ts",
    "src/a.spec.tsx",
    "index.test-d.ts",
    "test/a.ts",
    "src/__tests__/a.js",
    "pkg/a_test.go",
    "tests/test_a.py",
    "app/test_views.py",
    "src/test/java/shop/A.java",
    "lib/test-queue.c",
    "Shop.Tests/OrderTests.cs",
    "spec/models/user_spec.rb",
    "e2e/login.ts",
    "plugin/src/it/run-forked/src/main/java/shop/PingServlet.java",
    "plugin/src/main/it/run-forked/src/main/java/shop/PingServlet.java",
    "src/main/java/shop/testCases/integration/Orders.java",
    "fs/fstest/run.go",
    "ci/testserver/init.sh",
    "lib/__tests__/a.js",
    "internal/e2e/login.go",
    "t/basic.t",
    "shop-1.2/t/go/server.go",
    "t/runner",
    "store/mock_store.go",
    "store/store_mock.go",
    "client/api.mock.ts",
    "java/shop/TestOrders.java",
    "java/shop/ClockFake.java",
    "module/Tests/OrderTest.php",
    "shop/testutil/clock.go",
    "shop/tests.py",
    "shop/test-helper.js",
    "package/test.js"
  ],
  fixture: [
    "_testdata/a.go",
    "generator/test-html/expected.html",
    "test/fixtures/a.ts",
    "pkg/testdata/a.go",
    "integration/_fixtures/flags/flags_test.go",
    "src/__mocks__/fs.js",
    "src/test/resources/a.sql",
    "core/testdir/a.vim",
    "clock/fake/clock.go",
    "certs/test-key.pem",
    "integration/tls/gateway.key",
    "t/data/mail/keys/sender.key",
    "queue/t/certs/server.pem"
  ],
  example: [
    "examples/a.ts",
    "packages/x/demo/index.js",
    "benchmarks/run.py",
    "samples/src/main/java/shop/A.java",
    "examples/app/page.tsx",
    "lib/editor/demos/small.html",
    "Dockerfile.examples",
    "build/docker/Dockerfile.demo-till",
    "web/lib/Text_Shop/doc/try.php"
  ],
  docs: ["README.md", "docs/guide/a.js", "notes.txt", "src/login/README.html", "LICENSE.txt"],
  generated: [
    "app/.next-standalone/server/index.html",
    "shop/static.dist/js/till.js",
    "shop/collectstatic/js/till.js",
    "api/a.pb.go",
    "a_pb2.py",
    "src/generated/client.ts",
    "package-lock.json",
    "build-aux/ltmain.sh",
    "dist/index.js",
    "dist-cjs/lib/index.js",
    "shop/static/assets/4711.0a1b2c3d4e5f60718293.entry.js",
    "core/built/assets/index-a1B2c3D4.mjs",
    "shop/web/cart.1f2e3d4c5b6a.js",
    "shop/static_build/till/cart.js"
  ],
  vendored: [
    "waflib/Build.py",
    "shop/repackaged/org/example/Reader.java",
    "node_modules/x/index.js",
    "vendor/github.com/x/y.go",
    "debian/go/src/code.example.org/x/go.mod",
    "Godeps/_workspace/src/code.example.org/x/y.go",
    "setuptools/_vendor/tomli/_types.py",
    "third_party/lib/a.c",
    "3rdparty/lib/b.c",
    "app/ThirdParty/lib/a.py",
    "wwwroot/lib/jquery-3.6.0.js",
    "static/js/bootstrap.js",
    "shop/static/js/lib/inflater.js",
    "shop/static/js/ace/mode-css.js",
    "web/skins/plain/js/jquery-ui-1.13.2/index.html",
    "web/js/crypto-js/core.js",
    "public/scripts/colorWheel-1.6.2.js",
    "public/jquery.min.js",
    "share/pages/html/jquery-3.6.3.js",
    "shop/classes/jpgraph/src/graph.php",
    "shop/includes/queue-2.3.1/Queue/Select.php",
    "shop/includes/jquery/jquery.tree.js",
    "lib/mail/phpmailer/class.smtp.php",
    "web/ext/loaf-1.1.0/Oven.php",
    "shop/lib/3rdParty/loaf/Oven.php",
    "shop/lib/extra/jstree/jstree.js",
    "shop/style/jstree/style.css",
    "web/js/loaf_1.1.0/oven.js"
  ],
  minified: ["web/app.min.js", "styles/main.min.css"]
}

describe("the role of a file", () => {
  for (const [role, paths] of Object.entries(roles)) {
    it(role, () => {
      assert.deepStrictEqual(
        paths.map((path) => `${roleOf(path)} ${path}`),
        paths.map((path) => `${role} ${path}`)
      )
    })
  }

  it("is inferred from the mark of a generator in the opening comment only", () => {
    const marks = [
      "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a",
      "/**\n * This file was automatically generated by x.\n */\n",
      "# Generated by Django 4.2 on 2023-01-01\n",
      "// <auto-generated>\n",
      "/* @generated */\n",
      "/* A Bison parser, made by GNU Bison 3.8.2.  */\n",
      '\n#line 3 "words.lex.c"\n',
      "/******/ (() => { // webpackBootstrap\n"
    ]
    assert.deepStrictEqual(
      marks.map((text) => roleOf("src/a.go", text)),
      marks.map(() => "generated")
    )
    const tables = "module Words\n  class << self\n    attr_accessor :_trans_keys\n    private :_trans_keys\n"
    assert.strictEqual(roleOf("lib/words.rb", tables), "generated")
    assert.strictEqual(roleOf("lib/words.rb", "class Words\n  attr_accessor :keys\n"), "source")
    const documented =
      '<!DOCTYPE HTML>\n<!-- NewPage -->\n<html lang="en">\n<head>\n<!-- Generated by javadoc (17) -->\n'
    assert.strictEqual(roleOf("api/shop/Cart.html", documented), "generated")
    assert.strictEqual(roleOf("src/a.go", 'package a\nconst header = "Code generated by x. DO NOT EDIT."\n'), "source")
    assert.strictEqual(
      roleOf("src/a.go", "// We say DO NOT EDIT the id by hand.\n".replace("DO NOT EDIT ", "never edit ")),
      "source"
    )
  })

  it("is generated where a line of the opening comment or the comment of the class says so, and source where these describe what the code does", () => {
    const javaClass = (comment: string) =>
      `package shop;\n\nimport java.util.List;\n\n/**\n * ${comment}\n */\n@SuppressWarnings("all")\npublic class Cart {}\n`
    const cases: ReadonlyArray<readonly [path: string, text: string, role: FileRole]> = [
      ["src/shop/Cart.java", javaClass("Carts.\n * This class was generated from cart.xml."), "generated"],
      ["src/shop/Cart.java", javaClass("Automatically generated."), "generated"],
      ["src/shop/Cart.java", 'package shop;\n\n@Generated("cart")\npublic class Cart {}\n', "generated"],
      ["src/shop/cart.py", '"""Generated by carts 2.1 from cart.xml."""\n', "generated"],
      ["src/shop/cart.c", "/*\n * AUTOMATICALLY GENERATED FILE\n */\n", "generated"],
      ["src/shop/cart.c", "/* Machine generated. Change cart.xml instead. */\n", "generated"],
      ["src/shop/Cart.java", javaClass("Holds automatically generated numbers of carts."), "source"],
      ["src/shop/Cart.java", javaClass("Carts.\n * Numbers are generated by the till."), "source"],
      ["src/shop/cart.js", "// Generated by CoffeeScript 1.12.7\n", "source"],
      ["src/shop/cart.py", "# Generated with Claude and changed since.\n", "source"],
      ["src/shop/cart.py", "# The token is generated by the till, and is automatically generated again.\n", "source"]
    ]
    for (const [path, text, role] of cases) assert.strictEqual(roleOf(path, text), role, text)
  })

  it("is the product's own inside of a Python package, whose folders any code imports", () => {
    const layout = layoutOf([
      "shop/__init__.py",
      "shop/benchmark/run.py",
      "shop/tests/__init__.py",
      "examples/__init__.py",
      "examples/run.py",
      "tools/run.py"
    ])
    const rolesOf = (...paths: ReadonlyArray<string>) => paths.map((path) => roleByPath(path, layout))
    assert.deepStrictEqual(rolesOf("shop/benchmark/run.py", "shop/docs/render.py", "shop/samples/a/b.py"), [
      "source",
      "source",
      "source"
    ])
    assert.deepStrictEqual(rolesOf("shop/tests/test_run.py", "examples/run.py", "benchmark/run.py"), [
      "test",
      "example",
      "example"
    ])
  })

  it("is vendored for a library that lies among the files for browsers with its manifest and licence", () => {
    const copy = "shop/static/components/calendar"
    const layout = layoutOf([`${copy}/package.json`, `${copy}/LICENSE`, "shop/static/till/package.json"])
    const files = [`${copy}/src/lib/days.js`, "shop/static/till/index.js", "shop/static/components/cart.js"]
    assert.deepStrictEqual(
      files.map((path) => roleByPath(path, layout)),
      ["vendored", "source", "source"]
    )
  })

  it("is vendored for plain scripts under a licence of their own, unless they are a package", () => {
    const layout = layoutOf([
      "LICENSE",
      "plugins/stars/files/LICENSE",
      "plugins/stars/files/stars.js",
      "packages/till/LICENSE",
      "packages/till/package.json",
      "packages/till/index.js",
      "server/LICENSE",
      "server/run.js",
      "server/run.py"
    ])
    assert.deepStrictEqual(
      ["plugins/stars/files/stars.js", "packages/till/index.js", "server/run.js"].map((path) =>
        roleByPath(path, layout)
      ),
      ["vendored", "source", "source"]
    )
  })

  it("is vendored for a script for browsers whose opening comment names its release and its licence", () => {
    const path = "shop/static/js/date-picker.js"
    const head = "/*\n * Date picker\n * Version 1.2\n * You may use it under MIT or GPL licenses.\n */\n"
    assert.strictEqual(roleOf(path, head), "vendored")
    assert.strictEqual(roleOf("src/date-picker.js", head), "source")
    assert.strictEqual(roleOf(path, "// Licensed under the MIT License.\nstart()\n"), "source")
    assert.strictEqual(roleOf(path, "// Version 1.2 of the till\nstart()\n"), "source")
  })

  it("is vendored for a library with its licence and version among what a program includes", () => {
    const layout = layoutOf(["web/lib/Bread/LICENSE.txt", "web/lib/Bread/VERSION.txt", "web/lib/till.php"])
    assert.deepStrictEqual(
      ["web/lib/Bread/Oven/Heat.php", "web/lib/till.php"].map((path) => roleByPath(path, layout)),
      ["vendored", "source"]
    )
  })

  it("is vendored for a script for browsers that opens with a name and version, or a plugin's", () => {
    const signed = [
      "/*! jQuery Clock Addon - v1.6.3 - 2016-04-20\n* http://example.com/clock\n*/\n",
      "/*!\n * Paperwork v1.0.0 (http://example.com)\n * Copyright 2014 Paperwork\n */\n",
      "/**\n * @license\n * Inflater 2.4 <https://example.com>\n */\n",
      "/* =====\n * Shelf: drawer.js v3.3.7\n * http://example.com/shelf\n * =====\n * Licensed under MIT\n */\n",
      "/**\n * jQuery Nested Lists\n * Makes lists sortable.\n * @version 1.2\n */\n",
      "/*\n Dialler 1.0.3, a JS library for clocks. http://example.com\n (c) 2010 A Maker\n*/\n",
      "/*\n Dialler, a JavaScript library for clocks. http://example.com\n (c) 2010 A Maker\n*/\n",
      "/*!\n  * Clock - copyright (c) A Maker\n  * https://github.com/maker/clock\n  * MIT license\n  */\n"
    ]
    assert.deepStrictEqual(
      signed.map((head) => roleOf("shop/static/js/clock.js", `${head}clock()\n`)),
      signed.map(() => "vendored")
    )
    const own = [
      "/*! The till of the shop, see version 2 of the plan. */\n",
      "/**\n * @license Copyright 2024 Shop\n */\n",
      "/**\n * Rounds to 0.5 steps.\n */\n",
      "/** Uses jQuery to open the drawer. */\n",
      "/* Prices as of 1.0.3 of the contract. */\n",
      "/* Loads the JavaScript library of the till. */\n",
      "/*!\n * The shop's till\n * https://github.com/shop/shop\n * MIT license\n */\n"
    ]
    assert.deepStrictEqual(
      own.map((head) => roleOf("shop/static/js/till.js", `${head}till()\n`)),
      own.map(() => "source")
    )
    assert.strictEqual(roleOf("src/clock.js", signed[0]!), "source")
  })

  it("is vendored for a part of jQuery that names its licence behind helpers, and source for a plug-in of one's own", () => {
    const helper = "// for old browsers\njQuery.browser = {};\n\n"
    const path = "shop/static/js/jquery.tools.overlay.js"
    assert.strictEqual(roleOf(path, `${helper}/**\n * @license\n * Tools Overlay\n */\n`), "vendored")
    assert.strictEqual(roleOf(path, `${helper}/** Opens the till. */\n`), "source")
  })

  it("is vendored for a script among additions that names its repository and holder, and source among its own", () => {
    const head = "/*!\n * Stems of words\n * https://github.com/maker/stems\n * Copyright 2014, A Maker\n */\n"
    assert.strictEqual(roleOf("shop/contrib/search/stems.js", head), "vendored")
    assert.strictEqual(roleOf("src/stems.js", head), "source")
    const unsigned = "/*!\n * Finds goods, see https://github.com/shop/shop\n */\n"
    assert.strictEqual(roleOf("shop/contrib/search/goods.js", unsigned), "source")
  })

  it("is vendored for a script in a folder of its own name that names its holder or its release, and source beside it", () => {
    const head = "/*!\n  * bell.js - copyright A Maker 2011\n  * https://github.com/maker/bell\n  * MIT License\n  */\n"
    assert.strictEqual(roleOf("shop/js/clock/clock.js", head), "vendored")
    assert.strictEqual(roleOf("shop/js/till/clock.js", head), "source")
    const released = "/**\n * @version: 1.0 Alpha-1\n * @license: Licensed under The MIT License.\n */\n"
    assert.strictEqual(roleOf("shop/js/date/date.js", released), "vendored")
    assert.strictEqual(roleOf("shop/js/date/date.js", "/** Days of the shop, version 1.0 */\n"), "source")
  })

  it("is generated for sources that were collected with their digests in the names", () => {
    assert.strictEqual(roleByPath("shop/js/till.6efb5b65fe6c.ts"), "generated")
    assert.strictEqual(roleByPath("shop/js/till.deadbeef.ts"), "source")
    assert.strictEqual(roleByPath("shop/js/till.20240101.ts"), "source")
  })

  it("is test for targets of a fuzzer outside of the sources", () => {
    assert.strictEqual(roleByPath("fuzz/parse.go"), "test")
    assert.strictEqual(roleByPath(".clusterfuzzlite/Dockerfile"), "test")
  })

  it("is test for the values with which a chart is tried out", () => {
    assert.strictEqual(roleByPath("helm/shop/ci/till-values.yaml"), "test")
    assert.strictEqual(roleByPath("helm/shop/values.yaml"), "source")
  })

  it("is generated where the source says that it comes from a description", () => {
    const head = "//   NOTE: This -*- java -*- source code is autogenerated from the shop\n//         description!\n"
    assert.strictEqual(roleOf("src/shop/Till.java", `${head}interface Till {}\n`), "generated")
  })

  it("is source for a program named like a fuzzer's work", () => {
    assert.strictEqual(roleByPath("src/shop/fuzzy.go"), "source")
  })

  it("is source where a tree has no code but examples", () => {
    const only = layoutOf(["README.md", "setup.py", "benchmark/a.py", "benchmark/b.py", "tests/test_a.py"])
    assert.strictEqual(roleByPath("benchmark/a.py", only), "source")
    const beside = layoutOf(["setup.py", "benchmark/a.py", "shop/a.py"])
    assert.strictEqual(roleByPath("benchmark/a.py", beside), "example")
  })

  it("is generated for a page whose opening comment says so without a verb", () => {
    const mark = "<html>\n<!-- (this file generated automatically by Till::BuildTables) -->\n<head></head>\n</html>\n"
    assert.strictEqual(roleOf("html/tables.html", mark), "generated")
    assert.strictEqual(roleOf("html/tables.html", "<html>\n<!-- tables of this file -->\n</html>\n"), "source")
  })

  it("is generated for modules that a bundler joined, an amalgamation, and what Emscripten writes", () => {
    const joined = "var a = 1;\n// ../node_modules/bells/index.js\nvar bells = ring();\n"
    assert.strictEqual(roleOf("bin/program.js", joined), "generated")
    assert.strictEqual(roleOf("bin/program.js", "// see node_modules/bells/index.js for rings\nring()\n"), "source")
    const amalgamation = "/*\n** This file is an amalgamation of many separate C source files.\n*/\nint a;\n"
    assert.strictEqual(roleOf("src/store.c", amalgamation), "generated")
    const glue = "var Module = typeof Module !== 'undefined' ? Module : {};\n"
    assert.strictEqual(roleOf("src/codec.js", glue), "generated")
    assert.strictEqual(roleOf("src/codec.js", "if (typeof Module !== 'undefined') run(Module)\n"), "source")
  })

  it("is inferred from the length of lines", () => {
    assert.strictEqual(roleOf("src/a.js", `/*! licence */\n${"a=1;".repeat(2_000)}`), "minified")
    assert.strictEqual(roleOf("src/b.js", `(function(){${"a=1;".repeat(300)}})()`), "minified")
    assert.strictEqual(roleOf("src/b.js", `(function(){${"a=1;".repeat(60)}})()`), "source")
    assert.strictEqual(roleOf("src/data.json", "1,".repeat(5_000)), "source")
  })
})

const languages: ReadonlyArray<readonly [path: string, language: Language]> = [
  ["a.mts", "typescript"],
  ["a.d.ts", "typescript"],
  ["A.TSX", "tsx"],
  ["a.jsx", "javascript"],
  ["Dockerfile", "dockerfile"],
  ["Dockerfile.dev", "dockerfile"],
  ["api.Dockerfile", "dockerfile"],
  ["dockerfile_test.py", "python"],
  ["Dockerfile.md", "markdown"],
  [".github/workflows/ci.yml", "yaml"],
  ["Gemfile", "ruby"],
  ["Makefile", "make"],
  ["infra/main.tf", "terraform"],
  ["constructor", "text"],
  ["a.toString", "text"],
  [".env", "text"]
]

describe("the language of a file", () => {
  it("is inferred from its name", () => {
    assert.deepStrictEqual(
      languages.map(([path]) => [path, languageOf(path)] as const),
      languages
    )
  })
  it("or by its interpreter", () => {
    assert.strictEqual(languageOf("bin/run", "#!/usr/bin/env python3\n"), "python")
    assert.strictEqual(languageOf("bin/run", "#!/bin/sh -e\n"), "shell")
    assert.strictEqual(languageOf("bin/run", "#!/usr/bin/env node\n"), "javascript")
    assert.strictEqual(languageOf("bin/run", "plain\n"), "text")
  })
})

describe("files that were copied or made", () => {
  const roleIn = (paths: ReadonlyArray<string>, path: string): FileRole => roleByPath(path, layoutOf(paths))

  it("what a compiler writes beside its sources is generated, whatever the folder is called", () => {
    const parts = ["index", "server", "routes/orders", "routes/users"]
    const compiled = [...parts.map((part) => `src/${part}.ts`), ...parts.map((part) => `lib/${part}.js`)]
    assert.strictEqual(roleIn(compiled, "lib/routes/orders.js"), "generated")
    assert.strictEqual(roleIn(compiled, "src/routes/orders.ts"), "source")
    const built = [...parts.map((part) => `lib/${part}.js`), ...parts.map((part) => `build/lib/${part}.js`)]
    assert.strictEqual(roleIn(built, "build/lib/server.js"), "generated")
    assert.strictEqual(roleIn(built, "lib/server.js"), "source")
    const unlike = ["src/a.ts", "src/b.ts", "src/c.ts", "lib/x.js", "lib/y.js", "lib/z.js", "build/release.js"]
    for (const path of ["lib/x.js", "build/release.js"]) assert.strictEqual(roleIn(unlike, path), "source")
  })

  it("of two builds that are all a package holds one is audited, though it looks made of the other", () => {
    const files = ["dist/esm/index.js", "dist/esm/index.d.ts", "dist/esm/types.d.ts", "dist/esm/types.ts"]
    const both = [...files, ...files.map((path) => path.replace("esm", "cjs").replace(".js", ".cjs"))]
    const published = ["package.json", ...both]
    assert.strictEqual(roleIn(published, "dist/esm/index.js"), "source")
    assert.strictEqual(roleIn(published, "dist/cjs/index.cjs"), "generated")
    assert.strictEqual(roleIn([...published, "src/index.ts"], "dist/esm/index.js"), "generated")
  })

  it("a library in C with terms and people of its own and nothing that builds it was copied", () => {
    const own = ["README", "Makefile", "pack.c"]
    const library = ["deflate/COPYING", "deflate/CONTRIBUTORS", "deflate/src/deflate/tree.c"]
    assert.strictEqual(roleIn([...own, ...library], "deflate/src/deflate/tree.c"), "vendored")
    assert.strictEqual(roleIn([...own, ...library], "pack.c"), "source")
    const parts = [
      [...own, "deflate/COPYING", "deflate/src/deflate/tree.c"],
      [...own, ...library, "deflate/Makefile"],
      library
    ]
    for (const paths of parts) assert.strictEqual(roleIn(paths, "deflate/src/deflate/tree.c"), "source")
  })

  it("of modules of two kinds one is generated where nothing but the kind differs", () => {
    const parts = ["index", "server", "routes/orders", "routes/users"]
    const kindsOf = (...kinds: ReadonlyArray<string>) =>
      kinds.flatMap((kind) => parts.map((part) => `${kind}/${part}.js`))
    for (const [one, other] of [
      ["lib", "es"],
      ["cjs", "esm"]
    ] as const) {
      assert.strictEqual(roleIn(kindsOf(one, other), `${one}/server.js`), "source")
      assert.strictEqual(roleIn(kindsOf(one, other), `${other}/server.js`), "generated")
      assert.strictEqual(roleIn(kindsOf(one), `${one}/server.js`), "source")
    }
    const texts = [...kindsOf("lib"), "es/till.js", "es/cart.js", "es/stock.js"]
    for (const path of ["lib/server.js", "es/till.js"]) assert.strictEqual(roleIn(texts, path), "source")
  })

  it("a program in C with a configure script and terms of its own inside of another one is vendored", () => {
    const tree = [
      "configure.ac",
      "LICENSE",
      "src/main.c",
      "zcodec/configure.in",
      "zcodec/COPYRIGHT",
      "zcodec/io/read.c"
    ]
    assert.strictEqual(roleIn(tree, "zcodec/io/read.c"), "vendored")
    assert.strictEqual(roleIn(tree, "src/main.c"), "source")
    assert.strictEqual(roleIn(tree.slice(1), "zcodec/io/read.c"), "source")
  })

  it("modules of Gnulib are vendored where its tool recorded them", () => {
    const tree = ["m4/gnulib-cache.m4", "gl/vasnprintf.c", "src/gl/hash.c", "src/main.c"]
    for (const path of ["gl/vasnprintf.c", "src/gl/hash.c"]) assert.strictEqual(roleIn(tree, path), "vendored")
    assert.strictEqual(roleIn(tree, "src/main.c"), "source")
    assert.strictEqual(roleIn(["gl/shader.c", "src/main.c"], "gl/shader.c"), "source")
    assert.strictEqual(roleIn(["m4/gnulib-comp.m4", "gnu/memchr.c", "src/main.c"], "gnu/memchr.c"), "vendored")
    assert.strictEqual(roleIn(["gnu/memchr.c", "src/main.c"], "gnu/memchr.c"), "source")
    const besideMake = ["m4/gnulib-comp.m4", "lib/gnulib.mk", "lib/vasnprintf.c", "src/main.c"]
    assert.strictEqual(roleIn(besideMake, "lib/vasnprintf.c"), "vendored")
    assert.strictEqual(roleIn(besideMake, "src/main.c"), "source")
    assert.strictEqual(roleIn(besideMake.slice(1), "lib/vasnprintf.c"), "source")
  })

  it("gettext's library is vendored where a program keeps a copy in `intl`", () => {
    const tree = ["intl/dcigettext.c", "intl/explodename.c", "src/main.c"]
    assert.strictEqual(roleIn(tree, "intl/explodename.c"), "vendored")
    assert.strictEqual(roleIn(tree, "src/main.c"), "source")
    assert.strictEqual(roleIn(["intl/names.c", "src/main.c"], "intl/names.c"), "source")
    const own = ["gettext-runtime/intl/dcigettext.c", "gettext-runtime/src/gettext.c"]
    assert.strictEqual(roleIn(own, "gettext-runtime/intl/dcigettext.c"), "source")
  })

  it("what Composer installed is vendored, whatever its folder is called", () => {
    const tree = ["parts/composer/autoload_real.php", "parts/oven/loaf/src/Oven.php", "src/Shop.php"]
    assert.strictEqual(roleIn(tree, "parts/oven/loaf/src/Oven.php"), "vendored")
    assert.strictEqual(roleIn(tree, "src/Shop.php"), "source")
    assert.strictEqual(roleIn(["composer/autoload_real.php", "src/Shop.php"], "src/Shop.php"), "source")
  })

  it("a Java library in a package of another program is vendored, and what only uses it or is at home is not", () => {
    const tree = ["shop/till/javassist/CtClass.java", "shop/till/javassist/tools/Rmi.java", "shop/till/Till.java"]
    assert.strictEqual(roleIn(tree, "shop/till/javassist/tools/Rmi.java"), "vendored")
    assert.strictEqual(roleIn(tree, "shop/till/Till.java"), "source")
    const usesIt = ["shop/till/javassist/ProxyFactory.java"]
    assert.strictEqual(roleIn(usesIt, "shop/till/javassist/ProxyFactory.java"), "source")
    for (const home of ["javassist", "src/main/java/javassist", "src/main/javassist"]) {
      assert.strictEqual(roleIn([`${home}/CtClass.java`], `${home}/CtClass.java`), "source")
    }
  })

  it("a dependency that is kept in deps under terms of its own is vendored, and a folder without terms is not", () => {
    const tree = ["COPYING", "deps/pool/LICENSE", "deps/pool/src/pool.c", "deps/own/read.c", "src/main.c"]
    assert.strictEqual(roleIn(tree, "deps/pool/src/pool.c"), "vendored")
    for (const path of ["deps/own/read.c", "src/main.c"]) assert.strictEqual(roleIn(tree, path), "source")
    assert.strictEqual(roleIn(tree.slice(1), "deps/pool/src/pool.c"), "source")
    const unpacked = tree.map((path) => `pool-1.2/${path}`)
    assert.strictEqual(roleIn(unpacked, "pool-1.2/deps/pool/src/pool.c"), "vendored")
    assert.strictEqual(roleIn(unpacked, "pool-1.2/src/main.c"), "source")
  })

  it("a page into which a published style sheet was copied is generated, and one with styles of its own is not", () => {
    const head = '<!DOCTYPE html>\n<html>\n<head>\n<title>Report</title>\n<style type="text/css">\n'
    assert.strictEqual(
      roleOf("pages/report.html", `${head}/*!\n * Boldstyle v3.3.4 (https://bold.example)\n`),
      "generated"
    )
    assert.strictEqual(roleOf("pages/report.html", `${head}/* colours of the shop */\nbody { margin: 0 }\n`), "source")
  })

  it("a page that a tool wrote or saved from another site is generated, and one that an editor helped with is not", () => {
    const written = [
      '<html>\n<head>\n<meta name="generator" content="Doxygen 1.9.4"/>\n',
      '<html>\n<head>\n<meta content="TYPO3 CMS" name="generator">\n',
      "<!DOCTYPE html>\n<!-- saved from url=(0024)https://shop.example/cart -->\n<html>\n",
      "<html>\n<!-- Mirrored from shop.example/ by a copier -->\n",
      "<!-- Generated by Doxygen 1.9.4 -->\n<html>\n",
      "<html>\n<head>\n<!-- This HTML file has been created by texi2html 1.82 -->\n",
      '<html>\n<head>\n<meta content="texi2html 5" name="generator">\n',
      '<html>\n<body>\n<p><a name="__index__"></a></p>\n<!-- INDEX BEGIN -->\n'
    ]
    assert.deepStrictEqual(
      written.map((text) => roleOf("pages/report.html", text)),
      written.map(() => "generated")
    )
    const own = [
      '<html>\n<head>\n<meta name="generator" content="BlueFeather 2.2">\n',
      '<html>\n<head>\n<meta name="generator" content="{{ site.generator }} of the Jekyll theme">\n',
      '<html>\n<head>\n<meta name="description" content="Written with Jekyll">\n',
      "<html>\n<body>\n<!-- The list is generated by the till. -->\n"
    ]
    assert.deepStrictEqual(
      own.map((text) => roleOf("pages/report.html", text)),
      own.map(() => "source")
    )
  })

  it("parts of zlib and of the GNU C Library are vendored where they say so", () => {
    const zlib = "/* inflate.c -- decompression\n * Copyright (C) 1995-2022 Mark Adler\n */\n"
    const glob = "/* Copyright (C) 1991 Free Software Foundation.\n   This file is part of the GNU C Library. */\n"
    assert.strictEqual(roleOf("core/pack/inflate.c", zlib), "vendored")
    assert.strictEqual(roleOf("core/pack/inflate.c", "/* Fills balloons. */\n"), "source")
    assert.strictEqual(roleOf("core/own_fnmatch_loop.c", glob), "vendored")
    assert.strictEqual(roleOf("core/balloon.c", glob), "source")
  })

  it("a page that is named for the tests it runs is one, and a page of another name is not", () => {
    for (const path of [
      "client/runtests.html",
      "static/tests.html",
      "js/SpecRunner.html",
      "js/editor-test.html",
      "js/test_links.html"
    ])
      assert.strictEqual(roleOf(path), "test")
    for (const path of ["client/contest.html", "static/tested.html", "views/speed-test.html"])
      assert.strictEqual(roleOf(path), "source")
  })

  it("pages and scripts beside the index and the inventory that Sphinx writes are generated, and those beside one of them are not", () => {
    const files = ["shop/doc/build/html/api.html", "shop/doc/build/html/_static/searchtools.js"]
    const index = "shop/doc/build/html/searchindex.js"
    const rolesIn = (...paths: ReadonlyArray<string>) => {
      const layout = layoutOf(["shop/__init__.py", ...files, ...paths])
      return files.map((path) => roleByPath(path, layout))
    }
    assert.deepStrictEqual(rolesIn(index, "shop/doc/build/html/objects.inv"), ["generated", "generated"])
    assert.deepStrictEqual(rolesIn(index), ["source", "source"])
  })

  it("modules that setuptools copied to build/lib are generated, and modules of such a folder without their sources are not", () => {
    const names = ["__init__", "orders", "prices", "stock"]
    for (const lib of ["build/lib", "build/lib.linux-x86_64-3.9"])
      for (const sources of ["shop", "src/shop"]) {
        const copies = names.map((name) => `${lib}/shop/${name}.py`)
        const layout = layoutOf([...copies, ...names.map((name) => `${sources}/${name}.py`)])
        assert.deepStrictEqual([...new Set(copies.map((path) => roleByPath(path, layout)))], ["generated"])
        assert.strictEqual(roleByPath(`${sources}/orders.py`, layout), "source")
        assert.strictEqual(roleByPath(copies[1]!, layoutOf([...copies, "shop/__init__.py"])), "source")
      }
  })

  it("what the compiler of the Google Web Toolkit writes is generated by its name", () => {
    for (const path of ["skins/chat/E15CD3006117E7352C31EA0BA914973B.cache.js", "chat/chat.nocache.js"])
      assert.strictEqual(roleOf(path), "generated")
    for (const path of ["src/users.cache.js", "src/E15CD300.cache.js"]) assert.strictEqual(roleOf(path), "source")
  })

  it("libraries of one file in Python are vendored where they say what release they are, except as packages of their own", () => {
    const head = '__version__ = "2.0.0"\n'
    for (const path of ["app/utils/ipaddr.py", "app/compat/argparse.py"])
      assert.deepStrictEqual([roleOf(path, head), roleOf(path, "import app\n")], ["vendored", "source"])
    for (const path of ["lib/ipaddr.py", "usr/lib/python3/dist-packages/ipaddr.py"])
      assert.strictEqual(roleOf(path, head), "source")
  })

  it("regress, _test and files of Rust tests hold tests, and words that begin alike do not", () => {
    for (const path of ["plugins/rules/regress/check.c", "_test/server.go", "src/parse_tests.rs"])
      assert.strictEqual(roleOf(path), "test")
    assert.strictEqual(roleOf("server/regress/server_key.pem"), "fixture")
    for (const path of ["plugins/regression/fit.c", "latest/server.go", "src/contests.rs"])
      assert.strictEqual(roleOf(path), "source")
  })

  it("what Browserify and webpack put together is generated, and a module of the same folder is not", () => {
    const bundles = [
      "(function e(t,n,r){function s(o,u){if(!n[o]){}}})({1:[function(require,module,exports){",
      "(function(){function r(e,n,t){function o(i,f){}}return r})()({1:[function(require,module,exports){",
      "/*! Shop 1.2 */(function(){function e(t,n,r){function s(o,u){}}return e})()({1:[function(_dereq_,module){",
      'define("shop/cart/total",["require","exports","module"], function(require, exports, module) {',
      "/** Shop 1.2 */\n(function webpackUniversalModuleDefinition(root, factory) {",
      '(function(f){if(typeof exports==="object"&&typeof module!=="undefined"){module.exports=f()}',
      '(function(e){if("function"==typeof bootstrap)bootstrap("shop",e);else if("object"==typeof exports)module.exports=e()',
      "(function(){var require = function (file, cwd) {\n    var resolved = require.resolve(file, cwd || '/');\n",
      `var shop = {}\n${"shop.open = true\n".repeat(200)}},{}]},{},[1])({1:[function(require,module,exports){\n`
    ]
    assert.deepStrictEqual(
      bundles.map((text) => roleOf("lib/static/main.js", text)),
      bundles.map(() => "generated")
    )
    assert.strictEqual(roleOf("lib/static/main.js", 'define(["shop/cart"], function (cart) {\n'), "source")
    assert.strictEqual(roleOf("lib/static/main.js", "(function ($) {\n  $(start)\n})(jQuery)\n"), "source")
    const loader = "const load = (modules) => modules[1](function (require, module, exports) {\n})\n"
    assert.strictEqual(roleOf("lib/static/main.js", loader), "source")
  })

  it("single files that programs copy are vendored below their own folder, and not in the library itself", () => {
    const bottle = '"""Bottle"""\n__version__ = "0.13"\n'
    assert.strictEqual(roleOf("shop/wrapper/bottle.py", bottle), "vendored")
    assert.strictEqual(roleOf("bottle.py", bottle), "source")
    assert.strictEqual(roleOf("shop/wrapper/bottle.py", "def fill(bottle):\n    return bottle\n"), "source")
    assert.strictEqual(roleOf("compat/getopt.c", "/* This file is part of the GNU C Library. */\n"), "vendored")
    assert.strictEqual(roleOf("src/getopt.c", "/* Reads the options of the shop. */\n"), "source")
  })

  it("helpers that others wrote are vendored wherever they lie, and own files of their names are not", () => {
    const others = [
      ["src/snprintf.c", "/* snprintf.c\n * Copyright 1999, Mark Martinec. All rights reserved.\n */\n"],
      ["tools/cpplint.py", "#!/usr/bin/env python\n#\n# Copyright (c) 2009 Google Inc. All rights reserved.\n"],
      ["lib/getopt.c", "/* Getopt for GNU.\n   NOTE: getopt is now part of the C library. */\n"],
      ["src/zip/unzip.c", "/* unzip.c -- IO for uncompress .zip files\n   Copyright (C) 1998-2010 Gilles Vollant */\n"]
    ] as const
    for (const [path, text] of others) {
      assert.strictEqual(roleOf(path, text), "vendored")
      assert.strictEqual(roleOf(path, "/* Packs the parcels of the shop. */\n"), "source")
    }
  })

  it("tests.c holds tests, and a file whose name ends in the word does not", () => {
    assert.strictEqual(roleOf("src/shelf/tests.c"), "test")
    assert.strictEqual(roleOf("src/shelf/contests.c"), "source")
  })

  it("tests and stand-ins in C, scripts and C# are known by their names, and commands that test something are not", () => {
    const tests = [
      "src/plugin_test.c",
      "lib/helpers_test.js",
      "wps/module_tests.c",
      "kio/autotests/a.cpp",
      "NetTests/A.cs"
    ]
    for (const path of [...tests, "base/url_unittest.cc", "src/unit-test.c", "test-options.sh", "run-tests.sh"])
      assert.strictEqual(roleByPath(path), "test", path)
    for (const path of ["src/mock_clock.c", "src/MockClock.cs", "src/FakeClock.ts"])
      assert.strictEqual(roleByPath(path), "test", path)
    for (const path of ["src/test.c", "src/contest.c", "src/Contests/A.cs", "src/latest-news.sh", "src/mockup.ts"])
      assert.strictEqual(roleByPath(path), "source", path)
  })

  it("a program of one file or a package that is named for an example is one, and what makes examples is not", () => {
    for (const path of ["demo.py", "src/example.c", "php/example-report.php", "src/java/demo/Till.java"])
      assert.strictEqual(roleByPath(path), "example", path)
    for (const path of [
      "src/examples_writer.c",
      "src/demonstration.py",
      "src/java/com/till/demo/Till.java",
      "src/sample.cc"
    ])
      assert.strictEqual(roleByPath(path), "source", path)
  })

  it("copies that quilt keeps of patched files are vendored, and keys of an integration suite are fixtures", () => {
    assert.strictEqual(roleOf(".pc/fix-port.patch/src/server.c"), "vendored")
    assert.strictEqual(roleOf("src/pc/server.c"), "source")
    assert.strictEqual(roleOf("contrib/docker-integration/certs/local.key"), "fixture")
    assert.strictEqual(roleOf("contrib/certs/local.key"), "source")
  })
})
