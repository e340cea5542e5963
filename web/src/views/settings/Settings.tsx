import { getRouteApi, Link } from "@tanstack/react-router"
import { Suspense } from "react"
import { useSession } from "../../api/session.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Bar } from "../../parts/layout/Page.tsx"
import styles from "./Settings.module.css"
import { sections } from "./sections.ts"

const route = getRouteApi("/shell/settings/$section")

const groups = ["You", "Workspace", "Connections", "Records"] as const

const Contents = ({ open }: { readonly open: string }) => {
  const { permissions } = useSession()
  const shown = sections.filter(({ needs }) => needs === undefined || permissions.includes(needs))
  return (
    <nav aria-label="Settings" className={styles.contents}>
      {groups.map((group) => {
        const ofGroup = shown.filter((section) => section.group === group)
        return ofGroup.length === 0 ? null : (
          <div key={group}>
            <h2>{group}</h2>
            <ul>
              {ofGroup.map(({ id, name }) => (
                <li key={id}>
                  <Link
                    to="/settings/$section"
                    params={{ section: id }}
                    search={{}}
                    aria-current={id === open ? "page" : undefined}
                  >
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** Everything that is set once and looked up rarely: one section an address. */
export const Settings = () => {
  const { section: id } = route.useParams()
  const { permissions } = useSession()
  const section = sections.find((one) => one.id === id)
  const may = section?.needs === undefined || permissions.includes(section.needs)
  return (
    <>
      <Bar title={section?.name ?? "Settings"} note="Settings" />
      <div className={styles.page}>
        <Contents open={id} />
        <div className={styles.section}>
          {section === undefined ? (
            <Empty icon="settings" why="There is no such section." next="Choose one from the list." />
          ) : may ? (
            <Suspense key={id} fallback={<Bones what={section.name} />}>
              <section.view />
            </Suspense>
          ) : (
            <Note tone="info">
              <p>Only owners and admins of the workspace see this section.</p>
            </Note>
          )}
        </div>
      </div>
    </>
  )
}
