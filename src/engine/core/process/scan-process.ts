import { startThreadAhead } from "./threads.ts"

/** Entry of the scanning process. The thread begins to load its code before this one does. */
startThreadAhead()
void import("./serveScan.ts").then(({ serveScan }) => serveScan())
