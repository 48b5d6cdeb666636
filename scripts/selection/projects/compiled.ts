import { type Project, replaced } from "../project.ts";

const goTest = (name: string, body: string, imports = "") =>
  `package ${name}\n\nimport (\n\t"testing"\n${imports})\n\nfunc TestIt(t *testing.T) {\n${body}\n}\n`;

const go = {
  "go.mod": "module example.com/shop\n\ngo 1.19\n",
  "price/price.go": "package price\n\nfunc Gross(net int) int { return net * 2 }\n",
  "price/price_test.go": goTest("price", `\tif Gross(0) != 0 {\n\t\tt.Fatal("zero")\n\t}`),
  "cart/cart.go": `package cart\n\nimport "example.com/shop/price"\n\nfunc Total() int { return price.Gross(3) }\n`,
  "cart/cart_test.go": goTest("cart", `\tif Total() != 6 {\n\t\tt.Fatal(Total())\n\t}`),
  "page/page.go": `package page\n\nimport (\n\t"embed"\n)\n\n//go:embed views\nvar views embed.FS\n\nfunc Page() string {\n\ttext, _ := views.ReadFile("views/index.html")\n\treturn string(text)\n}\n`,
  "page/views/index.html": "hello",
  "page/page_test.go": goTest("page", `\tif Page() != "hello" {\n\t\tt.Fatal(Page())\n\t}`),
  "gold/gold.go": "package gold\n",
  "gold/testdata/one.golden": "1",
  "gold/gold_test.go": goTest(
    "gold",
    `\tname := "one"\n\ttext, _ := os.ReadFile(filepath.Join("testdata", name+".golden"))\n\tif string(text) != "1" {\n\t\tt.Fatal(string(text))\n\t}`,
    `\t"os"\n\t"path/filepath"\n`,
  ),
  "cmd/tool/main.go": `package main\n\nimport "fmt"\n\nfunc main() { fmt.Print("tool") }\n`,
  "run/run.go": "package run\n",
  "run/run_test.go": goTest(
    "run",
    `\tout, err := exec.Command("go", "run", "../cmd/tool").CombinedOutput()\n\tif err != nil || string(out) != "tool" {\n\t\tt.Fatal(string(out), err)\n\t}`,
    `\t"os/exec"\n`,
  ),
  "alone/alone.go": "package alone\n",
  "alone/alone_test.go": goTest("alone", ""),
};

export const goShop: Project = {
  name: "go: packages, embedded files, testdata, programs",
  files: go,
  mutations: [
    {
      what: "package that another imports",
      to: replaced(go, "price/price.go", "net * 2", "net * 3"),
      breaks: ["cart/cart_test.go"],
    },
    { what: "embedded file", to: { "page/views/index.html": "bye" }, breaks: ["page/page_test.go"] },
    { what: "testdata", to: { "gold/testdata/one.golden": "2" }, breaks: ["gold/gold_test.go"] },
    { what: "program", to: replaced(go, "cmd/tool/main.go", `"tool"`, `"no"`), breaks: ["run/run_test.go"] },
  ],
};

const rust = {
  "Cargo.toml": `[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n`,
  "src/lib.rs": `pub fn word() -> &'static str { include_str!("word.txt") }\n\npub fn two() -> i32 { 2 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn two() { assert_eq!(super::two(), 2); }\n}\n`,
  "src/word.txt": "tea",
  "tests/whole.rs": `#[test]\nfn word() { assert_eq!(shop::word(), "tea"); }\n\n#[test]\nfn sample() { assert_eq!(std::fs::read_to_string("samples/a.txt").unwrap(), "a"); }\n`,
  "samples/a.txt": "a",
};

export const rustShop: Project = {
  name: "cargo: text that is built in, samples",
  files: rust,
  mutations: [
    { what: "source", to: replaced(rust, "src/lib.rs", "{ 2 }", "{ 3 }"), breaks: [] },
    { what: "text", to: { "src/word.txt": "salt" }, breaks: ["tests/whole.rs"] },
    { what: "sample", to: { "samples/a.txt": "b" }, breaks: ["tests/whole.rs"] },
  ],
};
