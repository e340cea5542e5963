import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { JSONRPCMessage, JSONRPCRequest, MessageExtraInfo } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"

/**
 * Lets one SDK server answer every HTTP request. Each request travels under an id of our own, so that two clients that
 * both count from 1 never meet; the SDK's own transports are per request and several times as slow.
 */
export class Exchange implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  private nextId = 1
  private readonly waiting = new Map<number, (answer: JSONRPCMessage) => void>()

  start(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    this.onclose?.()
    return Promise.resolve()
  }

  /** Answers find the request they belong to; a stateless client has nowhere to receive anything else. */
  send(message: JSONRPCMessage): Promise<void> {
    if (("result" in message || "error" in message) && typeof message.id === "number") {
      const settle = this.waiting.get(message.id)
      this.waiting.delete(message.id)
      settle?.(message)
    }
    return Promise.resolve()
  }

  /** Sends one request through the server; when the client goes away the server is told to stop working on it. */
  request(message: JSONRPCRequest, authInfo: AuthInfo): Effect.Effect<JSONRPCMessage> {
    return Effect.async((resume) => {
      const id = this.nextId++
      this.waiting.set(id, (answer) => resume(Effect.succeed({ ...answer, id: message.id } as JSONRPCMessage)))
      this.onmessage?.({ ...message, id }, { authInfo })
      return Effect.sync(() => {
        this.waiting.delete(id)
        this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })
      })
    })
  }
}
