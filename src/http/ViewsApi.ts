import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { closed } from "../schema/closed.ts"
import { InvalidCursor, SessionRequired } from "../schema/Errors.ts"
import { PermissionDenied } from "../schema/Member.ts"
import { views } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import {
  CreateView,
  UpdateView,
  View,
  ViewLimitReached,
  ViewNameTaken,
  ViewNotFound,
  ViewPath
} from "../schema/View.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const ViewsPage = page("ViewsPage", View)

export const ViewsApi = HttpApiGroup.make("views")
  .add(
    HttpApiEndpoint.get("list", "/api/views")
      .annotateContext(
        serves(
          views.listViews,
          "Lists saved views of the list of observations by name: one's own, and those shared with the workspace. A view that names a repository is listed only for people who may see it."
        )
      )
      .setUrlParams(closed(pageQuery))
      .addSuccess(ViewsPage)
      .addError(onWire(SessionRequired, InvalidCursor))
  )
  .add(
    HttpApiEndpoint.post("create", "/api/views")
      .annotateContext(
        serves(
          views.createView,
          "Saves a view of the list of observations. A person has at most 200 views in a workspace."
        )
      )
      .setPayload(CreateView)
      .addSuccess(View, { status: 201 })
      .addError(onWire(SessionRequired, ViewNameTaken, ViewLimitReached))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.patch("update", "/api/views/:view_id")
      .annotateContext(
        serves(
          views.updateView,
          "Renames, changes, shares or unshares a view. Its maker may, and admins where it is shared."
        )
      )
      .setPath(ViewPath)
      .setPayload(UpdateView)
      .addSuccess(View)
      .addError(onWire(SessionRequired, ViewNotFound, PermissionDenied, ViewNameTaken))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.del("remove", "/api/views/:view_id")
      .annotateContext(serves(views.deleteView, "Deletes a view. Its maker may, and admins where it is shared."))
      .setPath(ViewPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(SessionRequired, ViewNotFound, PermissionDenied))
  )
  .annotate(OpenApi.Description, "Saved views of the list of observations.")
  .middleware(Authorization)
