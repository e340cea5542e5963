import styles from "./Shell.module.css"

export const Brand = () => (
  <svg viewBox="0 0 20 20" className={styles.brand} aria-hidden="true" focusable="false">
    <rect width="20" height="20" rx="5" fill="light-dark(#171a20, #2b313a)" />
    <path
      d="M5 13.6 11.8 5 M8.4 15 14 8 M12.6 15l2-2.5"
      stroke="#e0b44c"
      strokeWidth="2"
      strokeLinecap="round"
      fill="none"
    />
  </svg>
)
