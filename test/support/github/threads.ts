import type { Json } from "./description.ts"
import { GraphqlRejection } from "./graphql.ts"
import { type GitHubState, type Identity, nodeId, type Pull, type ReviewComment } from "./state.ts"

interface Arguments {
  readonly owner: string
  readonly name: string
  readonly number: number
  readonly input: { readonly threadId: string; readonly subjectId: string; readonly classifier: string }
}

const commentOf = (comment: ReviewComment): Json => ({
  __typename: "PullRequestReviewComment",
  id: nodeId("PRRC", comment.id),
  databaseId: comment.id,
  fullDatabaseId: String(comment.id),
  body: comment.body,
  isMinimized: comment.minimized
})

const pageInfo = { hasNextPage: false, endCursor: null }

/** One thread for each comment: the service replies to none. */
const threadOf = (comment: ReviewComment): Json => ({
  __typename: "PullRequestReviewThread",
  id: nodeId("PRRT", comment.id),
  isResolved: comment.resolved,
  path: comment.path,
  line: comment.line,
  comments: { nodes: [commentOf(comment)], pageInfo, totalCount: 1 }
})

const pullOf = (pull: Pull): Json => ({
  __typename: "PullRequest",
  id: nodeId("PR", pull.number),
  number: pull.number,
  reviewThreads: { nodes: pull.reviewComments.map(threadOf), pageInfo, totalCount: pull.reviewComments.length }
})

/** What GraphQL queries of an installation see and do. */
export const graphqlRoot = (state: GitHubState, identity: Identity): Json => {
  const mine = () =>
    state.repositories.filter(
      ({ installation }) => identity?.kind === "installation" && installation === identity.token.installation
    )
  const commentBy = (kind: string, id: string) => {
    const found = mine()
      .flatMap(({ pulls }) => pulls)
      .flatMap(({ reviewComments }) => reviewComments)
      .find((one) => nodeId(kind, one.id) === id)
    if (found === undefined) throw new GraphqlRejection(`Could not resolve to a node with the global id of '${id}'`)
    return found
  }
  return {
    repository: ({ owner, name }: Arguments) => {
      const found = mine().find((one) => one.owner === owner && one.name === name)
      if (found === undefined)
        throw new GraphqlRejection(`Could not resolve to a Repository with the name '${owner}/${name}'.`)
      return {
        pullRequest: ({ number }: Arguments) => {
          const pull = state.pull(found, number)
          if (pull === undefined)
            throw new GraphqlRejection(`Could not resolve to a PullRequest with the number of ${number}.`)
          return pullOf(pull)
        }
      }
    },
    resolveReviewThread: ({ input }: Arguments) => {
      const comment = commentBy("PRRT", input.threadId)
      comment.resolved = true
      return { thread: threadOf(comment) }
    },
    minimizeComment: ({ input }: Arguments) => {
      const comment = commentBy("PRRC", input.subjectId)
      comment.minimized = true
      return { minimizedComment: { ...commentOf(comment), minimizedReason: input.classifier.toLowerCase() } }
    }
  }
}
