export const besideBusyProcesses: <A>(count: number, run: () => Promise<A>) => Promise<A>
