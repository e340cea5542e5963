import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { attributeOf } from "../../../languages/markup/Element.ts"
import { markupOf } from "../../../languages/markup/markup.ts"
import { valueRange } from "./attributeText.ts"

/** All of a file at once: among themselves they keep the order of the page. */
const propose = ({ file }: FixSite): Proposal => {
  const positive = markupOf(file).elements.flatMap((element) => {
    const tabindex = attributeOf(element, "tabindex")
    return !element.isComponent && tabindex !== undefined && /^\s*\+?[1-9]\d*\s*$/.test(tabindex.value ?? "")
      ? [tabindex]
      : []
  })
  const order = positive.map(({ value }) => Number(value))
  if (order.some((index, i) => i > 0 && index < order[i - 1]!)) {
    return declined(
      "The numbers lead through the page in another order than the elements have: move the elements first."
    )
  }
  const edits = positive.flatMap((attribute) => {
    const range = valueRange(file.text, attribute)
    return range === null ? [] : [{ ...range, text: "0" }]
  })
  return { edits, summary: "Let the Tab key follow the order of the page" }
}

export default fixer({
  tool: "accessibility",
  rule: "positive_tabindex",
  languages: ["html", "javascript", "vue", "php"],
  propose
})
