const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

const names: Readonly<Record<string, string>> = {
  mod: isMac ? "⌘" : "Ctrl",
  shift: "⇧",
  alt: isMac ? "⌥" : "Alt",
  enter: "↵",
  esc: "esc"
}

/** A shortcut as its key caps, for example `⌘ K` or `g t`. */
export const capsOf = (keys: string): ReadonlyArray<string> =>
  keys.split(" ").flatMap((stroke) => stroke.split(/\+(?=.)/).map((key) => names[key] ?? key))
