import { type ErrorComponentProps, useRouter } from "@tanstack/react-router"
import { Page } from "../layout/Page.tsx"
import { Problem } from "./Problem.tsx"

/** In the place of a view that could not be shown. */
export const FailedView = ({ error }: ErrorComponentProps) => {
  const router = useRouter()
  return (
    <Page title="The view could not be shown">
      <Problem error={error instanceof Error ? error : new Error(String(error))} onRetry={() => router.invalidate()} />
    </Page>
  )
}
