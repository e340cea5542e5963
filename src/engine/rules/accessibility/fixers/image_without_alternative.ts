import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { attributeOf, type Element, staticValue } from "../../../languages/markup/Element.ts"
import { attributesEnd, elementAt } from "./elementAt.ts"

const ornament = /(?:^|[/_-])(?:spacer|blank|pixel|transparent|divider|separator|bullet|clear)\.(?:gif|png|svg)$/i

/** A link or button that its own text names: its picture would only be read out twice. */
const isNamedByText = ({ tag, hasText, hasSpread }: Element): boolean =>
  /^(?:a|button)$/.test(tag) && hasText && !hasSpread

const propose = ({ file, match }: FixSite): Proposal => {
  const image = elementAt(file, match.start)
  const isOrnament = image !== undefined && ornament.test(staticValue(image, "src") ?? "")
  if (
    image === undefined ||
    image.tag !== "img" ||
    (!isOrnament && (image.parent === null || !isNamedByText(image.parent)))
  ) {
    return declined("What the picture shows has to be put into words by someone who knows the page.")
  }
  const at = attributesEnd(image)
  const source = attributeOf(image, "src")
  const quote = source !== undefined && file.text.slice(source.start, source.end).endsWith("'") ? "'" : '"'
  return {
    edits: [{ start: at, end: at, text: ` alt=${quote}${quote}` }],
    summary: "Mark a picture that only decorates, so that screen readers pass over it"
  }
}

export default fixer({
  tool: "accessibility",
  rule: "image_without_alternative",
  languages: ["html", "javascript", "vue", "php"],
  propose
})
