import type { SourceFile } from "../../core/files/SourceFile.ts"
import { folderOf } from "../../core/text/paths.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import {
  attributeOf,
  type Element,
  has,
  isHidden,
  type Markup,
  someUp,
  staticValue
} from "../../languages/markup/Element.ts"
import { ariaAttributes, isRole, toleratedAttributes } from "./aria.ts"
import type { RuleId } from "./rules.ts"
import { hitAt, named } from "./support.ts"

const isTiny = (element: Element): boolean =>
  /^[01](?:px)?$/.test(staticValue(element, "width") ?? "") ||
  /^[01](?:px)?$/.test(staticValue(element, "height") ?? "")

const decorative = /^(?:presentation|none)$/

const inspectImage = (element: Element, emit: (hit: Match<RuleId>) => void): void => {
  if (element.tag === "input" ? staticValue(element, "type") !== "image" : element.tag !== "img") return
  if (element.hasSpread || has(element, "alt", "aria-label", "aria-labelledby", "title")) return
  // Without an address a script sets both.
  if (
    element.tag === "img" &&
    element.attributes.length > 0 &&
    !element.attributes.some(({ name }) => /src|href/.test(name))
  )
    return
  if (decorative.test(staticValue(element, "role") ?? "") || isTiny(element) || isHidden(element)) return
  emit(hitAt("image_without_alternative", element, `${describeImage(element)} has no \`alt\`.`))
}

const describeImage = (element: Element): string => {
  const source = staticValue(element, "src")
  // A `data:` URL is its content and has no name.
  const file =
    source === null || /^data:/i.test(source)
      ? ""
      : (/([\w.-]{1,60})(?:[?#].*)?$/.exec(source.slice(0, 300))?.[1] ?? "")
  return file === "" ? "This image" : `The image \`${file}\``
}

/** Javadoc's `package.html` and other fragments have a body at most. */
const isWholePage = (page: Element): boolean =>
  !isLayout(page) &&
  (page.children.some(({ tag, isComponent }) => isComponent || tag === "head" || tag === "title") || page.hasDynamic)

/** Its parts are inserted into other pages, or it is inserted into one. */
const isLayout = ({ attributes }: Element): boolean =>
  attributes.some(({ written }) =>
    /^(?:data-)?(?:th:(?:fragment|replace|insert|include|lang)|layout:(?:decorate|decorator|fragment)|ui:)/.test(
      written
    )
  )

const languageFolder =
  /(?<=\/)(?:af|ar|az|bg|bs|ca|cs|da|de|el|en|es|et|eu|fa|fi|fr|gl|he|hr|hu|id|it|ja|ka|ko|lt|lv|mk|mn|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|ta|th|tr|uk|vi|zh)(?:[-_][A-Za-z]{2,4})?(?=\/)/
const mail = /(?:^|[/._-])(?:e?mails?|mailers?|newsletters?)(?=[/._-])/i

/** The pages of one folder were written, or translated, together: they are one thing to do. */
const pagesBeside = (path: string): string => `/${folderOf(path)}`.replace(languageFolder, "*")

/** Javadoc's descriptions of packages, and licences as others wrote them: browsers are sent neither as a page. */
const noPage =
  /(?:^|\/)package\.html$|(?:^|\/)(?:java|javadoc)\/(?:.*\/)?overview\.html$|(?:^|\/)(?:licen[cs]es?|copying|notice|[al]?gpl)(?:[-_.][\w.-]*)?\.html?$/i

/** Nothing is there to be spoken. */
const isEmptyPage = ({ text }: SourceFile): boolean => /<body[^<>]*>\s*<\/body>/i.test(text)

const withoutLanguage = ({ path }: SourceFile, page: Element): Match<RuleId> => ({
  ...hitAt("page_without_language", page, "`<html>` has no `lang`."),
  subject: pagesBeside(path),
  // Many mail clients drop the `html` element and speak the language of their own page.
  ...(mail.test(path) ? { confidence: 0.6 } : {})
})

const inspectPage = (file: SourceFile, element: Element, emit: (hit: Match<RuleId>) => void): void => {
  if (
    element.tag === "html" &&
    isWholePage(element) &&
    !noPage.test(file.path) &&
    !file.memo(isEmptyPage, isEmptyPage) &&
    !element.hasSpread &&
    !has(element, "lang", "xml:lang", "manifest", "amp4ads", "⚡4ads")
  ) {
    emit(withoutLanguage(file, element))
  }
  if (element.tag !== "meta" || staticValue(element, "name")?.toLowerCase() !== "viewport") return
  const content = staticValue(element, "content")?.replace(/\s/g, "") ?? ""
  const fixed =
    /user-scalable=(?:no|0|false)\b/i.exec(content) ?? /maximum-scale=(?:0|1)(?:\.\d+)?(?![\d.])/i.exec(content)
  if (fixed !== null) emit(hitAt("zoom_disabled", element, `\`${fixed[0]}\` keeps people from enlarging the page.`))
}

const inspectFrame = (element: Element, emit: (hit: Match<RuleId>) => void): void => {
  if (element.tag !== "iframe" || element.hasSpread || has(element, "title", "aria-label", "aria-labelledby")) return
  if (isTiny(element) || decorative.test(staticValue(element, "role") ?? "") || isHidden(element)) return
  if (staticValue(element, "tabindex") === "-1") return
  emit(hitAt("frame_without_title", element, `${named(element)} has no \`title\`.`))
}

const inspectTabindex = (element: Element, emit: (hit: Match<RuleId>) => void): void => {
  const tabindex = attributeOf(element, "tabindex")
  if (tabindex?.value === undefined || !/^\s*\+?[1-9]\d*\s*$/.test(tabindex.value ?? "")) return
  emit({
    rule: "positive_tabindex",
    start: tabindex.start,
    end: tabindex.end,
    message: `\`tabindex\` ${tabindex.value!.trim()} puts ${named(element)} before everything that has none.`
  })
}

const inspectAria = (element: Element, emit: (hit: Match<RuleId>) => void): void => {
  for (const { name, start, end, value, written } of element.attributes) {
    if (
      name.startsWith("aria-") &&
      /^[a-z-]+$/.test(name) &&
      !ariaAttributes.has(name) &&
      !toleratedAttributes.has(name)
    ) {
      emit({
        rule: "invalid_aria",
        start,
        end,
        message: `\`${written}\` is no ARIA attribute, and browsers ignore it.`
      })
    }
    if (name !== "role" || value === null || value.trim() === "") continue
    const words = value.trim().toLowerCase().split(/\s+/)
    // Several roles are fallbacks: the first one known counts.
    if (words.some(isRole) || !words.every((word) => /^[a-z-]+$/.test(word))) continue
    emit({ rule: "invalid_aria", start, end, message: `\`${value.trim()}\` is no ARIA role, and browsers ignore it.` })
  }
}

export const inspectElements = (file: SourceFile, markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  for (const element of markup.elements) {
    if (element.isComponent || element.tag === "") continue
    inspectImage(element, emit)
    inspectPage(file, element, emit)
    inspectFrame(element, emit)
    inspectTabindex(element, emit)
    inspectAria(element, emit)
  }
  if (file.language === "html" && !markup.isTemplate) inspectIds(file, markup, emit)
}

/**
 * Marks of engines whose pages are plain HTML otherwise: `{if="…"}`, `{else}`, `{/if}`, and elements that are no HTML
 * (`<c:if …>`, `<roundcube:else />`, `<tmpl_else>`, `<!-- IF … -->`).
 */
const alternative =
  /\{(?:else(?:if)?\b|\/(?:if|loop|foreach|section)\}|if[ =:(])|<\/?(?:[a-z]\w{0,30}:(?:if|else(?:if)?|when|unless|otherwise|choose|case|switch)|tmpl_(?:if|else|unless))\b|<!--\s{0,4}(?:#?if|else|elseif|endif)\b/i
/** A value that a program writes in its place. */
const isPlaceholder = /\{[$%{#]|\$\{|<[?%]|\[%/

/** Between two elements a template chooses one of them: a mark that begins, changes or ends a condition. */
const areAlternatives = (file: SourceFile, first: Element, second: Element): boolean =>
  alternative.test(file.text.slice(first.start, Math.min(second.start, first.start + MAX_BETWEEN)))
const MAX_BETWEEN = 20_000

/** Only in whole pages: what is assembled from parts may leave one of two out. */
const inspectIds = (file: SourceFile, markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  if (!markup.elements.some(({ tag }) => tag === "html" || tag === "body")) return
  const seen = new Map<string, Element>()
  for (const element of markup.elements) {
    const id = attributeOf(element, "id")
    if (id === undefined || id.value === null || id.value === "" || element.isComponent) continue
    if (isPlaceholder.test(id.value)) continue
    const first = seen.get(id.value)
    if (first === undefined) {
      seen.set(id.value, element)
      continue
    }
    // Copies inside templates and drawings have names of their own.
    if (someUp(element, ({ tag }) => /^(?:svg|template|defs|symbol)$/.test(tag)) || id.written !== "id") continue
    if (areAlternatives(file, first, element)) continue
    const line = file.line(first.start)
    emit({
      rule: "duplicate_id",
      start: id.start,
      end: id.end,
      message: `The element on line ${line} has the id \`${id.value.slice(0, 60)}\`, too.`
    })
  }
}
