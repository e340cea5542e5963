import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { requestFix, reviseFix, withdrawFix } from "../../../api/fixes.ts"
import { observationsChanged } from "../../../api/observation.ts"
import { duration } from "../../../parts/text/duration.ts"
import { dollars } from "../../../parts/text/Money.tsx"
import { say } from "../../../parts/toast/toasts.ts"
import { fixForecastQuery } from "../../../parts/triage/FixDialog.tsx"

/** Two ends of a range, or the one that both are. */
const between = (low: string, high: string): string => (low === high ? low : `${low} to ${high}`)

/** What a fix would cost, for the button that starts it and the line beside it. */
export const useFixPrice = (repo_name: string, enabled: boolean) => {
  const { data } = useQuery({ ...fixForecastQuery(repo_name), enabled })
  if (data === undefined) return null
  const price = dollars(data.cost_mid)
  const cost = between(dollars(data.cost_low), dollars(data.cost_high))
  const time = between(duration(data.duration_low), duration(data.duration_high))
  return {
    about: price.startsWith("less") ? price : `about ${price}`,
    range: `Forecast ${cost}, ${time}. Opens a pull request, never merges.`
  }
}

const useFixMutation = <Input>(request: (input: Input) => Promise<unknown>, text: string) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: request,
    onSuccess: () => say({ text }),
    onSettled: () => observationsChanged(queryClient)
  })
}

export const useFix = (ref: string) => ({
  request: useFixMutation(
    (extra: boolean) => requestFix(ref, extra),
    `A fix of ${ref} is requested. The page shows it as it goes on.`
  ),
  revise: useFixMutation((instructions: string) => reviseFix(ref, instructions), `The fix of ${ref} is sent back.`),
  withdraw: useFixMutation((_: null) => withdrawFix(ref), `The pull request for ${ref} is closed unmerged.`)
})
