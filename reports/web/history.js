// The nights of a history: one is selected, in the charts, the tables and the address.
const nights = {data: null, selected: 0};

function fact(list, name, value) {
  if (!value) return;
  list.append(page.html('dt', {}, name), page.html('dd', {}, value));
}

function showNight(index, isAsked) {
  const all = nights.data.nights;
  if (!all.length) return;
  nights.selected = Math.max(0, Math.min(all.length - 1, index));
  const night = all[nights.selected];
  page.one('#ntitle').textContent = night.title;
  page.one('#ncaption').textContent = night.caption;
  const list = page.one('#nfacts');
  list.replaceChildren();
  night.facts.forEach(([name, value]) => fact(list, name, value));
  const link = page.one('#nrun');
  link.textContent = night.link ? 'Open run ' + night.run : '';
  link.hidden = !night.link;
  link.setAttribute('href', night.link || '#night');
  page.one('#ncommand').hidden = !night.run;
  page.command(page.one('#ncommand'), night.command);
  page.all('.cur').forEach((line) => line.setAttribute(
      'transform', `translate(${(+line.dataset.left + nights.selected * line.dataset.step).toFixed(1)} 0)`));
  page.all('tr[data-night]').forEach((row) => row.classList.toggle('sel', +row.dataset.night === nights.selected));
  if (isAsked) page.goTo('night', new URLSearchParams({n: nights.selected + 1}));
}

function followAddress() {
  const {place, values} = page.address();
  if (place !== 'night' || !values.get('n')) return;
  showNight(values.get('n') - 1, true);
  page.one('#night').scrollIntoView();
}

function startHistory() {
  nights.data = page.data();
  page.copyButtons();
  page.all('.ch svg').forEach((svg) => {
    const line = svg.querySelector('.cur');
    if (!line) return;
    svg.style.cursor = 'pointer';
    svg.onclick = (event) => {
      const box = svg.getBoundingClientRect();
      const at = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
      showNight(Math.round((at - line.dataset.left) / line.dataset.step), true);
    };
  });
  page.all('tr[data-night]').forEach((row) => {
    row.onclick = () => { showNight(+row.dataset.night, true); page.one('#night').scrollIntoView(); };
    row.onkeydown = (event) => { if (event.key === 'Enter') row.onclick(); };
  });
  page.one('#before').onclick = () => showNight(nights.selected - 1, true);
  page.one('#after').onclick = () => showNight(nights.selected + 1, true);
  showNight(nights.data.selected, false);
  followAddress();
}

document.addEventListener('keydown', (event) => {
  if (event.target.tagName === 'INPUT' || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (step) showNight(nights.selected + step, true);
});
window.addEventListener('hashchange', followAddress);
startHistory();
