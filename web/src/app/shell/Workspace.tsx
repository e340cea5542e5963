import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { Button } from "react-aria-components/Button"
import { api, ok } from "../../api/client.ts"
import { useSession } from "../../api/session.ts"
import { Icon } from "../../parts/icon/Icon.tsx"
import { Menu } from "../../parts/menu/Menu.tsx"
import { say } from "../../parts/toast/toasts.ts"
import { Brand } from "./Brand.tsx"
import styles from "./Shell.module.css"

const useSwitch = () => {
  const queryClient = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: (workspace_id: string) => ok(api.POST("/api/session/workspace", { body: { workspace_id } })),
    onSuccess: async () => {
      // Nothing of the other workspace may stay on the screen.
      queryClient.clear()
      await router.navigate({ to: "/" })
      await router.invalidate()
    },
    onError: (error) => say({ text: error.message })
  })
}

/** The workspace that is open, and the ways to the caller's others. */
export const Workspace = () => {
  const { workspace } = useSession()
  const { data } = useQuery({ queryKey: ["workspaces"], queryFn: () => ok(api.GET("/api/session/workspaces")) })
  const change = useSwitch()
  const entries = (data?.data ?? []).map(({ id, name }) => ({
    id,
    label: name,
    icon: id === workspace.id ? ("check" as const) : ("folder" as const),
    run: () => (id === workspace.id ? undefined : change.mutate(id))
  }))
  return (
    <Menu
      label="Workspaces"
      entries={entries}
      trigger={
        <Button className={styles.space}>
          <Brand />
          <span className="clip">{workspace.name}</span>
          <Icon name="down" />
        </Button>
      }
    />
  )
}
