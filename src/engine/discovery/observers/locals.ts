import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FieldsOfLocal } from "../Observed.ts"
import { languageName } from "./languageName.ts"

const MAX_LOCALS = 40
const MAX_FIELDS = 24
const MIN_FIELDS = 2
/** Locals of one or two letters say nothing of what they hold. */
const MIN_LETTERS = 3

/** How a language reads a field of a local, and what stands for a local that is given several fields at once. */
interface Access {
  /** The local in the first group; the field in whichever other group matched. */
  readonly field: RegExp
  /** The local in the first group, its fields in the second. */
  readonly literal: RegExp
  readonly key: RegExp
}

const dotted: Access = {
  field:
    /(?<![\w$/@-])([a-z]\w{2,30})(?=(?:\[\w{1,20}\])?\??\.([a-z_]\w{1,30})(?![\w(]|[ \t]?\(|\.(?:js|html?|com|org)\b))/g,
  literal:
    /\b([a-z]\w{2,30})(?:[ \t]*=[ \t]*|\.(?:push|unshift|insert\w{0,6}|save|create)\([ \t]*)\{([^{}();]{1,800})\}/g,
  key: /(?:^|[,{\n])[ \t]*["']?([a-z_]\w{1,30})["']?[ \t]*(?=[:,\n}]|$)/g
}

const accesses: Readonly<Record<string, Access>> = {
  javascript: dotted,
  vue: dotted,
  python: {
    field:
      /(?<![\w./@-])([a-z]\w{2,30})(?=\.([a-z_]\w{1,30})(?![\w(]|[ \t]?\()|\[["']([a-z]\w{1,30})["']\]|\.get\(["']([a-z]\w{1,30})["'])/g,
    literal: /\b([a-z]\w{2,30})(?:[ \t]*=[ \t]*|\.append\([ \t]*)\{([^{}]{1,800})\}/g,
    key: /["']([a-z_]\w{1,30})["'][ \t]*:/g
  },
  PHP: {
    field: /\$([a-z]\w{2,30})(?=\[["']([a-z]\w{1,30})["']\]|->([a-z]\w{1,30})(?![\w(]|[ \t]?\())/g,
    literal: /\$([a-z]\w{2,30})[ \t]*=[ \t]*(?:\[|array[ \t]*\()([^[\](){};]{1,800})[\])]/g,
    key: /["']([a-z_]\w{1,30})["'][ \t]*=>/g
  },
  Lua: {
    field:
      /(?<![\w.:])([a-z]\w{2,30})(?=(?:\[\w{1,20}\])?\.([a-z_]\w{1,30})(?![\w(]|[ \t]?[({"'])|\["([a-z]\w{1,30})"\])/g,
    literal: /\b([a-z]\w{2,30})[ \t]*=[ \t]*\{([^{}();]{1,800})\}/g,
    key: /(?:^|[,{\n])[ \t]*([a-z_]\w{1,30})[ \t]*=(?!=)/g
  },
  Perl: {
    field: /\$\$?([a-z]\w{2,30})(?=(?:->)?\{["']?([a-z]\w{1,30})["']?\})/g,
    literal: /[%$]([a-z]\w{2,30})[ \t]*=[ \t]*[({]([^{}();]{1,800})[)}]/g,
    key: /["']?\b([a-z_]\w{1,30})["']?[ \t]*=>/g
  }
}

/** Fields that everything has, and endings of names of files. */
const isOfAll =
  /^(?:length|prototype|constructor|default|then|catch|size|keys|values|items|exports|__\w+|name__|js|json|html?|css|md|txt|py|pl|com|org|net|io|png|svg|xml|ya?ml|conf|cfg|log|sh)$/

/** What the browser or the language constructs, of which everything has the fields: `const image = new Image()`. */
const constructed =
  /(?<![\w$.])([a-z]\w{2,30})(?:[ \t]*:[ \t]*\w{1,40})?[ \t]*=[ \t]*(?:[\w$.]{1,60}[ \t]*=[ \t]*)?new[ \t]+(?:window\.)?(?:Image|Audio|AudioContext|Option|XMLHttpRequest|FileReader|FormData|Headers|Request|Response|WebSocket|EventSource|(?:Shared)?Worker|MessageChannel|BroadcastChannel|(?:Mutation|Resize|Intersection|Performance)Observer|AbortController|Map|Set|WeakMap|WeakSet|Promise|Proxy|Date|Array|RegExp|Error|URL|URLSearchParams|Blob|File|Event|CustomEvent|DataView|ArrayBuffer|(?:(?:Ui|I)nt(?:8|16|32)|Uint8Clamped|Float(?:32|64))Array|TextDecoder|TextEncoder|DOMParser|SpeechSynthesisUtterance|Notification|Path2D|Buffer)\b/g

/** Locals that are called as the type of the browser that they are of. */
const isOfBrowser = /^(?:image|form|clipboard)Data$/i

const constructedIn = (file: SourceFile): ReadonlySet<string> =>
  /^(?:javascript|vue)$/.test(file.language)
    ? new Set([...file.text.matchAll(constructed)].map(([, name]) => name!))
    : new Set()

const isComment = /^\s*(?:\/\/|#|\*)/

interface Local {
  readonly line: number
  readonly fields: Set<string>
}

/** Locals whose fields a program without types reads and writes: what `task.title` and `{ title, done }` show. */
export const localsWithFields = (file: SourceFile): ReadonlyArray<FieldsOfLocal> => {
  const access = accesses[file.language] ?? accesses[languageName(file) ?? ""]
  if (file.role !== "source" || access === undefined) return []
  const found = new Map<string, Local>()
  const ofLanguage = constructedIn(file)
  const add = (name: string, field: string | undefined, at: number): void => {
    if (
      name.length < MIN_LETTERS ||
      field === undefined ||
      isOfAll.test(field) ||
      ofLanguage.has(name) ||
      isOfBrowser.test(name)
    )
      return
    const known = found.get(name)
    if (known === undefined) {
      const line = file.line(at)
      if (!isComment.test(file.lineText(line))) found.set(name, { line, fields: new Set([field]) })
    } else if (known.fields.size < MAX_FIELDS) known.fields.add(field)
  }
  for (const { index, 1: name, 2: first, 3: second, 4: third } of file.text.matchAll(access.field))
    add(name!, first ?? second ?? third, index)
  for (const { index, 1: name, 2: body } of file.text.matchAll(access.literal))
    for (const [, key] of body!.matchAll(access.key)) add(name!, key, index)
  return [...found]
    .filter(([, { fields }]) => fields.size >= MIN_FIELDS)
    .sort((a, b) => b[1].fields.size - a[1].fields.size || a[1].line - b[1].line)
    .slice(0, MAX_LOCALS)
    .map(([name, { line, fields }]) => ({ name, line, fields: [...fields] }))
}
