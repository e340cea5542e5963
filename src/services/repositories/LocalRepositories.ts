import { Effect } from "effect"
import type { LocalFolders } from "../../schema/Installation.ts"
import { LocalGitFolders } from "../ports/LocalGitFolders.ts"

/** Folders of the server that can be registered by path. */
export class LocalRepositories extends Effect.Service<LocalRepositories>()("LocalRepositories", {
  effect: Effect.map(LocalGitFolders, (folders) => ({
    list: Effect.fn("LocalRepositories.list")(function* () {
      const { paths, truncated } = yield* folders
      return { data: paths.map((path) => ({ path })), truncated } satisfies LocalFolders
    })
  }))
}) {}
