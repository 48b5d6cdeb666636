const ldap = require("ldapjs");
const xpath = require("xpath");
const { DOMParser } = require("@xmldom/xmldom");
const { EqualityFilter } = require("ldapjs");

const client = ldap.createClient({ url: process.env.LDAP_URL });
const staff = new DOMParser().parseFromString("<staff/>", "text/xml");

exports.person = (req, res) => {
  const options = { filter: `(&(objectClass=person)(uid=${req.query.uid}))`, scope: "sub" };
  // wrong: CWE-90 filter text with a query value
  client.search("ou=people,dc=example,dc=org", options, (err, found) => (err ? res.sendStatus(500) : collect(found, res)));
};

exports.personSafe = (req, res) => {
  const filter = new EqualityFilter({ attribute: "uid", value: String(req.query.uid) });
  // right: CWE-90 filter object escapes its value
  client.search("ou=people,dc=example,dc=org", { filter, scope: "sub" }, (err, found) => (err ? res.sendStatus(500) : collect(found, res)));
};

exports.bind = (req, res) => {
  // wrong: CWE-90 distinguished name from the body
  client.bind(`cn=${req.body.user},ou=people,dc=example,dc=org`, req.body.password, (err) => res.sendStatus(err ? 401 : 204));
};

exports.salary = (req, res) => {
  // wrong: CWE-643 expression with a query value
  const nodes = xpath.select(`//person[name='${req.query.name}']/salary/text()`, staff);
  res.json(nodes.map(String));
};

exports.salarySafe = (req, res) => {
  const find = xpath.parse("//person[name=$name]/salary/text()");
  // right: CWE-643 variable of the expression
  const nodes = find.select({ node: staff, variables: { name: req.query.name } });
  res.json(nodes.map(String));
};

exports.everybody = (_req, res) => {
  // right: CWE-643 constant expression
  res.json(xpath.select("//person/name/text()", staff).map(String));
};

function collect(found, res) {
  const entries = [];
  found.on("searchEntry", (entry) => entries.push(entry.pojo));
  found.on("end", () => res.json(entries));
}
