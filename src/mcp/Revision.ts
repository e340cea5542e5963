import type { Message, RpcError } from "./JsonRpc.ts"
import type { Methods } from "./McpMethods.ts"

export interface Headers {
  readonly [name: string]: string | undefined
}

/** What differs between the revisions of the protocol. */
export interface Revision {
  readonly methods: Methods
  /** What the revision requires of a message and of the headers it came with; `null`: nothing is missing. */
  readonly problemOf: (headers: Headers, message: Message) => RpcError | null
  readonly statusOfUnknownMethod: number
}

export const versionHeader = "mcp-protocol-version"
