import { isMap } from "yaml"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { imageOf } from "../../languages/formats/dockerfile.ts"
import {
  entriesOf,
  entryOf,
  isTrue,
  itemsOf,
  rangeOf,
  scalarOf,
  textAt,
  valueAt,
  type YamlDocument,
  type YamlEntry
} from "../../languages/formats/yaml.ts"
import { type FloatingImage, isFloating } from "./images.ts"
import type { RuleId } from "./rules.ts"
import { isSecretName, isWrittenOut } from "./secrets.ts"

const composeName = /(?:^|\/)(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/i
/** Started on a developer's machine or for a test run, with passwords that everyone may know. */
const throwaway =
  /(?:^|[/._-])(?:devcontainer|gitpod|hack|integration|dev|devel|development|local|test|tests|testing|ci|e2e|override|debug|example|sample|demo)(?:[/._-]|$)/i

export const isComposePath = (path: string): boolean => composeName.test(path)

const dangerous = /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE|SYS_RAWIO|DAC_READ_SEARCH|BPF)$/i
export const isDangerousCapability = (name: string): boolean => dangerous.test(name)

const socket = /(?:^|\/)(?:docker|containerd|crio|podman)\.sock$/
const hostFolder = /^\/(?:etc|root|proc|sys|boot|dev|var|var\/run|run|var\/lib\/docker|var\/lib\/kubelet|usr|home)?\/?$/
/** What of the host a path gives away, for a sentence; null for ordinary folders and files. */
export const hostSecret = (path: string): string | null =>
  socket.test(path) ? "the container runtime's socket" : hostFolder.test(path) ? `the host's \`${path}\`` : null

const sourceOf = (document: YamlDocument, volume: Parameters<typeof valueAt>[1]): string | null => {
  const short = scalarOf(document, volume)
  return short === null ? textAt(document, volume, "source") : short.split(":", 1)[0]!
}

const isReadOnly = (document: YamlDocument, volume: Parameters<typeof valueAt>[1]): boolean => {
  const short = scalarOf(document, volume)
  return short === null ? isTrue(document, valueAt(document, volume, "read_only")) : /:ro(?:,|$)/.test(short)
}

const inspectRights = (document: YamlDocument, name: string, service: YamlEntry["value"], emit: Emit<RuleId>): void => {
  const privileged = entryOf(document, service, "privileged")
  if (privileged !== null && isTrue(document, privileged.value)) {
    const message = `Service \`${name}\` is \`privileged\`: nothing separates it from the host.`
    emit({ rule: "privileged", ...rangeOf(privileged.keyNode), message, identifiers: [name] })
  }
  for (const item of itemsOf(document, valueAt(document, service, "cap_add"))) {
    const capability = scalarOf(document, item) ?? ""
    if (!isDangerousCapability(capability)) continue
    const message = `Service \`${name}\` gets the capability \`${capability}\`.`
    emit({ rule: "privileged", ...rangeOf(item), message, identifiers: [name] })
  }
  for (const key of ["pid", "ipc", "network_mode"]) {
    const entry = entryOf(document, service, key)
    if (entry === null || textAt(document, service, key) !== "host") continue
    const message = `Service \`${name}\` shares the host's ${key === "pid" ? "processes" : key === "ipc" ? "memory" : "network"} (\`${key}: host\`).`
    emit({
      // The network and the memory of the host are less than its processes.
      rule: key === "pid" ? "host_access" : "host_namespace",
      ...rangeOf(entry.keyNode),
      message,
      identifiers: [name]
    })
  }
  for (const volume of itemsOf(document, valueAt(document, service, "volumes"))) {
    const source = sourceOf(document, volume)
    const secret = source === null ? null : hostSecret(source)
    if (secret === null) continue
    // Agents read the host's files; only the socket is as strong when mounted for reading.
    const isSocket = socket.test(source!)
    if (!isSocket && isReadOnly(document, volume)) continue
    emit({
      rule: "host_access",
      ...rangeOf(volume),
      message: `Service \`${name}\` mounts ${secret}.`,
      identifiers: [name]
    })
  }
}

const databases: ReadonlyMap<string, RegExp> = new Map([
  ["postgres", /^(?:5432)$/],
  ["mysql", /^(?:3306|33060)$/],
  ["mariadb", /^(?:3306)$/],
  ["mongo", /^(?:27017)$/],
  ["redis", /^(?:6379)$/],
  ["valkey", /^(?:6379)$/],
  ["memcached", /^(?:11211)$/],
  ["elasticsearch", /^(?:9200|9300)$/],
  ["opensearch", /^(?:9200|9600)$/],
  ["rabbitmq", /^(?:5672|15672)$/],
  ["cassandra", /^(?:9042)$/],
  ["clickhouse-server", /^(?:8123|9000)$/],
  ["couchdb", /^(?:5984)$/],
  ["influxdb", /^(?:8086)$/],
  ["neo4j", /^(?:7474|7687)$/]
])

/** A published port without the address of one interface: the container's side of it, or null. */
const publishedPort = (document: YamlDocument, port: Parameters<typeof valueAt>[1]): string | null => {
  const short = scalarOf(document, port)
  if (short !== null) return /^["']?\d+:(\d+)(?:\/tcp)?["']?$/.exec(short)?.[1] ?? null
  if (textAt(document, port, "host_ip") !== null || textAt(document, port, "published") === null) return null
  return textAt(document, port, "target")
}

const inspectPorts = (document: YamlDocument, name: string, service: YamlEntry["value"], emit: Emit<RuleId>): void => {
  const image = imageOf(textAt(document, service, "image") ?? "")
  const ports = databases.get(image?.name.split("/").at(-1) ?? "")
  if (ports === undefined) return
  for (const item of itemsOf(document, valueAt(document, service, "ports"))) {
    const port = publishedPort(document, item)
    if (port === null || !ports.test(port)) continue
    const message = `Service \`${name}\` publishes port ${port} of \`${image!.name}\` on every address of the host, past its firewall.`
    emit({ rule: "published_database_port", ...rangeOf(item), message, noun: `${image!.name}:${port}` })
  }
}

const inspectProfiles = (
  document: YamlDocument,
  name: string,
  service: YamlEntry["value"],
  emit: Emit<RuleId>
): void => {
  for (const item of itemsOf(document, valueAt(document, service, "security_opt"))) {
    const option = scalarOf(document, item) ?? ""
    if (!/^(?:seccomp|apparmor)[:=]unconfined$/.test(option)) continue
    const message = `Service \`${name}\` runs without a profile (\`${option}\`).`
    emit({ rule: "unconfined_profile", ...rangeOf(item), message })
  }
}

const environmentOf = (
  document: YamlDocument,
  service: YamlEntry["value"]
): ReadonlyArray<{ readonly name: string; readonly value: string; readonly node: NonNullable<YamlEntry["value"]> }> => {
  const environment = valueAt(document, service, "environment")
  if (isMap(environment)) {
    return entriesOf(document, environment).flatMap(({ key, value }) => {
      const text = scalarOf(document, value)
      return text === null || value === null ? [] : [{ name: key, value: text, node: value }]
    })
  }
  return itemsOf(document, environment).flatMap((item) => {
    const text = scalarOf(document, item) ?? ""
    const equals = text.indexOf("=")
    return equals < 0 ? [] : [{ name: text.slice(0, equals), value: text.slice(equals + 1), node: item }]
  })
}

const inspectEnvironment = (
  document: YamlDocument,
  name: string,
  service: YamlEntry["value"],
  emit: Emit<RuleId>
): void => {
  for (const { name: variable, value, node } of environmentOf(document, service)) {
    if (!isSecretName(variable) || !isWrittenOut(value)) continue
    const { start, end } = rangeOf(node)
    emit({
      rule: "hardcoded_credential",
      start,
      end,
      message: `\`${variable}\` of service \`${name}\` is written out in the file.`,
      redact: [[start, end]],
      identifiers: [variable]
    })
  }
}

const floatingImage = (
  document: YamlDocument,
  name: string,
  service: YamlEntry["value"]
): ReadonlyArray<FloatingImage> => {
  const node = valueAt(document, service, "image")
  const image = imageOf(scalarOf(document, node) ?? "")
  if (node === null || image === null || !isFloating(image) || entryOf(document, service, "build") !== null) return []
  const message = `Service \`${name}\` runs whatever \`${image.name}\` is on the day it starts.`
  return [{ image: image.name, tag: image.tag, message, ...rangeOf(node) }]
}

/** Returns the images without a version. */
export const inspectCompose = (
  document: YamlDocument,
  path: string,
  emit: Emit<RuleId>
): ReadonlyArray<FloatingImage> => {
  const services = valueAt(document, document.root, "services")
  if (!isMap(services)) return []
  const isThrowaway = throwaway.test(path)
  const images: Array<FloatingImage> = []
  for (const { key, value } of entriesOf(document, services)) {
    if (!isMap(value)) continue
    inspectRights(document, key, value, emit)
    if (isThrowaway) continue
    inspectProfiles(document, key, value, emit)
    inspectPorts(document, key, value, emit)
    inspectEnvironment(document, key, value, emit)
    images.push(...floatingImage(document, key, value))
  }
  return images
}
