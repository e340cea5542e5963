import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { languageName } from "../languageName.ts"
import type { Found } from "./listedStates.ts"

const withoutTypes = /^(?:javascript|vue|python|Perl)$/

/** `task.status = "done"`, `job["state"] == "idle"`, `$task->{status} eq 'done'`: whose it is, the field, the sign, the value. */
const uses =
  /(?<![\w.])\$?([a-z]\w{2,30})(?:\[\w{1,20}\])?(?:\.|\[["']|->\{["']?|\{["']?)([a-z_]{0,20}(?:[sS]tatus|[sS]tate|[pP]hase|[sS]tage))(?:["']?[\]}])?[ \t]{0,4}(===?|!==?|=|eq|ne)[ \t]{0,4}["']([a-z][\w-]{1,30})["']/gi

/** What a request or a part of the runtime answers with is no state of what the program keeps. */
const isOfAnswers =
  /^(?:res|resp|response|reply|req|request|xhr|ajax|err|error|result|results|ret|json|body|process|proc|self|this|window|document|history|session|socket|conn|connection|event|args|opts|options|config|props)$/i

const MIN_VALUES = 2

interface Values {
  readonly at: number
  isAssigned: boolean
  readonly values: Set<string>
}

/** Texts that a field for a state is set to and compared with, where no type declares them: one at least is set. */
export const assignedStates = (file: SourceFile): ReadonlyArray<Found> => {
  if (!withoutTypes.test(file.language) && languageName(file) !== "Perl") return []
  const found = new Map<string, Values & { readonly name: string; readonly owner: string }>()
  for (const { index, 1: owner, 2: name, 3: sign, 4: value } of file.text.matchAll(uses)) {
    if (isOfAnswers.test(owner!)) continue
    const key = `${owner}.${name}`
    const known = found.get(key) ?? { name: name!, owner: owner!, at: index, isAssigned: false, values: new Set() }
    found.set(key, known)
    known.values.add(value!)
    if (sign === "=") known.isAssigned = true
  }
  return [...found.values()]
    .filter(({ isAssigned, values }) => isAssigned && values.size >= MIN_VALUES)
    .map(({ name, owner, at, values }) => ({ name, owner, at, values: [...values] }))
}
