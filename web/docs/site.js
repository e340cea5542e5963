/** The docs site's comforts: search, copy buttons, colours, and opening what a link names. Pages read without them. */

/** @typedef {import("../../src/http/docs/searchIndex.ts").SearchEntry} SearchEntry */

/** @param {string} html */
const fromHtml = (html) => {
  const template = document.createElement("template")
  template.innerHTML = html
  return template.content
}

const openNamed = () => {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!(named instanceof HTMLDetailsElement)) return
  named.open = true
  named.scrollIntoView()
}

addEventListener("hashchange", openNamed)
openNamed()

// On a narrow screen the list of pages is closed, so that a page begins with its text.
const pages = document.getElementById("pages")
const wide = matchMedia("(min-width: 60rem)")
const showPages = () => pages?.toggleAttribute("open", wide.matches)
wide.addEventListener("change", showPages)
showPages()

for (const pre of document.querySelectorAll("pre")) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "copy"
  button.textContent = "Copy"
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.textContent ?? "")
    button.textContent = "Copied"
    setTimeout(() => {
      button.textContent = "Copy"
    }, 2000)
  })
  const frame = document.createElement("div")
  frame.className = "code"
  pre.replaceWith(frame)
  frame.append(pre, button)
}

// What scrolls sideways is reached with the keyboard, too.
for (const scrolled of document.querySelectorAll("pre, .table")) {
  if (!(scrolled instanceof HTMLElement) || scrolled.scrollWidth <= scrolled.clientWidth) continue
  scrolled.tabIndex = 0
  scrolled.setAttribute("role", "group")
  scrolled.setAttribute("aria-label", scrolled.matches("pre") ? "Code" : "Table")
}

const root = document.documentElement
const isDark = () =>
  (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark"
const kept = localStorage.getItem("theme")
if (kept === "dark" || kept === "light") root.dataset.theme = kept

const tools = document.getElementById("tools")
tools?.append(
  fromHtml(
    '<search><label class="hidden" for="search">Search the docs</label>' +
      '<input id="search" type="search" placeholder="Search ( / )" autocomplete="off" aria-describedby="count">' +
      '<p id="count" class="hidden" role="status"></p><ul id="results" hidden></ul></search>' +
      '<button id="theme" type="button"></button>'
  )
)

const theme = document.getElementById("theme")
const nameTheme = () => {
  if (theme !== null) theme.textContent = isDark() ? "Light" : "Dark"
}
theme?.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark"
  localStorage.setItem("theme", root.dataset.theme)
  nameTheme()
})
nameTheme()

const input = document.getElementById("search")
const results = document.getElementById("results")
const count = document.getElementById("count")

/** @type {Promise<ReadonlyArray<SearchEntry>> | undefined} */
let index

const loadIndex = () => {
  index ??= fetch("/search.json").then((response) => response.json())
  return index
}

/** Every word must occur; words of the title weigh more. @param {ReadonlyArray<string>} words @param {SearchEntry} entry */
const weigh = (words, { title, page, text }) => {
  const [inTitle, anywhere] = [title.toLowerCase(), `${title} ${page} ${text}`.toLowerCase()]
  if (!words.every((word) => anywhere.includes(word))) return 0
  return 1 + words.filter((word) => inTitle.includes(word)).length * 10 + (inTitle.startsWith(words[0] ?? "") ? 5 : 0)
}

const most = 12

/** @param {SearchEntry} entry */
const resultOf = ({ path, title, page, text }) => {
  const item = document.createElement("li")
  const link = document.createElement("a")
  link.href = path
  const name = document.createElement("b")
  name.textContent = title
  const where = document.createElement("span")
  where.textContent = page === title ? text : `${page}: ${text}`
  link.append(name, where)
  item.append(link)
  return item
}

if (input instanceof HTMLInputElement && results !== null && count !== null) {
  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const entries = words.length === 0 ? [] : await loadIndex()
    const found = entries
      .map((entry) => ({ entry, weight: weigh(words, entry) }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight)
    results.replaceChildren(...found.slice(0, most).map(({ entry }) => resultOf(entry)))
    results.hidden = found.length === 0
    count.textContent = words.length === 0 ? "" : `${found.length} results`
  }
  input.addEventListener("focus", () => void loadIndex())
  input.addEventListener("input", () => void show())
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = ""
      void show()
    }
    if (event.key === "Enter") results.querySelector("a")?.click()
  })
  results.addEventListener("click", () => {
    results.hidden = true
  })
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    input.focus()
  })
}
