import { isMap, isSeq, type Node } from "yaml"
import type { Match } from "../../core/tool/AuditTool.ts"
import { entriesOf, isTrue, rangeOf, scalarOf, type YamlDocument } from "../../languages/formats/yaml.ts"
import type { RuleId } from "./rules.ts"

export const isChartValues = (path: string): boolean => /(?:^|\/)values\.ya?ml$/.test(path)

const switchedOn: Readonly<Record<string, string>> = {
  privileged: "nothing separates its container from the node",
  allowPrivilegeEscalation: "its processes may gain rights",
  hostNetwork: "its pods share the node's network",
  hostPID: "its pods see the node's processes",
  hostIPC: "its pods share the node's memory"
}

const MAX_DEPTH = 12

/** Rights that every installation of a chart has unless its values say otherwise. */
export const privilegesIn = (documents: ReadonlyArray<YamlDocument>): ReadonlyArray<Match<RuleId>> => {
  const found: Array<Match<RuleId>> = []
  const visit = (document: YamlDocument, node: Node | null, path: string, depth: number): void => {
    if (depth > MAX_DEPTH || isSeq(node) || !isMap(node)) return
    for (const { key, keyNode, value } of entriesOf(document, node)) {
      const name = path === "" ? key : `${path}.${key}`
      const isOn = Object.hasOwn(switchedOn, key) && isTrue(document, value)
      const isRoot = key === "runAsUser" && scalarOf(document, value) === "0"
      if (isOn || isRoot) {
        const effect = isRoot ? "its containers run as root" : switchedOn[key]!
        const message = `\`${name}\` is on by default: ${effect} in every installation.`
        found.push({ rule: "chart_default_privileges", ...rangeOf(keyNode), message, noun: name })
      }
      visit(document, value, name, depth + 1)
    }
  }
  for (const document of documents) visit(document, document.root, "", 0)
  return found
}
