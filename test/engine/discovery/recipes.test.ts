import { assert, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const names = ["orders", "users", "carts", "bills", "items"]

const each = (fileOf: (name: string) => readonly [path: string, text: string]) => Object.fromEntries(names.map(fileOf))

it("the guide to an endpoint names the handlers' folder, the registration, the guard, the test and the commands", async () => {
  const { guides } = await outputOf({
    "package.json": '{ "scripts": { "test": "vitest run" }, "dependencies": { "express": "4" } }\n',
    "src/routes.js": `import express from "express"\n${names.map((name) => `import { create_${name} } from "./handlers/${name}.js"`).join("\n")}\nexport const app = express()\n${names.map((name) => `app.post("/${name}", addHeaders, requireUser, create_${name})`).join("\n")}\napp.get("/open", (req, res) => res.send("x"))\n`,
    ...each((name) => [
      `src/handlers/${name}.js`,
      `export const create_${name} = (req, res) => {\n  res.json({})\n}\n`
    ]),
    ...each((name) => [
      `test/handlers/${name}.test.js`,
      `import { create_${name} } from "../../src/handlers/${name}.js"\nit("${name}", () => create_${name}())\n`
    ])
  })
  const guide = guides.find(({ slug }) => slug === "add-an-endpoint")
  const content = guide?.content ?? ""
  assert.match(
    content,
    /1\. Write the handler in `src\/handlers` \(all 5 known handlers are there\)\. For example `create_\w+` \(`src\/handlers\/\w+\.js:1`\)/
  )
  assert.match(
    content,
    /2\. Register the route in `src\/routes\.js` \(all 6 routes are there\), as `POST \/\w+` is at `src\/routes\.js:\d+`/
  )
  assert.include(
    content,
    "Put `requireUser` before the handler when the route changes something: 5 of 5 such routes do"
  )
  assert.include(content, "Add a test: 5 of 5 have one of their name")
  assert.include(content, "## Check\n\n- `npm test` (`package.json:1`)")
})

it("the endpoint that is shown is one of the folder that is named", async () => {
  const routesOf = (name: string) =>
    `import express from "express"\nconst router = express.Router()\nrouter.get("/${name}", (req, res) => res.send("x"))\nrouter.post("/${name}", (req, res) => res.send("x"))\n`
  const { guides } = await outputOf({
    ...each((name) => [`lib/routes/${name}.js`, routesOf(name)]),
    "lib/login/site.js": `import express from "express"\nconst router = express.Router()\nconst form = (req, res) => res.send("x")\nconst leave = (req, res) => {\n  res.send("x")\n}\nrouter.get("/login", form)\nrouter.get("/logout", leave)\n`
  })
  const content = guides.find(({ slug }) => slug === "add-an-endpoint")?.content ?? ""
  assert.match(
    content,
    /in a file of `lib\/routes` \(5 of 6 files with routes\), as `\w+ \/\w+` is at `lib\/routes\/\w+\.js:\d`/
  )
})

it("the guide to a command names the folder, the call that makes it known, and those that are there", async () => {
  const { guides } = await outputOf({
    "go.mod": "module example.com/a\n",
    "cmd/root.go": 'package cmd\n\nimport "github.com/spf13/cobra"\n\nvar root = &cobra.Command{Use: "shop"}\n',
    ...each((name) => [
      `cmd/${name}.go`,
      `package cmd\n\nimport "github.com/spf13/cobra"\n\nfunc init() {\n\troot.AddCommand(&cobra.Command{Use: "${name}"})\n}\n`
    ])
  })
  const content = guides.find(({ slug }) => slug === "add-a-command")?.content ?? ""
  assert.match(content, /1\. Declare a cobra command in a file of `cmd` \(6 of 6 files with commands\)/)
  assert.match(
    content,
    /2\. Make it known with `AddCommand` where the command is declared, as at `cmd\/\w+\.go:6`; 5 files do so\./
  )
  assert.include(content, "`orders` (`cmd/orders.go:6`)")
})

it("there is no guide to what a repository has none of, nor where most calls are of another kind", async () => {
  const calls = ["A", "B", "C", "D"].map((name) => `message ${name}Request {\n  string id = 1;\n}\n`).join("")
  const { guides } = await outputOf({
    "api/a.proto": calls,
    "src/a.js":
      'import express from "express"\nconst app = express()\napp.get("/a", a)\napp.get("/b", b)\napp.get("/c", c)\n'
  })
  assert.deepStrictEqual(
    guides.filter(({ slug }) => slug.startsWith("add-")),
    []
  )
  const shorter = {
    "api/a.proto": calls.replaceAll("Request", "Req"),
    "src/a.go":
      'package a\n\nimport "net/http"\n\nfunc serve() {\n\thttp.Handle("/a", a)\n\thttp.Handle("/b", b)\n\thttp.Handle("/c", c)\n}\n'
  }
  const endpoint = async (texts: Readonly<Record<string, string>>) =>
    (await outputOf(texts)).guides.some(({ slug }) => slug === "add-an-endpoint")
  assert.isFalse(await endpoint(shorter))
  assert.isTrue(await endpoint({ "src/a.go": shorter["src/a.go"] }))
})

const logging = (name: string, lines: number) =>
  `export const ${name} = (logger) => {\n${'  logger.info("said")\n'.repeat(lines)}  return 1\n}\n`

it("a pattern holds in 60 % of ten places in three files, and is shown by one whole function", async () => {
  const { patterns_md, guidance_slots } = await outputOf({
    ...each((name) => [`src/${name}.js`, logging(name, 3)]),
    "src/other.js": 'export const other = () => {\n  console.log("x")\n}\n'
  })
  assert.include(patterns_md ?? "", "`logger.…`: 15 of 16 places (93 %) in 5 files")
  assert.include(patterns_md ?? "", `\`\`\`\n${logging("bills", 3)}\`\`\``)
  assert.include(patterns_md ?? "", "Exceptions:\n\n- `console.…`: 1, first at `src/other.js:2`")
  assert.hasAllKeys(guidance_slots.patterns, ["logging"])
})

it.each([
  ["fewer than ten places", each((name) => [`src/${name}.js`, logging(name, 1)])],
  ["two files", { "src/a.js": logging("a", 9), "src/b.js": logging("b", 9) }],
  ["functions that are too long to be quoted", each((name) => [`src/${name}.js`, logging(name, 30)])]
])("%s make no pattern", async (_, texts) => {
  assert.isNull((await outputOf(texts)).patterns_md)
})

it("endpoints of an HTTP contract are routes, by the name that their handlers have", async () => {
  const { guides } = await outputOf({
    "src/OrdersApi.ts":
      'import { HttpApiEndpoint } from "@effect/platform"\nexport const list = HttpApiEndpoint.get("list", "/orders")\nexport const drop = HttpApiEndpoint.del("drop", "/orders/:id")\n'
  })
  const architecture = guides.find(({ slug }) => slug === "architecture")?.content ?? ""
  assert.include(architecture, "`src/OrdersApi.ts` declares 2 routes")
  assert.include(architecture, "`GET /orders` → `list` (line 2)")
  assert.include(architecture, "`DELETE /orders/:id` → `drop` (line 3)")
})

it("a helper of tests with the name of what it makes is not its test", async () => {
  const guideWith = async (helper: string) =>
    (
      await outputOf({
        "src/routes.js": `import express from "express"\n${names.map((name) => `import { create_${name} } from "./handlers/${name}.js"`).join("\n")}\nexport const app = express()\n${names.map((name) => `app.post("/${name}", create_${name})`).join("\n")}\n`,
        ...each((name) => [
          `src/handlers/${name}.js`,
          `export const create_${name} = (req, res) => {\n  res.json({})\n}\n`
        ]),
        ...each((name) => [`test/support/${name}.js`, helper])
      })
    ).guides.find(({ slug }) => slug === "add-an-endpoint")?.content ?? ""
  assert.notInclude(await guideWith("export const one = () => ({ id: 1 })\n"), "Add a test")
  assert.include(await guideWith('it("is made", () => make())\n'), "Add a test")
})

it("validation by a library is seen where the file imports it", async () => {
  const checks = (first: string) =>
    Object.fromEntries(
      names.map((name) => [
        `src/${name}.js`,
        `${first}\nexport const ${name} = () => {\n${"  check(1)\n".repeat(3)}}\n`
      ])
    )
  const own = await outputOf(checks('import { check } from "./check.js"'))
  assert.notInclude(own.patterns_md ?? "", "express-validator")
  const library = await outputOf(checks('import { check } from "express-validator"'))
  assert.include(library.patterns_md ?? "", "express-validator chains: 15 of 15 places")
})

it("two routes of one file of Go show how another is added, also by an address that a flag holds; one route does not", async () => {
  const served = (routes: string): string =>
    `package main\n\nimport "net/http"\n\nfunc main() {\n${routes}\thttp.ListenAndServe(*address, nil)\n}\n`
  const first = '\thttp.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {\n\t})\n'
  const guideOf = async (routes: string): Promise<string> =>
    (await outputOf({ "main.go": served(routes) })).guides.find(({ slug }) => slug === "add-an-endpoint")?.content ?? ""
  assert.include(await guideOf(`\thttp.Handle(*metricsPath, metrics())\n${first}`), "in `main.go` (")
  assert.strictEqual(await guideOf(first), "")
})

it("two files of a folder with the same routes show no way to add one: which of both is served is not known", async () => {
  const served = (routes: ReadonlyArray<string>): string =>
    `from flask import Flask\n\napp = Flask(__name__)\n\n\n${routes.map((name) => `@app.route("/${name}")\ndef ${name}():\n    return "{}"\n\n\n`).join("")}`
  const routes = ["kettles", "cups", "leaves", "pots"]
  const isShown = async (second: string, more: ReadonlyArray<string>): Promise<boolean> =>
    (await outputOf({ "tea/app.py": served(routes), [second]: served(more) })).guides.some(
      ({ slug }) => slug === "add-an-endpoint"
    )
  assert.isFalse(await isShown("tea/old.py", routes))
  assert.isTrue(await isShown("tea/old.py", [...routes.slice(1), "spoons"]))
  assert.isTrue(await isShown("tea/v2/app.py", routes))
})
