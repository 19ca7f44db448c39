'use strict';
// What all pages share. Text goes into the page as text nodes alone, never as markup.
const page = {
  all: (selector) => Array.from(document.querySelectorAll(selector)),
  one: (selector) => document.querySelector(selector),
  data: () => JSON.parse(document.getElementById('data').textContent),

  svg(name, attributes, text) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    return node;
  },

  html(name, attributes, text) {
    const node = document.createElement(name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    return node;
  },

  // A command line in which no line ends within a word that contains hyphens.
  command(box, text) {
    box.replaceChildren();
    text.split(' ').forEach((word, i) => {
      if (i) box.append(' ');
      box.append(word.includes('-') ? page.html('span', {class: 'w'}, word) : word);
    });
  },

  // The address holds the state: "#games?kind=time&q=sicilian".
  address() {
    const [place, query] = decodeURI(location.hash.slice(1)).split('?');
    return {place, values: new URLSearchParams(query || '')};
  },

  goTo(place, values) {
    const query = values.toString();
    const hash = '#' + place + (query ? '?' + query : '');
    if (location.hash !== hash) history.replaceState(null, '', hash);
  },

  number(value, decimals) {
    const text = Math.abs(value).toFixed(decimals);
    return (+text === 0 ? '' : value < 0 ? '−' : '+') + text;
  },

  copyButtons() {
    page.all('[data-copy]').forEach((button) => {
      button.onclick = () => {
        const text = document.getElementById(button.dataset.copy).textContent;
        if (navigator.clipboard) navigator.clipboard.writeText(text).catch(() => {});
        button.textContent = 'Copied';
        setTimeout(() => { button.textContent = 'Copy'; }, 1200);
      };
    });
  },
};
document.documentElement.classList.add('js');
