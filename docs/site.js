// What the theme's script adds to a page, for screen readers and keyboards: a copy button is no landmark, and what
// scrolls sideways can have the focus.
new MutationObserver(() => {
  document.querySelectorAll(".md-code__nav:not([role])").forEach(part => part.setAttribute("role", "none"));
  document.querySelectorAll("pre > code:not([tabindex]), .md-typeset__scrollwrap:not([tabindex])").forEach(part => {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
  });
}).observe(document.body, {childList: true, subtree: true});
