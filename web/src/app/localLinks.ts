import type { AnyRouter } from "@tanstack/react-router"

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented

/** Addresses of the server that are no views: files to save, and pages of its own. */
const isView = ({ origin, pathname }: URL) =>
  origin === window.location.origin && !/^\/(?:api|mcp|assets)\//.test(pathname)

/** Links to views that were written as plain links, in texts for example, open without the app being loaded again. */
export const followLocalLinks = (router: AnyRouter): void => {
  document.addEventListener("click", (event) => {
    if (!isPlainClick(event) || !(event.target instanceof Element)) return
    const link = event.target.closest("a")
    if (link === null || link.target !== "" || link.hasAttribute("download") || !link.hasAttribute("href")) return
    const url = new URL(link.href)
    const isSamePage = url.pathname === window.location.pathname && url.search === window.location.search
    if (!isView(url) || (isSamePage && url.hash !== "")) return
    event.preventDefault()
    void router.navigate({ href: `${url.pathname}${url.search}${url.hash}` })
  })
}
