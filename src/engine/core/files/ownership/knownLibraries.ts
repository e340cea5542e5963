import { addTo } from "../../collections/lists.ts"
import { baseName, directoryOf } from "../../text/paths.ts"

/**
 * Libraries in C and C++ that programs copy as folders, by the names of their files: `first` is in every copy, and `all`
 * are the names that the folder holds.
 */
interface KnownLibrary {
  readonly name: RegExp
  readonly first: string
  readonly all: RegExp
}

const library = (name: RegExp, first: string, all: RegExp): KnownLibrary => ({ name, first, all })

const libraries: ReadonlyArray<KnownLibrary> = [
  library(
    /zlib|^z$/i,
    "inftrees.c",
    /^(?:adler32|compress|crc32|deflate|example|gz\w+|inf\w+|makecrc\w*|maketree|minigzip|trees|uncompr|zconf|zlib|zutil)\d?\.[ch]$/
  ),
  library(/zip/i, "ioapi.c", /^(?:ioapi|iowin32|mztools|(?:mini)?(?:un)?zip|crypt)\.[ch]$/),
  library(/png/i, "pngrutil.c", /^png\w*\.[ch]$/),
  library(/jpe?g/i, "jdmarker.c", /^(?:j\w+|[cd]jpeg|cd\w+|rd\w+|wr\w+|transupp|ansi2knr|ckconfig|example)\.[ch]$/),
  library(/tiff/i, "tif_dirread.c", /^(?:tif_?\w*|t4|uvcode|mk\w+)\.[ch]$/),
  library(
    /bz/i,
    "blocksort.c",
    /^(?:blocksort|huffman|crctable|randtable|compress|decompress|bz\w+|dlltest|mk251|spewG|unzcrash)\.[ch]$/
  ),
  library(
    /lzma|7z|xz/i,
    "LzFind.c",
    /^(?:7z\w*|Alloc|Aes\w*|Bcj2\w*|Bra\w*|Compiler|CpuArch|Delta|DllSecur|Lz\w+|MtCoder|MtDec|Ppmd\w*|Precomp|RotateDefs|Sha\w+|Sort|SwapBytes|Threads|Types|Xz\w*)\.[ch]$/
  ),
  library(/lzo/i, "minilzo.c", /^(?:minilzo|lzo\w*|testmini)\.[ch]$/),
  library(/lzf/i, "lzf_c.c", /^(?:lzf\w*|crc32)\.[ch]$/),
  library(/lz4/i, "lz4.c", /^(?:lz4\w*|xxhash)\.[ch]$/),
  library(
    /expat|xml/i,
    "xmlrole.c",
    /^(?:xml\w+|\w*ascii\w*|expat\w*|iasciitab|latin1tab|nametab|utf8tab|internal|siphash|hashtable|loadlibrary|winconfig|amigaconfig|macconfig|watcomconfig)\.[ch]$/
  ),
  library(/pcre/i, "pcre_exec.c", /^(?:pcre\w*|ucp\w*|dftables|sljit\w*|config|chartables)\.[ch]$/),
  library(
    /pcre/i,
    "maketables.c",
    /^(?:pcre\w*|dftables|get|internal|maketables|study|chartables|perltest|ucp\w*|config)\.[ch]$/
  ),
  library(
    /regex|onig/i,
    "regparse.c",
    /^(?:reg\w+|onig\w*|st|unicode\w*|utf\w+|ascii|big5|cp1251|euc_\w+|gb18030|iso8859_\w+|iso_8859_\w+|koi8\w*|sjis\w*|mktable|config)\.[ch]$/
  ),
  library(/lua/i, "lvm.c", /^(?:l\w+|print|one)\.(?:[ch]|hpp)$/),
  library(/sqlite/i, "sqlite3.c", /^(?:sqlite3\w*|shell)\.[ch]$/),
  library(
    /gsm/i,
    "long_term.c",
    /^(?:add|code|config|debug|decode|gsm\w*|long_term|lpc|preprocess|private|proto|rpe|short_term|table|toast\w*|unproto)\.[ch]$/
  ),
  library(/g7/i, "g72x.c", /^(?:g7\w+|encode|decode)\.[ch]$/),
  library(/tinyxml/i, "tinyxmlparser.cpp", /^tiny\w+\.(?:cpp|h)$/),
  library(/tinyxml/i, "tinyxml2.cpp", /^tinyxml2\.(?:cpp|h)$/),
  library(/pugi/i, "pugixml.cpp", /^pugi\w+\.[ch]pp$/),
  library(/json/i, "json_valueiterator.inl", /^json_?\w*\.(?:h|cpp|inl)$/),
  library(/json/i, "yajl_parser.c", /^yajl\w*\.[ch]$/),
  library(
    /jansson/i,
    "hashtable_seed.c",
    /^(?:dump|error|hashtable\w*|jansson\w*|load|lookup3|memory|pack_unpack|strbuffer|strconv|utf|value)\.[ch]$/
  ),
  library(/g(?:oogle)?(?:test|mock)/i, "gtest-all.cc", /^g(?:test|mock)[\w-]*\.(?:cc|h)$/),
  library(/ev/i, "ev_epoll.c", /^(?:ev\w*|event)\.[ch](?:pp)?$|^ev\+\+\.h$/),
  library(/freetype/i, "ftobjs.c", /^ft\w+\.[ch]$/),
  library(/ogg/i, "framing.c", /^(?:bitwise|framing|ogg|os_types|config_types|crctable)\.[ch]$/),
  library(
    /vorbis|tremor/i,
    "floor1.c",
    /^(?:analysis|bitrate|block|codebook|envelope|floor\w*|info|lookup\w*|lpc|lsp|mapping\w*|masking|mdct\w*|misc|os|psy|registry|res\w*|scales|sharedbook|smallft|synthesis|vorbis\w*|window\w*|codec_internal|backends|bitwise|framing|ivorbis\w*|asm_arm|tone|highlevel|barkmel)\.[ch]$/
  ),
  library(
    /speex/i,
    "ltp.c",
    /^(?:bits|cb_search\w*|exc_\w+|filters\w*|gain_table\w*|hexc_\w+|high_lsp_tables|lpc\w*|lsp\w*|ltp\w*|math_approx|misc\w*|modes\w*|nb_celp|quant_lsp\w*|sb_celp|smallft|speex\w*|stack_alloc|vbr|vq\w*|window|arch|fixed_\w+|kiss_fft\w*|mdf|preprocess|jitter|resample\w*|fftwrap|filterbank|buffer|scal|_kiss\w+|os_support|pseudofloat|vorbis_psy|testenc\w*|testdenoise|testecho)\.[ch]$/
  ),
  library(
    /faad/i,
    "sbr_hfgen.c",
    /^(?:bits|cfft\w*|common|decoder|drc|drm_dec|error|faad\w*|filtbank|fixed|hcr|huffman|ic_predict|iq_table|is|lt_predict|mdct\w*|mp4|ms|neaacdec|output|pns|ps_\w+|pulse|rvlc|sbr_\w+|sine_win|specrec|ssr\w*|structs|syntax|tns|analysis|kbd_win)\.[ch]$/
  ),
  library(
    /mad/i,
    "layer3.c",
    /^(?:bit|decoder|fixed|frame|huffman|layer\w+|mad|stream|synth|timer|version|global|minimad|config|rq_table|qc_table|sf_table|imdct_s)\.[ch]$/
  ),
  library(/popt/i, "poptparse.c", /^(?:popt\w*|findme|lookup3|system)\.[ch]$/),
  library(
    /readline|editline/i,
    "rltty.c",
    /^(?:rl\w+|hist\w+|bind|callback|colors|compat|complete|display|emacs_keymap|funmap|input|isearch|keymaps|kill|macro|mbutil|misc|nls|parens|parse-colors|posix\w+|readline|savestring|search|shell|signals|tcap|terminal|text|tilde|undo|util|vi_\w+|x\w+|ansi_stdlib|chardefs|rlmbutil)\.[ch]$/
  ),
  library(/tommath/i, "bn_mp_exptmod.c", /^(?:bn_?\w*|tommath\w*)\.[ch]$/),
  library(/blake/i, "blake2s-ref.c", /^blake2\w*(?:-[\w-]+)?\.[ch]$/),
  library(/blake/i, "blake2b-ref.c", /^blake2\w*(?:-[\w-]+)?\.[ch]$/),
  library(
    /25519|ref10/i,
    "ge_scalarmult_base.c",
    /^(?:fe\w*|ge\w*|sc\w*|base2?|d2?|sqrtm1|pow\w+|keypair|open|sign|sha512|seed|verify|add_scalar|key_exchange|ed25519|fixedint|precomp_data)\.[ch]$/
  ),
  library(
    /argon/i,
    "blamka-round-ref.h",
    /^(?:argon2[\w-]*|blake[\w-]*|blamka[\w-]*|pwhash_[\w-]*|core|encoding|ref|opt|thread|genkat|test|bench|run)\.[ch]$/
  ),
  library(/lmdb/i, "midl.c", /^(?:mdb\w*|midl|lmdb|mtest\d?)\.[ch]$/),
  library(/http/i, "http_parser.c", /^(?:http_parser|test|bench|url_parser|parsertrace)\.[ch]$/),
  library(
    /miniupnp|upnp/i,
    "minissdpc.c",
    /^(?:mini\w+|upnp\w*|igd_desc_parse|connecthostport|portlistingparse|receivedata|codelength|declspec|addr_is_reserved|listdevices|testigddescparse|testminixml|testupnpreplyparse|wingenminiupnpcstrings)\.[ch]$/
  ),
  library(/natpmp/i, "getgateway.c", /^(?:natpmp\w*|getgateway|wingettimeofday|declspec|testgetgateway)\.[ch]$/),
  library(/libsvm|^svm$/i, "svm.cpp", /^svm(?:-\w+)?\.(?:cpp|c|h)$/),
  library(/glew/i, "glew.c", /^(?:glew\w*|glxew|wglew|visualinfo)\.[ch]$/),
  library(/imgui/i, "imgui_draw.cpp", /^im(?:gui|config|stb)\w*\.(?:cpp|h)$/),
  library(/soil/i, "image_DXT.c", /^(?:SOIL|image_\w+|stb\w*|stbi_\w+)\.[ch]$/),
  library(/kiss/i, "kiss_fft.c", /^_?kiss_?\w*\.[ch]$/),
  library(/jemalloc/i, "huge.c", /^[\w-]+\.[ch]$/),
  library(/minisat/i, "SimpSolver.cc", /^(?:SimpSolver|Main|Solver|Dimacs|Options|System|SolverTypes)\.(?:cc|h)$/),
  library(/lpeg/i, "lpvm.c", /^lp\w+\.[ch]$/),
  library(/libuv|^uv$/i, "uv-common.c", /^[\w-]+\.[ch]$/),
  library(/utf8proc/i, "utf8proc_data.c", /^utf8proc\w*\.[ch]$/)
]

const isCode = /\.(?:c|cc|cpp|cxx|h|hh|hpp|inl)$/
/** In such a folder lies the code of the library itself, or of a program that has copied some files among its own. */
const isGeneral = /^(?:src|source|sources|lib|libs|code|c|common|core|include|main|base|util|utils|misc|compat)$/i
const MIN_SHARE = 0.75
/** A tree with more of its code in the folder is that of the library. */
const MAX_OF_ALL = 0.4
const MIN_FILES = 2

/**
 * Folders that hold a library of those above: named for it, nearly all of its files, and little of the tree. Each has a file
 * that says whose it is. `paths` are those of all files.
 */
export const knownLibrariesIn = (paths: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const byFirst = new Map<string, Array<KnownLibrary>>()
  for (const one of libraries) addTo(byFirst, one.first, one)
  const found = new Map<string, KnownLibrary & { readonly path: string }>()
  for (const path of paths) {
    const candidates = byFirst.get(baseName(path))
    if (candidates === undefined) continue
    const folder = directoryOf(path)
    const one = candidates.find(({ name }) => name.test(baseName(folder)))
    if (one !== undefined && folder !== "" && !isGeneral.test(baseName(folder))) found.set(folder, { ...one, path })
  }
  if (found.size === 0) return new Map()
  const code = paths.filter((path) => isCode.test(path))
  const copies = [...found].filter(([folder, { all }]) => {
    const below = code.filter((path) => path.startsWith(`${folder}/`))
    const direct = below.filter((path) => directoryOf(path) === folder).map(baseName)
    const named = direct.filter((name) => all.test(name)).length
    return named >= MIN_FILES && named >= MIN_SHARE * direct.length && below.length <= MAX_OF_ALL * code.length
  })
  return new Map(copies.map(([folder, { path }]) => [folder, path]))
}
