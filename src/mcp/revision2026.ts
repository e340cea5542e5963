import { Effect } from "effect"
import { clip } from "../schema/characters.ts"
import { isRecord } from "../services/support/isRecord.ts"
import { errorCodes, type JsonFields, type Message, maxShown, RpcError, toJson } from "./JsonRpc.ts"
import { capabilities, instructions, type Method, type Methods, serverInfo } from "./McpMethods.ts"
import { type Headers, type Revision, versionHeader } from "./Revision.ts"

export const latest = "2026-07-28"

const versionKey = "io.modelcontextprotocol/protocolVersion"
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

const metaOf = ({ params }: Message): Readonly<Record<string, unknown>> => (isRecord(params._meta) ? params._meta : {})

// Versions are dates.
const isLatestOrLater = (version: string | undefined) => version !== undefined && version >= latest

/** Whether a message is sent in the terms of the revision without a handshake, complete or not. */
export const speaks2026 = (headers: Headers, message: Message): boolean =>
  isLatestOrLater(headers[versionHeader]) || Object.hasOwn(metaOf(message), versionKey)

/** Revision 2026-07-28: no handshake, each request carries its version and capabilities. */
export const revision2026 = (methods: Methods): Revision => ({
  methods: new Map(
    [...methods, ["server/discover", discover] as const].map(([name, method]) => [name, completed(name, method)])
  ),
  problemOf: (headers, message) => {
    for (const problemOf of requirements) {
      const problem = problemOf(headers, message)
      if (problem !== null) return problem
    }
    return null
  },
  statusOfUnknownMethod: 404
})

const discover: Method = () =>
  Effect.succeed({
    supportedVersions: toJson([latest]),
    capabilities: toJson(capabilities),
    instructions: toJson(instructions)
  })

/** The lists change with a release only; who may call what differs by key, so no shared cache may keep them. */
const cacheHint = { ttlMs: toJson(300_000), cacheScope: toJson("private") }
const cached = new Set(["server/discover", "tools/list", "prompts/list"])

const completed = (name: string, method: Method): Method => {
  const fields: JsonFields = {
    resultType: toJson("complete"),
    ...(cached.has(name) ? cacheHint : {}),
    _meta: toJson({ "io.modelcontextprotocol/serverInfo": serverInfo })
  }
  return (params, identity) => Effect.map(method(params, identity), (result) => ({ ...result, ...fields }))
}

type Requirement = (headers: Headers, message: Message) => RpcError | null

const envelopeProblem = (key: string, problem: string) =>
  new RpcError({
    code: errorCodes.invalidParams,
    message: `_meta of revision ${latest}: ${key}: ${problem}`,
    status: 400,
    data: { envelope: { key, problem } }
  })

const mismatch = (message: string) => new RpcError({ code: errorCodes.headerMismatch, message, status: 400 })

const envelope: Requirement = (_, message) => {
  const meta = metaOf(message)
  if (message.id === undefined && meta[versionKey] === undefined) return null
  if (meta[versionKey] === undefined) return envelopeProblem(versionKey, "missing")
  if (typeof meta[versionKey] !== "string") return envelopeProblem(versionKey, "must be a string")
  if (message.id === undefined) return null
  if (meta[capabilitiesKey] === undefined) return envelopeProblem(capabilitiesKey, "missing")
  return isRecord(meta[capabilitiesKey]) ? null : envelopeProblem(capabilitiesKey, "must be an object")
}

const shown = (given: unknown) => clip(String(given), maxShown)

const version: Requirement = (headers, message) => {
  const named = headers[versionHeader]
  const requested = metaOf(message)[versionKey] ?? named
  if (named !== undefined && named !== requested) {
    return mismatch(`The header MCP-Protocol-Version names ${named}, the message ${shown(requested)}.`)
  }
  if (requested !== latest) {
    return new RpcError({
      code: errorCodes.unsupportedVersion,
      message: `Unsupported protocol version: ${shown(requested)}`,
      status: 400,
      data: { supported: [latest], requested: shown(requested) }
    })
  }
  return named === undefined && message.id !== undefined
    ? mismatch("A request needs the header MCP-Protocol-Version.")
    : null
}

const methodName: Requirement = (headers, { id, method }) => {
  const named = headers["mcp-method"]
  if (named === undefined) return id === undefined ? null : mismatch("A request needs the header Mcp-Method.")
  return named === method ? null : mismatch(`The header Mcp-Method names ${named}, the message ${shown(method)}.`)
}

const methodsWithName = new Set(["tools/call", "prompts/get"])

const objectName: Requirement = (headers, { id, method, params }) => {
  const { name } = params
  if (id === undefined || !methodsWithName.has(method)) return null
  const header = headers["mcp-name"]
  if (header === undefined) {
    return typeof name === "string" ? mismatch(`${method} needs the header Mcp-Name.`) : null
  }
  const named = decodedName(header)
  if (named === null) return mismatch("The header Mcp-Name is not valid Base64.")
  return typeof name === "string" && named !== name
    ? mismatch(`The header Mcp-Name names ${named}, the message ${shown(name)}.`)
    : null
}

/** What ASCII headers cannot hold is sent in Base64, marked as such. */
const decodedName = (header: string): string | null => {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  if (encoded === undefined) return header
  const bytes = Buffer.from(encoded, "base64")
  return bytes.toString("base64") === encoded ? bytes.toString("utf8") : null
}

const requirements: ReadonlyArray<Requirement> = [envelope, version, methodName, objectName]
