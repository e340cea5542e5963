import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { trendsQuery } from "../../api/trends.ts"
import { AreaChart } from "../../parts/charts/AreaChart.tsx"
import { ChartBox } from "../../parts/charts/ChartBox.tsx"
import { LineChart } from "../../parts/charts/LineChart.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { flowSeries, openAreas } from "../trends/series.ts"
import styles from "./Repository.module.css"

/** How the repository developed in the last 90 days. */
export const RepositoryTrend = ({ name }: { readonly name: string }) => {
  const { data, error, refetch } = useQuery(trendsQuery({ days: 90, repo: name }))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return null
  const areas = openAreas(data.series.open_by_priority, { repo: name })
  const lines = flowSeries(data.series, { repo: name })
  return (
    <div className={styles.boxes}>
      <ChartBox
        title="Open by priority"
        summary="Open observations of the last 90 days."
        series={[...areas].reverse()}
        actions={
          <Link to="/trends" search={{ repo: name, days: "90" }}>
            More trends
          </Link>
        }
      >
        <AreaChart areas={areas} />
      </ChartBox>
      <ChartBox title="Opened and closed" summary="Observations opened and closed in each week." series={lines}>
        <LineChart lines={lines} />
      </ChartBox>
    </div>
  )
}
