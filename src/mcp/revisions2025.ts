import type { InitializeResult } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { isRecord } from "../services/support/isRecord.ts"
import { errorCodes, invalidParams, RpcError, toJson } from "./JsonRpc.ts"
import { capabilities, instructions, type Method, type Methods, serverInfo } from "./McpMethods.ts"
import { type Revision, versionHeader } from "./Revision.ts"
import { latest } from "./revision2026.ts"

/** The revisions with a handshake, newest first. */
export const handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const

// A client that asks for another revision is offered the newest with a handshake, and decides.
const initialize: Method = ({ protocolVersion, clientInfo }) => {
  if (typeof protocolVersion !== "string") return Effect.fail(invalidParams("initialize needs a protocolVersion."))
  if (!isRecord(clientInfo)) return Effect.fail(invalidParams("initialize needs clientInfo."))
  const result: InitializeResult = {
    protocolVersion: handshakeVersions.find((version) => version === protocolVersion) ?? handshakeVersions[0],
    capabilities,
    serverInfo,
    instructions
  }
  return Effect.succeed({
    protocolVersion: toJson(result.protocolVersion),
    capabilities: toJson(result.capabilities),
    serverInfo: toJson(result.serverInfo),
    instructions: toJson(result.instructions)
  })
}

const ping: Method = () => Effect.succeed({})

const unsupported = new RpcError({
  code: errorCodes.invalidHttp,
  message: `Unsupported protocol version; supported: ${[latest, ...handshakeVersions].join(", ")}.`,
  status: 400
})

/** The revisions with a handshake, up to 2025-11-25; without sessions, each request is served on its own. */
export const revisions2025 = (methods: Methods): Revision => ({
  methods: new Map([...methods, ["initialize", initialize], ["ping", ping]]),
  problemOf: (headers) => {
    const version = headers[versionHeader]
    return version === undefined || handshakeVersions.some((known) => known === version) ? null : unsupported
  },
  statusOfUnknownMethod: 200
})
