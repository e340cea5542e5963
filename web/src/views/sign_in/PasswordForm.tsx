import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { api, ok } from "../../api/client.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { useEntry } from "./useEntry.ts"

/** Signs in with e-mail address and password. */
export const PasswordForm = ({
  returnTo,
  onForgotten
}: {
  readonly returnTo?: string
  readonly onForgotten: () => void
}) => {
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const entry = useEntry(
    (body: { email: string; password: string }) => ok(api.POST("/api/session", { body })),
    returnTo
  )
  return (
    <Form
      className="stack"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        entry.mutate({ email, password })
      }}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        isRequired
        autoFocus
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
      />
      {entry.error === null ? null : <Problem error={entry.error} />}
      <Button type="submit" look="primary" isPending={entry.isPending}>
        Sign in
      </Button>
      <Button look="ghost" onPress={onForgotten}>
        Send me a sign-in link…
      </Button>
    </Form>
  )
}
