import { Effect } from "effect"
import { findRule } from "../../engine/index.ts"
import { InvalidPayload } from "../../schema/Errors.ts"
import { Caller } from "../access/Caller.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { rulesCatalogue } from "../support/rulesCatalogue.ts"
import type { Narrowed, ObservationFilters } from "./ObservationFiltersRepo.ts"
import { ObservationListRepo } from "./ObservationListRepo.ts"

/** The filters that hold IDs, with the column that has them. */
const idColumns = { tool: "o.tool", rule: "o.rule_id" } as const

/** Filters as clients send them become what the statements of observations take. */
export class ObservationQueries extends Effect.Service<ObservationQueries>()("ObservationQueries", {
  effect: Effect.gen(function* () {
    const repo = yield* ObservationListRepo
    const repositories = yield* Repositories

    /** An ID is known to the engine, or to an observation of the workspace that an earlier engine recorded. */
    const checkIds = Effect.fnUntraced(function* (name: keyof typeof idColumns, ids: ReadonlyArray<string>) {
      const { workspace_id } = yield* Caller
      const catalogue = yield* rulesCatalogue
      const isKnown = (id: string) =>
        name === "tool" ? catalogue.some((tool) => tool.id === id) : findRule(catalogue, id) !== null
      const uncatalogued = ids.filter((id) => !isKnown(id))
      if (uncatalogued.length === 0) return
      const [unknown] = yield* repo.unknownIds({ workspace_id, column: idColumns[name], ids: uncatalogued })
      if (unknown === undefined) return
      const msg = `there is no ${name} ${unknown}; the facets of observations list those that have any`
      return yield* new InvalidPayload({
        message: `${name}: ${msg}`,
        param: name,
        errors: [{ loc: [name], msg, type: "value_error" }]
      })
    })

    /** The repository that `repo` names, and the other filters. */
    const narrowed = Effect.fnUntraced(function* ({
      repo: slug,
      ...filters
    }: ObservationFilters & { readonly repo?: string }) {
      const { workspace_id } = yield* Caller
      const repository_id = slug === undefined ? null : yield* repositories.resolveSlug(slug)
      for (const name of ["tool", "rule"] as const) {
        const ids = filters[name]
        if (ids !== undefined) yield* checkIds(name, ids)
      }
      return { workspace_id, repository_id, filters } satisfies Narrowed
    })

    return { narrowed }
  })
}) {}
