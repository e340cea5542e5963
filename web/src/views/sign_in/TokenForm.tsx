import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { api, ok } from "../../api/client.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { useEntry } from "./useEntry.ts"

interface TokenFormProps {
  readonly kind: "token" | "invitation"
  readonly token: string
  /** Whether this installation has passwords at all. */
  readonly passwords: boolean
  readonly returnTo?: string
}

interface Chosen {
  readonly password?: string
  readonly name?: string
}

/** Uses a one-time link or an invitation, and sets the password to come back with. */
export const TokenForm = ({ kind, token, passwords, returnTo }: TokenFormProps) => {
  const [name, setName] = useState("")
  const [password, setPassword] = useState("")
  const entry = useEntry(
    (chosen: Chosen) =>
      kind === "token"
        ? ok(api.POST("/api/session/link", { body: { token, password: chosen.password } }))
        : ok(api.POST("/api/session/invitation", { body: { token, ...chosen } })),
    returnTo
  )
  return (
    <Form
      className="stack"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        entry.mutate({
          ...(password === "" ? {} : { password }),
          ...(kind === "invitation" && name !== "" ? { name } : {})
        })
      }}
    >
      <p className="prose">
        {kind === "token"
          ? "This link signs you in once. Choose a password to come back with."
          : "You are invited to a workspace. With an account of your own already, leave the fields empty."}
      </p>
      {kind === "invitation" ? <TextField label="Name" autoComplete="name" value={name} onChange={setName} /> : null}
      {passwords ? (
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="12 characters or more."
          minLength={12}
          value={password}
          onChange={setPassword}
          isRequired={kind === "token"}
          autoFocus={kind === "token"}
        />
      ) : null}
      {entry.error === null ? null : <Problem error={entry.error} />}
      <Button type="submit" look="primary" isPending={entry.isPending}>
        {kind === "token" ? "Sign in" : "Accept the invitation"}
      </Button>
    </Form>
  )
}
