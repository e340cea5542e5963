import { Effect } from "effect"
import type { AppConfig } from "./Config.ts"
import { extraAuthorities } from "./certificates.ts"

/** How this installation reaches other hosts, by git and by HTTP. */
export const outboundSettings = (config: AppConfig) =>
  Effect.map(extraAuthorities(config.extraAuthorities), (authorities) => ({
    allowPrivateNetwork: config.allowPrivateNetwork,
    extraAuthorities: authorities,
    proxies: { https: config.httpsProxy, http: config.httpProxy, except: config.proxyExceptions }
  }))
