import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { type ClientMetadata, Provider } from "oidc-provider"

/** A person as the provider knows them. */
export interface ProviderPerson {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean | string
  readonly name?: string
}

type Claims = Record<string, unknown>

/** What goes wrong at the provider from now on. */
export interface Tampering {
  /** Changes the claims of ID tokens, which are signed again. */
  readonly claims?: (claims: Claims) => Claims
  /** Signs ID tokens with a key that the provider does not publish. */
  readonly foreignKey?: boolean
}

export interface OpenIdServer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Who is signed in at the provider. */
  person: ProviderPerson
  tampering: Tampering
  /** Paths that were requested. */
  readonly requests: Array<string>
  /** Stops answering, until `comeBack`; the port stays the provider's own. */
  readonly goAway: Effect.Effect<void>
  readonly comeBack: Effect.Effect<void>
}

const client = { client_id: "assay", client_secret: "a secret of the provider & client: 100%" }

const keyId = "signing"
const signingKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

const signed = (claims: Claims, key: KeyObject) => {
  const text = `${encoded({ alg: "RS256", typ: "JWT", kid: keyId })}.${encoded(claims)}`
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`
}

const claimsOf = (token: string): Claims => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())

const listen = (server: Server, port: number) =>
  Effect.async<void>((resume) => {
    server.listen(port, "127.0.0.1", () => resume(Effect.void))
  })

const close = (server: Server) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/** Signs `person` in, where the provider would ask for a password. */
const interactions =
  (provider: Provider, state: Pick<OpenIdServer, "person">) => (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith("/interaction/") !== true) return provider.callback()(request, response)
    return provider.interactionFinished(request, response, { login: { accountId: state.person.sub } })
  }

/** A provider of OpenID Connect on a port of this machine: discovery, PKCE, codes that work once, signed ID tokens. */
export const openIdServer = (
  redirectUri: string,
  method: NonNullable<ClientMetadata["token_endpoint_auth_method"]> = "client_secret_basic"
) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const server = createServer()
      yield* listen(server, 0)
      const { port } = server.address() as AddressInfo
      const issuer = `http://127.0.0.1:${port}`
      const [key, foreignKey] = [signingKey(), signingKey()]
      const jwk = { ...createPrivateKey(key.export({ type: "pkcs8", format: "pem" })).export({ format: "jwk" }) }
      const provider = new Provider(issuer, {
        clients: [
          {
            ...client,
            redirect_uris: [redirectUri],
            grant_types: ["authorization_code"],
            token_endpoint_auth_method: method
          }
        ],
        jwks: { keys: [{ ...jwk, kid: keyId, use: "sig", alg: "RS256" }] },
        cookies: { keys: ["test"] },
        claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        pkce: { required: () => true },
        findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...opened.person, sub: accountId }) }),
        // No one is asked whether the client may see their address.
        loadExistingGrant: async (context) => {
          const grant = new provider.Grant({ clientId: client.client_id, accountId: opened.person.sub })
          grant.addOIDCScope(String(context.oidc.params?.scope))
          await grant.save()
          return grant
        }
      })
      provider.use(async (context, next) => {
        opened.requests.push(context.path)
        await next()
        const body = context.body as { id_token?: string } | undefined
        if (context.path !== "/token" || typeof body?.id_token !== "string") return
        const { claims = (same: Claims) => same, foreignKey: isForeign = false } = opened.tampering
        context.body = { ...body, id_token: signed(claims(claimsOf(body.id_token)), isForeign ? foreignKey : key) }
      })
      const opened: OpenIdServer = {
        issuer,
        clientId: client.client_id,
        clientSecret: client.client_secret,
        person: { sub: "none" },
        tampering: {},
        requests: [],
        goAway: close(server),
        comeBack: Effect.suspend(() => listen(server, port))
      }
      server.on("request", interactions(provider, opened))
      return { opened, server }
    }),
    ({ server }) => close(server)
  ).pipe(Effect.map(({ opened }) => opened))

/** Goes through the provider's pages as a browser does, from its authorization address to the one it sends back to. */
export const throughProvider = (start: string, redirectUri: string) =>
  Effect.promise(async () => {
    const cookies = new Map<string, string>()
    let address = start
    for (let hops = 0; hops < 10 && !address.startsWith(`${redirectUri}?`); hops++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(address, { redirect: "manual", headers: { cookie } })
      for (const set of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        cookies.set(name, value)
      }
      const location = response.headers.get("location")
      if (location === null) throw new Error(`${response.status} at ${address}: ${await response.text()}`)
      address = new URL(location, address).href
    }
    return new URL(address)
  })
