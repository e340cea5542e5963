/** Python modules whose distribution has another name, as `module=distribution`; several where several provide it. */
const written =
  "yaml=pyyaml PIL=pillow cv2=opencv-python cv2=opencv-python-headless cv2=opencv-contrib-python sklearn=scikit-learn " +
  "skimage=scikit-image bs4=beautifulsoup4 dateutil=python-dateutil dotenv=python-dotenv jwt=pyjwt jose=python-jose " +
  "attr=attrs Crypto=pycrypto Crypto=pycryptodome Cryptodome=pycryptodomex OpenSSL=pyopenssl MySQLdb=mysqlclient " +
  "psycopg2=psycopg2-binary psycopg2=psycopg2 serial=pyserial usb=pyusb git=gitpython github=pygithub magic=python-magic " +
  "docx=python-docx pptx=python-pptx fitz=pymupdf zmq=pyzmq ldap=python-ldap rest_framework=djangorestframework " +
  "corsheaders=django-cors-headers django_filters=django-filter debug_toolbar=django-debug-toolbar nacl=pynacl " +
  "Levenshtein=python-levenshtein grpc=grpcio memcache=python-memcached kafka=kafka-python socks=pysocks " +
  "slugify=python-slugify telegram=python-telegram-bot discord=discord-py pymysql=pymysql bson=pymongo gridfs=pymongo " +
  "dns=dnspython Bio=biopython osgeo=gdal pywt=pywavelets googleapiclient=google-api-python-client wx=wxpython " +
  "win32com=pywin32 multipart=python-multipart socketio=python-socketio engineio=python-engineio saml2=pysaml2 " +
  "onelogin=python3-saml ecdsa=ecdsa rsa=rsa markdown=markdown lxml=lxml pkg_resources=setuptools jinja2=jinja2 " +
  "werkzeug=werkzeug flask_cors=flask-cors mako=mako zope=zope-interface gi=pygobject MarkupSafe=markupsafe " +
  "tlslite=tlslite-ng nbconvert=nbconvert gradio_client=gradio-client fastecdsa=fastecdsa ldap3=ldap3 dulwich=dulwich"

const pairs = new Set(written.split(" "))

/** Whether a module that Python code imports belongs to a distribution; both have one spelling on the index. */
export const isModuleOf = (module: string, distribution: string): boolean => {
  const plain = module.toLowerCase().replace(/[_.]+/g, "-")
  const known = distribution.toLowerCase().replace(/[_.]+/g, "-")
  return plain === known || `python-${plain}` === known || pairs.has(`${module}=${known}`)
}
