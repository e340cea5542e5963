import { ApiError, errorOf, unreachable } from "./ApiError.ts"

export interface StreamedEvent {
  readonly id: string
  readonly type: string
  readonly data: string
}

/** Reads server-sent events out of the pieces of a response, wherever the pieces end. */
export const eventParser = (): ((piece: string) => ReadonlyArray<StreamedEvent>) => {
  let rest = ""
  return (piece) => {
    const blocks = (rest + piece).replaceAll("\r\n", "\n").split("\n\n")
    rest = blocks.pop() ?? ""
    return blocks.flatMap((block) => {
      const event = eventOf(block)
      return event === null ? [] : [event]
    })
  }
}

const eventOf = (block: string): StreamedEvent | null => {
  const fields = { id: "", event: "message" }
  const data: Array<string> = []
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (value === undefined) continue
    if (name === "data") data.push(value)
    else if (name === "id" || name === "event") fields[name] = value
  }
  // A comment keeps the connection awake and says nothing.
  return data.length === 0 ? null : { id: fields.id, type: fields.event, data: data.join("\n") }
}

export type Connection = "connecting" | "live" | "interrupted" | "ended"

interface Follower {
  readonly url: string
  /** Events in the order in which they happened; `isOver` among them ends the stream for good. */
  readonly onEvents: (events: ReadonlyArray<StreamedEvent>) => void
  readonly onConnection: (connection: Connection) => void
  /** An error that trying again does not change. */
  readonly onError: (error: Error) => void
  readonly isOver: (event: StreamedEvent) => boolean
}

// The server writes at least every 15 seconds; a connection that is silent for longer is dead, whatever the browser thinks.
const longestSilence = 40_000
const shortestPause = 500
const longestPause = 10_000

/**
 * Follows a stream of events until it is over or the function that is returned is called. A connection that breaks, falls
 * silent, or was asleep with the machine is opened again after the last event that came, so none is lost and none comes
 * twice. `EventSource` would not see the silence, and gives up on a server that answers 503 while it starts.
 */
export const followEvents = (follower: Follower): (() => void) => {
  const stop = new AbortController()
  void follow(follower, stop.signal)
  return () => stop.abort()
}

const follow = async (follower: Follower, stop: AbortSignal): Promise<void> => {
  let lastId = ""
  let pause = shortestPause
  while (!stop.aborted) {
    const end = await readOnce(follower, stop, lastId, (id) => {
      if (id !== "") lastId = id
      pause = shortestPause
    })
    if (stop.aborted) return
    if (end === "over") return follower.onConnection("ended")
    if (end !== "broken") {
      follower.onConnection("interrupted")
      return follower.onError(end)
    }
    follower.onConnection("interrupted")
    await wakefulPause(pause, stop)
    pause = Math.min(pause * 2, longestPause)
  }
}

type End = "over" | "broken" | ApiError

/** One connection, until it ends; the error is one that another connection would meet, too. */
const readOnce = async (
  { url, onEvents, onConnection, isOver }: Follower,
  stop: AbortSignal,
  lastId: string,
  onId: (id: string) => void
): Promise<End> => {
  const connection = new AbortController()
  const signal = AbortSignal.any([stop, connection.signal])
  const watch = watchSilence(() => connection.abort())
  try {
    const headers = { accept: "text/event-stream", ...(lastId === "" ? {} : { "last-event-id": lastId }) }
    const response = await fetch(url, { headers, signal, cache: "no-store" })
    if (!response.ok) return await rejection(response)
    onConnection("live")
    const parse = eventParser()
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    if (reader === undefined) return unreachable()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return "broken"
      watch.heard()
      const events = parse(value)
      if (events.length === 0) continue
      onId(events.at(-1)?.id ?? "")
      onEvents(events)
      if (events.some(isOver)) return "over"
    }
  } catch {
    return "broken"
  } finally {
    watch.end()
    connection.abort()
  }
}

const rejection = async (response: Response): Promise<End> => {
  if (response.status >= 500 || response.status === 429) return "broken"
  const body: unknown = await response.json().catch(() => null)
  return errorOf(response, body)
}

/** Calls back once nothing was heard for too long; also right after the machine was asleep. */
const watchSilence = (onSilence: () => void) => {
  let heardAt = Date.now()
  const look = () => {
    if (Date.now() - heardAt > longestSilence) onSilence()
  }
  const timer = setInterval(look, 5_000)
  document.addEventListener("visibilitychange", look)
  return {
    heard: () => {
      heardAt = Date.now()
    },
    end: () => {
      clearInterval(timer)
      document.removeEventListener("visibilitychange", look)
    }
  }
}

/** Waits, but no longer than until the network is back or someone looks at the page again. */
const wakefulPause = (millis: number, stop: AbortSignal) =>
  new Promise<void>((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      window.removeEventListener("online", wake)
      document.removeEventListener("visibilitychange", wake)
      stop.removeEventListener("abort", wake)
      resolve()
    }
    const timer = setTimeout(wake, millis)
    window.addEventListener("online", wake)
    document.addEventListener("visibilitychange", wake)
    stop.addEventListener("abort", wake)
  })
