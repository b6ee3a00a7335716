'use strict';
// The table of segments. Texts and names become text nodes; the explanations are HTML of the metric, in which every text was escaped.
(() => {
  const data = JSON.parse(document.getElementById('segments-data').textContent);
  const at = id => document.getElementById(id);
  const page = JSON.parse(at('page-data').textContent);
  const number = (value, m = 0) => value == null ? '–' : value.toFixed(data.measures[m].digits).replace('-', '−');
  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const quoted = (text, type = 'q') => text.trim() ? element(type, text, {lang: '', dir: 'auto'}) : element('em', 'an empty text');
  const several = data.systems.length > 1;
  const rows = data.differences.map((difference, i) => {
    const row = {segment: i + 1, difference, group: data.groups ? data.groups[i] : ''};
    data.systems.forEach((_, s) => {
      row[`text${s}`] = data.texts[s][i];
      data.measures.forEach((_, m) => { row[`value${m}_${s}`] = data.values[m][s][i]; row[`reason${m}_${s}`] = data.reasons[m][s][i]; });
    });
    if (data.sources) row.source = data.sources[i];
    row.all = [row.source ?? '', ...data.texts.map(texts => texts[i])].join('\n').toLowerCase();
    row.spread = difference;
    row.lengths = data.lengths.map(lengths => lengths[i]);
    const known = data.values[0].map(own => own[i]).filter(value => value != null);
    const best = known.length > 1 ? data.values[0].flatMap((own, s) => own[i] === Math.max(...known) ? [String(s)] : []) : [];
    row.highest = best.length > 1 ? 'tie' : best[0];
    return row;
  });
  const words = text => text.split(/(\s+)/).filter(part => part);
  const shared = (one, other) => { // which words of `one` stand in `other` too, in the same order
    const [a, b] = [one, other].map(text => words(text).slice(0, 600));
    const longest = Array.from({length: a.length + 1}, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    const kept = new Set();
    for (let i = 0, j = 0; i < a.length && j < b.length;) if (a[i] === b[j]) { kept.add(i); i++; j++; } else if (longest[i + 1][j] >= longest[i][j + 1]) i++; else j++;
    return kept;
  };
  const marked = (one, other, type = 'q') => { // a text with the words marked that the other lacks
    if (!one.trim() || other === undefined) return quoted(one, type);
    const box = element(type, '', {lang: '', dir: 'auto'}), kept = shared(one, other);
    words(one).forEach((word, i) => box.append(kept.has(i) || !word.trim() ? word : element('mark', word)));
    return box;
  };
  const value = id => at(id) ? at(id).value : '';
  const pair = () => { // the two systems that are compared, else nothing
    const [one, other] = [value('system'), value('other')];
    return one !== '' && other !== '' && one !== other ? [+one, +other] : null;
  };
  const named = cell => element('span', cell.getValue());
  const plainly = cell => typeof cell === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell; // no formula in a spreadsheet
  const saved = column => ({...column, accessorDownload: plainly, titleDownload: plainly(column.titleDownload ?? column.title)});
  const numeric = {sorter: 'number', sorterParams: {alignEmptyValues: 'bottom'}, hozAlign: 'right', headerHozAlign: 'right', headerSortStartingDir: 'desc', titleFormatter: named};
  const heading = () => pair() ? pair().map(s => data.systems[s]).join(' − ') : 'Difference';
  const leading = () => [
    {title: 'No.', field: 'segment', sorter: 'number', width: 84, frozen: true, titleFormatter: named,
     formatter: cell => element('button', cell.getValue(), {type: 'button', 'aria-label': `Open segment ${cell.getValue()}`, 'aria-haspopup': 'dialog'}),
     cellClick: (_, cell) => open(cell.getRow())},
    {title: heading(), field: 'difference', width: 124, formatter: cell => number(cell.getValue()), visible: data.differences.some(value => value), ...numeric},
    ...(data.groups ? [{title: 'Group', field: 'group', width: 110, titleFormatter: named, formatter: named}] : []),
    ...(data.sources ? [{title: 'Source', field: 'source', minWidth: 160, widthGrow: .6, sorter: 'string', titleFormatter: named, formatter: cell => { const box = quoted(cell.getValue(), 'span'); box.classList.add('clamp'); return box; }}] : []),
  ];
  const own = data.systems.map((name, s) => {
    const parts = data.measures.map(({title}, m) => ({title, field: `value${m}_${s}`, width: Math.max(104, 44 + 8 * Math.max(...title.split(/\s+/).map(word => word.length))), ...numeric, titleDownload: `${name}: ${title}`, formatter: cell => {
      const box = element('span', number(cell.getValue(), m));
      const reason = title !== 'Rating' && cell.getData()[`reason${m}_${s}`];
      if (reason) box.append(element('br', ''), element('small', reason));
      return box;
    }}));
    parts.push({title: 'Text', field: `text${s}`, minWidth: 200, widthGrow: 1, sorter: 'string', titleFormatter: named, titleDownload: `${name}: text`,
                formatter: cell => {
                  const against = pair()?.find(other => other !== s), compared = pair()?.includes(s);
                  const box = marked(cell.getValue(), compared ? cell.getData()[`text${against}`] : undefined, 'span');
                  box.classList.add('clamp');
                  return box;
                }});
    data.measures.forEach(({title}, m) => parts.push({title: 'Reason', field: `reason${m}_${s}`, visible: false, download: true, titleDownload: `${name}: ${title}: reason`}));
    return {title: name, columns: parts.map(saved), titleFormatter: named};
  });
  const columns = () => [...leading().map(saved), ...(pair() ? pair().map(s => own[s]) : own.filter((_, s) => value('system') === '' || s === +value('system')))];
  document.querySelectorAll('.live').forEach(part => { part.hidden = false; });
  at('plain').hidden = true;
  const table = new Tabulator('#grid', {
    data: rows, columns: columns(), index: 'segment', height: Math.min(680, Math.round(window.innerHeight * 0.8)), layout: 'fitColumns', nestedFieldSeparator: false, downloadConfig: {columnGroups: false},
    initialSort: [{column: 'difference', dir: 'desc'}], placeholder: '<span role="row"><span role="gridcell">No segment is like that</span></span>', renderVerticalBuffer: 300,
  });
  const tell = n => { at('shown').textContent = `${n.toLocaleString('en')} of ${rows.length.toLocaleString('en')} segments`; };
  const reach = () => { // headings by keys, and roles and states as they may be
    document.querySelectorAll('#grid .tabulator-col').forEach(head => {
      const group = head.classList.contains('tabulator-col-group');
      if (group) { head.setAttribute('role', 'none'); head.removeAttribute('aria-sort'); head.removeAttribute('aria-title'); }
      if (group || !head.classList.contains('tabulator-sortable')) return;
      const of = /(?:text|_)(\d+)$/.exec(head.getAttribute('tabulator-field'));
      if (of) head.setAttribute('aria-label', `${data.systems[of[1]]}: ${head.textContent.trim()}`);
      head.tabIndex = 0;
      head.addEventListener('keydown', event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); head.click(); } });
    });
  };
  table.on('tableBuilt', () => {
    tell(rows.length);
    at('grid').setAttribute('aria-label', 'Segments');
    at('grid').querySelector('.tabulator-tableholder').setAttribute('role', 'rowgroup'); // it takes the focus, which only rows in a grid may
    at('grid').querySelector('.tabulator-table').setAttribute('role', 'none');
    reach();
    const asked = new URLSearchParams(location.hash.slice(1));
    const known = fields.filter(id => asked.has(id) && at(id));
    known.forEach(id => { at(id).value = asked.get(id); });
    if (known.length) choose();
    if (asked.has('segment')) setTimeout(() => { const row = table.getRow(+asked.get('segment')); if (row) open(row); }, known.length ? 300 : 0);
  });
  table.on('dataFiltered', (_, found) => tell(found.length));
  const reasons = new Set(data.reasons.flat(2).filter(reason => reason));
  reasons.forEach(reason => at('reason').append(element('option', reason, {value: `=${reason}`})));
  if (data.groups) {
    at('of-group').hidden = false;
    new Set(data.groups).forEach(group => at('group').append(element('option', group, {value: group})));
  }
  const filter = () => {
    const sought = value('find').toLowerCase().trim(), least = value('least') === '' ? -Infinity : +value('least');
    const [system, highest, why, group] = ['system', 'highest', 'reason', 'group'].map(value);
    const [shortest, longest] = [+value('shortest'), +value('longest') || Infinity];
    const meant = pair() ?? data.systems.map((_, s) => s).filter(s => system === '' || s === +system);
    const alike = row => meant.some((s, i) => meant.slice(i + 1).some(t => row[`text${s}`] === row[`text${t}`]));
    table.setFilter(row => (pair() || system === '' ? row.all : row[`text${system}`].toLowerCase()).includes(sought) && (!highest || row.highest === highest) && (!group || row.group === group)
      && meant.some(s => row.lengths[s] >= shortest && row.lengths[s] <= longest)
      && (why !== 'differ' || !!row.difference)
      && (why !== 'alike' || alike(row))
      && (why !== 'copies' || meant.some(s => data.copies[s].includes(row.segment - 1)))
      && (least === -Infinity || (row.difference != null && row.difference >= least))
      && (why !== 'missing' || meant.some(s => row[`value0_${s}`] == null))
      && (!why.startsWith('=') || meant.some(s => data.measures.some((_, m) => row[`reason${m}_${s}`] === why.slice(1)))));
    remember();
  };
  const fields = ['find', 'system', 'other', 'highest', 'reason', 'least', 'group', 'shortest', 'longest'];
  let current;
  const remember = () => { // the view and the segment, in the address
    const parts = new URLSearchParams(fields.filter(id => value(id) !== '').map(id => [id, value(id)]));
    if (at('segment').open) parts.set('segment', current.getIndex());
    history.replaceState(null, '', String(parts) ? `#${parts}` : '#segments');
  };
  const characteristic = () => { // words and pairs of words that one system writes more often than the other
    at('words').replaceChildren();
    if (!pair()) return;
    const counts = pair().map(s => {
      const found = new Map();
      data.texts[s].forEach(text => {
        const tokens = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
        new Set([...tokens, ...tokens.slice(1).map((token, i) => `${tokens[i]} ${token}`)]).forEach(one => found.set(one, (found.get(one) ?? 0) + 1));
      });
      return found;
    });
    counts.forEach((found, i) => {
      const ranked = [...found].map(([words, n]) => [words, n, counts[1 - i].get(words) ?? 0]).filter(([, n, m]) => n > m && n > 2)
        .sort((a, b) => (b[1] - b[2]) / Math.sqrt(b[1] + b[2]) - (a[1] - a[2]) / Math.sqrt(a[1] + a[2])).slice(0, 8);
      const line = element('p', `More outputs of ${data.systems[pair()[i]]} than of ${data.systems[pair()[1 - i]]} hold: `, {class: 'soft'});
      ranked.forEach(([words, n, m], k) => line.append(k ? ', ' : '', element('q', words, {lang: ''}), ` (${n}, ${m})`));
      if (ranked.length) at('words').append(line);
    });
  };
  let waiting;
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); };
  ['find', 'shortest', 'longest', 'least'].forEach(id => at(id).addEventListener('input', soon));
  ['highest', 'reason', 'group'].forEach(id => at(id) && at(id).addEventListener('change', filter));
  const choose = () => {
    const both = pair(), [one, other] = both ?? [];
    rows.forEach(row => { const [a, b] = [row[`value0_${one}`], row[`value0_${other}`]]; row.difference = !both ? row.spread : a == null || b == null ? null : a - b; });
    at('of-pair').hidden = !both;
    if (!both) at('least').value = '';
    table.setColumns(columns());
    table.replaceData(rows).then(() => { table.setSort('difference', 'desc'); reach(); });
    characteristic();
    filter();
  };
  ['system', 'other'].forEach(id => at(id)?.addEventListener('change', choose));
  const save = (name, kind, text) => {
    const link = element('a', '', {download: name, href: URL.createObjectURL(new Blob([text], {type: kind}))});
    link.click();
    URL.revokeObjectURL(link.href);
  };
  for (const [place, chart] of document.querySelectorAll('svg.chart[data-numbers]').entries()) {
    const name = `chart${place + 1}`, saves = element('p', '', {class: 'saves'});
    const asked = {
      SVG: () => { // alone, with the page's style and ground
        const copy = chart.cloneNode(true), style = element('style', document.querySelector('style').textContent);
        const ground = document.createElementNS(chart.namespaceURI, 'rect');
        for (const [key, value] of Object.entries({width: '100%', height: '100%', style: 'fill: var(--bg)'})) ground.setAttribute(key, value);
        delete copy.dataset.numbers;
        copy.prepend(style, ground);
        save(`${name}.svg`, 'image/svg+xml', new XMLSerializer().serializeToString(copy));
      },
      CSV: () => save(`${name}.csv`, 'text/csv', '\ufeff' + chart.dataset.numbers),
    };
    for (const [kind, act] of Object.entries(asked)) {
      const button = element('button', kind, {type: 'button', 'aria-label': `Save this chart as ${kind}: ${chart.querySelector('title').textContent.slice(0, 80)}`});
      button.addEventListener('click', act);
      saves.append(button, ' ');
    }
    chart.after(saves);
  }
  at('save-csv').addEventListener('click', () => table.download('csv', 'segments.csv', {bom: true}));
  at('save-systems').addEventListener('click', () => {
    const all = [...page.rows, ...page.people];
    const names = [...new Set(all.flatMap(row => Object.keys(row)))];
    const quote = cell => `"${(plainly(cell) ?? '').toString().replaceAll('"', '""')}"`;
    save('systems.csv', 'text/csv', '\ufeff' + [names, ...all.map(row => names.map(name => row[name]))].map(row => row.map(quote).join(',') + '\r\n').join(''));
  });
  at('save-json').addEventListener('click', () => {
    const shown = table.getData('active').map(row => ({segment: row.segment, difference: row.difference, ...(data.groups && {group: row.group}),
      systems: data.systems.map((system, s) => ({system, text: row[`text${s}`],
        values: data.measures.map(({title}, m) => ({by: title, value: row[`value${m}_${s}`], reason: row[`reason${m}_${s}`]}))}))}));
    save('report.json', 'application/json', JSON.stringify({...page, segments: shown}, null, 1));
  });
  let unpacked;
  const explanations = async () => { // of the metrics: HTML by segment, metric and system
    const bytes = Uint8Array.from(atob(at('explanations').textContent), one => one.charCodeAt(0));
    if (!bytes.length) return {};
    return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text());
  };
  const open = async row => {
    current = row;
    unpacked ??= explanations();
    const own = row.getData();
    const explained = (await unpacked)[own.segment - 1];
    at('segment-title').textContent = `Segment ${own.segment}${several ? `: difference ${number(own.difference)}` : ''}`;
    const place = own.segment - 1, both = pair();
    const given = [['Source', data.sources ? [data.sources[place]] : []], ['Reference', data.references ? data.references[place] : []]].flatMap(([title, texts]) => texts.map(text => {
      const line = element('p', `${title}: `, {class: 'given'});
      line.append(quoted(text));
      return line;
    }));
    const measures = [...data.measures.entries()];
    const inOrder = [...measures.filter(([, measure]) => measure.marked), ...measures.filter(([, measure]) => !measure.marked)]; // what raters marked comes first
    const side = element('div', '', {class: both || measures.some(([, measure]) => measure.marked) ? 'side' : ''});
    side.append(...(both ?? data.systems.map((_, s) => s)).map(s => {
      const name = data.systems[s];
      const part = element('section', '', {class: 'own'});
      const told = data.measures.map(({title}, m) => `${data.measures.length > 1 ? `${title} ` : ''}${number(own[`value${m}_${s}`], m)}${own[`reason${m}_${s}`] ? ` (${own[`reason${m}_${s}`]})` : ''}`);
      part.append(element('h4', `${name}: ${told.join('; ')}`));
      const line = element('p', '');
      line.append(marked(own[`text${s}`], both ? own[`text${both.find(other => other !== s)}`] : undefined));
      part.append(line);
      inOrder.forEach(([m, measure]) => {
        if (!explained || !explained[m][s]) return;
        const why = element('div', ''), fold = element('details', '');
        why.innerHTML = explained[m][s];
        fold.open = window.innerWidth > 640; // on a phone the texts come first
        fold.append(element('summary', measure.marked ? 'Errors as raters marked them' : `Why: ${measure.title}`), why);
        part.append(fold);
      });
      return part;
    }));
    at('segment-body').replaceChildren(...given, side);
    if (!explained) at('segment-body').append(element('p', 'Only the segments with the largest differences are explained.', {class: 'soft'}));
    const active = table.getRows('active');
    const rank = active.findIndex(other => other.getIndex() === own.segment);
    at('before').disabled = rank <= 0;
    at('after').disabled = rank + 1 >= active.length;
    if (!at('segment').open) at('segment').showModal();
    at('segment').scrollTop = 0;
    at('segment-title').focus();
    remember();
  };
  const step = by => {
    const active = table.getRows('active');
    const next = active[active.findIndex(other => other.getIndex() === current.getIndex()) + by];
    if (next) open(next);
  };
  at('segment').addEventListener('keydown', event => { const by = {ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1}[event.key]; if (by) { event.preventDefault(); step(by); } });
  at('segment').addEventListener('close', remember);
  at('before').addEventListener('click', () => step(-1));
  at('after').addEventListener('click', () => step(1));
  at('close').addEventListener('click', () => at('segment').close());
})();
