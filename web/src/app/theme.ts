export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const name = "assay.theme"

export const storedTheme = (): Theme => {
  try {
    const value = localStorage.getItem(name)
    return value === "light" || value === "dark" ? value : "system"
  } catch {
    return "system"
  }
}

/** Pins the theme on the document; `system` follows the reader's setting. */
export const showTheme = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export const chooseTheme = (theme: Theme): void => {
  showTheme(theme)
  try {
    if (theme === "system") localStorage.removeItem(name)
    else localStorage.setItem(name, theme)
  } catch {
    // Without storage, the choice holds until the page is left.
  }
}
