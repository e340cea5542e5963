import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { api, ok } from "../../api/client.ts"
import { sessionQuery, useSession } from "../../api/session.ts"
import { IconButton } from "../../parts/button/Button.tsx"
import { Icon } from "../../parts/icon/Icon.tsx"
import { Menu } from "../../parts/menu/Menu.tsx"
import styles from "./Shell.module.css"

/** Who is signed in, and the way out. */
export const Account = () => {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const router = useRouter()
  const signOut = useMutation({
    mutationFn: () => ok(api.DELETE("/api/session")),
    onSuccess: async () => {
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, null)
      await router.navigate({ to: "/sign-in" })
    }
  })
  return (
    <div className={styles.who}>
      <Icon name="person" />
      <span className="clip">{user.name ?? user.email}</span>
      <span className="push">
        <Menu
          label="Account"
          trigger={<IconButton small icon="more" label="Account" />}
          entries={[{ id: "out", label: "Sign out", run: () => signOut.mutate() }]}
        />
      </span>
    </div>
  )
}
