import * as OutboundHttp from "../../src/layers/OutboundHttp.ts"
import { noProxy } from "../../src/layers/Proxy.ts"

export const outboundOptions: OutboundHttp.OutboundHttpOptions = {
  allowPrivateNetwork: true,
  extraAuthorities: null,
  proxies: noProxy
}

/** Calls to servers of a test, which are on this machine. */
export const LocalOutboundHttp = OutboundHttp.layer(outboundOptions)
