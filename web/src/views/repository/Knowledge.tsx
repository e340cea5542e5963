import { useSuspenseQuery } from "@tanstack/react-query"
import { addressOf, knowledgeQuery, type Repository } from "../../api/repositories.ts"
import { Priority } from "../../parts/badges/observation.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Box, Section } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Markdown } from "../../parts/markdown/Markdown.tsx"
import { Title } from "../../parts/text/Title.tsx"
import styles from "./Repository.module.css"

/** What agents are given before they change the code: severe findings, conventions, principles. */
export const Knowledge = ({ repository }: { readonly repository: Repository }) => {
  const { data } = useSuspenseQuery(knowledgeQuery(addressOf(repository)))
  const { directives, directives_truncated, conventions, principles, commit_sha } = data
  return (
    <div className={styles.page}>
      <p className="prose">
        Agents read this before they change the code
        {commit_sha === null ? "." : `; the discovery inspected ${commit_sha.slice(0, 12)}.`}
      </p>
      <Section title="Severe findings to know">
        {directives.length === 0 ? (
          <p className="soft">No P0 or P1 observation is open.</p>
        ) : (
          <Box padded={false}>
            <Table
              label="Severe findings"
              rows={directives}
              keyOf={({ ref }) => ref}
              columns={[
                { name: "Priority", cell: ({ priority }) => <Priority priority={priority} short /> },
                {
                  name: "Title",
                  cell: ({ ref, title }) => (
                    <a href={`/observations/${ref}`}>
                      <Title text={title} />
                    </a>
                  )
                },
                {
                  name: "Where",
                  cell: ({ file_path, line_start }) => (
                    <code>
                      {file_path}:{line_start}
                    </code>
                  )
                },
                { name: "Rule", cell: ({ rule_id }) => <code>{rule_id}</code> }
              ]}
            />
          </Box>
        )}
        {directives_truncated ? (
          <a href={`/triage?repo=${encodeURIComponent(repository.repo_name)}&priority=P0,P1`}>All of them</a>
        ) : null}
      </Section>
      {principles === null && conventions.length === 0 ? (
        <Empty icon="repo" why="No discovery ran yet." next="Start one on the page Discovery." />
      ) : null}
      {principles === null ? null : (
        <Section title="Principles">
          <Markdown text={principles} />
        </Section>
      )}
      {conventions.map(({ slug, title, content }) => (
        <Section key={slug} title={title ?? slug}>
          <Markdown text={content} />
        </Section>
      ))}
    </div>
  )
}
