import { Marked } from "marked"

/** Text as HTML, in elements and in quoted attributes. */
export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** As code hosts make the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

// No HTML of the author's own, and no address other than a link to follow.
const markdown = new Marked({
  async: false,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    table(token) {
      const rows = token.rows.map((row) => this.tablerow({ text: row.map((cell) => this.tablecell(cell)).join("") }))
      const head = this.tablerow({ text: token.header.map((cell) => this.tablecell(cell)).join("") })
      return `<div class="table"><table>\n<thead>\n${head}</thead>\n<tbody>${rows.join("")}</tbody>\n</table></div>\n`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return /^(https?:\/\/|[^:]*$)/i.test(href) ? `<a href="${escaped(href)}">${text}</a>` : text
    }
  }
})

export const renderMarkdown = (text: string) => String(markdown.parse(text))

/** Without a paragraph around it: for cells of a table. */
export const renderInlineMarkdown = (text: string) => String(markdown.parseInline(text))
