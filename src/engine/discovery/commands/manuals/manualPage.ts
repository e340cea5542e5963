/** Pages of programs, games and services; in the source of `man`, in text of another markup that is made into it, or in POD. */
export const manualPage =
  /(?:^|\/)[\w+-][\w.+-]*\.[1568](?:-in|\.(?:in|man|md|mkd|markdown|ronn|rst|adoc|asciidoc|txt|pod|scd))?$|(?:^|\/)[\w+-]+\.pod$|^(?:(?:s?bin|scripts?|exe)\/)?[\w+-]+(?:\.pl)?$/

/** What the section is called that shows how a program is started. */
export const synopsisHeading = /^(?:\.S[Hh]\s+"?|#{1,3}\s+|=+\s+|=head\d\s+)?SYNOPSIS"?\s*(?:=+|#+)?\s*$/

/** No more of a page is of use: the synopsis stands at its top. */
const MAX_PAGE = 8 * 1024

/** What has the form of a page by its name; a program's own file may hold one in POD. */
export const isManualPage = (path: string): boolean => /\.[1568](?:[.-]\w+)?$/.test(path)

/** The part of a manual page that is kept; null for what is none. */
export const manualText = (path: string, text: string): string | null => {
  if (!manualPage.test(path)) return null
  if (isManualPage(path)) return text.slice(0, MAX_PAGE)
  if (!/^=head1\s+SYNOPSIS\b/m.test(text)) return null
  return path.endsWith(".pod") || /^#!.{0,60}\bperl\b/.test(text) ? text : null
}
