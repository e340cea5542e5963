import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { followLocalLinks } from "./app/localLinks.ts"
import { queryClient } from "./app/queryClient.ts"
import { router } from "./app/router.ts"
import { showTheme, storedTheme } from "./app/theme.ts"
import "./style/tokens.css"
import "./style/base.css"

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no element with the id root.")

followLocalLinks(router)

showTheme(storedTheme())

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
)
