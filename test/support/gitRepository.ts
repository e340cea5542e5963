import { mkdirSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import { type Files, type Repository, type RepositoryOptions, repositoryAt } from "./repositoryAt.ts"

export type { Change, FileContent, Files, Repository, RepositoryOptions } from "./repositoryAt.ts"
export { runGitIn } from "./repositoryAt.ts"

/** A fresh folder, removed after the run. Its name is made of numbers: redaction may take made-up letters for a credential. */
export const aFolder = (): string => {
  const folder = join(realpathSync(inject("temporaryFolder")), `folder-${process.pid}-${process.hrtime.bigint()}`)
  mkdirSync(folder)
  return folder
}

/** A repository with one commit of these files; without files, one without commits. */
export const aRepository = (
  files: Files = {},
  { path = join(aFolder(), "repository"), ...options }: RepositoryOptions & { readonly path?: string } = {}
): Repository => repositoryAt(path, files, options)
