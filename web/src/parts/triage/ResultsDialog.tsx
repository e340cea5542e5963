import type { TriageResult } from "../../api/triage.ts"
import type { TriageAct } from "../../api/triageChanges.ts"
import { Badge } from "../badges/Badge.tsx"
import { Button } from "../button/Button.tsx"
import { Dialog } from "../dialog/Dialog.tsx"
import { type Column, Table } from "../layout/Table.tsx"
import { figure } from "../text/counted.ts"
import { codeWords, done, observations } from "./words.ts"

interface ResultsDialogProps {
  readonly action: TriageAct["action"]
  readonly results: ReadonlyArray<TriageResult>
  readonly onClose: () => void
}

/** Failures are listed in full before anyone reads a thousand successes. */
const shownRows = 200

const columns: ReadonlyArray<Column<TriageResult>> = [
  { name: "Observation", cell: ({ ref }) => <a href={`/observations/${ref}`}>{ref}</a> },
  {
    name: "Result",
    cell: ({ ok, code }) =>
      ok ? (
        <Badge icon="check" tone="good">
          Done
        </Badge>
      ) : (
        <Badge icon="fail" tone="p0">
          {codeWords(code)}
        </Badge>
      )
  }
]

/** What became of each observation, those first that stayed as they were. */
export const ResultsDialog = ({ action, results, onClose }: ResultsDialogProps) => {
  const sorted = [...results].sort((one, other) => Number(one.ok) - Number(other.ok))
  const count = results.filter(({ ok }) => ok).length
  return (
    <Dialog
      title={`${figure(count)} of ${observations(results.length)} ${done[action]}`}
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          Close
        </Button>
      }
    >
      <Table label="Results" columns={columns} rows={sorted.slice(0, shownRows)} keyOf={({ ref }) => ref} />
      {results.length <= shownRows ? null : (
        <p className="muted">The other {figure(results.length - shownRows)} went the same way.</p>
      )}
    </Dialog>
  )
}
