import type { Store } from "../Observed.ts"

/** What writes into a service by its client, or a file by what is declared elsewhere. */
export interface StoreForm {
  readonly languages: RegExp
  readonly call: RegExp
  readonly kind: Store["kind"]
  readonly needs?: RegExp
}

const script = /^(?:typescript|tsx|javascript|vue)$/

const ofRedis = "set|setex|psetex|getset|incr|decr|incrby|decrby|del|unlink|rename|expire|xadd"

const zookeeper = "nodes of ZooKeeper" as const

export const remoteStores: ReadonlyArray<StoreForm> = [
  {
    languages: /^(?:java|kotlin|scala)$/,
    call: /\.(?:create|setData|delete)\(\)(?=(?:\s*\.\w{1,40}\([^()\n]{0,80}\)){0,6}\s*\.forPath\()/g,
    kind: zookeeper,
    needs: /\borg\.apache\.curator\b/
  },
  {
    languages: /^(?:java|kotlin|scala)$/,
    call: /(?<![\w.])(?:this\.)?(?:zk|zookeeper|zooKeeper|zkClient|zkc)(?:\(\))?\.(?:create|setData|multi|delete)\(/g,
    kind: zookeeper,
    needs: /\borg\.apache\.zookeeper\b/
  },
  {
    languages: /^python$/,
    call: /(?<![\w.])(?:self\.)?_?(?:zk|zk_?client|zookeeper|kazoo\w{0,10}|client)\.(?:create|ensure_path|set|set_data|delete)\(/g,
    kind: zookeeper,
    needs: /^[ \t]*(?:from|import)[ \t]+(?:kazoo|aiozk)\b/m
  },
  {
    languages: /^go$/,
    call: /\b\w{0,20}(?:[cC]onn|[zZ][kK])\.(?:Create|CreateProtectedEphemeralSequential|Set|Multi|Delete)\(/g,
    kind: zookeeper,
    needs: /"[^"\n]{0,60}go-zookeeper\/zk"/
  },
  {
    languages: /^go$/,
    call: /\.(?:Put|OpPut|OpDelete)\(/g,
    kind: "a key-value store",
    needs: /"[^"\n]{0,60}etcd[^"\n]{0,30}\/clientv?3?(?:\/v3)?"|\bclientv3\b/
  },
  { languages: /^go$/, call: /\bKV\(\)\.(?:Put|CAS|Delete|Acquire)\(/g, kind: "a key-value store" },
  {
    languages: /^python$/,
    call: /\.(?:put_item|update_item|delete_item|batch_write_item|transact_write_items)\(/g,
    kind: "a database",
    needs: /\bboto3\b|[dD]ynamo|\bput_item\(\s*Item\s*=|\bKey\s*=\s*\{/
  },
  {
    languages: script,
    call: /\bnew (?:Put|Update|Delete|BatchWrite|TransactWrite)(?:Item)?Command\(/g,
    kind: "a database",
    needs: /["']@aws-sdk\/(?:client|lib)-dynamodb["']/
  },
  {
    languages: /^(?:typescript|tsx|javascript|python|ruby)$/,
    call: new RegExp(
      String.raw`(?<![\w.])(?:(?:this|self)\.)?@?_?(?:\w{0,20}[rR]edis\w{0,20}|client|conn|connection|pipe|pipeline|multi)(?:\.|\(\)\.)(?:${ofRedis})\(`,
      "g"
    ),
    kind: "a key-value store",
    needs: /(?:\brequire\(\s*["']|\bfrom\s+["']?|^import\s+["']?|\brequire\s+["'])(?:io|async[_-]?|fake)?redis\b/m
  },
  {
    languages: /^go$/,
    call: /\.(?:Do|Send)\(\s*(?:ctx\s*,\s*)?"(?:SET|SETEX|HM?SET|DEL|[LR]PUSH|SADD|ZADD|INCR|EXPIRE|PUBLISH)"/g,
    kind: "a key-value store",
    needs: /redi(?:s|go)/
  },
  {
    languages: /^rust$/,
    call: /\bredis::cmd\(\s*"(?:SET|SETEX|HM?SET|DEL|[LR]PUSH|SADD|ZADD|INCR|XADD|EXPIRE)"|\bredis::Script::new\(/g,
    kind: "a key-value store"
  },
  {
    languages: /^(?:java|kotlin)$/,
    call: /\b\w{0,20}[jJ]edis\w{0,20}\.(?:set|setex|hset|del|[lr]push|sadd|zadd|incr|expire)\(|\b\w{0,20}[rR]edisTemplate\.(?:opsFor\w+\(\)\.\w+|delete|expire)\(/g,
    kind: "a key-value store"
  },
  { languages: /^rust$/, call: /\bdiesel::(?:insert_into|replace_into|update|delete)\(/g, kind: "a database" },
  {
    languages: /^cpp$/,
    call: /\b(?:\w{0,20}(?:[lL]og|[oO]ut|[oO]utput|[sS]ave|[dD]ump)_?[fF]ile|ofs|ofile|fout)\.open\s*\(/g,
    kind: "files"
  },
  {
    languages: /^shell$/,
    call: /(?<![>&\d=<-])>{1,2}\|?[ \t]{0,4}"?\$\{?(?!\w{0,30}(?:[tT]e?mp|TE?MP|PID|pid|[lL]ock|LOCK|TTY|tty|NULL|null|FD|[fF]d))[A-Za-z]\w{0,30}(?:FILE|[fF]ile|DB|db|STATE|state|CONF|conf|LIST|list|HISTORY|history|OUTPUT|output|PATH|path)\w{0,20}\}?/g,
    kind: "files",
    // Not the scripts that Autotools copy into every program.
    needs: /^(?![\s\S]*\b(?:Automake|Autoconf|Libtool|config\.status)\b)/
  }
]
