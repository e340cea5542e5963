/** Where the folders begin that are named for a package. */
const root = /^(?:.*\/)?(?:java|kotlin|scala)\/(?=(?:\w+\/){2})/
const ofClasses = /\.(?:java|kt|scala)$/

/** The first two names of the package that a class of Java or its relatives lies in, as a path with its slash. */
export const packageOf = (path: string): string | null => {
  if (!ofClasses.test(path)) return null
  return /^\w+\/\w+\//.exec(path.replace(root, ""))?.[0] ?? null
}
