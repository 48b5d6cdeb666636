import $ from "jquery";
import _ from "lodash";

const query = new URLSearchParams(location.search);

$(function () {
  const name = query.get("name");

  // wrong: CWE-79 html method
  $("#greeting").html("Hi " + name);
  // right: CWE-79 text method
  $("#greeting").text("Hi " + name);

  // wrong: CWE-79 append makes markup
  $("#list").append("<li>" + name + "</li>");
  // right: CWE-79 element with text
  $("#list").append($("<li>").text(name));

  // wrong: CWE-79 fragment that may be markup
  $(decodeURIComponent(location.hash.slice(1)));
  // right: CWE-79 find never makes markup
  $(document).find("#" + CSS.escape(location.hash.slice(1)));

  // wrong: CWE-79 after with a template
  $(".title").after(`<small>${query.get("sub")}</small>`);
  // right: CWE-79 value of an input
  $("#search").val(query.get("q"));

  // wrong: CWE-79 parseHTML keeping scripts
  $("#preview").append($.parseHTML(query.get("preview"), document, true));

  // right: CWE-79 escape of lodash
  $("#message").html(_.escape(query.get("message")));

  // right: CWE-79 constant markup
  $("#footer").html("<p>imprint</p>");
});

$("#form").on("submit", function () {
  const comment = $("#comment").val();
  // wrong: CWE-79 value of a field becomes markup
  $("#preview").html(comment);
  // right: CWE-79 shown as text
  $("#plain").text(comment);
  return false;
});

$.get("/api/messages", function (messages) {
  for (const message of messages) {
    // wrong: CWE-79 stored messages of others
    $("#messages").prepend("<div>" + message.body + "</div>");
  }
  // right: CWE-79 only a count
  $("#count").html(Number(messages.length));
});

window.addEventListener("message", (event) => {
  if (event.origin !== location.origin) return;
  // right: CWE-79 text of a checked message
  $("#status").text(event.data.status);
});

// wrong: CWE-79 attribute href of the query
$("#next").attr("href", query.get("next"));
// right: CWE-79 data attribute
$("#next").attr("data-next", query.get("next"));

// wrong: CWE-79 cookie as markup
$("#tooltip").replaceWith(
  "<span>" + document.cookie.replace(/.*hint=([^;]*).*/, "$1") + "</span>",
);
