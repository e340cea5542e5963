import { HttpApi, OpenApi } from "@effect/platform"
import {
  BadRequest,
  DatabaseUnavailable,
  InternalError,
  InvalidPayload,
  LoneSurrogate,
  MethodNotAllowed,
  NulByte,
  PayloadTooLarge
} from "../schema/Errors.ts"
import { ContextApi, ProjectContextApi } from "./ContextApi.ts"
import { ForecastsApi } from "./ForecastsApi.ts"
import { JobsApi } from "./JobsApi.ts"
import { KeysApi } from "./KeysApi.ts"
import { ObservationsApi } from "./ObservationsApi.ts"
import { OutboxApi } from "./OutboxApi.ts"
import { OverviewApi } from "./OverviewApi.ts"
import { ProjectsApi } from "./ProjectsApi.ts"
import { RepositoriesApi } from "./RepositoriesApi.ts"
import { SessionsApi } from "./SessionsApi.ts"
import { WorkspaceApi } from "./WorkspaceApi.ts"
import { onWire } from "./wire.ts"

/** The REST contract: routes, OpenAPI document and typed client derive from this value. */
export const Api = HttpApi.make("assay")
  .add(SessionsApi)
  .add(KeysApi)
  .add(RepositoriesApi)
  .add(OverviewApi)
  .add(WorkspaceApi)
  .add(ProjectsApi)
  .add(JobsApi)
  .add(ObservationsApi)
  .add(ForecastsApi)
  .add(ContextApi)
  .add(ProjectContextApi)
  .add(OutboxApi)
  .addError(onWire(InvalidPayload))
  .addError(onWire(NulByte))
  .addError(onWire(LoneSurrogate))
  .addError(onWire(BadRequest))
  .addError(onWire(MethodNotAllowed))
  .addError(onWire(PayloadTooLarge))
  .addError(onWire(InternalError))
  .addError(onWire(DatabaseUnavailable))
  .annotate(OpenApi.Title, "Assay")
  .annotate(OpenApi.Version, "1")
