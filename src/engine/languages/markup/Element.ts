/** An attribute under its HTML name in lower case: `htmlFor`, `:for` and `v-bind:for` are all `for`, `@click` is `onclick`. */
export interface Attribute {
  readonly name: string
  /** As written in the file. */
  readonly written: string
  /** Static value, "" for one without a value; null when it is computed. */
  readonly value: string | null
  readonly start: number
  readonly end: number
}

export interface Element {
  /** In lower case for what HTML defines; as written for components. */
  readonly tag: string
  /** A component: what it renders is not known here. */
  readonly isComponent: boolean
  readonly attributes: ReadonlyArray<Attribute>
  /** Some attributes are only known at run time: `{...props}`, `v-bind="props"`, a template's code inside the tag. */
  readonly hasSpread: boolean
  readonly parent: Element | null
  readonly children: ReadonlyArray<Element>
  /** Direct static text other than white space. */
  readonly hasText: boolean
  /** Direct content that is only known at run time. */
  readonly hasDynamic: boolean
  /** Of the opening tag. */
  readonly start: number
  readonly end: number
  /** Node of the opening tag where there is a syntax tree; otherwise -1. */
  readonly node: number
}

export interface Markup {
  readonly elements: ReadonlyArray<Element>
  /** Written by a template engine in parts: elements may be left out, repeated or come from other files. */
  readonly isTemplate: boolean
}

export const noMarkup: Markup = { elements: [], isTemplate: false }

export const attributeOf = (element: Element, name: string): Attribute | undefined =>
  element.attributes.find((attribute) => attribute.name === name)

export const has = (element: Element, ...names: ReadonlyArray<string>): boolean =>
  element.attributes.some(({ name }) => names.includes(name))

/** Static value of an attribute; null when it is absent or computed. */
export const staticValue = (element: Element, name: string): string | null => attributeOf(element, name)?.value ?? null

/** Whether some ancestor, or the element itself, answers. Bounded: markup written by hand is not deeper. */
export const someUp = (element: Element, test: (element: Element) => boolean): boolean => {
  let at: Element | null = element
  for (let depth = 0; at !== null && depth < 100; depth++, at = at.parent) if (test(at)) return true
  return false
}

export const ownHidden = (element: Element): boolean => {
  const hidden = attributeOf(element, "aria-hidden")
  return (
    (hidden !== undefined && hidden.value !== "false") ||
    has(element, "hidden", "inert") ||
    /display:\s*none|visibility:\s*hidden/.test(staticValue(element, "style") ?? "") ||
    /(?:^|\s)(?:hidden|d-none|hide)(?:\s|$)/.test(staticValue(element, "class") ?? "") ||
    element.tag === "template" ||
    element.tag === "noscript"
  )
}

export const isHidden = (element: Element): boolean => someUp(element, ownHidden)
