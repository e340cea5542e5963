import { isMap, type Node } from "yaml"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { imageOf } from "../../languages/formats/dockerfile.ts"
import { isFilled } from "../../languages/formats/helmTemplate.ts"
import {
  entriesOf,
  entryOf,
  isTrue,
  itemsOf,
  rangeOf,
  scalarOf,
  textAt,
  valueAt,
  type YamlDocument
} from "../../languages/formats/yaml.ts"
import { hostSecret, isDangerousCapability } from "./compose.ts"
import { type FloatingImage, isFloating } from "./images.ts"
import { inspectObject, inspectVersion } from "./objects.ts"
import { inspectAccounts, inspectHardening, inspectPorts, inspectProfile } from "./orchestration.ts"
import type { RuleId } from "./rules.ts"
import { isSecretName, isWrittenOut } from "./secrets.ts"

const podPaths: Record<string, ReadonlyArray<string>> = {
  Pod: ["spec"],
  Deployment: ["spec", "template", "spec"],
  StatefulSet: ["spec", "template", "spec"],
  DaemonSet: ["spec", "template", "spec"],
  ReplicaSet: ["spec", "template", "spec"],
  ReplicationController: ["spec", "template", "spec"],
  Job: ["spec", "template", "spec"],
  CronJob: ["spec", "jobTemplate", "spec", "template", "spec"]
}

interface Workload {
  readonly document: YamlDocument
  /** "Deployment `api`" */
  readonly name: string
  readonly kind: string
  readonly pod: Node
  /** Runs on every node to look after it: much of what is forbidden elsewhere is its job. */
  readonly isAgent: boolean
  readonly containers: ReadonlyArray<Node>
}

const workloadOf = (document: YamlDocument): Workload | null => {
  const kind = textAt(document, document.root, "kind") ?? ""
  const path = Object.hasOwn(podPaths, kind) ? podPaths[kind]! : null
  const pod = path === null ? null : valueAt(document, document.root, ...path)
  if (pod === null || textAt(document, document.root, "apiVersion") === null) return null
  const containers = ["initContainers", "containers"].flatMap((key) => itemsOf(document, valueAt(document, pod, key)))
  const namespace = textAt(document, document.root, "metadata", "namespace") ?? ""
  const name = textAt(document, document.root, "metadata", "name")
  return {
    document,
    kind,
    name: name === null || isFilled(name) ? kind : `${kind} \`${name}\``,
    pod,
    isAgent: kind === "DaemonSet" || /^(?:kube-system|.*-system)$/.test(namespace),
    // A patch names a container without saying what it is made of.
    containers: containers.filter((container) => textAt(document, container, "image") !== null)
  }
}

/** Rules that are advisories for node agents. */
const forAgents = {
  root_user: "root_user_agent",
  root_user_allowed: "root_user_agent",
  host_access: "host_access_agent",
  privileged: "privileged_agent",
  privilege_escalation: "privilege_escalation_agent"
} as const satisfies Partial<Record<RuleId, RuleId>>

const ruleFor = ({ isAgent }: Workload, rule: keyof typeof forAgents): RuleId => (isAgent ? forAgents[rule] : rule)

const labelOf = (document: YamlDocument, container: Node): string => {
  const name = textAt(document, container, "name")
  return name === null || isFilled(name) ? "`?`" : `\`${name}\``
}

const inspectPod = (workload: Workload, emit: Emit<RuleId>): void => {
  const { document, name, pod } = workload
  for (const key of ["hostNetwork", "hostPID", "hostIPC"]) {
    const entry = entryOf(document, pod, key)
    if (entry === null || !isTrue(document, entry.value)) continue
    const space = key === "hostNetwork" ? "network" : key === "hostPID" ? "processes" : "memory"
    emit({
      rule: ruleFor(workload, "host_access"),
      ...rangeOf(entry.keyNode),
      message: `${name} shares the node's ${space} (\`${key}\`).`
    })
  }
  for (const volume of itemsOf(document, valueAt(document, pod, "volumes"))) {
    const path = valueAt(document, volume, "hostPath", "path")
    const secret = hostSecret(scalarOf(document, path) ?? "-")
    if (path === null || secret === null) continue
    emit({
      rule: ruleFor(workload, "host_access"),
      ...rangeOf(path),
      message: `${name} mounts ${secret.replace("host's", "node's")}.`
    })
  }
  inspectUser(workload, pod, "", emit)
}

const inspectUser = (workload: Workload, holder: Node, suffix: string, emit: Emit<RuleId>): void => {
  const { document, name } = workload
  const context = valueAt(document, holder, "securityContext")
  const user = entryOf(document, context, "runAsUser")
  const nonRoot = entryOf(document, context, "runAsNonRoot")
  const asRoot = user !== null && scalarOf(document, user.value) === "0"
  const mayBeRoot = nonRoot !== null && scalarOf(document, nonRoot.value) === "false" && user === null
  const entry = asRoot ? user : mayBeRoot ? nonRoot : null
  if (entry === null) return
  const message = asRoot
    ? `${name} runs${suffix} as root (\`runAsUser: 0\`).`
    : `${name} lets${suffix || " its containers"} run as root (\`runAsNonRoot: false\`).`
  emit({ rule: ruleFor(workload, asRoot ? "root_user" : "root_user_allowed"), ...rangeOf(entry.keyNode), message })
}

const inspectContext = (workload: Workload, container: Node, label: string, emit: Emit<RuleId>): void => {
  const { document, name } = workload
  const context = valueAt(document, container, "securityContext")
  const privileged = entryOf(document, context, "privileged")
  const isPrivileged = privileged !== null && isTrue(document, privileged.value)
  if (isPrivileged) {
    const message = `Container ${label} of ${name} is \`privileged\`: nothing separates it from its node.`
    emit({ rule: ruleFor(workload, "privileged"), ...rangeOf(privileged.keyNode), message })
  }
  const escalation = entryOf(document, context, "allowPrivilegeEscalation")
  if (!isPrivileged && escalation !== null && isTrue(document, escalation.value)) {
    const message = `Container ${label} of ${name} sets \`allowPrivilegeEscalation: true\`.`
    emit({ rule: ruleFor(workload, "privilege_escalation"), ...rangeOf(escalation.keyNode), message })
  }
  for (const item of itemsOf(document, valueAt(document, context, "capabilities", "add"))) {
    const capability = scalarOf(document, item) ?? ""
    if (isPrivileged || !isDangerousCapability(capability)) continue
    const message = `Container ${label} of ${name} gets the capability \`${capability}\`.`
    emit({ rule: ruleFor(workload, "privileged"), ...rangeOf(item), message })
  }
  inspectUser(workload, container, ` ${label}`, emit)
}

const inspectEnvironment = (workload: Workload, container: Node, label: string, emit: Emit<RuleId>): void => {
  const { document, name } = workload
  for (const variable of itemsOf(document, valueAt(document, container, "env"))) {
    const key = textAt(document, variable, "name") ?? ""
    const node = valueAt(document, variable, "value")
    const value = scalarOf(document, node) ?? ""
    if (node === null || !isSecretName(key) || !isWrittenOut(value) || isFilled(value) || value.includes("$(")) continue
    const { start, end } = rangeOf(node)
    const message = `\`${key}\` of container ${label} in ${name} is written out in the file.`
    emit({ rule: "hardcoded_credential", start, end, message, redact: [[start, end]], identifiers: [key] })
  }
}

const longRunning = new Set(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController"])

const inspectLimits = (workload: Workload, emit: Emit<RuleId>): void => {
  const { document, kind, name, containers, pod } = workload
  if (!longRunning.has(kind) || valueAt(document, pod, "resources", "limits") !== null) return
  const initial = new Set(itemsOf(document, valueAt(document, pod, "initContainers")))
  const open = containers.filter(
    (container) => !initial.has(container) && valueAt(document, container, "resources", "limits", "memory") === null
  )
  const first = open[0]
  if (first === undefined) return
  const labels = open.map((container) => labelOf(document, container)).join(", ")
  const entry = entryOf(document, first, "name") ?? entryOf(document, first, "image")!
  const range = rangeOf(entry.keyNode)
  const message = `${name} sets no memory limit for ${labels}.`
  emit({
    rule: "no_limits",
    start: range.start,
    end: entry.value === null ? range.end : rangeOf(entry.value).end,
    message
  })
}

const floatingImages = (workload: Workload): ReadonlyArray<FloatingImage> => {
  const { document, name, containers } = workload
  return containers.flatMap((container) => {
    const node = valueAt(document, container, "image")
    const image = imageOf(scalarOf(document, node) ?? "")
    if (node === null || image === null || !isFloating(image)) return []
    if (textAt(document, container, "imagePullPolicy") === "Never") return []
    const message = `${name} runs whatever \`${image.name}\` is on the day a pod starts.`
    return [{ image: image.name, tag: image.tag, message, ...rangeOf(node) }]
  })
}

const inspectSecret = (document: YamlDocument, emit: Emit<RuleId>): void => {
  if (textAt(document, document.root, "kind") !== "Secret" || entryOf(document, document.root, "sops") !== null) return
  const name = textAt(document, document.root, "metadata", "name") ?? "?"
  const plain = entriesOf(document, valueAt(document, document.root, "stringData"))
  const encoded = entriesOf(document, valueAt(document, document.root, "data"))
  for (const [entries, decode] of [
    [plain, false],
    [encoded, true]
  ] as const) {
    for (const { key, value } of entries) {
      const text = scalarOf(document, value) ?? ""
      const secret = decode ? Buffer.from(text, "base64").toString("utf8") : text
      if (
        value === null ||
        !isSecretName(key) ||
        /[^\x20-\x7e]/.test(secret) ||
        !isWrittenOut(secret) ||
        isFilled(secret)
      )
        continue
      const { start, end } = rangeOf(value)
      const message = `\`${key}\` of Secret \`${name}\` is in the repository${decode ? "; base64 hides nothing" : ""}.`
      emit({ rule: "hardcoded_credential", start, end, message, redact: [[start, end]], identifiers: [key] })
    }
  }
}

/** Rules for one object of a manifest; returns the images without a version. */
export const inspectManifest = (document: YamlDocument, emit: Emit<RuleId>): ReadonlyArray<FloatingImage> => {
  if (!isMap(document.root)) return []
  inspectSecret(document, emit)
  inspectVersion(document, emit)
  inspectAccounts(document, emit)
  const workload = workloadOf(document)
  if (workload === null) return []
  inspectPod(workload, emit)
  inspectProfile(document, workload.pod, workload.name, emit)
  if (!workload.isAgent) inspectHardening(document, workload.pod, workload.containers, workload.name, emit)
  for (const container of workload.containers) {
    const label = labelOf(document, container)
    inspectProfile(document, container, `Container ${label} of ${workload.name}`, emit)
    if (!workload.isAgent) inspectPorts(document, container, `Container ${label} of ${workload.name}`, emit)
    inspectContext(workload, container, label, emit)
    inspectEnvironment(workload, container, label, emit)
  }
  inspectLimits(workload, emit)
  inspectObject(document, workload.pod, workload.containers, workload.name, emit)
  return floatingImages(workload)
}
