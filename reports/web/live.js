// Keeps the page of a run up to date while it is played: the server says that there is news, and
// the page takes the new one's content.
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
  let isFirst = true;
  source.onmessage = (event) => {
    const news = JSON.parse(event.data);
    if (!isFirst || news.over) renew();
    isFirst = false;
    if (news.over) source.close();
  };
}
follow(run.data.run);
