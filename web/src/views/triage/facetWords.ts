export const domainWords: Readonly<Record<string, string>> = {
  security: "Security",
  code_quality: "Code quality",
  reliability: "Reliability",
  data_apis: "Data and APIs",
  testing: "Testing",
  devops: "DevOps",
  ux: "User experience"
}

export const categoryWords: Readonly<Record<string, string>> = {
  security: "Security",
  correctness: "Correctness",
  maintainability: "Maintainability",
  performance: "Performance",
  architecture: "Architecture",
  operations: "Operations"
}

export const ageWords: Readonly<Record<string, string>> = {
  today: "Today",
  week: "Last 7 days",
  month: "Last 30 days",
  older: "Older"
}

export const statusWords: Readonly<Record<string, string>> = { new: "New", closed: "Closed" }
