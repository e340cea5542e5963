import { useQuery } from "@tanstack/react-query"
import { type RepositoryAddress, repositoryHref, scoresQuery } from "../../api/repositories.ts"
import { Change } from "../../parts/charts/Change.tsx"
import { domains } from "../trends/filter.ts"

/** The domain that a repository is worst in, with what its score gained or lost; one request for all rows. */
export const LowestScore = ({ repository }: { readonly repository: RepositoryAddress }) => {
  const { data } = useQuery(scoresQuery)
  const scores = (data?.get(repositoryHref(repository)) ?? []).flatMap(({ domain, score, change }) =>
    score === null ? [] : [{ domain, score, change }]
  )
  const [first, ...others] = scores
  if (first === undefined) return <span className="muted">{data === undefined ? "" : "Not scored"}</span>
  const lowest = others.reduce((least, one) => (one.score < least.score ? one : least), first)
  return (
    <span className="line wrap">
      <span className="num">{lowest.score}</span>
      <span className="soft">{domains[lowest.domain]}</span>
      <Change points={lowest.change} />
    </span>
  )
}
