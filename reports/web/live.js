// Keeps the page of a run up to date while it is played. The server sends the games in play, and
// says when there is news of the rest: then the page takes the new one's content.

// Takes the server's markup of the games in play: boards, or the rows of a table. A game whose markup
// is as before keeps its nodes, and an article stays, so that the address of a board that was made
// large still names it.
function showGames(markup) {
  const place = page.one('#in-play');
  if (!place) return;
  const fresh = new DOMParser().parseFromString(markup, 'text/html');
  const ids = (root) => Array.from(root.querySelectorAll('[data-game]')).map((one) => one.id).join();
  const css = (root) => { const grid = root.querySelector('.lg, .lt'); return grid ? grid.className : ''; };
  place.hidden = markup === '';
  if (ids(place) !== ids(fresh) || css(place) !== css(fresh)) {
    place.replaceChildren(...fresh.body.childNodes);
  } else {
    ['h2', '.cap'].forEach((one) => {
      const from = fresh.querySelector(one), to = place.querySelector(one);
      if (from && to && from.textContent !== to.textContent) to.textContent = from.textContent;
    });
    fresh.querySelectorAll('[data-game]').forEach((game) => {
      const old = document.getElementById(game.id);
      if (old.innerHTML !== game.innerHTML) old.replaceChildren(...game.childNodes);
    });
  }
  showClocks();
}

// Milliseconds from this page's clock to the wall clock of the server, by which running clocks end.
let serversLead = 0;
function setNow(now) { serversLead = now - performance.now(); }

function showClocks() {
  page.all('.ck[data-ends]').forEach((clock) => {
    clock.textContent = clockText(+clock.dataset.ends - serversLead - performance.now());
  });
}

function clockText(left) {
  const ms = Math.max(0, left), seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, '0');
  if (ms < 20000) return '0:' + two(seconds) + '.' + Math.floor(ms / 100) % 10;
  if (seconds < 3600) return Math.floor(seconds / 60) + ':' + two(seconds % 60);
  return Math.floor(seconds / 3600) + ':' + two(Math.floor(seconds / 60) % 60) + ':' + two(seconds % 60);
}

setInterval(showClocks, 100);

function follow(number) {
  const source = new EventSource('/events/run/' + number);
  let isBusy = false, isBehind = false;
  const renew = async () => {
    if (isBusy) { isBehind = true; return; }
    isBusy = true;
    try {
      const answer = await fetch(location.pathname);
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const typed = document.activeElement && document.activeElement.tagName === 'INPUT';
      if (answer.ok && !typed) {
        const games = page.one('#in-play'), next = fresh.getElementById('in-play');
        if (games && next) next.replaceWith(games);  // what was sent since is newer
        document.title = fresh.title;
        page.one('main').replaceWith(fresh.querySelector('main'));
        page.one('#data').textContent = fresh.getElementById('data').textContent;
        startRun();
      }
    } catch (error) {
      // The server is gone for now; the stream tries again by itself.
    }
    setTimeout(() => { isBusy = false; if (isBehind) { isBehind = false; renew(); } }, 2000);
  };
  let pairs = null;
  source.onmessage = (event) => {
    const news = JSON.parse(event.data);
    setNow(news.now);
    if (news.games !== undefined) showGames(news.games);
    if ((pairs !== null && news.pairs !== pairs) || news.over) renew();
    pairs = news.pairs;
    if (news.over) source.close();
  };
}
if (page.one('#in-play')) setNow(+page.one('#in-play').dataset.now);
showClocks();
follow(run.data.run);
