import { kindsOfBuild } from "./builds/kindsOfBuild.ts"
import { fence } from "./documentSections.ts"
import { Headings } from "./headings.ts"
import { outputLines } from "./sentences/outputs.ts"
import { isPrompted, withoutPrompt } from "./sentences/prompts.ts"

export interface ShellLine {
  readonly text: string
  readonly line: number
  /** Headings that it stands below, the outermost first. */
  readonly headings: ReadonlyArray<string>
  /** The words of a sentence before it; null within a block of code. */
  readonly before: string | null
  /** Where `cd` above it, in the same block, leads. */
  readonly folder: string
  /** Repository that the same block clones above it, by the last word of its address. */
  readonly clone: string | null
  /** Says by a word before it that it shows how the program is started, so that it may name what is filled in. */
  readonly isUsage?: boolean
}

const shellFence =
  /^\s*(?:```|~~~)\s*(?:\{?\.?(?:sh|bash|shell|console|zsh|shell-session|terminal|text|cmd|powershell|commandline|sh-session|plain|plaintext)\}?)?\s*(?:\{.*\})?\s*$/i
/** A block of code of HTML, and its end. */
const preformatted = /^(.*?)<pre\b[^>]{0,200}>(?:\s*<code\b[^>]{0,200}>)?(.*)$/i
const endOfPreformatted = /<\/pre>/i

/** Begins markup of HTML, which lasts to the next empty line: how far it is indented says nothing. */
const markup =
  /^\s*<\/?(?:div|p|h\d|a|img|table|t[rdh]|thead|tbody|[uod]l|li|d[td]|center|details|summary|br|hr|picture|source|span|sub|sup|b|i|em|strong)\b/i

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&"
}

/** What a reader of the page sees. */
const withoutMarkup = (line: string): string =>
  line.replace(/<\/?[a-z][^<>]*>/gi, "").replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]!)

/** A block within a quotation or a note, which each line begins with a mark. */
const quotedFence = /^\s*>\s*(?=```|~~~)/
const quotation = /^\s*>\s?/

const directive = /::\s*$|^\s*\.\. (?:code-block|code|sourcecode|prompt)::/

const cloned = /\bgit clone\s.{0,80}?[/:]([\w.-]+?)(?:\.git)?\/?(?:\s|$)/

/** After the mark of a comment one word alone is a heading; more may be a command for the administrator. */
const isHeading = (line: string): boolean => /^\s*#\s+(?!make\s*$)[\w.+-]+\s*$/.test(line)

/** The prompt, a comment and a remark in parentheses behind the line are off. */
const written = (line: string): string =>
  withoutPrompt(line.trim())
    .replace(/\s+#\s.*$/, "")
    // What a second column says of it, as a help text has it.
    .replace(/(?<=\S)\s{2,}[A-Z][a-z]+[ .][^`|]*$/, "")
    .replace(
      /\s+\((?:[A-Z][a-z]* [^`]*|(?:as|if|or|optional(?:ly)?|requires?|needs?|may|might|must|with|you|only|the|see)\b[^`()]*(?:\([^`()]*\))?[^`()]*\)\.?)$/,
      ""
    )

/** The sentence says that someone runs what stands there. */
export const asksToRun =
  /\b(?:run(?:ning|s)?|start(?:ing|s)?(?!\s+(?:[a-z]{2,20}ing|with|from|by)\b)|launch\w*|execut\w*|invok\w*|call(?:ing|s)?|typ(?:e|ing)|enter)\b[^.]*$/i

/** What follows a name that is spoken of: "build the `kettle` binary first". */
const isNoun = /^\s+(?:binar(?:y|ies)|executables?|itself|packages?|project|repository|library|image)\b/

/** The name of a program alone, where the sentence says to run it. */
const isStarted = (span: string, before: string): boolean =>
  /^(?:\.\/)?[\w][\w.-]*$/.test(span) && asksToRun.test(before)

/** Characters of the sentence before a command: a line may be as long as its file. */
const MAX_BEFORE = 200

/** Programs that are often run without more; in a sentence one word is a name otherwise. */
export const isRunAlone = (span: string): boolean => /^(?:make|tox|nox|pytest|rake|rspec)$/.test(span)

const isCommand = (span: string): boolean => !/<\w+:\/\//.test(span) && (/\s/.test(span.trim()) || isRunAlone(span))

/** What a line of a text without markup says as a whole to build or install, outside of any block. */
const bareCommand =
  /^(?:[$#] )?(?:sudo )?(?:meson (?:setup )?(?:-\S+ )*(?:\. )?[\w-]+|ninja -C [\w./-]+(?: install)?|(?:sh )?\.\/(?:configure|autogen\.sh)(?: -\S+)*|autoreconf(?: -\S+)+|cmake (?:-\S+ )*\.\.?(?: -\S+)*|cmake --build [\w./-]+|make(?: (?:install|test|check|all))?|(?:gem|pip3?|npm|cargo|brew) install(?: -g| --global| --user)? [\w.@/-]+)$/

/** `Usage: shop [options] file`, in a block or between paragraphs. */
const usage = /^\s{0,8}(?:usage|synopsis)\s*:\s*(?=[a-z./])/i

/** `*pdf-file*`, `[options]`, `<file>`, `-f`, `FILE`: what may follow a program's name where a line shows how it is started. */
const isFormOfArgument = (word: string): boolean =>
  /^(?:-{1,2}[\w-]+(?:=\S+)?|\[[^\][()]{1,40}\](?:\.\.\.)?|<[\w ./-]{1,40}>(?:\.\.\.)?|\*[\w-]{1,40}\*|[A-Z][A-Z_]{2,}|\.\.\.)$/.test(
    word
  )

/** A paragraph of one line that is a program's name and the forms of its arguments, such as `shop [options] <file>`. */
const isFormOfUse = (line: string): boolean => {
  const [, rest] = /^[`*]{0,3}[a-z][\w.-]{1,39}[`*]{0,3} (\S.{0,118})$/.exec(line) ?? []
  const words = rest?.replace(/`+$/, "").match(/\[[^\][]*\]\S*|<[^<>]*>\S*|[^\s[\]<>]+/g) ?? []
  return (
    words.length > 0 && /^[[<]/.test(words.find((word) => !word.startsWith("-")) ?? "") && words.every(isFormOfArgument)
  )
}

/** `mkdir build && cd build`: what follows is said there. */
const makesAndEnters = /^mkdir\s[^&;]*(?:&&|;)\s*cd\s+["']?([\w./-]+)["']?\s*$/

/** An item of a list whose items are done one after the other. */
const item = /^\s*(?:\d+|[a-z]|#)[.)]\s/

/** Between backticks (closed as TeX does, too), between quotes where a program of the build begins them or the sentence asks for it, or as GNU does. */
const inSentence =
  /``([a-z./][^`'\n]{2,100})''|``?((?:[$%] )?[a-z./][^`\n]{2,100}?)``?|"((?:mvn|gradle|ant|make|cargo|go|npm|yarn|dotnet|rake) [a-z-][^"\n]{2,80})"|(?<=\b(?:command|[Dd]o|[Ee]xecute|[Rr]un|[Tt]ype|typing)(?: the [a-z]+ [a-z]+)? )["'“‘]([a-z./][^"'“”‘’\n]{2,100})["'”’]|[`'](\.\/configure[^'`\n]{0,60})'/g

/** A sentence begins, however far a text without markup indents it. */
const isProse = /^\s+(?:[A-Z][a-z]{1,15}|[AI]) (?:[a-z]{1,20}[ ,]){2}/

/** A reader of one document, line by line. */
class ShellReader {
  readonly found: Array<ShellLine> = []
  private readonly headings = new Headings()
  private fence: "shell" | "other" | "html" | null = null
  private isQuoted = false
  private isMarkup = false
  private blockIndent = -1
  private folder = ""
  /** Where an item of a list leads with `cd`, and how far it is indented: the items that follow are said there. */
  private list: { readonly folder: string; readonly indent: number } | null = null
  private clone: string | null = null
  private isContinued = false
  /** What underlines it is no mark of a block. */
  private previous = ""
  /** A paragraph of one line, which may be nothing but a command. */
  private isApart = false
  private readonly isPlainText: boolean

  constructor(isPlainText: boolean) {
    this.isPlainText = isPlainText
  }

  read(stated: string, below: string, number: number): void {
    if (this.fence === null) this.isQuoted = quotedFence.test(stated)
    const line = this.isQuoted ? stated.replace(quotation, "") : stated
    if (this.fence === "html" || (this.fence === null && preformatted.test(line))) this.html(line, number)
    else this.line(line, below, number)
  }

  private line(line: string, below: string, number: number): void {
    const isUnderline = this.fence === null && /^~{3,}\s*$/.test(line) && /^\S/.test(this.previous)
    this.isApart = this.previous.trim() === "" && below.trim() === ""
    this.previous = line
    if (isUnderline) return
    if (fence.test(line)) {
      this.fence = this.fence !== null ? null : shellFence.test(line) ? "shell" : "other"
      this.leave()
      return
    }
    if (this.fence === null) this.look(line, below)
    if (isHeading(line)) return
    if (usage.test(line)) return this.usage(line, number)
    if (this.isShell(line)) this.command(written(line), number)
    else if (this.fence === null) this.sentence(line, number)
  }

  /** Lines between `<pre>` and `</pre>`. */
  private html(line: string, number: number): void {
    const text = this.fence === "html" ? line : preformatted.exec(line)![2]!
    if (this.fence === null) this.leave()
    this.fence = endOfPreformatted.test(text) ? null : "html"
    const shown = withoutMarkup(text.replace(/<\/pre>.*$/i, ""))
    if (shown.trim() !== "" && !isHeading(shown)) this.command(written(shown), number)
    if (this.fence === null) this.leave()
  }

  private look(line: string, below: string): void {
    const indent = line.search(/\S/)
    this.isMarkup = indent >= 0 && (this.isMarkup || markup.test(line))
    if (this.headings.read(line, below)) this.list = null
    if (
      this.list !== null &&
      indent >= 0 &&
      (indent < this.list.indent || (indent === this.list.indent && !item.test(line)))
    )
      this.list = null
    if (directive.test(line)) {
      this.blockIndent = Math.max(0, indent)
      this.leave()
    } else if (indent >= 0 && indent <= this.blockIndent) this.blockIndent = -1
  }

  /** What a block says of folders ends with it. */
  private leave(): void {
    this.folder = this.list?.folder ?? ""
    this.clone = null
  }

  /** Within a block of shell, or of something else what stands behind a prompt. */
  private isShell(line: string): boolean {
    if (this.fence !== null) return this.fence === "shell" || isPrompted(line)
    return this.isIndented(line)
  }

  private isIndented(line: string): boolean {
    if (this.isMarkup || (this.isPlainText && isProse.test(line))) return false
    return (
      (this.blockIndent >= 0 && line.search(/\S/) > this.blockIndent) ||
      /^(?: {4,}|\t+)\S/.test(line) ||
      (this.isPlainText && /^(?: {1,3}(?![A-Z][a-z]+ [a-z`'"])\S|[$%] )/.test(line))
    )
  }

  private command(text: string, line: number): void {
    const last = this.found.at(-1)
    if (this.isContinued && last !== undefined)
      this.found[this.found.length - 1] = { ...last, text: `${last.text} ${text.replace(/\s*\\$/, "")}` }
    else {
      const made = makesAndEnters.exec(text)?.[1]
      const moved = made ?? /^(?:cd|pushd)\s+["']?([\w./-]+)["']?\s*$/.exec(text)?.[1]
      this.clone = cloned.exec(text)?.[1]?.toLowerCase() ?? this.clone
      const { folder, clone } = this
      const headings = this.headings.all
      if (moved === undefined || made !== undefined)
        this.found.push({ text: text.replace(/\s*\\$/, ""), line, headings, before: null, folder, clone })
      if (moved !== undefined) this.folder = this.folder === "" ? moved : `${this.folder}/${moved}`
    }
    this.isContinued = text.endsWith("\\")
  }

  private usage(line: string, number: number): void {
    this.isContinued = false
    const { folder } = this
    const text = written(line.replace(usage, "").replace(/^`+|`+$/g, ""))
    this.found.push({
      text,
      line: number,
      headings: this.headings.all,
      before: null,
      folder,
      clone: null,
      isUsage: true
    })
  }

  private sentence(line: string, number: number): void {
    this.isContinued = false
    const listed = line.trim().replace(/^[-*•]\s+/, "")
    if (bareCommand.test(listed) || isPrompted(listed)) return this.command(written(listed), number)
    const alone = /^``?([^`]+)``?[.:]?$/.exec(line.trim())?.[1]
    if (alone !== undefined && this.isApart && isCommand(alone)) return this.command(written(alone), number)
    if (isFormOfUse(listed)) return this.usage(listed.replace(/[`*]+/g, ""), number)
    if (line.trim() !== "") this.leave()
    for (const match of line.matchAll(inSentence)) {
      const span = match.slice(1).find((group) => group !== undefined)!
      const moved = item.test(line) ? /^cd ([\w./-]+)$/.exec(span)?.[1] : undefined
      if (moved !== undefined) this.enter(moved, line.search(/\S/))
      const before = line.slice(Math.max(0, match.index - MAX_BEFORE), match.index)
      const after = line.slice(match.index + match[0].length)
      if (!isCommand(span) && (isNoun.test(after) || !isStarted(span, before))) continue
      const { folder } = this
      this.found.push({ text: written(span), line: number, headings: this.headings.all, before, folder, clone: null })
    }
  }

  private enter(folder: string, indent: number): void {
    this.list = { folder, indent }
    this.leave()
  }
}

/** Lines of shell in the code blocks of a document, and what stands in backticks within its sentences. */
export const shellIn = (text: string, isPlainText = false): ReadonlyArray<ShellLine> => {
  const reader = new ShellReader(isPlainText)
  const lines = text.split("\n")
  const outputs = outputLines(lines)
  for (const [index, line] of lines.entries())
    if (!outputs.has(index)) reader.read(line, lines[index + 1] ?? "", index + 1)
  const kinds = kindsOfBuild(lines)
  if (kinds.size === 0) return reader.found
  return reader.found.map((one) => ({ ...one, headings: one.headings.filter((heading) => !kinds.has(heading)) }))
}
