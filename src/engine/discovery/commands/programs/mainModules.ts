import type { Survey } from "../../Survey.ts"

export const mainFile = /^(?:src\/|lib\/)?([A-Za-z_][\w/]*)\/__main__\.py$/

/** Help those who work on the repository. */
export const isOfHelpers = /^(?:scripts?|tools?|docs?|tests?|bench\w*|ci|dev|examples?|hack|utils?|build)\//

/** The package that a `__main__.py` starts, as `python -m` is given it; none of those that only help. */
export const mainModule = (survey: Survey, path: string): string | undefined => {
  const name = mainFile.exec(path)?.[1]
  if (name === undefined || isOfHelpers.test(`${name}/`)) return undefined
  // The folder of a project that holds packages is none itself.
  const isDeep = name.includes("/")
  const outer = path.slice(0, path.indexOf(`${name}/__main__.py`)) + name.split("/")[0]!
  return isDeep && !survey.has(`${outer}/__init__.py`) ? undefined : name.replaceAll("/", ".")
}
