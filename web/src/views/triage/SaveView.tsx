import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { createView, type SavedView, updateView, viewsQuery } from "../../api/views.ts"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import type { TriageSearch } from "./address.ts"
import { viewQuery } from "./viewSearch.ts"

interface SaveViewProps {
  readonly search: TriageSearch
  readonly views: ReadonlyArray<SavedView>
}

/** Saves the filters of the address under a name; a name that is in use is given these filters. */
const SaveViewDialog = ({ search, views, onClose }: SaveViewProps & { readonly onClose: () => void }) => {
  const queryClient = useQueryClient()
  const [name, setName] = useState("")
  const [isShared, setShared] = useState(false)
  const known = views.find((view) => view.name === name.trim())
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), query: viewQuery(search), shared: isShared }
      return known === undefined ? createView(body) : updateView({ ...body, id: known.id })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
      onClose()
    }
  })
  return (
    <FormDialog
      title="Save view"
      onClose={onClose}
      submit={known === undefined ? "Save view" : "Replace view"}
      isDisabled={name.trim() === ""}
      work={save}
      onSubmit={() => save.mutate()}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={200} autoFocus />
      <Checkbox isSelected={isShared} onChange={setShared}>
        Share with everyone in the workspace
      </Checkbox>
      <p className="muted">Filters, age and grouping are saved; an age means the same number of days on every day.</p>
    </FormDialog>
  )
}

export const SaveView = (props: SaveViewProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button small look="ghost" icon="plus" onPress={() => setOpen(true)}>
        Save view
      </Button>
      {isOpen ? <SaveViewDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
