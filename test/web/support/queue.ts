import { Effect } from "effect"
import type { Page } from "playwright-core"
import { call } from "../../support/server.ts"
import { World } from "./world.ts"

export interface Row {
  readonly ref: string
  readonly priority: string
}

/** The new findings and advisories, in the order of the triage view. */
export const queue = Effect.gen(function* () {
  const { server, key } = yield* World
  const { body } = yield* call<{ readonly data: ReadonlyArray<Row> }>(
    server,
    key,
    "GET",
    "/api/observations?status=new&kind=finding,advisory&order=display_rank&limit=200"
  )
  return body.data
})

/** Waits until the rows are drawn. */
export const rowsOf = async (page: Page) => {
  await page.getByRole("grid", { name: "Observations" }).waitFor()
  await page.locator('[data-index="0"]').waitFor()
}
