/** Weaknesses that name the same flaw at different levels of detail. */
const families = [
  [1321, 915, 471],
  [78, 77, 88],
  [94, 95, 96, 1336],
  [502],
  [22, 23, 36, 59, 73],
  [1333, 400, 730],
  [79, 80, 116],
  [601],
  [295, 297, 757],
  [208, 203],
  [377, 379, 59],
  [330, 331, 335, 338],
  [327, 328, 759, 916],
  [89, 943],
  [90],
  [918],
  [611, 776, 827],
  [119, 120, 121, 122, 125, 170, 193, 787],
  [401, 404, 772],
  [415, 416, 825],
  [476, 690]
]

const fits = (weakness, { cwe }) =>
  cwe.some((one) => one === weakness || families.some((family) => family.includes(one) && family.includes(weakness)))

const describe = ({ rule_id, title, confidence, path, line }) => `${rule_id} ${confidence} ${path}:${line} ${title}`

/**
 * Reported: a rule has more observations that fit in the files of the vulnerability before the fix than after it. One
 * that only moved, or whose line was edited, is still there after, so it does not count.
 */
export const verdictOf = (entry, before, after) => {
  const ofVulnerability = (findings) =>
    findings.filter((finding) => entry.files.includes(finding.path) && fits(entry.weakness, finding))
  const earlier = ofVulnerability(before)
  const later = ofVulnerability(after)
  const count = (findings, rule) => findings.filter(({ rule_id }) => rule_id === rule).length
  const rules = [...new Set(earlier.map(({ rule_id }) => rule_id))]
  const primaries = new Set(later.map(({ rule_id, signatures }) => `${rule_id} ${signatures.primary}`))
  const isGone = (rule) =>
    count(earlier, rule) > count(later, rule) &&
    earlier.some(({ rule_id, signatures }) => rule_id === rule && !primaries.has(`${rule_id} ${signatures.primary}`))
  const gone = rules.filter(isGone)
  const reason =
    gone.length > 0
      ? gone.join(", ")
      : earlier.length > 0
        ? `still reported after the fix: ${rules.join(", ")}`
        : "not reported before the fix"
  const details = [
    ...earlier.map((one) => `before: ${describe(one)}`),
    ...later.map((one) => `after:  ${describe(one)}`)
  ]
  return { isReported: gone.length > 0, reason, details }
}
