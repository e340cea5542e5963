import { useQuery } from "@tanstack/react-query"
import { artifactHref, artifactsQuery, hasEnded, type Job } from "../../api/jobs.ts"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Box, Section } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { figure } from "../../parts/text/counted.ts"
import { Time } from "../../parts/text/Time.tsx"

/** What the job has written for people, to save. */
export const Artifacts = ({ job }: { readonly job: Job }) => {
  const { data, error } = useQuery({ ...artifactsQuery(job.id), enabled: hasEnded(job) })
  if (error !== null) return <Problem error={error} />
  if (data === undefined || data.data.length === 0) return null
  return (
    <Section title="Artifacts">
      <Box padded={false}>
        <Table
          label="Artifacts"
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "File",
              cell: ({ id, name }) => (
                <a href={artifactHref(job.id, id)} download>
                  {name}
                </a>
              )
            },
            { name: "About", cell: ({ namespace }) => namespace },
            { name: "Size", figure: true, cell: ({ size }) => `${figure(size / 1000)} kB` },
            { name: "Written", cell: ({ created_at }) => <Time at={created_at} /> }
          ]}
        />
      </Box>
    </Section>
  )
}
