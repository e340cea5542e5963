const byId = (id) => document.getElementById(id)
const show = (id, visible) => {
  byId(id).hidden = !visible
}

let session = null

/** Calls the API; a refusal is thrown with the envelope's message. */
const api = async (method, path, body) => {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(session === null ? {} : { "x-assay-csrf": session.csrf_token })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (response.status === 204) return null
  const answer = await response.json()
  if (!response.ok) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
  return answer
}

const problem = (message) => {
  show("problem", message !== "")
  byId("problem").textContent = message
}

/** Runs what a click asks for; what goes wrong is shown, not lost. */
const attempt = async (work) => {
  problem("")
  try {
    await work()
  } catch (error) {
    problem(error.message)
  }
}

const onSubmit = (id, work) =>
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault()
    attempt(work)
  })

const cell = (content) => {
  const td = document.createElement("td")
  if (content instanceof Node) td.append(content)
  else td.textContent = content
  return td
}

const button = (label, work) => {
  const element = document.createElement("button")
  element.type = "button"
  element.textContent = label
  element.addEventListener("click", () => attempt(work))
  return element
}

const fill = (id, rows, empty) => {
  const body = byId(id).tBodies[0]
  body.replaceChildren(
    ...(rows.length === 0 ? [[empty]] : rows).map((cells) => {
      const tr = document.createElement("tr")
      tr.append(...cells.map(cell))
      return tr
    })
  )
}

const pathOf = (repository) =>
  [repository.github_org, repository.github_repo, repository.github_base_branch].map(encodeURIComponent).join("/")

const when = (instant) => (instant === null ? "never" : new Date(instant).toLocaleString())

const refresh = async () => {
  const [repositories, jobs, observations, keys] = await Promise.all([
    api("GET", "/api/repos"),
    api("GET", "/api/jobs?limit=10"),
    api("GET", "/api/observations?status=new&order=display_rank&include=locations&limit=50"),
    api("GET", "/api/keys")
  ])
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
    observations.data.map((row) => [
      row.ref,
      row.priority,
      row.title,
      `${row.locations[0].file_path}:${row.locations[0].line_start}`
    ]),
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
  // While something runs, look again; a page nobody looks at does not.
  const busy = jobs.data.some((job) => job.status === "pending" || job.status === "running")
  if (busy && !document.hidden) setTimeout(() => attempt(refresh), 2000)
}

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

onSubmit("link-form", async () => {
  await enter(await api("POST", "/api/session/link", { token, password: byId("new-password").value }))
})
onSubmit("sign-in-form", async () => {
  await enter(await api("POST", "/api/session", { email: byId("email").value, password: byId("password").value }))
})
onSubmit("register-form", async () => {
  const cloneUrl = byId("clone-url").value
  await api("POST", "/api/repos", {
    github_org: byId("org").value,
    github_repo: byId("repo").value,
    ...(cloneUrl === "" ? {} : { clone_url: cloneUrl })
  })
  await refresh()
})
onSubmit("key-form", async () => {
  const scopes = [...byId("scopes").querySelectorAll("input:checked")].map((box) => box.value)
  const minted = await api("POST", "/api/keys", { name: byId("key-name").value, scopes })
  byId("minted-key").textContent = minted.api_key
  show("minted", true)
  await refresh()
})
byId("sign-out").addEventListener("click", () =>
  attempt(async () => {
    await api("DELETE", "/api/session")
    location.assign("/")
  })
)

await attempt(async () => {
  if (token !== null) return show("link", true)
  try {
    await enter(await api("GET", "/api/session"))
  } catch (error) {
    if (error.code !== "invalid_session") throw error
    show("sign-in", true)
  }
})
