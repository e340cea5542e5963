/** Words that stand in the headers of everyone's files. */
const common = new Set(
  "the and for with from all any this that inc ltd llc gmbh corp corporation company copyright rights reserved authors author contributors others software foundation free team project projects developers community open source code library libraries plugin plugins module javascript script file files version release released licensed license licence under terms http https www com org net github gitlab bitbucket google edu mail email gmail university present see also its use used css html php python perl java web api lib src index main core util utils common".split(
    " "
  )
)

const DISTINCT = 3

/** The words of a text by which a project or a person differs from others. */
export const distinctWords = (text: string): ReadonlyArray<string> =>
  (text.toLowerCase().match(/[a-z][a-z0-9]+/g) ?? []).filter((word) => word.length >= DISTINCT && !common.has(word))

/** `Copyright (c) 2014 Jane Doe`, `(C) Jane Doe, 2014`, `Copyright Jane Doe`: the words of a licence have no year and no name. */
const dated = /(?:copyright|\(c\)|©)[^\n]{0,60}\d{4}[^\n]{0,120}/gi
const undated = /\bCopyright(?:ed)?:?[ \t]+(?:(?:\([cC]\)|©|by)[ \t]*)?(?:the )?[A-Z][a-z][^\n]{0,100}/g
const author =
  /(?:@(?:author|copyright|package|project)\b|\b(?:authors?|written by|maintainer|contributed by)\b)[: \t]{0,4}[^\n]{0,120}/gi
const address = /\b(?:(?:github|gitlab|bitbucket)\.(?:com|org)[/:]|code\.google\.com\/p\/)([\w.-]+)(?:\/([\w.-]+))?/gi
/** `This file is part of Dialler.` */
const partOf = /\b[Tt]his (?:file |program )?is (?:a )?part of (?:the )?([A-Z][\w.+-]*(?: [A-Z][\w.+-]*){0,3})/g
/** `and is part of dialler`: whose it is, where more than that is asked for. */
const belongs = /\bis (?:a )?part of (?:the )?[\w.+-]+(?: [\w.+-]+)?/g
const title = /^[\s/*#!;=-]{0,40}([A-Za-z][\w .-]{0,60}?)[ ,(-]+v?(?:ersion )?\d+\.\d+/

/** Whom and what an opening comment names as what the file belongs to. */
export interface Named {
  readonly holders: ReadonlyArray<string>
  readonly addresses: ReadonlyArray<string>
  readonly projects: ReadonlyArray<string>
  /** The name that a release is given with at the very beginning. */
  readonly released: string | null
  readonly words: ReadonlySet<string>
}

const matchesOf = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([all]) => all)

/** Whose the libraries of languages are, under names all of whose words others have, too, and a word for each. */
const ofLanguages: ReadonlyArray<readonly [holder: RegExp, word: string]> = [
  [/\b(?:The )?Go Authors\b/g, "Golang Authors"],
  [/\bPython Software Foundation\b|\bLicensed to PSF\b/g, "Copyright CPython"],
  [/\b(?:The )?Rust (?:Project )?Developers\b/gi, "Rustlang Developers"]
]
const languageWords = ["golang", "cpython", "rustlang"]

/** Whether it is headed as files of a language's own library are. */
export const isOfLanguage = ({ words }: Named): boolean => languageWords.some((word) => words.has(word))

export const namedIn = (text: string): Named => {
  const comment = ofLanguages.reduce((known, [holder, word]) => known.replace(holder, word), text)
  const holders = [dated, undated].flatMap((pattern) => matchesOf(comment, pattern))
  const addresses = [...comment.matchAll(address)].map(([, owner, name]) => `${owner} ${name ?? ""}`)
  const projects = [...comment.matchAll(partOf)].map(([, name]) => name!)
  const released = title.exec(comment)?.[1] ?? null
  const words = [
    ...holders,
    ...matchesOf(comment, author),
    ...matchesOf(comment, belongs),
    ...addresses,
    ...projects,
    released ?? ""
  ]
  return { holders, addresses, projects, released, words: new Set(words.flatMap(distinctWords)) }
}
