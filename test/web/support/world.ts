import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Redacted } from "effect"
import { scopes } from "../../../src/schema/Key.ts"
import { asOwner, Database, TestDatabase } from "../../support/Database.ts"
import { aRepository, type Files } from "../../support/gitRepository.ts"
import {
  aServer,
  aTemporaryFolder,
  call,
  keysOf,
  ownerSession,
  type RunningServer,
  readEvents,
  type ServerOptions
} from "../../support/server.ts"
import { aBrowser, type Visit } from "./chromium.ts"

/** The password of the first owner in these tests. */
export const ownerPassword = "a password for tests"
export const ownerEmail = "owner@assay.local"

/** A visit to the server of a world, with the headers of its owner's session. */
interface WorldVisit extends Visit {
  readonly api: string
  readonly owner: { readonly cookie: string }
}

/** Gives the browser a session that was begun elsewhere. */
const takeSession = ({ context }: Visit, cookie: string, url: string) => {
  const [name = "", value = ""] = cookie.split("=")
  return context.addCookies([{ name, value, url }])
}

const started = (files: Files, env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const sql = yield* SqlClient.SqlClient
    const dataDir = yield* aTemporaryFolder
    const repository = aRepository(files)
    const options: ServerOptions = {
      dataDir,
      env: { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: repository.path, ...env }
    }
    const server = yield* aServer(options)
    const owner = yield* ownerSession(server)
    const [key = ""] = yield* keysOf(server, owner, { scopes, count: 1 })
    yield* asOwner(sql`UPDATE workspaces SET plan = 'paid', features = '{missions,change_reviews,webhooks}'`).pipe(
      Effect.orDie
    )
    const browser = yield* aBrowser
    const visit = (...args: Parameters<typeof browser>) =>
      Effect.map(browser(...args), (visit): WorldVisit => ({ ...visit, api: args[0], owner }))
    return { server, options, owner, key, repository, visit }
  })

/**
 * A real server with every feature on, a repository that it may read, its owner's session headers, an API key of every
 * scope, and a browser; one for all tests of a file.
 */
export class World extends Context.Tag("World")<World, Effect.Effect.Success<ReturnType<typeof started>>>() {
  static readonly holding = (files: Files, env: Readonly<Record<string, string>> = {}) =>
    Layer.provideMerge(Layer.scoped(World, started(files, env)), Database)
}

/** Registers the repository as acme/shop@main, where it is not registered yet. */
export const registered = (server: RunningServer, key: string, clone_url: string) =>
  call(server, key, "POST", "/api/repos", { github_org: "acme", github_repo: "shop", clone_url })

/** Registers the repository as acme/shop@main and audits it. */
export const audited = (server: RunningServer, key: string, clone_url: string) =>
  Effect.gen(function* () {
    yield* registered(server, key, clone_url)
    const { body } = yield* call<{ readonly id: string }>(server, key, "POST", "/api/repos/acme/shop/main/jobs", {
      workflow: "audit"
    })
    yield* readEvents(server, key, body.id)
    return body.id
  })

/** Signs in with e-mail address and password where they are given, otherwise as the owner; waits for the frame. */
export const signIn = (
  visit: WorldVisit,
  {
    email,
    password = ownerPassword,
    to = "/"
  }: { readonly email?: string; readonly password?: string; readonly to?: string } = {}
) =>
  Effect.promise(async () => {
    const { page, owner, api } = visit
    if (email === undefined) await takeSession(visit, owner.cookie, api)
    await page.goto(to)
    if (email !== undefined) {
      await page.getByLabel("E-mail").fill(email)
      await page.getByLabel("Password").fill(password)
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
    }
    await page.getByRole("main").waitFor()
    await page.getByRole("navigation", { name: "Main" }).first().waitFor()
  })
