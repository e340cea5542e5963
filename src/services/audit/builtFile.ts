import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/**
 * URL of a compiled module beside the caller, for threads and processes, which Node cannot start from TypeScript. When
 * the caller itself runs from sources (the test runner does that), the build's file is meant; null without a build.
 */
export const builtFile = (callerUrl: string, name: string): URL | null => {
  const isSource = callerUrl.endsWith(".ts")
  const base = isSource ? callerUrl.replace(/\/src\/(?=[^?]*$)/, "/dist/") : callerUrl
  const url = new URL(`./${name}.js`, base)
  return existsSync(fileURLToPath(url)) ? url : null
}
