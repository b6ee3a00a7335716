"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const store = `rating-study:${data.study}:${data.rater}`;
  const key = (screen, output) => `${screen} ${output}`;
  const asked = data.screens.flatMap((screen, i) => screen.outputs.map(output => [i + 1, output]));
  const answers = new Map();  // what was answered, by screen and output
  const comments = new Map();  // comments on what is not rated
  const unsent = new Map();  // what the server has not confirmed
  const done = [];  // answers in their order, each with what stood there before, to undo
  const cannot = "cannot judge";
  let here = 0;  // 0 is the start, one more than there are screens the end
  let sending = false;

  function put(answer) {  // an answer without a rating takes the rating back; its comment stays
    const name = key(answer.screen, answer.output);
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
    const valid = new Set(asked.map(([screen, output]) => key(screen, output)));
    let kept = {answers: [], unsent: []};
    try {
      kept = JSON.parse(localStorage.getItem(store)) || kept;
    } catch { /* nothing was kept, or nothing can be */ }
    const mine = given => given.filter(answer => valid.has(key(answer.screen, answer.output)));
    if (!data.post) mine(kept.answers).forEach(put);
    data.given.forEach(put);
    if (data.post) {  // the server's word counts: what it lacks was taken back in another browser, unless it was never sent
      for (const answer of mine(kept.unsent)) {
        put(answer);
        unsent.set(key(answer.screen, answer.output), answer);
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
          body: JSON.stringify({study: data.study, screen: answer.screen, output: answer.output, rating: answer.rating, comment: answer.comment || ""}),
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
    if (here > data.screens.length) finish();
  }

  function answer(screen, output, rating, again = true, comment = undefined) {
    const name = key(screen, output), field = here === screen && $("form").querySelector(`[data-output="${output}"]`);
    if (comment === undefined) comment = field ? field.querySelector("[type=text]").value.replace(/\p{Surrogate}/gu, "").trim() : "";  // half a character is not written
    const given = {screen, output, rating: String(rating), time: new Date().toISOString(), comment};
    if (again) done.push([name, answers.get(name), screen, output]);
    put(given);
    $("undo").disabled = !done.length;
    if (field) field.querySelector("[type=checkbox]").checked = rating === cannot;
    if (data.post) unsent.set(name, given);
    const kept = keep();
    if (data.post) send();
    else say(kept ? "Kept in this browser." : "This browser keeps nothing: save the ratings before you leave the page.", !kept);
    count();
  }

  function undo() {
    if (!done.length) return;
    const [, before, screen, output] = done.pop();
    answer(screen, output, before ? before.rating : "", false, before ? before.comment : undefined);
    go(screen);
    const field = $("form").querySelector(`[data-output="${output}"]`);
    (field.querySelector("input:checked") || field.querySelector("input")).focus();
    say("The last answer is undone.");
  }

  function beside(screen, output) {  // what may be said in place of a rating, or with it
    const given = answers.get(key(screen, output)) || comments.get(key(screen, output));
    const box = make("input", {type: "checkbox"}), comment = make("input", {type: "text", placeholder: "Comment (optional)", "aria-label": `Comment on text ${output}`, maxlength: 1000});
    box.checked = Boolean(given) && given.rating === cannot;
    comment.value = given && given.comment || "";
    box.addEventListener("change", () => {
      answer(screen, output, box.checked ? cannot : "");
      go(here, false);
      $("form").querySelector(`[data-output="${output}"] [type=checkbox]`).focus();
    });
    comment.addEventListener("change", () => {
      const now = answers.get(key(screen, output));
      answer(screen, output, now ? now.rating : "", false);
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

  function radios(screen, output, choices, group) {
    const given = answers.get(key(screen, output));
    return choices.map(([value, shown, spoken]) => {
      const input = make("input", {type: "radio", name: group, value, "aria-label": spoken});
      input.checked = Boolean(given) && given.rating === String(value);
      input.addEventListener("change", () => answer(screen, output, value));
      return make("label", {}, input, make("span", {"aria-hidden": "true"}, shown));
    });
  }

  function slider(screen, output, name) {
    const [low, high] = data.scale;
    const answered = answers.get(key(screen, output)), given = answered && answered.rating !== cannot ? answered : null;
    const input = make("input", {type: "range", min: low, max: high, step: 1, "aria-label": `${name}: ${data.question}`});
    const value = make("output");
    input.value = given ? given.rating : Math.round((low + high) / 2);
    const show = rated => {
      input.classList.toggle("unset", !rated);
      input.setAttribute("aria-valuetext", rated ? input.value : "not rated yet");
      value.textContent = rated ? input.value : "not rated yet";
    };
    const take = () => { answer(screen, output, input.value); show(true); };
    input.addEventListener("input", take);
    input.addEventListener("pointerup", take);
    input.take = share => {
      if (share !== undefined) input.value = Math.round(low + share * (high - low));
      take();
    };
    show(Boolean(given));
    return [make("small", {}, `${low} worst`), input, make("small", {}, `${high} best`), value];
  }

  function ratings(screen, shown) {
    const [low, high] = data.scale;
    return shown.texts.map((of, i) => {
      const output = shown.outputs[i], name = shown.texts.length > 1 ? `Text ${output}` : "Text";
      const describing = `text-${output}`;
      let scale;
      if (high > 9) scale = slider(screen, output, name);
      else {
        const values = Array.from({length: high - low + 1}, (_, k) => low + k);
        const spoken = v => v === low ? `${v}, worst` : v === high ? `${v}, best` : `${v}`;
        scale = [make("small", {}, "worst"), ...radios(screen, output, values.map(v => [v, `${v}`, spoken(v)]), output), make("small", {}, "best")];
      }
      return make("fieldset", {"data-output": output, "aria-describedby": describing},
        make("legend", {}, name), text(of, describing), make("div", {class: "scale"}, ...scale), beside(screen, output));
    });
  }

  function preference(screen, shown) {
    const choices = [["A", "A is better", "Text A is better"], ["tie", "Tie", "Tie"], ["B", "B is better", "Text B is better"]];
    const texts = shown.texts.map((of, i) => make("div", {}, make("h4", {}, `Text ${"AB"[i]}`), text(of, `text-${"AB"[i]}`)));
    return [make("fieldset", {"data-output": "AB", "aria-describedby": "text-A text-B"},
      make("legend", {}, data.question), make("div", {class: "pair"}, ...texts),
      make("div", {class: "scale"}, ...radios(screen, "AB", choices, "AB")), beside(screen, "AB"))];
  }

  function go(to, move = true) {
    here = Math.max(0, Math.min(data.screens.length + 1, to));
    const shown = data.screens[here - 1], last = here > data.screens.length;
    $("start").hidden = here !== 0;
    $("screen").hidden = !shown;
    $("end").hidden = !last;
    $("progress").hidden = here === 0;
    $("begin").textContent = answers.size ? "Go on" : "Begin";
    count();
    if (shown) {
      $("where").textContent = `Screen ${here} of ${data.screens.length}`;
      $("question").textContent = data.scale ? data.question : "";
      $("source-side").hidden = !shown.source;
      $("sides").classList.toggle("alone", !shown.source);
      $("source").textContent = shown.source;
      $("form").replaceChildren(...(data.scale ? ratings(here, shown) : preference(here, shown)));
    }
    if (last) finish();
    if (last && !unsent.size) say("");
    if (!move) return;
    scrollTo(0, 0);
    const first = shown && ($("form").querySelector("input:checked") || $("form").querySelector("input"));
    (first || $(last ? "end-title" : "start-title")).focus({preventScroll: true});
    if (shown) say($("where").textContent);
  }

  function finish() {
    const left = asked.length - answers.size;
    $("end-title").textContent = left ? "Some texts are not rated yet" : "All texts are rated. Thank you!";
    $("left").textContent = left ? `${left} of ${asked.length} ratings are missing. You may rate those texts now, or save what there is.`
      : !data.post ? "" : unsent.size ? "Your last ratings are being saved …" : "Your ratings are saved; you may close this page.";
    $("unrated").hidden = !left;
    $("completion").hidden = Boolean(left || unsent.size) || !data.code;
    $("export").hidden = Boolean(data.post) && !unsent.size;
    const rows = asked.map(([screen, output]) => answers.get(key(screen, output)) || comments.get(key(screen, output))).filter(Boolean);
    const quoted = words => words ? `"${words.replaceAll('"', '""')}"` : "";
    const table = "study,rater,screen,output,rating,time,comment\n"
      + rows.map(r => [data.study, data.rater, r.screen, r.output, r.rating, r.time || "", quoted(r.comment)].join(",") + "\n").join("");
    $("copyable").value = table;
    const link = $("download");
    if (link.href) URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([table], {type: "text/csv"}));
    link.download = `${data.rater}.csv`;
  }

  function unrated() {
    const found = asked.find(([screen, output]) => !answers.has(key(screen, output)));
    return found ? found[0] : data.screens.length + 1;
  }

  function onward(field) {  // to the next text that is unrated, or to the button
    const fields = [...$("form").querySelectorAll("fieldset")];
    const next = fields.slice(fields.indexOf(field) + 1).find(f => !answers.has(key(here, f.dataset.output)));
    (next ? next.querySelector("input") : $("next")).focus();
  }

  $("form").addEventListener("submit", event => event.preventDefault());
  $("form").addEventListener("keydown", event => {
    const field = event.target.closest("fieldset");
    if (!field || event.ctrlKey || event.altKey || event.metaKey) return;
    if (["text", "checkbox"].includes(event.target.type) && event.key !== "Enter") return;
    const range = field.querySelector("input[type=range]"), digit = /^[0-9]$/.test(event.key) ? Number(event.key) : null;
    if (range && (digit !== null || event.key === "Enter")) {
      event.preventDefault();
      if (event.target === range || digit !== null) range.take(digit === null ? undefined : digit / 10);
      if (digit === null) onward(field);
    } else if (digit !== null) {
      const inputs = [...field.querySelectorAll("input")];
      const input = data.scale ? inputs.find(i => i.value === event.key) : inputs[digit - 1];
      if (!input) return;
      event.preventDefault();
      input.click();
      onward(field);
    } else if (event.key === "Enter") {
      event.preventDefault();
      onward(field);
    }
  });
  function begin() {
    go(Math.min(unrated(), data.screens.length));
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
