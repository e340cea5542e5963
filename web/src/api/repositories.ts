import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import { everyRow, pageSize } from "./paging.ts"

export type Repository = Schema<"Repository">

export const repositoriesQuery = queryOptions({
  queryKey: ["repositories"],
  queryFn: () => everyRow((cursor) => ok(api.GET("/api/repos", { params: { query: { limit: pageSize, cursor } } })))
})

/** Git folders of the server that can be registered by path. */
export const localFoldersQuery = queryOptions({
  queryKey: ["repositories", "local"],
  queryFn: () => ok(api.GET("/api/repos/local"))
})

/** The scores of every repository, by its slug with its owner. */
export const scoresQuery = queryOptions({
  queryKey: ["repositories", "scores"],
  queryFn: () =>
    everyRow((cursor) => ok(api.GET("/api/repos/scores", { params: { query: { limit: pageSize, cursor } } }))),
  select: (rows) => new Map(rows.map((row) => [repositoryHref(row), row.scores]))
})

/** The parameters of a repository's address in the API. */
export type RepositoryAddress = Pick<Repository, "github_org" | "github_repo" | "github_base_branch">

export const addressOf = ({ github_org, github_repo, github_base_branch }: RepositoryAddress): RepositoryAddress => ({
  github_org,
  github_repo,
  github_base_branch
})

/** The parameters of a repository's address in the app. */
export const placeOf = ({ github_org, github_repo, github_base_branch }: RepositoryAddress) => ({
  org: github_org,
  repo: github_repo,
  branch: github_base_branch
})

export const addressAt = ({ org, repo, branch }: ReturnType<typeof placeOf>): RepositoryAddress => ({
  github_org: org,
  github_repo: repo,
  github_base_branch: branch
})

const about = (address: RepositoryAddress, what: string) => ["repository", address, what]
const at = (address: RepositoryAddress) => ({ params: { path: address } })

export const repositoryQuery = (address: RepositoryAddress) =>
  queryOptions({
    queryKey: about(address, "record"),
    queryFn: () => ok(api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}", at(address)))
  })

export const overviewQuery = (address: RepositoryAddress) =>
  queryOptions({
    queryKey: about(address, "overview"),
    queryFn: () => ok(api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/overview", at(address)))
  })

export const freshnessQuery = (address: RepositoryAddress) =>
  queryOptions({
    queryKey: about(address, "freshness"),
    queryFn: () =>
      ok(api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/audit-freshness", at(address)))
  })

export const discoveryQuery = (address: RepositoryAddress) =>
  queryOptions({
    queryKey: about(address, "discovery"),
    queryFn: () => ok(api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/discovery", at(address)))
  })

export const knowledgeQuery = (address: RepositoryAddress) =>
  queryOptions({
    queryKey: about(address, "knowledge"),
    queryFn: () => ok(api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/knowledge", at(address)))
  })

export const rulesOfFileQuery = (address: RepositoryAddress, file_path: string) =>
  queryOptions({
    queryKey: [...about(address, "rules"), file_path],
    queryFn: () =>
      ok(
        api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/rules", {
          params: { path: address, query: { file_path } }
        })
      ),
    enabled: file_path !== ""
  })

export const guidanceQuery = (address: RepositoryAddress) =>
  queryOptions({
    queryKey: about(address, "guidance"),
    queryFn: () => ok(api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/guidance", at(address)))
  })

export const reviewInstructionsQuery = (address: RepositoryAddress) =>
  queryOptions({
    queryKey: about(address, "review-instructions"),
    queryFn: () =>
      ok(api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/review-instructions", at(address)))
  })

export const fixPrsOfQuery = (address: RepositoryAddress) =>
  infiniteQueryOptions({
    queryKey: about(address, "fix-prs"),
    queryFn: ({ pageParam }) =>
      ok(
        api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/fix-prs", {
          params: { path: address, query: { limit: 50, ...(pageParam === "" ? {} : { cursor: pageParam }) } }
        })
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor
  })

export const reviewsOfQuery = (address: RepositoryAddress) =>
  infiniteQueryOptions({
    queryKey: about(address, "reviews"),
    queryFn: ({ pageParam }) =>
      ok(
        api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/reviews", {
          params: { path: address, query: { limit: 50, ...(pageParam === "" ? {} : { cursor: pageParam }) } }
        })
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor
  })

export type RepositoryToRegister = Schema<"RegisterRepositoryRequest">

export const usePreview = () =>
  useMutation({ mutationFn: (body: RepositoryToRegister) => ok(api.POST("/api/repos/preview", { body })) })

export const useRegister = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: RepositoryToRegister) => ok(api.POST("/api/repos", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["repositories"] })
  })
}

/** A change of the repository's record or texts; everything about it is read again afterwards. */
export const useRepositoryChange = <Input, Output>(
  address: RepositoryAddress,
  change: (input: Input) => Promise<Output>
) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["repository", address] })
      await queryClient.invalidateQueries({ queryKey: ["repositories"] })
    }
  })
}

/** The address of a repository's page in the app. */
export const repositoryHref = (repository: RepositoryAddress): string =>
  `/repos/${Object.values(addressOf(repository)).map(encodeURIComponent).join("/")}`
