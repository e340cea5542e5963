import { baseName } from "../../text/paths.ts"
import { isCodePath } from "../libraries.ts"
import { openingComment } from "../openingComment.ts"
import { packageOf } from "../packageOf.ts"
import { headOf, isReleased, manualOf } from "./headOf.ts"
import { creditOf } from "./knownFiles.ts"
import { licenceFamilies } from "./licenceFamilies.ts"
import { isOthers } from "./namedFiles.ts"
import { distinctWords, isOfLanguage, type Named, namedIn } from "./namedIn.ts"
import type { Owner } from "./Owner.ts"

const terms =
  /\b(?:MIT|GPL|LGPL|AGPL|BSD|ISC|MPL|Apache|Artistic|zlib|public domain|unlicen[cs]e)\b|SPDX-License-Identifier|GNU (?:Library |Lesser |Affero )?General Public Licen[cs]e|\blicen[cs]ed? (?:under|:)|permission is hereby granted|redistribution and use in source|conditions of distribution and use|copyright notice in|see (?:the )?(?:accompanying |included )?(?:file )?["'`]?(?:copyright|copying|licen[cs]e)\b/i
/** Whether a comment says on what terms its file is passed on. */
export const statesTerms = (comment: string): boolean => terms.test(comment)

/** Code that was changed to fit: it may be the repository's own by now, wherever it came from. */
const adapted =
  /\b(?:based (?:up)?on|adapa?ted|adaptation of|derived from (?!this software)|inspired by|ported (?:from|to|by)|port of|(?:modified|changed|extended|rewritten) (?:by|from|for|to)|modifications? (?:by|for|copyright)|rewrite of|similar to|fork(?:ed)? (?:of|from)|borrow(?:s|ed) from|taken and|(?:parts?|portions?|pieces|some) (?:of (?:this|the) (?:file|code)|copyright|are|taken|from)|heavily)\b/i
/** `Downloaded from https://…`, `Verbatim copy of …`: said of the file that it opens. */
const takenOver =
  /^[\s/*#;!-]{0,12}(?:this (?:file|script|code|module) (?:is|was|has been) )?(?:a )?(?:downloaded|vendored|(?:verbatim|unmodified|unchanged|exact) copy|(?:copied|taken|imported) (?:verbatim|unmodified|unchanged|as[- ]is))\b[^\n]{0,60}\b(?:from|of)\b/im
/** `/* stb_image - v2.28 - public domain image loader`: how libraries of one file introduce themselves. */
const singleFile = /^[\s/*]{2,12}[\w.]+ - v\d+\.\d+[\w.]* - /
/** Languages whose files are headed with whose they are; headers of settings and recipes of builds say little. */
const otherCode = /\.(?:css|less|scss|p[lm]|sh|lua|sql|x?html?)$/
/** A comment that is kept when scripts are made smaller: what is handed out on its own carries it. */
const kept = /^\s*\/\*!/

/** Said of what was written for the repository. */
const contributed = /\bcontributed (?:by|to)\b/i
/** Two words of one line: one given name is that of many people. */
const SAME_PERSON = 2

/** Whether a line names someone of a long list of people who contributed something. */
const isOfPeople = (line: string, { people }: Owner): boolean => {
  const words = new Set(distinctWords(line))
  return [...words].filter((word) => people.has(word)).length >= Math.min(SAME_PERSON, words.size) && words.size > 0
}

const isOwned = ({ words }: Named, owner: Owner): boolean => [...words].some((word) => owner.words.has(word))
const isOfContributor = ({ holders, authors }: Named, owner: Owner): boolean =>
  [...holders, ...authors].some((line) => isOfPeople(line, owner))

/** `dialler -- a clock that dials`: the first line has the repository's name. */
const isTitledWith = (comment: string, { words }: Owner): boolean => {
  const name = /^[\s/*#!;"'-]*([A-Za-z][\w-]*)[ \t]+(?:--?|:|–|—)[ \t]/.exec(comment)?.[1]
  return name !== undefined && distinctWords(name).some((word) => words.has(word))
}

/** Terms that the repository is not under: what is written for it is given under its own. */
const isUnderOtherTerms = (comment: string, { licences }: Owner): boolean => {
  const named = licenceFamilies(comment)
  return licences.size > 0 && named.length > 0 && !named.some((family) => licences.has(family))
}

/** Its author gave it to everyone, in a repository that does not do so. */
const isGivenAway = (comment: string, { authors }: Named, owner: Owner): boolean =>
  authors.some((who) => distinctWords(who).length > 0) &&
  !contributed.test(comment) &&
  licenceFamilies(comment).join() === "public domain" &&
  isUnderOtherTerms(comment, owner)

/** A line of C that a comment may stand below, about what follows there: it is not about the file. */
const included = /^[ \t]*#[ \t]*include\b/m

/** A file of a well-known name credits whom such files usually do, and the repository is neither theirs nor named for it. */
const isKnownCopy = (path: string, comment: string, owner: Owner): boolean => {
  const credited = creditOf(path, comment.split(included, 1)[0]!)
  return credited !== null && !distinctWords(`${credited} ${baseName(path)}`).some((word) => owner.words.has(word))
}

/** Nothing in such a comment has to do with the repository. */
const isHandedOut = (comment: string, owner: Owner): boolean =>
  kept.test(comment) && !distinctWords(comment).some((word) => owner.words.has(word))

/** Among the classes of one project, a class that lies in the package of another. */
const isOutside = (path: string, { home }: Owner): boolean => {
  const own = packageOf(path)
  return home !== null && own !== null && own !== home
}

/** Another project's name, with its release or its address, whose it is, and on what terms it is passed on. */
const isSigned = (path: string, comment: string, named: Named, owner: Owner): boolean => {
  const isWhose = named.holders.length > 0 && terms.test(comment)
  if (isWhose && isOutside(path, owner)) return true
  const isKnown = owner.isNamed || owner.home !== null
  if (isKnown && named.holders.length > 0 && isUnderOtherTerms(comment, owner)) return true
  if (isKnown && isKnownCopy(path, comment, owner)) return true
  if (!owner.isNamed) return false
  if (named.projects.length > 0 || isOfLanguage(named)) return true
  if (isWhose && (named.addresses.length > 0 || isHandedOut(comment, owner))) return true
  return named.released !== null && isWhose
}

const part = "(?:file|script|code|module|class|implementation|program|header|function|package)"
const made =
  "adapted|adaptation|ported|port|derived|derivative|copied|copy|taken|borrowed|lifted|extracted|translated|backported|fork|forked|based|modified|original(?: (?:code|version|source))?"
/** `Adapted from https://…`, `Modified version of Bells`, `This file is based on Bells`: where the whole file is from. */
const origin = new RegExp(
  `^[\\s/*#;!"'-]{0,12}(?:(?:this|the) ${part} (?:is|was|has been) )?(?:an? )?(?:(?:heavily|slightly|lightly|mostly|largely|originally|loosely) )?(?:${made})(?: and \\w+)?(?: (?:version|copy|form|port))?(?:[ -](?:from|of|on|upon|at|by):?|:)\\s{1,9}([^\\n]{3,120})`,
  "im"
)
/** Where code is kept, or a project or a person by name: of articles and answers a few lines are taken, of own files whatever there is. */
const place =
  /https?:\/\/\S*(?:github|gitlab|sourceforge|bitbucket|code\.google|googlesource|googlecode|savannah|cgit|gitweb|svn|cvs|\.[ch](?:pp)?\b|\.(?:py|pl|pm|js|ts|rb|go|rs|java|php|lua)\b)|\b(?:github|gitlab|bitbucket)\.(?:com|org)\/|^(?:the )?[A-Z][\w+-]+(?: [A-Z][\w.+-]+)?(?:'s)? (?:project|library|framework|by (?:the )?[A-Z])|\bthe [A-Z][\w+-]+ (?:project|library|framework)\b/

const isFromElsewhere = (comment: string, owner: Owner): boolean => {
  const from = origin.exec(comment)?.[1]
  return from !== undefined && place.test(from) && !distinctWords(from).some((word) => owner.words.has(word))
}

/** Whether a comment says that what stands below it was taken from somewhere else. */
export const statesOrigin = (comment: string, owner: Owner): boolean =>
  takenOver.test(comment) || isFromElsewhere(comment, owner)

/** Where most files name the repository's people, one that names others only is from them. */
const isOtherwiseHeaded = (comment: string, { holders }: Named, owner: Owner): boolean =>
  owner.isHeaded && holders.length > 0 && !distinctWords(comment).some((word) => owner.words.has(word))

const isSomeones = (path: string, comment: string, named: Named, owner: Owner): boolean =>
  named.words.size > 0
    ? (owner.isNamed && singleFile.test(comment)) || isSigned(path, comment, named, owner)
    : owner.isNamed && isKnownCopy(path, comment, owner)

const mayBeForeign = (comment: string, named: Named, owner: Owner): boolean =>
  isFromElsewhere(comment, owner) || isGivenAway(comment, named, owner) || isOtherwiseHeaded(comment, named, owner)

/** Whether a comment names the repository or its people as what the file belongs to. */
export const namesOwner = (comment: string, owner: Owner): boolean => isOwned(namedIn(comment), owner)

/** Whose a file is by what it says in its opening comment: "uncertain" where someone else may have written it first. */
export type Authorship = "own" | "uncertain" | "foreign"

const authorshipIn = (path: string, comment: string, owner: Owner): Authorship => {
  const named = namedIn(comment)
  if (isOwned(named, owner) || isTitledWith(comment, owner)) return "own"
  // Among those who are thanked are authors of what was copied: they kept their terms.
  if (isOfContributor(named, owner)) return isUnderOtherTerms(comment, owner) ? "uncertain" : "own"
  if (owner.isNamed && takenOver.test(comment)) return "foreign"
  if (isSomeones(path, comment, named, owner)) return adapted.test(comment) ? "uncertain" : "foreign"
  return owner.isNamed && mayBeForeign(comment, named, owner) ? "uncertain" : "own"
}

/** At the root lies what the repository is about, with few exceptions that are known everywhere. */
const isCopyAtRoot = (path: string, comment: string, owner: Owner): boolean =>
  owner.isNamed && isKnownCopy(path, comment, owner) && !isOwned(namedIn(comment), owner) && !adapted.test(comment)

/** A module with a release and terms of its own by people who sign nothing else of a repository, where others do not sign either. */
const isOwnProject = (path: string, text: string, owner: Owner): boolean => {
  if (!owner.isNamed || owner.isSigned || !isReleased(path, text)) return false
  const comment = manualOf(path, text)
  const named = namedIn(comment)
  if (licenceFamilies(comment).length === 0) return false
  return isOthers({ named }, owner.words) && !isOfContributor(named, owner) && !isTitledWith(comment, owner)
}

const authorshipByHead = (path: string, text: string, owner: Owner): Authorship => {
  const comment = headOf(path, text)
  if (comment.length < 20) return "own"
  const found = authorshipIn(path, comment, owner)
  if (found === "own") return isOwnProject(path, text, owner) ? "uncertain" : "own"
  // Variables are filled in by templates: by themselves they say less than a header does.
  const opening = openingComment(text)
  const isByVariables = found === "foreign" && comment.length > opening.length && namedIn(opening).words.size === 0
  return isByVariables ? "uncertain" : found
}

/** What a list of holders or a folder says is foreign may be the repository's own by the header of a file. */
const listedAs = (path: string, text: string, owner: Owner): Authorship => {
  const comment = headOf(path, text)
  if (isOwned(namedIn(comment), owner)) return "own"
  return authorshipByHead(path, text, owner) === "foreign" ? "foreign" : "uncertain"
}

/**
 * Whether a file says of itself that it is of another project than the repository's own. Nothing is known of a
 * repository whose manifests and headers name no one.
 */
export const authorshipOf = (path: string, text: string, owner: Owner | null, isListed = false): Authorship => {
  if (owner === null || owner.words.size === 0) return "own"
  if (!isCodePath.test(path) && !otherCode.test(path)) return "own"
  if (!path.includes("/")) return isCopyAtRoot(path, openingComment(text), owner) ? "foreign" : "own"
  return isListed ? listedAs(path, text, owner) : authorshipByHead(path, text, owner)
}
