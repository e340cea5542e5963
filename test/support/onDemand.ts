import { createServer } from "node:net"

export interface Running {
  /** JSON that says how a test file reaches it. */
  readonly answer: object
  readonly stop: () => Promise<void>
}

export interface OnDemand {
  readonly port: number
  readonly stop: () => Promise<void>
}

/**
 * What one run has once, started when the first test file asks for it. It answers on a loopback port because the forks of a
 * run share no memory.
 */
export const onDemand = async (start: () => Promise<Running>): Promise<OnDemand> => {
  let running: Promise<Running> | undefined
  const listener = createServer((socket) => {
    socket.on("error", () => undefined)
    running ??= start()
    running.then(
      ({ answer }) => socket.end(JSON.stringify(answer)),
      (error) => socket.end(JSON.stringify({ error: String(error) }))
    )
  })
  await new Promise<void>((resolve, reject) => listener.once("error", reject).listen(0, "127.0.0.1", resolve))
  const address = listener.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    stop: async () => {
      listener.close()
      await running?.then(
        ({ stop }) => stop(),
        () => undefined
      )
    }
  }
}
