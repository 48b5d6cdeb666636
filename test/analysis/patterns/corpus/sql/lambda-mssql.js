const sql = require("mssql");
const snowflake = require("snowflake-sdk");

const config = { server: process.env.SQL_SERVER, user: process.env.SQL_USER, password: process.env.SQL_PASSWORD, database: "crm" };

exports.find = async (event) => {
  const pool = await sql.connect(config);
  const name = event.queryStringParameters.name;
  // wrong: CWE-89 query string parameter of the gateway
  const result = await pool.request().query(`SELECT * FROM contacts WHERE name = '${name}'`);
  return { statusCode: 200, body: JSON.stringify(result.recordset) };
};

exports.findSafely = async (event) => {
  const pool = await sql.connect(config);
  // right: CWE-89 typed input
  const result = await pool.request().input("name", sql.NVarChar, event.queryStringParameters.name).query("SELECT * FROM contacts WHERE name = @name");
  return { statusCode: 200, body: JSON.stringify(result.recordset) };
};

exports.tagged = async (event) => {
  await sql.connect(config);
  // right: CWE-89 tagged template of mssql
  const result = await sql.query`SELECT * FROM contacts WHERE id = ${event.pathParameters.id}`;
  return { statusCode: 200, body: JSON.stringify(result.recordset) };
};

exports.called = async (event) => {
  await sql.connect(config);
  // wrong: CWE-89 called as a function with a template
  const result = await sql.query(`SELECT * FROM contacts WHERE id = ${event.pathParameters.id}`);
  return { statusCode: 200, body: JSON.stringify(result.recordset) };
};

const connection = snowflake.createConnection({ account: process.env.SF_ACCOUNT, username: process.env.SF_USER, password: process.env.SF_PASSWORD });

exports.warehouse = (event, context, callback) => {
  const body = JSON.parse(event.body);
  // wrong: CWE-89 body of the event in sqlText
  connection.execute({ sqlText: "SELECT * FROM visits WHERE page = '" + body.page + "'", complete: (err, stmt, rows) => callback(err, rows) });
};

exports.warehouseBound = (event, context, callback) => {
  const body = JSON.parse(event.body);
  // right: CWE-89 binds
  connection.execute({ sqlText: "SELECT * FROM visits WHERE page = ?", binds: [body.page], complete: (err, stmt, rows) => callback(err, rows) });
};
