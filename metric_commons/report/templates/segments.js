'use strict';
// The table of segments. Texts and names become text nodes; the explanations are HTML of the metric, in which every text was escaped.
(() => {
  const data = JSON.parse(document.getElementById('segments-data').textContent);
  const at = id => document.getElementById(id);
  const number = value => value == null ? '–' : value.toFixed(data.digits).replace('-', '−');
  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const quoted = (text, type = 'q') => text.trim() ? element(type, text, {lang: '', dir: 'auto'}) : element('em', 'an empty text');
  const rows = data.differences.map((difference, i) => {
    const row = {segment: i + 1, difference};
    data.systems.forEach((_, s) => {
      row[`value${s}`] = data.values[s][i];
      row[`text${s}`] = data.texts[s][i];
      row[`reason${s}`] = data.reasons[s][i];
    });
    row.all = data.texts.map(texts => texts[i]).join('\n').toLowerCase();
    return row;
  });
  const named = cell => element('span', cell.getValue());
  const plainly = text => /^[=+\-@\t\r]/.test(text) ? `'${text}` : text; // no formula in a spreadsheet
  const numeric = {sorter: 'number', sorterParams: {alignEmptyValues: 'bottom'}, hozAlign: 'right', headerHozAlign: 'right', headerSortStartingDir: 'desc', titleFormatter: named};
  const columns = [
    {title: 'No.', field: 'segment', sorter: 'number', width: 84, frozen: true, titleFormatter: named,
     formatter: cell => element('button', cell.getValue(), {type: 'button', 'aria-label': `Open segment ${cell.getValue()}`, 'aria-haspopup': 'dialog'}),
     cellClick: (_, cell) => open(cell.getRow())},
    {title: 'Difference', field: 'difference', width: 128, formatter: cell => number(cell.getValue()), ...numeric},
  ];
  data.systems.forEach((name, s) => {
    columns.push({title: `${name}: value`, field: `value${s}`, width: 100, ...numeric, formatter: cell => {
      const box = element('span', number(cell.getValue()));
      const reason = cell.getData()[`reason${s}`];
      if (reason) box.append(element('br', ''), element('small', reason));
      return box;
    }});
    columns.push({title: `${name}: text`, field: `text${s}`, minWidth: 188, widthGrow: 1, sorter: 'string', titleFormatter: named,
                  accessorDownload: plainly, formatter: cell => { const box = quoted(cell.getValue(), 'span'); box.classList.add('clamp'); return box; }});
    columns.push({title: `${name}: reason`, field: `reason${s}`, visible: false, download: true, titleFormatter: named});
  });
  document.querySelectorAll('.live').forEach(part => { part.hidden = false; });
  at('plain').hidden = true;
  const table = new Tabulator('#grid', {
    data: rows, columns, index: 'segment', height: Math.min(680, Math.round(window.innerHeight * 0.8)), layout: 'fitColumns', nestedFieldSeparator: false,
    initialSort: [{column: 'difference', dir: 'desc'}], placeholder: 'No segment is like that', renderVerticalBuffer: 300,
  });
  const tell = n => { at('shown').textContent = `${n.toLocaleString('en')} of ${rows.length.toLocaleString('en')} segments`; };
  table.on('tableBuilt', () => {
    tell(rows.length);
    at('grid').setAttribute('aria-label', 'Segments');
    document.querySelectorAll('#grid .tabulator-sortable').forEach(head => {
      head.tabIndex = 0;
      head.addEventListener('keydown', event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); head.click(); } });
    });
  });
  table.on('dataFiltered', (_, found) => tell(found.length));
  const filter = () => {
    const words = at('find').value.toLowerCase().trim();
    const which = at('which').value;
    table.setFilter(row => row.all.includes(words) && (which !== 'both' || row.difference > 0)
      && (which !== 'none' || data.systems.some((_, s) => row[`value${s}`] == null)));
  };
  let waiting;
  at('find').addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
  at('which').addEventListener('change', filter);
  at('save-csv').addEventListener('click', () => table.download('csv', 'segments.csv', {bom: true}));
  at('save-json').addEventListener('click', () => {
    const shown = table.getData('active').map(({all, ...row}) => ({segment: row.segment, difference: row.difference,
      systems: data.systems.map((system, s) => ({system, value: row[`value${s}`], reason: row[`reason${s}`], text: row[`text${s}`]}))}));
    const link = element('a', '', {download: 'segments.json', href: URL.createObjectURL(new Blob([JSON.stringify({metric: data.metric, segments: shown}, null, 1)], {type: 'application/json'}))});
    link.click();
    URL.revokeObjectURL(link.href);
  });
  let current;
  const open = row => {
    current = row;
    const own = row.getData();
    const explained = data.explained[own.segment - 1];
    at('segment-title').textContent = `Segment ${own.segment}: difference ${number(own.difference)}`;
    at('segment-body').replaceChildren(...data.systems.map((name, s) => {
      const part = element('section', '', {class: 'own'});
      part.append(element('h4', `${name}: ${number(own[`value${s}`])}${own[`reason${s}`] ? ` (${own[`reason${s}`]})` : ''}`));
      const line = element('p', '');
      line.append(quoted(own[`text${s}`]));
      part.append(line);
      if (explained && explained[s]) {
        const why = element('div', '');
        why.innerHTML = explained[s];
        part.append(why);
      }
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
