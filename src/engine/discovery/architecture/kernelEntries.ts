import { modulesOfKernel } from "../commands/programs/kernelModules.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

/** `module_init(start)`, or one of the macros that stand for it, such as `module_usb_driver(driver)`. */
const startsModule = /^module_(?:init|\w{2,20}_driver)$/

/** Where the modules start that the kernel loads. */
export const kernelModules = (survey: Survey): ReadonlyArray<EntryPoint> =>
  modulesOfKernel(survey).length === 0
    ? []
    : survey.source.flatMap((file): ReadonlyArray<EntryPoint> => {
        const call =
          file.language === "c" && file.has("calls") && file.calls.find(([callee]) => startsModule.test(callee))
        return call
          ? [{ file_path: file.path, line: call[2], why: "what the kernel starts when it loads the module" }]
          : []
      })
