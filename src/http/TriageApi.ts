import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import {
  AlreadyUndone,
  BulkOperationNotFound,
  BulkOperationPath,
  BulkTriage,
  TooManyObservations,
  TriageOutcome,
  TriagePreview,
  TriageUndo,
  UndoExpired
} from "../schema/BulkTriage.ts"
import { FacetsQuery, ObservationFacets } from "../schema/Facets.ts"
import { ObservationNotFound, ObservationPath } from "../schema/Observation.ts"
import { CodeQuery, ObservationCode } from "../schema/ObservationCode.ts"
import { observations } from "../schema/operations/index.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const TriageApi = HttpApiGroup.make("triage")
  .add(
    HttpApiEndpoint.post("bulk", "/api/observations/bulk")
      .annotateContext(
        serves(
          observations.triageMany,
          "Dismisses, acknowledges, completes or reopens up to 1,000 observations in one transaction: those of `refs`, or those that match `filter`. What is rejected for one is its result, with the code that the call for a single observation has, and stops no other. With `preview`, nothing changes. More than 1,000 matches are 422 `too_many`, with `details.count`."
        )
      )
      .setPayload(BulkTriage)
      .addSuccess(Schema.Union(TriageOutcome, TriagePreview))
      .addError(onWire(TooManyObservations))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.post("undo", "/api/observations/bulk/:operation_id/undo")
      .annotateContext(
        serves(
          observations.undoTriage,
          "Puts back every observation that an operation changed, within 10 minutes and once. What was changed since stays as it is, with the code `changed_since`. Anyone may undo it who sees all repositories that it was about. The history keeps both changes: the undo is the event `undone`."
        )
      )
      .setPath(BulkOperationPath)
      .addSuccess(TriageUndo)
      .addError(onWire(BulkOperationNotFound, UndoExpired, AlreadyUndone))
  )
  .add(
    HttpApiEndpoint.get("facets", "/api/observations/facets")
      .annotateContext(
        serves(
          observations.readFacets,
          "Counts the 20 most frequent values of each filter. A facet is counted with all filters but its own. Takes the filters of the list. `facets=age` counts by when they were first seen."
        )
      )
      .setUrlParams(FacetsQuery)
      .addSuccess(ObservationFacets)
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.get("code", "/api/observations/:ref/code")
      .annotateContext(
        serves(
          observations.readCode,
          "Returns the lines of the first 10 locations, or of one step, with lines around them, secrets redacted, from this server's copy of the commit in which the observation was last seen. At most 200 lines of a location, 400 characters of a line and 200,000 characters in all; `truncated` says whether that left anything out. Lines are empty where the copy lacks the commit or the file, and for files that are binary or larger than 512 KiB."
        )
      )
      .setPath(ObservationPath)
      .setUrlParams(CodeQuery)
      .addSuccess(ObservationCode)
      .addError(onWire(ObservationNotFound))
  )
  .annotate(OpenApi.Description, "Triage of many observations at once, and what a person who triages looks at.")
  .middleware(Authorization)
