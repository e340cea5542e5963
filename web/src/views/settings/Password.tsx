import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { ApiError, api, ok } from "../../api/client.ts"
import { useChangePassword } from "../../api/settings.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { say } from "../../parts/toast/toasts.ts"
import styles from "./Settings.module.css"

const minLength = 12

export const Password = () => {
  const [current, setCurrent] = useState("")
  const [next, setNext] = useState("")
  const change = useChangePassword()
  const { data } = useQuery({ queryKey: ["sign-in"], queryFn: () => ok(api.GET("/api/session/oidc")) })
  if (data?.passwords === false)
    return (
      <Note tone="info">
        <p>This installation has no passwords: you sign in with {data.name ?? "the sign-in provider"}.</p>
      </Note>
    )
  const wrong = change.error instanceof ApiError && change.error.code === "wrong_password" ? change.error : null
  return (
    <Form
      className={styles.narrow}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        change.mutate(
          { current_password: current, new_password: next },
          {
            onSuccess: () => {
              setCurrent("")
              setNext("")
              say({ text: "Your password is changed. All other sessions have ended." })
            }
          }
        )
      }}
    >
      <p className="prose">A new password ends all your other sessions and sign-in links. API keys keep working.</p>
      <TextField
        label="Present password"
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        problem={wrong?.message}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={`${minLength} characters or more.`}
        value={next}
        onChange={setNext}
      />
      {change.error === null || wrong !== null ? null : <Problem error={change.error} />}
      <div>
        <Button
          type="submit"
          look="primary"
          isPending={change.isPending}
          isDisabled={current === "" || next.length < minLength}
        >
          Change password
        </Button>
      </div>
    </Form>
  )
}
