import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Element } from "../../../languages/markup/Element.ts"
import { markupOf } from "../../../languages/markup/markup.ts"

/** The element whose opening tag starts here. */
export const elementAt = (file: SourceFile, start: number): Element | undefined =>
  markupOf(file).elements.find((element) => element.start === start)

/** Behind the last attribute of an opening tag, or behind its name. */
export const attributesEnd = ({ attributes, start, tag }: Element): number =>
  attributes.reduce((end, attribute) => Math.max(end, attribute.end), start + 1 + tag.length)
