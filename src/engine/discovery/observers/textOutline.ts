import type { SourceFile } from "../../core/files/SourceFile.ts"
import { baseName } from "../../core/text/paths.ts"
import type { Definition } from "../Observed.ts"
import { languageName } from "./languageName.ts"
import { commentAbove, firstSentence } from "./outline.ts"

const MAX_OUTLINED = 300
const MAX_BODY_LINES = 300
/** A table with fewer functions is any table. */
const MIN_METHODS = 2

/** What declares a type and a function, each with the name in the first group that matched; line by line. */
interface Heads {
  readonly type: RegExp
  readonly function: RegExp
}

const curlyTypes =
  /^[ \t]{0,8}(?:(?:public|private|internal|protected|abstract|sealed|final|static|partial)[ \t]+){0,4}(?:class|struct|interface)[ \t]+([\w.]{2,80})/
const curlyFunctions =
  /^[ \t]{0,8}(?:(?:public|private|internal|protected|override|virtual|static|async|abstract)[ \t]+){0,4}[\w.<>?[\]]{1,60}[ \t]+(\w{2,60})[ \t]?\([^;]{0,200}$/

/** Languages in which a function is an arrow that a name is given to. */
const arrows: Heads = {
  type: /^[ \t]{0,8}(?:(?:module\.)?exports(?:\.\w{1,60})?[ \t]*=[ \t]*)?class[ \t]+(?:@|\w{1,60}\.)?([A-Z]\w{1,60})/,
  function:
    /^[ \t]{0,8}(?:function[ \t]+([a-z]\w{1,60})|@?([a-z]\w{1,60})[ \t]*[:=][ \t]*(?:\([^()\n]{0,200}\))?[ \t]*!?[-~=]>)/
}

/** Languages whose syntax is not read, by the names that `programLanguage` gives them. */
const headsOf: Readonly<Record<string, Heads>> = {
  Perl: { type: /^\s{0,4}package[ \t]+([\w:]{2,80})/, function: /^[ \t]{0,8}sub[ \t]+(\w{2,60})/ },
  Haskell: {
    type: /^(?:data|newtype)[ \t]+(?:[^=\n]{0,80}=>[ \t]*)?([A-Z]\w{1,60})/,
    function: /^([a-z]\w{1,60})[ \t]*::/
  },
  Erlang: { type: /^-record\([ \t]*'?([a-z]\w{1,60})/, function: /^([a-z]\w{1,60})\(/ },
  OCaml: {
    type: /^[ \t]{0,4}(?:type|and|class)[ \t]+(?:(?:'\w+|\([^)\n]{1,60}\)|nonrec|virtual|private)[ \t]+){0,2}([a-z]\w{0,60})[ \t]*(?:=|$)/,
    function: /^[ \t]{0,4}(?:let|and)[ \t]+(?:rec[ \t]+)?([a-z]\w{1,60})[ \t]+[^=:\n]/
  },
  Vala: { type: curlyTypes, function: curlyFunctions },
  D: { type: curlyTypes, function: curlyFunctions },
  Dart: { type: curlyTypes, function: curlyFunctions },
  Groovy: { type: curlyTypes, function: curlyFunctions },
  Lua: {
    type: /^(?:local[ \t]+)?([A-Za-z]\w{1,60})[ \t]*=[ \t]*(?:\{|setmetatable\(|class\()/,
    function: /^[ \t]{0,4}(?:local[ \t]+)?function[ \t]+(?:\w{1,60}[.:])?(\w{2,60})[ \t]*\(/
  },
  Pascal: {
    type: /^[ \t]{0,8}(\w{2,60})[ \t]*=[ \t]*(?:packed[ \t]+)?(?:record|object|class)\b(?![ \t]*(?:;|of\b))(?![ \t]*\([ \t]*(?:T?Exception|E[A-Z]|T\w{0,40}(?:Form|Frame|DataModule|Application|Control|Button|Panel|Edit|Dialog|Grid|Thread|Memo|Menu|Label|Box|View|Image)\b))/i,
    function: /^[ \t]{0,8}(?:class[ \t]+)?(?:procedure|function|constructor|destructor)[ \t]+(?:\w{1,60}\.)?(\w{2,60})/i
  },
  CoffeeScript: arrows,
  LiveScript: arrows,
  Shell: { type: /^(?!)/, function: /^(?:function[ \t]+)?([a-z]\w{2,60})[ \t]*\([ \t]*\)/i },
  Tcl: {
    type: /^[ \t]{0,8}(?:::)?(?:oo::class[ \t]+create|itcl::class|snit::type)[ \t]+([\w:]{2,60})/,
    function: /^[ \t]{0,8}(?:proc|method)[ \t]+([\w:]{2,60})[ \t]/
  },
  Elixir: { type: /^[ \t]{0,4}defmodule[ \t]+([\w.]{2,80})/, function: /^[ \t]{0,8}defp?[ \t]+(\w{2,60})/ },
  Lisp: {
    type: /^\((?:defclass|defstruct|define-condition)[ \t]+\(?([\w-]{2,60})/i,
    function: /^\((?:defun|defmethod|defgeneric|defmacro)[ \t]+([\w-]{2,60})/i
  }
}

/** A package of Perl that makes no objects holds functions; it is no type. */
const makesObjects =
  /\bbless\b|^[ \t]*sub[ \t]+new\b|^[ \t]*(?:extends|has|with)[ \t(]+['"\w]|^[ \t]*use[ \t]+(?:Mo\w{1,4}|Class::\w+|Object::\w+)\b/m

/** The last part of a name with a path: `Net::Twitter::Search` is spoken of as a search. */
const lastPart = (name: string): string => name.split(/::|\./).at(-1)!

/** A table of Lua is a type where functions are declared in it; `connection_methods` and `connection_mt` hold those of one. */
const withMethods = (file: SourceFile, found: ReadonlyArray<Definition>): ReadonlyArray<Definition> => {
  const methods = new Map<string, number>()
  for (const [, table] of file.text.matchAll(/\bfunction[ \t]{1,8}(\w{1,60})(?:\.__index)?:/g))
    methods.set(table!, (methods.get(table!) ?? 0) + 1)
  const seen = new Set<string>()
  return found.flatMap((one) => {
    if (one.kind === "function") return [one]
    const plain = one.name.replace(/_(?:mt|methods|metatable|index)$/, "")
    const name = /^_?M$|^(?:methods|mt|meta|metatable|class)$/i.test(plain) ? stem(file) : plain
    if ((methods.get(one.name) ?? 0) < MIN_METHODS || seen.has(name)) return []
    seen.add(name)
    return [{ ...one, name }]
  })
}

const stem = ({ path }: SourceFile): string => baseName(path).replace(/\..*$/, "")

const capitalisedStem = (file: SourceFile): string => stem(file).replace(/^[a-z]/, (first) => first.toUpperCase())

/** The title of a page of POD says what its package is: `Net::Server - Extensible Perl server`. */
const titleOfPod = (file: SourceFile, name: string): string | null => {
  const title = /^=head1[ \t]+NAME\s{1,8}([\w:]{2,80})[ \t]+-{1,2}[ \t]+(\S[^\n]{3,200})/m.exec(file.text)
  return title !== null && title[1] === name ? title[2]!.trim() : null
}

/** What ends a declaration in languages where functions do not lie in the type that they are of. */
const ends: Readonly<Record<string, RegExp>> = {
  Haskell: /^\s*$|^\S/,
  OCaml: /^\s*$/,
  Erlang: /\}\)\./,
  Pascal: /^\s*end\s*;/i
}

const endBefore = (file: SourceFile, first: number, last: number, end: RegExp | undefined): number => {
  const bound = Math.min(last, first + MAX_BODY_LINES)
  if (end === undefined) return bound
  for (let line = first; line <= bound; line++)
    if (end.test(file.lineText(line)) && (line > first || end.source.includes("}"))) return line
  return bound
}

/** A type's text goes on to the next one; functions of these languages are known by their first line. */
const ended = (file: SourceFile, language: string, found: ReadonlyArray<Definition>): ReadonlyArray<Definition> => {
  let next = file.lineCount + 1
  return found
    .toReversed()
    .map((one) => {
      if (one.kind === "function") return one
      const end = endBefore(file, one.line, next - 1, ends[language])
      next = one.line
      return { ...one, end }
    })
    .toReversed()
}

const docOf = (file: SourceFile, language: string, name: string, line: number): string | null =>
  (language === "Perl" ? titleOfPod(file, name) : null) ?? firstSentence(commentAbove(file, line))

/** Whether types of the language of a file are read from its text. */
export const hasTypesInText = (file: SourceFile): boolean => {
  const language = languageName(file)
  return language !== null && language !== "Shell" && Object.hasOwn(headsOf, language)
}

interface Head {
  readonly written: string
  readonly kind: Definition["kind"]
}

const headIn = ({ type, function: called }: Heads, text: string): Head | null => {
  const asType = type.exec(text)?.[1]
  if (asType !== undefined) return { written: asType, kind: "type" }
  const asFunction = called
    .exec(text)
    ?.slice(1)
    .find((name) => name !== undefined)
  return asFunction === undefined ? null : { written: asFunction, kind: "function" }
}

const startOfGroup = /^[ \t]{0,12}(type|class|let)\b/

/** `and` goes on with what was begun last: with types, or with values of a function (`let a = … and b = …`). */
const withoutValues = (file: SourceFile, found: ReadonlyArray<Head & { readonly line: number }>): typeof found => {
  let begun = "type"
  let read = 0
  return found.filter(({ kind, line }) => {
    for (; read < line; read++) begun = startOfGroup.exec(file.lineText(read + 1))?.[1] ?? begun
    return kind === "function" || begun !== "let"
  })
}

const endOfPerl = /^__(?:END|DATA)__/

/** Each name once: languages that match patterns write the head of a function several times. */
const headsIn = (file: SourceFile, language: string): ReadonlyArray<Head & { readonly line: number }> => {
  const found = new Map<string, Head & { readonly line: number }>()
  for (let line = 1; line <= file.lineCount && found.size < MAX_OUTLINED; line++) {
    const text = file.lineText(line)
    if (language === "Perl" && endOfPerl.test(text)) break
    const head = headIn(headsOf[language]!, text)
    const key = head === null ? "" : `${head.kind} ${head.written}`
    if (head !== null && !found.has(key)) found.set(key, { ...head, line })
  }
  return [...found.values()]
}

/** Types and functions of programs in languages whose syntax is not read, by the first lines of their declarations. */
export const textOutline = (file: SourceFile): ReadonlyArray<Definition> => {
  const language = file.role === "source" ? languageName(file) : null
  if (language === null || !Object.hasOwn(headsOf, language)) return []
  const all = headsIn(file, language)
  const heads = language === "OCaml" ? withoutValues(file, all) : all
  const found = heads.map(({ written, kind, line }): Definition => {
    // The main type of a module of OCaml is `t`.
    const name = written === "t" ? capitalisedStem(file) : lastPart(written)
    const doc = kind === "type" ? docOf(file, language, written, line) : null
    return { name, kind, line, end: line, exported: true, bases: [], doc }
  })
  if (language === "Perl" && !makesObjects.test(file.text)) return found.filter(({ kind }) => kind === "function")
  return ended(file, language, language === "Lua" ? withMethods(file, found) : found)
}
