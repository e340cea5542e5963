import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { deleteView, type SavedView, updateView, viewsQuery } from "../../api/views.ts"
import { parseSearch } from "../../app/search.ts"
import { IconButton } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Menu } from "../../parts/menu/Menu.tsx"
import { say } from "../../parts/toast/toasts.ts"
import { groupingOf, type TriageSearch, triageSearch } from "./address.ts"
import { viewQuery } from "./viewSearch.ts"

interface RenameProps {
  readonly view: SavedView
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}

const RenameDialog = ({ view, onClose, onDone }: RenameProps) => {
  const [name, setName] = useState(view.name)
  const rename = useMutation({
    mutationFn: () => updateView({ id: view.id, name: name.trim() }),
    onSuccess: async () => {
      await onDone()
      onClose()
    }
  })
  return (
    <FormDialog
      title={`Rename ${view.name}`}
      onClose={onClose}
      submit="Rename view"
      isDisabled={name.trim() === ""}
      work={rename}
      onSubmit={() => rename.mutate()}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={200} autoFocus />
    </FormDialog>
  )
}

/** What can be done with the saved view that is open. */
export const ViewMenu = ({ view, search }: { readonly view: SavedView; readonly search: TriageSearch }) => {
  const queryClient = useQueryClient()
  const [isRenaming, setRenaming] = useState(false)
  const reload = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
  const onError = (error: Error) => say({ text: error.message })
  const share = useMutation({
    mutationFn: () => updateView({ id: view.id, shared: !view.shared }),
    onSuccess: reload,
    onError
  })
  const regroup = useMutation({
    mutationFn: () => updateView({ id: view.id, query: viewQuery(search) }),
    onSuccess: reload,
    onError
  })
  const isRegrouped = groupingOf(search) !== groupingOf(triageSearch(parseSearch(view.query)))
  const remove = useMutation({ mutationFn: () => deleteView(view.id), onSuccess: reload, onError })
  return (
    <>
      <Menu
        label={`View ${view.name}`}
        trigger={<IconButton small icon="more" label={`Change the view ${view.name}`} />}
        entries={[
          { id: "rename", label: "Rename…", run: () => setRenaming(true) },
          {
            id: "share",
            label: view.shared ? "Stop sharing" : "Share with the workspace",
            run: () => share.mutate()
          },
          { id: "regroup", label: "Save this grouping", run: () => regroup.mutate(), isDisabled: !isRegrouped },
          { id: "delete", label: "Delete view", run: () => remove.mutate() }
        ]}
      />
      {isRenaming ? <RenameDialog view={view} onClose={() => setRenaming(false)} onDone={reload} /> : null}
    </>
  )
}
