import { CliConfig, CommandDescriptor, type HelpDoc, type Span } from "@effect/cli"
import { HashSet } from "effect"
import type { Paint } from "./terminal.ts"
import { wrapped } from "./terminalText.ts"

/** The command line as help shows it. The parser's own pages spend three lines of boilerplate on every option. */
export interface HelpNode {
  readonly command: { readonly descriptor: CommandDescriptor.Command<unknown> }
  readonly children?: ReadonlyArray<HelpNode>
}

interface Entry {
  readonly name: string
  readonly text: string
  readonly isOptional?: boolean
}

interface Page {
  readonly description: string
  readonly arguments: ReadonlyArray<Entry>
  readonly options: ReadonlyArray<Entry>
}

const config = CliConfig.make({ showBuiltIns: false })
const width = 96
const builtIn: Entry = { name: "-h, --help", text: "This page." }

/** The page of the command that the arguments name, when they ask for one. */
export const helpFor = (root: HelpNode, args: ReadonlyArray<string>, paint: Paint): string | null => {
  const end = args.indexOf("--")
  const own = end === -1 ? args : args.slice(0, end)
  let node = root
  const path = [nameOf(root)]
  for (const word of own) {
    const next = childOf(node, word)
    if (next === undefined) break
    node = next
    path.push(word)
  }
  const isGroup = node.children !== undefined && own.length === path.length - 1
  if (!isGroup && !own.includes("--help") && !own.includes("-h")) return null
  return render(node, path.join(" "), paint)
}

export const nameOf = ({ command }: HelpNode): string =>
  [...HashSet.values(CommandDescriptor.getNames(command.descriptor))][0]!

export const childOf = (node: HelpNode, word: string): HelpNode | undefined =>
  node.children?.find((child) => nameOf(child) === word)

/** Options of a command as they are written, with those that every command has. */
export const optionNames = (node: HelpNode): ReadonlySet<string> =>
  new Set([
    ...["--help", "-h", "--version", "--completions", "--log-level", "--wizard"],
    ...pageOf(node).options.flatMap(({ name }) => name.match(/--?[a-zA-Z][\w-]*/g) ?? [])
  ])

const render = (node: HelpNode, path: string, paint: Paint): string => {
  const page = pageOf(node)
  const commands = (node.children ?? []).map((child) => ({ name: nameOf(child), text: pageOf(child).description }))
  const usage = [
    path,
    ...(commands.length > 0 ? ["<command>"] : []),
    ...(commands.length > 0 || page.options.length > 0 ? ["[options]"] : []),
    ...page.arguments.map(({ name, isOptional }) => (isOptional ? `[${name}]` : name))
  ]
  const entries = [commands, page.arguments, [...page.options, builtIn]].filter((part) => part.length > 0)
  const column = Math.min(32, Math.max(...entries.flat().map(({ name }) => name.length))) + 2
  return [
    page.description,
    `${paint("bold", "Usage:")} ${usage.join(" ")}`,
    ...entries.map((part) => part.map((entry) => line(entry, column, paint)).join("\n")),
    ...(commands.length > 0 ? [`${path} <command> --help lists the options of a command.`] : [])
  ].join("\n\n")
}

const line = ({ name, text }: Entry, column: number, paint: Paint): string => {
  const rest = wrapped(text, width - column - 2)
  const indent = " ".repeat(column + 2)
  const head =
    name.length > column - 2
      ? `${paint("bold", name)}\n${indent}`
      : paint("bold", name) + " ".repeat(column - name.length)
  return `  ${head}${rest.join(`\n${indent}`)}`
}

const pageOf = ({ command }: HelpNode): Page => {
  const page = { DESCRIPTION: [] as string[], ARGUMENTS: [] as Entry[], OPTIONS: [] as Entry[] }
  let section = ""
  for (const part of parts(CommandDescriptor.getHelp(command.descriptor, config))) {
    if (part._tag === "Header") section = spanText(part.value)
    else if (part._tag === "Paragraph" && section === "DESCRIPTION") page.DESCRIPTION.push(spanText(part.value))
    else if (part._tag === "DescriptionList" && (section === "ARGUMENTS" || section === "OPTIONS"))
      page[section].push(...part.definitions.map(([name, about]) => entryOf(spanText(name), about)))
  }
  return { description: page.DESCRIPTION.join(" "), arguments: page.ARGUMENTS, options: page.OPTIONS }
}

/** The first paragraph is the type, which the name shows already; the last one marks an optional setting. */
const entryOf = (name: string, about: HelpDoc.HelpDoc): Entry => {
  const [, ...paragraphs] = parts(about).flatMap((part) => (part._tag === "Paragraph" ? [spanText(part.value)] : []))
  const text = paragraphs.map((sentence) =>
    sentence.replace(/^This setting is optional\.(?: Defaults to: (.*))?$/, (_, value?: string) =>
      value === undefined ? "" : `Default: ${value}.`
    )
  )
  const isOptional = paragraphs.some((sentence) => sentence.startsWith("This setting is optional."))
  return { name: name.replaceAll(" | ", "|"), isOptional, text: text.filter((sentence) => sentence !== "").join(" ") }
}

const parts = (doc: HelpDoc.HelpDoc): ReadonlyArray<HelpDoc.HelpDoc> =>
  doc._tag === "Sequence" ? [...parts(doc.left), ...parts(doc.right)] : [doc]

/** One paragraph or several as plain text. */
export const plainText = (doc: HelpDoc.HelpDoc): string =>
  parts(doc)
    .flatMap((part) => (part._tag === "Paragraph" || part._tag === "Header" ? [spanText(part.value)] : []))
    .join(" ")

const spanText = (span: Span.Span): string => {
  switch (span._tag) {
    case "Text":
    case "URI":
      return span.value
    case "Sequence":
      return spanText(span.left) + spanText(span.right)
    default:
      return spanText(span.value)
  }
}
