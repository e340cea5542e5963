import { escape as escapeRegExp } from "effect/RegExp"
import type { Survey } from "../../Survey.ts"

/** How a program is asked for what a file of the repository names: a recipe, a task, an environment, a script. */
interface Asked {
  readonly asked: RegExp
  /** Files that name what it can be asked for. */
  readonly files: RegExp
  /** Known to the program itself, or to a library that the files load. */
  readonly isKnown?: RegExp
  /** What a file may hold that adds names which are not written out. */
  readonly adds?: RegExp
  /** Files of other tools that write such a file. */
  readonly isWritten?: RegExp
  /** A name is made of parts that are stated apart: `py311-django`. */
  readonly isOfParts?: boolean
}

const ofComposer =
  /^(?:about|archive|audit|browse|bump|check-platform-reqs|clear-?cache|config|create-project|depends|diagnose|dump-?autoload|exec|fund|global|help|home|init|install|licenses|list|outdated|prohibits|reinstall|remove|require|run|run-script|search|self-?update|show|status|suggests|update|upgrade|validate|why|why-not)$/

const asking: ReadonlyArray<Asked> = [
  {
    asked: /^make ([a-z][\w-]*)$/,
    files: /(?:^|\/)(?:(?:GNUm|[Mm])akefile(?:\.\w+)?|[\w.-]+\.(?:mk|mak|make|am))$/,
    adds: /^[ \t]*[.-]?s?include\b|\$\(eval\b|^[^\t#\n]{0,200}(?:%|\$[({])[^:\n]{0,200}:/m,
    isWritten: /(?:^|\/)(?:configure(?:\.(?:ac|in))?|CMakeLists\.txt|Makefile\.(?:PL|in|am)|meson\.build|[\w.-]+\.pro)$/
  },
  { asked: /^just ([a-z][\w-]*)(?=\s|$)/, files: /(?:^|\/)\.?[Jj]ustfile$|\.just$/, adds: /^(?:import|mod)\b/m },
  {
    asked: /^task ([a-z][\w:.-]*)(?=\s|$)/,
    files: /(?:^|\/)(?:[Tt]askfile(?:\.dist)?\.ya?ml|pyproject\.toml)$/,
    adds: /^includes:/m
  },
  { asked: /^(?:npm|pnpm|yarn|bun) run(?:-script)? ([\w:.-]+)(?=\s|$)/, files: /(?:^|\/)package\.json$/ },
  {
    asked: /^composer (?:run(?:-script)? )?([a-z][\w:-]*)(?=\s|$)/,
    files: /(?:^|\/)composer\.json$/,
    isKnown: ofComposer
  },
  { asked: /^deno task ([\w:-]+)(?=\s|$)/, files: /(?:^|\/)(?:deno\.jsonc?|package\.json)$/ },
  {
    asked: /^tox (?:-\S+ )*?-e ?([\w.-]+)(?=\s|$)/,
    files: /(?:^|\/)(?:tox\.(?:ini|toml)|setup\.cfg|pyproject\.toml)$/,
    isKnown: /^(?:py|jython|ALL$|\.pkg)|^\d/,
    isOfParts: true
  },
  { asked: /^nox (?:-\S+ )*?(?:-s|--session)[ =]([\w.-]+?)(?:-\d[\d.]*)?(?=\s|$)/, files: /(?:^|\/)noxfile\.py$/ },
  { asked: /^poe ([\w:-]+)(?=\s|$)/, files: /(?:^|\/)(?:pyproject|poe_tasks)\.toml$/, adds: /^include\b/m },
  {
    asked: /^hatch run (?:\+\S+ )*([\w-]+):/,
    files: /(?:^|\/)(?:pyproject|hatch)\.toml$/,
    isKnown: /^(?:default|hatch-|all$)/
  },
  {
    asked: /^rake ([a-z][\w:]*)(?=[\s[]|$)/,
    files: /(?:^|\/)(?:[Rr]akefile(?:\.rb)?|[\w-]+\.rake)$/,
    isKnown: /^(?:spec|test|rubocop|yard|build|install|release|clean|clobber|default)(?::|$)/,
    adds: /\b(?:require(?:_relative)?\b(?![^\n]{0,80}\b(?:rake|bundler|rspec|rubocop|yard|fileutils|minitest)\b)|load\b|import\b|Rails\.|Hoe\b|Jeweler\b|\.each\b)/
  },
  { asked: /^ant ([a-z][\w.-]*)$/, files: /(?:^|\/)build\.xml$/, adds: /<import\b/ }
]

const isStated = (texts: ReadonlyArray<{ readonly text: string }>, name: string): boolean => {
  const word = new RegExp(`(?<![\\w-])${escapeRegExp(name)}(?![\\w-])`)
  return texts.some(({ text }) => word.test(text))
}

/** Each name is looked for in all files that may state it. */
const MAX_NAMES = 60

/** Finds out whether a line asks a program for something that no file of the tree names. */
export const lacksNamedIn = (survey: Survey): ((line: string) => boolean) => {
  const known = new Map<string, boolean>()
  const lacks = ({ files, adds, isWritten, isOfParts }: Asked, name: string): boolean => {
    const texts = survey.texts(files)
    if (texts.length === 0 || (isWritten !== undefined && survey.hasLike(isWritten))) return false
    if (adds !== undefined && texts.some(({ text }) => adds.test(text))) return false
    const parts = isOfParts === true ? name.split("-") : [name]
    return !isStated(texts, name) && !parts.every((part) => isStated(texts, part))
  }
  return (line) => {
    const rule = asking.find(({ asked }) => asked.test(line))
    const name = rule?.asked.exec(line)?.[1]
    if (rule === undefined || name === undefined || rule.isKnown?.test(name) === true) return false
    const key = `${rule.files.source}\n${name}`
    const found = known.get(key) ?? (known.size < MAX_NAMES && lacks(rule, name))
    known.set(key, found)
    return found
  }
}
