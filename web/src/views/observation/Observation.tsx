import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { observationQuery } from "../../api/observation.ts"
import { stringifySearch } from "../../app/search.ts"
import { Page } from "../../parts/layout/Page.tsx"
import { listSearch } from "../triage/address.ts"
import { useActionKeys, useActions } from "./actions/useActions.ts"
import { useShown } from "./actions/useShown.ts"
import { dialogOf, ObservationDialogs } from "./dialogs/ObservationDialogs.tsx"
import { Head } from "./Head.tsx"
import { Neighbours } from "./neighbours/Neighbours.tsx"
import styles from "./Observation.module.css"
import { ObservationEvidence } from "./ObservationEvidence.tsx"
import { Attempts } from "./sections/Attempts.tsx"
import { FixPr } from "./sections/FixPr.tsx"
import { History } from "./sections/History.tsx"
import { Related, SideFacts } from "./sections/Side.tsx"
import { TeamContext } from "./sections/TeamContext.tsx"
import { Toolbar } from "./Toolbar.tsx"

const route = getRouteApi("/shell/observations/$ref")

/** The evidence of one observation, what can be done with it, and everything that happened to it. */
const ObservationPage = ({ refName: ref }: { readonly refName: string }) => {
  const { dialog, list } = route.useSearch()
  const navigate = route.useNavigate()
  const observation = useShown(useSuspenseQuery(observationQuery(ref)).data)
  const openDialog = (name: string | null) => navigate({ search: { list, dialog: name ?? undefined }, replace: true })
  const actions = useActions(observation, openDialog)
  useActionKeys(actions)
  const back = list === undefined ? "/triage" : `/triage${stringifySearch({ ...listSearch(list), open: ref })}`
  return (
    <Page
      title={ref}
      crumbs={[{ label: "Triage", href: back }]}
      actions={list === undefined ? undefined : <Neighbours observation={ref} list={list} back={back} />}
    >
      <div className={styles.head}>
        <Head observation={observation} />
        <Toolbar observation={observation} actions={actions} />
      </div>
      <div className={styles.columns}>
        <div className={styles.content}>
          <ObservationEvidence observation={observation} />
          <FixPr observation={observation} onOpen={openDialog} />
          <Attempts observation={observation} />
          <TeamContext repo_name={observation.repo_name} />
          <History events={observation.events} />
        </div>
        <aside className={styles.side} aria-label="Facts">
          <SideFacts observation={observation} />
          <Related observation={ref} />
        </aside>
      </div>
      <ObservationDialogs observation={observation} open={dialogOf(dialog)} onOpen={openDialog} />
    </Page>
  )
}

/** What was opened and written on the page of one is not carried over to the next. */
export const Observation = () => {
  const { ref } = route.useParams()
  return <ObservationPage key={ref} refName={ref} />
}
