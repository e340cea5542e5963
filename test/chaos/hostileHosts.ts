import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { Effect } from "effect"
import { aServer, servesGit } from "../support/gitServer.ts"

/** What a remote does to those that call it. */
export const manners = ["hang", "drip", "redirect", "junk"] as const
export type Manner = (typeof manners)[number]

const drip = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/x-git-upload-pack-advertisement" })
  const timer = setInterval(() => response.write("0"), 1000)
  response.on("close", () => clearInterval(timer))
}

const treat = (manner: Manner, inner: string, response: ServerResponse) => {
  switch (manner) {
    case "hang":
      return
    case "drip":
      return drip(response)
    case "redirect":
      return response.writeHead(302, { location: inner }).end()
    case "junk":
      return response.writeHead(200, { "content-type": "text/html" }).end("\u0000\u0001<junk>{]".repeat(5000))
  }
}

const mannerOf = ({ url = "" }: IncomingMessage) => manners.find((manner) => url.includes(manner))

/** A code host and webhook receivers; `isWell` until they turn hostile, each by the manner that its path names. */
export const hostileHosts = (folder: string) =>
  Effect.gen(function* () {
    const state = { isWell: true }
    /** Requests that someone made because a redirect said so. */
    const inside: Array<string> = []
    const inner = yield* aServer((request, response) => {
      inside.push(request.url ?? "")
      response.end("secret")
    })
    const git = servesGit(folder)
    const answer: RequestListener = (request, response) => {
      const manner = mannerOf(request)
      if (!state.isWell && manner !== undefined) return treat(manner, `http://127.0.0.1:${inner}/secret`, response)
      return request.url?.startsWith("/hook") === true ? response.end() : git(request, response)
    }
    const port = yield* aServer(answer)
    return { state, inside, url: `http://127.0.0.1:${port}` }
  })
