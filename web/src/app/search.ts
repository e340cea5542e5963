/**
 * The query of an address, as people read and share it: `?status=new&priority=P0,P1`. Every value is text; a view's
 * `validateSearch` picks the ones it knows.
 */
export type Search = Readonly<Record<string, string | undefined>>

export const parseSearch = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query))

export const stringifySearch = (search: Readonly<Record<string, unknown>>): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value))
  }
  const text = parameters.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%40", "@")
  return text === "" ? "" : `?${text}`
}

/** The named values of a query, without the others; empty ones count as absent. */
export const pick = <const Names extends ReadonlyArray<string>>(
  search: Readonly<Record<string, unknown>>,
  names: Names
): { [Name in Names[number]]?: string } => {
  const picked: { [Name in Names[number]]?: string } = {}
  for (const name of names as ReadonlyArray<Names[number]>) {
    const value = search[name]
    if (value !== undefined && value !== null && value !== "") picked[name] = String(value)
  }
  return picked
}

/** A value that lists several, for example `P0,P1`. */
export const listOf = (value: string | undefined): ReadonlyArray<string> =>
  value === undefined || value === "" ? [] : value.split(",")

export const listText = (values: ReadonlyArray<string>): string | undefined =>
  values.length === 0 ? undefined : values.join(",")
