import { type Check, inner, isFalse, isTrue, nameOf, stringsOf, textOf } from "./Resource.ts"

const everyone = /^(?:allUsers|allAuthenticatedUsers)$/

export const buckets: Check = (block, values, report) => {
  const type = block.labels[0] ?? ""
  const say = (name: string, message: string): void =>
    report({ rule: "public_storage", at: block.attributes[name]!, message })
  if (/^aws_s3_bucket(?:_acl|_object)?$/.test(type) && inner(block, "website").length === 0) {
    const acl = textOf(block, "acl", values)
    if (acl === "public-read" || acl === "public-read-write") say("acl", `Anyone may read ${nameOf(block)}.`)
  }
  if (/^aws_s3_(?:bucket|account)_public_access_block$/.test(type)) {
    for (const name of ["block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"]) {
      if (!isFalse(block, name, values)) continue
      say(name, `\`${name}\` is off: one policy or one object's ACL makes the bucket public.`)
      break
    }
  }
  if (/^google_storage_(?:bucket|default_object|object)_(?:iam_member|iam_binding|access_control|acl)$/.test(type)) {
    for (const name of ["member", "members", "entity", "role_entity"]) {
      if (stringsOf(block, name, values).some((one) => everyone.test(one.split(":").at(-1)!)))
        say(name, `${nameOf(block)} is for everyone.`)
    }
  }
  for (const name of ["allow_blob_public_access", "allow_nested_items_to_be_public"]) {
    if (type === "azurerm_storage_account" && isTrue(block, name, values))
      say(name, `Containers of ${nameOf(block)} may be made public.`)
  }
  if (
    type === "azurerm_storage_container" &&
    /^(?:blob|container)$/.test(textOf(block, "container_access_type", values) ?? "")
  ) {
    say("container_access_type", `Anyone may read ${nameOf(block)}.`)
  }
}

/** Attribute that encrypts, by type; left out it means no. What is restored keeps what its snapshot has. */
const encrypting: Readonly<Record<string, string>> = {
  aws_db_instance: "storage_encrypted",
  aws_rds_cluster: "storage_encrypted",
  aws_docdb_cluster: "storage_encrypted",
  aws_neptune_cluster: "storage_encrypted",
  aws_efs_file_system: "encrypted",
  aws_redshift_cluster: "encrypted",
  aws_ebs_volume: "encrypted",
  aws_elasticache_replication_group: "at_rest_encryption_enabled"
}
/** Encrypted by default in accounts that are set up so: reported only when it is turned off. */
const onlyExplicit = new Set(["aws_ebs_volume", "aws_redshift_cluster"])
const restored = [
  "snapshot_identifier",
  "replicate_source_db",
  "global_cluster_identifier",
  "replication_source_identifier",
  "snapshot_id"
]

export const encryption: Check = (block, values, report) => {
  const type = block.labels[0] ?? ""
  for (const holder of block.blocks) {
    if (!/^(?:root|ebs)_block_device$/.test(holder.type) || !isFalse(holder, "encrypted", values)) continue
    report({
      rule: "unencrypted_storage",
      at: holder.attributes.encrypted!,
      message: `A disk of ${nameOf(block)} is not encrypted.`
    })
  }
  if (!Object.hasOwn(encrypting, type)) return
  const name = encrypting[type]!
  const attribute = block.attributes[name]
  if (
    attribute === undefined
      ? onlyExplicit.has(type) || restored.some((one) => one in block.attributes)
      : !isFalse(block, name, values)
  )
    return
  const how = attribute === undefined ? `has no \`${name}\`, which is off by default` : `sets \`${name}\` to false`
  report({
    rule: "unencrypted_storage",
    at: attribute ?? block,
    message: `${nameOf(block)} ${how}: its data lies on disk as it is.`
  })
}

export const backups: Check = (block, values, report) => {
  if (!/^aws_(?:db_instance|rds_cluster|docdb_cluster)$/.test(block.labels[0] ?? "")) return
  if (textOf(block, "backup_retention_period", values) !== "0" || "replicate_source_db" in block.attributes) return
  report({
    rule: "no_backups",
    at: block.attributes.backup_retention_period!,
    message: `${nameOf(block)} keeps no backup to go back to.`
  })
}
