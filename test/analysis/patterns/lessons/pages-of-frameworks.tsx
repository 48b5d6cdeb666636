import React, { useEffect, useRef } from "react";

export function Comment({ text, url }) {
  const ref = useRef(null);
  useEffect(() => {
    // wrong: CWE-79
    ref.current.innerHTML = text;
  });
  return (
    <div ref={ref}>
      {/* wrong: CWE-79 */}
      <p dangerouslySetInnerHTML={{ __html: text }} />
      {/* right: CWE-79 */}
      <p dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(text) }} />
      {/* wrong: CWE-79 */}
      <a href={url}>there</a>
      {/* right: CWE-79 */}
      <a href="/there">there</a>
      {/* wrong: CWE-1022 */}
      <a href="https://example.com" target="_blank" rel="opener">x</a>
      {/* wrong: CWE-1021 */}
      <iframe src={url} />
    </div>
  );
}

const createElement = React.createElement;
export function Raw(props) {
  // wrong: CWE-79
  return createElement("div", { dangerouslySetInnerHTML: { __html: props.html } });
}

import { Component, SecurityContext } from "@angular/core";
import { DomSanitizer } from "@angular/platform-browser";

@Component({ selector: "app-note", template: "<div [innerHTML]='note'></div>" })
export class NoteComponent {
  constructor(private sanitizer: DomSanitizer) {}
  show(value: string) {
    // wrong: CWE-79
    this.note = this.sanitizer.bypassSecurityTrustHtml(value);
    // right: CWE-79
    this.note = this.sanitizer.bypassSecurityTrustHtml("<b>ok</b>");
    // wrong: CWE-79
    this.link = this.sanitizer.bypassSecurityTrustUrl(value);
    // wrong: CWE-79
    this.frame = this.sanitizer.bypassSecurityTrustResourceUrl(value);
    // right: CWE-79
    this.safe = this.sanitizer.sanitize(SecurityContext.HTML, value);
    // wrong: CWE-79
    this.style = this.sanitizer.bypassSecurityTrustStyle(`width: ${value}`);
    // wrong: CWE-79
    this.element.nativeElement.innerHTML = value;
    // wrong: CWE-79
    this.renderer.setProperty(this.element.nativeElement, "innerHTML", value);
  }
}

angular.module("shop", []).controller("Main", function ($scope, $sce, $location, $sceProvider) {
  // wrong: CWE-79
  $scope.html = $sce.trustAsHtml($scope.text);
  // right: CWE-79
  $scope.html = $sce.trustAsHtml("<i>fixed</i>");
  // wrong: CWE-79
  $scope.js = $sce.trustAsJs($scope.code);
  // wrong: CWE-79
  $scope.u = $sce.trustAsResourceUrl($location.search().u);
  // wrong: CWE-79
  $sceProvider.enabled(false);
  // wrong: CWE-79
  angular.element("#a").html($scope.text);
  // wrong: CWE-95
  $scope.$eval($scope.expression + $location.hash());
});

Vue.component("note", {
  props: ["text"],
  render(h) {
    // wrong: CWE-79
    return h("div", { domProps: { innerHTML: this.text } });
  },
});

// wrong: CWE-79
const app = createApp({ template: "<div>" + userText + "</div>" });
// right: CWE-79
const app2 = createApp({ template: "<div>{{ text }}</div>" });

import { html, unsafeHTML } from "lit";
export const view = (text) => html`<p>
  ${
    // wrong: CWE-79
    unsafeHTML(text)
  }
</p>`;
