/** One line for the long form of a generated test: what a call spent, client, server and generator together. */
export const reportCpu = (calls: number, before: NodeJS.CpuUsage, outcomes: Readonly<Record<string, number>>) => {
  if (process.env.ASSAY_GENERATED_REQUESTS === undefined) return
  const { user, system } = process.cpuUsage(before)
  const millis = ((user + system) / 1000 / calls).toFixed(2)
  console.info(`${calls} calls, ${millis} ms of CPU each: ${JSON.stringify(outcomes)}`)
}
