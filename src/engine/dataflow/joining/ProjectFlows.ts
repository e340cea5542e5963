import type { FileSummary, Project } from "../../core/tool/AuditTool.ts"
import type { FlowFact, FlowFacts, FunctionFact } from "../facts.ts"
import { FunctionResolver } from "./FunctionResolver.ts"
import { StoredFields } from "./StoredFields.ts"

/** A function and the file it is in. */
export interface Place {
  readonly path: string
  readonly owner: FunctionFact
}

/** What the files of a project say together of their functions, whichever kinds of sinks are asked for. */
export class ProjectFlows {
  /** Functions that hand back something tainted. */
  readonly returning: FunctionResolver
  readonly fields: StoredFields
  /** Flows that reach a sink in their own function. */
  readonly flows: ReadonlyArray<readonly [place: Place, flow: FlowFact]>
  readonly callers: ReadonlyArray<Place>

  constructor(files: ReadonlyArray<FileSummary<FlowFacts>>, project: Project) {
    const places = files.flatMap(({ path, facts }) => facts.functions.map((owner): Place => ({ path, owner })))
    this.flows = places.flatMap((place) => place.owner.flows.map((flow) => [place, flow] as const))
    this.callers = places.filter(({ owner }) => owner.calls.length > 0)
    this.fields = new StoredFields(files)
    this.returning = new FunctionResolver(project, files)
    this.returning.offer(
      places.flatMap((value) => {
        const { name, returns } = value.owner
        return name !== null && returns.length > 0 ? [{ path: value.path, name, value }] : []
      })
    )
  }

  private static readonly known = new WeakMap<Project, WeakMap<object, ProjectFlows>>()

  /** Several tools ask for the same files one after the other: what does not depend on the tool is worked out once. */
  static of(files: ReadonlyArray<FileSummary<FlowFacts>>, project: Project): ProjectFlows {
    const ofProject = ProjectFlows.known.get(project) ?? new WeakMap<object, ProjectFlows>()
    ProjectFlows.known.set(project, ofProject)
    const known = ofProject.get(files) ?? new ProjectFlows(files, project)
    ofProject.set(files, known)
    return known
  }
}
