import { type Edit, fixer } from "../../../core/fix/Fixer.ts"
import { attributeOf } from "../../../languages/markup/Element.ts"
import { markupOf } from "../../../languages/markup/markup.ts"

/** The mark around a value of the attribute as written: `"`, `'`, or none. */
const quoteOf = (written: string): string => /["']$/.exec(written)?.[0] ?? '"'

export default fixer({
  tool: "frontend_quality",
  rule: "opener_exposed",
  languages: ["javascript", "html", "vue", "php"],
  propose: ({ file, match }) => {
    const element = markupOf(file).elements.find(
      (one) => attributeOf(one, "target")?.start === match.start && one.start <= match.start
    )
    const target = element && attributeOf(element, "target")
    if (element === undefined || target === undefined) return { declined: "The element was not found again." }
    const rel = attributeOf(element, "rel")
    const quote = quoteOf(file.text.slice(target.start, target.end))
    const edit: Edit =
      rel === undefined
        ? { start: target.end, end: target.end, text: ` rel=${quote}noopener${quote}` }
        : {
            start: rel.start,
            end: rel.end,
            text: `rel=${quote}${`${rel.value ?? ""} noopener`.trim()}${quote}`
          }
    return { edits: [edit], summary: 'Add `rel="noopener"` to links that open a new window' }
  }
})
