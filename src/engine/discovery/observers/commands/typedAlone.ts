import { addTo } from "../../../core/collections/lists.ts"
import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Site } from "../../Observed.ts"

/** What a field or parameter of a request is read from, in the usual servers of several languages. */
const ofRequest = String.raw`(?:self\.|this\.)?(?:\$?(?:req|request)\b(?:\.|->|::)(?:POST|GET|REQUEST|args|form|values|data|json|body|query|query_params|params|input|getParameter|get_json)\b|\$_(?:POST|GET|REQUEST)\b)`

/** The field of a record that says of which kind it is. */
const isKind = /(?:\.|->)(?:type|kind)$/i

/** Words that languages branch and declare with, rather than what people type. */
const isOfLanguage =
  /^(?:if|ifdef|ifndef|elif|elsif|elseif|else|endif|define|undef|include|pragma|foreach|endfor|while|endwhile|endmacro|begin|goto|switch|case|return)$/i

const MIN_OF_LANGUAGE = 3

const variableIn = (shape: string): string =>
  /`(?:(?:match|switch|case) )?\(?([^`()]{1,60}?)\)?(?: in| with| of| do)?`/.exec(shape)?.[1] ?? ""

const isReadFromRequest = (file: SourceFile, variable: string): boolean =>
  /^\$?\w+$/.test(variable) &&
  new RegExp(String.raw`(?<![\w.$])${variable.replace("$", String.raw`\$`)}[ \t]*:?=[ \t]*\(?${ofRequest}`).test(
    file.text
  )

/** Commands that a person types: neither what a request asks for, nor kinds of records, nor the words of a language that is read. */
export const typedAlone = (file: SourceFile, sites: ReadonlyArray<Site>): ReadonlyArray<Site> => {
  const byShape = new Map<string, Array<Site>>()
  for (const site of sites) addTo(byShape, site.shape, site)
  const others = new Set(
    [...byShape].flatMap(([shape, all]) => {
      const variable = variableIn(shape)
      const isOther =
        isKind.test(variable) ||
        all.filter(({ symbol }) => isOfLanguage.test(symbol ?? "")).length >= MIN_OF_LANGUAGE ||
        isReadFromRequest(file, variable)
      return isOther ? [shape] : []
    })
  )
  return sites.filter(({ shape }) => !others.has(shape))
}
