import { KeyCap } from "../text/KeyCap.tsx"

export const UndoHint = () => (
  <p className="line muted">
    You can undo it for 10 minutes. <KeyCap>z</KeyCap>
  </p>
)
