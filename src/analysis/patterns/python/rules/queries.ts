import type { Sink } from "../../row.ts";
import { FLASK } from "./example.ts";

/** Input that becomes a part of a question to a directory, a document or a pattern, or says which member of an object is meant. */
export const QUERIES: readonly Sink[] = [
  {
    id: "python/ldap",
    title: "LDAP injection",
    cwe: 90,
    danger: "query",
    severity: "error",
    joined: true,
    argument: "all",
    calls:
      "ldap:initialize()..search|search_s|search_st|search_ext|search_ext_s|delete_s|modify_s ldap3:Connection()..search ldap.ldapobject|ldap:..search_s *.search_s|search_ext_s",
    wrong: `import ldap
${FLASK}    directory = ldap.initialize("ldap://directory")
    return str(directory.search_s("dc=shop", ldap.SCOPE_SUBTREE, "(uid=" + request.args["user"] + ")"))`,
    right: `import ldap
from ldap.filter import escape_filter_chars
${FLASK}    directory = ldap.initialize("ldap://directory")
    user = escape_filter_chars(request.args["user"])
    found = directory.search_s("dc=shop", ldap.SCOPE_SUBTREE, "(uid=" + user + ")")
    return {"found": len(found)}`,
    words: {
      what: "goes into the filter or the name of an LDAP search",
      attack:
        "An attacker who controls the input finds other entries than the ones meant, or signs in as another user.",
      mend: "Encode it by escape_filter_chars, or escape_dn_chars in a name.",
    },
  },
  {
    id: "python/xpath",
    title: "XPath injection",
    cwe: 643,
    danger: "query",
    severity: "error",
    joined: true,
    calls:
      "lxml.etree|lxml|xml.etree.ElementTree|xml.etree|xml|elementpath|parsel:..xpath|find|findall|findtext|iterfind|XPath|select *.xpath",
    wrong: `from lxml import etree
${FLASK}    users = etree.parse("users.xml")
    return {"found": len(users.xpath("//user[name='" + request.args["name"] + "']"))}`,
    right: `from lxml import etree
${FLASK}    users = etree.parse("users.xml")
    return {"found": len(users.xpath("//user[name=$name]", name=request.args["name"]))}`,
    words: {
      what: "goes into the text of an XPath query",
      attack: "An attacker who controls the input reads other parts of the document than the ones meant.",
      mend: "Hand it over as a variable of the query: `//user[name=$name]`.",
    },
  },
  {
    id: "python/nosql",
    title: "NoSQL injection",
    cwe: 943,
    danger: "nosql",
    severity: "warning",
    from: "source",
    calls:
      "pymongo|motor|motor.motor_asyncio|flask_pymongo|mongoengine:..find|find_one|find_one_and_update|find_one_and_delete|update_one|update_many|delete_one|delete_many|count_documents|aggregate *.find_one|find_one_and_update|update_one|delete_one|delete_many|count_documents",
    when: { argument: 0, reads: /\bjson\b|get_json|loads\(|\$where|\$function|\.data\b/ },
    wrong: `from pymongo import MongoClient
${FLASK}    users = MongoClient().shop.users
    return {"in": users.find_one({"name": request.json["name"], "key": request.json["key"]}) is not None}`,
    right: `from pymongo import MongoClient
${FLASK}    users = MongoClient().shop.users
    return {"in": users.find_one({"name": str(request.json["name"])}) is not None}`,
    words: {
      what: "goes into the filter of a query as it comes",
      attack:
        'An object in place of a text, such as `{"$ne": null}`, fits every document: a check of a password passes.',
      mend: "Make it a text (str), or check its type first.",
    },
  },
  {
    id: "python/regex",
    title: "Regular expression injection",
    cwe: 1333,
    danger: "regex",
    severity: "warning",
    from: "source",
    calls: "re|regex:compile|match|search|fullmatch|findall|finditer|sub|subn|split",
    wrong: `import re
${FLASK}    return {"fits": re.search(request.args["pattern"], "a text of ours") is not None}`,
    right: `import re
${FLASK}    return {"fits": re.search(re.escape(request.args["pattern"]), "a text of ours") is not None}`,
    words: {
      what: "becomes a regular expression",
      attack: "A pattern that goes back and forth keeps a worker busy for minutes, with one request.",
      mend: "Encode it by re.escape, or look for it as a plain text.",
    },
  },
  {
    id: "python/xml",
    title: "XML external entity (XXE)",
    cwe: 611,
    danger: "xml",
    severity: "warning",
    from: "source",
    calls: "lxml.etree:parse|fromstring|XML|fromstringlist|iterparse lxml:etree.parse|etree.fromstring|etree.XML",
    unless: { any: [{ argument: 1, present: true }] },
    wrong: `from lxml import etree
${FLASK}    return {"root": etree.fromstring(request.data).tag}`,
    right: `from defusedxml.ElementTree import fromstring
${FLASK}    return {"root": fromstring(request.data).tag}`,
    words: {
      what: "is read as XML by a parser that replaces entities",
      attack: "A document can name files of the server as entities, and has them read.",
      mend: "Use defusedxml, or hand over `XMLParser(resolve_entities=False)`.",
    },
  },
  {
    id: "python/attribute",
    title: "Attribute chosen by input",
    cwe: 915,
    danger: "prototype",
    severity: "warning",
    from: "source",
    calls: "setattr delattr",
    argument: 1,
    wrong: `${FLASK}    user = load()
    for key, value in request.json.items():
        setattr(user, key, value)
    return "saved"`,
    right: `${FLASK}    user = load()
    user.name = request.json["name"]
    return "saved"`,
    words: {
      what: "says which attribute of an object is written",
      attack: "An attacker writes attributes that no form has, such as the one that makes an administrator.",
      mend: "Write the attributes by name, or compare the name with a list.",
    },
  },
  {
    id: "python/method",
    title: "Method chosen by input",
    cwe: 470,
    danger: "prototype",
    severity: "warning",
    from: "source",
    calls: "getattr globals().get locals().get",
    argument: { from: 0 },
    when: { not: { argument: 0, path: /^(?:flask:request|@request)/ } },
    wrong: `${FLASK}    return {"made": getattr(exports, request.args["format"])()}`,
    right: `FORMATS = {"csv": as_csv, "json": as_json}
${FLASK}    return {"made": FORMATS["csv"]()}`,
    words: {
      what: "says which attribute of an object is taken",
      attack: "An attacker calls functions that nobody meant to be called from outside.",
      mend: "Choose from a dictionary of the functions that are meant.",
    },
  },
  {
    id: "python/xml-expansion",
    title: "XML entity expansion",
    cwe: 776,
    danger: "xml",
    severity: "info",
    from: "source",
    calls:
      "xml.etree.ElementTree|xml.etree.cElementTree|xml.dom.minidom|xml.dom.pulldom|xml.sax:parse|fromstring|parseString|XML|iterparse xml:etree.ElementTree.fromstring|etree.ElementTree.parse|dom.minidom.parseString|sax.parseString",
    wrong: `import xml.etree.ElementTree as ET
${FLASK}    return {"root": ET.fromstring(request.data).tag}`,
    right: `import defusedxml.ElementTree as ET
${FLASK}    return {"root": ET.fromstring(request.data).tag}`,
    words: {
      what: "is read as XML with entities of its own",
      attack: "With an old expat, a document of a few lines becomes gigabytes.",
      mend: "Use defusedxml.",
    },
  },
];
