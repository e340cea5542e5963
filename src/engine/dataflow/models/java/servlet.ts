import type { Model } from "../Model.ts"

/** The request of the servlet API, which Struts and JSP pages see, too. */
export const servlet: Model = {
  name: "servlet",
  mentions: /HttpServletRequest|ServletRequest|getSubmittedFileName/,
  sources: [
    {
      kind: "request",
      path: /^http:servlet\.(?:query|body|(?:getParameter|getParameterValues|getParameterMap|getHeader|getHeaders|getQueryString|getCookies|getRequestURI|getRequestURL|getServletPath|getPathInfo|getPathTranslated|getInputStream|getReader|getPart|getParts|getRemoteUser|getParameterNames|getHeaderNames|getServerName)\(\))$/
    }
  ]
}
