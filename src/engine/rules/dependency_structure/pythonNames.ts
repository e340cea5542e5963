/** Top-level modules of Python's standard library, 3.x and what 2.x still had, and what every environment brings. */
export const pythonBuiltins: ReadonlySet<string> = new Set(
  (
    "__future__ __main__ abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb " +
    "binascii binhex bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys " +
    "compileall compression concurrent configparser contextlib contextvars copy copyreg cProfile crypt csv ctypes " +
    "curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno " +
    "faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc getopt getpass gettext glob " +
    "graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools " +
    "json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib " +
    "msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev " +
    "parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats " +
    "pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter " +
    "runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver " +
    "spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau " +
    "symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios test textwrap this threading time " +
    "timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata " +
    "unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc xxsubtype " +
    "zipapp zipfile zipimport zlib zoneinfo " +
    "StringIO cStringIO ConfigParser Queue urllib2 urlparse httplib cPickle commands HTMLParser Cookie cookielib " +
    "__builtin__ exceptions thread SocketServer BaseHTTPServer SimpleHTTPServer xmlrpclib Tkinter anydbm sets md5 sha " +
    "new user UserDict copy_reg dummy_thread rfc822 mimetools htmlentitydefs java javax org com jarray ntsecuritycon " +
    "pkg_resources setuptools pip wheel google js pyodide bpy maya nuke hou unreal gdb lldb idaapi idc sublime " +
    "sublime_plugin vim gi apt rpm dbus win32api win32con win32gui pywintypes cython typing_extensions"
  ).split(" ")
)

const distributions: Readonly<Record<string, ReadonlyArray<string>>> = {
  yaml: ["pyyaml", "ruamel"],
  PIL: ["pillow"],
  cv2: ["opencv"],
  sklearn: ["scikit-learn"],
  skimage: ["scikit-image"],
  bs4: ["beautifulsoup"],
  dateutil: ["dateutil"],
  dotenv: ["dotenv"],
  jwt: ["jwt"],
  jose: ["jose"],
  attr: ["attrs"],
  Crypto: ["pycrypto"],
  Cryptodome: ["pycryptodome"],
  OpenSSL: ["pyopenssl"],
  MySQLdb: ["mysqlclient", "mysql"],
  psycopg2: ["psycopg"],
  serial: ["pyserial"],
  usb: ["pyusb"],
  git: ["gitpython"],
  github: ["pygithub"],
  magic: ["magic"],
  docx: ["docx"],
  pptx: ["pptx"],
  fitz: ["pymupdf"],
  zmq: ["pyzmq"],
  ldap: ["ldap"],
  rest_framework: ["djangorestframework"],
  corsheaders: ["cors-headers"],
  django_filters: ["django-filter"],
  debug_toolbar: ["debug-toolbar"],
  starlette: ["fastapi", "starlette"],
  pydantic: ["fastapi", "pydantic"],
  pydantic_core: ["pydantic"],
  werkzeug: ["flask", "werkzeug"],
  jinja2: ["flask", "jinja2"],
  markupsafe: ["flask", "jinja2", "markupsafe"],
  click: ["flask", "click", "typer"],
  itsdangerous: ["flask", "itsdangerous"],
  botocore: ["boto", "botocore"],
  urllib3: ["requests", "urllib3"],
  numpy: ["numpy", "pandas", "scipy", "torch", "tensorflow", "scikit", "opencv", "matplotlib"],
  six: ["six", "dateutil"],
  asgiref: ["django", "asgiref"],
  _pytest: ["pytest"],
  pluggy: ["pytest", "pluggy"],
  twisted: ["twisted", "scrapy"],
  zope: ["zope"],
  google: ["google"],
  mpl_toolkits: ["matplotlib"],
  pylab: ["matplotlib"],
  sphinx_rtd_theme: ["sphinx"],
  docutils: ["docutils", "sphinx"],
  redis: ["redis", "celery", "rq"],
  kombu: ["celery", "kombu"],
  torch: ["torch"],
  torchvision: ["torch"],
  tensorflow: ["tensorflow", "tf-nightly"],
  keras: ["keras", "tensorflow"],
  win32com: ["pywin32"],
  wx: ["wxpython"],
  Xlib: ["xlib"],
  gi: ["pygobject"],
  socks: ["pysocks"],
  slugify: ["slugify"],
  markdown: ["markdown"],
  faiss: ["faiss"],
  telegram: ["telegram"],
  discord: ["discord", "nextcord", "py-cord"],
  flask_restful: ["restful"],
  pymysql: ["pymysql"],
  mysql: ["mysql"],
  ruamel: ["ruamel"],
  Levenshtein: ["levenshtein"],
  nacl: ["pynacl"],
  sqlalchemy: ["sqlalchemy", "sqlmodel"],
  grpc: ["grpcio"],
  kafka: ["kafka"],
  consul: ["consul"],
  memcache: ["memcache"],
  elasticsearch_dsl: ["elasticsearch"],
  snappy: ["snappy"],
  talib: ["ta-lib"],
  tlz: ["toolz"],
  charset_normalizer: ["requests", "charset"],
  certifi: ["requests", "certifi"],
  idna: ["requests", "idna"],
  chardet: ["requests", "chardet"],
  googleapiclient: ["google-api-python-client"],
  apiclient: ["google-api-python-client"],
  igraph: ["igraph"],
  pywt: ["pywavelets"],
  skopt: ["scikit-optimize"],
  osgeo: ["gdal"],
  ogr: ["gdal"],
  shapefile: ["pyshp"],
  bluetooth: ["pybluez"],
  bson: ["pymongo", "bson"],
  gridfs: ["pymongo"],
  wtforms: ["wtf", "wtforms"],
  alembic: ["alembic", "flask-migrate"],
  mako: ["mako", "alembic"],
  multidict: ["aiohttp", "multidict"],
  yarl: ["aiohttp", "yarl"],
  async_timeout: ["aiohttp", "async-timeout"],
  httpcore: ["httpx", "httpcore"],
  h11: ["httpx", "uvicorn", "h11"],
  anyio: ["anyio", "starlette", "fastapi", "httpx"],
  sniffio: ["httpx", "anyio", "sniffio", "trio"],
  pytz: ["pytz", "pandas", "django"],
  sqlparse: ["django", "sqlparse"],
  billiard: ["celery", "billiard"],
  amqp: ["celery", "kombu", "amqp"],
  vine: ["celery", "kombu", "vine"],
  s3transfer: ["boto"],
  engineio: ["socketio", "engineio"],
  vtkmodules: ["vtk"],
  sip: ["pyqt"],
  objc: ["pyobjc"],
  Foundation: ["pyobjc"],
  AppKit: ["pyobjc"],
  Cocoa: ["pyobjc"],
  Quartz: ["pyobjc"],
  clr: ["pythonnet"],
  telebot: ["telegrambotapi"],
  MeCab: ["mecab"],
  dns: ["dnspython"],
  ldclient: ["launchdarkly"],
  Bio: ["biopython"],
  pythoncom: ["pywin32"],
  win32file: ["pywin32"],
  win32process: ["pywin32"],
  win32event: ["pywin32"],
  win32service: ["pywin32"],
  win32serviceutil: ["pywin32"],
  win32security: ["pywin32"],
  servicemanager: ["pywin32"],
  OpenGL: ["pyopengl"],
  cairo: ["pycairo", "cairocffi"],
  hydra: ["hydra-core"],
  umap: ["umap-learn"],
  pylint: ["pylint"],
  astroid: ["pylint", "astroid"],
  nbformat: ["jupyter", "nbformat", "nbconvert"],
  IPython: ["ipython", "jupyter", "ipykernel"],
  traitlets: ["traitlets", "ipython", "jupyter", "ipywidgets"],
  tornado: ["tornado", "jupyter", "notebook", "bokeh"],
  pyparsing: ["pyparsing", "matplotlib", "packaging"],
  pygments: ["pygments", "sphinx", "rich"],
  starlette_context: ["starlette"],
  dash: ["dash"],
  plotly: ["plotly", "dash"],
  lightning_fabric: ["lightning"],
  torchmetrics: ["lightning", "torchmetrics"],
  safetensors: ["transformers", "safetensors"],
  tokenizers: ["transformers", "tokenizers"],
  huggingface_hub: ["transformers", "huggingface", "diffusers"],
  attrs: ["attrs"]
}

/** Words of which one in a dependency file may stand for this module; loose on purpose, a miss costs less than a false claim. */
export const distributionsOf = (module: string): ReadonlyArray<string> => {
  const plain = module.toLowerCase().replace(/[_.]+/g, "-")
  const known = Object.hasOwn(distributions, module) ? distributions[module]! : []
  return [
    plain,
    plain.replace(/-/g, ""),
    plain.replace(/^py-?|-?py$/, "") || plain,
    // The first word of several may be shortened, or be run together with another: `drf-flex-fields`.
    plain.replace(/^[a-z0-9]+-(?=[a-z0-9-]{8})/, ""),
    `py${plain}`,
    `python-${plain}`,
    ...known
  ]
}
