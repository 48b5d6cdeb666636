import { createApp, defineComponent, h, ref } from "vue";
import { useRoute } from "vue-router";
import DOMPurify from "dompurify";

export const Banner = defineComponent({
  setup() {
    const route = useRoute();
    // wrong: CWE-79 innerHTML prop of a render function
    return () => h("div", { innerHTML: route.query.banner });
  },
});

export const BannerText = defineComponent({
  setup() {
    const route = useRoute();
    // right: CWE-79 child text of a render function
    return () => h("div", { class: "banner" }, String(route.query.banner));
  },
});

export const BannerClean = defineComponent({
  setup() {
    const route = useRoute();
    // right: CWE-79 purified prop
    return () => h("div", { innerHTML: DOMPurify.sanitize(String(route.query.banner)) });
  },
});

export const Post = defineComponent({
  props: { text: { type: String, required: true } },
  // wrong: CWE-79 v-html with a property of outside
  template: `<article v-html="text"></article>`,
});

export const PostText = defineComponent({
  props: { text: { type: String, required: true } },
  // right: CWE-79 interpolation escapes
  template: `<article>{{ text }}</article>`,
});

export const Link = defineComponent({
  setup() {
    const route = useRoute();
    // wrong: CWE-79 href of the route
    return () => h("a", { href: route.query.to as string }, "continue");
  },
});

export const LinkFixed = defineComponent({
  setup() {
    const route = useRoute();
    // right: CWE-79 path behind a constant
    return () => h("a", { href: "/items/" + encodeURIComponent(String(route.params.id)) }, "continue");
  },
});

// wrong: CWE-79 template made of the address
createApp({ template: "<div>" + decodeURIComponent(location.hash) + "</div>" }).mount("#hash");
// right: CWE-79 constant template with data
createApp({ template: "<div>{{ hash }}</div>", setup: () => ({ hash: ref(location.hash) }) }).mount("#app");

export const vTip = {
  mounted(el: HTMLElement) {
    // wrong: CWE-79 directive that writes storage as markup
    el.innerHTML = localStorage.getItem("tip") ?? "";
  },
  updated(el: HTMLElement) {
    // right: CWE-79 directive that writes text
    el.innerText = localStorage.getItem("tip") ?? "";
  },
};
