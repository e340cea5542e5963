import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { api, ok } from "../../api/client.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"

/** Has a one-time link sent, for example to set a new password. */
export const LinkRequestForm = ({ onBack }: { readonly onBack: () => void }) => {
  const [email, setEmail] = useState("")
  const request = useMutation({ mutationFn: () => ok(api.POST("/api/session/link-request", { body: { email } })) })
  return (
    <Form
      className="stack"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        request.mutate()
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
      {request.error === null ? null : <Problem error={request.error} />}
      {request.isSuccess ? (
        <Note tone="info">
          <p>If there is an account of this address, a link is on its way. It works once.</p>
        </Note>
      ) : (
        <Button type="submit" look="primary" isPending={request.isPending}>
          Send the sign-in link
        </Button>
      )}
      <Button look="ghost" onPress={onBack}>
        Back to the password
      </Button>
    </Form>
  )
}
