import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { useSession } from "../../api/session.ts"
import { useUpdateProfile } from "../../api/settings.ts"
import { chooseTheme, storedTheme, type Theme } from "../../app/theme.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { Choices } from "../../parts/fields/Choices.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { say } from "../../parts/toast/toasts.ts"
import styles from "./Settings.module.css"

const Name = () => {
  const { user } = useSession()
  const [name, setName] = useState(user.name ?? "")
  const update = useUpdateProfile()
  return (
    <Form
      className="stack"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        update.mutate(
          { name: name.trim() === "" ? null : name.trim() },
          { onSuccess: () => say({ text: "Your name is saved." }) }
        )
      }}
    >
      <TextField
        label="Name"
        autoComplete="name"
        maxLength={200}
        hint={`Shown beside what you do. You sign in as ${user.email}.`}
        value={name}
        onChange={setName}
      />
      {update.error === null ? null : <Problem error={update.error} />}
      <div>
        <Button
          type="submit"
          look="primary"
          isPending={update.isPending}
          isDisabled={name.trim() === (user.name ?? "")}
        >
          Save name
        </Button>
      </div>
    </Form>
  )
}

const SingleKeys = () => {
  const { user } = useSession()
  const update = useUpdateProfile()
  // Shown at once; an error rolls it back.
  const isOn = update.isPending ? update.variables.single_keys === true : user.single_keys
  return (
    <div className="stack">
      <Checkbox isSelected={isOn} onChange={(single_keys) => update.mutate({ single_keys })}>
        <span>
          Single keys as shortcuts
          <span className={styles.hint}>
            Such as j, k and e. Switch them off if you work with speech input; Control or Command with K stays.
          </span>
        </span>
      </Checkbox>
      {update.error === null ? null : <Problem error={update.error} />}
    </div>
  )
}

export const Profile = () => {
  const [theme, setTheme] = useState<Theme>(storedTheme)
  return (
    <div className={styles.narrow}>
      <Name />
      <SingleKeys />
      <Choices
        label="Theme, in this browser"
        value={theme}
        onChange={(chosen) => {
          setTheme(chosen)
          chooseTheme(chosen)
        }}
        choices={[
          { value: "system", label: "As the system" },
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" }
        ]}
      />
    </div>
  )
}
