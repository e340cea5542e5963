import { Effect } from "effect"
import { emptyDiscovery } from "../../src/schema/Discovery.ts"
import { type JobId, type RepositoryId, type WorkspaceId } from "../../src/schema/Ids.ts"
import { Discoveries } from "../../src/services/discovery/Discoveries.ts"

const cited = [{ file_path: "src/routes/orders.ts", line: 3 }]

/** A discovery that found one pattern and rules of each width. */
export const aRecordedDiscovery = (of: {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
  readonly job_id: JobId
}) =>
  Effect.flatMap(Discoveries, (discoveries) =>
    discoveries.record({
      ...of,
      commit: "c0ffee",
      output: {
        ...emptyDiscovery,
        guides: [{ slug: "test", title: "Test", description: "Run the tests.", content: "- `npm test`" }],
        guidance_slots: {
          rules: {
            everywhere: {
              origin: "enforced",
              text: "Spaces.",
              scope: { folder: "" },
              support: null,
              deviations: [],
              cited
            },
            routes: {
              origin: "inferred",
              text: "8 of 9 call `guard`.",
              scope: { folder: "src/routes", languages: ["typescript"], role: "source" },
              support: { count: 8, of: 9 },
              deviations: ["src/routes/open.ts"],
              cited
            },
            repos: {
              origin: "inferred",
              text: "5 of 5 call `sql`.",
              scope: { folder: "src", suffix: "Repo.ts", role: "source" },
              support: { count: 5, of: 5 },
              deviations: [],
              cited
            }
          },
          patterns: {
            route: {
              title: "Declaring a route",
              shape: "express route",
              support: { count: 8, of: 9 },
              scope: { folder: "", languages: ["typescript"], role: "source" },
              canonical: {
                file_path: "src/routes/orders.ts",
                line_start: 3,
                line_end: 5,
                symbol: "GET /orders",
                snippet: "router.get(…)"
              },
              deviations: [{ shape: "koa route", count: 1, file_path: "src/routes/open.ts", line: 2 }]
            }
          }
        }
      }
    })
  )
