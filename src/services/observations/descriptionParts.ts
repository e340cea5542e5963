const whyMark = "Why it matters and how to fix it: "

/** The paragraphs that audits write into a description; one that was written otherwise is all `what`. */
export const descriptionParts = (description: string): { readonly what: string; readonly why: string | null } => {
  const paragraphs = description.split("\n\n")
  const why = paragraphs.find((paragraph) => paragraph.startsWith(whyMark))
  const rest = paragraphs.filter((paragraph) => paragraph !== why)
  return { what: rest.join("\n\n"), why: why?.slice(whyMark.length) ?? null }
}
