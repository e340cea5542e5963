import { Effect, Ref } from "effect"

/**
 * Where people reach the web app: every link in an e-mail or a response begins with it. Never the `Host` of a request,
 * which its sender chooses.
 */
export class Site extends Effect.Service<Site>()("Site", {
  effect: Effect.map(Ref.make("http://127.0.0.1:4000"), (address) => ({
    url: Ref.get(address),
    /** The public URL, or the address that the server listens on. */
    announce: (url: string) => Ref.set(address, url)
  }))
}) {}
