import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type ApiKey, keysQuery, maxLiveKeys } from "../../api/keys.ts"
import { membersQuery } from "../../api/members.ts"
import { useSession } from "../../api/session.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { Box, Page } from "../../parts/layout/Page.tsx"
import { useShortcuts } from "../../parts/shortcuts/useShortcuts.ts"
import { CreateKey } from "./CreateKey.tsx"
import { isLive, lifeOf } from "./expiry.ts"
import styles from "./Keys.module.css"
import { KeyTable } from "./KeyTable.tsx"
import { RevokeKey } from "./RevokeKey.tsx"
import { TightenKey } from "./TightenKey.tsx"

const route = getRouteApi("/shell/keys")

/** The dialog that the address names. */
const useDialog = () => {
  const { dialog, key } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (next: "new" | "tighten" | "revoke", id?: string) =>
    navigate({ search: (search) => ({ ...search, dialog: next, key: id }) })
  const close = () => navigate({ search: ({ dialog: _, key: __, ...search }) => search, replace: true })
  return { dialog, key, open, close }
}

const ExpiringNote = ({ keys, now }: { readonly keys: ReadonlyArray<ApiKey>; readonly now: Date }) => {
  const names = keys.filter((key) => lifeOf(key, now) === "expiring").map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <Note tone="warn">
      <p>
        <strong>{names.join(", ")}</strong> {names.length === 1 ? "expires" : "expire"} within 7 days. Create another
        key and set up its client before that; an expiry cannot be moved.
      </p>
    </Note>
  )
}

/** The workspace's API keys, or the caller's own. */
export const Keys = () => {
  const { data: keys } = useSuspenseQuery(keysQuery)
  const { data: members } = useSuspenseQuery(membersQuery)
  const { role } = useSession()
  const { show } = route.useSearch()
  const navigate = route.useNavigate()
  const { dialog, key: chosenId, open, close } = useDialog()
  useShortcuts([{ keys: "n", label: "Create a key", group: "API keys", run: () => open("new") }])
  const now = new Date()
  const live = keys.filter((key) => isLive(key, now))
  const shown = show === "all" ? keys : live
  const chosen = live.find(({ id }) => id === chosenId)
  const managesAll = role === "owner" || role === "admin"
  const creatorOf = ({ created_by }: ApiKey) =>
    members.find(({ user_id }) => user_id === created_by)?.email ?? "A former member"
  return (
    <Page
      title="API keys"
      note={`${live.length} ${managesAll ? `of ${maxLiveKeys} ` : ""}live`}
      actions={
        <Button look="primary" icon="plus" keyCap="n" onPress={() => open("new")}>
          Create key…
        </Button>
      }
    >
      <div className={styles.page}>
        <p className="prose">
          Keys work over REST and MCP, in this workspace only, and never do more than their creator may. They cannot
          manage keys. {managesAll ? null : "You see your own keys here; owners and admins see all."}
        </p>
        <ExpiringNote keys={live} now={now} />
        {keys.length === live.length ? null : (
          <Checkbox
            isSelected={show === "all"}
            onChange={(all) => navigate({ search: (search) => ({ ...search, show: all ? "all" : undefined }) })}
          >
            Show the {keys.length - live.length} that ended
          </Checkbox>
        )}
        {shown.length === 0 ? (
          <Empty
            icon="key"
            why="No live key."
            next="Agents and scripts sign in with a key. Start with one that may only read."
          />
        ) : (
          <Box padded={false}>
            <KeyTable
              keys={shown}
              now={now}
              creatorOf={creatorOf}
              onTighten={({ id }) => open("tighten", id)}
              onRevoke={({ id }) => open("revoke", id)}
            />
          </Box>
        )}
      </div>
      {dialog === "new" ? <CreateKey onClose={close} /> : null}
      {dialog === "tighten" && chosen !== undefined ? <TightenKey apiKey={chosen} onClose={close} /> : null}
      {dialog === "revoke" && chosen !== undefined ? <RevokeKey apiKey={chosen} onClose={close} /> : null}
    </Page>
  )
}
