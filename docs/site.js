// What the theme's script adds to a page, for screen readers and keyboards: a copy button is no landmark, and what
// scrolls sideways can have the focus.
new MutationObserver(() => {
  document.querySelectorAll(".md-code__nav:not([role])").forEach(part => part.setAttribute("role", "none"));
  document.querySelectorAll("pre > code:not([tabindex]), .md-typeset__scrollwrap:not([tabindex])").forEach(part => {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
  });
}).observe(document.body, {childList: true, subtree: true});

// The theme's search takes each word of a question for the beginning of others: "a" finds "abstain". Words that every
// question has are left out, and a single letter is that letter alone.
const ASKING = new Set(("a about an and any are as at be by can could did do does for from get had has have how i if in is it its me my " +
  "need of on one or our out s say shall should so some than that the their them then there they this to use was we were what when " +
  "where which who whose why will with without would you your").split(" "));
const asked = query => {
  const words = query.replace(/[?!.,;:'’]+(?=\s|$)/g, "").split(/\s+/);
  const kept = words.filter(word => !ASKING.has(word.toLowerCase()));
  return (kept.length ? kept : words).map(word => /^\p{L}$/u.test(word) ? `+${word}` : word).join(" ");
};
for (const kind of new Set([window.Worker, window.IFrameWorker])) {
  const send = kind?.prototype?.postMessage;
  if (!send) continue;
  kind.prototype.postMessage = function (message, ...rest) {
    const isQuery = message && message.type === 2 && typeof message.data === "string";
    return send.call(this, isQuery ? {...message, data: asked(message.data)} : message, ...rest);
  };
}
