import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { credentialsQuery, useDeleteCredential } from "../../api/credentials.ts"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { AddCredential } from "./AddCredential.tsx"
import styles from "./Settings.module.css"

const route = getRouteApi("/shell/settings/$section")

/** What signs in at the hosts of private repositories. */
export const Credentials = () => {
  const { data } = useSuspenseQuery(credentialsQuery)
  const { dialog, id } = route.useSearch()
  const navigate = route.useNavigate()
  const remove = useDeleteCredential()
  const close = () => navigate({ search: {}, replace: true })
  const chosen = data.find((credential) => credential.id === id)
  return (
    <>
      <div className="spread wrap">
        <p className="soft">Secrets are stored encrypted and never shown again. The most specific one is offered.</p>
        <Button look="primary" icon="plus" onPress={() => navigate({ search: { dialog: "new" } })}>
          Add credential…
        </Button>
      </div>
      {data.length === 0 ? (
        <Empty icon="key" why="No credential yet." next="Public repositories need none. Add one for a private host." />
      ) : (
        <Box padded={false}>
          <Table
            label="Credentials"
            rows={data}
            keyOf={(credential) => credential.id}
            columns={[
              {
                name: "Host",
                cell: ({ host, repository }) => (
                  <>
                    <strong>{host}</strong>
                    <span className={styles.hint}>{repository ?? "All repositories of the host"}</span>
                  </>
                )
              },
              {
                name: "Signs in as",
                cell: ({ kind, username, fingerprint }) => (
                  <>
                    {kind === "ssh" ? "Deploy key" : (username ?? "git")}
                    {fingerprint === null ? null : <span className={`${styles.hint} mono`}>{fingerprint}</span>}
                  </>
                )
              },
              { name: "Stored", cell: ({ created_at }) => <Time at={created_at} long /> },
              {
                name: "Last used",
                cell: ({ last_used_at }) => (last_used_at === null ? "Never" : <Time at={last_used_at} long />)
              },
              {
                name: "Actions",
                nameHidden: true,
                figure: true,
                cell: (credential) => (
                  <Button
                    small
                    look="danger"
                    aria-label={`Delete the credential of ${credential.host}`}
                    onPress={() => navigate({ search: { dialog: "delete", id: credential.id } })}
                  >
                    Delete…
                  </Button>
                )
              }
            ]}
          />
        </Box>
      )}
      {dialog === "new" ? <AddCredential onClose={close} /> : null}
      {dialog === "delete" && chosen !== undefined ? (
        <FormDialog
          title={`Delete the credential of ${chosen.host}?`}
          onClose={close}
          submit="Delete credential"
          isDanger
          work={remove}
          onSubmit={() => remove.mutate(chosen.id, { onSuccess: close })}
        >
          <p>
            Audits of {chosen.repository ?? `private repositories at ${chosen.host}`} fail from the next one on, unless
            another credential fits. Findings stay.
          </p>
        </FormDialog>
      ) : null}
    </>
  )
}
