import { assert, describe, it } from "@effect/vitest"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { Markdown } from "../../web/src/parts/markdown/Markdown.tsx"
import { safeUrl } from "../../web/src/parts/markdown/safeUrl.ts"
import { tricks } from "./support/tricks.ts"

const render = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text }))

const tagsOf = (html: string) =>
  [...html.matchAll(/<([a-z][a-z0-9]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, name = "", attributes = ""]) => ({
      name: name.toLowerCase(),
      attributes: [...attributes.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(
        ([, key = "", value = ""]) => [key, value] as const
      )
    })
  )

const elements = new Set(
  "a article blockquote br code dd del div dl dt em h2 h3 h4 h5 h6 header hr li ol p path pre section span strong sup svg circle g rect table tbody td th thead tr ul bdi".split(
    " "
  )
)

describe("a stored text in Markdown", () => {
  it.each(tricks)("runs no script and leads nowhere but to http, https and mailto: %s", (trick) => {
    for (const text of [trick, `Before ${trick} after`, `- ${trick}`, `**${trick}**`]) {
      const html = render(text)
      for (const { name, attributes } of tagsOf(html)) {
        assert.isTrue(elements.has(name), `<${name}> in ${html}`)
        for (const [key, value] of attributes) {
          assert.notMatch(key, /^(?:on|style$|src|id$|name$|action|formaction)/i, html)
          if (key === "href") assert.match(value, /^(?:https?:\/\/|mailto:)/, html)
        }
      }
      assert.strictEqual(html.split("<").length - 1, html.match(/<\/?[a-z]/gi)?.length ?? 0, html)
    }
  })

  it("links to another site take nothing with them", () => {
    const [link] = tagsOf(render("[site](https://ok.example/a)")).filter(({ name }) => name === "a")
    assert.deepStrictEqual(link?.attributes, [
      ["href", "https://ok.example/a"],
      ["target", "_blank"],
      ["rel", "noopener noreferrer"]
    ])
  })

  it("keeps what looks like HTML as text", () => {
    assert.include(render("Returns Promise<void> and Array<T>."), "Promise&lt;void&gt; and Array&lt;T&gt;")
  })

  it("shows an image as a link to it: no other server is asked", () => {
    const html = render("![plan](https://ok.example/plan.png)")
    assert.notInclude(html, "<img")
    assert.include(html, ">plan</a>")
  })

  it("sets its headings below the heading that it stands under", () => {
    assert.include(render("# Title"), "<h3>Title</h3>")
    assert.include(render("###### Deep"), "<h6>Deep</h6>")
  })

  it("shows tables, task lists and fenced code", () => {
    assert.include(render("| a |\n| - |\n| b |"), "<td>b</td>")
    assert.include(render("- [x] stored"), "Done: ")
    // Tokens have elements of their own once the highlighter is loaded, by another file of the same worker too.
    assert.include(render("```ts\nconst a = 1\n```").replaceAll(/<[^>]*>/g, ""), "const a = 1")
  })

  it.each([
    ["quotations", `${">".repeat(1_000)} end`],
    ["lists", `${"- ".repeat(1_000)}end`],
    ["emphasis", `${"*".repeat(2_000)}end${"*".repeat(2_000)}`],
    ["links in images", `${"![".repeat(1_000)}end${"](https://ok.example)".repeat(1_000)}`]
  ])("is readable when it is nested a thousand levels deep: %s", (_, text) => {
    assert.include(render(text), "end")
  })
})

describe("an address of a stored text", () => {
  it.each([
    ["https://ok.example/a?b=c#d", "https://ok.example/a?b=c#d"],
    ["http://ok.example", "http://ok.example/"],
    ["mailto:a@ok.example", "mailto:a@ok.example"],
    ["javascript:alert(1)", null],
    ["java\nscript:alert(1)", null],
    ["/api/session", null],
    ["//evil.example", null],
    ["#part", null],
    ["", null],
    [null, null]
  ])("%s leads to %s", (url, expected) => {
    assert.strictEqual(safeUrl(url), expected)
  })
})
