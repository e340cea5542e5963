import type { Block } from "../../languages/formats/terraform.ts"
import { type Check, nameOf, type Problem, textOf } from "./Resource.ts"
import type { RuleId } from "./rules.ts"

/** One value of one attribute that switches a protection off. */
interface Setting {
  readonly rule: RuleId
  readonly types: RegExp
  /** Names of the block that holds it, from the resource inward. */
  readonly path?: ReadonlyArray<string>
  readonly attribute: string
  readonly value: RegExp
  /** What follows the resource's name. */
  readonly effect: string
}

const no = /^false$/
const yes = /^true$/

const settings: ReadonlyArray<Setting> = [
  {
    rule: "plaintext_transport",
    types: /^aws_elasticache_replication_group$/,
    attribute: "transit_encryption_enabled",
    value: no,
    effect: "sends what it caches unencrypted over the network"
  },
  {
    rule: "plaintext_transport",
    types: /^aws_msk_cluster$/,
    path: ["encryption_info", "encryption_in_transit"],
    attribute: "client_broker",
    value: /^(?:TLS_)?PLAINTEXT$/,
    effect: "accepts clients without TLS"
  },
  {
    rule: "plaintext_transport",
    types: /^aws_cloudfront_distribution$/,
    path: ["default_cache_behavior"],
    attribute: "viewer_protocol_policy",
    value: /^allow-all$/,
    effect: "serves its pages over plain HTTP, too"
  },
  {
    rule: "plaintext_transport",
    types: /^aws_cloudfront_distribution$/,
    path: ["ordered_cache_behavior"],
    attribute: "viewer_protocol_policy",
    value: /^allow-all$/,
    effect: "serves some of its pages over plain HTTP, too"
  },
  {
    rule: "plaintext_transport",
    types: /^aws_(?:elasticsearch|opensearch)_domain$/,
    path: ["domain_endpoint_options"],
    attribute: "enforce_https",
    value: no,
    effect: "accepts requests over plain HTTP"
  },
  {
    rule: "plaintext_transport",
    types: /^aws_(?:elasticsearch|opensearch)_domain$/,
    path: ["node_to_node_encryption"],
    attribute: "enabled",
    value: no,
    effect: "sends data unencrypted between its nodes"
  },
  {
    rule: "plaintext_transport",
    types: /^google_sql_database_instance$/,
    path: ["settings", "ip_configuration"],
    attribute: "ssl_mode",
    value: /^ALLOW_UNENCRYPTED_AND_ENCRYPTED$/,
    effect: "accepts connections without TLS"
  },
  {
    rule: "plaintext_transport",
    types: /^azurerm_(?:postgresql|mysql|mariadb)_server$/,
    attribute: "ssl_enforcement_enabled",
    value: no,
    effect: "accepts connections without TLS"
  },
  {
    rule: "plaintext_transport",
    types: /^azurerm_redis_cache$/,
    attribute: "enable_non_ssl_port",
    value: yes,
    effect: "accepts connections without TLS"
  },
  {
    rule: "plaintext_transport",
    types: /^azurerm_redis_cache$/,
    attribute: "non_ssl_port_enabled",
    value: yes,
    effect: "accepts connections without TLS"
  },
  {
    rule: "plaintext_transport",
    types: /^azurerm_(?:linux_|windows_)?(?:app_service|web_app|function_app)$/,
    attribute: "https_only",
    value: no,
    effect: "answers over plain HTTP"
  },
  {
    rule: "audit_log_off",
    types: /^aws_cloudtrail$/,
    attribute: "enable_logging",
    value: no,
    effect: "records nothing"
  },
  {
    rule: "audit_log_off",
    types: /^aws_redshift_cluster$/,
    path: ["logging"],
    attribute: "enable",
    value: no,
    effect: "records no connections and no queries"
  },
  {
    rule: "audit_log_off",
    types: /^google_container_cluster$/,
    attribute: "logging_service",
    value: /^none$/,
    effect: "keeps no log of its API and its workloads"
  },
  {
    rule: "password_login",
    types: /^azurerm_linux_virtual_machine(?:_scale_set)?$/,
    attribute: "disable_password_authentication",
    value: no,
    effect: "accepts passwords for SSH"
  },
  {
    rule: "open_network_default",
    types: /^azurerm_storage_account$/,
    path: ["network_rules"],
    attribute: "default_action",
    value: /^Allow$/,
    effect: "lets in every network that no rule names"
  },
  {
    rule: "open_network_default",
    types: /^azurerm_storage_account_network_rules$/,
    attribute: "default_action",
    value: /^Allow$/,
    effect: "lets in every network that no rule names"
  },
  {
    rule: "open_network_default",
    types: /^azurerm_key_vault$/,
    path: ["network_acls"],
    attribute: "default_action",
    value: /^Allow$/,
    effect: "lets in every network that no rule names"
  },
  {
    rule: "open_function_url",
    types: /^aws_lambda_function_url$/,
    attribute: "authorization_type",
    value: /^NONE$/,
    effect: "is called by anyone who has its address"
  },
  {
    rule: "key_rotation_off",
    types: /^aws_kms_key$/,
    attribute: "enable_key_rotation",
    value: no,
    effect: "is never replaced"
  },
  {
    rule: "mutable_image_tags",
    types: /^aws_ecr_repository$/,
    attribute: "image_tag_mutability",
    value: /^MUTABLE$/,
    effect: "lets an image be replaced under a tag that is in use"
  },
  {
    rule: "unencrypted_storage",
    types: /^aws_(?:elasticsearch|opensearch)_domain$/,
    path: ["encrypt_at_rest"],
    attribute: "enabled",
    value: no,
    effect: "keeps its data on disk as it is"
  },
  {
    rule: "unencrypted_storage",
    types: /^aws_kinesis_stream$/,
    attribute: "encryption_type",
    value: /^NONE$/,
    effect: "keeps its records as they are"
  },
  {
    rule: "unencrypted_storage",
    types: /^aws_sqs_queue$/,
    attribute: "sqs_managed_sse_enabled",
    value: no,
    effect: "keeps its messages as they are"
  },
  {
    rule: "unencrypted_storage",
    types: /^azurerm_managed_disk$/,
    path: ["encryption_settings"],
    attribute: "enabled",
    value: no,
    effect: "is not encrypted"
  }
]

const holdersOf = (block: Block, path: ReadonlyArray<string>): ReadonlyArray<Block> =>
  path.reduce<ReadonlyArray<Block>>(
    (found, type) => found.flatMap((one) => one.blocks.filter((child) => child.type === type)),
    [block]
  )

/** An asymmetric or imported key cannot be rotated; a customer key stands in for the queue's own encryption. */
const excused = (block: Block, { rule, attribute }: Setting): boolean =>
  (rule === "key_rotation_off" &&
    ["customer_master_key_spec", "key_usage", "key_spec"].some((name) => name in block.attributes)) ||
  (attribute === "sqs_managed_sse_enabled" && "kms_master_key_id" in block.attributes)

const problemOf = (block: Block, holder: Block, { rule, attribute, effect }: Setting): Problem => ({
  rule,
  at: holder.attributes[attribute]!,
  message: `${nameOf(block)} ${effect} (\`${attribute}\`).`
})

/** Protections that a single attribute switches off. */
export const switches: Check = (block, values, report) => {
  if (block.type !== "resource") return
  const type = block.labels[0] ?? ""
  for (const setting of settings) {
    if (!setting.types.test(type) || excused(block, setting)) continue
    for (const holder of holdersOf(block, setting.path ?? [])) {
      const value = textOf(holder, setting.attribute, values)
      if (value !== null && setting.value.test(value)) report(problemOf(block, holder, setting))
    }
  }
}
