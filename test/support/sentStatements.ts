import { Effect } from "effect"
import pg from "pg"

/** Uses of keys are noted after the answer, and no call waits for that. */
const isWaitedFor = (text: string) => !/^\s*UPDATE api_keys\b/.test(text)

/** Runs the effect; its result, and the statements that any fiber of this process sent meanwhile and waited for. */
export const withSentStatements = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<readonly [result: A, statements: ReadonlyArray<string>], E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const { query } = pg.Client.prototype
      const statements: Array<string> = []
      pg.Client.prototype.query = function (this: pg.Client, ...args: ReadonlyArray<unknown>) {
        const { text } = args[0] as { readonly text: string }
        if (isWaitedFor(text)) statements.push(text)
        return Reflect.apply(query, this, args)
      } as typeof query
      return { query, statements }
    }),
    ({ statements }) => Effect.map(effect, (result) => [result, statements] as const),
    ({ query }) =>
      Effect.sync(() => {
        pg.Client.prototype.query = query
      })
  )
