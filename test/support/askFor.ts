import { createConnection } from "node:net"
import { Effect } from "effect"

/** Asks for what this run has once (`onDemand.ts`). */
export const askFor = <A extends object>(port: number) =>
  Effect.async<A>((resume) => {
    let text = ""
    const socket = createConnection(port, "127.0.0.1")
    socket.on("data", (chunk) => {
      text += chunk
    })
    socket.once("error", (error) => resume(Effect.die(error)))
    socket.once("end", () => {
      const answer: A | { readonly error: string } = JSON.parse(text)
      resume("error" in answer ? Effect.dieMessage(String(answer.error)) : Effect.succeed(answer))
    })
  })
