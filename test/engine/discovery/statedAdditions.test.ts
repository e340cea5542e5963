import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const source = { "lib/wagons/open.js": "export const open = 1\n", "lib/train.js": "export const train = 1\n" }

const guidesOf = async (files: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> => {
  const { guides } = await outputOf({ ...source, ...files })
  return new Map(guides.map(({ slug, content }) => [slug, content]))
}

const steps = (first: string, second: string): string => `1. ${first}\n2. ${second}\n`

describe("how something is added, as the readme says", () => {
  it("a section is a guide where a step names what the sources have", async () => {
    const readme = (file: string) => ({
      "README.md": `# Train\n\n## Adding a wagon\n\n${steps(`Write a module below \`${file}\`.`, "List it beside the other wagons.")}`
    })
    const wagon = (await guidesOf(readme("lib/wagons"))).get("adding-a-wagon") ?? ""
    assert.include(wagon, "2. “List it beside the other wagons.” (`README.md:6`)")
    assert.isFalse((await guidesOf(readme("src/cars"))).has("adding-a-wagon"))
  })

  it("what users make with the program is none", async () => {
    const readme = (noun: string) => ({
      "README.md": `# Train\n\n## Create a ${noun}\n\n${steps("Copy `lib/train.js` to your home.", "Edit what the copy says.")}`
    })
    assert.isTrue((await guidesOf(readme("wagon"))).has("create-a-wagon"))
    for (const noun of ["new project", "configuration"])
      assert.isFalse([...(await guidesOf(readme(noun))).keys()].some((slug) => slug.startsWith("create-")))
  })

  it("a numbered list is one where the sentence before it says what is added", async () => {
    const readme = (lead: string, place: string) => ({
      "README.md": `# Train\n\n## Development\n\n${lead}\n\n${steps(`Write a module below ${place}.`, "List it beside the others.")}`
    })
    for (const lead of [
      "Adding a new kind of wagon is easy. Take these steps:",
      "If you want to add another kind of wagon, do this:",
      "To implement a new kind of wagon you have to do two things:"
    ]) {
      const guides = await guidesOf(readme(lead, "`lib/wagons`"))
      assert.include(guides.get("add-a-kind-of-wagon") ?? "", "1. “Write a module below `lib/wagons`.”")
    }
    for (const [lead, place] of [
      ["Adding a new kind of wagon is easy. Take these steps:", "your home"],
      ["Two steps bring you a new kind of wagon:", "`lib/wagons`"]
    ] as const)
      assert.isFalse((await guidesOf(readme(lead, place))).has("add-a-kind-of-wagon"))
  })

  it("a line in capitals is the title of a section where none is marked", async () => {
    const text =
      "Train 1.2\n\nHOW TO ADD A WAGON\n\nWrite a module in lib/wagons/ first. Name it in lib/train.js as well.\n\nWHO WROTE IT\n\nAnna wrote it. Bert drew lib/train.js by hand.\n"
    const wagon = (await guidesOf({ README: text })).get("add-a-wagon") ?? ""
    assert.include(wagon, "2. “Name it in lib/train.js as well.” (`README:5`)")
    assert.notInclude(wagon, "Anna")
    assert.isFalse((await guidesOf({ README: text.replace("Train 1.2\n", "# Train 1.2\n") })).has("add-a-wagon"))
  })
})
