"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const store = `rating-study:${data.study}:${data.rater}`;
  const preferring = data.criteria[0].scale === null;
  const marking = {name: "spans", question: "Mark what is wrong", labels: {}, scale: [0, 0]};
  const questions = data.spans ? [marking, ...data.criteria] : data.criteria;
  const steps = stepsOf(data.screens);
  const asked = steps.flatMap(placesOf);
  const answers = new Map();  // what was answered, by place
  const comments = new Map();  // comments on what is not rated
  const unsent = new Map();  // what the server has not confirmed
  const done = [];  // places in the order of the answers, each with what stood there before, to undo
  const cannot = "cannot judge";
  let here = 0;  // 0 is the start, one more than there are steps the end
  let sending = false;

  function stepsOf(screens) {  // a step is what a rater sees at once: a screen with all criteria, or with one of them
    const together = data.apart ? questions.map(criterion => [criterion]) : [questions];
    return screens.flatMap((shown, i) => together.map(criteria => ({screen: i + 1, shown, criteria})));
  }

  function placesOf(step, i) {  // a place is where an answer belongs: an output on a screen, and a criterion
    return step.shown.outputs.flatMap(output =>
      step.criteria.map(criterion => ({step: i + 1, screen: step.screen, output, criterion: criterion.name})));
  }

  function key(place) {
    return `${place.screen} ${place.output} ${place.criterion || ""}`;
  }

  function rowOf(place) {
    return $("form").querySelector(`[data-key="${key(place)}"]`);
  }

  function put(answer) {  // an answer without a rating takes the rating back; its comment stays
    const name = key(answer);
    answers.delete(name);
    comments.delete(name);
    if (answer.rating) answers.set(name, answer);
    else if (answer.comment) comments.set(name, answer);
  }

  function keep() {
    try {
      localStorage.setItem(store, JSON.stringify({answers: [...answers.values(), ...comments.values()], unsent: [...unsent.values()]}));
      return true;
    } catch {
      return false;
    }
  }

  function restore() {
    const valid = new Set(asked.map(key));
    let kept = {answers: [], unsent: []};
    try {
      kept = JSON.parse(localStorage.getItem(store)) || kept;
    } catch { /* nothing was kept, or nothing can be */ }
    const mine = given => given.filter(answer => valid.has(key(answer)));
    if (!data.post) mine(kept.answers).forEach(put);
    data.given.forEach(put);
    if (data.post) {  // the server's word counts: what it lacks was taken back in another browser, unless it was never sent
      for (const answer of mine(kept.unsent)) {
        put(answer);
        unsent.set(key(answer), answer);
      }
      send();
    }
  }

  function say(text, trouble = false) {
    $("status").textContent = text;
    $("status").classList.toggle("trouble", trouble);
  }

  async function send() {
    if (sending) return;
    sending = true;
    while (unsent.size) {
      const [name, answer] = unsent.entries().next().value;
      try {
        const reply = await fetch(data.post, {
          method: "POST", headers: {"Content-Type": "application/json"},
          body: JSON.stringify({
            study: data.study, screen: answer.screen, output: answer.output, criterion: answer.criterion || "",
            rating: answer.rating, comment: answer.comment || "",
          }),
        });
        if (!reply.ok) throw new Error(await reply.text());
        if (unsent.get(name) === answer) unsent.delete(name);  // else it was changed meanwhile
        keep();
        say("Saved.");
      } catch (error) {
        say(`Not saved yet: ${error.message || "the server does not answer"}. It is kept in this browser and tried again.`, true);
        await new Promise(wait => setTimeout(wait, 1000));
      }
    }
    sending = false;
    if (here > steps.length) finish();
  }

  function answer(place, rating, again = true, comment = undefined) {
    const name = key(place), row = rowOf(place);
    if (comment === undefined) comment = row ? row.querySelector("[type=text]").value.replace(/\p{Surrogate}/gu, "").trim() : "";  // half a character is not written
    const {screen, output, criterion} = place;
    const given = {screen, output, criterion, rating: String(rating), time: new Date().toISOString(), comment};
    if (again) done.push([place, answers.get(name)]);
    put(given);
    $("undo").disabled = !done.length;
    if (row) row.querySelector("[type=checkbox]").checked = rating === cannot;
    if (data.post) unsent.set(name, given);
    const kept = keep();
    if (data.post) send();
    else say(kept ? "Kept in this browser." : "This browser keeps nothing: save the ratings before you leave the page.", !kept);
    count();
  }

  function undo() {
    if (!done.length) return;
    const [place, before] = done.pop();
    answer(place, before ? before.rating : "", false, before ? before.comment : undefined);
    go(place.step);
    focusOn(rowOf(place));
    say("The last answer is undone.");
  }

  function focusOn(row, options = {}) {
    (row.querySelector(".markable") || row.querySelector("input:checked") || row.querySelector("input")).focus(options);
  }

  function beside(place) {  // what may be said in place of a rating, or with it
    const given = answers.get(key(place)) || comments.get(key(place));
    const label = `Comment on text ${place.output}${place.criterion ? `, ${place.criterion}` : ""}`;
    const box = make("input", {type: "checkbox"});
    const comment = make("input", {type: "text", placeholder: "Comment (optional)", "aria-label": label, maxlength: 1000});
    box.checked = Boolean(given) && given.rating === cannot;
    comment.value = given && given.comment || "";
    box.addEventListener("change", () => {
      answer(place, box.checked ? cannot : "");
      go(here, false);
      rowOf(place).querySelector("[type=checkbox]").focus();
    });
    comment.addEventListener("change", () => {
      const now = answers.get(key(place));
      answer(place, now ? now.rating : "", false);
    });
    return make("div", {class: "beside"}, make("label", {}, box, " Cannot judge"), comment);
  }

  function count() {
    $("bar").max = asked.length;
    $("bar").value = answers.size;
    $("count").textContent = `${answers.size} of ${asked.length} rated`;
  }

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  function text(of, id) {
    const quote = make("q", {dir: "auto", id}, of);
    if (!of.trim()) quote.replaceChildren(make("em", {}, "(no text)"));
    return quote;
  }

  function radios(place, choices) {
    const given = answers.get(key(place));
    return choices.map(([value, shown, spoken]) => {
      const input = make("input", {type: "radio", name: key(place), value, "aria-label": spoken});
      input.checked = Boolean(given) && given.rating === String(value);
      input.addEventListener("change", () => answer(place, value));
      return make("label", {}, input, make("span", {"aria-hidden": "true"}, shown));
    });
  }

  function slider(place, criterion, name) {
    const [low, high] = criterion.scale;
    const answered = answers.get(key(place)), given = answered && answered.rating !== cannot ? answered : null;
    const input = make("input", {type: "range", min: low, max: high, step: 1, "aria-label": `${name}: ${criterion.question}`});
    const value = make("output");
    input.value = given ? given.rating : Math.round((low + high) / 2);
    const show = rated => {
      input.classList.toggle("unset", !rated);
      input.setAttribute("aria-valuetext", rated ? input.value : "not rated yet");
      value.textContent = rated ? input.value : "not rated yet";
    };
    const take = () => { answer(place, input.value); show(true); };
    input.addEventListener("input", take);
    input.addEventListener("pointerup", take);
    input.take = share => {
      if (share !== undefined) input.value = Math.round(low + share * (high - low));
      take();
    };
    show(Boolean(given));
    return [make("small", {}, `${low} ${wordFor(criterion, low)}`), input, make("small", {}, `${high} ${wordFor(criterion, high)}`), value];
  }

  function wordFor(criterion, value) {
    const [low, high] = criterion.scale;
    const ends = low === 0 && high === 1 ? ["no", "yes"] : ["worst", "best"];
    return criterion.labels[value] || (value === low ? ends[0] : value === high ? ends[1] : "");
  }

  function numbers(place, criterion) {
    const [low, high] = criterion.scale;
    const values = Array.from({length: high - low + 1}, (_, k) => low + k);
    const spoken = value => [value, wordFor(criterion, value)].filter(part => part !== "").join(", ");
    const choices = values.map(value => [value, `${value}`, spoken(value)]);
    return [make("small", {}, wordFor(criterion, low)), ...radios(place, choices), make("small", {}, wordFor(criterion, high))];
  }

  function wordsBetween(criterion) {  // the words for values between the ends of a scale
    const [low, high] = criterion.scale || [0, 0];
    const inner = Object.entries(criterion.labels).filter(([value]) => Number(value) > low && Number(value) < high);
    return inner.map(([value, word]) => `${value} ${word}`).join(" · ");
  }

  function row(step, output, criterion, name) {  // all that is asked of an output by one criterion
    const place = {step: here, screen: step.screen, output, criterion: criterion.name};
    const preferences = [["A", "A is better", "Text A is better"], ["tie", "Tie", "Tie"], ["B", "B is better", "Text B is better"]];
    let scale;
    if (preferring) scale = radios(place, preferences);
    else if (criterion.scale[1] > 9) scale = slider(place, criterion, name);
    else scale = numbers(place, criterion);
    const parts = [make("div", {class: "scale"}, ...scale)];
    const words = wordsBetween(criterion);
    if (words) parts.push(make("p", {class: "words"}, words));
    parts.push(beside(place));
    const attributes = {class: "asked", "data-key": key(place)};
    if (step.criteria.length > 1) {
      parts.unshift(make("p", {class: "criterion"}, make("strong", {}, criterion.name), ` ${criterion.question}`));
      Object.assign(attributes, {role: "group", "aria-label": `${name}, ${criterion.name}`});
    }
    return make("div", attributes, ...parts);
  }

  function ratings(step) {
    const {texts, outputs} = step.shown;
    return texts.map((of, i) => {
      const output = outputs[i], name = texts.length > 1 ? `Text ${output}` : "Text";
      const describing = `text-${output}`;
      const rows = step.criteria.filter(criterion => criterion !== marking).map(criterion => row(step, output, criterion, name));
      const shown = step.criteria.includes(marking)
        ? marker(step, {step: here, screen: step.screen, output, criterion: marking.name}, i) : text(of, describing);
      return make("fieldset", {"aria-describedby": describing}, make("legend", {}, name), shown, ...rows);
    });
  }

  function preference(step) {
    const texts = step.shown.texts.map((of, i) => make("div", {}, make("h4", {}, `Text ${"AB"[i]}`), text(of, `text-${"AB"[i]}`)));
    const rows = step.criteria.map(criterion => row(step, "AB", criterion, "Texts A and B"));
    return [make("fieldset", {"aria-describedby": "text-A text-B"},
      make("legend", {}, questionOf(step) || "Texts A and B"), make("div", {class: "pair"}, ...texts), ...rows)];
  }

  function questionOf(step) {  // the question of a step that asks for one criterion; "" of several, whose rows have theirs
    if (step.criteria.length > 1) return "";
    const [{name, question}] = step.criteria;
    return name ? `${name}: ${question}` : question;
  }

{% include "spans.js" %}

  function go(to, move = true) {
    here = Math.max(0, Math.min(steps.length + 1, to));
    const step = steps[here - 1], last = here > steps.length;
    $("start").hidden = here !== 0;
    $("screen").hidden = !step;
    $("end").hidden = !last;
    $("progress").hidden = here === 0;
    $("begin").textContent = answers.size ? "Go on" : "Begin";
    count();
    if (step) {
      const source = step.shown.source;
      $("where").textContent = `Screen ${here} of ${steps.length}`;
      $("question").textContent = preferring ? "" : questionOf(step);
      $("source-side").hidden = !source;
      $("sides").classList.toggle("alone", !source);
      $("source").textContent = source;
      $("form").replaceChildren(...(preferring ? preference(step) : ratings(step)));
    }
    if (last) finish();
    if (last && !unsent.size) say("");
    if (!move) return;
    scrollTo(0, 0);
    if (step) focusOn($("form").querySelector(".asked"), {preventScroll: true});
    else $(last ? "end-title" : "start-title").focus({preventScroll: true});
    if (step) say($("where").textContent);
  }

  function finish() {
    const left = asked.length - answers.size;
    $("end-title").textContent = left ? "Some texts are not rated yet" : "All texts are rated. Thank you!";
    $("left").textContent = left ? `${left} of ${asked.length} ratings are missing. You may rate those texts now, or save what there is.`
      : !data.post ? "" : unsent.size ? "Your last ratings are being saved …" : "Your ratings are saved; you may close this page.";
    $("unrated").hidden = !left;
    $("completion").hidden = Boolean(left || unsent.size) || !data.code;
    $("export").hidden = Boolean(data.post) && !unsent.size;
    const rows = asked.map(place => answers.get(key(place)) || comments.get(key(place))).filter(Boolean);
    const quoted = words => words ? `"${words.replace(/^[=+\-@\t\r\n＝＋－＠]/, "'$&").replaceAll('"', '""')}"` : "";  // no formula in a spreadsheet
    const rated = rating => rating.includes(",") || rating.includes('"') ? quoted(rating) : rating;
    const line = r => [data.study, data.rater, r.screen, r.output, r.criterion || "", rated(r.rating), r.time || "", quoted(r.comment)].join(",");
    const table = ["study,rater,screen,output,criterion,rating,time,comment", ...rows.map(line), ""].join("\n");
    $("copyable").value = table;
    const link = $("download");
    if (link.href) URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([table], {type: "text/csv"}));
    link.download = `${data.rater}.csv`;
  }

  function unrated() {
    const found = asked.find(place => !answers.has(key(place)));
    return found ? found.step : steps.length + 1;
  }

  function onward(row) {  // to the next row that is unanswered, or to the button
    const rows = [...$("form").querySelectorAll(".asked")];
    const next = rows.slice(rows.indexOf(row) + 1).find(each => !answers.has(each.dataset.key));
    if (next) focusOn(next);
    else $("next").focus();
  }

  $("form").addEventListener("submit", event => event.preventDefault());
  $("form").addEventListener("keydown", event => {
    const row = event.target.closest(".asked");
    if (event.target.tagName === "SELECT" || !row || event.ctrlKey || event.altKey || event.metaKey) return;
    if (["text", "checkbox"].includes(event.target.type) && event.key !== "Enter") return;
    const range = row.querySelector("input[type=range]"), digit = /^[0-9]$/.test(event.key) ? Number(event.key) : null;
    if (range && (digit !== null || event.key === "Enter")) {
      event.preventDefault();
      if (event.target === range || digit !== null) range.take(digit === null ? undefined : digit / 10);
      if (digit === null) onward(row);
    } else if (digit !== null) {
      const inputs = [...row.querySelectorAll("input[type=radio]")];
      const input = preferring ? inputs[digit - 1] : inputs.find(i => i.value === event.key);
      if (!input) return;
      event.preventDefault();
      input.click();
      onward(row);
    } else if (event.key === "Enter") {
      event.preventDefault();
      onward(row);
    }
  });
  function begin() {
    go(Math.min(unrated(), steps.length));
  }

  addEventListener("keydown", event => {
    if (event.key === "Enter" && here === 0 && !event.target.closest("button, a, summary")) {
      event.preventDefault();
      begin();
      return;
    }
    if (event.key.toLowerCase() === "u" && here && event.target.type !== "text" && !event.ctrlKey && !event.metaKey) undo();
  });
  $("undo").addEventListener("click", undo);
  $("begin").addEventListener("click", begin);
  $("next").addEventListener("click", () => go(here + 1));
  $("back").addEventListener("click", () => go(here - 1));
  $("review").addEventListener("click", () => go(here - 1));
  $("unrated").addEventListener("click", () => go(unrated()));
  $("copy").addEventListener("click", () => {
    $("copyable").select();
    (navigator.clipboard ? navigator.clipboard.writeText($("copyable").value) : Promise.reject())
      .catch(() => document.execCommand("copy")).finally(() => say("Copied."));
  });
  addEventListener("beforeunload", event => { if (unsent.size) event.preventDefault(); });

  restore();
  go(0, false);
})();
