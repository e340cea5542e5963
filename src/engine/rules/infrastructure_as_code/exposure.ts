import type { Attribute, Block } from "../../languages/formats/terraform.ts"
import { type Check, inner, isTrue, nameOf, resolved, stringsOf, textOf, type Values } from "./Resource.ts"

const world = /^(?:0\.0\.0\.0\/0|::\/0)$/

/** Blocks at a path of block types below a resource. */
const below = (block: Block, ...path: ReadonlyArray<string>): ReadonlyArray<Block> =>
  path.reduce<ReadonlyArray<Block>>((found, type) => found.flatMap((one) => inner(one, type)), [block])

/** Lists of addresses that may reach a cluster's API, as the resources of the providers name them. */
const endpointLists: Readonly<Record<string, readonly [path: ReadonlyArray<string>, attribute: string]>> = {
  aws_eks_cluster: [["vpc_config"], "public_access_cidrs"],
  google_container_cluster: [["master_authorized_networks_config", "cidr_blocks"], "cidr_block"],
  azurerm_kubernetes_cluster: [["api_server_access_profile"], "authorized_ip_ranges"]
}

export const clusterEndpoints: Check = (block, values, report) => {
  const type = block.labels[0] ?? ""
  if (!Object.hasOwn(endpointLists, type)) return
  const [path, attribute] = endpointLists[type]!
  const open = below(block, ...path).find((one) => stringsOf(one, attribute, values).some((range) => world.test(range)))
  if (open === undefined) return
  const message = `${nameOf(block)} lists every address of the internet as one that may reach its API.`
  report({ rule: "public_cluster_api", at: open.attributes[attribute]!, message })
}

const innermost = /\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}/g
const anyPrincipal =
  /["']?\b(?:Not)?Principals?["']?\s*[=:]\s*(?:["']\*["']|\{\s*["']?AWS["']?\s*[=:]\s*\[?\s*["']\*["'])/i
const conditional = /["']?\b(?:Condition|NotPrincipals?)["']?\s*[=:]/i
const denies = /["']?\bEffect["']?\s*[=:]\s*["']Deny/i
const actionList = /["']?\bActions?["']?\s*[=:]\s*(\[[^\]]{0,2000}\]|["'][^"']{0,200}["'])/i

/** Objects of a site are meant for everyone; reading them is all that such a policy gives. */
const onlyReadsObjects = (actions: ReadonlyArray<string>): boolean =>
  actions.length > 0 && actions.every((action) => /^s3:GetObject\w*$/i.test(action))

const actionsIn = (statement: string): ReadonlyArray<string> =>
  [...(actionList.exec(statement)?.[1] ?? "").matchAll(/["']([^"'\n]{1,200})["']/g)].map((match) => match[1]!)

const opensToAll = (policy: string): boolean =>
  (policy.match(innermost) ?? []).some((statement) => {
    if (!anyPrincipal.test(statement) || conditional.test(statement) || denies.test(statement)) return false
    const actions = actionsIn(statement)
    return actions.length > 0 && !onlyReadsObjects(actions)
  })

const documentOpensToAll = (statement: Block, values: Values): boolean =>
  inner(statement, "principals").some((one) => stringsOf(one, "identifiers", values).includes("*")) &&
  inner(statement, "condition").length === 0 &&
  !statement.blocks.some(({ type }) => type === "dynamic") &&
  (textOf(statement, "effect", values) ?? "Allow") === "Allow" &&
  !onlyReadsObjects(stringsOf(statement, "actions", values)) &&
  stringsOf(statement, "actions", values).length > 0

const policyHolder =
  /^aws_(?:s3_bucket_policy|s3_bucket|sqs_queue(?:_policy)?|sns_topic(?:_policy)?|ecr_repository_policy|kms_key(?:_policy)?|secretsmanager_secret(?:_policy)?|backup_vault_policy|glacier_vault|efs_file_system_policy|opensearch_domain_policy|elasticsearch_domain_policy|iam_role)$/

export const resourcePolicies: Check = (block, values, report) => {
  const type = block.labels[0] ?? ""
  const message = `${nameOf(block)} allows everyone, in any account, without a condition.`
  if (type === "aws_iam_policy_document") {
    const open = inner(block, "statement").find((one) => documentOpensToAll(one, values))
    if (open !== undefined) report({ rule: "public_resource_policy", at: open, message })
    return
  }
  const policy: Attribute | undefined = block.attributes[type === "aws_iam_role" ? "assume_role_policy" : "policy"]
  if (!policyHolder.test(type) || policy === undefined || !opensToAll(resolved(policy, values) ?? "")) return
  report({ rule: "public_resource_policy", at: policy, message })
}

export const clusterAccess: Check = (block, values, report) => {
  const type = block.labels[0] ?? ""
  const say = (holder: Block, name: string, message: string): void =>
    report({ rule: "legacy_cluster_access", at: holder.attributes[name]!, message })
  if (type === "google_container_cluster") {
    if (isTrue(block, "enable_legacy_abac", values)) {
      say(block, "enable_legacy_abac", `${nameOf(block)} lets every authenticated account do everything (legacy ABAC).`)
    }
    for (const issue of below(block, "master_auth", "client_certificate_config")) {
      if (!isTrue(issue, "issue_client_certificate", values)) continue
      const message = `${nameOf(block)} issues a client certificate, which cannot be revoked.`
      say(issue, "issue_client_certificate", message)
    }
  }
  const noRoles = ["role_based_access_control_enabled", "enable_rbac"].find(
    (name) => textOf(block, name, values) === "false"
  )
  if (type === "azurerm_kubernetes_cluster" && noRoles !== undefined) {
    say(block, noRoles, `${nameOf(block)} checks no roles: every account may do everything.`)
  }
}

const wide = /^(?:iam|s3|kms|secretsmanager|sts|ec2|lambda|ssm|dynamodb|rds):\*$/i

export const servicePermissions: Check = (block, values, report) => {
  if (block.labels[0] !== "aws_iam_policy_document") return
  for (const statement of inner(block, "statement")) {
    const action = stringsOf(statement, "actions", values).find((one) => wide.test(one) || one === "iam:PassRole")
    if (action === undefined || !stringsOf(statement, "resources", values).includes("*")) continue
    if ((textOf(statement, "effect", values) ?? "Allow") !== "Allow" || inner(statement, "condition").length > 0)
      continue
    if (inner(statement, "principals").length > 0) continue
    const message = `${nameOf(block)} allows \`${action}\` on every resource of the account.`
    report({ rule: "service_wide_permissions", at: statement.attributes.actions!, message, noun: action })
  }
}
