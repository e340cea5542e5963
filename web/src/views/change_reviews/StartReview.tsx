import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api, ok } from "../../api/client.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { linesOf } from "../../parts/text/linesOf.ts"

/** `shop@main feature/x`, one a line. */
const branchesOf = (text: string) =>
  linesOf(text).map((line) => {
    const [repository = "", ...branch] = line.split(/\s+/)
    return { repository, branch: branch.join(" ") }
  })

export const StartReview = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [branches, setBranches] = useState("")
  const [criteria, setCriteria] = useState("")
  const [title, setTitle] = useState("")
  const [issue, setIssue] = useState("")
  const start = useMutation({
    mutationFn: () =>
      ok(
        api.POST("/api/change-reviews", {
          body: {
            branches: branchesOf(branches),
            criteria: linesOf(criteria).map((text) => ({ text })),
            ...(title === "" ? {} : { title }),
            ...(issue === "" ? {} : { issue })
          }
        })
      ),
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries({ queryKey: ["change-reviews"] })
      await navigate({ to: "/change-reviews/$name", params: { name } })
    }
  })
  const isComplete = branchesOf(branches).length > 0 && branchesOf(branches).every(({ branch }) => branch !== "")
  return (
    <FormDialog
      title="Review a change"
      submit="Review the change"
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => start.mutate()}
      work={start}
      isDisabled={!isComplete}
    >
      <TextField
        label="Branches"
        hint="A repository and a pushed branch, one pair a line, 1 to 10: shop@main feature/refunds"
        value={branches}
        onChange={setBranches}
        rows={3}
        mono
        isRequired
        autoFocus
      />
      <TextField
        label="Criteria"
        hint="One a line, for example: Tests changed with code; No new P0 or P1 observation; Documentation mentions refunds."
        value={criteria}
        onChange={setCriteria}
        rows={5}
      />
      <TextField label="Title" value={title} onChange={setTitle} maxLength={200} />
      <TextField
        label="Issue"
        hint="Its acceptance criteria are taken, too."
        placeholder="ISS-12"
        value={issue}
        onChange={setIssue}
      />
      <p className="muted">Nothing is posted to the code host or the tracker.</p>
    </FormDialog>
  )
}
