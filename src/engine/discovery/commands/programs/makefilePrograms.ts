import type { Survey } from "../../Survey.ts"

interface MadeProgram {
  readonly name: string
  readonly path: string
  readonly line: number
}

/** Variables that hold the name of what is made. */
const namesProgram =
  /^(?:s?bin_)?(?:PROGS?|PROGRAMS?|PROG_?NAME|BINS?|BINARY|BINARIES|TARGETS?|EXES?|EXECUTABLES?|APP|APPNAME|OUT|OUTPUT)[ \t]*[:?]?=[ \t]*([^#\n]{1,200})/gm

/** Needs of the first rule, as in `all: kettle kettle.1`. */
const firstRule = /^(?:all|default|build|world)[ \t]*:(?![:=])[ \t]*([^#;\n=]{1,200})/m

/** What a line links or copies to: `$(CC) -o kettle`, `install -m 755 kettle $(BINDIR)`. */
const linked =
  /^\t[@+-]?[ \t]*(?:\w+=\S+[ \t]+)*(?:\$[({]\w+[)}]|go|cargo|nim|zig|[\w+-]*(?:cc|g\+\+|c\+\+|clang|ld|ghc|mcs|csc|fpc|gnatmake|ocaml\w*|rustc|valac|dmd|ldc2|gdc|mlton|gsc|bigloo))(?![\w.])[^\n]{0,200}?[ \t]-o[ \t]+([\w-]+)(?=\s|$)/gm
const installed =
  /^\t[@-]?[ \t]*(?:\$[({]\w{0,20}INSTALL\w{0,20}[)}]|install|cp)[ \t](?:-\S+[ \t]+|\d{3,4}[ \t]+|root[ \t]+)*([\w-]+)[ \t]+\S{0,80}\/s?bin\b/gim

/** The name that the result gets in its place: `cp kettle.out $(BINDIR)/kettle`. */
const installedAs =
  /^\t[@-]?[ \t]*(?:\$[({]\w{0,20}INSTALL\w{0,20}[)}]|install|cp)[ \t][^\n]{1,160}[ \t](?:\$[({]DESTDIR[)}])?\$[({]\w{0,20}bin(?:dir)?[)}]\/([\w-]+)[ \t]*$/gim

const isOther =
  /^(?:all|build|default|install|clean|check|tests?|docs?|man|lib\w*|subdirs|src|depend\w*|dep|deps|config\w*|main|prog|bin|help|lint|release|debug|static|shared|binary|binaries|programs?|executables?|po|data|a|out|g?make|cc|gcc|clang|ld|ar|sh|bash|perl|python\d?|ruby|java|javac|go|cargo|cp|mv|rm|ln|sed|true|echo|test|cd|if|for|do|done|fi|then|else)$|[-_]tests?$|^tests?[-_]/i

const wordsIn = (text: string): ReadonlyArray<string> =>
  text
    .replace(/\$[({][^)}]*[)}]|\\$/g, " ")
    .split(/\s+/)
    .map((word) => word.replace(/^(?:\.\/)?(?:bin|build|src)\//, "").replace(/\.exe$/, ""))
    .filter((word) => /^[A-Za-z][\w+-]{0,39}$/.test(word) && !isOther.test(word))

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length

/** No more of a file is of use: what it makes is named by few lines. */
const MAX_MATCHES = 20
const MAX_USES = 50

/** Targets that make no file of their name. */
const phonyIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^\.PHONY[ \t]*:([^\n]{0,2000})/gm)].flatMap(([, names]) => names!.trim().split(/\s+/)))

/** Of `PROG = otp` no program is made where every use adds to it: `install $(PROG).bash`, `pass-$(PROG).1`. */
const standsAlone = (text: string, assigned: string): boolean => {
  const name = /^\w+/.exec(assigned)![0]
  const uses = [...text.matchAll(new RegExp(String.raw`^(.*)\$[({]${name}[)}](.?)`, "gm"))]
    .slice(0, MAX_USES)
    .filter(([, before]) => !/\becho\b|\bprintf\b/.test(before!))
  return uses.length === 0 || uses.some(([, before, after]) => !/[\w-]$/.test(before!) && !/[.\w-]/.test(after!))
}

const programsIn = (path: string, text: string): ReadonlyArray<MadeProgram> => {
  const named = firstRule.exec(text)
  const phony = phonyIn(text)
  const first = named !== null && wordsIn(named[1]!).every((name) => phony.has(name)) ? null : named
  const matches = [
    ...[...text.matchAll(namesProgram)].slice(0, MAX_MATCHES).filter(([assigned]) => standsAlone(text, assigned)),
    ...[linked, installed, installedAs].flatMap((pattern) => [...text.matchAll(pattern)].slice(0, MAX_MATCHES))
  ]
  return (first === null ? matches : [first, ...matches]).flatMap((match) =>
    wordsIn(match[1]!).map((name) => ({ name, path, line: lineAt(text, match.index) }))
  )
}

/** Programs that a Makefile names where it says what it makes, links or puts in its place. */
export const makefilePrograms = (survey: Survey): ReadonlyArray<MadeProgram> => {
  const found = new Map<string, MadeProgram>()
  const all = survey
    .texts(/^(?:src\/|source\/)?(?:GNUm|[Mm])akefile(?:\.in)?$/)
    .flatMap(({ path, text }) => (isGenerated(text) ? [] : programsIn(path, text)))
  // A name that is that of a folder asks for what lies there.
  for (const program of all)
    if (!found.has(program.name) && !survey.hasFolder(program.name)) found.set(program.name, program)
  return [...found.values()]
}

/** Written by Automake, `configure` or CMake for one machine, and packed by mistake. */
export const isGenerated = (text: string): boolean =>
  /\bgenerated (?:automatically )?(?:by|from)\b.{0,80}\b(?:automake|configure|config\.status|makefile\.in|makefile\.am|makemaker)\b|\bCMAKE generated file\b|\bThis Makefile is for the \S+ extension to perl\b/i.test(
    text.slice(0, 600)
  )
