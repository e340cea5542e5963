import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const mainOf = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const main = /## Main nouns\n([\s\S]*?)(?:\n## |$)/.exec((await outputOf(texts)).domain_md ?? "")?.[1] ?? ""
  return main.split("\n").filter((line) => line.startsWith("- "))
}

const readme = `# Quay

Quay keeps the book of a harbour. Each barge has a cargo, and a barge waits for its turn. Enter the barges of the day in the
morning; barges that left are shown below. A barge may be held back, and then another barge takes its place. What the barges
carry is entered before a barge is moored. All barges of a week are kept.
`
const page = `function holdBarge(id) {
  const barge = find(id)
  show(barge.cargo, barge.draught, barge.flag, barge.held)
}
${["free", "remove", "moor", "enter", "list", "print"].map((verb) => `function ${verb}Barge(id) {}\n`).join("")}`

describe("objects of a program that declares no types", () => {
  it("what the readme speaks of is a noun with the fields that the code uses of the object of that name", async () => {
    const [barge] = await mainOf({ "README.md": readme, "quay.js": page })
    assert.include(barge, "**barge** (object `quay.js:3`)")
    assert.include(barge, "Has `cargo`, `draught`, `flag`, `held`.")
  })

  it("are no nouns where the readme does not speak of them, nor is a word without fields", async () => {
    assert.isEmpty(await mainOf({ "README.md": "# Quay\n\nSee the manual.\n", "quay.js": page }))
    assert.isEmpty(await mainOf({ "README.md": readme, "quay.js": page.replace(/show.*/, "show(barge)") }))
  })

  it("a word of a name of several may be one, the name may not", async () => {
    const named = (name: string) => ({
      "README.md": readme,
      "package.json": `{\n  "name": "${name}"\n}\n`,
      "quay.js": page
    })
    assert.lengthOf(await mainOf(named("barge-book")), 1)
    assert.isEmpty(await mainOf(named("barge")))
  })

  it("has the states that its field is set to", async () => {
    const [barge] = await mainOf({
      "README.md": readme,
      "quay.js": `${page}function leave(barge) {\n  if (barge.state === "moored") barge.state = "gone"\n}\n`
    })
    assert.include(barge, "Values of `barge.state`: `moored`, `gone` (`quay.js:")
  })

  it("a module that a file imports is none", async () => {
    const imported = `const barge = require("./other")\n${page.replace("const barge = find(id)", "")}`
    assert.isEmpty(await mainOf({ "README.md": readme, "quay.js": imported }))
  })

  it("give a collection of documents its fields", async () => {
    const main = await mainOf({
      "README.md": "# Quay\n",
      "db.js": `const { MongoClient } = require("mongodb")\n${["barges", "crews", "berths"].map((name) => `db.${name} = db.collection("${name}")\n`).join("")}`,
      "routes/berth.js": "db.berths.find(1)\n",
      "routes/barge.js": "db.barges.find(1)\nlist(barge.cargo, barge.draught)\n",
      "routes/crew.js": "db.crews.find(1)\nlist(crew.pilot)\n"
    })
    assert.isTrue(main.some((line) => line.includes("**barges**") && line.includes("Has `cargo`, `draught`.")))
    assert.isTrue(main.some((line) => line.includes("**crews**") && !line.includes("Has ")))
  })
})
