import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { type ChangeReview, changeReviewQuery } from "../../api/changeReviews.ts"
import { api, ok } from "../../api/client.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { linesOf } from "../../parts/text/linesOf.ts"

/** Replaces the criteria; those whose text stays keep the check they had. */
export const EditCriteria = ({ review, onClose }: { readonly review: ChangeReview; readonly onClose: () => void }) => {
  const queryClient = useQueryClient()
  const [text, setText] = useState(review.criteria.map((criterion) => criterion.text).join("\n"))
  const checks = new Map(review.criteria.map((criterion) => [criterion.text, criterion.check]))
  const set = useMutation({
    mutationFn: () =>
      ok(
        api.PUT("/api/change-reviews/{name}/criteria", {
          params: { path: { name: review.name } },
          body: {
            criteria: linesOf(text).map((line) => ({
              text: line,
              ...(checks.get(line) == null ? {} : { check: checks.get(line) ?? undefined })
            }))
          }
        })
      ),
    onSuccess: (changed) => {
      queryClient.setQueryData(changeReviewQuery(review.name).queryKey, changed)
      onClose()
    }
  })
  return (
    <FormDialog
      title={`Criteria of ${review.name}`}
      submit="Judge these criteria"
      onClose={onClose}
      onSubmit={() => set.mutate()}
      work={set}
    >
      <TextField label="Criteria" hint="One a line." value={text} onChange={setText} rows={8} autoFocus />
    </FormDialog>
  )
}
