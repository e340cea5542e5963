import { joined } from "../../../core/text/paths.ts"
import type { Survey } from "../../Survey.ts"

const scripts = ["configure", "configure.sh", "Configure"]

/** `include config.mk`; what a dash begins need not be there, so that it counts by its name only. */
const inclusion = /^(-|s)?include[ \t]+([\w./ \t-]+)$/gm
const ofDependencies = /depend|\.d(?:ep)?$|(?:^|\/)(?:local|custom|user)\b/i
const ofSettings = /config/i
const asksForIt = /\b(?:run|execute|try|use)\W{1,3}(?:sh )?(?:\.\/)?configure(?:\.sh)?\b/i

const isWritten = (survey: Survey, folder: string, name: string): boolean =>
  !ofDependencies.test(name) && !survey.has(joined(folder, name.replace(/^\.\//, "")))

/** A Makefile that includes what a `configure` beside it writes, or says to run that, makes nothing before it. */
export const configuredFirst = (survey: Survey, folder: string, text: string): string => {
  const script = scripts.find((name) => survey.has(joined(folder, name)))
  if (script === undefined) return ""
  const isMissing = [...text.matchAll(inclusion)].some(([, mark, names]) =>
    names!
      .trim()
      .split(/\s+/)
      .some((name) => isWritten(survey, folder, name) && (mark === undefined || ofSettings.test(name)))
  )
  return isMissing || asksForIt.test(text) ? `./${script} && ` : ""
}
