/** @typedef {import("../src/schema/Job.ts").Job} Job */
/** @typedef {import("../src/schema/Key.ts").CreatedKey} CreatedKey */
/** @typedef {import("../src/schema/Key.ts").KeyRecord} KeyRecord */
/** @typedef {import("../src/schema/Observation.ts").Observation} Observation */
/** @typedef {import("../src/schema/Repository.ts").Repository} Repository */
/** @typedef {import("../src/schema/Session.ts").SessionInfo} SessionInfo */
/** @typedef {import("../src/schema/SingleSignOn.ts").SignInOptions} SignInOptions */
/** @template Item @typedef {{ readonly data: ReadonlyArray<Item> }} Page */
/** @typedef {() => Promise<void>} Work */

/**
 * An element of index.html by its id and class.
 * @template {HTMLElement} Kind @param {string} id @param {new () => Kind} kind
 */
const element = (id, kind) => {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`index.html has no ${kind.name} "${id}".`)
  return found
}

/** @param {string} id */
const byId = (id) => element(id, HTMLElement)

/** @param {string} id */
const valueOf = (id) => element(id, HTMLInputElement).value

/** @param {string} id @param {boolean} visible */
const show = (id, visible) => {
  byId(id).hidden = !visible
}

/** @type {SessionInfo | null} */
let session = null

/** An error of the API, with its code. */
class ApiError extends Error {
  /** @param {{ readonly code: string, readonly message: string }} error */
  constructor({ code, message }) {
    super(message)
    this.code = code
  }
}

/**
 * Calls the API, and throws an error of the envelope as ApiError.
 * @template Result @param {string} method @param {string} path @param {object} [body] @returns {Promise<Result>}
 */
const api = async (method, path, body) => {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(session === null ? {} : { "x-assay-csrf": session.csrf_token })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const result = response.status === 204 ? null : await response.json()
  if (!response.ok) throw new ApiError(result.error)
  return result
}

/** @param {string} message */
const problem = (message) => {
  show("problem", message !== "")
  byId("problem").textContent = message
}

/** Runs what a click starts, and shows its error. @param {Work} work */
const attempt = async (work) => {
  problem("")
  try {
    await work()
  } catch (error) {
    problem(error instanceof Error ? error.message : String(error))
  }
}

/** @param {string} id @param {Work} work */
const onSubmit = (id, work) =>
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault()
    attempt(work)
  })

/** @param {string | Node} content */
const cell = (content) => {
  const td = document.createElement("td")
  td.append(content)
  return td
}

/** @param {string} label @param {Work} work */
const button = (label, work) => {
  const created = document.createElement("button")
  created.type = "button"
  created.textContent = label
  created.addEventListener("click", () => attempt(work))
  return created
}

/** @param {string} id @param {Array<Array<string | Node>>} rows @param {string} empty */
const fill = (id, rows, empty) => {
  element(id, HTMLTableElement).tBodies[0]?.replaceChildren(
    ...(rows.length === 0 ? [[empty]] : rows).map((cells) => {
      const tr = document.createElement("tr")
      tr.append(...cells.map(cell))
      return tr
    })
  )
}

/** @param {Repository} repository */
const pathOf = (repository) =>
  [repository.github_org, repository.github_repo, repository.github_base_branch].map(encodeURIComponent).join("/")

/** @param {Observation} observation */
const locationOf = ({ locations: [first] = [] }) =>
  first === undefined ? "" : `${first.file_path}:${first.line_start}`

/** @param {string | null} instant */
const when = (instant) => (instant === null ? "never" : new Date(instant).toLocaleString())

const load = () =>
  Promise.all([
    /** @type {Promise<Page<Repository>>} */ (api("GET", "/api/repos")),
    /** @type {Promise<Page<Job>>} */ (api("GET", "/api/jobs?limit=10")),
    /** @type {Promise<Page<Observation>>} */ (
      api("GET", "/api/observations?status=new&order=display_rank&include=locations&limit=50")
    ),
    /** @type {Promise<Page<KeyRecord>>} */ (api("GET", "/api/keys"))
  ])

const refresh = async () => {
  const [repositories, jobs, observations, keys] = await load()
  fill(
    "repositories",
    repositories.data.map((repository) => [
      `${repository.github_org}/${repository.repo_name}`,
      when(repository.last_audit_at),
      Object.values(repository.open_observations).join(" / "),
      button("Start audit", async () => {
        await api("POST", `/api/repos/${pathOf(repository)}/jobs`, { workflow: "audit" })
        await refresh()
      })
    ]),
    "None yet."
  )
  fill(
    "jobs",
    jobs.data.map((job) => [when(job.started_at), job.workflow, job.repo_name, job.error ?? job.status]),
    "None yet."
  )
  fill(
    "observations",
    observations.data.map((row) => [row.ref, row.priority, row.title, locationOf(row)]),
    "None."
  )
  fill(
    "keys",
    keys.data.map((key) => [
      key.name,
      key.prefix,
      key.scopes.join(", "),
      when(key.last_used_at),
      key.revoked_at === null
        ? button("Revoke", async () => {
            await api("DELETE", `/api/keys/${key.id}`)
            await refresh()
          })
        : "revoked"
    ]),
    "None yet."
  )
  // Load again while jobs run, unless the page is hidden.
  const busy = jobs.data.some((job) => job.status === "pending" || job.status === "running")
  if (busy && !document.hidden) setTimeout(() => attempt(refresh), 2000)
}

/** @param {ReadonlyArray<string>} scopes */
const scopeBoxes = (scopes) =>
  scopes.map((scope) => {
    const label = document.createElement("label")
    const box = document.createElement("input")
    box.type = "checkbox"
    box.value = scope
    box.checked = scope.startsWith("view_")
    label.append(box, ` ${scope}`)
    return label
  })

/** @param {SessionInfo} opened */
const enter = async (opened) => {
  session = opened
  history.replaceState(null, "", "/")
  show("link", false)
  show("sign-in", false)
  show("home", true)
  show("sign-out", true)
  byId("who").textContent = `${session.user.email} in ${session.workspace.name}`
  byId("scopes").replaceChildren(...scopeBoxes(session.permissions))
  await refresh()
}

const token = new URLSearchParams(location.hash.slice(1)).get("token")

/** What the page says when the provider sent a person back without signing them in. */
const signInErrors = new Map([
  ["oidc_provider_unavailable", "The sign-in provider does not answer. Try again in a minute."],
  ["oidc_cancelled", "The sign-in was cancelled, or the provider does not let you in."],
  ["oidc_state_invalid", "This sign-in took too long or was used before. Start again."],
  [
    "oidc_code_rejected",
    "The sign-in could not be verified. Start again; if that does not help, ask your administrator."
  ],
  ["oidc_email_not_verified", "The provider has not verified your e-mail address. Verify it there, then start again."],
  ["oidc_domain_not_allowed", "E-mail addresses of your domain may not sign in here."],
  ["oidc_not_a_member", "You are not a member of a workspace. Ask an administrator for an invitation."],
  [
    "oidc_account_linked",
    "The account of your e-mail address belongs to someone else at the provider. Ask your administrator."
  ],
  ["account_disabled", "Your account is disabled. Ask your administrator."]
])

const signInError = new URLSearchParams(location.search).get("error")

/** @type {SignInOptions | null} */
let signInOptions = null

/** Offers the ways to sign in that this installation has. */
const offerSignIn = async () => {
  /** @type {SignInOptions} */
  const options = await api("GET", "/api/session/oidc")
  signInOptions = options
  show("sso", options.enabled)
  byId("sso-link").textContent = `Sign in with ${options.name}`
  show("sign-in-form", options.passwords)
  show("choose-password", options.passwords)
  element("new-password", HTMLInputElement).disabled = !options.passwords
}

const showSignIn = () => {
  if (signInError !== null) {
    history.replaceState(null, "", "/sign-in")
    problem(signInErrors.get(signInError) ?? "Signing in did not work. Start again.")
  }
  show("sign-in", true)
}

onSubmit("link-form", async () => {
  const password = signInOptions?.passwords === false ? {} : { password: valueOf("new-password") }
  await enter(await api("POST", "/api/session/link", { token, ...password }))
})
onSubmit("sign-in-form", async () => {
  await enter(await api("POST", "/api/session", { email: valueOf("email"), password: valueOf("password") }))
})
onSubmit("register-form", async () => {
  const cloneUrl = valueOf("clone-url")
  await api("POST", "/api/repos", {
    github_org: valueOf("org"),
    github_repo: valueOf("repo"),
    ...(cloneUrl === "" ? {} : { clone_url: cloneUrl })
  })
  await refresh()
})
onSubmit("key-form", async () => {
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (byId("scopes").querySelectorAll("input:checked"))
  const scopes = [...boxes].map((box) => box.value)
  /** @type {CreatedKey} */
  const created = await api("POST", "/api/keys", { name: valueOf("key-name"), scopes })
  byId("created-key").textContent = created.api_key
  show("created", true)
  await refresh()
})
byId("sign-out").addEventListener("click", () =>
  attempt(async () => {
    await api("DELETE", "/api/session")
    location.assign("/")
  })
)

await attempt(async () => {
  if (token !== null) {
    await offerSignIn()
    return show("link", true)
  }
  try {
    await enter(await api("GET", "/api/session"))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "invalid_session") throw error
    await offerSignIn()
    showSignIn()
  }
})
