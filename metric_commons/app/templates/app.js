// What the pages do in the browser beyond gradio: bring an answer into view, refuse files that are too large before they
// are sent, and let a threshold move along its curve.
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

  // The value of the slider on the curve.
  threshold: () => Number(document.querySelector("#tau").value),

  // Move the line and the point of the curve to where its slider is, and say what share is covered there.
  follow(slider) {
    const { thresholds, coverage } = JSON.parse(slider.dataset.curve);
    const figure = slider.closest("figure");
    const at = Number(slider.value);
    let i = thresholds.findIndex((t) => t >= at - 1e-9);
    if (i < 0) i = thresholds.length - 1;
    const span = i > 0 ? thresholds[i] - thresholds[i - 1] : 0;
    const part = span > 0 ? Math.min(1, (at - thresholds[i - 1]) / span) : 1;
    const share = i > 0 ? coverage[i - 1] + part * (coverage[i] - coverage[i - 1]) : coverage[0];
    const { left, right, top, bottom } = slider.dataset;
    const x = +left + ((at - slider.min) / (slider.max - slider.min)) * (right - left);
    const mark = figure.querySelector(".mark");
    mark.setAttribute("x1", x);
    mark.setAttribute("x2", x);
    const point = figure.querySelector(".point");
    point.setAttribute("cx", x);
    point.setAttribute("cy", +bottom - share * (bottom - top));
    const said = `${at.toFixed(3)}: ${(100 * share).toFixed(0)}% covered`;
    figure.querySelector("output").textContent = said;
    slider.setAttribute("aria-valuetext", said);
  },
};
for (const kind of ["change", "drop"]) document.addEventListener(kind, window.referenceless.refuse, true);
