import type { Setting } from "../../row.ts";

const CERTIFICATE = {
  id: "python/certificate-unverified",
  title: "Certificate verification disabled",
  cwe: 295,
  severity: "warning",
  words: {
    what: "The certificate of the other side is not checked.",
    attack: "An attacker on the network can read and change what is sent.",
    mend: "Leave the check on; give the authority of your own certificate by verify or cafile.",
  },
} as const;

/** What is insecure by itself: tokens, connections, parsers, logs and stores. */
export const SETTINGS: readonly Setting[] = [
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
    ...CERTIFICATE,
    calls:
      "requests|httpx:..get|post|put|patch|delete|head|request|Session|Client|AsyncClient ssl:_create_unverified_context aiohttp:..get|post|put|request|TCPConnector urllib3:PoolManager|HTTPSConnectionPool",
    when: {
      text: /\b(?:verify|ssl|verify_ssl)\s{0,9}=\s{0,9}False\b|_create_unverified_context|cert_reqs\s{0,9}=\s{0,9}(?:["']CERT_NONE|ssl\.CERT_NONE)/,
    },
    wrong: `import requests
requests.post("https://api.shop.internal/", json={}, verify=False)`,
    right: `import requests
requests.post("https://api.shop.internal/", json={}, timeout=5)`,
  },
  {
    ...CERTIFICATE,
    writes: "*!.check_hostname requests:Session().verify",
    when: { argument: 0, is: [false] },
    wrong: `import ssl
context = ssl.create_default_context()
context.check_hostname = False`,
    right: `import ssl
context = ssl.create_default_context()
context.check_hostname = True`,
  },
  {
    ...CERTIFICATE,
    writes: "*!.verify_mode",
    when: { argument: 0, reads: /CERT_NONE/ },
    wrong: `import ssl
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.verify_mode = ssl.CERT_NONE`,
    right: `import ssl
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.verify_mode = ssl.CERT_REQUIRED`,
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
