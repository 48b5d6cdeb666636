import { type Project, replaced } from "../project.ts";

const shop = {
  "pyproject.toml": `[project]\nname = "shop"\nversion = "1"\n[project.scripts]\nshopkeeper = "shop.cli:main"\n[tool.pytest.ini_options]\naddopts = "-p plugin_one"\npythonpath = ["."]\n`,
  "plugin_one.py": `import pytest\n\n@pytest.fixture\ndef one():\n    return 1\n`,
  "shop/__init__.py": `VERSION = 1\n`,
  "shop/rates.py": `import json\nfrom importlib.resources import files\n\ndef vat():\n    return json.loads(files("shop").joinpath("rates.json").read_text())["vat"]\n`,
  "shop/rates.json": `{"vat": 20}\n`,
  "shop/queries.py": `from pathlib import Path\n\ndef query(name):\n    return (Path(__file__).parent / "sql" / f"{name}.sql").read_text()\n`,
  "shop/sql/orders.sql": "select 1\n",
  "shop/cli.py": `import sys\nfrom shop.prices import price\n\ndef main():\n    print(price(2))\n\nif __name__ == "__main__":\n    main()\n`,
  "shop/prices.py": "def price(n):\n    return n * 2\n",
  "shop/loader.py": `import importlib\n\ndef load(name):\n    return importlib.import_module(f"shop.plugins.{name}")\n`,
  "shop/plugins/__init__.py": "",
  "shop/plugins/blue.py": `from shop.plugins.base import shade\nCOLOR = shade("blue")\n`,
  "shop/plugins/base.py": "def shade(x):\n    return 'dark ' + x\n",
  "tests/conftest.py": `import pytest\nfrom pathlib import Path\n\n@pytest.fixture\ndef goods():\n    return (Path(__file__).parent / "data" / "goods.txt").read_text()\n`,
  "tests/data/goods.txt": "tea\n",
  "tests/cases/one.in": "1\n",
  "tests/test_rates.py": `from shop.rates import vat\n\ndef test_vat():\n    assert vat() == 20\n`,
  "tests/test_queries.py": `from shop.queries import query\n\ndef test_query():\n    assert query("orders") == "select 1\\n"\n`,
  "tests/test_cli.py": `import subprocess, sys\n\ndef test_cli():\n    assert subprocess.check_output([sys.executable, "-m", "shop.cli"], text=True) == "4\\n"\n`,
  "tests/test_prices.py": `from shop.prices import price\n\ndef test_price():\n    assert price(0) == 0\n`,
  "tests/test_loader.py": `from shop.loader import load\n\ndef test_load():\n    assert load("blue").COLOR == "dark blue"\n`,
  "tests/test_goods.py": `def test_goods(goods):\n    assert goods == "tea\\n"\n`,
  "tests/test_cases.py": `from pathlib import Path\nimport pytest\n\n@pytest.mark.parametrize("path", sorted(Path(__file__).parent.glob("cases/*.in")), ids=str)\ndef test_case(path):\n    assert path.read_text() == "1\\n"\n`,
  "tests/test_one.py": `def test_one(one):\n    assert one == 1\n`,
  "tests/test_version.py": `import shop.prices\nimport sys\n\ndef test_version():\n    assert sys.modules["shop"].VERSION == 1\n`,
};

export const pythonShop: Project = {
  name: "pytest: data of a package, fixtures, plugins, modules that are run",
  files: shop,
  mutations: [
    { what: "data", to: { "shop/rates.json": `{"vat": 0}\n` }, breaks: ["tests/test_rates.py"] },
    { what: "SQL", to: { "shop/sql/orders.sql": "select 2\n" }, breaks: ["tests/test_queries.py"] },
    { what: "source", to: replaced(shop, "shop/prices.py", "n * 2", "n * 3"), breaks: ["tests/test_cli.py"] },
    { what: "program", to: replaced(shop, "shop/cli.py", "price(2)", "price(3)"), breaks: ["tests/test_cli.py"] },
    { what: "plugin", to: { "shop/plugins/blue.py": "COLOR = 'red'\n" }, breaks: ["tests/test_loader.py"] },
    {
      what: "what a plugin imports",
      to: replaced(shop, "shop/plugins/base.py", "dark", "pale"),
      breaks: ["tests/test_loader.py"],
    },
    { what: "data of a fixture", to: { "tests/data/goods.txt": "salt\n" }, breaks: ["tests/test_goods.py"] },
    { what: "new case of a folder", to: { "tests/cases/two.in": "2\n" }, breaks: ["tests/test_cases.py"] },
    {
      what: "plugin of pytest",
      to: replaced(shop, "plugin_one.py", "return 1", "return 2"),
      breaks: ["tests/test_one.py"],
    },
    { what: "the package itself", to: { "shop/__init__.py": "VERSION = 2\n" }, breaks: ["tests/test_version.py"] },
  ],
};

const src = {
  "pyproject.toml": `[project]\nname = "lab"\nversion = "1"\n[tool.pytest.ini_options]\npythonpath = ["code"]\n`,
  "code/lab/__init__.py": "",
  "code/lab/core.py": "from .units import GRAM\n\ndef grams(kilo):\n    return kilo * 1000 * GRAM\n",
  "code/lab/units.py": "GRAM = 1\n",
  "code/lab/report.py": `import os\n\nHERE = os.path.dirname(__file__)\n\ndef report(kind):\n    with open(os.path.join(HERE, "forms", kind + ".txt")) as form:\n        return form.read().format(total=3)\n`,
  "code/lab/forms/short.txt": "total {total}",
  "tests/test_core.py": `from lab.core import grams\n\ndef test_grams():\n    assert grams(2) == 2000\n`,
  "tests/test_report.py": `from lab import report\n\ndef test_report():\n    assert report.report("short") == "total 3"\n`,
  "tests/test_snapshot.py": `from pathlib import Path\n\ndef test_snapshot():\n    at = Path(__file__)\n    assert at.parent.joinpath("__snapshots__", at.stem + ".ambr").read_text() == "one\\n"\n`,
  "tests/__snapshots__/test_snapshot.ambr": "one\n",
  "tests/test_else.py": "def test_else():\n    assert True\n",
};

export const pythonSource: Project = {
  name: "pytest: a folder of sources that only settings name, snapshots",
  files: src,
  mutations: [
    { what: "source", to: { "code/lab/units.py": "GRAM = 2\n" }, breaks: ["tests/test_core.py"] },
    { what: "template", to: { "code/lab/forms/short.txt": "sum {total}" }, breaks: ["tests/test_report.py"] },
    { what: "snapshot", to: { "tests/__snapshots__/test_snapshot.ambr": "two\n" }, breaks: ["tests/test_snapshot.py"] },
  ],
};
