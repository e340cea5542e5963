import { escape as escapeRegExp } from "effect/RegExp"
import { cloudProviders } from "./cloudProviders.ts"
import type { Provider } from "./Provider.ts"
import { serviceProviders } from "./serviceProviders.ts"

export const providers: ReadonlyArray<Provider> = [...cloudProviders, ...serviceProviders]

/** One pass over a text finds every place where a provider's pattern is worth trying. */
const hinted = new Map<string, Array<Provider>>()
for (const provider of providers) {
  for (const hint of provider.hints) hinted.set(hint, [...(hinted.get(hint) ?? []), provider])
}
const byLength = [...hinted.keys()].sort((a, b) => b.length - a.length)
/** Hints that are common letters wait for what their values go on with. */
const narrowed: Record<string, string> = {
  SK: "SK(?=[0-9a-f]{32})",
  pat: "pat(?=[A-Za-z0-9]{14}\\.)",
  "sk-": "sk-(?=[\\w-]{20})",
  "-us": "-us(?=\\d)",
  "key-": "key-(?=[0-9a-f]{32})",
  eyJ: "eyJ(?=[\\w-]{16})",
  dapi: "dapi(?=[0-9a-f]{32})",
  "SG.": "SG\\.(?=[\\w-]{22}\\.)"
}
export const hintPattern = new RegExp(byLength.map((hint) => narrowed[hint] ?? escapeRegExp(hint)).join("|"), "g")
export const providersAt = (hint: string): ReadonlyArray<Provider> => hinted.get(hint) ?? []
