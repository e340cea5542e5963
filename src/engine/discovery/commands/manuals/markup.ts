const fontChange = /\\f(?:\[\w*\]|\(\w\w|\w)/g

/** What a line of roff's `man` or `mdoc` macros, of Markdown, AsciiDoc or POD shows. */
export const plainLine = (line: string, name: string): string =>
  (line.startsWith(".") ? ofMacro(line, name) : line)
    .replace(fontChange, "")
    .replace(/\\[,/&|^%:]/g, "")
    .replace(/\\\((?:hy|en|em)/g, "-")
    .replace(/\\\((?:ba|or)/g, "|")
    .replace(/\\([-. ])/g, "$1")
    .replace(/[BCFIL]<+\s?([^<>]*?)\s?>+/g, "$1")
    .replace(/(?<![\w*])\*{1,2}([^*\n]{1,80})\*{1,2}(?![\w*])/g, "$1")
    .replace(/(?<![\w_])_{1,2}([^_\n]{1,80})_{1,2}(?![\w_])/g, "$1")
    .replace(/`+/g, "")
    .replace(/^\s*[$%]\s+/, "")
    .trim()

/** Macros that set their words in one font after another, without space between them. */
const alternating = /^\.(?:B[IR]|I[BR]|R[BI])$/

const wordsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)

const ofMacro = (line: string, name: string): string => {
  const [macro = "", ...words] = wordsOf(line)
  if (/^\.\\"|^\.(?:Bk|Ek|Bd|PD|ad|nh|hy|na|ll|in|ti|if|ie|el|de|ds|nr)$/.test(macro)) return ""
  if (alternating.test(macro)) return words.join("")
  if (/^\.(?:B|I|SM|SB)$/.test(macro)) return words.join(" ")
  if (macro === ".SY") return words.join(" ")
  if (macro === ".OP") return `[${words.join(" ")}]`
  return ofMdoc([macro.slice(1), ...words], name)
}

const callable = /^(?:Nm|Fl|Ar|Cm|Pa|Li|Ic|Ns|No|Oc)$/

const isOr = /^(?:\||\\\((?:ba|or))$/

/** `Fl` puts a dash before the words that follow it, up to the next macro. */
const shownWords = (words: ReadonlyArray<string>): string => {
  let isFlag = false
  return words
    .flatMap((word) => {
      if (!callable.test(word)) return [isFlag && !isOr.test(word) ? `-${word}` : word]
      isFlag = word === "Fl"
      return []
    })
    .join(" ")
}

/** `.Op Fl o Ar file` is `[-o file]`. */
const ofMdoc = ([macro = "", ...words]: ReadonlyArray<string>, name: string): string => {
  if (macro === "Op" || macro === "Oo") return `[${ofMdoc(words, name)}]`
  const isOwnName = macro === "Nm" && (words.length === 0 || /^[A-Z][a-z]$/.test(words[0]!))
  return isOwnName ? `${name} ${shownWords(words)}` : shownWords([macro, ...words])
}
