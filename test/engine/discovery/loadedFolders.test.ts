import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const guideOf = async (slug: string, texts: Readonly<Record<string, string>>): Promise<string> =>
  (await outputOf(texts)).guides.find((guide) => guide.slug === slug)?.content ?? ""

const names = ["bills", "carts", "items"]

const folder = (path: string, extension: string, text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`${path}/${name}.${extension}`, text]))

const scripts = (path: string) => folder(path, "js", "module.exports = (book) => book.open()\n")

describe("Modules of a folder that the program loads without a list of their names", () => {
  it.each([
    ["by a computed name", "module.exports = (name) => require('./events/' + name)\n"],
    ["from a folder beside it", "module.exports = (name) => require('../src/events/' + name)\n"],
    ["by a template", "export const load = (name) => import(`./events/${name}.js`)\n"],
    [
      "by a path that is joined",
      "const path = require('path')\nmodule.exports = (name) => require(path.join(__dirname, 'events', name))\n"
    ],
    [
      "by what the folder holds",
      "for (const file of fs.readdirSync(path.join(__dirname, 'events'))) {\n  require(path.join(__dirname, 'events', file))\n}\n"
    ]
  ])("of JavaScript, %s", async (_, text) => {
    const guide = await guideOf("add-an-event", { ...scripts("src/events"), "src/load.js": text })
    assert.include(guide, "Write a module in `src/events` (3 of 3 are there), as `carts` (`src/events/carts.js:1`) is.")
    assert.match(guide, /It need not be listed: `src\/load\.js:\d` loads each module of that folder\./)
  })

  it("of Python, by the name of the package", async () => {
    const texts = folder("src/shop/plugins", "py", "def run(book):\n    book.open()\n")
    const load = 'import importlib\n\n\ndef load(name):\n    return importlib.import_module(f"shop.plugins.{name}")\n'
    assert.include(await guideOf("add-a-plugin", { ...texts, "src/shop/load.py": load }), "in `src/shop/plugins`")
    const listed = load.replace('f"shop.plugins.{name}"', '"shop.plugins.bills"')
    assert.strictEqual(await guideOf("add-a-plugin", { ...texts, "src/shop/load.py": listed }), "")
  })

  it("of Ruby and PHP, by what the folder holds", async () => {
    const ruby = { "lib/shop.rb": 'Dir[File.join(__dir__, "checks", "*.rb")].each { |file| require file }\n' }
    const checks = folder("lib/checks", "rb", "def run(book)\n  book.open\nend\n")
    assert.include(await guideOf("add-a-check", { ...ruby, ...checks }), "in `lib/checks`")
    const php = { "load.php": "<?php\nforeach (glob(__DIR__ . '/jobs/*.php') as $file) {\n  require $file;\n}\n" }
    assert.include(await guideOf("add-a-job", { ...php, ...folder("jobs", "php", "<?php\nrun();\n") }), "in `jobs`")
  })

  it("a folder that is listed or read only, helpers, and two modules make no guide", async () => {
    const events = scripts("src/events")
    for (const text of [
      "const files = fs.readdirSync(path.join(__dirname, 'events'))\nconsole.log(files)\n",
      "module.exports = require('./events/bills')\n",
      "module.exports = (name) => fs.readFileSync('./events/' + name)\n"
    ])
      assert.strictEqual(await guideOf("add-an-event", { ...events, "src/load.js": text }), "", text)
    const load = "module.exports = (name) => require('./utils/' + name)\n"
    assert.strictEqual(await guideOf("add-a-util", { ...scripts("src/utils"), "src/load.js": load }), "")
    const { "src/events/items.js": _, ...two } = events
    assert.strictEqual(
      await guideOf("add-an-event", {
        ...two,
        "src/load.js": "module.exports = (name) => require('./events/' + name)\n"
      }),
      ""
    )
  })
})
