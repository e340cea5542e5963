import { isScalar, isSeq, type Node } from "yaml"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit, Match } from "../../core/tool/AuditTool.ts"
import { entriesOf, type YamlDocument, yamlOf } from "../../languages/formats/yaml.ts"
import { isForDevelopment } from "./context.ts"
import type { RuleId } from "./rules.ts"

const springFile = /(?:^|\/)(?:application|bootstrap)(?:-[\w-]+)?\.ya?ml$/

const under = (document: YamlDocument, root: Node | null, path: ReadonlyArray<string>): Node | null => {
  let at = root
  for (let i = 0; i < path.length && at !== null; i++) {
    // Spring reads `a.b.c: x` as it reads nested keys.
    const entries = entriesOf(document, at)
    const joined = entries.find(({ key }) => key === path.slice(i).join("."))
    if (joined !== undefined) return joined.value
    at = entries.find(({ key }) => key === path[i])?.value ?? null
  }
  return at
}

const valuesOf = (node: Node | null): ReadonlyArray<{ readonly value: string; readonly node: Node }> => {
  if (isScalar(node)) return [{ value: String(node.value), node }]
  return isSeq(node) ? node.items.flatMap((item) => valuesOf(item as Node)) : []
}

interface Setting {
  readonly path: ReadonlyArray<string>
  readonly value: RegExp
  readonly rule: RuleId
  readonly message: string
}

const settings: ReadonlyArray<Setting> = [
  {
    path: ["management", "endpoints", "web", "exposure", "include"],
    value: /^\s*\*\s*$/,
    rule: "actuator_exposed",
    message: "Every actuator endpoint is exposed over the web, the environment and heap dumps included."
  },
  {
    path: ["server", "error", "include-stacktrace"],
    value: /^(?:always|on_trace_param)$/i,
    rule: "debug_mode",
    message: "Responses to failed requests contain the stack trace."
  }
]

const unsafeSettings = (document: YamlDocument): ReadonlyArray<Match<RuleId>> =>
  settings.flatMap(({ path, value: unsafe, rule, message }) =>
    valuesOf(under(document, document.root, path)).flatMap(({ value, node }) =>
      unsafe.test(value) && node.range != null ? [{ rule, start: node.range[0], end: node.range[1], message }] : []
    )
  )

/** Settings of Spring in YAML. */
export const springYaml = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!springFile.test(file.path) || isForDevelopment(file.path)) return
  for (const document of yamlOf(file).documents) {
    const profiles = valuesOf(under(document, document.root, ["spring", "config", "activate", "on-profile"]))
    if (/dev|local|test/i.test(profiles[0]?.value ?? "")) continue
    for (const match of unsafeSettings(document)) emit(match)
  }
}
