import type { ObservationDetail } from "../../api/observation.ts"
import { Button, IconButton } from "../../parts/button/Button.tsx"
import { lookOf } from "../../parts/button/look.ts"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Icon } from "../../parts/icon/Icon.tsx"
import { safeUrl } from "../../parts/markdown/safeUrl.ts"
import type { MenuEntry } from "../../parts/menu/entry.ts"
import { Menu } from "../../parts/menu/Menu.tsx"
import { openAttempt } from "./actions/fixState.ts"
import type { Actions } from "./actions/useActions.ts"
import { useFixPrice } from "./actions/useFix.ts"
import { prName } from "./dialogs/ObservationDialogs.tsx"
import styles from "./Observation.module.css"

const PrLink = ({ observation }: { readonly observation: ObservationDetail }) => {
  const attempt = openAttempt(observation)
  const href = safeUrl(attempt?.pr_url)
  if (attempt === null || href === null) return null
  return (
    <a className={lookOf({ look: "primary" })} href={href} target="_blank" rel="noopener noreferrer">
      <Icon name="pr" />
      View {prName(attempt.pr_number)}
    </a>
  )
}

const FixButton = ({ actions, price }: { readonly actions: Actions; readonly price: string | null }) =>
  actions.can.fix ? (
    <Button look="primary" icon="fix" keyCap="f" onPress={actions.fix} isPending={actions.isRequesting}>
      {actions.offer === "extra" ? "Request one more fix" : "Request fix"}
      {price === null ? "" : ` for ${price}`}
    </Button>
  ) : null

const entriesOf = ({ can, acknowledge, publish, open }: Actions): ReadonlyArray<MenuEntry> => [
  {
    id: "acknowledge",
    label: "Acknowledge",
    icon: "eye",
    keyCap: "e",
    run: acknowledge,
    isDisabled: !can.acknowledge
  },
  {
    id: "complete",
    label: "Complete…",
    icon: "done",
    keyCap: "c",
    run: () => open("complete"),
    isDisabled: !can.close
  },
  { id: "reopen", label: "Reopen…", icon: "again", keyCap: "r", run: () => open("reopen"), isDisabled: !can.reopen },
  { id: "ticket", label: "Create ticket", icon: "open", keyCap: "t", run: publish, isDisabled: !can.ticket },
  { id: "revise", label: "Revise fix…", icon: "pr", run: () => open("revise"), isDisabled: !can.sendBack },
  { id: "withdraw", label: "Withdraw fix…", icon: "skip", run: () => open("withdraw"), isDisabled: !can.sendBack }
]

const hintOf = ({ offer, mayFix, mayTriage }: Actions, range: string | null): string | null => {
  if (!mayTriage) return "Your role may view observations, but not triage them."
  if (offer === "running") return "A fix is under way. It opens a pull request when every gate has passed."
  if (offer === "none") return null
  return mayFix ? range : "Your role may not request fixes."
}

/** What can be done, the most likely first; the price of a fix stands beside the button that starts it. */
export const Toolbar = ({
  observation,
  actions
}: {
  readonly observation: ObservationDetail
  readonly actions: Actions
}) => {
  const { can, acknowledge, open, publish, isPublishing, error, mayTriage, mayFix } = actions
  const price = useFixPrice(observation.repo_name, can.fix)
  const hint = hintOf(actions, price?.range ?? null)
  return (
    <div className="stack">
      <div className={styles.actions}>
        <PrLink observation={observation} />
        <FixButton actions={actions} price={price?.about ?? null} />
        {can.reopen ? (
          <Button look="primary" icon="again" keyCap="r" onPress={() => open("reopen")}>
            Reopen…
          </Button>
        ) : null}
        {can.acknowledge ? (
          <span className="only-wide">
            <Button keyCap="e" onPress={acknowledge}>
              Acknowledge
            </Button>
          </span>
        ) : null}
        {can.close ? (
          <Button keyCap="d" onPress={() => open("dismiss")}>
            Dismiss…
          </Button>
        ) : null}
        {can.ticket ? (
          <span className="only-wide">
            <Button keyCap="t" onPress={publish} isPending={isPublishing}>
              Create ticket
            </Button>
          </span>
        ) : null}
        {mayTriage || mayFix ? (
          <Menu
            label="More actions"
            trigger={<IconButton icon="more" label="More actions" />}
            entries={entriesOf(actions)}
          />
        ) : null}
      </div>
      {hint === null ? null : <p className="muted">{hint}</p>}
      {error === null ? null : <Problem error={error} />}
    </div>
  )
}
