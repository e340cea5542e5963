import { directoryOf } from "../core/text/paths.ts"
import { code } from "./Draft.ts"
import type { ObservedFile } from "./Observed.ts"
import { resolvedPath, type Survey } from "./Survey.ts"

/** Something that a file does and that others of its group may do as well. */
export interface Feature {
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

/** Where a name comes from, as one text for all who import it. */
const originOf = (
  survey: Survey,
  file: ObservedFile,
  module: string
): { readonly key: string; readonly phrase: string } => {
  if (!module.startsWith(".") || !/script|tsx/.test(file.language)) return { key: module, phrase: code(module) }
  const path = resolvedPath(directoryOf(file.path), module)
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

/** What one file does, by key. */
export const featuresOf = (survey: Survey, file: ObservedFile): ReadonlyMap<string, Feature> => {
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
