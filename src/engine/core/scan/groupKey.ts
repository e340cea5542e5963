import type { LocatedFinding } from "./LocatedFinding.ts"

type Grouping = Pick<LocatedFinding, "rule_id" | "file_path" | "symbol" | "title" | "message" | "subject">

/** Locations of one subject, or else with the same title and message in one function or file, are one finding. */
export const groupKeyOf = ({ rule_id, file_path, symbol, title, message, subject }: Grouping): string => {
  const own = subject === undefined ? [file_path, symbol ?? "", title, message] : [subject]
  return [rule_id, ...own].join("\u0000")
}
