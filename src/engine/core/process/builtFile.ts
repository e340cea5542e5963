import { existsSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"

/**
 * URL of a compiled module beside the caller, for threads and processes, which Node cannot start from TypeScript. When
 * the caller itself runs from sources (the test runner does that), the build's file is meant; null without a build.
 * What runs in a bundle starts the others of that bundle.
 */
export const builtFile = (callerUrl: string, name: string): URL | null => {
  if (callerUrl.endsWith(".cjs")) return present(new URL(`./${name}.cjs`, callerUrl))
  const isSource = callerUrl.endsWith(".ts")
  const base = isSource ? callerUrl.replace(/\/src\/(?=[^?]*$)/, "/dist/") : callerUrl
  const bundled = new URL(`./bundled/${name}.cjs`, base)
  const url = new URL(`./${name}.js`, base)
  return isCurrent(bundled, url) ? bundled : present(url)
}

const present = (url: URL): URL | null => (existsSync(fileURLToPath(url)) ? url : null)

const modified = (url: URL): number => statSync(fileURLToPath(url), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** The compiler alone makes no bundle, and leaves the old one. */
const isCurrent = (bundled: URL, url: URL): boolean => {
  const made = modified(bundled)
  return made > 0 && made >= Math.max(modified(url), modified(new URL("../../../.tsbuildinfo", url)))
}
