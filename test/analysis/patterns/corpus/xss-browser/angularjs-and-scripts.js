import angular from "angular";
import $ from "jquery";
import React from "react";
import { findDOMNode } from "react-dom";

const params = new URLSearchParams(location.search);

angular.module("shop", []).config(function ($sceProvider, $sceDelegateProvider, $compileProvider) {
  // wrong: CWE-79 escaping of AngularJS is off
  $sceProvider.enabled(false);
  // right: CWE-79 escaping of AngularJS is on
  $sceProvider.enabled(true);
  // wrong: CWE-79 resources of every host
  $sceDelegateProvider.resourceUrlWhitelist(["**"]);
  // right: CWE-79 resources of one host
  $sceDelegateProvider.resourceUrlWhitelist(["self", "https://cdn.example.com/**"]);
  // wrong: CWE-79 links with javascript:
  $compileProvider.aHrefSanitizationWhitelist(/^\s*(https?|javascript):/);
  // right: CWE-79 links of the web and of mail
  $compileProvider.aHrefSanitizationWhitelist(/^\s*(https?|mailto):/);
});

angular.module("shop").controller("Note", function ($scope, $sce, $location, $compile, $sanitize) {
  // wrong: CWE-79 trusted search parameter
  $scope.note = $sce.trustAsHtml($location.search().note);
  // right: CWE-79 trusted constant
  $scope.note = $sce.trustAsHtml("<b>nothing</b>");
  // right: CWE-79 sanitised search parameter
  $scope.note = $sanitize($location.search().note);
  // wrong: CWE-94 template of a search parameter
  $compile("<div>" + $location.search().view + "</div>")($scope);
  // wrong: CWE-94 expression of a search parameter
  $scope.$eval($location.search().expression);
  // right: CWE-94 constant expression
  $scope.$eval("items.length");
});

// wrong: CWE-94 code of the fragment
$.globalEval(location.hash.slice(1));
// wrong: CWE-94 script of a query value
$.getScript(params.get("plugin"));
// right: CWE-94 script of our own
$.getScript("/static/plugin.js");
// wrong: CWE-79 load puts an answer of any address into the page
$("#content").load(params.get("page"));
// right: CWE-79 load of a page of our own
$("#content").load("/fragments/menu.html #menu");
// wrong: CWE-79 wrap makes markup
$("p").wrap(params.get("frame"));
// right: CWE-79 class of a query value
$("p").addClass(params.get("colour"));
// right: CWE-79 attribute that is text
$("p").attr("title", params.get("title"));

export class Legacy extends React.Component {
  componentDidMount() {
    // wrong: CWE-79 node past React
    findDOMNode(this).innerHTML = params.get("body");
    // right: CWE-79 text past React
    findDOMNode(this).textContent = params.get("body");
  }

  render() {
    // wrong: CWE-79 markup as a property of createElement
    return React.createElement("div", { dangerouslySetInnerHTML: { __html: params.get("body") } });
  }
}

export class Modern extends React.Component {
  render() {
    // right: CWE-79 text as a child of createElement
    return React.createElement("div", { className: "body" }, params.get("body"));
  }
}

// wrong: CWE-346 domain of a page is widened
document.domain = "example.com";
// right: CWE-346 only read
export const domain = document.domain;

// wrong: CWE-829 worker of a query value
navigator.serviceWorker.register(
  params.get("worker"),
);
// right: CWE-829 worker of our own
navigator.serviceWorker.register("/worker.js", { scope: "/" });
