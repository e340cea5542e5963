import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { api, ok, type Schema } from "./client.ts"
import { type Connection, followEvents } from "./eventStream.ts"
import { pageSize } from "./paging.ts"
import { addressOf } from "./repositories.ts"

export type Job = Schema<"JobResponse">
export type JobEvent = Schema<"JobEvent">
export type Workflow = Job["workflow"]

export const hasEnded = ({ status }: Pick<Job, "status">) =>
  status === "completed" || status === "failed" || status === "cancelled"

const whileActive = 5_000

export const jobsQuery = infiniteQueryOptions({
  queryKey: ["jobs"],
  queryFn: ({ pageParam }) =>
    ok(api.GET("/api/jobs", { params: { query: { limit: 50, ...(pageParam === "" ? {} : { cursor: pageParam }) } } })),
  initialPageParam: "",
  getNextPageParam: ({ next_cursor }) => next_cursor,
  // The first page has every job that may change.
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ data }) => data.some((job) => !hasEnded(job))) === true ? whileActive : false
})

export const activeJobsQuery = queryOptions({
  queryKey: ["jobs", "active"],
  queryFn: () => ok(api.GET("/api/jobs/active", { params: { query: { limit: pageSize } } })),
  refetchInterval: ({ state }) => (state.data?.data.length === 0 ? false : whileActive)
})

export const jobsOfQuery = (address: ReturnType<typeof addressOf>) =>
  infiniteQueryOptions({
    queryKey: ["jobs", "of", address],
    queryFn: ({ pageParam }) =>
      ok(
        api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/jobs", {
          params: { path: address, query: { limit: 50, ...(pageParam === "" ? {} : { cursor: pageParam }) } }
        })
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((job) => !hasEnded(job))) === true ? whileActive : false
  })

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["job", id],
    queryFn: () => ok(api.GET("/api/jobs/{job_id}", { params: { path: { job_id: id } } }))
  })

export const artifactsQuery = (id: string) =>
  queryOptions({
    queryKey: ["job", id, "artifacts"],
    queryFn: () =>
      ok(api.GET("/api/jobs/{job_id}/artifacts", { params: { path: { job_id: id }, query: { limit: pageSize } } }))
  })

export const artifactHref = (job: string, artifact: string) => `/api/jobs/${job}/artifacts/${artifact}`

/** Starts a workflow; the job that runs already, or has just done the same, is returned instead of a second one. */
export const useSubmitJob = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ repository, workflow }: { repository: Parameters<typeof addressOf>[0]; workflow: Workflow }) =>
      ok(
        api.POST("/api/repos/{github_org}/{github_repo}/{github_base_branch}/jobs", {
          params: { path: addressOf(repository), query: { force: true } },
          body: { workflow }
        })
      ),
    onSuccess: (job) => {
      queryClient.setQueryData(jobQuery(job.id).queryKey, job)
      return queryClient.invalidateQueries({ queryKey: ["jobs"] })
    }
  })
}

export const useCancelJob = (id: string) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => ok(api.POST("/api/jobs/{job_id}/cancel", { params: { path: { job_id: id } } })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["job", id] })
      await queryClient.invalidateQueries({ queryKey: ["jobs"] })
    }
  })
}

export const useRetryJob = (id: string) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => ok(api.POST("/api/jobs/{job_id}/retry", { params: { path: { job_id: id } } })),
    onSuccess: (job) => {
      queryClient.setQueryData(jobQuery(job.id).queryKey, job)
      return queryClient.invalidateQueries({ queryKey: ["jobs"] })
    }
  })
}

const endsJob = ({ type, data }: JobEvent) =>
  type === "status_changed" && ["completed", "failed", "cancelled"].includes(data?.intended_status ?? "")

/** Events that change the job's record, which is read again then. */
const changesRecord = ({ type }: JobEvent) => type === "status_changed" || type === "cost_recorded"

interface Followed {
  readonly events: ReadonlyArray<JobEvent>
  readonly connection: Connection
  readonly error: Error | null
}

const nothing: Followed = { events: [], connection: "connecting", error: null }

/** The job's events from the first one on, live until the job has ended. */
export const useJobEvents = (id: string): Followed => {
  const queryClient = useQueryClient()
  const [followed, setFollowed] = useState(nothing)
  useEffect(() => {
    setFollowed(nothing)
    return followEvents({
      url: `/api/jobs/${encodeURIComponent(id)}/events`,
      isOver: ({ data }) => endsJob(JSON.parse(data) as JobEvent),
      onEvents: (streamed) => {
        const events = streamed.map(({ data }) => JSON.parse(data) as JobEvent)
        setFollowed((before) => ({ ...before, events: [...before.events, ...events] }))
        if (events.some(changesRecord)) void queryClient.invalidateQueries({ queryKey: ["job", id] })
        if (events.some(endsJob)) void afterJob()
      },
      onConnection: (connection) => setFollowed((before) => ({ ...before, connection })),
      onError: (error) => setFollowed((before) => ({ ...before, error }))
    })

    async function afterJob() {
      await Promise.all(
        ["jobs", "repositories", "repository", "observations", "trends", "forecasts"].map((name) =>
          queryClient.invalidateQueries({ queryKey: [name] })
        )
      )
    }
  }, [id, queryClient])
  return followed
}
