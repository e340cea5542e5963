import { isMap, type Node } from "yaml"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { isFilled } from "../../languages/formats/helmTemplate.ts"
import {
  entryOf,
  itemsOf,
  rangeOf,
  scalarOf,
  textAt,
  valueAt,
  type YamlDocument
} from "../../languages/formats/yaml.ts"
import type { RuleId } from "./rules.ts"

const has = (document: YamlDocument, node: Node, key: string, ...names: ReadonlyArray<string>): boolean => {
  const given = new Set(itemsOf(document, valueAt(document, node, key)).map((item) => scalarOf(document, item)))
  return names.every((one) => given.has(one))
}

const inspectRole = (document: YamlDocument, name: string, emit: Emit<RuleId>): void => {
  for (const rule of itemsOf(document, valueAt(document, document.root, "rules"))) {
    if (!isMap(rule) || !has(document, rule, "verbs", "*") || !has(document, rule, "resources", "*")) continue
    const at = entryOf(document, rule, "verbs")!
    emit({ rule: "rbac_wildcard", ...rangeOf(at.keyNode), message: `${name} allows every verb on every resource.` })
  }
}

const everyone = /^system:(?:anonymous|unauthenticated)$/
/** Roles that the cluster itself opens to everyone. */
const harmless = /^system:|(?:^|[-:])(?:public|discovery|bootstrap)|bootstrap|public-info|oidc/i

const inspectBinding = (document: YamlDocument, name: string, emit: Emit<RuleId>): void => {
  const role = textAt(document, document.root, "roleRef", "name") ?? ""
  for (const subject of itemsOf(document, valueAt(document, document.root, "subjects"))) {
    const who = entryOf(document, subject, "name")
    const given = scalarOf(document, who?.value) ?? ""
    const account = isFilled(given) ? "?" : given
    if (who === null) continue
    if (everyone.test(account) && !harmless.test(role)) {
      emit({
        rule: "anonymous_binding",
        ...rangeOf(who.keyNode),
        message: `${name} gives the rights of \`${role}\` to \`${account}\`.`
      })
    } else if (role === "cluster-admin" && textAt(document, subject, "kind") === "ServiceAccount") {
      const message = `${name} makes the service account \`${account}\` the owner of the cluster.`
      emit({
        rule: "cluster_admin_binding",
        ...rangeOf(who.keyNode),
        message,
        ...(account === "?" ? {} : { noun: account })
      })
    }
  }
}

const kinds: Readonly<Record<string, typeof inspectRole>> = {
  Role: inspectRole,
  ClusterRole: inspectRole,
  RoleBinding: inspectBinding,
  ClusterRoleBinding: inspectBinding
}

/** Rules for roles and their bindings. */
export const inspectAccounts = (document: YamlDocument, emit: Emit<RuleId>): void => {
  const kind = textAt(document, document.root, "kind") ?? ""
  if (!Object.hasOwn(kinds, kind) || !/^rbac\./.test(textAt(document, document.root, "apiVersion") ?? "")) return
  const name = textAt(document, document.root, "metadata", "name")
  kinds[kind]!(document, name === null || isFilled(name) ? kind : `${kind} \`${name}\``, emit)
}

/** What a pod or container says of its profile, and the ports that it takes of its node. */
export const inspectProfile = (document: YamlDocument, holder: Node, name: string, emit: Emit<RuleId>): void => {
  for (const key of ["seccompProfile", "appArmorProfile"]) {
    const type = valueAt(document, holder, "securityContext", key, "type")
    if (type === null || scalarOf(document, type) !== "Unconfined") continue
    emit({ rule: "unconfined_profile", ...rangeOf(type), message: `${name} runs without a profile (\`${key}\`).` })
  }
}

export const inspectPorts = (document: YamlDocument, container: Node, name: string, emit: Emit<RuleId>): void => {
  for (const port of itemsOf(document, valueAt(document, container, "ports"))) {
    const entry = entryOf(document, port, "hostPort")
    const number = scalarOf(document, entry?.value)
    if (entry === null || number === null || number === "0") continue
    emit({
      rule: "host_port",
      ...rangeOf(entry.keyNode),
      message: `${name} takes port ${number} of its node.`,
      noun: number
    })
  }
}

/** Neither the pod nor any of its containers says what it must not do. */
export const inspectHardening = (
  document: YamlDocument,
  pod: Node,
  containers: ReadonlyArray<Node>,
  name: string,
  emit: Emit<RuleId>
): void => {
  const first = containers[0]
  const holders = [pod, ...containers]
  if (first === undefined || holders.some((holder) => entryOf(document, holder, "securityContext") !== null)) return
  const image = entryOf(document, first, "image")!
  const message = `${name} has no \`securityContext\`: it may run as root and gain rights.`
  emit({ rule: "no_security_context", ...rangeOf(image.keyNode), message })
}
