import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api, ok, type Schema } from "../../api/client.ts"
import { missionSettingsQuery } from "../../api/missions.ts"
import { repositoriesQuery } from "../../api/repositories.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { dollars } from "../../parts/text/Money.tsx"

type Goal = Schema<"CreateMissionRequest">["goal"]

const goals = [
  { value: "refs", label: "Observations, by reference" },
  { value: "rule", label: "All open observations of a rule" },
  { value: "priority", label: "All open observations of priorities" },
  { value: "issues", label: "Issues, by reference" },
  { value: "text", label: "In words, for the agent runner" }
] as const
type GoalKind = (typeof goals)[number]["value"]

const listed = (text: string) => text.split(/[\s,]+/).filter((part) => part !== "")

const goalOf = (kind: GoalKind, text: string): Goal => {
  switch (kind) {
    case "refs":
      return { refs: listed(text) }
    case "issues":
      return { issues: listed(text) }
    case "rule":
      return { filter: { rule: text.trim() } }
    case "priority":
      return { filter: { priority: listed(text).join(",") } }
    case "text":
      return { text }
  }
}

const hints: Readonly<Record<GoalKind, string>> = {
  refs: "For example OBS-12, OBS-14.",
  rule: "For example sql_injection.string_concatenation.",
  priority: "For example P0, P1.",
  issues: "For example ISS-3.",
  text: "What should be true in the end."
}

/** Asks for a plan: nothing starts before a person approved it. */
export const NewMission = ({
  isOpen,
  refs,
  onClose
}: {
  readonly isOpen: boolean
  readonly refs: string
  readonly onClose: () => void
}) => {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const repositories = useQuery({ ...repositoriesQuery, enabled: isOpen })
  const settings = useQuery({ ...missionSettingsQuery, enabled: isOpen })
  const [repository, setRepository] = useState<string | null>(null)
  const [title, setTitle] = useState("")
  const [kind, setKind] = useState<GoalKind>("refs")
  const [goal, setGoal] = useState<string | null>(null)
  const [budget, setBudget] = useState("5")
  const [limits, setLimits] = useState("")
  const text = goal ?? refs
  const create = useMutation({
    mutationFn: () =>
      ok(
        api.POST("/api/missions", {
          body: {
            repository: repository ?? "",
            title,
            goal: goalOf(kind, text),
            budget_usd: Number(budget),
            ...(limits === "" ? {} : { limits_md: limits })
          }
        })
      ),
    onSuccess: async ({ ref }) => {
      await queryClient.invalidateQueries({ queryKey: ["missions"] })
      await navigate({ to: "/missions/$ref", params: { ref } })
    }
  })
  const mayUseText = settings.data?.agent_runner === true
  return (
    <FormDialog
      title="Plan a mission"
      submit="Make the plan"
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => create.mutate()}
      work={create}
      isDisabled={repository === null || title === "" || text === ""}
    >
      <Select
        label="Repository"
        value={repository}
        onChange={setRepository}
        options={(repositories.data ?? []).map(({ repo_name }) => ({ value: repo_name, label: repo_name }))}
      />
      <TextField label="Title" value={title} onChange={setTitle} maxLength={200} isRequired />
      <Select
        label="Goal"
        value={kind}
        onChange={setKind}
        options={goals.filter(({ value }) => value !== "text" || mayUseText)}
        hint={
          mayUseText ? undefined : "Goals in words need an agent runner, which this installation has not configured."
        }
      />
      <TextField
        label={kind === "text" ? "Goal in words" : "Which ones"}
        hint={hints[kind]}
        value={text}
        onChange={setGoal}
        rows={kind === "text" ? 4 : undefined}
        isRequired
      />
      <TextField
        label="Budget in USD"
        inputMode="decimal"
        value={budget}
        onChange={setBudget}
        hint={`The mission stops and asks before it passes it${settings.data === undefined ? "" : `; at most ${dollars(settings.data.max_budget_usd)}`}.`}
        problem={Number.isFinite(Number(budget)) && Number(budget) > 0 ? undefined : "The budget is an amount above 0."}
        isRequired
      />
      <TextField label="What to leave alone" value={limits} onChange={setLimits} rows={3} />
    </FormDialog>
  )
}
