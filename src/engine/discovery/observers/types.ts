import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Definition, Entity } from "../Observed.ts"
import { withTypes } from "./fieldTypes.ts"
import { languageName } from "./languageName.ts"

const MAX_TYPES = 30
const MAX_FIELDS = 24
const MAX_NAMES = 60

/** Fields as each language writes them, one group for the name. */
const fieldPatterns: Partial<Record<string, RegExp>> = {
  python:
    /^(?: {4}|\t)([a-z]\w*)\s*:\s*[\w"'[]|^[ \t]+self\._?([a-z]\w*)\s*(?::[^=\n]+)?=(?!=)|^[ \t]+@(?:\w+\.)?(?:cached_)?property\n[ \t]+def ([a-z]\w*)\(/gm,
  go: /^\t([A-Za-z]\w*)(?:, *[A-Za-z]\w*)*[ \t]+[\w*[\].]/gm,
  rust: /^\s+(?:pub(?:\([^)]*\))?\s+)?([a-z]\w*):\s/gm,
  java: /^\s+(?:private|protected|public)\s+(?!static\b)(?:final\s+)?[\w<>,. ?[\]]{1,60}\s(\w+)\s*(?:=|;)/gm,
  csharp:
    /^\s+public\s+(?!static\b|const\b)(?:virtual\s+|required\s+|override\s+)*[\w<>?,.[\]]{1,60}\s(\w+)\s*(?:\{\s*(?:get|set)\b|;|$(?=\s*\{\s*get\b))/gm,
  typescript: /^ {2,4}(?:readonly\s+|public\s+|declare\s+)*([a-z]\w*)[!?]?:\s/gm,
  tsx: /^ {2,4}(?:readonly\s+)?([a-z]\w*)[!?]?:\s/gm,
  javascript: /^\s+this\.([a-z]\w*)\s*=(?!=)/gm,
  php: /^\s+(?:public|protected)\s+(?!static\b|function\b)(?:readonly\s+)?(?:\??[\w\\|]+\s+)?\$(\w+)\s*[=;,)]/gm,
  c: /^\s+(?!return\b|typedef\b|goto\b)(?:const\s+|unsigned\s+|struct\s+|enum\s+)*\w+[\s*]+(\w+)(?:\[[^\]\n]*\])?(?:\s*:\s*\d+)?;/gm,
  cpp: /^\s+(?!return\b|using\b|typedef\b|friend\b|static\b|goto\b|delete\b|throw\b|case\b)(?:mutable\s+|const\s+|unsigned\s+|struct\s+)*[\w:]+(?:<[^;(){}]{1,60}>)?[\s*&]+(\w+)(?:\[[^\]\n]*\])?(?:\s*=\s*[^;(){}]{1,40}|\{[^;{}]{0,40}\})?;/gm,
  kotlin: /\b(?:val|var)\s+(\w+)\s*[:=]/gm,
  scala: /\b(?:val|var)\s+(\w+)\s*[:=]|^\s{2,}(\w+):\s*[A-Z]/gm,
  swift: /^\s+(?:(?:public|private|internal|fileprivate|weak|static|@\w+)\s+)*(?:let|var)\s+(\w+)\s*[:=]/gm,
  ruby: /^\s+attr_(?:accessor|reader|writer)\s+:(\w+)/gm,
  Perl: /^[ \t]*has[ \t]+['"]?\+?([a-z]\w*)|\$self->\{['"]?([a-z]\w*)['"]?\}/gm,
  Haskell: /[{,][ \t]*([a-z]\w*)[ \t]*::/g,
  Erlang: /^[ \t]+,?[ \t]*([a-z]\w*)[ \t]*(?:=|::|,|$)/gm,
  OCaml: /(?:[{;]|^)[ \t]*(?:mutable[ \t]+)?([a-z]\w*)[ \t]*:[ \t]/gm,
  Pascal:
    /^[ \t]+(?:property[ \t]+)?F?([A-Z]\w{1,60})(?:,[ \t]*\w{1,60}){0,8}[ \t]*:[ \t]*[\w.^]{1,60}[^():\n]{0,120};/gm,
  CoffeeScript: /@([a-z]\w*)[ \t]*=(?![=>])|(?<=[(,][ \t]?)@([a-z]\w*)/g,
  LiveScript: /@([a-z]\w*)[ \t]*=(?![=>])|(?<=[(,][ \t]?)@([a-z]\w*)/g,
  Vala: /^[ \t]+(?:(?:public|private|internal|protected|weak|owned|unowned)[ \t]+){1,4}[\w.<>?[\]]{1,60}[ \t]+(\w+)[ \t]*(?:;|=|\{)/gm,
  D: /^[ \t]+(?:(?:public|private|protected|const|immutable)[ \t]+){0,3}[\w.[\]!()]{1,60}[ \t]+(\w+);/gm,
  Dart: /^[ \t]+(?:final[ \t]+|late[ \t]+)?[\w<>?, ]{1,60}[ \t](\w+);/gm,
  Groovy: /^[ \t]+(?:(?:private|public|protected|final|def)[ \t]+){0,3}[\w<>?.]{1,60}[ \t]+(\w+)[ \t]*$/gm,
  Lua: /\bself\.([a-z]\w*)[ \t]*=(?!=)/g,
  Elixir: /^[ \t]+field[ \t(]+:(\w+)|\bdefstruct\b[^\n]{0,20}?:?(\w+)/gm,
  Lisp: /^[ \t]+\(?\(?([a-z][\w-]*)[ \t\n]+:(?:initarg|accessor|reader|initform|type)/gm
}

const columns: Partial<Record<string, RegExp>> = {
  python:
    /^[ \t]+(\w+)(?::[^=\n]{1,80})?\s*=\s*(?:models\.\w+|(?:db\.|sa\.|so\.|orm\.)?(?:Column|mapped_column|relationship)|(?:fields\.)?[A-Z]\w*Field|fields\.[A-Z]\w*|ForeignKey)\(/gm
}

const namesIn = (text: string, pattern: RegExp | undefined): ReadonlyArray<string> =>
  pattern === undefined
    ? []
    : [...new Set([...text.matchAll(pattern)].map((match) => match.slice(1).find((one) => one !== undefined)!))]

/** Names of what a type holds; columns alone where it has any. */
export const fieldsOf = (language: string, text: string): ReadonlyArray<string> => {
  const stored = namesIn(text, columns[language])
  return (stored.length > 0 ? stored : namesIn(text, fieldPatterns[language])).slice(0, MAX_FIELDS)
}

/** Marks by which a mapper of rows or documents knows a type, whatever its base is called. */
const storedMarks: ReadonlyArray<readonly [language: RegExp, mark: RegExp, as: string]> = [
  [/^python$/, /=\s*models\.(?:\w+Field|ForeignKey)\(/, "Django model"],
  [/^python$/, /__tablename__|=\s*(?:db|sa|so|orm)\.Column\(|=\s*(?:so\.|orm\.)?mapped_column\(/, "SQLAlchemy model"],
  [/^go$/, /`[^`\n]*\b(?:gorm|xorm|bun|db|bson|boil|pg):"/, "Go struct with columns"],
  [/^php$/, /#\[ORM\\|@ORM\\/, "Doctrine entity"],
  [/^typescript$/, /@(?:PrimaryGeneratedColumn|PrimaryColumn|Column|ManyToOne|Prop)\(/, "ORM entity"]
]

const derivedMark = /#\[derive\([^)]*\b(?:Queryable|Insertable|FromRow|DeriveEntityModel)\b/

export const isStoredType = (file: SourceFile, text: string, above: string): string | null => {
  const { language } = file
  if (language === "rust" && derivedMark.test(above)) return "Rust struct with columns"
  if (language === "python" && /=\s*Column\(/.test(text) && /\bsqlalchemy\b/.test(file.text)) return "SQLAlchemy model"
  return storedMarks.find(([languages, mark]) => languages.test(language) && mark.test(text))?.[2] ?? null
}

const words: Partial<Record<string, string>> = {
  go: "struct",
  rust: "struct",
  c: "struct",
  typescript: "type",
  tsx: "type",
  Perl: "package",
  Haskell: "type",
  Erlang: "record",
  OCaml: "type",
  Lua: "type",
  Elixir: "module"
}

interface Held {
  readonly name: string
  readonly line: number
  readonly text: string
}

/** Heads of types in languages whose syntax is not read. */
const heads: Partial<Record<string, RegExp>> = {
  kotlin: /^[ \t]*(?:(?:public|internal|abstract|open|sealed|data)\s+)*class\s+([A-Z]\w+)/gm,
  scala: /^[ \t]*(?:(?:final|sealed|abstract|case)\s+)*class\s+([A-Z]\w+)/gm,
  swift: /^[ \t]*(?:(?:public|final|open|internal)\s+)*(?:class|struct)\s+([A-Z]\w+)/gm
}

const MAX_BODY = 6_000
const MAX_HEAD = 600

/** A type's text goes on to the next of its kind. */
const typesInText = (file: SourceFile): ReadonlyArray<Held> => {
  const found = [...file.text.matchAll(heads[file.language] ?? /^(?!)/g)]
  return found.map(({ index, 0: head, 1: name }, i) => ({
    name: name!,
    line: file.line(index + head.search(/\S/)),
    text: file.text.slice(index, Math.min(found[i + 1]?.index ?? file.text.length, index + MAX_BODY))
  }))
}

/** A structure of C that begins with one of a toolkit is drawn on the screen: `GtkHBox hbox;`. */
const beginsDrawn = /\{\s*(?:\/\*[^*]{0,200}\*\/\s*)?(?:Gtk|Adw|Hdy|Clutter|Xfce)[A-Z]\w{0,40}[ \t]{1,20}\w{1,40};/

/** `typedef struct { … } Name;` */
const typedefs = (file: SourceFile): ReadonlyArray<Held> =>
  !/^(?:c|cpp)$/.test(file.language)
    ? []
    : [
        ...file.text.matchAll(
          /^typedef[ \t]{1,8}struct[ \t]{0,8}\w{0,60}\s{0,8}\{[^\n]{0,200}\n((?:[^}\n][^\n]*\n|\n){1,200})\}[ \t]{0,8}(?:\w{1,40}\([\w() ]{0,40}\)[ \t]{0,8}|\*)?(\w{1,60})[^;\n]{0,60};/gm
        )
      ].map(({ index, 0: text, 2: name }) => ({
        name: name!,
        line: file.line(index + text.lastIndexOf("}")),
        text
      }))

/** Toolkits whose classes are drawn: what derives from one is shown on a screen. */
const isDrawn = /^(?:gtk|adw|hdy|clutter|st|meta|gdk|panel|xfce|wnck|gdl|bin)_?/i

/** Classes of GObject, as headers declare them with their parent; the structure with the fields stands in another file. */
const declaredObjects = (file: SourceFile): ReadonlyArray<Held & { readonly isObject: true }> =>
  file.language !== "c"
    ? []
    : [
        ...file.text.matchAll(
          /^G_DECLARE_(?:FINAL_TYPE|DERIVABLE_TYPE|INTERFACE)[ \t]*\(\s{0,40}(\w{2,60}),\s{0,40}\w{1,60},\s{0,40}\w{1,60},\s{0,40}\w{1,60},\s{0,40}(\w{1,60})\s{0,4}\)/gm
        )
      ].flatMap(({ index, 0: text, 1: name, 2: parent }) =>
        isDrawn.test(parent!) ? [] : [{ name: name!, line: file.line(index), text, isObject: true as const }]
      )

/** `class FOO_API Name {`: a macro between the word and the name hides the class from the parser. */
const exportedByMacro = (file: SourceFile): ReadonlyArray<Held> =>
  file.language !== "cpp"
    ? []
    : [
        ...file.text.matchAll(
          /^[ \t]{0,8}(?:class|struct)[ \t]+\w*(?:API|Api|EXPORT|Export|DLL|Dll|PUBLIC)\w{0,40}[ \t]+([A-Z]\w{2,60})\b[^;\n]{0,200}$/gm
        )
      ].map(({ index, 0: head, 1: name }) => {
        const end = file.text.indexOf("\n};", index)
        const last = end < 0 ? index + head.length : Math.min(end, index + MAX_BODY)
        return { name: name!, line: file.line(index + head.search(/\S/)), text: file.text.slice(index, last) }
      })

/** Functions that are called with `new`: `this.name = …`, or defaults of all fields at once. */
const constructors = (file: SourceFile, definitions: ReadonlyArray<Definition>): ReadonlyArray<Held> =>
  file.language !== "javascript"
    ? []
    : definitions.flatMap(({ name, kind, line, end }) => {
        if (kind !== "function" || !/^[A-Z][a-z]\w+$/.test(name)) return []
        const text = file.text.slice(file.lineStarts[line - 1]!, file.lineStarts[end] ?? file.text.length)
        const defaults =
          /(?:_\.defaults|Object\.assign|_\.extend)\(this,[^{]{0,60}\{([^{}]{1,1500})/.exec(text)?.[1] ?? ""
        const fields = [...defaults.matchAll(/^\s*(\w+)\s*[:,]/gm)].map(([, field]) => `  this.${field} =`)
        return [{ name, line, text: [text, ...fields].join("\n") }]
      })

/** A class of Ruby that is opened to put another into it, and says nothing of itself. */
const isReopened = (file: SourceFile, line: number): boolean =>
  /^[^\n]*\n(?:\s*#[^\n]*\n|\s*\n)*\s*(?:class|module)\s/.test(
    file.text.slice(file.lineStarts[line - 1]!, file.lineStarts[line + 20] ?? file.text.length)
  )

const MAX_ATTRIBUTES = 8

/** What is typed on the command line: `#[derive(Parser)]`, `#[derive(clap::Args)]`. */
const isArguments = (file: SourceFile, line: number): boolean => {
  if (file.language !== "rust") return false
  for (let at = line - 1; at > 0 && at >= line - MAX_ATTRIBUTES; at--) {
    const text = file.lineText(at)
    if (/^\s*(?:\}|$)/.test(text)) return false
    if (/\bderive\([^)]*\b(?:Parser|Args|Subcommand|ValueEnum|StructOpt)\b/.test(text)) return true
  }
  return false
}

/** Types that a language keeps to a module or a package: in a program they are as good as those that it shows. */
const isOfProgram = (file: SourceFile, name: string): boolean => {
  switch (file.language) {
    case "javascript":
    case "go":
    case "rust":
    case "java":
    case "csharp":
      return !name.startsWith("_")
    case "c":
      return true
    default:
      return false
  }
}

const declaredTypes = (file: SourceFile, definitions: ReadonlyArray<Definition>): ReadonlyArray<Held> =>
  definitions.flatMap(({ name, kind, line, end, exported }) => {
    // A module of Ruby and a namespace of C++ hold types, what a type of Rust does stands beside it; they are none.
    const head = file.lineText(line)
    const isModule =
      (file.language === "rust" && /^\s*(?:unsafe\s+)?impl\b/.test(head)) ||
      (file.language === "ruby" && (!/^\s*class\s/.test(head) || isReopened(file, line))) ||
      (file.language === "cpp" && /^\s*(?:inline\s+)?namespace\b/.test(head))
    if (kind !== "type" || !(exported || isOfProgram(file, name)) || isModule || isArguments(file, line)) return []
    return [{ name, line, text: file.text.slice(file.lineStarts[line - 1]!, file.lineStarts[end] ?? file.text.length) }]
  })

/** The engine knows some languages as text only; those have the names that people call them by. */
const writtenIn = (file: SourceFile): string =>
  file.language === "text" ? (languageName(file) ?? "text") : file.language

/** Alternatives of a type: `data Shape = Circle Double | Square Double`. */
const constructorsIn = (text: string): number => [...text.matchAll(/(?:^|[ \t])[=|][ \t\n]*[A-Z]/g)].length

/** A type of OCaml that stands for several others at once, or for many of one: `type entry = key * field list`. */
const isMadeOfOthers = (language: string, text: string): boolean =>
  language === "OCaml" &&
  /^[ \t]*(?:type|and)\b[^=\n|{]{0,80}=\s*(?:[^\n|{*]{1,120}[ \t]\*[ \t]|[\w.() *]{1,80}[ \t](?:list|array)\b)/.test(
    text
  )

/** What a type has besides fields: types of Go without a name of their own, functions put into what JavaScript constructs. */
const partsIn = (file: SourceFile, name: string, text: string): number => {
  switch (file.language) {
    case "go":
      return [...text.matchAll(/^\t\*?(?:\w+\.)?[A-Z]\w*[ \t]*(?:`[^`\n]*`)?[ \t]*$/gm)].length
    case "javascript":
      return file.text.split(`\n${name}.prototype.`).length - 1
    default:
      return 0
  }
}

const MIN_FIELDS = 2
const MIN_METHODS = 4

/** How many functions a type has in it, or in what a file says of it beside its declaration. */
export const methodsIn = (definitions: ReadonlyArray<Definition>, line: number): number => {
  const own = definitions.find((one) => one.kind === "type" && one.line === line)
  if (own === undefined) return 0
  const parts = definitions.filter(({ kind, name }) => kind === "type" && name === own.name)
  return definitions.filter(
    (one) => one.kind === "function" && parts.some((part) => one.line > part.line && one.line <= part.end)
  ).length
}

/** A structure of C of which another file has the fields. */
const hasIncludedFields = (file: SourceFile, text: string): boolean =>
  file.language === "c" && /^[^\n]*\{[ \t]*\n[ \t]*#[ \t]*include\b/.test(text)

/** A class of C++ that derives from a widget of Qt, or from what Qt draws, runs and starts with. */
const derivesFromWidget =
  /^[^\n]*\bclass\b[^\n:{]{1,120}:[ \t]*(?:public|private|protected)?[ \t]*(?:Q(?:Widget|Frame|Dialog|MainWindow|Label|\w{0,20}View|\w{0,20}Button|\w{0,10}Box|TabWidget|\w{2,10}Edit|Splitter|Slider|ProgressBar|Menu|ToolBar|DockWidget|\w{2,10}Delegate|PaintEngine|PaintDevice|Thread|SyntaxHighlighter|UndoCommand|Event|(?:Gui|Core)?Application)|Gtk::\w{2,40}|wx(?:Frame|Panel|Dialog|Window|Control))\b/

const isDrawnOnScreen = (language: string, text: string): boolean =>
  (/^c(?:pp)?$/.test(language) && beginsDrawn.test(text.slice(0, MAX_HEAD))) ||
  (language === "cpp" && derivesFromWidget.test(text.slice(0, MAX_HEAD)))

/** Types that hold something, which no database needs to know. */
export const plainTypes = (file: SourceFile, definitions: ReadonlyArray<Definition>): ReadonlyArray<Entity> => {
  if (file.role !== "source") return []
  const all: ReadonlyArray<Held & { readonly isObject?: true }> = [
    ...declaredObjects(file),
    ...exportedByMacro(file),
    ...declaredTypes(file, definitions),
    ...typesInText(file),
    ...typedefs(file),
    ...constructors(file, definitions)
  ]
  const language = writtenIn(file)
  const isName = /^(?:c|cpp|go|php|Erlang|OCaml|Lua|Lisp)$/.test(language)
    ? /^[A-Za-z_][\w-]{2,60}$/
    : /^[A-Z]\w{2,60}$/
  const found: Array<Entity> = []
  for (const { name, line, text, isObject } of all) {
    if (found.length >= MAX_TYPES || !isName.test(name) || isDrawnOnScreen(language, text)) continue
    const fields = fieldsOf(language, text)
    const isThing =
      fields.length + partsIn(file, name, text) >= MIN_FIELDS ||
      methodsIn(definitions, line) >= MIN_METHODS ||
      isObject === true ||
      hasIncludedFields(file, text) ||
      (/^(?:Haskell|OCaml)$/.test(language) && constructorsIn(text) >= MIN_FIELDS) ||
      isMadeOfOthers(language, text)
    if (isThing)
      found.push(withTypes({ name, as: words[language] ?? "class", line, fields, relations: [] }, language, text))
  }
  return found
}

const withoutComments = (text: string): string =>
  text
    .split("/*")
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf("*/") + 2)))
    .join(" ")

/** How names of types in small letters are written where they are used. */
const usedInText: Readonly<Record<string, RegExp>> = {
  Erlang: /(?<=#)[a-z]\w{1,50}\b/g,
  OCaml: /\b[A-Z]\w{1,50}\b|(?<=(?::|->|\*|\bof)[ \t]{0,2})[a-z]\w{2,50}\b|(?<=[A-Z]\w{0,30}\.)[a-z]\w{2,50}\b/g,
  Lua: /\b[A-Z]+[a-z]\w{1,50}\b|\b[a-z]\w{2,50}(?=[.:])/g,
  Lisp: /(?<=make-)[a-z][\w-]{2,50}|(?<=')[a-z][\w-]{2,50}/g
}

/** Names with a capital that a file uses most: how much of the code speaks of something is counted with them. */
export const namesUsed = (file: SourceFile): string => {
  const counts = new Map<string, number>()
  const code = (/^(?:c|cpp)$/.test(file.language) ? withoutComments(file.text) : file.text).replace(
    /^[ \t]*(?:#|\/\/|\*|\/\*|--).*$/gm,
    ""
  )
  const used = /^(?:c|cpp)$/.test(file.language)
    ? /\b(?:[A-Z]+[a-z]\w{1,50}|(?<=struct )[A-Za-z_]\w{2,50}|[a-z]\w{1,50}_t|[A-Z][A-Z\d_]{2,50}(?= ?\*)|[a-z_]\w{2,50}(?= \*{1,3}[a-z_]))\b/g
    : file.language === "go"
      ? /\b(?:[A-Z]+[a-z]\w{1,50}|(?<=[*\]])[a-z]\w{2,50})\b/g
      : file.language === "php"
        ? /\b(?:[A-Z]+[a-z]\w{1,50}|(?<=(?:new|extends|instanceof)\s)[a-z]\w{2,50}|[a-z]\w{2,50}(?=::))\b/g
        : (usedInText[writtenIn(file)] ?? /\b[A-Z]+[a-z]\w{1,50}\b/g)
  for (const [name] of code.matchAll(used)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(([name]) => name)
    .join(" ")
}
