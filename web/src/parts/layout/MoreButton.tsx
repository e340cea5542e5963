import { Button } from "../button/Button.tsx"

interface MoreButtonProps {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** The next page of a list, where there is one. */
export const MoreButton = ({ query }: MoreButtonProps) =>
  query.hasNextPage ? (
    <p>
      <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
        Show more
      </Button>
    </p>
  ) : null
