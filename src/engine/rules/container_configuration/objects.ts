import { isMap, type Node } from "yaml"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { isFilled } from "../../languages/formats/helmTemplate.ts"
import {
  entriesOf,
  entryOf,
  itemsOf,
  rangeOf,
  scalarOf,
  textAt,
  valueAt,
  type YamlDocument
} from "../../languages/formats/yaml.ts"
import type { RuleId } from "./rules.ts"

/** API versions that clusters of today do not serve, with the kinds they had and the release that removed them. */
const removed: Readonly<Record<string, readonly [kinds: RegExp, release: string]>> = {
  "extensions/v1beta1": [/^(?:Deployment|DaemonSet|ReplicaSet|NetworkPolicy|PodSecurityPolicy)$/, "1.16"],
  "apps/v1beta1": [/^(?:Deployment|StatefulSet|ReplicaSet)$/, "1.16"],
  "apps/v1beta2": [/^(?:Deployment|StatefulSet|DaemonSet|ReplicaSet)$/, "1.16"],
  "networking.k8s.io/v1beta1": [/^Ingress(?:Class)?$/, "1.22"],
  "rbac.authorization.k8s.io/v1beta1": [/^(?:Cluster)?Role(?:Binding)?$/, "1.22"],
  "apiextensions.k8s.io/v1beta1": [/^CustomResourceDefinition$/, "1.22"],
  "admissionregistration.k8s.io/v1beta1": [/^(?:Mutating|Validating)WebhookConfiguration$/, "1.22"],
  "scheduling.k8s.io/v1beta1": [/^PriorityClass$/, "1.22"],
  "storage.k8s.io/v1beta1": [/^(?:CSIDriver|CSINode|StorageClass|VolumeAttachment)$/, "1.22"],
  "batch/v1beta1": [/^CronJob$/, "1.25"],
  "policy/v1beta1": [/^(?:PodDisruptionBudget|PodSecurityPolicy)$/, "1.25"],
  "autoscaling/v2beta1": [/^HorizontalPodAutoscaler$/, "1.25"],
  "autoscaling/v2beta2": [/^HorizontalPodAutoscaler$/, "1.26"]
}

export const inspectVersion = (document: YamlDocument, emit: Emit<RuleId>): void => {
  const version = entryOf(document, document.root, "apiVersion")
  const name = scalarOf(document, version?.value) ?? ""
  const kind = textAt(document, document.root, "kind") ?? ""
  if (version === null || !Object.hasOwn(removed, name)) return
  const [kinds, release] = removed[name]!
  if (!kinds.test(kind)) return
  const message = `Kubernetes ${release} and later serve no \`${kind}\` of \`${name}\`: the cluster rejects the manifest.`
  emit({ rule: "removed_api_version", ...rangeOf(version.keyNode), message, noun: `${kind} ${name}` })
}

const inspectSelector = (document: YamlDocument, name: string, emit: Emit<RuleId>): void => {
  const selector = valueAt(document, document.root, "spec", "selector", "matchLabels")
  const labels = valueAt(document, document.root, "spec", "template", "metadata", "labels")
  if (!isMap(selector) || !isMap(labels)) return
  const given = new Map(entriesOf(document, labels).map(({ key, value }) => [key, scalarOf(document, value)]))
  const isTemplate = [...given].some(([key, value]) => isFilled(key + (value ?? "")))
  for (const { key, keyNode, value } of entriesOf(document, selector)) {
    const expected = scalarOf(document, value)
    if (isTemplate || expected === null || isFilled(key + expected) || given.get(key) === expected) continue
    const message = `${name} selects pods by \`${key}: ${expected}\`, which its own template does not have.`
    emit({ rule: "selector_mismatch", ...rangeOf(keyNode), message, noun: key })
    return
  }
}

const inspectVariables = (document: YamlDocument, container: Node, name: string, emit: Emit<RuleId>): void => {
  const seen = new Set<string>()
  for (const variable of itemsOf(document, valueAt(document, container, "env"))) {
    const entry = entryOf(document, variable, "name")
    const key = scalarOf(document, entry?.value)
    if (entry === null || key === null || isFilled(key)) continue
    if (seen.has(key)) {
      const message = `${name} sets \`${key}\` twice; only the last one counts.`
      emit({ rule: "duplicate_variable", ...rangeOf(entry.keyNode), message, noun: key })
    }
    seen.add(key)
  }
}

/** What one workload says of its selector, variables, account and file systems. */
export const inspectObject = (
  document: YamlDocument,
  pod: Node,
  containers: ReadonlyArray<Node>,
  name: string,
  emit: Emit<RuleId>
): void => {
  inspectSelector(document, name, emit)
  for (const container of containers) inspectVariables(document, container, name, emit)
  if (!/^(?:Deployment|StatefulSet)$/.test(textAt(document, document.root, "kind") ?? "")) return
  const [first] = containers
  const image = first === undefined ? null : entryOf(document, first, "image")
  if (image === null) return
  const range = rangeOf(image.keyNode)
  const holdsAccount = ["serviceAccountName", "serviceAccount", "automountServiceAccountToken"]
  if (holdsAccount.every((key) => entryOf(document, pod, key) === null)) {
    const message = `${name} names no service account and mounts the token of the namespace's default one.`
    emit({ rule: "service_account_token", ...range, message })
  }
  const isWritable = containers.some((one) => {
    const context = valueAt(document, one, "securityContext")
    return context !== null && entryOf(document, context, "readOnlyRootFilesystem") === null
  })
  if (isWritable) {
    emit({
      rule: "writable_root_filesystem",
      ...range,
      message: `Containers of ${name} may change their own programs.`
    })
  }
}
