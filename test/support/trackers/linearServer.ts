import { Effect } from "effect"
import { GraphQLError, graphql } from "graphql"
import { linearSchema } from "./linearSchema.ts"
import { aVendor, type Reply, type TicketServer, tokenOfTests } from "./vendor.ts"

interface Input {
  readonly id: string
  readonly teamId: string
  readonly issueId: string
  readonly title: string
  readonly description: string
  readonly body: string
}

const teamId = "5c1e4f4a-2f0b-4b8e-9d6b-0d6d3c5b7a11"
const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const inputError = (message: string) => new GraphQLError(message, { extensions: { code: "INPUT_ERROR" } })

/** Linear with one team, `ENG`. Queries are validated and executed against Linear's published schema. */
export const aLinearServer = Effect.gen(function* () {
  const issues = new Map<string, Input>()
  const comments = new Map<string, Input>()
  const urlOf = (id: string) => `https://linear.app/acme/issue/ENG-${[...issues.keys()].indexOf(id) + 1}`
  const create = (all: Map<string, Input>, input: Input) => {
    if (!version4.test(input.id)) throw inputError("id must be a UUID v4")
    if (all.has(input.id)) throw inputError("conflict on insert")
    all.set(input.id, input)
  }
  interface ById {
    readonly filter: { readonly id: { readonly eq: string } }
  }
  const root = {
    teams: ({ filter }: { readonly filter: { readonly key: { readonly eq: string } } }) => ({
      nodes: filter.key.eq === "ENG" ? [{ id: teamId }] : []
    }),
    issues: ({ filter }: ById) => ({
      nodes: issues.has(filter.id.eq) ? [{ id: filter.id.eq, url: urlOf(filter.id.eq) }] : []
    }),
    comments: ({ filter }: ById) => ({ nodes: comments.has(filter.id.eq) ? [{ id: filter.id.eq }] : [] }),
    issueCreate: ({ input }: { readonly input: Input }) => {
      if (input.teamId !== teamId) throw inputError("Entity not found: Team")
      create(issues, input)
      return { success: true, issue: { id: input.id, url: urlOf(input.id) } }
    },
    commentCreate: ({ input }: { readonly input: Input }) => {
      if (!issues.has(input.issueId)) throw inputError("Entity not found: Issue")
      create(comments, input)
      return { success: true }
    }
  }
  const vendor = yield* aVendor(async (exchange, problem): Promise<Reply> => {
    if (exchange.method !== "POST" || exchange.path !== "/graphql") problem("is no route")
    if (exchange.headers["content-type"] !== "application/json") problem("content-type")
    if (exchange.headers.authorization !== tokenOfTests) {
      const errors = [{ message: "Authentication required", extensions: { code: "AUTHENTICATION_ERROR" } }]
      return { status: 401, json: { errors } }
    }
    const { query, variables, ...others } = JSON.parse(exchange.text)
    for (const name of Object.keys(others)) problem(`knows no ${name}`)
    const result = await graphql({ schema: linearSchema, source: query, rootValue: root, variableValues: variables })
    for (const error of result.errors ?? []) {
      if (error.extensions.code === undefined) problem(error.message)
    }
    return { status: 200, json: result }
  })
  return {
    ...vendor,
    tickets: () => [...issues.values()].map(({ id, title, description }) => ({ key: id, title, body: description })),
    comments: () => [...comments.values()].map(({ body }) => body),
    plant: (title, body) => {
      const id = `0192aaaa-0000-4000-8000-${String(issues.size).padStart(12, "0")}`
      issues.set(id, { id, teamId, issueId: "", title, description: body, body: "" })
    }
  } satisfies TicketServer
})
