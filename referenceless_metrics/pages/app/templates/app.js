// What the pages do in the browser beyond gradio: bring an answer into view, and refuse files that are too large before
// they are sent.
window.referenceless = {
  // Show the error, where there is one, and else the answer; `onlyErrors` leaves the page where it is without one.
  arrive(onlyErrors = false) {
    let frames = 6; // the page renews itself first
    const go = () => {
      if (frames-- > 0) return void requestAnimationFrame(go);
      const shown = (e) => e && e.offsetParent !== null;
      const error = document.querySelector("#notice .message");
      const target = shown(error) ? error : onlyErrors ? null : document.querySelector("#results h2");
      if (!shown(target)) return;
      target.setAttribute("tabindex", "-1");
      target.focus({ preventScroll: true });
      window.referenceless.bring(target, target === error ? "center" : "start");
    };
    requestAnimationFrame(go);
  },

  // Bring an element, or the first that a selector finds, into view.
  bring(what, block = "nearest") {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const target = typeof what === "string" ? document.querySelector(what) : what;
    target?.scrollIntoView({ block, behavior: calm ? "auto" : "smooth" });
  },

  // What was clicked in the table: an order, a page, or the place of a text.
  asked: {},

  // Show the boxes, into which the example is put.
  paste() {
    for (const tab of document.querySelectorAll("[role=tab][id$='-paste-button']")) tab.click();
  },

  // Say in the one place for errors that a file is too large; `tell` is set by that place.
  tell: () => {},
  refuse(event) {
    const given = event.type === "drop" ? event.dataTransfer?.files : event.target.files;
    const large = [...(given ?? [])].find((file) => file.size > window.referenceless.mostBytes);
    if (!large || !event.target.closest?.(".upload")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === "change") event.target.value = "";
    const megabytes = Math.round(large.size / 2 ** 20);
    window.referenceless.tell(`${large.name}: this page takes files of at most 20 MB, but this one has ${megabytes} MB`);
    window.referenceless.arrive(true);
  },
  mostBytes: 20 * 2 ** 20,
};
for (const kind of ["change", "drop"]) document.addEventListener(kind, window.referenceless.refuse, true);
