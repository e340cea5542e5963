const content = {
  kind: "warning",
  title: "Payments are frozen in December",
  summary: "Nothing that touches payments is merged between 1 December and 6 January.",
  body_md: "Exceptions go through the on-call lead.",
  tags: ["payments", "freeze"]
}

const byArea = {
  create: { request: { key: "payments/freeze", ...content } },
  put: { request: content },
  patch: { request: { summary: "Payments: nothing is merged in December.", data: { until: "2027-01-06" } } },
  disable: { request: { reason: "The freeze is over." } }
}

/** Of the team's context; both forms of a route take the same. */
export const contextExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  ["context", "project_context"].flatMap((area) =>
    Object.entries(byArea).map(([verb, example]) => [`${area}.${verb}`, example])
  )
)
