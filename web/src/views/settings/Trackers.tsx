import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { type Tracker, trackersQuery, useSetTracker } from "../../api/trackers.ts"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { RemoveTracker } from "./RemoveTracker.tsx"
import styles from "./Settings.module.css"

const kinds = [
  { value: "github", label: "GitHub Issues" },
  { value: "jira", label: "Jira" },
  { value: "linear", label: "Linear" }
] as const

const nameOf = (kind: Tracker["kind"]) => kinds.find(({ value }) => value === kind)?.label ?? kind

type Field = "repository" | "base_url" | "project" | "email" | "token"

const TrackerForm = ({ tracker, onClose }: { readonly tracker: Tracker | null; readonly onClose: () => void }) => {
  const [kind, setKind] = useState<Tracker["kind"]>(tracker?.kind ?? "github")
  const [values, setValues] = useState<Readonly<Record<Field, string>>>({
    repository: tracker?.repository ?? "",
    base_url: tracker?.base_url ?? "",
    project: tracker?.project ?? "",
    email: tracker?.email ?? "",
    token: ""
  })
  const set = useSetTracker()
  const problems = set.error instanceof ApiError ? set.error.fields : {}
  const field = (name: Field) => ({
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
    problem: problems[name],
    autoComplete: "off"
  })
  const given = (name: Field) => (values[name].trim() === "" ? {} : { [name]: values[name].trim() })
  return (
    <FormDialog
      title={tracker === null ? "Add a ticket tracker" : `Change ${nameOf(tracker.kind)}`}
      onClose={onClose}
      submit="Save tracker"
      work={set}
      isDisabled={values.project.trim() === ""}
      onSubmit={() =>
        set.mutate(
          {
            kind,
            body: {
              project: values.project.trim(),
              ...given("repository"),
              ...given("base_url"),
              ...given("email"),
              ...given("token")
            }
          },
          { onSuccess: onClose }
        )
      }
    >
      <Select label="Tracker" options={kinds} value={kind} onChange={setKind} isDisabled={tracker !== null} />
      <TextField
        label="Project"
        mono
        hint="owner/repo on GitHub, the project's key on Jira, the team's key on Linear."
        {...field("project")}
      />
      <TextField
        label="Repository (optional)"
        mono
        placeholder="owner/repo@branch"
        hint="Empty: every repository that has no tracker of its own."
        isDisabled={tracker !== null}
        {...field("repository")}
      />
      <TextField
        label="Address of the API"
        mono
        placeholder="https://acme.atlassian.net"
        hint="Needed for Jira."
        {...field("base_url")}
      />
      <TextField label="Account (Jira Cloud)" {...field("email")} />
      <TextField
        label="Token"
        type="password"
        hint={
          tracker?.has_token === true
            ? "Empty: the stored token stays. It is never shown."
            : "Stored encrypted and never shown. Without one, GitHub uses the GitHub App."
        }
        {...field("token")}
      />
    </FormDialog>
  )
}

/** Where tickets are created. */
export const Trackers = () => {
  const { data } = useSuspenseQuery(trackersQuery)
  const [form, setForm] = useState<Tracker | "new" | null>(null)
  const [removing, setRemoving] = useState<Tracker | null>(null)
  return (
    <>
      <div className="spread wrap">
        <p className="soft">Tickets for observations are created here. A repository's own tracker goes first.</p>
        <Button look="primary" icon="plus" onPress={() => setForm("new")}>
          Add tracker…
        </Button>
      </div>
      {data.length === 0 ? (
        <Empty icon="issue" why="No ticket tracker yet." next="Add GitHub Issues, Jira or Linear." />
      ) : (
        <Box padded={false}>
          <Table
            label="Ticket trackers"
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              {
                name: "Tracker",
                cell: ({ kind, base_url }) => (
                  <>
                    <strong>{nameOf(kind)}</strong>
                    <span className={`${styles.hint} ${styles.url}`}>{base_url}</span>
                  </>
                )
              },
              { name: "Project", cell: ({ project }) => project },
              { name: "For", cell: ({ repository }) => repository ?? "Workspace" },
              {
                name: "Token",
                cell: ({ token_set_at }) => (token_set_at === null ? "None" : <Time at={token_set_at} long />)
              },
              {
                name: "Actions",
                nameHidden: true,
                figure: true,
                cell: (tracker) => (
                  <span className={styles.actions}>
                    <Button small aria-label={`Change ${nameOf(tracker.kind)}`} onPress={() => setForm(tracker)}>
                      Change…
                    </Button>
                    <Button
                      small
                      look="danger"
                      aria-label={`Remove ${nameOf(tracker.kind)} with its token`}
                      onPress={() => setRemoving(tracker)}
                    >
                      Remove…
                    </Button>
                  </span>
                )
              }
            ]}
          />
        </Box>
      )}
      {form === null ? null : <TrackerForm tracker={form === "new" ? null : form} onClose={() => setForm(null)} />}
      {removing === null ? null : (
        <RemoveTracker tracker={removing} name={nameOf(removing.kind)} onClose={() => setRemoving(null)} />
      )}
    </>
  )
}
