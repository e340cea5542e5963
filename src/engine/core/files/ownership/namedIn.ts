/** Words that stand in the headers of everyone's files. */
const common = new Set(
  [
    "the and for with from all any this that inc ltd llc gmbh corp corporation company copyright rights reserved authors author contributors others software foundation free team project projects developers community open source code library libraries plugin plugins module javascript script file files version release released licensed license licence under terms http https www com org net github gitlab bitbucket google edu mail email gmail university present see also its use used css html php python perl java web api lib src index main core util utils common",
    // What lines about people are introduced with, and what the names of many companies, institutes and mailboxes share.
    "written maintainer maintained contributed contributor package portions based various holder holders info users sourceforge googlemail hotmail yahoo gmx aol noreply systems solutions technologies technology consulting institute research laboratory laboratories department international group",
    "january february april june july september october november december jan feb apr jun jul aug sep sept oct nov dec"
  ]
    .join(" ")
    .split(" ")
)

const DISTINCT = 3

/** The words of a text by which a project or a person differs from others. */
export const distinctWords = (text: string): ReadonlyArray<string> =>
  (text.toLowerCase().match(/[a-z][a-z0-9]+/g) ?? []).filter((word) => word.length >= DISTINCT && !common.has(word))

/** `Copyright (c) 2014 Jane Doe`, `(C) Jane Doe, 2014`, `Copyright Jane Doe`: the words of a licence have no year and no name. */
const dated = /(?:copyright|\(c\)|©)[^\n]{0,60}\d{4}[^\n]{0,120}/gi
const undated = /\bCopyright(?:ed)?:?[ \t]+(?:(?:\([cC]\)|©|by)[ \t]*)?(?:the )?[A-Z][a-z][^\n]{0,100}/g
const author =
  /(?:@(?:author|copyright|package|project)\b|\b(?:authors?|written by|maintainer|contributed by)\b)[: \t]{0,4}([^\n]{0,120})/gi
/** `The author be liable for`, `the author may not be used`: the words of a licence, which are in files of everyone. */
const ofLicence =
  /^(?:\(s\)|['’]s?)?\W{0,4}(?:as is|be|or|and|is|are|was|has|have|makes?|disclaims?|assumes?|nor|may|might|must|of|gives?|grants?|hereby|shall|will|who|do|does|cannot|can|contributors?)\b/i
/** Where a line that names a holder goes on with the terms. */
const restOfTerms =
  /\b(?:all rights reserved|you (?:may|can)|this (?:file|program|software|code|work|is)|see (?:the|file|accompanying|licen[cs]e|copying)|permission|redistribution|(?:distributed|released|licen[cs]ed|provided) under|under the|subject to|use of this|may be|free software|for conditions)\b.*/i
const address = /\b(?:(?:github|gitlab|bitbucket)\.(?:com|org)[/:]|code\.google\.com\/p\/)([\w.-]+)(?:\/([\w.-]+))?/gi
/** `This file is part of Dialler.` */
const partOf = /\b[Tt]his (?:file |program )?is (?:a )?part of (?:the )?([A-Z][\w.+-]*(?: [A-Z][\w.+-]*){0,3})/g
/** `and is part of dialler`: whose it is, where more than that is asked for. */
const belongs = /\bis (?:a )?part of (?:the )?[\w.+-]+(?: [\w.+-]+)?/g
const title = /^[\s/*#!;=-]{0,40}([A-Za-z][\w .-]{0,60}?)[ ,(-]+v?(?:ersion )?\d+\.\d+/

/** Whom and what an opening comment names as what the file belongs to. */
export interface Named {
  readonly holders: ReadonlyArray<string>
  /** Who wrote it, as lines of their own say. */
  readonly authors: ReadonlyArray<string>
  readonly addresses: ReadonlyArray<string>
  readonly projects: ReadonlyArray<string>
  /** The name that a release is given with at the very beginning. */
  readonly released: string | null
  readonly words: ReadonlySet<string>
}

const matchesOf = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([all]) => all)

const holdersIn = (text: string): ReadonlyArray<string> =>
  [dated, undated].flatMap((pattern) => matchesOf(text, pattern)).map((line) => line.replace(restOfTerms, ""))

const authorsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(author)].map(([, who]) => who!.replace(restOfTerms, "")).filter((who) => !ofLicence.test(who))

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
  const holders = holdersIn(comment)
  const authors = authorsIn(comment)
  const addresses = [...comment.matchAll(address)].map(([, owner, name]) => `${owner} ${name ?? ""}`)
  const projects = [...comment.matchAll(partOf)].map(([, name]) => name!)
  const released = title.exec(comment)?.[1] ?? null
  const words = [...holders, ...authors, ...matchesOf(comment, belongs), ...addresses, ...projects, released ?? ""]
  return { holders, authors, addresses, projects, released, words: new Set(words.flatMap(distinctWords)) }
}
