import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { api, ok } from "../../api/client.ts"
import { Brand } from "../../app/shell/Brand.tsx"
import { lookOf } from "../../parts/button/look.ts"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { LinkRequestForm } from "./LinkRequestForm.tsx"
import { PasswordForm } from "./PasswordForm.tsx"
import { providerError } from "./providerErrors.ts"
import styles from "./SignIn.module.css"
import { TokenForm } from "./TokenForm.tsx"
import { pathWithin } from "./useEntry.ts"

const route = getRouteApi("/sign-in")

/** The token of the address; it leaves the address at once, so that no screenshot or copied address holds it. */
const useToken = () => {
  const [token] = useState(() => {
    const fragment = new URLSearchParams(window.location.hash.slice(1))
    for (const kind of ["token", "invitation"] as const) {
      const value = fragment.get(kind)
      if (value !== null) return { kind, value }
    }
    return null
  })
  useEffect(() => {
    if (token !== null) window.history.replaceState(window.history.state, "", "/sign-in")
  }, [token])
  return token
}

export const SignIn = () => {
  const { return_to: returnTo, error } = route.useSearch()
  const token = useToken()
  const [forgotten, setForgotten] = useState(false)
  const options = useQuery({ queryKey: ["sign-in"], queryFn: () => ok(api.GET("/api/session/oidc")) })
  useEffect(() => {
    document.title = "Sign in · Assay"
  }, [])
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <h1 className="line">
          <Brand /> Assay
        </h1>
        {error === undefined ? null : (
          <Note tone="bad">
            <p>{providerError(error)}</p>
          </Note>
        )}
        {options.error === null ? null : <Problem error={options.error} onRetry={() => options.refetch()} />}
        {options.data === undefined ? null : token !== null ? (
          <TokenForm kind={token.kind} token={token.value} passwords={options.data.passwords} returnTo={returnTo} />
        ) : (
          <>
            {options.data.enabled ? (
              <a
                className={lookOf({ look: options.data.passwords ? "plain" : "primary" })}
                href={`/api/session/oidc/start?return_to=${encodeURIComponent(pathWithin(returnTo))}`}
              >
                Sign in with {options.data.name}
              </a>
            ) : null}
            {!options.data.passwords ? null : forgotten ? (
              <LinkRequestForm onBack={() => setForgotten(false)} />
            ) : (
              <PasswordForm returnTo={returnTo} onForgotten={() => setForgotten(true)} />
            )}
          </>
        )}
      </div>
    </main>
  )
}
