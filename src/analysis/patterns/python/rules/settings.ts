import type { Setting } from "../../row.ts";

const COOKIE = `from flask import Flask, make_response
app = Flask(__name__)

@app.route("/in")
def sign_in():
    made = make()
    answer = make_response("in")
`;

/** What is insecure by itself: settings of frameworks, tokens and connections. */
export const SETTINGS: readonly Setting[] = [
  {
    id: "python/written-secret",
    title: "Hard-coded session secret",
    cwe: 798,
    severity: "error",
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
    words: {
      what: "The code holds the key that signs sessions.",
      attack: "Anyone who can read the code can sign a session and be any user.",
      mend: "Read the key from the environment, and replace it: it is in the history.",
    },
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
    id: "python/jwt-unverified",
    title: "JWT signature not verified",
    cwe: 347,
    severity: "error",
    calls: "jwt:decode jose.jwt:decode jose:jwt.decode",
    when: { text: /verify_signature["']?\s*:\s*False|\bverify\s*=\s*False|algorithms?\s*=\s*\[?\s*["']none["']/i },
    wrong: `import jwt
claims = jwt.decode(token, options={"verify_signature": False})`,
    right: `import jwt
claims = jwt.decode(token, key, algorithms=["RS256"])`,
    words: {
      what: "The signature of a token is not checked.",
      attack: "Anyone can write a token that names any user.",
      mend: "Give the key and the algorithms, and leave the check on.",
    },
  },
  {
    id: "python/certificate-unverified",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "warning",
    calls:
      "requests|httpx:..get|post|put|patch|delete|head|request|Session|Client|AsyncClient ssl:_create_unverified_context aiohttp:..get|post|put|request|TCPConnector urllib3:PoolManager|HTTPSConnectionPool",
    when: {
      text: /\b(?:verify|ssl|verify_ssl)\s{0,9}=\s{0,9}False\b|_create_unverified_context|cert_reqs\s{0,9}=\s{0,9}(?:["']CERT_NONE|ssl\.CERT_NONE)/,
    },
    wrong: `import requests
requests.post("https://api.shop.internal/", json={}, verify=False)`,
    right: `import requests
requests.post("https://api.shop.internal/", json={}, timeout=5)`,
    words: {
      what: "The certificate of the other side is not checked.",
      attack: "An attacker on the network can read and change what is sent.",
      mend: "Leave the check on; give the authority of an own certificate by verify.",
    },
  },
  {
    id: "python/certificate-unverified",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "warning",
    writes: "*!.check_hostname requests:Session().verify",
    when: { argument: 0, is: [false] },
    wrong: `import ssl
context = ssl.create_default_context()
context.check_hostname = False`,
    right: `import ssl
context = ssl.create_default_context()
context.check_hostname = True`,
    words: {
      what: "The certificate of the other side is not checked.",
      attack: "An attacker on the network can read and change what is sent.",
      mend: "Leave the check on; give the authority of an own certificate by cafile.",
    },
  },
  {
    id: "python/certificate-unverified",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "warning",
    writes: "*!.verify_mode",
    when: { argument: 0, reads: /CERT_NONE/ },
    wrong: `import ssl
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.verify_mode = ssl.CERT_NONE`,
    right: `import ssl
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.verify_mode = ssl.CERT_REQUIRED`,
    words: {
      what: "The certificate of the other side is not checked.",
      attack: "An attacker on the network can read and change what is sent.",
      mend: "Leave the check on; give the authority of an own certificate by cafile.",
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
      what: "A cookie that stands for a person is also sent without encryption, or scripts can read it.",
      attack: "An attacker on the network, or a script in the page, takes it and is that person.",
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
      what: "A cookie that stands for a person is also sent without encryption, or scripts can read it.",
      attack: "An attacker on the network, or a script in the page, takes it and is that person.",
      mend: "Set it to True.",
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
    id: "python/xml-entities",
    title: "XML external entity (XXE)",
    cwe: 611,
    severity: "warning",
    calls: "lxml.etree:XMLParser lxml:etree.XMLParser",
    when: {
      text: /\b(?:resolve_entities\s{0,9}=\s{0,9}True|no_network\s{0,9}=\s{0,9}False|load_dtd\s{0,9}=\s{0,9}True)/,
    },
    wrong: `from lxml import etree
parser = etree.XMLParser(resolve_entities=True)`,
    right: `from lxml import etree
parser = etree.XMLParser(resolve_entities=False)`,
    words: {
      what: "The parser replaces entities, or fetches what documents name.",
      attack: "A document can name files of the server as entities, and has them read.",
      mend: "Set resolve_entities=False and leave no_network as it is.",
    },
  },
  {
    id: "python/xml-entities",
    title: "XML external entity (XXE)",
    cwe: 611,
    severity: "warning",
    calls: "xml.sax:make_parser().setFeature xml:sax.make_parser().setFeature *.setFeature",
    when: { all: [{ text: /feature_external_(?:ges|pes)/ }, { argument: 1, is: [true, 1] }] },
    wrong: `import xml.sax
from xml.sax.handler import feature_external_ges
parser = xml.sax.make_parser()
parser.setFeature(feature_external_ges, True)`,
    right: `import xml.sax
from xml.sax.handler import feature_external_ges
parser = xml.sax.make_parser()
parser.setFeature(feature_external_ges, False)`,
    words: {
      what: "The parser fetches what documents name.",
      attack: "A document can name files of the server as entities, and has them read.",
      mend: "Leave the feature off.",
    },
  },
  {
    id: "python/public-bucket",
    title: "Public access to stored files",
    cwe: 732,
    severity: "warning",
    calls: "boto3:..put_object|create_bucket|put_bucket_acl|put_object_acl|upload_file|upload_fileobj|copy_object",
    when: { text: /["']public-read(?:-write)?["']/ },
    wrong: `import boto3
boto3.client("s3").put_object(Bucket="bills", Key="1.pdf", Body=data, ACL="public-read")`,
    right: `import boto3
boto3.client("s3").put_object(Bucket="bills", Key="1.pdf", Body=data)`,
    words: {
      what: "What is stored can be read by anybody.",
      attack: "Anyone who guesses or finds the address reads it.",
      mend: "Leave the ACL out, and hand out signed addresses.",
    },
  },
  {
    id: "python/logged-secret",
    title: "Secret in a log",
    cwe: 532,
    severity: "warning",
    calls:
      "logging:debug|info|warning|error|critical|exception logging|structlog|loguru:..debug|info|warning|error|critical|exception flask:Flask().logger.info|Flask().logger.debug|Flask().logger.warning|Flask().logger.error",
    when: {
      text: /[{,(+%]\s{0,9}(?:\w{1,40}\.){0,3}(?:password|passwd|pwd|secret_key|api_key|private_key|access_token|card_number|credit_card|cvv|ssn)\s{0,9}[}),:!]/,
    },
    wrong: `import logging
def sign_in(name, password):
    logging.info(f"{name} signs in with {password}")`,
    right: `import logging
def sign_in(name, password):
    logging.info("%s signs in", name)`,
    words: {
      what: "A secret is written into the log.",
      attack: "Anyone who can read the logs has it.",
      mend: "Leave it out.",
    },
  },
  {
    id: "python/written-secret",
    title: "Hard-coded session secret",
    cwe: 798,
    severity: "error",
    writes: "#settings.SECRET_KEY",
    when: { all: [{ argument: 0, written: true }, { file: /\bINSTALLED_APPS\b|\bROOT_URLCONF\b/ }] },
    wrong: `INSTALLED_APPS = ["shop"]
SECRET_KEY = "harbour-lights-26"`,
    right: `import os
INSTALLED_APPS = ["shop"]
SECRET_KEY = os.environ["SECRET_KEY"]`,
    words: {
      what: "The code holds the key that signs sessions.",
      attack: "Anyone who can read the code can sign a session and be any user.",
      mend: "Read the key from the environment, and replace it: it is in the history.",
    },
  },
  {
    id: "python/written-secret",
    title: "Hard-coded session secret",
    cwe: 798,
    severity: "error",
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
    words: {
      what: "The code holds the key that signs sessions.",
      attack: "Anyone who can read the code can sign a session and be any user.",
      mend: "Read the key from the environment, and replace it: it is in the history.",
    },
  },
  {
    id: "python/written-password",
    title: "Hard-coded password",
    cwe: 798,
    severity: "warning",
    calls:
      "mysql.connector|psycopg2|psycopg|pymysql|MySQLdb|asyncpg|aiomysql|pymssql|pyodbc|cx_Oracle|oracledb|mariadb:connect|create_pool mysql:connector.connect redis:Redis|StrictRedis pymongo:MongoClient paramiko:SSHClient().connect ldap3:Connection pika:PlainCredentials",
    when: {
      any: [
        { argument: -1, option: "password", written: true },
        { argument: -1, option: "passwd", written: true },
      ],
    },
    wrong: `import psycopg2
shop = psycopg2.connect(host="db", user="shop", password="harbour-lights-26")`,
    right: `import os
import psycopg2
shop = psycopg2.connect(host="db", user="shop", password=os.environ["DB_PASSWORD"])`,
    words: {
      what: "The code holds a password.",
      attack: "Anyone who can read the code can sign in with it.",
      mend: "Read it from the environment, and change it: it is in the history.",
    },
  },
  {
    id: "python/debug",
    title: "Debug mode enabled",
    cwe: 489,
    severity: "info",
    writes: "#settings.DEBUG flask:Flask().debug flask:Flask().config.DEBUG",
    when: { all: [{ argument: 0, is: [true] }, { file: /\bINSTALLED_APPS\b|\bROOT_URLCONF\b|\bFlask\(/ }] },
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
  {
    id: "python/clear-text",
    title: "Unencrypted connection",
    cwe: 319,
    severity: "info",
    calls: "ftplib:FTP telnetlib:Telnet imaplib:IMAP4 poplib:POP3 nntplib:NNTP",
    wrong: `import ftplib
files = ftplib.FTP("files.shop.internal")`,
    right: `import ftplib
files = ftplib.FTP_TLS("files.shop.internal")`,
    words: {
      what: "The connection is not encrypted.",
      attack: "An attacker on the network reads what is sent, the password too.",
      mend: "Use the encrypted form: FTP_TLS, SSH, IMAP4_SSL, POP3_SSL.",
    },
  },
];
