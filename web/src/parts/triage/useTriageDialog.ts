import { useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { TriageAct } from "../../api/triageChanges.ts"

export interface TriageDialogProps {
  /** The reference of one observation, or how many there are. */
  readonly title: string
  /** How many the act is about, as the server counts them; left out until it has. */
  readonly count: number | undefined
  /** What the act is about: the title of one, or the repositories of many. */
  readonly about: ReactNode
  readonly onClose: () => void
  readonly run: (act: TriageAct) => Promise<void>
}

/** The dialog stays with what was written until the server has accepted it. */
export const useTriageDialog = ({ run, onClose }: TriageDialogProps, onAccepted?: () => void) =>
  useMutation({
    mutationFn: run,
    onSuccess: () => {
      onAccepted?.()
      onClose()
    }
  })
