import { useMutation } from "@tanstack/react-query"
import { type TrendsFilter, trendsCsv } from "../../api/trends.ts"
import { Button } from "../../parts/button/Button.tsx"
import { say } from "../../parts/toast/toasts.ts"

const save = (text: string) => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = url
  link.download = "trends.csv"
  link.click()
  URL.revokeObjectURL(url)
}

/** Saves the numbers of the filter as CSV. */
export const CsvButton = ({ filter }: { readonly filter: TrendsFilter }) => {
  const read = useMutation({
    mutationFn: () => trendsCsv(filter),
    onSuccess: save,
    onError: ({ message }) => say({ text: message })
  })
  return (
    <Button small isPending={read.isPending} onPress={() => read.mutate()}>
      Save as CSV
    </Button>
  )
}
