import { Context, Layer } from "effect"
import type { Workflow as WorkflowName } from "../../schema/Job.ts"
import type { Workflow } from "./Workflow.ts"

/** The workflows this installation serves. */
export class Workflows extends Context.Tag("Workflows")<Workflows, ReadonlyMap<WorkflowName, Workflow>>() {
  static readonly layer = (...workflows: ReadonlyArray<Workflow>) =>
    Layer.succeed(Workflows, new Map(workflows.map((workflow) => [workflow.name, workflow])))
}
