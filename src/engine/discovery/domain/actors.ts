import type { Noun } from "./Noun.ts"

/** "This class handles …", "Assembles …", "Coalesce collects …": the type is the subject, and it does something. */
const doesSomething =
  /^(?:(?:an?|the|this)\s+)?(?:(?!of\b|that\b|to\b)[\w`]{1,40}\s+){0,2}(?:handles?|manages?|collects|assembles|parses|reads|writes|builds|creates|converts|renders|draws|prints|implements|provides|performs|runs|executes|wraps|loads|saves|processes|formats|validates|resolves|generates|dispatches|schedules|listens|watches|controls|coordinates|sends|receives|fetches|computes|calculates|displays|allows?|helps|lets)\s+\w/i

const servesOthers =
  /^(?:(?:an?|the|this|some|thin|simple|small|abstract|common|generic|useful|static|internal)\s+){0,4}(?:helpers?|utilit(?:y|ies)|wrappers?|mixin|factory|singleton|widget|dialog|window|functions)\b|\b(?:helper|utility|wrapper|base) (?:class|struct|type|functions?)\b|^(?:responsible|used) (?:for|to|by)\b|\bis (?:responsible for|used to)\b/i

/** What keeps values is a thing, whatever else it does. */
const isRecord = /\b(?:represents?|holds?|contains?|describes?|stores?|keeps?|information about)\b/i

/** What its own comment says to do something is a part of the program rather than what the program is about. */
export const isActor = ({ doc }: Pick<Noun, "doc">): boolean => {
  const text = doc?.what.doc ?? ""
  return (doesSomething.test(text) || servesOthers.test(text)) && !isRecord.test(text)
}
