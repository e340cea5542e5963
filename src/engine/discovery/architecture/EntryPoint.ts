export interface EntryPoint {
  readonly file_path: string
  readonly line: number
  readonly why: string
}
