import { Layer } from "effect"
import * as OutboundHttp from "../../../src/layers/OutboundHttp.ts"
import { noProxy } from "../../../src/layers/Proxy.ts"
import * as Trackers from "../../../src/layers/Trackers.ts"

/** Trackers as the service calls them, which may be on this machine. */
export const TrackersLive = Layer.provide(
  Trackers.layer,
  OutboundHttp.layer({ allowPrivateNetwork: true, extraAuthorities: null, proxies: noProxy })
)
