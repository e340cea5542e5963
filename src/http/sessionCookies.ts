import { HttpServerResponse } from "@effect/platform"
import { Duration } from "effect"
import { deviceCookie, sessionCookie } from "../services/access/incomingCall.ts"
import { type OpenedSession, sessionLifetime } from "../services/access/Sessions.ts"
import { deviceLifetime } from "../services/access/SignInLimits.ts"

const seconds = (duration: Duration.Duration) => Duration.seconds(Duration.toSeconds(duration))

/** Sets the cookies of a browser that signed in, and takes the session's away when it signs out. */
export const sessionCookies = ({ secureCookies }: { readonly secureCookies: boolean }) => {
  const cookie = { httpOnly: true, sameSite: "lax", path: "/", secure: secureCookies } as const
  return {
    opened: (response: HttpServerResponse.HttpServerResponse, { token, device }: OpenedSession) =>
      response.pipe(
        HttpServerResponse.unsafeSetCookie(sessionCookie, token, { ...cookie, maxAge: seconds(sessionLifetime) }),
        HttpServerResponse.unsafeSetCookie(deviceCookie, device, {
          ...cookie,
          path: "/api/session",
          maxAge: seconds(deviceLifetime)
        })
      ),
    ended: (response: HttpServerResponse.HttpServerResponse) =>
      HttpServerResponse.unsafeSetCookie(response, sessionCookie, "", { ...cookie, maxAge: 0 })
  }
}
