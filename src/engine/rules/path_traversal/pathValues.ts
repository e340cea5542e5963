import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { assignmentsTo, lastAssigned } from "../../languages/code/lastAssigned.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

const MAX_TEXT = 300
const MAX_STEPS = 3
/** A name that is given more values than this is not followed. */
const MAX_GIVEN = 8

/** Calls whose result is a path without `..`, or one that is put together, per language. */
const resolvers: Partial<Record<Language, RegExp>> = {
  python:
    /(?:^|[^\w.])(?:(?:os\.path|osp|path|posixpath|ntpath)\.)?(?:abspath|realpath|normpath)\(|\.resolve\(\)|\.absolute\(\)/,
  java: /\.get(?:Canonical|Absolute)Path\(\)|\.(?:normalize|toAbsolutePath)\(\)\.toString\(\)|toRealPath\([^)]{0,60}\)\.toString\(\)|FilenameUtils\.(?:normalize\w*|concat)\(/,
  csharp: /\bPath\.GetFullPath\(/,
  go: /\b(?:filepath|path)\.(?:Clean|Join|Abs|EvalSymlinks)\(/,
  php: /\brealpath\(|->getRealPath\(/i,
  ruby: /\bFile\.(?:expand_path|realpath|absolute_path)\b|\.(?:cleanpath|realpath|expand_path)\b/
}

/** Calls that put a path together and leave the `..` in it, per language. */
const joiners: Partial<Record<Language, RegExp>> = {
  python: /^(?:(?:os\.path|osp|path)\.)?join\(/,
  java: /^new (?:java\.io\.)?File\([^,()]+,/,
  csharp: /^(?:System\.IO\.)?Path\.Combine\(/,
  ruby: /^File\.join\b/
}

const scriptResolver =
  /(?:^|[^.\w$])[\w$]*[pP]ath(?:\.(?:posix|win32))?\.(?:resolve|normalize|join)\(|(?:^|[^\w$])realpath(?:Sync)?\(|\brealpathSync\(/
/** Functions of a project that are named for what they do. */
const ownResolver = /^(?:await\s+)?[\w$.]*?(?:normali[sz]e|real|canonical|absolute)_?[A-Za-z_]{0,20}path\w{0,20}\(/i
const bareResolver = /^(?:await\s+)?(?:resolve|normalize|join)\(/
const pathModule = /(?:require\(\s*|from\s+)["'](?:node:)?(?:path(?:\/posix|\/win32)?|upath|pathe)["']/

const isResolver = (file: SourceFile, text: string): boolean => {
  if (ownResolver.test(text)) return true
  if (ruleLanguageOf(file.language) !== "javascript") return resolvers[file.language]?.test(text) ?? false
  if (scriptResolver.test(text)) return true
  return bareResolver.test(text) && pathModule.test(file.text)
}

export const textAt = (file: SourceFile, node: number): string =>
  file.tree!.textOf(unwrap(file, node)).slice(0, MAX_TEXT)

const plainName = /^(?:await\s+)?(?:this\.|self\.|@{1,2}|\$)?(?:this->)?[A-Za-z_#][\w$]*$/

/** `str(target)` and `target.toString()` are the path that `target` is. */
const asText = /^(?:str|String|os\.fspath)\(([\w$.@]+)\)$|^([\w$.@]+?)(?:\.(?:toString|as_posix)\(\)|\.to_s)$/

const withoutText = (text: string): string => {
  const match = asText.exec(text)
  return match?.[1] ?? match?.[2] ?? text
}

/** A path without `..` in it, or one that is put together and may have it. */
type PathValue = "resolved" | "joined" | null

/** What a value is, as written or as what its variable was given last. */
export const pathAt = (file: SourceFile, node: number, steps = 0): PathValue => {
  const text = textAt(file, node)
  if (joiners[file.language]?.test(text) === true) return "joined"
  const owner = /^([\w$]+)\.getAbsolutePath\(\)$/.exec(text)?.[1]
  if (owner === undefined && isResolver(file, text)) return "resolved"
  if (steps >= MAX_STEPS) return null
  const name = owner ?? withoutText(text)
  if (!plainName.test(name)) return null
  const given = lastAssigned(file, name, node)
  const value = given === NONE ? null : pathAt(file, given, steps + 1)
  return owner === undefined ? value : (value ?? "resolved")
}

const separators =
  /\bsep\b|separator|trailing|slash|["'`]\/["'`]|\/["'`]|\\\\["'`]|PATH_SEP|\b[rs]tripEnd|,\s*(?:""|'')\s*\)\s*$|\[[^\]]*:[^\]]*\]$/i

/** Whether a prefix may end with a separator: by its text, or by anything that its name is given in the file. */
export const mayEndWithSeparator = (file: SourceFile, node: number, steps = 0): boolean => {
  const text = textAt(file, node)
  if (separators.test(text)) return true
  if (!plainName.test(text) || steps >= MAX_STEPS) return false
  const given = assignmentsTo(file, text)
  if (given.length > MAX_GIVEN) return true
  return given.some(
    ({ value, operator }) => !/^:?=$/.test(operator) || (value !== NONE && mayEndWithSeparator(file, value, steps + 1))
  )
}

const folderWord =
  /(?:root|dir|directory|folder|base|home|workspace|cwd|dest|destination|target|public|static|uploads?|storage|sandbox|assets|jail|repo|mount|parent|location)(?:Path|_path|Dir|_dir|Real|_real|Abs|_abs|Resolved|_resolved|Canonical|Full|Name|Name_)?(?:\(\)|\.getCanonicalPath\(\)|\.getAbsolutePath\(\)|\.FullName)?$/i

const addedSeparator = /\s*\+\s*(?:[\w.]*sep\w*|"\/"|'\/')$/i

export const isFolder = (file: SourceFile, node: number): boolean => {
  if (literalValue(file, node) !== null) return false
  return folderWord.test(withoutText(textAt(file, node).replace(addedSeparator, ""))) || pathAt(file, node) !== null
}
