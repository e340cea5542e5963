interface Heading {
  readonly level: number
  readonly title: string
}

const underlines: ReadonlyMap<string, number> = new Map([
  ["=", 1],
  ["-", 2],
  ["~", 3],
  ["^", 4],
  ["+", 4],
  ["*", 1]
])

/** Level and title of a heading of Markdown or AsciiDoc, or one that the next line underlines; null for other lines. */
const headingOf = (line: string, below: string): Heading | null => {
  const marked = /^(#{1,6}|={1,6}(?=\s+[A-Za-z]))\s+(\S.*?)\s*#*$/.exec(line)
  if (marked !== null) return { level: marked[1]!.length, title: marked[2]! }
  const level =
    /^\S/.test(line) && /^(?:={3,}|-{3,}|~{3,}|\^{3,}|\+{3,}|\*{3,})\s*$/.test(below)
      ? underlines.get(below[0]!)
      : undefined
  return level === undefined ? null : { level, title: line.trim() }
}

/** Headings above the line that is read, the outermost first; the title of the whole document is none of them. */
export class Headings {
  private open: ReadonlyArray<Heading> = []
  private isBegun = false

  /** Whether the line begins a section. */
  read(line: string, below: string): boolean {
    const found = headingOf(line, below)
    if (found === null) return false
    const isTitle = !this.isBegun && found.level === 1
    this.isBegun = true
    // Sections beside the title of a document are within it, whatever their level.
    this.open = isTitle ? [] : [...this.open.filter(({ level }) => level < found.level), found]
    return true
  }

  get all(): ReadonlyArray<string> {
    return this.open.map(({ title }) => title)
  }
}

/** One operating system or distribution, or what it installs programs with. */
const ofSystem =
  /\b(?:windows|mingw\w*|msys2?|cygwin|visual studio|msvc|wsl|mac ?os|os ?x|darwin|homebrew|macports|(?:free|open|net|dragonfly) ?bsd|solaris|illumos|aix|haiku|android|termux|ios|raspberry|raspbian|debian|ubuntu|linux ?mint|fedora|centos|rhel|red ?hat|rocky|almalinux|(?:open)?suse|arch ?linux|manjaro|gentoo ?linux|gentoo|nix(?:os)?|guix|alpine ?linux|alpine|void ?linux|slackware|snap(?:craft)?|flatpak|appimage|scoop|chocolatey|winget|apt|dnf|yum|zypper|pacman|rpm|deb)\b|^arch$/i

const everySystem = new RegExp(ofSystem.source, "gi")

/** Most systems that servers and developers have. */
const ofMostSystems = /\b(?:linux|unix|posix)\b/i

/** What is done when something went wrong, or to measure. */
const ofTrouble =
  /\b(?:trouble\w*|problems?|known issues|faq|bugs?|(?:report|fil)ing (?:an )?issues?|debug\w*|diagnos\w*|crash\w*|valgrind|\w*sanitizers?|asan|profil(?:e|ing)|benchmark\w*|fuzz\w*)\b/i

/** What is done instead of what is usual, for another machine, with another program or with something beside the product. */
const ofChoice =
  /\b(?:optional|alternativ\w*|advanced|experimental|legacy|deprecated|obsolete|old(?:er)?|previous|cross[- ]?compil\w*|static(?:ally)?|compilers and options|multiple architectures|particular systems|system type|sharing defaults|installation names|defining variables|invocation|plugins?|docker|containers?|kubernetes|podman|vagrant|ides?|eclipse|intellij|vs ?code|xcode|qt creator|upgrad\w*|uninstall\w*|packaging|packagers?|wasm|emscripten)\b/i

const namesMostSystems = (heading: string): boolean => ofMostSystems.test(heading.replace(everySystem, ""))

export const isTroubleHeading = (heading: string): boolean => ofTrouble.test(heading)

/** A section for one system, for trouble or for a choice that most do not make: what it says is not what one begins with. */
export const isAsideHeading = (heading: string): boolean =>
  (ofSystem.test(heading) && !namesMostSystems(heading)) || ofTrouble.test(heading) || ofChoice.test(heading)
