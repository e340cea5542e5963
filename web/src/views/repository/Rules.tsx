import { useQuery } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { addressOf, placeOf, type Repository, rulesOfFileQuery } from "../../api/repositories.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Section } from "../../parts/layout/Page.tsx"
import { Markdown } from "../../parts/markdown/Markdown.tsx"
import styles from "./Repository.module.css"

const route = getRouteApi("/shell/repos/$org/$repo/$branch/$tab")

const Answer = ({ repository, file }: { readonly repository: Repository; readonly file: string }) => {
  const { data, error, refetch } = useQuery(rulesOfFileQuery(addressOf(repository), file))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones what="the rules" />
  const { rules, patterns, directives, path_known } = data
  return (
    <>
      {path_known === false ? <p className="soft">There is no such file yet; these rules would apply to it.</p> : null}
      <Section title={`Rules (${rules.length})`}>
        {rules.length === 0 ? <p className="soft">No rule is known for this file.</p> : null}
        {rules.map(({ text, origin, support, deviates }) => (
          <div key={text} className="stack">
            <Markdown text={text} />
            <p className="muted">
              {origin}
              {support === null ? "" : `, followed in ${support.count} of ${support.of} locations`}
              {deviates ? "; this file does not follow it" : ""}
            </p>
          </div>
        ))}
      </Section>
      {patterns.length === 0 ? null : (
        <Section title={`Patterns (${patterns.length})`}>
          {patterns.map(({ name, title, shape }) => (
            <div key={name} className="stack">
              <h3>{title}</h3>
              <Markdown text={shape} below={3} />
            </div>
          ))}
        </Section>
      )}
      {directives.length === 0 ? null : (
        <Section title="Open observations in this file">
          <ul className="stack">
            {directives.map(({ ref, title }) => (
              <li key={ref}>
                <a href={`/observations/${ref}`}>
                  {ref} {title}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

/** Which rules, patterns and findings apply to a file, also to one that is to be written. */
export const Rules = ({ repository }: { readonly repository: Repository }) => {
  const { file = "" } = route.useSearch()
  const [path, setPath] = useState(file)
  const navigate = useNavigate()
  return (
    <div className={styles.page}>
      <Form
        className="stack"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void navigate({
            to: "/repos/$org/$repo/$branch/$tab",
            params: { ...placeOf(repository), tab: "rules" },
            search: { file: path.trim() }
          })
        }}
      >
        <TextField
          label="File"
          mono
          placeholder="src/index.ts"
          hint="Path from the repository's root; the file need not exist yet."
          value={path}
          onChange={setPath}
        />
        <div>
          <Button type="submit" look="primary">
            Show its rules
          </Button>
        </div>
      </Form>
      {file === "" ? null : <Answer repository={repository} file={file} />}
    </div>
  )
}
