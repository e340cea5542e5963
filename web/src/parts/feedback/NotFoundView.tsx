import { Page } from "../layout/Page.tsx"
import { Empty } from "./Empty.tsx"

export const NotFoundView = () => (
  <Page title="Not found">
    <Empty icon="search" why="There is no view at this address." next={<a href="/">Open the start page</a>} />
  </Page>
)
