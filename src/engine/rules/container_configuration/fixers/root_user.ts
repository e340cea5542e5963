import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { insertAt } from "../../../languages/edits/atMatch.ts"
import { dockerfileOf, finalLineage, type Instruction } from "../../../languages/formats/dockerfile.ts"

const starting = /^(?:CMD|ENTRYPOINT)$/
/** What needs root at run time, or files that another user may not write. */
const needsRoot =
  /\bsudo\b|\bchroot\b|--privileged|\bcap_|\bsetcap\b|\/var\/run\/docker\.sock|\bcron\b|\bsshd?\b|\bnginx\b|\bapache2?\b/

const isLowPort = ({ name, value }: Instruction): boolean =>
  name === "EXPOSE" && value.split(/\s+/).some((port) => Number.parseInt(port, 10) < 1024)

/** A program of its own, not a script or a package manager that may write where it stands. */
const startsProgram = ({ value }: Instruction): boolean => /^\[\s*"node"\s*,\s*"[\w./-]+\.[cm]?js"/.test(value)

/** Before the instruction, and before comments right above it. */
const lineBefore = (file: SourceFile, offset: number): number => {
  let line = file.line(offset)
  while (/^\s*#/.test(file.lineText(line - 1))) line--
  return file.lineStarts[line - 1]!
}

const propose = ({ file, match }: FixSite): Proposal => {
  const dockerfile = file.language === "dockerfile" ? dockerfileOf(file) : null
  if (dockerfile === null)
    return declined("Which user the image has, and which files that one may write, is not known here.")
  const lineage = finalLineage(dockerfile)
  const instructions = lineage.flatMap((stage) => stage.instructions)
  const image = lineage.at(-1)?.image
  if (image?.name !== "node" || instructions.some(({ name }) => name === "USER")) {
    return declined("The image has no user that is known here; one has to be made and given the files it writes.")
  }
  const start = instructions.findLast(({ name }) => starting.test(name))
  const needs = instructions.some((one) => isLowPort(one) || one.name === "VOLUME" || needsRoot.test(one.value))
  if (start === undefined || needs || !instructions.filter(({ name }) => starting.test(name)).every(startsProgram)) {
    return declined("The program may need root: for a port below 1024, a volume, or what its start script does.")
  }
  if (start.start < match.start) return declined("The program is started by an earlier stage.")
  return {
    edits: [insertAt(lineBefore(file, start.start), "USER node\n")],
    summary: "Run the container's program as the user of the image"
  }
}

export default fixer({ tool: "container_configuration", rule: "root_user", languages: ["dockerfile"], propose })
