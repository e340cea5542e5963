import { queryOptions, useSuspenseQuery } from "@tanstack/react-query"
import { ApiError, api, ok, type Schema, setCsrfToken } from "./client.ts"

export type Session = Schema<"Session">
export type Scope = Session["permissions"][number]

const read = async (): Promise<Session | null> => {
  try {
    const session = await ok(api.GET("/api/session"))
    setCsrfToken(session.csrf_token)
    return session
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** Who is signed in; null when no one is in this browser. */
export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: read, staleTime: 60_000 })

/** The session of a view that only signed-in people reach. */
export const useSession = (): Session => {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new ApiError(401, { code: "unauthenticated", message: "You are signed out." })
  return data
}

/** Whether the caller's role permits it in the workspace as a whole. */
export const useMay = (scope: Scope): boolean => useSession().permissions.includes(scope)
