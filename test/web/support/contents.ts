/** What a team writes, for views that show it. */

export const projects = [
  { name: "Commerce", kind: "area", slug: "commerce", description: "Everything that customers pay for." },
  {
    name: "Checkout",
    kind: "project",
    slug: "checkout",
    parent: "commerce",
    description: "From the basket to the receipt."
  },
  { name: "Catalogue", kind: "project", slug: "catalogue", parent: "commerce", description: "What there is to buy." }
] as const

interface IssueTexts {
  readonly title: string
  readonly body_md: string
  readonly priority: "P0" | "P1" | "P2" | "P3"
  readonly labels: ReadonlyArray<string>
  readonly acceptance_criteria: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
  readonly status: "open" | "claimed" | "in_review" | "blocked"
}

export const issues: ReadonlyArray<IssueTexts> = [
  {
    title: "Pass sort columns of lists through an allow-list",
    body_md:
      'The routes join `req.query.sort` into their statements.\n\n1. Name the columns that may sort.\n2. Return **400** for others.\n\n```js\nconst columns = new Set(["name", "price"])\n```',
    priority: "P0",
    labels: ["security", "lists"],
    acceptance_criteria: ["No statement holds text of a request", "Unknown columns are answered with 400"],
    notes: ["`route01.js` is done; five are left."],
    status: "claimed"
  },
  {
    title: "Open redirects after sign-in",
    body_md: "`next` leads anywhere. Only paths of our own may follow.",
    priority: "P1",
    labels: ["security"],
    acceptance_criteria: ["Only relative addresses are followed"],
    notes: [],
    status: "blocked"
  },
  {
    title: "Archive folders without a shell",
    body_md: "Use `execFile` with a list of arguments.",
    priority: "P1",
    labels: ["security", "exports"],
    acceptance_criteria: [],
    notes: [],
    status: "in_review"
  },
  {
    title: "Pool connections to the database in one place",
    body_md: "",
    priority: "P2",
    labels: [],
    acceptance_criteria: [],
    notes: [],
    status: "open"
  }
]

export interface MissionTexts {
  readonly title: string
  readonly goal: string
  readonly limits: string
}

export const missions: ReadonlyArray<MissionTexts> = [
  {
    title: "Read settings without running code",
    goal: "Every file of settings is read with **yaml.safe_load**.",
    limits: "- Leave `src/` alone.\n- One commit a file."
  },
  {
    title: "Safe settings of the mail client",
    goal: "The mail client follows the others.",
    limits: "Ask before tests are changed."
  }
]

export const context = [
  {
    by: "person",
    path: null,
    key: "deploys",
    kind: "convention",
    title: "Deploys go out on Tuesdays",
    summary: "A release is cut on Monday evening and deployed on Tuesday at 10:00 UTC.",
    body_md: "1. Cut the release.\n2. Watch the **error rate** for an hour."
  },
  {
    by: "person",
    path: "checkout",
    key: "money",
    kind: "decision",
    title: "Money is counted in cents",
    summary: "Amounts are integers of cents; only views divide.",
    body_md: "Floats lost 4 cents in March."
  },
  {
    by: "agent",
    path: "checkout",
    key: "retries",
    kind: "warning",
    title: "Payments must not be retried without a key",
    summary: "The provider charges twice when a request is sent again without its idempotency key.",
    body_md: "See `src/pay.js`."
  },
  {
    by: "agent",
    path: null,
    key: "staging",
    kind: "runbook",
    title: "Reset the staging database",
    summary: "Run the seed job, then sign in once.",
    body_md: "```sh\nnpm run seed\n```"
  }
] as const

export const people = [
  ["grace@example.org", "admin"],
  ["theo@example.org", "member"]
] as const

export const reviewBranch = "pay/retry"
