import { HttpApiBuilder } from "@effect/platform"
import { Context, Effect, Layer } from "effect"

/** Whether a value is a service of this key that was made by its own class (`Effect.Service`). */
const isServiceOf = (key: string, value: unknown): boolean =>
  typeof value === "object" && value !== null && (value.constructor as { readonly key?: unknown }).key === key

const withoutServices = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.unsafeMake(new Map([...context.unsafeMap].filter(([key, value]) => !isServiceOf(key, value))))

/**
 * Builds a layer without the services that were made by their own class. What the framework takes from the context when it
 * registers a route or a middleware, it merges into the context of every request, again and again; an installation has more
 * than two hundred services, and handlers hold those that they need since they were built.
 */
export const leanly = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const memoMap = yield* Layer.CurrentMemoMap
      const scope = yield* Effect.scope
      return yield* Effect.mapInputContext(Layer.buildWithMemoMap(layer, memoMap, scope), withoutServices<R>)
    })
  ) as Layer.Layer<A, E, R>

/** A middleware of the whole API; what it needs beyond the request it takes when it is built. */
export const middleware = <E, R>(
  built: Effect.Effect<HttpApiBuilder.MiddlewareFn<never>, E, R>
): Layer.Layer<never, E, R> =>
  Layer.unwrapEffect(Effect.map(built, (apply) => leanly(HttpApiBuilder.middleware(apply))))
