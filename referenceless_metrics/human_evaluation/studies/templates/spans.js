  // Marking errors in a text: by mouse (drag over characters), touch (tap the first word, then the last) and keys (word by word).
  // Places in a text are counted in characters (code points), as the study's files count them.

  function wordsOf(characters) {
    const words = [];
    let start = null;
    characters.forEach((character, i) => {
      const isSpace = /\s/u.test(character);
      if (!isSpace && start === null) start = i;
      if (isSpace && start !== null) {
        words.push([start, i]);
        start = null;
      }
    });
    if (start !== null) words.push([start, characters.length]);
    return words;
  }

  function selectedIn(box, characters) {  // the characters that are selected in a text, without spaces around them; null for none
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!box.contains(range.startContainer) || !box.contains(range.endContainer)) return null;
    let start = placeIn(box, range.startContainer, range.startOffset, characters.length);
    let end = placeIn(box, range.endContainer, range.endOffset, characters.length);
    while (start < end && /\s/u.test(characters[start])) start += 1;
    while (end > start && /\s/u.test(characters[end - 1])) end -= 1;
    selection.removeAllRanges();
    return start < end ? [start, end] : null;
  }

  function placeIn(box, node, offset, last) {
    if (node === box) return offset < box.children.length ? Number(box.children[offset].dataset.start) : last;
    if (node.nodeType !== Node.TEXT_NODE) return Number(node.dataset.start);
    return Number(node.parentElement.dataset.start) + Array.from(node.textContent.slice(0, offset)).length;
  }

  function marker(step, place, i) {  // the text with its errors, and what marks them
    const characters = Array.from(step.shown.texts[i]), words = wordsOf(characters);
    const name = step.shown.texts.length > 1 ? `Text ${place.output}` : "Text";
    const given = answers.get(key(place));
    let spans = given && given.rating !== cannot ? JSON.parse(given.rating) : [...step.shown.prefilled[i]];
    let chosen = null;  // the characters that the next severity marks
    let anchor = null, at = null;  // the words between which keys choose

    const keys = data.spans.severities.map((severity, k) => `${k + 1} ${severity}`).join(", ");
    const box = make("q", {
      class: "markable", dir: "auto", tabindex: "0", role: "group", id: `text-${place.output}`,
      "aria-label": `${name}: arrows choose a word, with Shift several; ${keys}; Delete takes the last error away; Enter goes on`,
    });
    const list = make("ul", {class: "marks"});
    const done = make("button", {type: "button", class: "main done"}, "");
    const buttons = data.spans.severities.map((severity, k) => {
      const button = make("button", {type: "button", class: severity}, `${severity} `, make("kbd", {"aria-hidden": "true"}, `${k + 1}`));
      button.addEventListener("pointerdown", event => event.preventDefault());  // what is selected stays selected
      button.addEventListener("click", () => mark(severity));
      return button;
    });

    function quoted(start, end) {
      return characters.slice(start, end).join("");
    }

    function piece(start, end) {
      const over = spans.filter(span => span.start < end && span.end > start);
      const classes = [];
      if (over.length) classes.push(over.some(span => span.severity === "major") ? "major" : "minor");
      if (over.length > 1) classes.push("twice");
      if (chosen && chosen[0] < end && chosen[1] > start) classes.push("chosen");
      return make("span", {"data-start": start, class: classes.join(" ")}, quoted(start, end));
    }

    function draw() {
      const cuts = new Set([0, characters.length, ...words.flat(), ...(chosen || [])]);
      spans.forEach(span => cuts.add(span.start).add(span.end));
      const ends = [...cuts].sort((a, b) => a - b);
      box.replaceChildren(...ends.slice(1).map((end, k) => piece(ends[k], end)));
      if (!characters.length) box.replaceChildren(make("em", {"data-start": 0}, "(no text)"));
      list.replaceChildren(...spans.map(item));
      done.textContent = spans.length ? "No more errors" : "No errors";
    }

    function item(span) {
      const words = quoted(span.start, span.end), before = span.prefilled === undefined ? "" : ", marked beforehand";
      const parts = [make("strong", {class: span.severity}, span.severity), ` “${words}”${before} `];
      if (data.spans.categories.length) parts.push(categories(span, words));
      const remove = make("button", {type: "button", "aria-label": `Remove the error “${words}”`}, "Remove");
      remove.addEventListener("click", () => take(span));
      return make("li", {}, ...parts, remove);
    }

    function categories(span, words) {
      const select = make("select", {"aria-label": `Category of the error “${words}”`});
      for (const category of ["", ...data.spans.categories]) {
        const option = make("option", {value: category}, category || "Category …");
        option.selected = category === (span.category || "");
        select.append(option);
      }
      select.addEventListener("change", () => {
        spans = spans.map(each => each === span ? {...each, category: select.value} : each);
        commit();
      });
      return select;
    }

    function choose(start, end) {
      chosen = [start, end];
      draw();
      say(`“${quoted(start, end)}”: ${keys}`);
    }

    function commit() {
      spans = [...spans].sort((a, b) => a.start - b.start || a.end - b.end);
      chosen = null;
      answer(place, JSON.stringify(spans));
      draw();
    }

    function mark(severity) {
      const selected = selectedIn(box, characters) || chosen;
      if (!selected) {
        say("Choose what is wrong first: drag over it, tap its first and its last word, or use the arrows.");
        return;
      }
      spans = [...spans, {start: selected[0], end: selected[1], severity}];
      commit();
    }

    function take(span) {
      spans = spans.filter(each => each !== span);
      commit();
      box.focus();
    }

    function tap(character) {  // the first tap chooses a word, the next one all up to another
      const word = words.find(([start, end]) => start <= character && character < end);
      if (!word) return;
      if (chosen && chosen[0] === word[0] && chosen[1] === word[1]) {
        chosen = null;
        draw();
        return;
      }
      choose(Math.min(word[0], chosen ? chosen[0] : word[0]), Math.max(word[1], chosen ? chosen[1] : word[1]));
    }

    function move(steps, isExtended) {
      if (!words.length) return;
      at = at === null ? 0 : Math.max(0, Math.min(words.length - 1, at + steps));
      if (!isExtended || anchor === null) anchor = at;
      choose(words[Math.min(anchor, at)][0], words[Math.max(anchor, at)][1]);
    }

    function goOn() {
      answer(place, JSON.stringify(spans));
      onward(rowOf(place));
    }

    box.addEventListener("click", event => {
      const selected = selectedIn(box, characters), touched = event.target.closest("[data-start]");
      if (selected) choose(...selected);
      else if (touched) tap(Number(touched.dataset.start));
    });
    box.addEventListener("keydown", event => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const severity = data.spans.severities[Number(event.key) - 1];
      if (event.key === "ArrowRight") move(1, event.shiftKey);
      else if (event.key === "ArrowLeft") move(-1, event.shiftKey);
      else if (severity) mark(severity);
      else if (["Delete", "Backspace"].includes(event.key)) { if (spans.length) take(spans.at(-1)); }
      else if (event.key === "Enter") goOn();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    done.addEventListener("click", goOn);
    done.addEventListener("keydown", event => event.stopPropagation());
    list.addEventListener("keydown", event => event.stopPropagation());
    draw();
    return make("div", {class: "asked", "data-key": key(place)}, box, make("div", {class: "severities"}, ...buttons, done), list, beside(place));
  }
