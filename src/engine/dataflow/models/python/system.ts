import type { Model } from "../Model.ts"

/** What a Python program is started with, and what it reads. */
export const system: Model = {
  name: "system",
  mentions:
    /\bsys\.argv\b|\bparse_(?:known_)?args\(|\b(?:raw_)?input\(|\bsys\.stdin\b|\.recv(?:from)?\(|\bdef \w+\(\s*event\s*,\s*context\b|@click\./,
  sources: [
    {
      kind: "arguments",
      path: /^sys\.argv$|^(?:argparse\.ArgumentParser|optparse\.OptionParser)\(\)\.parse_(?:known_)?args\(\)$|^arguments:click$|^(?:docopt\.)?docopt\(\)$|^getopt\.g?getopt\(\)$/
    },
    { kind: "environment", path: /^os\.(?:environ|environb|getenv\(\))$/ },
    { kind: "stdin", path: /^(?:raw_)?input\(\)$|^sys\.stdin(?:\.buffer)?$|^fileinput\.input\(\)$/ },
    {
      kind: "socket",
      path: /^socket\.(?:socket|create_connection)\(\)(?:\.accept\(\)(?:\.0)?)?\.recv(?:from|msg)?\(\)$|^self:\w*(?:Request)?Handler\.(?:rfile\.\w+|request\.recv)\(\)$|^self:\w*HTTPRequestHandler\.(?:path|headers|requestline)$/
    },
    { kind: "message", path: /^message:event$|^(?:boto3\.client|boto3\.resource)\(\)[\w.()]*\.receive_messages?\(\)$/ },
    {
      kind: "file",
      path: /^(?:open|io\.open|codecs\.open)\(\)\.(?:read|readline|readlines)\(\)$|^pathlib\.Path\(\)\.read_(?:text|bytes)\(\)$/
    },
    {
      kind: "database",
      path: /^(?:sqlite3|psycopg2?|pymysql|MySQLdb|mysql\.connector|pyodbc|cx_Oracle)\b[\w.()]*\.fetch(?:one|all|many)\(\)$/
    }
  ]
}
