import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { type Credential, useCreateCredential } from "../../api/credentials.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Choices } from "../../parts/fields/Choices.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import styles from "./Settings.module.css"

type Field = "host" | "repository" | "username" | "secret" | "private_key" | "known_hosts"

const empty: Readonly<Record<Field, string>> = {
  host: "",
  repository: "",
  username: "",
  secret: "",
  private_key: "",
  known_hosts: ""
}

export const AddCredential = ({ onClose }: { readonly onClose: () => void }) => {
  const [kind, setKind] = useState<Credential["kind"]>("https")
  const [values, setValues] = useState(empty)
  const create = useCreateCredential()
  const problems = create.error instanceof ApiError ? create.error.fields : {}
  const field = (name: Field) => ({
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
    problem: problems[name],
    autoComplete: "off"
  })
  const given = (name: Field) => (values[name].trim() === "" ? {} : { [name]: values[name].trim() })
  const isComplete =
    values.host.trim() !== "" &&
    (kind === "https" ? values.secret !== "" : values.private_key !== "" && values.known_hosts !== "")
  return (
    <FormDialog
      title="Add a credential"
      wide
      onClose={onClose}
      submit="Add credential"
      work={create}
      isDisabled={!isComplete}
      onSubmit={() =>
        create.mutate(
          {
            kind,
            host: values.host.trim(),
            ...given("repository"),
            ...given("username"),
            ...(kind === "https"
              ? { secret: values.secret }
              : // A key file ends with a line break, which some programs insist on.
                { private_key: `${values.private_key.trim()}\n`, known_hosts: values.known_hosts })
          },
          { onSuccess: onClose }
        )
      }
    >
      <Choices
        label="Kind"
        columns={2}
        value={kind}
        onChange={setKind}
        choices={[
          { value: "https", label: "HTTPS", hint: "User and password or token" },
          { value: "ssh", label: "SSH", hint: "Deploy key and the host's keys" }
        ]}
      />
      <div className={styles.two}>
        <TextField label="Host" mono placeholder="git.example.org" {...field("host")} />
        <TextField
          label="Repository (optional)"
          mono
          placeholder="owner/repo@branch"
          hint="Empty: all of the host."
          {...field("repository")}
        />
      </div>
      <TextField label="User (optional)" hint="Empty: git, which hosts take with a token." {...field("username")} />
      {kind === "https" ? (
        <TextField label="Password or token" type="password" {...field("secret")} />
      ) : (
        <>
          <TextField label="Private key" mono rows={5} hint="Without a passphrase." {...field("private_key")} />
          <TextField
            label="Host keys"
            mono
            rows={3}
            hint="Lines of a known_hosts file, as ssh-keyscan prints them. No others are trusted."
            {...field("known_hosts")}
          />
        </>
      )}
    </FormDialog>
  )
}
