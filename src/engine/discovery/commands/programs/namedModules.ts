import { joined } from "../../../core/text/paths.ts"
import type { Survey } from "../../Survey.ts"

const module = String.raw`([A-Za-z_]\w*(?:\.\w+)*)`

const started = new RegExp(String.raw`(?:^|[\s/])python[\d.]{0,6}\s+(?:-[bBEIsSuvX]+\s+)*-m\s+${module}(?=\s|$)`)

/** Servers and workers of Python are given the module of an application. */
const served = [
  new RegExp(
    String.raw`^(?:uvicorn|gunicorn|hypercorn|daphne|granian|waitress-serve)\b.*?\s["']?${module}:\w+(?:\(\))?["']?(?=\s|$)`
  ),
  new RegExp(String.raw`^(?:celery|flask|quart)\b.*?\s(?:-A|--app)[ =]${module}(?=[:\s]|$)`)
]

/** The module is looked for elsewhere. */
const isElsewhere = /\s--(?:app-dir|chdir|pythonpath|workdir)\b/

const isThere = (survey: Survey, folder: string, name: string): boolean => {
  const path = name.replaceAll(".", "/")
  return survey.hasFolder(joined(folder, path)) || [`${path}.py`, path].some((one) => survey.resolves(one))
}

/**
 * A module of the tree's own that is not there: `uvicorn kettle.web:app`, `python -m kettle.boil`. A name without a dot is that of an
 * application where a server is given it, and may otherwise be that of any program.
 */
export const lacksModule = (survey: Survey, folder: string, part: string, line: string): boolean => {
  if (isElsewhere.test(line)) return false
  const ofServer = served.map((pattern) => pattern.exec(line)?.[1]).find((one) => one !== undefined)
  const name = ofServer ?? started.exec(part)?.[1]
  if (name === undefined || isThere(survey, folder, name)) return false
  return name.includes(".") ? isThere(survey, folder, name.split(".")[0]!) : ofServer !== undefined
}
