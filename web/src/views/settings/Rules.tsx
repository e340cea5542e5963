import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMay } from "../../api/session.ts"
import { muteProposalsQuery, ruleSettingsQuery, useSetRule } from "../../api/settings.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Box, Section } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import styles from "./Settings.module.css"

const minReason = 3

const SwitchOff = ({ rule, onClose }: { readonly rule: string; readonly onClose: () => void }) => {
  const [name, setName] = useState(rule)
  const [repo, setRepo] = useState("")
  const [reason, setReason] = useState("")
  const set = useSetRule()
  return (
    <FormDialog
      title={rule === "" ? "Switch a rule off" : `Switch ${rule} off?`}
      onClose={onClose}
      submit="Switch rule off"
      work={set}
      isDisabled={name.trim() === "" || reason.trim().length < minReason}
      onSubmit={() =>
        set.mutate(
          {
            rule: name.trim(),
            state: "off",
            reason: reason.trim(),
            ...(repo.trim() === "" ? {} : { repo: repo.trim() })
          },
          { onSuccess: onClose }
        )
      }
    >
      <p className="soft">The next audits count its findings and do not report them. It can be switched on again.</p>
      {rule === "" ? (
        <TextField
          label="Rule or tool"
          mono
          autoFocus
          placeholder="sql_injection.concatenated_query"
          value={name}
          onChange={setName}
        />
      ) : null}
      <TextField
        label="Repository (optional)"
        mono
        placeholder="owner/repo@branch"
        hint="Empty: all of the workspace."
        value={repo}
        onChange={setRepo}
      />
      <TextField label="Reason" rows={3} maxLength={500} value={reason} onChange={setReason} />
    </FormDialog>
  )
}

const Proposals = ({ may, onAccept }: { readonly may: boolean; readonly onAccept: (rule: string) => void }) => {
  const { data } = useSuspenseQuery(muteProposalsQuery)
  if (data.length === 0) return null
  return (
    <Section title="Proposed to mute">
      <Box padded={false}>
        <Table
          label="Rules to mute"
          rows={data}
          keyOf={({ rule }) => rule}
          columns={[
            {
              name: "Rule",
              cell: ({ rule, title, text }) => (
                <>
                  <strong>{title}</strong>
                  <span className={`${styles.hint} mono`}>{rule}</span>
                  <span className={styles.hint}>{text}</span>
                </>
              )
            },
            { name: "Decided", figure: true, cell: ({ decided }) => decided },
            { name: "False positives", figure: true, cell: ({ false_positive }) => false_positive },
            {
              name: "Actions",
              nameHidden: true,
              figure: true,
              cell: ({ rule }) => (
                <Button small isDisabled={!may} aria-label={`Switch ${rule} off`} onPress={() => onAccept(rule)}>
                  Switch off…
                </Button>
              )
            }
          ]}
        />
      </Box>
    </Section>
  )
}

/** Rules that are switched on or off here, and those that were wrong more often than right. */
export const Rules = () => {
  const { data } = useSuspenseQuery(ruleSettingsQuery)
  const may = useMay("manage_tenant_settings")
  const [muted, setMuted] = useState<string | null>(null)
  const reset = useSetRule()
  return (
    <>
      <div className="spread wrap">
        <p className="soft">
          {may ? "What is set for the workspace or one repository." : "Only owners and admins switch rules."}
        </p>
        {may ? <Button onPress={() => setMuted("")}>Switch a rule off…</Button> : null}
      </div>
      <Proposals may={may} onAccept={setMuted} />
      {reset.error === null ? null : <Problem error={reset.error} />}
      {data.length === 0 ? (
        <Empty icon="filter" why="Every rule has its default." next="A rule that is wrong here can be switched off." />
      ) : (
        <Box padded={false}>
          <Table
            label="Rule settings"
            rows={data}
            keyOf={({ rule, repo_name }) => `${rule} ${repo_name ?? ""}`}
            columns={[
              {
                name: "Rule",
                cell: ({ rule, reason }) => (
                  <>
                    <span className="mono">{rule}</span>
                    {reason === null ? null : <span className={styles.hint}>{reason}</span>}
                  </>
                )
              },
              { name: "For", cell: ({ repo_name }) => repo_name ?? "Workspace" },
              {
                name: "State",
                cell: ({ state }) => (
                  <Badge icon={state === "off" ? "dismiss" : "done"} tone={state === "off" ? "p3" : "good"} pill>
                    {state === "off" ? "Off" : "On"}
                  </Badge>
                )
              },
              { name: "Set", cell: ({ changed_at }) => (changed_at === null ? "" : <Time at={changed_at} long />) },
              {
                name: "Actions",
                nameHidden: true,
                figure: true,
                cell: ({ rule, repo_name }) => (
                  <Button
                    small
                    isDisabled={!may}
                    aria-label={`Reset ${rule}`}
                    onPress={() =>
                      reset.mutate({ rule, state: "default", ...(repo_name === null ? {} : { repo: repo_name }) })
                    }
                  >
                    Reset
                  </Button>
                )
              }
            ]}
          />
        </Box>
      )}
      {muted === null ? null : <SwitchOff rule={muted} onClose={() => setMuted(null)} />}
    </>
  )
}
