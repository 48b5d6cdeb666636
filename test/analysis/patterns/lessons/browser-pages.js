function render(name) {
  // wrong: CWE-79
  document.getElementById("name").innerHTML = name;
  // right: CWE-79
  document.getElementById("name").textContent = name;
  // wrong: CWE-79
  document.write("<b>" + name + "</b>");
  // right: CWE-79
  document.getElementById("name").innerHTML = "";
  // wrong: CWE-79
  document.body.insertAdjacentHTML("beforeend", name);
  // wrong: CWE-79
  box.outerHTML = `<p>${name}</p>`;
  // right: CWE-79
  box.innerHTML = DOMPurify.sanitize(name);
}

function jq(text) {
  // wrong: CWE-79
  $("#out").html(text);
  // right: CWE-79
  $("#out").text(text);
  // wrong: CWE-79
  $("<div>" + text + "</div>").appendTo("body");
  // wrong: CWE-79
  $("#list").append("<li>" + text + "</li>");
  // right: CWE-79
  $("#list").append($("<li>").text(text));
  // wrong: CWE-79
  $(location.hash);
  // right: CWE-79
  $("#" + CSS.escape(text));
  // wrong: CWE-79
  jQuery(".x").before(text);
  // wrong: CWE-79
  $.parseHTML(text, document, true);
  // wrong: CWE-79
  $("#out").replaceWith(text);
  // wrong: CWE-95
  $.globalEval(text);
}

window.addEventListener("message", (event) => {
  // wrong: CWE-95
  eval(event.data);
  // wrong: CWE-79
  document.querySelector("#m").innerHTML = event.data;
});

window.addEventListener("message", function (e) {
  if (e.origin !== "https://trusted.example.com") return;
  // right: CWE-79
  document.querySelector("#m").textContent = e.data;
});

// wrong: CWE-345
parent.postMessage(secret, "*");
// right: CWE-345
parent.postMessage(secret, "https://app.example.com");

function go() {
  const params = new URLSearchParams(window.location.search);
  // wrong: CWE-601
  window.location.href = params.get("next");
  // right: CWE-601
  window.location.href = "/welcome";
  // wrong: CWE-601
  location.replace(params.get("u"));
  // wrong: CWE-601
  window.open(location.hash.slice(1));
}

// wrong: CWE-922
localStorage.setItem("token", response.data.jwt);
// right: CWE-922
localStorage.setItem("theme", "dark");
// wrong: CWE-922
sessionStorage.setItem("password", password.value);

document.cookie = "lang=en; Secure; SameSite=Lax";
// wrong: CWE-1004
document.cookie = "session=" + id;

const range = document.createRange();
// wrong: CWE-79
const fragment = range.createContextualFragment(location.hash);
const parser = new DOMParser();
// right: CWE-79
const doc = parser.parseFromString("<p></p>", "text/html");
const link = document.createElement("a");
// wrong: CWE-79
link.href = location.search.slice(1);
const script = document.createElement("script");
// wrong: CWE-79
script.src = new URLSearchParams(location.search).get("cdn");
// right: CWE-79
script.src = "https://cdn.example.com/a.js";
const frame = document.createElement("iframe");
// wrong: CWE-79
frame.srcdoc = decodeURIComponent(location.hash);
// wrong: CWE-79
el.setAttribute("onclick", name);
