import type { Finding } from "../../engine/index.ts"
import { reasonOf } from "../findingText.ts"

/** As GitHub's runner reads commands: a percent sign and line ends are escaped, in properties colons and commas, too. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C")

const commandOf = ({ kind, priority }: Finding): "error" | "warning" | "notice" =>
  kind === "finding" && priority <= "P1" ? "error" : priority <= "P2" ? "warning" : "notice"

/** Workflow commands of GitHub Actions, one a line: they annotate the lines of the change. */
export const toAnnotations = (findings: ReadonlyArray<Finding>): string =>
  findings
    .map((finding) => {
      const { file_path, line_start, line_end } = finding.locations[0]
      const properties = [
        `file=${property(file_path)}`,
        `line=${line_start}`,
        `endLine=${line_end}`,
        ...(finding.region === undefined ? [] : [`col=${finding.region.column_start}`]),
        `title=${property(`${finding.priority} ${finding.title}`)}`
      ]
      return `::${commandOf(finding)} ${properties.join(",")}::${data(`${reasonOf(finding)} [${finding.rule_id}]`)}\n`
    })
    .join("")
