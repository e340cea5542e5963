import { HttpServerResponse } from "@effect/platform"
import { Duration } from "effect"
import { cookieNames } from "../services/access/incomingCall.ts"
import { type OpenedSession, sessionLifetime } from "../services/access/Sessions.ts"
import { deviceLifetime } from "../services/access/SignInLimits.ts"

const seconds = (duration: Duration.Duration) => Duration.seconds(Duration.toSeconds(duration))

interface CookieSettings {
  readonly secureCookies: boolean
}

/** Lax: a browser comes back from the provider by following a link of another site. `__Host-` requires the whole site. */
export const cookieOptions = ({ secureCookies }: CookieSettings, path: "/" | `/api/${string}`) =>
  ({ httpOnly: true, sameSite: "lax", path: secureCookies ? "/" : path, secure: secureCookies }) as const

/** Sets the cookies of a browser that signed in, and takes the session's away when it signs out. */
export const sessionCookies = (settings: CookieSettings) => {
  const names = cookieNames(settings)
  const cookie = cookieOptions(settings, "/")
  return {
    opened: (response: HttpServerResponse.HttpServerResponse, { token, device }: OpenedSession) =>
      response.pipe(
        HttpServerResponse.unsafeSetCookie(names.session, token, { ...cookie, maxAge: seconds(sessionLifetime) }),
        HttpServerResponse.unsafeSetCookie(names.device, device, {
          ...cookieOptions(settings, "/api/session"),
          maxAge: seconds(deviceLifetime)
        })
      ),
    ended: (response: HttpServerResponse.HttpServerResponse) =>
      HttpServerResponse.unsafeSetCookie(response, names.session, "", { ...cookie, maxAge: 0 })
  }
}
