import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, verify } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { type Answer, type Call, rejection } from "./github/calls.ts"
import { describedAt, isJson, type Json } from "./github/description.ts"
import { graphql, ofTheApp, routes } from "./github/routes.ts"
import { GitHubState, type Identity } from "./github/state.ts"
import { servesGit } from "./gitServer.ts"

/** What happens to the next call that matches, instead of the answer. */
export interface Misbehaviour {
  /** `POST /repos/{owner}/{repo}/pulls`, or `POST /graphql`. */
  readonly operation: string
  readonly times: number
  readonly how:
    | { readonly kind: "answer"; readonly status: number; readonly message: string; readonly headers?: Json }
    /** The connection is cut: before the call has its effect, or after. */
    | { readonly kind: "cut"; readonly after: boolean }
    /** Has its effect and is answered once this is resolved, though its caller be gone by then. */
    | { readonly kind: "held"; readonly until: Promise<void>; readonly reached: () => void }
}

export interface GitHubServer {
  /** Address of the web pages and of git. */
  readonly url: string
  readonly apiUrl: string
  readonly appId: string
  /** PEM, PKCS#1 as GitHub gives it out. */
  readonly privateKey: string
  readonly webhookSecret: string
  readonly slug: string
  readonly state: GitHubState
  /** Operations called, in order. */
  readonly calls: Array<string>
  /** Requests and answers that break the published description. */
  readonly problems: Array<string>
  readonly misbehave: (how: Misbehaviour) => void
  /** Headers of a delivery with this body, as GitHub signs it. */
  readonly delivery: (event: string, body: string, id?: string) => Readonly<Record<string, string>>
}

interface Setup {
  readonly state: GitHubState
  readonly publicKey: KeyObject
  readonly appId: string
  readonly slug: string
  readonly calls: Array<string>
  readonly problems: Array<string>
  readonly misbehaviours: Array<{ left: number; readonly of: Misbehaviour }>
}

const decoded = (part: string): Json => {
  const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString())
  return isJson(value) ? value : {}
}

/** Why the signature does not show that the app calls; null when it does. */
const jwtProblem = (token: string, { publicKey, appId }: Setup): string | null => {
  const [head = "", claims = "", signature = ""] = token.split(".")
  const isSigned = verify("sha256", Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, "base64url"))
  if (!isSigned || decoded(head).alg !== "RS256") return "A JSON web token could not be decoded"
  const { iat, exp, iss } = decoded(claims)
  const now = Date.now() / 1000
  if (String(iss) !== appId) return "'Issuer' claim ('iss') must be the app's ID"
  if (typeof iat !== "number" || iat > now) return "'Issued at' claim ('iat') must be an Integer in the past"
  if (typeof exp !== "number" || exp < now) return "'Expiration time' claim ('exp') must be in the future"
  return exp - now > 600 ? "'Expiration time' claim ('exp') is too far in the future" : null
}

const identityOf = (authorization: string, setup: Setup): Identity | Answer => {
  if (authorization === "") return null
  const token = authorization.replace(/^(?:bearer|token) /i, "")
  if (token.startsWith("ghs_")) return installationOf(token, setup) ?? rejection(401, "Bad credentials")
  const problem = jwtProblem(token, setup)
  return problem === null ? { kind: "app" } : rejection(401, problem)
}

const installationOf = (text: string, { state }: Setup): Identity => {
  const token = state.tokens.get(text)
  const isValid =
    token !== undefined && token.expiresAt > Date.now() && !token.installation.removed && !token.installation.suspended
  return isValid ? { kind: "installation", token } : null
}

const isAnswer = (value: Identity | Answer): value is Answer => value !== null && "status" in value

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === "" ? undefined : JSON.parse(text)
}

const send = (response: ServerResponse, { status, body }: Answer, headers: Json = {}) => {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value))
  if (body === undefined) return void response.end()
  response.setHeader("content-type", "application/json; charset=utf-8")
  response.end(JSON.stringify(body))
}

/** Checks the request, answers it, checks the answer. */
const answerRest = (call: Call, name: string, hasBody: boolean, setup: Setup): Answer => {
  const { described, identity } = call
  const report = (problems: ReadonlyArray<string>) => setup.problems.push(...problems.map((one) => `${name}: ${one}`))
  report(described.checkRequest(call.query, hasBody ? call.body : undefined))
  const handle = routes[name]
  if (handle === undefined) {
    report(["is not served here"])
    return rejection(501, "Not served here")
  }
  if (ofTheApp.includes(name) !== (identity?.kind === "app") && identity !== null) {
    return rejection(identity?.kind === "app" ? 401 : 403, "Resource not accessible by this kind of credential")
  }
  if (identity === null && ofTheApp.includes(name)) return rejection(401, "Requires authentication")
  const answer = handle(call, setup.state)
  report(described.checkResponse(answer.status, answer.body).map((problem) => `answer ${answer.status}: ${problem}`))
  return answer
}

const answerApi = async (
  request: IncomingMessage,
  body: unknown,
  base: string,
  setup: Setup
): Promise<[string, Answer]> => {
  const url = new URL(request.url ?? "/", base)
  const identity = identityOf(request.headers.authorization ?? "", setup)
  if (url.pathname === "/api/graphql") {
    if (isAnswer(identity)) return ["POST /graphql", identity]
    const { problems, data, errors } = await graphql(isJson(body) ? body : {}, identity, setup.state)
    setup.problems.push(...problems.map((one) => `GraphQL: ${one}`))
    return ["POST /graphql", { status: 200, body: errors.length === 0 ? { data } : { data, errors } }]
  }
  const path = url.pathname.slice("/api/v3".length)
  const described = describedAt(request.method ?? "GET", path)
  if (described === undefined) {
    setup.problems.push(`${request.method} ${path}: GitHub has no such operation`)
    return [`${request.method} ${path}`, rejection(404, "Not Found")]
  }
  if (isAnswer(identity)) return [described.name, identity]
  const call = { described, identity, query: url.searchParams, body: isJson(body) ? body : {}, base, slug: setup.slug }
  return [described.name, answerRest(call, described.name, body !== undefined, setup)]
}

const nameOf = (request: IncomingMessage, base: string): string => {
  const { pathname } = new URL(request.url ?? "/", base)
  if (pathname === "/api/graphql") return "POST /graphql"
  return describedAt(request.method ?? "GET", pathname.slice("/api/v3".length))?.name ?? pathname
}

const serveApi = async (request: IncomingMessage, response: ServerResponse, base: string, setup: Setup) => {
  const name = nameOf(request, base)
  setup.calls.push(name)
  const planned = setup.misbehaviours.find(({ left, of }) => left > 0 && of.operation === name)
  if (planned !== undefined) planned.left -= 1
  const how = planned?.of.how
  if (how?.kind === "answer") {
    await bodyOf(request)
    return send(response, rejection(how.status, how.message), how.headers)
  }
  if (how?.kind === "cut" && !how.after) return void request.socket.destroy()
  const body = await bodyOf(request)
  if (how?.kind === "held") {
    how.reached()
    await how.until
  }
  const [, answer] = await answerApi(request, body, base, setup)
  if (how?.kind === "cut") return void request.socket.destroy()
  send(response, answer)
}

/** Git takes `x-access-token` and an installation's token, as GitHub does; reading a public repository needs none. */
const serveGit = (request: IncomingMessage, response: ServerResponse, base: string, setup: Setup) => {
  const url = new URL(request.url ?? "/", base)
  const [, owner = "", name = ""] = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(?:info\/refs|git-)/.exec(url.pathname) ?? []
  const repository = setup.state.find(owner, name)
  const isPush = url.pathname.endsWith("/git-receive-pack") || url.searchParams.get("service") === "git-receive-pack"
  const [user = "", password = ""] = Buffer.from((request.headers.authorization ?? "").slice("Basic ".length), "base64")
    .toString()
    .split(":")
  const identity = user === "x-access-token" ? installationOf(password, setup) : null
  const level = identity?.kind === "installation" ? identity.token.permissions.contents : undefined
  const isMine =
    identity?.kind === "installation" &&
    identity.token.installation === repository?.installation &&
    (identity.token.repositories?.includes(repository.name) ?? true)
  const mayRead = repository !== undefined && (!repository.isPrivate || (isMine && level !== undefined))
  if (repository === undefined || !(isPush ? isMine && level === "write" : mayRead)) {
    response.writeHead(request.headers.authorization === undefined ? 401 : 403, {
      "www-authenticate": 'Basic realm="GitHub"'
    })
    return void response.end()
  }
  setup.calls.push(`git ${isPush ? "receive-pack" : "upload-pack"}`)
  setup.state.follow(repository)
  request.url = `/${repository.owner}/${repository.name}.git${url.pathname.replace(/^\/[^/]+\/[^/]+/, "")}${url.search}`
  servesGit(setup.state.folder, isPush ? { REMOTE_USER: "x-access-token" } : {})(request, response)
}

const listening = (setup: Setup) =>
  Effect.acquireRelease(
    Effect.async<{ readonly base: string; readonly close: () => void }>((resume) => {
      let base = ""
      const server = createServer((request, response) => {
        if (!(request.url ?? "").startsWith("/api/")) return serveGit(request, response, base, setup)
        serveApi(request, response, base, setup).catch((error: unknown) => {
          setup.problems.push(`the server itself failed: ${String(error)}`)
          send(response, rejection(500, "Server Error"))
        })
      })
      server.listen(0, "127.0.0.1", () => {
        base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ base, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** Of every server: to make one takes a tenth of a second. */
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

/**
 * GitHub on a loopback port. Every request and answer is checked against GitHub's published description: the scope ends
 * with a defect that names those that break it.
 */
export const aGitHub = Effect.gen(function* () {
  const setup: Setup = {
    state: new GitHubState(),
    publicKey,
    appId: "4711",
    slug: "assay-test",
    calls: [],
    problems: [],
    misbehaviours: []
  }
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      setup.state.remove()
      const { problems } = setup
      return problems.length === 0 ? Effect.void : Effect.dieMessage(`Not as GitHub publishes:\n${problems.join("\n")}`)
    })
  )
  const { base } = yield* listening(setup)
  const webhookSecret = randomBytes(20).toString("hex")
  return {
    url: base,
    apiUrl: `${base}/api/v3`,
    appId: setup.appId,
    privateKey: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    webhookSecret,
    slug: setup.slug,
    state: setup.state,
    calls: setup.calls,
    problems: setup.problems,
    misbehave: (of) => setup.misbehaviours.push({ left: of.times, of }),
    delivery: (event, body, id = crypto.randomUUID()) => ({
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/test",
      "x-github-event": event,
      "x-github-delivery": id,
      "x-hub-signature-256": `sha256=${createHmac("sha256", webhookSecret).update(body).digest("hex")}`
    })
  } satisfies GitHubServer
})
