import { describe } from "vitest"
import insecure_deserialization from "../../../src/engine/rules/insecure_deserialization/tool.ts"
import { express, flask, holdsFor, php, servlet } from "./reaches.ts"

const holds = holdsFor(insecure_deserialization, ["untrusted_object"])

describe("untrusted objects", () => {
  holds(
    "Python: through decoding, streams and branches",
    flask(
      "import base64\nimport io\nimport pickle\nimport json\nimport hmac",
      `
raw = base64.b64decode(request.cookies["state"])
pickle.loads(raw) # REACHED
pickle.load(io.BytesIO(raw)) # REACHED
load = pickle.loads
load(request.data) # REACHED
json.loads(raw)
pickle.loads(pickle.dumps(request.args.get("n", type=int)))
pickle.loads(str(len(raw)))
with open("cache") as f:
    pickle.load(f)
`
    )
  )
  holds("Python: through a wrapper in another file", {
    "web/codec.py": "import pickle\n\n\ndef decode(data):\n    return pickle.loads(data)\n",
    "web/app.py": `from flask import Flask, request
from web.codec import decode
app = Flask(__name__)
@app.route("/x")
def view():
    return decode(request.data) # REACHED
`
  })
  holds(
    "JavaScript",
    express(
      'const serialize = require("node-serialize")',
      `
const text = Buffer.from(req.cookies.profile, "base64").toString()
serialize.unserialize(text) // REACHED
serialize.unserialize(JSON.stringify(req.body)) // REACHED
other.unserialize(req.body)
JSON.parse(req.body.text)
`
    )
  )
  holds(
    "Java: the stream that is wrapped counts",
    servlet(
      "import java.io.*;\nimport java.util.*;",
      `
InputStream in = new BufferedInputStream(req.getInputStream());
Object a = new ObjectInputStream(in).readObject(); // REACHED
byte[] bytes = Base64.getDecoder().decode(req.getParameter("state"));
ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(bytes)); // REACHED
Object b = new ObjectInputStream(new FileInputStream("cache")).readObject();
new ObjectMapper().readValue(req.getInputStream(), Map.class);
`
    )
  )
  holds(
    "PHP: restricted classes are a check, escaping is none",
    php(`
unserialize(stripslashes($_COOKIE["a"])); // REACHED
unserialize($_COOKIE["b"], ["allowed_classes" => [Cart::class]]);
unserialize(htmlspecialchars_decode(addslashes($_COOKIE["c"])));
unserialize(file_get_contents("cache.bin"));
$data = $_POST["d"];
unserialize($data); // REACHED
`)
  )
})
