import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { harmlessPattern } from "../../values/patterns.ts"

const chain =
  /\b(?:body|query|param|check|cookie|header)\(\s*["'`]([\w.]+)["'`][^()]*\)((?:\s*\.\s*\w+\((?:[^()]|\([^()]*\))*\)){1,12})/g
const strictCheck =
  /\.\s*(?:isInt|isNumeric|isFloat|isDecimal|isUUID|isBoolean|isIn|isMongoId|isAlpha|isAlphanumeric|isDate|isISO8601|isHexadecimal|isPort|toInt|toFloat|toBoolean|toDate)\(/
const matchesPattern = /\.\s*matches\(\s*(\/(?:[^/\\\n]|\\.)+\/\w*)/

/** Fields of a request that the chains of express-validator in a file let nothing harmful pass for. */
const strictFields = (file: SourceFile): ReadonlySet<string> => {
  const strict = new Set<string>()
  if (!file.text.includes("express-validator") || !/\b(?:validationResult|matchedData|toInt|toFloat)\(/.test(file.text))
    return strict
  const loose = new Set<string>()
  for (const [, name = "", checks = ""] of file.text.matchAll(chain)) {
    const pattern = matchesPattern.exec(checks)?.[1]
    const isClean =
      strictCheck.test(checks) || (pattern !== undefined && harmlessPattern(pattern, false, false) !== null)
    if (isClean) strict.add(name)
    else loose.add(name)
  }
  for (const name of loose) strict.delete(name)
  return strict
}

/** `req.params.id` behind `param("id").isInt()`. */
export const isValidatedField = (file: SourceFile, type: string | null, name: string): boolean =>
  /^http:request\.(?:body|query|params|cookies|headers)$/.test(type ?? "") &&
  file.memo(strictFields, strictFields).has(name)
