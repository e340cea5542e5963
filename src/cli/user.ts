import { Args, Command, Options } from "@effect/cli"
import type { SqlClient } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import type { AppConfig } from "../layers/Config.ts"
import type { Database } from "../layers/Database.ts"
import { migrate } from "../layers/Migrations.ts"
import { emailAddress as EmailAddress } from "../schema/Member.ts"
import { Cursors } from "../services/access/Cursors.ts"
import type { Sessions } from "../services/access/Sessions.ts"
import { Site } from "../services/access/Site.ts"
import { Workspaces } from "../services/access/Workspaces.ts"
import { WorkspacesRepo } from "../services/access/WorkspacesRepo.ts"
import { NoticesRepo } from "../services/notices/NoticesRepo.ts"
import { NoticeWriter } from "../services/notices/NoticeWriter.ts"
import { MailWriter } from "../services/outbox/MailWriter.ts"
import { Outbox } from "../services/outbox/Outbox.ts"
import { OutboxRepo } from "../services/outbox/OutboxRepo.ts"
import { Invitations } from "../services/people/Invitations.ts"
import { InvitationsRepo } from "../services/people/InvitationsRepo.ts"
import { MembersRepo } from "../services/people/MembersRepo.ts"
import { Users } from "../services/people/Users.ts"
import { type UserRow, UsersRepo } from "../services/people/UsersRepo.ts"
import { CommandFailed } from "./failures.ts"
import { print, sessionServices, siteOf, untilInForce, withDatabase } from "./operator.ts"

const repos = Layer.mergeAll(
  UsersRepo.Default,
  InvitationsRepo.Default,
  MembersRepo.Default,
  WorkspacesRepo.Default,
  OutboxRepo.Default,
  NoticesRepo.Default
)

const services = Layer.mergeAll(Users.Default, Invitations.Default, Workspaces.Default).pipe(
  Layer.provide(Layer.merge(Outbox.Default, NoticeWriter.Default)),
  Layer.provideMerge(Layer.merge(Cursors.Default, Site.Default)),
  Layer.provide(MailWriter.Default),
  Layer.provideMerge(repos),
  Layer.provideMerge(sessionServices)
)

const rejected = ({ message }: { readonly message: string }) => Effect.fail(new CommandFailed({ status: 2, message }))

/** Runs with the services that manage accounts, on the database of the installation. */
export const withUsers = <A, E extends { readonly _tag: string; readonly message: string }>(
  use: (
    config: AppConfig
  ) => Effect.Effect<A, E, Users | Invitations | Workspaces | Sessions | Site | Database | SqlClient.SqlClient>
) =>
  withDatabase((config) =>
    Effect.zipRight(
      migrate(),
      Effect.gen(function* () {
        const site = yield* siteOf(config)
        yield* Effect.flatMap(Site, ({ announce }) => announce(site))
        return yield* use(config)
      }).pipe(Effect.provide(services), Effect.catchAll(rejected))
    )
  )

export const emailAddress = (text: string): Effect.Effect<string, CommandFailed> =>
  Schema.is(EmailAddress)(text)
    ? Effect.succeed(text.toLowerCase())
    : Effect.fail(new CommandFailed({ status: 2, message: `${text} is no e-mail address.` }))

const email = Args.text({ name: "email" }).pipe(Args.withDescription("E-mail address of the account."))

const describe = ({ email, name, disabled_at, memberships }: UserRow): string => {
  const roles = memberships.map(({ workspace, role }) => `${role} of ${workspace}`)
  const state = disabled_at === null ? "" : `, disabled since ${disabled_at}`
  return `${email}${name === null ? "" : ` (${name})`}: ${roles.join(", ") || "in no workspace"}${state}`
}

const list = Command.make("list", {}, () =>
  withUsers(() =>
    Effect.gen(function* () {
      const users = yield* Users
      for (const user of yield* users.list) yield* print(describe(user))
    })
  )
).pipe(Command.withDescription("List accounts with their workspaces and roles."))

const invite = Command.make(
  "invite",
  {
    email: Args.text({ name: "email" }).pipe(Args.withDescription("E-mail address that is invited.")),
    workspace: Options.text("workspace").pipe(Options.withDescription("Name or id of the workspace.")),
    role: Options.choice("role", ["owner", "admin", "member", "viewer"]).pipe(
      Options.withDefault("member" as const),
      Options.withDescription("Role that the invitation gives.")
    )
  },
  ({ email, workspace, role }) =>
    withUsers(() =>
      Effect.gen(function* () {
        const request = { email: yield* emailAddress(email), role }
        const { id } = yield* Effect.flatMap(Workspaces, (workspaces) => workspaces.named(workspace))
        const { url } = yield* Effect.flatMap(Invitations, (invitations) => invitations.createAsOperator(id, request))
        yield* print(`${request.email} joins ${workspace} as ${role} once, within 7 days, at\n${url}`)
      })
    )
).pipe(Command.withDescription("Print a link by which a person joins a workspace; it is sent by e-mail as well."))

const disable = Command.make("disable", { email }, ({ email }) =>
  withUsers(() =>
    Effect.gen(function* () {
      const { ended } = yield* Effect.flatMap(Users, (users) => users.disable(email))
      yield* untilInForce
      yield* print(
        `${email} is disabled; sessions ended: ${ended}. Keys work no longer; event streams end within a second.`
      )
    })
  )
).pipe(Command.withDescription("Lock a person out: sessions, links, keys and event streams, until enabled again."))

const enable = Command.make("enable", { email }, ({ email }) =>
  withUsers(() =>
    Effect.gen(function* () {
      yield* Effect.flatMap(Users, (users) => users.enable(email))
      yield* untilInForce
      yield* print(`${email} can sign in again, and their keys work.`)
    })
  )
).pipe(Command.withDescription("Let a disabled person in again."))

export const userCommands = [list, invite, disable, enable] as const

export const user = Command.make("user").pipe(
  Command.withDescription("Accounts of this installation."),
  Command.withSubcommands(userCommands)
)
