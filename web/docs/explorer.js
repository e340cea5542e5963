/** The API page of the docs site: opens what a link names, and filters the operations by what is typed. */

const openNamed = () => {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (named instanceof HTMLDetailsElement) named.open = true
  named?.scrollIntoView()
}

addEventListener("hashchange", openNamed)
openNamed()

const row = document.getElementById("filter-row")
const input = document.getElementById("filter")
if (row !== null && input instanceof HTMLInputElement) {
  row.hidden = false
  input.addEventListener("input", () => {
    const query = input.value.trim().toLowerCase()
    for (const section of document.querySelectorAll("section")) {
      let matches = 0
      for (const operation of section.querySelectorAll("details.operation")) {
        const label = `${operation.id} ${operation.querySelector("summary")?.textContent ?? ""}`.toLowerCase()
        const isMatch = label.includes(query)
        if (operation instanceof HTMLElement) operation.hidden = !isMatch
        matches += isMatch ? 1 : 0
      }
      section.hidden = matches === 0
    }
  })
}
