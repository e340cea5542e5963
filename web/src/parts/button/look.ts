import styles from "./Button.module.css"

export interface Look {
  readonly look?: "plain" | "primary" | "ghost" | "danger"
  readonly small?: boolean
}

/** The class of a button, for links that look like one, too. */
export const lookOf = ({ look = "plain", small = false }: Look, square = false): string =>
  [styles.button, look === "plain" ? "" : styles[look], small ? styles.small : "", square ? styles.square : ""]
    .filter((name) => name !== "")
    .join(" ")
