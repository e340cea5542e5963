import type { ReactNode } from "react"
import type { Components, ExtraProps } from "react-markdown"
import { Scroll } from "../code/Frame.tsx"
import { Snippet } from "../code/Snippet.tsx"
import { Icon } from "../icon/Icon.tsx"
import styles from "./Markdown.module.css"
import { OutsideLink } from "./OutsideLink.tsx"

type Element = NonNullable<ExtraProps["node"]>

const textOf = (node: Element): string =>
  node.children
    .map((child) => (child.type === "text" ? child.value : child.type === "element" ? textOf(child) : ""))
    .join("")

const fence = "language-"

const languageOf = (code: Element): string => {
  const classes = code.properties.className
  const name = Array.isArray(classes) ? classes.map(String).find((one) => one.startsWith(fence)) : undefined
  return name === undefined ? "" : name.slice(fence.length)
}

const Fenced = ({ node }: ExtraProps) => {
  const code = node?.children[0]
  return code?.type === "element" ? <Snippet language={languageOf(code)} text={textOf(code)} label="Code" /> : null
}

const Figure = ({ src, alt }: { readonly src?: unknown; readonly alt?: string }) => {
  const words = alt === undefined || alt === "" ? "image" : alt
  return typeof src === "string" ? <OutsideLink url={src}>{words}</OutsideLink> : words
}

const Ticked = ({ checked }: { readonly checked?: boolean }) => (
  <>
    <Icon name={checked === true ? "done" : "issue"} />
    <span className="hidden-text">{checked === true ? "Done: " : "Open: "}</span>
  </>
)

const headings = ["h2", "h3", "h4", "h5", "h6"] as const

const lastLevel = headings.length + 1

const headingAt = (level: number) => {
  const Name = headings[Math.min(level, lastLevel) - 2] ?? "h6"
  return ({ children }: { readonly children?: ReactNode }) => <Name>{children}</Name>
}

/** What the elements of a text become, with its headings below one of that level. Nothing else of them is kept: no id, no class. */
const elementsBelow = (level: number): Components => ({
  h1: headingAt(level + 1),
  h2: headingAt(level + 2),
  h3: headingAt(level + 3),
  h4: headingAt(level + 4),
  h5: headingAt(level + 5),
  h6: headingAt(level + 6),
  a: ({ href, children }) => <OutsideLink url={href}>{children}</OutsideLink>,
  img: Figure,
  pre: Fenced,
  code: ({ children }) => <code>{children}</code>,
  input: Ticked,
  li: ({ children }) => <li>{children}</li>,
  ul: ({ children }) => <ul>{children}</ul>,
  section: ({ children }) => <div className={styles.notes}>{children}</div>,
  table: ({ children }) => (
    <Scroll label="Table">
      <table>{children}</table>
    </Scroll>
  )
})

const levels = [1, 2, 3, 4, 5].map((level) => [level, elementsBelow(level)] as const)
const elements = new Map<number, Components>(levels)

export const elementsFor = (level: number): Components => elements.get(level) ?? elementsBelow(level)
