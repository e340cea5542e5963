import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const guidesOf = async (contributing: string): Promise<ReadonlyMap<string, string>> => {
  const { guides } = await outputOf({ "CONTRIBUTING.md": contributing, "src/a.js": "export const a = 1\n" })
  return new Map(guides.map(({ slug, content }) => [slug, content]))
}

describe("guides that documents for contributors state", () => {
  it("steps end where another list begins, and a paragraph after a step is quoted whole or not at all", async () => {
    const guides = await guidesOf(
      "# Add a table\n\n1. Write the statement in `schema`.\n2. List it beside the others.\n\nWhat one module fills goes\nthrough all of these:\n\n1. The module declares the field itself.\n2. The reader passes the field along.\n3. The writer stores the field at last.\n\nTwo tests follow\nand one more of them, which show the field.\n"
    )
    const table = guides.get("add-a-table") ?? ""
    assert.include(table, "2. “List it beside the others.” (`CONTRIBUTING.md:4`)")
    assert.notMatch(table, /declares the field|through all|one more/)
    const other = guides.get("what-one-module-fills-goes-through-all-of-these") ?? ""
    assert.include(other, "3. “The writer stores the field at last.” (`CONTRIBUTING.md:11`)")
    assert.include(other, "“Two tests follow and one more of them, which show the field.” (`CONTRIBUTING.md:13`)")
  })

  it("what announces a list is quoted where it says more, and the commands above the list are", async () => {
    const command = (lines: number) =>
      `\`\`\`sh\n${"npm run new:table -- orders # writes two files\n".repeat(lines)}\`\`\`\n`
    const steps = "1. Describe the table in `schema`.\n2. List it beside the others.\n"
    const table = (lines: number, lead: string) => guidesOf(`# Add a table\n\n${command(lines)}\n${lead}\n\n${steps}`)
    const full = (await table(1, "It prints what it wrote. Two files are left:")).get("add-a-table") ?? ""
    assert.include(full, "“It prints what it wrote. Two files are left:” (`CONTRIBUTING.md:7`)")
    assert.include(full, "“`npm run new:table -- orders # writes two files`” (`CONTRIBUTING.md:4`)")
    const short = (await table(4, "To add one, follow these steps:")).get("add-a-table") ?? ""
    assert.include(short, "2. “List it beside the others.”")
    assert.notMatch(short, /npm run|follow these/)
  })

  it("what a paragraph says before the sentence that is a list's title belongs to the list", async () => {
    const steps = ["cook", "waiter", "guest"].map((who, i) => `${i + 1}. The ${who} hands the dish to the next one.\n`)
    const guides = await guidesOf(
      `# Work\n\nAll of it takes half an hour. What happens to a dish:\n\n${steps.join("")}\nA dish that falls is cooked once more at once.\n`
    )
    const dish = guides.get("what-happens-to-a-dish") ?? ""
    assert.match(dish, /“All of it takes half an hour\.”[\s\S]*“A dish that falls[\s\S]*1\. “The cook/)
  })

  it("a list whose numbers go on after a paragraph is the same list", async () => {
    const guides = await guidesOf(
      "# One order\n\n1. The shop takes the order from a caller.\n2. The cashier checks what it costs.\n\nNothing is paid so far.\n\n3. The bank moves the money at once.\n"
    )
    assert.include(guides.get("one-order") ?? "", "3. “The bank moves the money at once.”")
  })

  it("what is added in a sentence or two is quoted sentence by sentence", async () => {
    const guides = await guidesOf("# Add a setting\n\nName it in `settings` of the shop. Describe it in the readme.\n")
    assert.include(guides.get("add-a-setting") ?? "", "2. “Describe it in the readme.”")
    assert.isFalse((await guidesOf("# Add a setting\n\nName it in `settings` of the shop.\n")).has("add-a-setting"))
  })

  it("what checks a change belongs to how something is added, whatever words say that, and to no explanation", async () => {
    const { guides } = await outputOf({
      "CONTRIBUTING.md":
        "# Guide for writing a plugin\n\n1. Declare it in `plugins`.\n2. List it beside the others.\n\n# One order\n\n1. The shop takes the order from a caller.\n2. The cashier checks what it costs.\n3. The bank moves the money at once.\n",
      "package.json": '{ "scripts": { "test": "node --test" } }\n',
      "src/a.js": "export const a = 1\n",
      "test/a.test.js": "test()\n"
    })
    const contentOf = (slug: string) => guides.find((guide) => guide.slug === slug)?.content ?? ""
    assert.include(contentOf("guide-for-writing-a-plugin"), "## Check\n\n- `npm test`")
    assert.include(contentOf("one-order"), "The bank moves")
    assert.notInclude(contentOf("one-order"), "## Check")
  })

  it("lists of prose are explanations; commands, links and words to those who ask are none", async () => {
    const list = (title: string, item: string) => `# ${title}\n\n- ${item} one\n- ${item} two\n- ${item} three\n`
    const prose = "Each of the orders passes the desk before it is paid, part"
    assert.isTrue((await guidesOf(list("The path of an order", prose))).has("the-path-of-an-order"))
    assert.isFalse((await guidesOf(list("Reporting bugs", prose))).has("reporting-bugs"))
    assert.isFalse((await guidesOf(list("Commands", "`make`"))).has("commands"))
    assert.isFalse((await guidesOf(list("More", "[A page about this and that and more](x)"))).has("more"))
  })

  it("items below a heading of rules are principles, and come first", async () => {
    const items = "- The change log has a line for it.\n- Screenshots show every page that changed.\n"
    const principles = async (title: string) =>
      (
        await outputOf({
          "CONTRIBUTING.md": `# Add a page\n\nNever edit one that is published.\n\n# ${title}\n\n${items}`,
          "src/a.js": "export const a = 1\n"
        })
      ).principles_md ?? ""
    const rules = await principles("Before you ask for review")
    assert.match(rules, /“The change log has a line for it\.”[\s\S]*“Never edit one that is published\.”/)
    assert.notInclude(await principles("What happened last year"), "Screenshots")
  })
})
