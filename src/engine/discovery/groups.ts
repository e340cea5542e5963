import type { Language } from "../core/files/Language.ts"
import { baseName } from "../core/text/paths.ts"
import { at, code, percent, plural, type Rule, type Scope } from "./Draft.ts"
import type { ObservedFile } from "./Observed.ts"
import { folderOf, languageTitles, type Survey } from "./Survey.ts"

const MIN_FILES = 5
const MIN_SHARE = 0.8
/** How much more common something must be inside than outside of a group to be reported for the group. */
const MIN_LIFT = 2.5
const MAX_PER_GROUP = 3
/** A suffix that few files of one folder have in common is chance. */
const MIN_FOLDER_SHARE = 0.2
const MAX_RULES = 40

export interface Group {
  readonly scope: Scope
  readonly files: ReadonlyArray<ObservedFile>
  /** "files in `src/tools`", "`*Repo.ts` files". */
  readonly title: string
  readonly noun: string
}

const family = (language: Language): string => languageTitles[language] ?? language

/** What names of one kind end with: `Repo.ts` of `JobsRepo.ts`, `_controller.rb`, `.service.ts`. */
export const suffixOf = (path: string): string | null => {
  const name = baseName(path)
  const match =
    /^[\w-]+(\.[a-z]{3,20}\.\w{1,4})$/.exec(name) ??
    /^\w*[a-z\d]([A-Z][a-z]{2,20}\.\w{1,4})$/.exec(name) ??
    /^\w+(_[a-z]{3,20}\.\w{1,4})$/.exec(name)
  return match?.[1] ?? null
}

const commonFolder = (files: ReadonlyArray<ObservedFile>): string => {
  let parts = folderOf(files[0]!.path).split("/")
  for (const { path } of files) {
    const other = path.split("/")
    const differs = parts.findIndex((part, i) => part !== other[i])
    if (differs >= 0) parts = parts.slice(0, differs)
  }
  return parts.join("/")
}

const bucketed = <K extends string, A>(
  items: ReadonlyArray<A>,
  keyOf: (item: A) => K | null
): ReadonlyMap<K, Array<A>> => {
  const buckets = new Map<K, Array<A>>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === null) continue
    const known = buckets.get(key)
    if (known === undefined) buckets.set(key, [item])
    else known.push(item)
  }
  return buckets
}

const singular = (word: string): string =>
  /(?:ss|us|is|kubernetes|aws|dns|tls|css|js|ops)$/.test(word)
    ? word
    : word
        .replace(/ies$/, "y")
        .replace(/(ss|sh|ch|x)es$/, "$1")
        .replace(/([^s])s$/, "$1")
        .replace(/^migrate$/, "migration")

export const nounOf = (folder: string): string =>
  singular(
    baseName(folder)
      .replace(/[-_]/g, " ")
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
  )

/** Files that belong together by folder or by name, in one language; tests apart from the rest. */
export const groupsOf = (survey: Survey): ReadonlyArray<Group> =>
  (["source", "test"] as const).flatMap((role) => {
    const files = (role === "source" ? survey.source : survey.tests).filter(
      ({ definitions, calls }) => definitions.length + calls.length > 0
    )
    return [...folderGroups(files, role), ...suffixGroups(files, role)]
  })

const folderGroups = (files: ReadonlyArray<ObservedFile>, role: "source" | "test"): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  for (const [key, members] of bucketed(files, ({ path, language }) => `${folderOf(path)}\n${family(language)}`)) {
    if (members.length < MIN_FILES) continue
    const folder = key.split("\n")[0]!
    const languages = [...new Set(members.map(({ language }) => language))].sort()
    groups.push({
      scope: { folder, languages, role },
      files: members,
      title: `${role === "test" ? "test files" : "files"} in ${code(folder === "" ? "." : folder)}`,
      noun: nounOf(folder)
    })
  }
  return groups
}

/** All files of a folder, or so few of them that their name says nothing. */
const isUninformative = (members: ReadonlyArray<ObservedFile>, files: ReadonlyArray<ObservedFile>): boolean => {
  const folders = new Set(members.map(({ path }) => folderOf(path)))
  if (folders.size !== 1) return false
  const [folder] = folders
  const count = files.filter(({ path }) => folderOf(path) === folder).length
  return count === members.length || members.length < MIN_FOLDER_SHARE * count
}

const suffixGroups = (files: ReadonlyArray<ObservedFile>, role: "source" | "test"): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  for (const [suffix, members] of bucketed(files, ({ path }) => suffixOf(path))) {
    if (members.length < MIN_FILES || isUninformative(members, files)) continue
    const folder = commonFolder(members)
    const inside = folder === "" ? "" : ` under ${code(folder)}`
    const word = suffix.replace(/^[._]/, "").replace(/\.\w+$/, "")
    groups.push({
      scope: { folder, suffix, role },
      files: members,
      title: `${code(`*${suffix}`)} files${inside}`,
      noun: singular(word.toLowerCase())
    })
  }
  return groups
}

interface Feature {
  readonly key: string
  readonly phrase: string
  readonly line: number
  readonly name: string
  readonly weight: number
}

const everyday =
  /^(?:require|include|extend|attr_\w+|puts|raise|lambda|proc|loop|private|public|protected|module_function|alias_method|freeze|format|sprintf|printf|array|isset|empty|count|implode|explode|in_array|is_\w+|str_\w+|strlen|strpos|substr|trim|define|defined|dirname|sprintf|esc_\w+|__|_e|_x|print|len|list|dict|set|str|int|super|range|isinstance|getattr|property|describe|it|test|expect|beforeEach|afterEach|before|after|assert|setUp|tearDown|context|let|subject|String|Number|Boolean|Array|Object|Symbol|BigInt|Promise|Date|Map|Set|Error|TypeError|RegExp|parseInt|parseFloat|Some|Ok|Err|None|vec|format|println|eprintln|panic|matches|write|writeln|assert_eq|assert_ne|make|append|cap|copy|delete|new|nil|string|List|Dictionary|Exception|Objects\.\w+|Arrays\.\w+|Collections\.\w+|Optional\.\w+|List\.of|Map\.of|Set\.of|Math\.\w+|Debug\.Assert|Debug\.Fail|l|t|h)$/

const asserts = /^(?:assert|expect|should|chai|require|t)\b/

const standardModule =
  /^(?:node:|java\.|javax\.|System(?:\.|$)|std(?:::|$)|core::|alloc::|(?:fs|path|util|os|url|http|https|crypto|assert|events|stream|child_process|fmt|errors|strings|strconv|time|context|sync|io|bytes|sort|testing|math|log|regexp|re|sys|json|typing|datetime|logging|collections|functools|itertools|abc|dataclasses|unittest|pathlib|random|copy|__future__|contextlib|public|enum|warnings)(?:$|[./]))/

const normalize = (folder: string, module: string): string => {
  const parts = folder === "" ? [] : folder.split("/")
  for (const part of module.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== ".") parts.push(part)
  }
  return parts.join("/")
}

/** Where a name comes from, as one text for all who import it. */
const originOf = (
  survey: Survey,
  file: ObservedFile,
  module: string
): { readonly key: string; readonly phrase: string } => {
  if (!module.startsWith(".") || !/script|tsx/.test(file.language)) return { key: module, phrase: code(module) }
  const path = normalize(folderOf(file.path), module)
  const found = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", "/index.ts", "/index.js", "/index.tsx"].find((end) =>
    survey.has(path + end)
  )
  return { key: path.replace(/\.\w+$/, ""), phrase: code(path + (found ?? "")) }
}

const baseFeatures = (file: ObservedFile): ReadonlyArray<Feature> =>
  file.definitions.flatMap(({ bases, kind, line }) =>
    kind !== "type"
      ? []
      : bases
          .filter((name) => !/^(?:Object|Exception|Error|Enum|StandardError)$/.test(name))
          .map((name) => ({
            key: `base:${name}`,
            phrase: `derive a type from ${code(name)}`,
            line,
            name: name.split(/[.:\\]+/).at(-1)!,
            weight: 3
          }))
  )

const featuresOf = (survey: Survey, file: ObservedFile): ReadonlyMap<string, Feature> => {
  const features = new Map<string, Feature>()
  const add = (feature: Feature): void => {
    if (!features.has(feature.key)) features.set(feature.key, feature)
  }
  const origins = new Map<string, { readonly module: string; readonly line: number }>()
  for (const { module, names, line } of file.imports) for (const name of names) origins.set(name, { module, line })
  for (const feature of baseFeatures(file)) add(feature)
  for (const [callee, , line] of file.calls) {
    if (isEveryday(callee) || features.has(`base:${callee}`)) continue
    const origin = origins.get(callee.split(/\.|::|->/)[0]!)
    const feature =
      origin === undefined
        ? globalCall(survey, file, callee, line)
        : importedCall(survey, file, callee, line, origin.module)
    if (feature !== null) add(feature)
  }
  return features
}

const isEveryday = (callee: string): boolean =>
  everyday.test(callee) || asserts.test(callee) || /^(?:this|self|super|\$this|cls|new)\b/.test(callee)

const importedCall = (
  survey: Survey,
  file: ObservedFile,
  callee: string,
  line: number,
  module: string
): Feature | null => {
  if (standardModule.test(module)) return null
  const from = originOf(survey, file, module)
  return {
    key: `call:${callee}@${from.key}`,
    phrase: `call ${code(callee)} from ${from.phrase}`,
    line,
    name: callee.split(/[.:>-]+/).at(-1)!,
    weight: 2.5
  }
}

/** A call of something that no import names, in languages that load names by themselves. */
const globalCall = (survey: Survey, file: ObservedFile, callee: string, line: number): Feature | null => {
  const isPlain = /^(?:ruby|php)$/.test(file.language) && /^[a-z_]\w{4,}$/.test(callee)
  return isPlain && (file.language === "ruby" || survey.knowsName(callee))
    ? { key: `call:${callee}`, phrase: `call ${code(callee)}`, line, name: callee, weight: 2 }
    : null
}

const rulesOf = (
  group: Group,
  byFile: ReadonlyMap<string, ReadonlyMap<string, Feature>>,
  peers: ReadonlyArray<ObservedFile>
): ReadonlyArray<Rule & { readonly rank: number }> => {
  const counts = new Map<string, Array<ObservedFile>>()
  for (const file of group.files)
    for (const key of byFile.get(file.path)?.keys() ?? []) {
      const known = counts.get(key)
      if (known === undefined) counts.set(key, [file])
      else known.push(file)
    }
  const inside = new Set(group.files.map(({ path }) => path))
  const outside = peers.filter(({ path }) => !inside.has(path))
  const found = [...counts].flatMap(([key, members]) => {
    const share = members.length / group.files.length
    if (members.length < MIN_FILES || share < MIN_SHARE) return []
    const elsewhere =
      outside.length === 0 ? 0 : outside.filter(({ path }) => byFile.get(path)?.has(key)).length / outside.length
    if (elsewhere > 0 && share / elsewhere < MIN_LIFT) return []
    const example = members.find(({ path }) => !/(?:^|\/)(?:index|__init__|mod)\.\w+$/.test(path)) ?? members[0]!
    const feature = byFile.get(example.path)!.get(key)!
    const deviating = group.files.filter(({ path }) => !byFile.get(path)?.has(key)).map(({ path }) => path)
    const rank = feature.weight * share * Math.log2(1 + group.files.length) * (1 - elsewhere)
    const rule: Rule & { readonly rank: number } = {
      id: `${group.scope.suffix ?? group.scope.folder}:${key}`.slice(0, 160),
      origin: "inferred",
      scope: group.scope,
      support: { count: members.length, of: group.files.length },
      deviations: deviating.slice(0, 8),
      text: `${members.length} of ${group.files.length} ${group.title} ${feature.phrase}, for example ${at({ path: example.path, line: feature.line })}.${
        deviating.length === 0
          ? ""
          : ` Not: ${deviating
              .slice(0, 3)
              .map((path) => code(path))
              .join(", ")}${deviating.length > 3 ? " …" : ""}.`
      }`,
      cites: [{ path: example.path, line: feature.line, end: feature.line + 6, names: [feature.name] }],
      rank
    }
    return [rule]
  })
  return found.sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1)).slice(0, MAX_PER_GROUP)
}

/** What nearly all files of a group do and few others: `auditTool` is called by every file in `tools`. */
export const groupRules = (survey: Survey, groups: ReadonlyArray<Group>): ReadonlyArray<Rule> => {
  const byFile = new Map([...survey.source, ...survey.tests].map((file) => [file.path, featuresOf(survey, file)]))
  const found = groups.flatMap((group) => {
    const languages = new Set(group.files.map(({ language }) => family(language)))
    const all = group.scope.role === "test" ? survey.tests : survey.source
    return rulesOf(
      group,
      byFile,
      all.filter(({ language }) => languages.has(family(language)))
    )
  })
  // The same said of a folder and of a suffix in it is said once, of the larger group.
  const bestOfSubject = new Map<string, Rule & { readonly rank: number }>()
  for (const rule of found.sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1))) {
    const what = `${rule.id.slice(rule.id.indexOf(":") + 1)}|${rule.cites[0]!.path}`
    if (!bestOfSubject.has(what)) bestOfSubject.set(what, rule)
  }
  return [...bestOfSubject.values()].slice(0, MAX_RULES).map(({ rank: _, ...rule }) => rule)
}

export const supportText = (count: number, of: number, word: string): string =>
  `${count.toLocaleString("en-US")} of ${plural(of, word)} (${percent(count, of)})`
