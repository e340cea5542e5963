import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type ObservationDetail, observationsChanged, publishTicket } from "../../../api/observation.ts"
import { useMay } from "../../../api/session.ts"
import { useShortcuts } from "../../../parts/shortcuts/useShortcuts.ts"
import { say } from "../../../parts/toast/toasts.ts"
import type { DialogName } from "../dialogs/ObservationDialogs.tsx"
import { fixOffer, openAttempt } from "./fixState.ts"
import { useFix } from "./useFix.ts"
import { undoAct, useTriage } from "./useTriage.ts"

const useTicket = (ref: string) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => publishTicket(ref),
    onSuccess: ({ ticket_url }) => say({ text: `The ticket of ${ref} is ${ticket_url ?? "on its way"}.` }),
    onSettled: () => observationsChanged(queryClient)
  })
}

/** What can be done with an observation as it is, by the caller as they are. */
export const useActions = (observation: ObservationDetail, openDialog: (dialog: DialogName) => void) => {
  const { ref, status, acknowledged_at, ticket_url } = observation
  const mayTriage = useMay("triage_observations")
  const mayFix = useMay("submit_fix_jobs")
  const { one } = useTriage(observation, () => undefined)
  const acknowledge = useMutation({ mutationFn: () => one({ action: "acknowledge" }) })
  const ticket = useTicket(ref)
  const { request } = useFix(ref)
  const isOpen = status === "new"
  const offer = fixOffer(observation)
  const can = {
    acknowledge: mayTriage && isOpen && acknowledged_at === null,
    close: mayTriage && isOpen,
    reopen: mayTriage && !isOpen,
    ticket: mayTriage && ticket_url === null,
    fix: mayFix && (offer === "fix" || offer === "extra"),
    sendBack: mayFix && openAttempt(observation) !== null
  }
  return {
    can,
    mayTriage,
    mayFix,
    offer,
    acknowledge: () => acknowledge.mutate(),
    fix: () => request.mutate(offer === "extra"),
    publish: () => ticket.mutate(),
    open: openDialog,
    isRequesting: request.isPending,
    isPublishing: ticket.isPending,
    error: acknowledge.error ?? request.error ?? ticket.error
  }
}

export type Actions = ReturnType<typeof useActions>

/** The keys of the actions; one that is not offered does nothing. */
export const useActionKeys = ({ can, acknowledge, fix, publish, open, isRequesting, isPublishing }: Actions): void => {
  const queryClient = useQueryClient()
  const keys = [
    ["e", "Acknowledge", can.acknowledge, acknowledge],
    ["d", "Dismiss", can.close, () => open("dismiss")],
    ["c", "Complete", can.close, () => open("complete")],
    ["r", "Reopen", can.reopen, () => open("reopen")],
    ["f", "Request a fix", can.fix && !isRequesting, fix],
    ["t", "Create a ticket", can.ticket && !isPublishing, publish],
    ["z", "Undo the last change", true, () => void undoAct(queryClient)]
  ] as const
  useShortcuts(
    keys.map(([key, label, offered, run]) => ({
      keys: key,
      label,
      group: "Observation",
      run: () => (offered ? run() : undefined)
    }))
  )
}
