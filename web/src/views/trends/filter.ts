import { type Domain, type Period, periods, type TrendsFilter } from "../../api/trends.ts"

export const domains = {
  security: "Security",
  code_quality: "Code quality",
  reliability: "Reliability",
  data_apis: "Data and APIs",
  testing: "Testing",
  devops: "DevOps",
  ux: "User experience"
} as const satisfies Record<Domain, string>

const isDomain = (text: string | undefined): text is Domain => text !== undefined && Object.hasOwn(domains, text)

export const defaultPeriod: Period = 90

/** The filter that an address asks for; what it does not know is left out. */
export const filterOf = (search: Readonly<Record<string, string | undefined>>): TrendsFilter => ({
  days: periods.find((days) => String(days) === search.days) ?? defaultPeriod,
  ...(search.repo === undefined ? {} : { repo: search.repo }),
  ...(isDomain(search.domain) ? { domain: search.domain } : {}),
  ...(search.rule === undefined ? {} : { rule: search.rule })
})
