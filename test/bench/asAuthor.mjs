/** Options of git for commits of generated repositories, which nothing repacks while they are measured. */
export const asAuthor = ["user.name=bench", "user.email=bench@localhost", "commit.gpgsign=false", "gc.auto=0"].flatMap(
  (setting) => ["-c", setting]
)
