import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMay, useSession } from "../../api/session.ts"
import { type Setting, settingsQuery, useClearSetting, useSetSetting } from "../../api/settings.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Facts } from "../../parts/layout/Facts.tsx"
import { Box, Section } from "../../parts/layout/Page.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { Limits } from "./Limits.tsx"
import styles from "./Settings.module.css"

const names: Readonly<Record<Setting["name"], string>> = {
  audit_suggestions: "Suggestions",
  automatic_discovery: "Automatic discovery",
  fix_runner: "Fix runner",
  review_instructions: "Review instructions"
}

const runners = [
  { value: "rules", label: "Fixers of the rules" },
  { value: "agent", label: "The operator's coding agent" },
  { value: "rules_then_agent", label: "Fixers first, then the agent" }
] as const

interface ControlProps {
  readonly setting: Setting
  readonly may: boolean
  readonly onSet: (value: Setting["value"]) => void
}

const Instructions = ({ setting, may, onSet }: ControlProps) => {
  const [text, setText] = useState(String(setting.value))
  return (
    <>
      <TextField
        label={names[setting.name]}
        rows={6}
        maxLength={8192}
        isReadOnly={!may}
        hint={setting.description}
        value={text}
        onChange={setText}
      />
      <div>
        <Button isDisabled={!may || text === setting.value} onPress={() => onSet(text)}>
          Save instructions
        </Button>
      </div>
    </>
  )
}

const Control = (props: ControlProps) => {
  const { setting, may, onSet } = props
  if (setting.name === "review_instructions") return <Instructions {...props} />
  if (setting.name === "fix_runner")
    return (
      <Select
        label={names[setting.name]}
        options={runners}
        value={runners.find(({ value }) => value === setting.value)?.value ?? null}
        onChange={onSet}
        isDisabled={!may}
        hint="What proposes the edits of a fix."
      />
    )
  return (
    <Checkbox isSelected={setting.value === true} isDisabled={!may} onChange={onSet}>
      <span>
        {names[setting.name]}
        <span className={styles.hint}>{setting.description}</span>
      </span>
    </Checkbox>
  )
}

const One = ({ setting, may }: { readonly setting: Setting; readonly may: boolean }) => {
  const set = useSetSetting()
  const clear = useClearSetting()
  const error = set.error ?? clear.error
  // Shown at once; an error rolls it back.
  const shown = set.isPending ? { ...setting, value: set.variables.value } : setting
  return (
    <div className={styles.setting}>
      <Control
        key={String(setting.value)}
        setting={shown}
        may={may}
        onSet={(value) => set.mutate({ name: setting.name, value })}
      />
      {error === null ? null : <Problem error={error} />}
      {setting.changed_at === null ? null : (
        <div className="line wrap muted">
          <span>
            Changed <Time at={setting.changed_at} long />
            {setting.changed_by?.label == null ? "" : ` by ${setting.changed_by.label}`}
          </span>
          {may && setting.value !== setting.default ? (
            <Button look="ghost" small onPress={() => clear.mutate(setting.name)}>
              Reset to the default
            </Button>
          ) : null}
        </div>
      )}
    </div>
  )
}

/** What audits, fixes and reviews of the workspace do, and what its plan includes. */
export const General = () => {
  const { data } = useSuspenseQuery(settingsQuery)
  const { workspace } = useSession()
  const may = useMay("manage_tenant_settings")
  return (
    <>
      {may ? null : <p className="muted">Only owners and admins change these.</p>}
      <Box padded={false}>
        {data.map((setting) => (
          <One key={setting.name} setting={setting} may={may} />
        ))}
      </Box>
      {may ? (
        <Limits />
      ) : (
        <Section title="Plan">
          <Facts
            facts={[
              ["Workspace", workspace.name],
              ["Plan", workspace.plan]
            ]}
          />
          <p className="prose">Owners and admins see ceilings, spend and beta features here.</p>
        </Section>
      )}
    </>
  )
}
