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
    row.all = data.texts.map(texts => texts[i]).join('\n').toLowerCase();
    row.lengths = data.lengths.map(lengths => lengths[i]);
    const known = data.values[0].map(own => own[i]).filter(value => value != null);
    const best = known.length > 1 ? data.values[0].flatMap((own, s) => own[i] === Math.max(...known) ? [String(s)] : []) : [];
    row.highest = best.length > 1 ? 'tie' : best[0];
    return row;
  });
  const named = cell => element('span', cell.getValue());
  const plainly = text => /^[=+\-@\t\r]/.test(text) ? `'${text}` : text; // no formula in a spreadsheet
  const numeric = {sorter: 'number', sorterParams: {alignEmptyValues: 'bottom'}, hozAlign: 'right', headerHozAlign: 'right', headerSortStartingDir: 'desc', titleFormatter: named};
  const columns = [
    {title: 'No.', field: 'segment', sorter: 'number', width: 84, frozen: true, titleFormatter: named,
     formatter: cell => element('button', cell.getValue(), {type: 'button', 'aria-label': `Open segment ${cell.getValue()}`, 'aria-haspopup': 'dialog'}),
     cellClick: (_, cell) => open(cell.getRow())},
    {title: 'Difference', field: 'difference', width: 124, formatter: cell => number(cell.getValue()), visible: data.differences.some(value => value), ...numeric},
  ];
  if (data.groups) columns.push({title: 'Group', field: 'group', width: 110, titleFormatter: named, formatter: named});
  const own = data.systems.map((name, s) => {
    const parts = data.measures.map(({title}, m) => ({title, field: `value${m}_${s}`, width: 104, ...numeric, titleDownload: `${name}: ${title}`, formatter: cell => {
      const box = element('span', number(cell.getValue(), m));
      const reason = title !== 'Rating' && cell.getData()[`reason${m}_${s}`];
      if (reason) box.append(element('br', ''), element('small', reason));
      return box;
    }}));
    parts.push({title: 'Text', field: `text${s}`, minWidth: 200, widthGrow: 1, sorter: 'string', titleFormatter: named, titleDownload: `${name}: text`,
                accessorDownload: plainly, formatter: cell => { const box = quoted(cell.getValue(), 'span'); box.classList.add('clamp'); return box; }});
    data.measures.forEach(({title}, m) => parts.push({title: 'Reason', field: `reason${m}_${s}`, visible: false, download: true, titleDownload: `${name}: ${title}: reason`}));
    return {title: name, columns: parts, titleFormatter: named};
  });
  columns.push(...own);
  document.querySelectorAll('.live').forEach(part => { part.hidden = false; });
  at('plain').hidden = true;
  const table = new Tabulator('#grid', {
    data: rows, columns, index: 'segment', height: Math.min(680, Math.round(window.innerHeight * 0.8)), layout: 'fitColumns', nestedFieldSeparator: false, downloadConfig: {columnGroups: false},
    initialSort: [{column: 'difference', dir: 'desc'}], placeholder: 'No segment is like that', renderVerticalBuffer: 300,
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
    reach();
  });
  table.on('dataFiltered', (_, found) => tell(found.length));
  const reasons = new Set(data.reasons.flat(2).filter(reason => reason));
  reasons.forEach(reason => at('reason').append(element('option', reason, {value: `=${reason}`})));
  if (data.groups) {
    at('of-group').hidden = false;
    new Set(data.groups).forEach(group => at('group').append(element('option', group, {value: group})));
  }
  const value = id => at(id) ? at(id).value : '';
  const filter = () => {
    const words = value('find').toLowerCase().trim();
    const [system, highest, why, group] = ['system', 'highest', 'reason', 'group'].map(value);
    const [shortest, longest] = [+value('shortest'), +value('longest') || Infinity];
    const meant = data.systems.map((_, s) => s).filter(s => system === '' || s === +system);
    table.setFilter(row => (system === '' ? row.all : row[`text${system}`].toLowerCase()).includes(words) && (!highest || row.highest === highest) && (!group || row.group === group)
      && meant.some(s => row.lengths[s] >= shortest && row.lengths[s] <= longest)
      && (why !== 'differ' || row.difference > 0)
      && (why !== 'missing' || meant.some(s => row[`value0_${s}`] == null))
      && (!why.startsWith('=') || meant.some(s => data.measures.some((_, m) => row[`reason${m}_${s}`] === why.slice(1)))));
  };
  let waiting;
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); };
  ['find', 'shortest', 'longest'].forEach(id => at(id).addEventListener('input', soon));
  ['highest', 'reason', 'group'].forEach(id => at(id) && at(id).addEventListener('change', filter));
  at('system').addEventListener('change', () => {
    const chosen = at('system').value;
    table.setColumns([...columns.slice(0, -own.length), ...own.filter((_, s) => chosen === '' || s === +chosen)]);
    reach();
    filter();
  });
  const save = (name, kind, text) => {
    const link = element('a', '', {download: name, href: URL.createObjectURL(new Blob([text], {type: kind}))});
    link.click();
    URL.revokeObjectURL(link.href);
  };
  at('save-csv').addEventListener('click', () => table.download('csv', 'segments.csv', {bom: true}));
  at('save-systems').addEventListener('click', () => {
    const all = [...page.rows, ...page.people];
    const names = [...new Set(all.flatMap(row => Object.keys(row)))];
    const quote = cell => `"${(typeof cell === 'string' ? plainly(cell) : cell ?? '').toString().replaceAll('"', '""')}"`;
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
  let current;
  const open = async row => {
    current = row;
    unpacked ??= explanations();
    const own = row.getData();
    const explained = (await unpacked)[own.segment - 1];
    at('segment-title').textContent = `Segment ${own.segment}${several ? `: difference ${number(own.difference)}` : ''}`;
    at('segment-body').replaceChildren(...data.systems.map((name, s) => {
      const part = element('section', '', {class: 'own'});
      const told = data.measures.map(({title}, m) => `${data.measures.length > 1 ? `${title} ` : ''}${number(own[`value${m}_${s}`], m)}${own[`reason${m}_${s}`] ? ` (${own[`reason${m}_${s}`]})` : ''}`);
      part.append(element('h4', `${name}: ${told.join('; ')}`));
      const line = element('p', '');
      line.append(quoted(own[`text${s}`]));
      part.append(line);
      data.measures.forEach(({title}, m) => {
        if (!explained || !explained[m][s]) return;
        const why = element('div', '');
        why.innerHTML = explained[m][s];
        if (data.measures.length > 1) part.append(element('p', title, {class: 'soft'}));
        part.append(why);
      });
      return part;
    }));
    if (!explained) at('segment-body').append(element('p', 'Only the segments with the largest differences are explained.', {class: 'soft'}));
    const active = table.getRows('active');
    const place = active.findIndex(other => other.getIndex() === own.segment);
    at('before').disabled = place <= 0;
    at('after').disabled = place + 1 >= active.length;
    if (!at('segment').open) at('segment').showModal();
    at('segment').scrollTop = 0;
    at('segment-title').focus();
  };
  const step = by => {
    const active = table.getRows('active');
    open(active[active.findIndex(other => other.getIndex() === current.getIndex()) + by]);
  };
  at('before').addEventListener('click', () => step(-1));
  at('after').addEventListener('click', () => step(1));
  at('close').addEventListener('click', () => at('segment').close());
})();
