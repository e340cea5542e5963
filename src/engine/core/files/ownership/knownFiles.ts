import { baseName } from "../../text/paths.ts"

/**
 * Single files that programs copy, by their usual names and by whom their opening comments name. Both together are
 * evidence: many programs have a file `md5.c`, and few that they wrote themselves credit RSA Data Security.
 */
const known: ReadonlyArray<readonly [name: RegExp, mark: RegExp]> = [
  // Digests, ciphers and checksums.
  [/md[245]/, /Colin Plumb|RSA Data Security|L\. Peter Deutsch|Alexander Peslyak|Solar Designer|Ron(?:ald)? Rivest/],
  [/sha/, /Steve Reid|Paul E\. Jones|Allan Saddi|Christophe Devine|Aaron D?\.? ?Gifford|Olivier Gay|Brad Conte/],
  [
    /aes|rijndael/,
    /Vincent Rijmen|Brian Gladman|Christophe Devine|Karl Malbrain|Philip J\. Erdelsky|github\.com\/kokke/
  ],
  [
    /blowfish|^blf|des|rc4|arc4|cast/,
    /Eric Young|Bruce Schneier|Paul Kocher|Phil Karn|Richard Outerbridge|Niels Provos/
  ],
  [/crc/, /Gary S\. Brown|Mark Adler|Michael Barr|Ross Williams/],
  [/base64/, /Bob Trower|Internet Software Consortium|Jouni Malinen|webtoolkit|Robert Harder|Mikael Grev/],
  [/blake2/, /Samuel Neves|Jean-Philippe Aumasson/],
  [
    /hash|lookup3|jenkins|murmur|city|sip/,
    /Bob Jenkins|Austin Appleby|Geoff Pike|Jean-Philippe Aumasson|Paul Hsieh|Landon Curt Noll/
  ],
  [/xxh|lz4|zstd|huf|fse/, /Yann Collet/],
  [/lzf/, /Marc (?:Alexander )?Lehmann/],
  [/lzo/, /Oberhumer/],
  [/fastlz/, /Ariya Hidayat/],
  [/^(?:7z|alloc|aes|bcj2|bra|cpuarch|delta|lz|ppmd|sha|sort|xz|types)/, /Igor Pavlov/],
  [/miniz|tinfl/, /Rich Geldreich/],
  [/^(?:gz|inf|deflate|trees|z)/, /Mark Adler|Jean-loup Gailly/],
  [/bsdiff|bspatch|scrypt|sha256|pbkdf2/, /Colin Percival|Alexander Peslyak/],
  [/^mdb|midl|lmdb/, /Symas|OpenLDAP Foundation/],
  [/^fst/, /Tony Bybell/],
  // What systems of the BSD family and their C libraries hand out, and what stands in for it elsewhere.
  [
    /^(?:bsd-|bsd_)?(?:strlcpy|strlcat|strtonum|reallocarray|arc4random\w*|explicit_bzero|strsep|strmode|setproctitle|errx?|warnx?|fts|vis|unvis|readpassphrase|daemon|inet_\w+|inet|rb|get(?:addr|name)info|getline|mktemp|recallocarray|freezero|bcrypt\w*|queue|tree|sys-queue|sys-tree|imsg|ohash|fgetln|strndup|strnlen|strptime|timegm|closefrom|glob|fnmatch|reg\w*|getopt\w*|basename|dirname|random|qsort|radixsort|heapsort|mergesort|strcasecmp|strtoll|strtoull|strtok_r|vsnprintf|snprintf)$/,
    /OpenBSD|NetBSD|FreeBSD|Regents of the University|Todd C\. Miller|Niels Provos|Theo de Raadt|WIDE Project|Internet Systems Consortium|Internet Software Consortium|Henry Spencer|AT&T|Paul Vixie/
  ],
  [/getopt/, /Gregory Pietsch|Hans Dietrich|Kim Gr[aä]sman|Ludvik Jerabek|Free Software Foundation/],
  [/dtoa|strtod|g_fmt/, /David M\. Gay|Lucent Technologies|AT&T/],
  [/stdint|inttypes/, /Alexander Chemeris|Paul Hsieh/],
  [/malloc/, /Doug(?:las)? Lea|Wolfram Gloger/],
  [/^ansi2knr/, /Aladdin Enterprises|L\. Peter Deutsch/],
  [/dirent/, /Toni R[oö]nkk[oö]|Kevlin Henney/],
  [/patricia/, /Merit Network|Regents of the University of Michigan/i],
  [/wcwidth/, /Markus Kuhn/],
  [/utf|unicode/, /Unicode, Inc|Nemanja Trifunovic|Steven G\. Johnson|Bj(?:oe|ö)rn H(?:oe|ö)hrmann|Jeff Bezanson/],
  [/^mt|mersenne|twist|sfmt/, /Makoto Matsumoto|Takuji Nishimura|Mutsuo Saito/],
  [/argon2/, /Dinu|Khovratovich|Aumasson/],
  // Containers, formats and small servers of one file.
  [/^ut(?:hash|list|array|string|stack)/, /Troy D\. Hanson/],
  [/^k(?:hash|seq|sort|string|vec|list|btree|lib)/, /Attractive Chaos|Heng Li|Genome Research/],
  [
    /json/,
    /Dave Gamble|Krzysztof Gabis|Serge (?:A\. )?Zaitsev|Niels Lohmann|Cybozu|JSON\.org|Michal Migurski|Milo Yip|James McLaughlin|Baptiste Lepilleur|Crockford/
  ],
  [/xml/, /Lee Thomason|Arseny Kapoulkine|Marcin Kalicinski|Frank Vanden Berghen|Martin Blech/],
  [/^ini|inih|simpleini|iniparser/i, /Ben Hoyt|Brodie Thiesfield|Nicolas Devillard/],
  [
    /catch|doctest|acutest|minunit|unity|greatest/,
    /Phil Nash|Two Blue Cubes|Viktor Kirilov|Martin Mit[aá][sš]|Throw The Switch|Scott Vokes/
  ],
  [
    /^(?:stb|rr?png|lodepng|nanosvg|tinyexr|tiny_\w+|nuklear|par_|cgltf|dr_\w+|miniaudio)/,
    /Sean Barrett|nothings\.org|Lode Vandevenne|Mikko Mononen|Syoyo Fujita|Micha Mettke|Philip Rideout|Johannes Kuhlmann|David Reid/
  ],
  [/^im(?:gui|stb|config|draw)/, /omar cornut|ocornut/i],
  [
    /^gl(?:ext|ew|x|u|ad|corearb)?(?:ext)?$|^wgl|khrplatform|^cl(?:_\w+)?$|vulkan/,
    /Khronos Group|Milan Ikits|Marcelo E\. Magallon|Brian Paul/
  ],
  [/http_?parser/, /Joyent|Kazuho Oku|Tatsuhiko Kubo/],
  [/mongoose|civetweb|slre|frozen/, /Sergey Lyubka|Cesanta/],
  [/simclist/, /\bMij\b/],
  [/linenoise/, /antirez|Salvatore Sanfilippo/],
  [/^l\w+$|luaconf|lua/, /Lua\.org|PUC-Rio/],
  [/regexp?|regsub/, /Henry Spencer/],
  [/markdown|upskirt|sundown|soldout/, /Natacha Port|Michel Fortin|Manfred Stienstra|Yuri Takhteyev|Emanuil Rusev/],
  // Numbers and geometry.
  [/predicates|triangle/, /Jonathan (?:Richard )?Shewchuk/],
  [/fft/, /Mark Borgerding|Julien Pommier|Takuya O(?:OURA|oura)|Paul N\.? Swarztrauber/i],
  [/svm|linear/, /Chih-Chung Chang|Chih-Jen Lin/],
  [
    /mpfit|lmfit|levmar|minpack|lmmin/,
    /Craig (?:B\. )?Markwardt|Argonne National|Manolis Lourakis|Burton S\. Garbow|Joachim Wuttke/
  ],
  [/qcp/, /Douglas L\. Theobald/],
  [/clipper|poly2tri|earcut|tess/, /Angus Johnson|Poly2Tri Copyright|Mapbox|Silicon Graphics/],
  [/^(?:g72|g711|g72x|g721|g723)/, /Sun Microsystems/],
  [/tiny_?random|xoroshiro|xorshift|splitmix/, /Sebastiano Vigna/],
  // Python.
  [/decorator|decorators/, /Michele Simionato/],
  [/pexpect|fdpexpect|screen/, /Noah Spurrier/],
  [
    /^(?:path|termcolor|tabulate|docopt|portalocker|daemon|pep8|pycodestyle|pyinotify|which|cmdln|jsmin|cssmin|pefile|socks)$/,
    /Jason Orendorff|Konstantin Lepa|Sergey Astanin|Vladimir Keleshev|Jonathan Feinberg|Sander Marechal|Johann C\. Rocholl|Sebastien Martini|Trent Mick|Crockford|Ero Carrera|Dan[- ]Haim/
  ],
  [/configobj|validate/, /Michael Foord|Nicola Larosa/],
  [/smartypants|titlecase|textile/, /Chad Miller|Stuart Colville|Dean Allen/],
  [/versioneer/, /python-versioneer|Brian Warner/],
  // Java and C#.
  [
    /^(?:concurrent\w*|copyonwrite\w*|atomic\w*|fork\w*|striped\w*|longadder|completable\w*|\w*threadlocalrandom|\w*executor\w*|linked\w*|array\w*|\w*queue|\w*deque|phaser|exchanger|countdown\w*)$/,
    /JSR-?166|Doug Lea/
  ],
  [/bcrypt/, /Damien Miller/],
  [/^(?:cdl|http|cookie\w*|xml\w*|kim|huff\w*|property)$/, /JSON\.org/],
  [
    /^(?:options|getline|minijson|simplejson|litjson)$/,
    /Jonathan Pryor|Miguel de Icaza|Calvin Rimmer|Patrick van Bergen|Markus G[oö]bel|Leonard Thieu/
  ],
  // PHP and Perl.
  [/phpmailer|smtp|pop3/, /Marcus Bointon|Brent R\. Matzelle|Chris Ryan|Richard Davey/],
  [
    /pclzip|fpdf|spyc|geshi|lessc|parsedown|nusoap|kses|htmlawed|mobile_?detect|recaptchalib|passwordhash|simple_html_dom|xmlrpc|class\.upload/,
    /Vincent Blavet|Olivier Plathey|Vlad Andersen|Nigel McNie|leaf ?corcoran|leafo|Emanuil Rusev|Dietrich Ayala|NuSphere|Ulf Harnhammar|Santosh Patnaik|Serban Ghita|Victor Stanciu|reCAPTCHA|Solar Designer|S\.C\. Chen|Edd Dumbill|Colin Verot/i
  ],
  [/cgi-lib/, /Steven E\. Brenner/],
  [/ppport/, /Devel::PPPort|Marcus Holland-Moritz/],
  // Scripts and style sheets for browsers.
  [/md5|sha/, /Paul Johnston/],
  [/jsbn|rsa|prng|rng/, /Tom Wu/],
  [/filesaver|blob/, /Eli Grey/],
  [
    /^(?:sorttable|tabber|wz_\w+|overlib|behaviour|excanvas|prettify|lightbox|slimbox\w*|prototip|dateformat|sprintf|thickbox)(?:[-.]\w+)*$/,
    /Stuart Langridge|Patrick Fitzgerald|Walter Zorn|Erik Bosrup|Ben Nolan|Google Inc|Lokesh Dhakar|Christophe Beyls|Nick Stakenburg|Steven Levithan|Ash Searle|Alexandru Marasteanu|Cody Lindley/
  ],
  [/reset|normalize|skeleton|pure|html5/, /Eric Meyer|Nicolas Gallagher|Dave Gamache|Yahoo|Richard Clark/]
]

/** Whom a file of a well-known name credits, where such files usually do; null for any other file. */
export const creditOf = (path: string, comment: string): string | null => {
  const file = baseName(path)
  const stem = file.slice(0, Math.max(0, file.lastIndexOf("."))).toLowerCase()
  for (const [name, mark] of known) {
    const credit = name.test(stem) ? mark.exec(comment) : null
    if (credit !== null) return credit[0]
  }
  return null
}
