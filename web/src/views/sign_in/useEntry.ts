import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { setCsrfToken } from "../../api/client.ts"
import { type Session, sessionQuery } from "../../api/session.ts"

/** A path of this site; anything else leads to the start page. */
export const pathWithin = (returnTo: string | undefined): string => {
  if (returnTo === undefined || !URL.canParse(returnTo, window.location.origin)) return "/"
  const url = new URL(returnTo, window.location.origin)
  return url.origin === window.location.origin ? `${url.pathname}${url.search}` : "/"
}

/** A way to sign in: the request, and where it leads. */
export const useEntry = <Input>(request: (input: Input) => Promise<Session>, returnTo: string | undefined) => {
  const queryClient = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: request,
    onSuccess: async (session) => {
      setCsrfToken(session.csrf_token)
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, session)
      await router.navigate({ href: pathWithin(returnTo), replace: true })
    }
  })
}
