import { schema as published } from "@octokit/graphql-schema"
import { buildSchema, execute, type GraphQLSchema, parse, validate } from "graphql"
import type { Json } from "./description.ts"

let built: GraphQLSchema | undefined
const schema = () => {
  built ??= buildSchema(published.idl, { assumeValid: true })
  return built
}

/** Runs a query on what `root` resolves, by GitHub's published schema; `problems` says where either breaks it. */
export const answerGraphql = async (query: string, variables: Json, root: Json) => {
  const document = parse(query)
  const mistakes = validate(schema(), document)
  if (mistakes.length > 0) return { problems: mistakes.map(({ message }) => message), data: null, errors: mistakes }
  const { data, errors = [] } = await execute({
    schema: schema(),
    document,
    rootValue: root,
    variableValues: variables
  })
  // Errors that a resolver raises on purpose are GitHub's answers; all others are answers that the schema forbids.
  const problems = errors
    .filter(({ originalError }) => !(originalError instanceof GraphqlRejection))
    .map(({ message }) => message)
  return { problems, data, errors: errors.map(({ message, path }) => ({ type: "NOT_FOUND", message, path })) }
}

/** A rejection such as GitHub's own. */
export class GraphqlRejection extends Error {}
