import type { Setting } from "../../row.ts";

const BROKEN = {
  what: "The cipher is broken, or its blocks are too small.",
  attack: "An attacker with enough of what was encrypted reads it, or finds the key.",
  mend: "Use AES-GCM or ChaCha20-Poly1305.",
};
const IN_CODE = {
  what: "The code holds the key.",
  attack: "Anyone who can read the code can read and forge what the key protects.",
  mend: "Read the key from the environment, and replace it: it is in the history.",
};
/** Names of what must not be guessed. */
const SECRET =
  /token|passw|pwd|secret|(?:^|[^a-z])otp(?![a-z])|session_?id|nonce|salt|api_?key|csrf|reset_?code|verification|credential/i;

/** Ciphers, keys, hashes and random numbers that protect less than they seem to. */
export const CRYPTOGRAPHY: readonly Setting[] = [
  {
    id: "python/weak-cipher",
    title: "Broken cipher",
    cwe: 327,
    severity: "error",
    calls: `Crypto.Cipher|Cryptodome.Cipher:DES.new|DES3.new|ARC4.new|ARC2.new|Blowfish.new|CAST.new|XOR.new
      Crypto.Cipher.DES|Crypto.Cipher.DES3|Crypto.Cipher.ARC4|Crypto.Cipher.ARC2|Crypto.Cipher.Blowfish|Cryptodome.Cipher.DES|Cryptodome.Cipher.ARC4:new
      cryptography.hazmat.primitives.ciphers.algorithms:ARC4|TripleDES|Blowfish|IDEA|CAST5|SEED
      cryptography.hazmat.primitives.ciphers:algorithms.ARC4|algorithms.TripleDES|algorithms.Blowfish|algorithms.IDEA|algorithms.CAST5|algorithms.SEED
      cryptography.hazmat.decrepit.ciphers.algorithms:ARC4|TripleDES|Blowfish|IDEA|CAST5|SEED`,
    wrong: `from Crypto.Cipher import DES
cipher = DES.new(key, DES.MODE_CBC, iv)`,
    right: `from Crypto.Cipher import AES
cipher = AES.new(key, AES.MODE_GCM)`,
    words: BROKEN,
  },
  {
    id: "python/cipher-mode",
    title: "ECB mode of a cipher",
    cwe: 327,
    severity: "error",
    calls: `Crypto.Cipher|Cryptodome.Cipher:AES.new Crypto.Cipher.AES|Cryptodome.Cipher.AES:new
      cryptography.hazmat.primitives.ciphers.modes:ECB cryptography.hazmat.primitives.ciphers:modes.ECB`,
    when: { text: /\bMODE_ECB\b|\bECB\(/ },
    wrong: `from Crypto.Cipher import AES
cipher = AES.new(key, AES.MODE_ECB)`,
    right: `from Crypto.Cipher import AES
cipher = AES.new(key, AES.MODE_GCM)`,
    words: {
      what: "The cipher encrypts each block by itself (ECB).",
      attack: "Equal blocks look equal, and an attacker can exchange them: what was encrypted shows its structure.",
      mend: "Use AES-GCM.",
    },
  },
  {
    id: "python/written-key",
    title: "Hard-coded cryptographic key",
    cwe: 321,
    severity: "error",
    calls:
      "Crypto.Cipher|Cryptodome.Cipher:AES.new|DES.new|ChaCha20.new|ChaCha20_Poly1305.new|Salsa20.new Crypto.Cipher.AES|Cryptodome.Cipher.AES:new cryptography.fernet:Fernet cryptography.hazmat.primitives.ciphers.aead:AESGCM|ChaCha20Poly1305|AESCCM hmac:new",
    when: { argument: 0, written: true },
    wrong: `from cryptography.fernet import Fernet
box = Fernet(b"cdJ0fQp3hV4sN1rT8xK2uWm7yZ5aB9eGlOiCwRkHqSc=")`,
    right: `import os
from cryptography.fernet import Fernet
box = Fernet(os.environ["BOX_KEY"])`,
    words: IN_CODE,
  },
  {
    id: "python/written-token-key",
    title: "Hard-coded cryptographic key",
    cwe: 798,
    severity: "error",
    calls: "jwt:encode|decode jose:jwt.encode|jwt.decode jose.jwt:encode|decode authlib.jose:jwt.encode|jwt.decode",
    when: { argument: 1, written: true },
    wrong: `import jwt
token = jwt.encode({"user": 7}, "harbour-lights-26", algorithm="HS256")`,
    right: `import os
import jwt
token = jwt.encode({"user": 7}, os.environ["TOKEN_KEY"], algorithm="HS256")`,
    words: IN_CODE,
  },
  {
    id: "python/fixed-iv",
    title: "Fixed initialization vector",
    cwe: 329,
    severity: "warning",
    calls:
      "Crypto.Cipher|Cryptodome.Cipher:AES.new|DES.new Crypto.Cipher.AES|Cryptodome.Cipher.AES:new cryptography.hazmat.primitives.ciphers.modes:CBC|CTR|GCM|CFB|OFB cryptography.hazmat.primitives.ciphers:modes.CBC|modes.CTR|modes.GCM|modes.CFB|modes.OFB",
    when: {
      any: [
        { all: [{ argument: 2, written: true }, { text: /\.new\(/ }] },
        { all: [{ argument: 0, written: true }, { not: { text: /\.new\(/ } }] },
        { argument: -1, option: "iv", written: true },
        { argument: -1, option: "nonce", written: true },
      ],
    },
    wrong: `from Crypto.Cipher import AES
cipher = AES.new(key, AES.MODE_CBC, b"0123456789abcdef")`,
    right: `import os
from Crypto.Cipher import AES
cipher = AES.new(key, AES.MODE_CBC, os.urandom(16))`,
    words: {
      what: "Every message begins from the same vector.",
      attack: "Equal beginnings look equal, and with some ciphers two messages give away both.",
      mend: "Generate a new one for each message (os.urandom), and send it along.",
    },
  },
  {
    id: "python/random",
    title: "Predictable random value",
    cwe: 330,
    severity: "warning",
    calls: "random:random|randint|choice|choices|randrange|sample|getrandbits|uniform|shuffle uuid:uuid1",
    when: { statement: SECRET },
    wrong: `import random
import string
def make_token():
    return "".join(random.choice(string.ascii_letters) for _ in range(32))`,
    right: `import secrets
def make_token():
    return secrets.token_urlsafe(32)`,
    words: {
      what: "A value that must not be guessed comes from a generator that can be predicted.",
      attack: "An attacker who has seen some of its values computes the next ones.",
      mend: "Use the module secrets.",
    },
  },
  {
    id: "python/password-hash",
    title: "Fast hash of a password",
    cwe: 916,
    severity: "warning",
    calls: "hashlib:sha1|sha224|sha256|sha384|sha512|sha3_256|sha3_512|blake2b|blake2s|md5|new",
    when: { text: /\b(?:\w{1,20}_)?(?:password|passwd|pwd|passphrase)\b/i },
    wrong: `import hashlib
def store(password):
    return hashlib.sha256(password.encode()).hexdigest()`,
    right: `import bcrypt
def store(password):
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt())`,
    words: {
      what: "A password is hashed by a function that is made to be fast.",
      attack: "Anyone who gets the table of hashes can try billions of passwords in a second.",
      mend: "Use bcrypt, scrypt or argon2.",
    },
  },
  {
    id: "python/few-rounds",
    title: "Too few rounds for a password",
    cwe: 916,
    severity: "warning",
    calls: "hashlib:pbkdf2_hmac",
    when: { argument: 3, below: 100_000 },
    wrong: `import hashlib
key = hashlib.pbkdf2_hmac("sha256", password, salt, 1000)`,
    right: `import hashlib
key = hashlib.pbkdf2_hmac("sha256", password, salt, 600000)`,
    words: {
      what: "The hash of a password takes too few rounds.",
      attack: "Anyone who gets the table of hashes can try many passwords in a short time.",
      mend: "Use 600,000 rounds of SHA-256, or argon2.",
    },
  },
  {
    id: "python/timing",
    title: "Timing attack",
    cwe: 208,
    severity: "info",
    compares: /(?:^|_)(?:signature|hmac|digest|hexdigest|api_key|mac|csrf_token|sig)$/,
    wrong: `def check(signature, expected):
    return signature == expected`,
    right: `import hmac
def check(signature, expected):
    return hmac.compare_digest(signature, expected)`,
    words: {
      what: "A secret is compared character by character.",
      attack: "The time until it differs tells how much of a guess was right.",
      mend: "Compare by hmac.compare_digest.",
    },
  },
  {
    id: "python/fixed-salt",
    title: "Fixed salt",
    cwe: 760,
    severity: "warning",
    calls:
      "hashlib:pbkdf2_hmac|scrypt bcrypt:hashpw crypt:crypt Crypto.Protocol.KDF|Cryptodome.Protocol.KDF:PBKDF2|scrypt",
    when: {
      any: [
        { all: [{ callee: /^hashlib:pbkdf2/ }, { argument: 2, written: true }] },
        { all: [{ callee: /^(?:bcrypt|crypt|Crypto)/ }, { argument: 1, written: true }] },
        { argument: -1, option: "salt", written: true },
      ],
    },
    wrong: `import hashlib
key = hashlib.pbkdf2_hmac("sha256", password, b"salt of the shop", 600000)`,
    right: `import hashlib
import os
key = hashlib.pbkdf2_hmac("sha256", password, os.urandom(16), 600000)`,
    words: {
      what: "Every password is hashed with the same salt.",
      attack: "One table of hashes breaks the passwords of all users at once.",
      mend: "Generate a salt for each password (os.urandom), and store it along with the hash.",
    },
  },
];
