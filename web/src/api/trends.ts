import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"

export type Trends = Schema<"Trends">
export type Domain = Schema<"BenchmarkScore">["domain"]

export const periods = [7, 30, 90, 365] as const
export type Period = (typeof periods)[number]

export interface TrendsFilter {
  readonly days: Period
  readonly repo?: string
  readonly domain?: Domain
  readonly rule?: string
}

const dayMillis = 86_400_000

/** The same period for the whole of a day, so that it is read once. */
const today = () => Math.floor(Date.now() / dayMillis) * dayMillis

/** The filter as the API takes it: days of a short period, weeks of a long one. */
export const trendsParameters = ({ days, repo, domain, rule }: TrendsFilter) => ({
  from: new Date(today() - (days - 1) * dayMillis).toISOString(),
  bucket: days > 30 ? ("week" as const) : ("day" as const),
  ...(repo === undefined ? {} : { repo }),
  ...(domain === undefined ? {} : { domain }),
  ...(rule === undefined ? {} : { rule })
})

const readTrends = async (filter: TrendsFilter): Promise<Trends> => {
  const trends = await ok(api.GET("/api/workspace/trends", { params: { query: trendsParameters(filter) } }))
  // The operation has a CSV form, which is sent only to those who ask for it.
  if (typeof trends === "string") throw new Error("The server returned the trends as text.")
  return trends
}

export const trendsQuery = (filter: TrendsFilter) =>
  queryOptions({
    queryKey: ["trends", filter],
    queryFn: () => readTrends(filter),
    placeholderData: keepPreviousData
  })

/** The numbers of the same filter as a CSV file. */
export const trendsCsv = async (filter: TrendsFilter): Promise<string> =>
  ok(
    api.GET("/api/workspace/trends", {
      params: { query: trendsParameters(filter) },
      headers: { accept: "text/csv" },
      parseAs: "text"
    })
  )
