import type { ObservationDetail } from "../../api/observation.ts"
import { CodeAtLocations } from "./sections/CodeAtLocations.tsx"
import { Evidence } from "./sections/Evidence.tsx"
import { Flow } from "./sections/Flow.tsx"
import { SuggestedChange } from "./sections/SuggestedChange.tsx"
import { What, Why } from "./sections/Why.tsx"

/** What speaks for an observation, from what is wrong to the change that corrects it. */
export const ObservationEvidence = ({ observation }: { readonly observation: ObservationDetail }) => (
  <>
    <What observation={observation.ref} />
    <Flow steps={observation.steps} refName={observation.ref} />
    <CodeAtLocations {...observation} />
    <Evidence evidence={observation.evidence} />
    <Why observation={observation.ref} />
    <SuggestedChange {...observation} />
  </>
)
