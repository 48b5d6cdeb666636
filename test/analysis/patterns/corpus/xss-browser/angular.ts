import { Component, ElementRef, Pipe, Renderer2, SecurityContext, inject, type PipeTransform } from "@angular/core";
import { DomSanitizer } from "@angular/platform-browser";
import { ActivatedRoute } from "@angular/router";

@Component({ selector: "app-note", template: `<div [innerHTML]="html"></div>` })
export class NoteComponent {
  html: unknown;
  plain = "";

  constructor(
    private readonly sanitizer: DomSanitizer,
    private readonly route: ActivatedRoute,
    private readonly element: ElementRef,
    private readonly renderer: Renderer2,
  ) {}

  ngOnInit() {
    const note = this.route.snapshot.queryParamMap.get("note") ?? "";
    // wrong: CWE-79 trusted without a look
    this.html = this.sanitizer.bypassSecurityTrustHtml(note);
    // right: CWE-79 the sanitizer cleans it
    this.html = this.sanitizer.sanitize(SecurityContext.HTML, note);
    // right: CWE-79 bound markup is cleaned by Angular
    this.html = note;
    this.plain = note;
  }

  show() {
    const text = this.route.snapshot.queryParams["text"];
    // wrong: CWE-79 native element past Angular
    this.element.nativeElement.innerHTML = text;
    // right: CWE-79 text of the native element
    this.element.nativeElement.textContent = text;
    // wrong: CWE-79 renderer sets markup
    this.renderer.setProperty(this.element.nativeElement, "innerHTML", text);
    // right: CWE-79 renderer sets text
    this.renderer.setProperty(this.element.nativeElement, "textContent", text);
  }
}

@Pipe({ name: "safeUrl" })
export class SafeUrlPipe implements PipeTransform {
  private readonly sanitizer = inject(DomSanitizer);

  transform(url: string) {
    // wrong: CWE-79 any address for a frame
    return this.sanitizer.bypassSecurityTrustResourceUrl(url);
  }
}

@Pipe({ name: "videoUrl" })
export class VideoUrlPipe implements PipeTransform {
  private readonly sanitizer = inject(DomSanitizer);

  transform(id: string) {
    if (!/^[\w-]{11}$/.test(id)) return null;
    // right: CWE-79 fixed host with a checked id
    return this.sanitizer.bypassSecurityTrustResourceUrl(`https://videos.example.com/embed/${id}`);
  }
}

@Component({ selector: "app-icon", template: `<span [innerHTML]="icon"></span>` })
export class IconComponent {
  private readonly sanitizer = inject(DomSanitizer);
  // right: CWE-79 constant icon
  icon = this.sanitizer.bypassSecurityTrustHtml("<svg viewBox='0 0 1 1'></svg>");

  link(address: string) {
    // wrong: CWE-79 javascript: would be trusted
    return this.sanitizer.bypassSecurityTrustUrl(address);
  }

  script(text: string) {
    // wrong: CWE-79 script text trusted
    return this.sanitizer.bypassSecurityTrustScript(text);
  }
}
