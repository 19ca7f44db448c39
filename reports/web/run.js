// The games of a run: the list with its filters, and the board.
const run = {data: null, game: null, ply: 0, filter: new URLSearchParams()};

// --- one game -----------------------------------------------------------------------------------

function unpack(packed) {
  const list = (text) => (text ? text.split(' ') : []);
  const numbers = (text, scale) =>
      (text ? text.split(',').map((one) => (one === '' ? null : +one / scale)) : []);
  return Object.assign({}, packed, {
    names: list(packed.names),
    changes: packed.changes ? packed.changes.split(' ') : [],
    scores: numbers(packed.scores, 100),
    said: (packed.said || '').split(','),
    clocks: numbers(packed.clocks, 100),
  });
}

function programAt(game, ply) {  // ply from 1
  return game.programs[+game.players[ply - 1]];
}

function boardAt(game, ply) {
  const squares = game.board.split('');
  let touched = [];
  for (let i = 0; i < ply; i++) {
    const change = game.changes[i] || '';
    touched = [];
    for (let at = 0; at + 2 < change.length; at += 3) {
      const column = change.charCodeAt(at) - 97;
      const square = parseInt(change[at + 1], 36) * game.columns + column;
      squares[square] = change[at + 2];
      touched.push(square);
    }
  }
  return {squares, touched};
}

function drawBoard(game, ply) {
  const box = page.one('#board');
  if (!game.columns) return box.replaceChildren();
  const side = 45, left = game.room, letters = game.letters;
  const svg = page.svg('svg', {
    viewBox: `0 0 ${left + side * game.columns} ${side * game.rows + Math.floor(letters * 1.5)}`,
    role: 'img', 'aria-label': `Board of game ${game.number} after ply ${ply}`,
  });
  const {squares, touched} = boardAt(game, ply);
  if (game.lines) {
    svg.append(page.svg('rect', {class: 'l', x: left, y: 0, width: side * game.columns, height: side * game.rows}));
    svg.append(page.svg('path', {class: 'bl', d: game.lines}));
  }
  const around = page.svg('g', {class: 'co', style: `--co:${letters}px`});
  for (let row = 0; row < game.rows; row++) {
    around.append(page.svg('text', {x: 0, y: (row + 0.5) * side + letters * 0.35}, game.rows - row));
    for (let column = 0; column < game.columns && !game.lines; column++)
      if (game.chequered || squares[row * game.columns + column] !== ' ') svg.append(page.svg('rect', {
        class: !game.chequered ? 'p' : (row + column) % 2 ? 'd' : 'l', x: left + column * side, y: row * side,
        width: side, height: side,
      }));
  }
  for (let column = 0; column < game.columns; column++)
    around.append(page.svg('text', {
      x: left + (column + 0.5) * side, y: game.rows * side + letters * 1.15, 'text-anchor': 'middle',
    }, String.fromCharCode(97 + column)));
  svg.append(around);
  touched.forEach((square) => svg.append(page.svg('rect', {
    class: 'x', x: left + square % game.columns * side + 1.5,
    y: Math.floor(square / game.columns) * side + 1.5, width: side - 3, height: side - 3,
  })));
  squares.forEach((piece, square) => {
    if (piece === '.' || piece === ' ') return;
    const x = left + square % game.columns * side, y = Math.floor(square / game.columns) * side;
    const first = piece < 'a', picture = (game.pieces || {})[piece];
    if (picture)
      svg.append(page.svg('use', {href: '#piece-' + picture, class: first ? 'wp' : 'bp', x, y, width: side, height: side}));
    else
      svg.append(page.svg('text', {class: first ? 'wl' : 'bl', x: x + side / 2, y: y + 31, 'text-anchor': 'middle'}, piece));
  });
  box.replaceChildren(svg);
}

function roundStep(span, most) {
  const power = 10 ** Math.floor(Math.log10(span / most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= most);
}

// One line a program over the plies; a click goes there.
function drawCurve(box, game, values, title, low, high, signed) {
  const seen = values.some((value) => value !== null);
  if (!seen) return box.replaceChildren();
  const width = Math.max(300, box.clientWidth || 660), height = 150;
  const names = run.data.names[game.match];
  const room = 14 + 7.3 * Math.max(...names.map((name) => name.length));
  const labels = [low, high].map((value) => String(Math.round(value)).length);
  const left = Math.max(40, 12 + 7.3 * (1 + Math.max(...labels))), right = width - room, top = 22, bottom = height - 30;
  const plies = Math.max(1, game.names.length);
  const x = (ply) => left + ply / plies * (right - left);
  const y = (value) => bottom + (value - low) / (high - low) * (top - bottom);
  const svg = page.svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': title});
  svg.append(page.svg('text', {x: left, y: 12}, title));
  const step = roundStep(high - low, 4);
  for (let i = Math.ceil(low / step); i * step <= high; i++) {
    const value = i * step, decimals = Math.max(0, -Math.floor(Math.log10(step)));
    svg.append(page.svg('path', {class: i ? 'gr' : 'ax', d: `M${left} ${y(value)}H${right}`}));
    svg.append(page.svg('text', {x: left - 6, y: y(value) + 4, 'text-anchor': 'end'},
                        signed ? page.number(value, decimals) : value.toFixed(decimals)));
  }
  const across = Math.max(1, roundStep(plies, 5));
  for (let ply = 0; ply <= plies; ply += across)
    svg.append(page.svg('text', {x: x(ply), y: bottom + 17, 'text-anchor': 'middle'},
                        ply + across > plies ? ply + ' plies' : ply));
  const ends = [];
  [1, 0].forEach((program) => {
    const points = [];
    values.forEach((value, i) => {
      if (value !== null && programAt(game, i + 1) === program)
        points.push([x(i + 1), y(Math.max(low, Math.min(high, value)))]);
    });
    if (!points.length) return;
    svg.append(page.svg('polyline', {
      class: program ? 'lb' : 'lh', points: points.map((point) => point.map((at) => at.toFixed(1)).join()).join(' '),
    }));
    ends.push({program, y: points[points.length - 1][1] + 4});
  });
  ends.sort((a, b) => a.y - b.y);
  if (ends.length === 2 && ends[1].y - ends[0].y < 15) {
    const middle = Math.max(top + 15, Math.min(bottom - 8, (ends[0].y + ends[1].y) / 2));
    ends[0].y = middle - 7.5;
    ends[1].y = middle + 7.5;
  }
  ends.forEach((end) => svg.append(page.svg('text', {
    class: end.program ? 'k b' : 'h b', x: right + 8, y: end.y,
  }, names[end.program])));
  svg.append(page.svg('path', {class: 'cur', d: `M0 ${top}V${bottom}`, 'data-left': left, 'data-step': (right - left) / plies}));
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * width;
    showPly(Math.round((at - left) / (right - left) * plies));
  };
  box.replaceChildren(svg);
}

function drawMoves(game) {
  const box = page.one('#moves');
  box.replaceChildren();
  let number = game.move;
  game.names.forEach((name, i) => {
    const first = game.players[i] === String(game.first);
    if (first && i > 0) number++;
    if (first) box.append(number + '. ');
    else if (i === 0) box.append(number + '… ');
    const link = page.html('a', {href: '#game', 'data-ply': i + 1, class: i < game.opening ? 'book' : ''}, name);
    link.onclick = (event) => { event.preventDefault(); showPly(i + 1); };
    box.append(link, ' ');
  });
}

function stateText(game, ply) {
  let text = `ply ${ply} of ${game.names.length}`;
  const score = game.scores[ply - 1], clock = game.clocks[ply - 1];
  if (ply > 0 && ply <= game.opening) text += ' · book';
  if (ply > 0 && score !== null && score !== undefined) {
    const program = programAt(game, ply);
    text += ` · ${run.data.names[game.match][program]} says ${game.said[ply - 1] || page.number(program ? -score : score, game.units ? 2 : 0)}`;
  }
  if (ply > 0 && clock !== null && clock !== undefined) text += ` · ${clock.toFixed(2)} s left`;
  if (ply === game.names.length) text += ' · ' + game.end;
  return text;
}

function showPly(ply) {
  const game = run.game;
  run.ply = Math.max(0, Math.min(game.names.length, ply));
  drawBoard(game, run.ply);
  page.all('.cur').forEach((line) => line.setAttribute(
      'transform', `translate(${+line.dataset.left + run.ply * line.dataset.step} 0)`));
  page.all('#moves a').forEach((link) => {
    const on = +link.dataset.ply === run.ply;
    link.classList.toggle('on', on);
    if (on) link.parentNode.scrollTop = link.offsetTop - link.parentNode.offsetTop - 60;
  });
  page.one('#state').textContent = stateText(game, run.ply);
  page.command(page.one('#replay'), game.command || game.replay + ' ' + Math.max(1, run.ply) + game.flags);
  page.one('#gives').textContent = game.gives;
  if (run.touched) page.goTo('game', new URLSearchParams({n: game.id, ply: run.ply}));
}

function drawCurves() {
  const game = run.game;
  const scores = game.scores;
  const reach = Math.max(1, ...scores.map((value) => Math.abs(value || 0))) * 1.05;
  const most = Math.max(...game.clocks.map((value) => value || 0), 0) * 1.05;
  const names = run.data.names[game.match] || [''];
  drawCurve(page.one('#scores'), game, scores, `score${game.units ? " in " + game.units : ""}, from ${names[0]}’s side`, -reach, reach, true);
  if (most > 0) drawCurve(page.one('#clocks'), game, game.clocks, 'seconds left', 0, most, false);
  else page.one('#clocks').replaceChildren();
}

function openGame(id, ply) {
  const packed = run.data.games.find((game) => game.id === id);
  if (!packed) return;
  run.game = unpack(packed);
  page.one('#gtitle').textContent = run.game.title;
  page.one('#gcaption').textContent = run.game.caption;
  page.all('#gt tbody tr').forEach((row) => row.classList.toggle('sel', row.dataset.open === id));
  drawCurves();
  drawMoves(run.game);
  showPly(ply === null ? run.game.names.length : ply);
}

// --- the list -----------------------------------------------------------------------------------

function applyFilter() {
  if (!page.one('#gt')) return;
  const asked = run.filter, words = (asked.get('q') || '').toLowerCase();
  let shown = 0;
  page.all('#gt tbody tr').forEach((row) => {
    const fits = ['kind', 'won', 'ended', 'match'].every((key) => !asked.get(key) || row.dataset[key] === asked.get(key)) &&
        (!words || row.textContent.toLowerCase().includes(words));
    row.hidden = !fits;
    if (fits) shown++;
  });
  page.one('#shown').textContent = shown + ' shown' + (asked.get('ended') ? ', ended by ' + asked.get('ended') : '');
  page.all('[data-f]').forEach((button) => {
    const plain = new URLSearchParams(asked);
    plain.delete('q');
    button.setAttribute('aria-pressed', plain.toString() === button.dataset.f);
  });
}

function setFilter(text) {
  const words = page.one('#games input').value;
  run.filter = new URLSearchParams(text);
  if (words) run.filter.set('q', words);
  page.goTo('games', run.filter);
  applyFilter();
}

function followAddress() {
  const {place, values} = page.address();
  if (place === 'games' && page.one('#gt')) {
    run.filter = values;
    page.one('#games input').value = values.get('q') || '';
    applyFilter();
    if (values.toString()) page.one('#games').scrollIntoView();
  } else if (place === 'game' && values.get('n') && run.game) {
    run.touched = true;
    openGame(values.get('n'), +values.get('ply'));
    page.one('#game').scrollIntoView();
  }
}

function startRun() {
  run.data = page.data();
  page.copyButtons();
  page.all('[data-f]').forEach((button) => { button.onclick = () => setFilter(button.dataset.f); });
  const search = page.one('#games input');
  if (search) search.oninput = () => {
    run.filter.delete('q');
    setFilter(run.filter.toString());
  };
  page.all('[data-filter]').forEach((link) => {
    link.onclick = (event) => {
      event.preventDefault();
      page.one('#games input').value = '';
      setFilter(link.dataset.filter);
      page.one('#games').scrollIntoView();
    };
  });
  page.all('[data-open]').forEach((row) => {
    row.onclick = (event) => {
      event.preventDefault();
      run.touched = true;
      openGame(row.dataset.open, null);
      page.one('#game').scrollIntoView();
    };
    row.onkeydown = (event) => { if (event.key === 'Enter') row.onclick(event); };
  });
  applyFilter();
  if (run.data.games.length && page.one('#game')) {
    page.all('[data-step]').forEach((button) => {
      if (button.tagName !== 'BUTTON') return;
      const steps = {start: -1e9, back: -1, on: 1, end: 1e9};
      button.onclick = () => { run.touched = true; showPly(run.ply + steps[button.dataset.step]); };
    });
    openGame(run.game ? run.game.id : run.data.games[0].id, run.game ? run.ply : null);
  }
  followAddress();
}

document.addEventListener('keydown', (event) => {
  if (!run.game || event.target.tagName === 'INPUT' || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (!step) return;
  run.touched = true;
  showPly(run.ply + step);
});
window.addEventListener('hashchange', followAddress);
window.addEventListener('resize', () => {
  if (!run.game) return;
  drawCurves();
  showPly(run.ply);
});
startRun();
