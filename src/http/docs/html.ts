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

/** How often the page that is being rendered has had each anchor. */
const anchors = new Map<string, number>()

const ownAnchor = (heading: string) => {
  const anchor = anchorOf(heading)
  const before = anchors.get(anchor) ?? 0
  anchors.set(anchor, before + 1)
  return before === 0 ? anchor : `${anchor}-${before}`
}

/** Pictures of the project; the page asks no other server. */
const isOwnPicture = (href: string) => /^(?:docs\/)?images\/[\w-]+\.webp$/.test(href)

// No HTML of the author's own, and no address other than a link to follow.
const markdown = new Marked({
  async: false,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ href, text }) =>
      isOwnPicture(href) ? `<img src="${escaped(href)}" alt="${escaped(text)}" loading="lazy">` : escaped(text),
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${ownAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    table(token) {
      const rows = token.rows.map((row) => this.tablerow({ text: row.map((cell) => this.tablecell(cell)).join("") }))
      // The corner of a table that has names on two sides heads nothing.
      const headers = token.header.map((cell) => (cell.text === "" ? "<td></td>\n" : this.tablecell(cell)))
      const head = this.tablerow({ text: headers.join("") })
      return `<div class="table"><table>\n<thead>\n${head}</thead>\n<tbody>${rows.join("")}</tbody>\n</table></div>\n`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return /^(https?:\/\/|[^:]*$)/i.test(href) ? `<a href="${escaped(href)}">${text}</a>` : text
    }
  }
})

export const renderMarkdown = (text: string) => {
  anchors.clear()
  return String(markdown.parse(text))
}

/** Without a paragraph around it: for cells of a table. */
export const renderInlineMarkdown = (text: string) => String(markdown.parseInline(text))
