const { Sequelize, QueryTypes, Op, literal } = require("sequelize");

const sequelize = new Sequelize(process.env.DATABASE_URL);
const Staff = require("./models/staff")(sequelize);

module.exports = function routes(app) {
  app.get("/staff", async (req, res) => {
    // wrong: CWE-89 query text from the request
    const rows = await sequelize.query(`SELECT * FROM staff WHERE team = '${req.query.team}'`, { type: QueryTypes.SELECT });
    res.json(rows);
  });

  app.get("/staff/replaced", async (req, res) => {
    // right: CWE-89 replacements
    const rows = await sequelize.query("SELECT * FROM staff WHERE team = :team", {
      replacements: { team: req.query.team },
      type: QueryTypes.SELECT,
    });
    res.json(rows);
  });

  app.get("/staff/bound", async (req, res) => {
    // right: CWE-89 bind parameters
    const rows = await sequelize.query("SELECT * FROM staff WHERE team = $1", { bind: [req.query.team], type: QueryTypes.SELECT });
    res.json(rows);
  });

  app.get("/staff/ordered", async (req, res) => {
    // wrong: CWE-89 literal in the order
    const rows = await Staff.findAll({ order: sequelize.literal(req.query.order) });
    res.json(rows);
  });

  app.get("/staff/ranked", async (req, res) => {
    // right: CWE-89 literal is constant
    const rows = await Staff.findAll({ order: sequelize.literal("salary / hours DESC"), limit: 10 });
    res.json(rows);
  });

  app.get("/staff/near", async (req, res) => {
    // wrong: CWE-89 coordinates go into a literal as text
    const distance = literal("ST_Distance(place, ST_Point(" + req.query.lng + "," + req.query.lat + "))");
    res.json(await Staff.findAll({ attributes: { include: [[distance, "distance"]] } }));
  });

  app.get("/staff/where", async (req, res) => {
    const found = await Staff.findAll({
      // wrong: CWE-89 Sequelize.literal as a condition
      where: Sequelize.literal(`name LIKE '%${req.query.name}%'`),
    });
    res.json(found);
  });

  app.get("/staff/like", async (req, res) => {
    const found = await Staff.findAll({
      // right: CWE-89 operator escapes its value
      where: { name: { [Op.like]: `%${req.query.name}%` } },
    });
    res.json(found);
  });
};
