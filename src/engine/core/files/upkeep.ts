/**
 * Code that developers run on their own machines and input. Only at the root of the repository or of one of its packages:
 * a folder `tools` inside the sources is part of the product.
 */
const upkeep =
  /^(?:(?:packages|apps|modules|services|crates|plugins|projects)\/[^/]+\/)?(?:(?:scripts?|tools?|tasks?|bin|build|ci|hack|\.github|\.circleci|dev|devtools?|release|codegen|generators?|gulp\w*|grunt\w*)\/|(?:setup|noxfile|fabfile|tasks|conanfile)\.py$|(?:gulpfile|Gruntfile|rollup|webpack)[\w.-]*\.[cm]?[jt]s$)/i

export const isUpkeep = (path: string): boolean => upkeep.test(path)

/** Code that makes or fills a database, with statements that its authors wrote. */
const databaseUpkeep = /(?:^|\/)(?:migrations?|seeds?|seeders?|alembic|db\/migrate|dialects?)\//i

export const isDatabaseUpkeep = (path: string): boolean => databaseUpkeep.test(path)
