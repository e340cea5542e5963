import type { TreeSource } from "../core/source/TreeSource.ts"
import type { ChangeDescription, ChangedPaths } from "./ChangeDescription.ts"
import { describeMigrations } from "./migrations/describeMigrations.ts"
import { compareApis } from "./publicApi/compareApis.ts"
import { Side } from "./publicApi/Side.ts"

/** What parsing both sides of the changed files shows. */
export const describeChange = async (
  base: TreeSource,
  head: TreeSource,
  changes: ReadonlyArray<ChangedPaths>
): Promise<ChangeDescription> => {
  const [before, after] = [await Side.of(base), await Side.of(head)]
  return { api: await compareApis(before, after, changes), migrations: await describeMigrations(after, changes) }
}
