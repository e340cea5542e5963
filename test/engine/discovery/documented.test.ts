import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const briefOf = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> =>
  ((await outputOf(texts)).hyrax_md ?? "").split("\n")

const code = {
  "src/api/routes.js": "export const a = 1\n",
  "src/store/rows.js": "export const b = 1\n",
  "web/app.js": "a()\n"
}
const block = (...lines: ReadonlyArray<string>) => ["```", ...lines, "```", ""].join("\n")

describe("what documents say of folders", () => {
  const described = async (readme: string) =>
    (await briefOf({ ...code, "README.md": readme })).filter((line) => /^- `.*“.*README\.md/.test(line))

  it("stands beside their size, before folders of which nothing is said", async () => {
    const lines = await briefOf({ ...code, "README.md": block("src/api/   the REST API, by version") })
    const from = lines.indexOf("## Where things are")
    assert.strictEqual(lines[from + 2], "- `src/api`: “the REST API, by version” (`README.md:2`); 1 file, 2 lines")
    assert.include(lines.slice(from + 3), "- `src/store`: 1 file, 2 lines")
  })

  it("is found in drawings of the tree, below the folders above, and of two folders at once", async () => {
    const tree = block(
      "shop/",
      "├── src/",
      "│   ├── api/     # the REST API",
      "│   └── store/   # rows and queries",
      "└── web/  # pages for people"
    )
    const folders = (await described(tree)).map((line) => line.slice(0, line.indexOf("(")))
    assert.deepStrictEqual(folders, [
      "- `src/api`: “the REST API” ",
      "- `src/store`: “rows and queries” ",
      "- `web`: “pages for people” "
    ])
    const pair = await described(block("src/api/, web/   what answers people"))
    assert.deepStrictEqual(
      pair.map((line) => line.split("`")[1]),
      ["src/api", "web"]
    )
  })

  it("is found in tables and lists", async () => {
    const table =
      "| Folder | Owner | Description |\n| --- | --- | --- |\n| `src/api` | the people of the desk | The REST API |\n"
    assert.include((await described(table))[0], "“The REST API”")
    const list = "- **`web/`**: pages that\n  people see\n- `src/store` — rows and queries\n"
    assert.deepStrictEqual(
      (await described(list)).map((line) => line.split(" (")[0]),
      ["- `web`: “pages that people see”", "- `src/store`: “rows and queries”"]
    )
  })

  it("is left out where there is no such folder, and where nothing is said", async () => {
    assert.deepStrictEqual(await described(block("lib/api/   the REST API", "web/   12", "src/api/   routes.js")), [])
    // Commands and options may have the name of a folder.
    assert.deepStrictEqual(await described(block("Commands", "  web    opens the pages in a browser")), [])
    assert.deepStrictEqual(await described("| Option | Meaning |\n|---|---|\n| `web` | Opens the pages |\n"), [])
    assert.deepStrictEqual(await described("- `web`: opens the pages in a browser\n"), [])
    assert.deepStrictEqual(await described("The folder `web`: pages for people\n"), [])
  })

  it("is no introduction of the repository", async () => {
    const lines = await briefOf({ ...code, "README.md": `# Shop\n\n${block("Builds what people see and buy")}` })
    assert.notInclude(lines.join("\n"), "The readme says")
  })
})

describe("what documents say of commands", () => {
  const scripts = { dev: "node server.js", fuzz: "node fuzz.js", test: "node --test" }
  const guide = (...lines: ReadonlyArray<string>) => ({
    ...code,
    "test/a.test.js": "test()\n",
    "package.json": JSON.stringify({ scripts }),
    "CONTRIBUTING.md": `# Work\n\n\`\`\`sh\n${lines.join("\n")}\n\`\`\`\n`
  })

  it("stands beside a command that is listed, and lists further ones", async () => {
    const lines = await briefOf(guide("npm test   # all of it, a minute", "npm run fuzz  # generated requests"))
    assert.include(lines, "- Test all: `npm test` (`package.json:1`): “all of it, a minute”")
    assert.include(lines, "- Also `npm run fuzz`: “generated requests” (`CONTRIBUTING.md:5`)")
  })

  it("is left out of commands that are not there, of other programs, and where a place has to be filled in", async () => {
    const lines = await briefOf(
      guide(
        "npm run soak  # runs for hours",
        "curl localhost  # shows the page",
        "./bin/shop path/to/file  # reads a file"
      )
    )
    assert.deepStrictEqual(
      lines.filter((line) => line.startsWith("- Also")),
      []
    )
  })
})

describe("what documents say of environment variables", () => {
  const lineIn = async (readme: string) => {
    const server = "export const port = process.env.SHOP_PORT\n"
    const output = await outputOf({ "src/server.js": server, "README.md": readme })
    return (output.env_vars_md ?? "").split("\n").find((line) => line.startsWith("- `SHOP_PORT`")) ?? ""
  }

  it("gives the default and the description of a table", async () => {
    const table =
      "| Variable | Default | What it does |\n|---|---|---|\n| `SHOP_PORT` | `4000` | Port that the shop listens on. More of it. |\n"
    assert.strictEqual(
      await lineIn(table),
      "- `SHOP_PORT`: default `4000`; `src/server.js:1`; “Port that the shop listens on” (`README.md:3`)"
    )
  })

  it("gives those of a list, and none where the document has none", async () => {
    assert.include(
      await lineIn("- `SHOP_PORT`: port to listen on (default: `4000`)\n"),
      "default `4000`; `src/server.js:1`; “port to listen on (default: `4000`)”"
    )
    assert.include(await lineIn("- `SHOP_PORT`: port to listen on\n"), "no default beside the read")
    assert.include(await lineIn("Set `SHOP_PORT`.\n"), "mentioned in `README.md`")
  })
})

describe("what documents say in paragraphs", () => {
  const guideOf = async (contributing: string, slug: string) => {
    const manifest = JSON.stringify({ scripts: { test: "node --test" } })
    const texts = { ...code, "test/a.test.js": "test()\n", "package.json": manifest, "CONTRIBUTING.md": contributing }
    return (await outputOf(texts)).guides.find((guide) => guide.slug === slug)?.content ?? ""
  }
  const needs = "Tests need a running queue, which they start by themselves."

  it("is quoted in the guide to tests where it speaks of what they need or take", async () => {
    const guide = await guideOf(`# Work\n\n## Tests\n\n${needs}\nThe first run takes a minute.\n`, "test")
    assert.include(guide, `- “${needs} The first run takes a minute.” (\`CONTRIBUTING.md:5\`)`)
  })

  it("is quoted in the guide to the architecture under a heading that says so", async () => {
    const way = "Imports go one way: the desk asks the store, and the store asks no one."
    assert.include(await guideOf(`# Work\n\n## Structure\n\n${way}\n`, "architecture"), `“${way}”`)
    assert.notInclude(await guideOf(`# Work\n\n## People\n\n${way}\n`, "architecture"), way)
  })

  it("is left out where it announces a list, stands in one, in a table or in a block of code", async () => {
    const lines = [`What tests need before they run is this:\n\n- ${needs}`, `| ${needs} |`, `\`\`\`\n${needs}\n\`\`\``]
    for (const line of lines) assert.notInclude(await guideOf(`# Work\n\n## Notes\n\n${line}\n`, "test"), "“Tests need")
  })

  it("stands in the guide to an addition, before its steps, and in no other one", async () => {
    const before = "A shelf holds one kind of thing, and tests run for each of them."
    const after = "The command `npm test` shows what is missing, and takes a minute."
    const section = `# Work\n\n## Add a shelf\n\n${before}\n\n1. Write its file in \`src\`.\n2. List it in \`src/store\`.\n\n${after}\n`
    const guide = await guideOf(section, "add-a-shelf")
    assert.isBelow(guide.indexOf(before), guide.indexOf("## Steps"))
    assert.isBelow(guide.indexOf(after), guide.indexOf("## Steps"))
    assert.notInclude(await guideOf(section, "test"), before)
  })
})
