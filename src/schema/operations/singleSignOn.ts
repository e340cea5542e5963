import { operation } from "../Operation.ts"

// Limited per address by the service itself, as all of signing in.

export const readSignInOptions = operation({
  name: "single_sign_on.read",
  summary: "Read how people can sign in.",
  scopes: [],
  access: "read",
  only: "anyone"
})
export const startSingleSignOn = operation({
  name: "single_sign_on.start",
  summary: "Go to the OpenID Connect provider to sign in.",
  scopes: [],
  access: "read",
  openWorld: true,
  only: "anyone"
})
export const finishSingleSignOn = operation({
  name: "single_sign_on.finish",
  summary: "Come back from the OpenID Connect provider, signed in.",
  scopes: [],
  access: "write",
  openWorld: true,
  only: "anyone"
})
