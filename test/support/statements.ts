import { Effect, Tracer } from "effect"

/** Runs the effect; its result, and the operations of the database statements that it executed, in order. */
export const withStatements = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<readonly [result: A, statements: ReadonlyArray<string>], E, R> =>
  Effect.gen(function* () {
    const statements: Array<string> = []
    const tracer = yield* Effect.tracer
    const recording = Tracer.make({
      span: (name, ...rest) => {
        if (name === "sql.execute" || name === "sql.transaction") statements.push(name)
        return tracer.span(name, ...rest)
      },
      context: (run, fiber) => tracer.context(run, fiber)
    })
    const result = yield* Effect.withTracer(effect, recording)
    return [result, statements] as const
  })
