import { Either } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import { type SetTracker, type TrackerKind, trackerNames } from "../../schema/Tracker.ts"
import { isLoopback } from "../access/loopback.ts"

/** Where a tracker is, as a request says or the kind implies. */
export interface Target {
  readonly base_url: string
  readonly project: string
  readonly email: string | null
}

const projectForms: Readonly<Record<TrackerKind, { readonly form: RegExp; readonly problem: string }>> = {
  github: {
    form: /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98})\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/,
    problem: "must be the repository whose issues are used, as owner/repo"
  },
  jira: { form: /^[A-Za-z][A-Za-z0-9_]{0,99}$/, problem: "must be the project's key, such as SEC" },
  linear: { form: /^[A-Za-z0-9-]{1,64}$/, problem: "must be the team's key, such as ENG, or its ID" }
}

/** The part of a request that can be checked by itself; `clouds` are the default addresses. */
export const targetOf = (
  kind: TrackerKind,
  { base_url, project, email }: Pick<SetTracker, "base_url" | "project" | "email">,
  clouds: Partial<Record<TrackerKind, string>>
): Either.Either<Target, InvalidPayload> => {
  const address = base_url ?? clouds[kind]
  if (address === undefined) {
    return rejected(
      "base_url",
      `is needed: the address of the ${trackerNames[kind]} site, such as https://acme.atlassian.net`
    )
  }
  const { protocol, hostname } = new URL(address)
  if (protocol === "http:" && !isLoopback(hostname)) {
    return rejected("base_url", "must start with https://, so that the token is not sent in clear text")
  }
  if (!projectForms[kind].form.test(project)) return rejected("project", projectForms[kind].problem)
  if (email !== undefined && kind !== "jira")
    return rejected("email", `is for Jira Cloud only; ${trackerNames[kind]} needs none`)
  return Either.right({ base_url: address.replace(/\/+$/, ""), project, email: email ?? null })
}

const rejected = (param: string, problem: string) => Either.left(invalid(param, problem))

export const invalid = (param: string, problem: string) =>
  new InvalidPayload({
    message: `${param}: ${problem}`,
    param,
    errors: [{ loc: [param], msg: problem, type: "value_error" }]
  })
