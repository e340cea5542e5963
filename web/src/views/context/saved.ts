import { say } from "../../parts/toast/toasts.ts"

interface Written {
  readonly secret_warnings?: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

/** Says that an entry was written, and what in it looks like a secret. */
export const saySaved = (text: string, { secret_warnings = [] }: Written): void => {
  say({ text })
  for (const { field, message } of secret_warnings)
    say({
      text: `Check ${field === "body_md" ? "the body" : field}: ${message}`,
      action: { label: "Understood", run: () => undefined }
    })
}
