import { stringifySearch } from "../../app/search.ts"
import type { TriageSearch } from "./address.ts"

/** The address of a saved view. Its query leaves the status out where both are listed; an address, where it is new. */
export const viewSearch = ({ status, ...search }: TriageSearch): TriageSearch => {
  if (status === "new") return search
  return status === undefined && search.close_reason === undefined
    ? { ...search, status: "any" }
    : { ...search, status }
}

/** The query by which a view is saved, in the words of the API; the open row is no part of it. */
export const viewQuery = ({ open: _, status, ...rest }: TriageSearch): string => {
  const query =
    status === "any" ? rest : { ...rest, status: status ?? (rest.close_reason === undefined ? "new" : "closed") }
  return stringifySearch(query).slice(1)
}

const textOf = (search: TriageSearch): string =>
  JSON.stringify(
    Object.entries({ ...search, open: undefined, group: undefined })
      .filter(([, value]) => value)
      .sort()
  )

/** Whether two addresses list the same; how the rows are grouped and which one is open makes no difference. */
export const isSameView = (one: TriageSearch, other: TriageSearch): boolean => textOf(one) === textOf(other)
