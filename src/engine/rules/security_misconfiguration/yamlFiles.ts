import { isScalar, isSeq, type Node } from "yaml"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
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

/** Settings of Spring in YAML. */
export const springYaml = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!springFile.test(file.path) || isForDevelopment(file.path)) return
  for (const document of yamlOf(file).documents) {
    const { root } = document
    const profile = valuesOf(under(document, root, ["spring", "config", "activate", "on-profile"]))[0]?.value ?? ""
    if (/dev|local|test/i.test(profile)) continue
    const report = (rule: RuleId, node: Node, message: string): void => {
      if (node.range != null) emit({ rule, start: node.range[0], end: node.range[1], message })
    }
    for (const { value, node } of valuesOf(
      under(document, root, ["management", "endpoints", "web", "exposure", "include"])
    )) {
      if (value.trim() === "*") {
        report(
          "actuator_exposed",
          node,
          "Every actuator endpoint is exposed over the web, the environment and heap dumps included."
        )
      }
    }
    for (const { value, node } of valuesOf(under(document, root, ["server", "error", "include-stacktrace"]))) {
      if (/^(?:always|on_trace_param)$/i.test(value))
        report("debug_mode", node, "Responses to failed requests contain the stack trace.")
    }
  }
}
