import type { Setting } from "../../row.ts";

const COOKIE = `from flask import Flask, make_response
app = Flask(__name__)

@app.route("/in")
def sign_in():
    made = make()
    answer = make_response("in")
`;

const WRITTEN_SECRET = {
  id: "python/written-secret",
  title: "Hard-coded session secret",
  cwe: 798,
  severity: "error",
  words: {
    what: "The code holds the key that signs sessions.",
    attack: "Anyone who can read the code can sign a session and be any user.",
    mend: "Read the key from the environment, and replace it: it is in the history.",
  },
} as const;

const COOKIE_TAKEN = {
  what: "A cookie that stands for a person is also sent without encryption, or scripts can read it.",
  attack: "An attacker on the network, or a script in the page, takes it and is that person.",
};

/** Settings of web frameworks that are insecure by themselves: sessions, cookies, other sites, errors that visitors see. */
export const WEB_SETTINGS: readonly Setting[] = [
  {
    ...WRITTEN_SECRET,
    writes: "flask:Flask().secret_key|Flask().config.SECRET_KEY|Flask().config.JWT_SECRET_KEY",
    calls: "flask:Flask().config.update|Flask().config.from_mapping",
    when: {
      any: [
        { argument: 0, written: true },
        { argument: -1, option: "SECRET_KEY", written: true },
        { argument: -1, option: "JWT_SECRET_KEY", written: true },
      ],
    },
    wrong: `from flask import Flask
app = Flask(__name__)
app.config["SECRET_KEY"] = "harbour-lights-26"`,
    right: `import os
from flask import Flask
app = Flask(__name__)
app.config["SECRET_KEY"] = os.environ["SECRET_KEY"]`,
  },
  {
    id: "python/debug",
    title: "Debug mode enabled",
    cwe: 489,
    severity: "warning",
    calls: "flask:Flask().run *.run",
    on: /^(?:app|application|server)$/,
    when: { text: /[(,]\s*debug\s*=\s*True\b/ },
    wrong: `from flask import Flask
app = Flask(__name__)
app.run(host="0.0.0.0", debug=True)`,
    right: `from flask import Flask
app = Flask(__name__)
app.run(host="0.0.0.0")`,
    words: {
      what: "The debugger of the development server is on.",
      attack: "An attacker who reaches it and causes an error gets a console that runs Python.",
      mend: "Leave debug out, and switch it on by the command line where it is needed.",
    },
  },
  {
    id: "python/cookie",
    title: "Session cookie without protection",
    cwe: 614,
    severity: "warning",
    calls: "*!.set_cookie",
    when: {
      any: [
        { text: /\b(?:secure|httponly)\s{0,9}=\s{0,9}False\b/ },
        {
          all: [
            {
              argument: 0,
              is: [
                /^(?:session|sess|sid|token|auth|jwt|access|refresh|remember)/i,
                /(?:session|token|auth)(?:_?id)?$/i,
              ],
            },
            { not: { text: /\bsecure\s{0,9}=|\*\*/ } },
          ],
        },
      ],
    },
    wrong: `${COOKIE}    answer.set_cookie("session", made)
    return answer`,
    right: `${COOKIE}    answer.set_cookie("session", made, secure=True, httponly=True, samesite="Lax")
    return answer`,
    words: {
      ...COOKIE_TAKEN,
      mend: "Set secure=True, httponly=True and samesite.",
    },
  },
  {
    id: "python/cookie-setting",
    title: "Session cookie without protection",
    cwe: 614,
    severity: "warning",
    writes:
      "#settings.SESSION_COOKIE_SECURE|SESSION_COOKIE_HTTPONLY|CSRF_COOKIE_SECURE|REMEMBER_COOKIE_SECURE|REMEMBER_COOKIE_HTTPONLY flask:Flask().config.SESSION_COOKIE_SECURE|Flask().config.SESSION_COOKIE_HTTPONLY|Flask().config.REMEMBER_COOKIE_SECURE",
    when: { argument: 0, is: [false] },
    wrong: `from flask import Flask
app = Flask(__name__)
app.config["SESSION_COOKIE_SECURE"] = False`,
    right: `from flask import Flask
app = Flask(__name__)
app.config["SESSION_COOKIE_SECURE"] = True`,
    words: {
      ...COOKIE_TAKEN,
      mend: "Set it to True.",
    },
  },
  {
    id: "python/any-host",
    title: "Any host allowed",
    cwe: 346,
    severity: "info",
    writes: "#settings.ALLOWED_HOSTS",
    when: { argument: 0, is: ["*"] },
    wrong: `ALLOWED_HOSTS = ["*"]`,
    right: `ALLOWED_HOSTS = ["shop.example.com"]`,
    words: {
      what: "Django answers under whatever host a request names.",
      attack: "Links in mails and redirects then lead to the host that an attacker wrote into the request.",
      mend: "List the hosts of this site.",
    },
  },
  {
    id: "python/cross-site",
    title: "Cross-site requests allowed",
    cwe: 352,
    severity: "warning",
    writes:
      "flask:Flask().config.WTF_CSRF_ENABLED #settings.WTF_CSRF_ENABLED flask:Flask().config.WTF_CSRF_CHECK_DEFAULT",
    when: { argument: 0, is: [false] },
    unless: { file: /\bTESTING\b|\bpytest\b|\bunittest\b/ },
    wrong: `from flask import Flask
app = Flask(__name__)
app.config["WTF_CSRF_ENABLED"] = False`,
    right: `from flask import Flask
app = Flask(__name__)
app.config["WTF_CSRF_ENABLED"] = True`,
    words: {
      what: "Forms are not protected against requests from other sites.",
      attack: "A page of an attacker sends forms in the name of who is signed in.",
      mend: "Leave the protection on, and exempt single views that have another one.",
    },
  },
  {
    id: "python/cors",
    title: "Permissive CORS",
    cwe: 942,
    severity: "warning",
    calls: "flask_cors:CORS|cross_origin *.add_middleware",
    when: {
      all: [
        { text: /(?:origins|allow_origins|allow_origin_regex)\s{0,9}=\s{0,9}\[?\s{0,9}["'](?:\*|\.\*)["']/ },
        { text: /(?:supports_credentials|allow_credentials)\s{0,9}=\s{0,9}True/ },
      ],
    },
    wrong: `from flask import Flask
from flask_cors import CORS
app = Flask(__name__)
CORS(app, origins="*", supports_credentials=True)`,
    right: `from flask import Flask
from flask_cors import CORS
app = Flask(__name__)
CORS(app, origins=["https://shop.example"], supports_credentials=True)`,
    words: {
      what: "Every site may send requests with the cookies of the visitor, and read the answers.",
      attack: "A page of an attacker reads the data of who is signed in.",
      mend: "Name the origins that may.",
    },
  },
  {
    ...WRITTEN_SECRET,
    writes: "#settings.SECRET_KEY",
    when: { all: [{ argument: 0, written: true }, { file: /\bINSTALLED_APPS\b|\bROOT_URLCONF\b/ }] },
    wrong: `INSTALLED_APPS = ["shop"]
SECRET_KEY = "harbour-lights-26"`,
    right: `import os
INSTALLED_APPS = ["shop"]
SECRET_KEY = os.environ["SECRET_KEY"]`,
  },
  {
    ...WRITTEN_SECRET,
    calls:
      "*.add_middleware starlette.middleware.sessions:SessionMiddleware itsdangerous:URLSafeTimedSerializer|URLSafeSerializer|TimestampSigner|Signer",
    when: {
      any: [
        { argument: -1, option: "secret_key", written: true },
        { all: [{ argument: 0, written: true }, { callee: /^itsdangerous/ }] },
      ],
    },
    wrong: `from itsdangerous import URLSafeTimedSerializer
links = URLSafeTimedSerializer("harbour-lights-26")`,
    right: `import os
from itsdangerous import URLSafeTimedSerializer
links = URLSafeTimedSerializer(os.environ["LINK_KEY"])`,
  },
  {
    id: "python/debug",
    title: "Debug mode enabled",
    cwe: 489,
    severity: "info",
    writes: "#settings.DEBUG flask:Flask().debug flask:Flask().config.DEBUG",
    when: {
      all: [{ argument: 0, is: [true] }, { file: /\bINSTALLED_APPS\b|\bROOT_URLCONF\b|\bALLOWED_HOSTS\b|\bFlask\(/ }],
    },
    wrong: `INSTALLED_APPS = ["shop"]
DEBUG = True`,
    right: `INSTALLED_APPS = ["shop"]
DEBUG = False`,
    words: {
      what: "Debugging is on, unless other settings turn it off.",
      attack: "An error then shows code, settings and values to the visitor.",
      mend: "Turn it on by the environment of developers.",
    },
  },
  {
    id: "python/cross-site",
    title: "Cross-site requests allowed",
    cwe: 352,
    severity: "info",
    calls: "django.views.decorators.csrf:csrf_exempt flask_wtf.csrf|flask_wtf:..exempt",
    wrong: `from django.views.decorators.csrf import csrf_exempt

@csrf_exempt
def pay(request):
    return transfer(request.POST["to"])`,
    right: `from django.views.decorators.csrf import csrf_protect

@csrf_protect
def pay(request):
    return transfer(request.POST["to"])`,
    words: {
      what: "This view takes forms from other sites.",
      attack: "A page of an attacker sends the form in the name of the visitor who is signed in.",
      mend: "Leave the protection on, unless each caller signs its requests.",
    },
  },
  {
    id: "python/error-text",
    title: "Error message sent to the client",
    cwe: 209,
    severity: "info",
    calls:
      "#answer flask|quart:jsonify|make_response|Response django.http:HttpResponse|JsonResponse|HttpResponseServerError fastapi|starlette.exceptions:HTTPException aiohttp.web:Response|json_response",
    when: {
      text: /\btraceback\.format_exc\(|\b(?:str|repr)\(\s{0,9}(?:e|ex|exc|err|error|exception)\s{0,9}\)|\{(?:e|ex|exc|err|error|exception)(?:![rs])?\}/,
    },
    wrong: `from flask import Flask, jsonify
app = Flask(__name__)

@app.route("/")
def page():
    try:
        return jsonify(load())
    except Exception as error:
        return jsonify(error=str(error)), 500`,
    right: `from flask import Flask, jsonify
app = Flask(__name__)

@app.route("/")
def page():
    try:
        return jsonify(load())
    except Exception as error:
        app.logger.exception("not loaded")
        return jsonify(error="It could not be loaded."), 500`,
    words: {
      what: "The text of an error is sent to the client.",
      attack: "It tells an attacker of paths, queries and versions.",
      mend: "Write it into the log, and send a sentence of your own.",
    },
  },
];
