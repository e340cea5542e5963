import { useSuspenseQuery } from "@tanstack/react-query"
import { api, ok } from "../../api/client.ts"
import { addressOf, guidanceQuery, type Repository, reviewInstructionsQuery } from "../../api/repositories.ts"
import { madeFrom } from "../../api/texts.ts"
import { Section } from "../../parts/layout/Page.tsx"
import styles from "./Repository.module.css"
import { TextEditor } from "./TextEditor.tsx"

/** What agents and reviews are to keep to in this repository. */
export const Guidance = ({ repository }: { readonly repository: Repository }) => {
  const address = addressOf(repository)
  const { data: guidance } = useSuspenseQuery(guidanceQuery(address))
  const { data: instructions } = useSuspenseQuery(reviewInstructionsQuery(address))
  return (
    <div className={styles.page}>
      <TextEditor
        title="Guidance"
        hint="Agents receive it with every brief of this repository. Markdown."
        address={address}
        text={guidance.text}
        etag={guidance.etag}
        changedAt={guidance.changed_at}
        changedBy={guidance.changed_by?.label ?? null}
        save={(text, etag) =>
          ok(
            api.PUT("/api/repos/{github_org}/{github_repo}/{github_base_branch}/guidance", {
              params: { path: address, header: madeFrom(etag) },
              body: { text }
            })
          )
        }
      />
      <TextEditor
        title="Review instructions"
        hint="Reviews of this repository keep to them. Lines `ignore paths:`, `ignore rules:`, `focus rules:` and `max comments:` direct what is commented on."
        address={address}
        text={instructions.repository}
        etag={instructions.etag}
        changedAt={instructions.changed_at}
        changedBy={instructions.changed_by?.label ?? null}
        save={(text, etag) =>
          ok(
            api.PUT("/api/repos/{github_org}/{github_repo}/{github_base_branch}/review-instructions", {
              params: { path: address, header: madeFrom(etag) },
              body: { text }
            })
          )
        }
      />
      {instructions.workspace === "" ? null : (
        <Section title="Instructions of the workspace">
          <p className="prose">They apply as well: {instructions.workspace}</p>
        </Section>
      )}
    </div>
  )
}
