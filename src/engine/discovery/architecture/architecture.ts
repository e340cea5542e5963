import type { Guide, Item } from "../Draft.ts"
import type { Survey } from "../Survey.ts"
import { entryItems, entryPointsOf, routeItems } from "./entries.ts"
import { layerItems } from "./layers.ts"
import { outsideItems } from "./outside.ts"
import { stateItems } from "./state.ts"
import { unitItems } from "./units.ts"
import { workItems } from "./work.ts"

export interface Architecture {
  readonly units: ReadonlyArray<Item>
  readonly entries: ReadonlyArray<Item>
  readonly routes: ReadonlyArray<Item>
  readonly work: ReadonlyArray<Item>
  readonly layers: ReadonlyArray<Item>
  readonly state: ReadonlyArray<Item>
  readonly outside: ReadonlyArray<Item>
}

export const architectureOf = (survey: Survey): Architecture => ({
  units: unitItems(survey),
  entries: entryItems(entryPointsOf(survey)),
  routes: routeItems(survey),
  work: workItems(survey),
  layers: layerItems(survey),
  state: stateItems(survey),
  outside: outsideItems(survey)
})

const labelled = (label: string, items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.map((item) => ({ ...item, text: `${label}: ${item.text}` }))

/** How the parts of the repository fit together, each statement with its place. */
export const architectureGuide = (found: Architecture, stated: ReadonlyArray<Item>): Guide => ({
  slug: "architecture",
  title: "Architecture",
  description: "Units, entry points, routes, what imports what, where state is written, and what is called outside.",
  items: [
    ...stated,
    ...labelled("Unit", found.units),
    ...labelled("Entry point", found.entries),
    ...labelled("Routes", found.routes),
    ...labelled("Work", found.work),
    ...labelled("Imports", found.layers),
    ...labelled("Data", found.state),
    ...labelled("Outside", found.outside)
  ]
})
