import type { Block } from "../../languages/formats/terraform.ts"
import { type Check, inner, isFalse, isTrue, nameOf, stringsOf, textOf, type Values } from "./Resource.ts"

const world = /^(?:0\.0\.0\.0\/0|::\/0|\*|Internet|Any|0\.0\.0\.0)$/i

const services: ReadonlyArray<readonly [port: number, name: string]> = [
  [22, "SSH"],
  [3389, "remote desktop"],
  [5432, "PostgreSQL"],
  [3306, "MySQL"],
  [1433, "SQL Server"],
  [1521, "Oracle"],
  [6379, "Redis"],
  [27017, "MongoDB"],
  [9200, "Elasticsearch"],
  [11211, "memcached"],
  [2375, "the Docker API"],
  [5601, "Kibana"],
  [23, "Telnet"],
  [445, "SMB"]
]

/** What a range of ports lets in that is no one's business; null for web ports and the like. */
const exposed = (from: number, to: number): string | null => {
  if (Number.isNaN(from) || Number.isNaN(to)) return null
  if (from <= 0 && to >= 65_535) return "every port"
  const found = services.filter(([port]) => port >= from && port <= to).map(([, name]) => name)
  return found.length === 0 ? null : found.slice(0, 3).join(", ")
}

const exposedRange = (range: string): string | null => {
  if (range === "*") return "every port"
  const [from, to] = range.split("-")
  return exposed(Number(from), Number(to ?? from))
}

const isOpen = (block: Block, values: Values, ...names: ReadonlyArray<string>): boolean =>
  names.some((name) => stringsOf(block, name, values).some((range) => world.test(range)))

const amazonRule = (block: Block, values: Values): string | null => {
  if (!isOpen(block, values, "cidr_blocks", "ipv6_cidr_blocks", "cidr_ipv4", "cidr_ipv6")) return null
  const protocol = textOf(block, "protocol", values) ?? textOf(block, "ip_protocol", values) ?? ""
  if (protocol === "-1" || protocol === "all") return "every port"
  if (/icmp/i.test(protocol)) return null
  return exposed(
    Number(textOf(block, "from_port", values) ?? Number.NaN),
    Number(textOf(block, "to_port", values) ?? Number.NaN)
  )
}

const googleRule = (block: Block, values: Values): string | null => {
  if (textOf(block, "direction", values) === "EGRESS" || isTrue(block, "disabled", values)) return null
  if (!isOpen(block, values, "source_ranges")) return null
  for (const allow of inner(block, "allow")) {
    const protocol = textOf(allow, "protocol", values) ?? ""
    if (protocol === "all" || (/^(?:tcp|6)$/.test(protocol) && allow.attributes.ports === undefined))
      return "every port"
    for (const range of stringsOf(allow, "ports", values)) {
      const found = exposedRange(range)
      if (found !== null) return found
    }
  }
  return null
}

const azureRule = (block: Block, values: Values): string | null => {
  if (textOf(block, "direction", values)?.toLowerCase() !== "inbound") return null
  if (textOf(block, "access", values)?.toLowerCase() !== "allow") return null
  if (!isOpen(block, values, "source_address_prefix", "source_address_prefixes")) return null
  const ranges = [
    ...stringsOf(block, "destination_port_range", values),
    ...stringsOf(block, "destination_port_ranges", values)
  ]
  return ranges.map(exposedRange).find((found) => found !== null) ?? null
}

const rulesOf = (block: Block): ReadonlyArray<readonly [Block, (block: Block, values: Values) => string | null]> => {
  switch (block.labels[0]) {
    case "aws_security_group":
    case "aws_default_security_group":
      return inner(block, "ingress").map((rule) => [rule, amazonRule] as const)
    case "aws_security_group_rule":
      return [[block, (rule, values) => (textOf(rule, "type", values) === "ingress" ? amazonRule(rule, values) : null)]]
    case "aws_vpc_security_group_ingress_rule":
      return [[block, amazonRule]]
    case "google_compute_firewall":
      return [[block, googleRule]]
    case "azurerm_network_security_rule":
      return [[block, azureRule]]
    case "azurerm_network_security_group":
      return inner(block, "security_rule").map((rule) => [rule, azureRule] as const)
    default:
      return []
  }
}

export const ingress: Check = (block, values, report) => {
  for (const [rule, check] of rulesOf(block)) {
    const found = check(rule, values)
    if (found === null) continue
    report({ rule: "open_to_the_world", at: rule, message: `${nameOf(block)} lets the whole internet reach ${found}.` })
  }
}

export const databases: Check = (block, values, report) => {
  const type = block.labels[0] ?? ""
  const isDatabase =
    /^aws_(?:db_instance|rds_cluster_instance|redshift_cluster|dms_replication_instance|neptune_cluster_instance|mq_broker)$/
  if (isDatabase.test(type) && isTrue(block, "publicly_accessible", values)) {
    report({
      rule: "public_database",
      at: block.attributes.publicly_accessible!,
      message: `${nameOf(block)} gets an address on the internet.`
    })
  }
  if (type === "google_sql_database_instance") {
    const networks = block.blocks
      .flatMap((one) => inner(one, "ip_configuration"))
      .flatMap((one) => inner(one, "authorized_networks"))
    const open = networks.find((one) => isOpen(one, values, "value"))
    if (open !== undefined)
      report({ rule: "public_database", at: open, message: `${nameOf(block)} accepts connections from every address.` })
  }
  if (/^azurerm_\w*(?:sql|postgresql|mysql|mariadb)\w*_firewall_rule$/.test(type)) {
    const isAll =
      textOf(block, "start_ip_address", values) === "0.0.0.0" &&
      textOf(block, "end_ip_address", values) === "255.255.255.255"
    if (isAll)
      report({
        rule: "public_database",
        at: block,
        message: `${nameOf(block)} accepts connections from every address.`
      })
  }
}

const oldPolicies: Readonly<Record<string, RegExp>> = {
  ssl_policy: /^ELBSecurityPolicy-(?:2015-|2016-08|TLS-1-0|TLS-1-1|FS-2018|FS-1-1)/,
  minimum_protocol_version: /^(?:SSLv3|TLSv1|TLSv1_2016|TLSv1\.1_2016)$/,
  min_tls_version: /^(?:TLS_?1_[01]|1\.[01])$/,
  minimum_tls_version: /^(?:TLS_?1_[01]|1\.[01])$/,
  security_policy: /^TLS_1_0$/
}

export const transport: Check = (block, values, report) => {
  const type = block.labels[0] ?? ""
  for (const holder of [block, ...block.blocks]) {
    for (const [name, old] of Object.entries(oldPolicies)) {
      const value = holder.attributes[name] === undefined ? null : textOf(holder, name, values)
      if (value === null || !old.test(value)) continue
      report({
        rule: "outdated_tls",
        at: holder.attributes[name]!,
        message: `\`${value}\` still accepts TLS 1.0 or 1.1.`
      })
    }
  }
  if (/^aws_(?:lb|alb)_listener$/.test(type) && textOf(block, "protocol", values) === "HTTP") {
    const actions = inner(block, "default_action")
    if (actions.length > 0 && actions.every((action) => textOf(action, "type", values) === "forward")) {
      report({
        rule: "plaintext_listener",
        at: block,
        message: `${nameOf(block)} forwards what comes over plain HTTP.`
      })
    }
  }
  for (const name of ["https_traffic_only_enabled", "enable_https_traffic_only"]) {
    if (type === "azurerm_storage_account" && isFalse(block, name, values)) {
      report({
        rule: "plaintext_listener",
        at: block.attributes[name]!,
        message: `${nameOf(block)} answers over plain HTTP.`
      })
    }
  }
}
