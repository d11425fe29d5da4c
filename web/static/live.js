// Makes server-rendered pages live. Everything here also works, more slowly, without it.
import { catchUp, drawAnew, go, live, say } from "./page.js";
import "./taps.js";
import "./steppers.js";
import "./keep.js";
import "./photo.js";
import "./film.js";

const POLL_MS = 5000;
const SILENCE_MS = 30000; // the server speaks every 12 s; two missed words mean the line is dead

let source = null;
let lastWord = 0;
let pollTimer = 0;

function follow() {
  const code = live().dataset.code;
  if (!code || source || document.hidden) return;
  lastWord = Date.now();
  const followed = document.querySelector("[data-activity]") ? "?followed=1" : "";
  source = new EventSource(`/t/${code}/live${followed}`);
  source.onmessage = (event) => heard(event.data);
  source.addEventListener("activity", (event) => showActivity(event.data));
  source.addEventListener("gone", () => say(document.body.dataset.textGone));
  source.onerror = () => {
    showConnection(false);
    // A refused stream (too many phones) does not come back by itself: poll meanwhile.
    if (source.readyState === EventSource.CLOSED) {
      stop();
      poll();
    }
  };
}

function stop() {
  source?.close();
  source = null;
}

function heard(stamp) {
  lastWord = Date.now();
  clearTimeout(pollTimer);
  showConnection(true);
  catchUp(stamp);
}

async function poll() {
  clearTimeout(pollTimer);
  pollTimer = setTimeout(poll, POLL_MS);
  const code = live().dataset.code;
  if (!code || document.hidden) return;
  try {
    const answer = await fetch(`/t/${code}/stamp`, { cache: "no-store" });
    if (answer.ok) {
      const { stamp } = await answer.json();
      heard(stamp);
      follow();
      if (!source || source.readyState !== EventSource.OPEN) pollTimer = setTimeout(poll, POLL_MS);
    }
  } catch {
    showConnection(false);
  }
}

/** Tell what goes on before the camera that follows the table, or draw the page anew if it begins or ends. */
function showActivity(activity) {
  const line = document.querySelector("[data-activity]");
  if (!line !== !activity && document.getElementById("look")) drawAnew();
  else if (line && activity) line.textContent = line.dataset[activity];
}

function showConnection(isThere) {
  const sign = document.getElementById("connection");
  if (isThere && !sign.dataset.kept) sign.hidden = true;
  if (!isThere && sign.hidden) {
    sign.textContent = document.body.dataset.textLost;
    sign.hidden = false;
  }
}

setInterval(() => {
  if (!document.hidden && source && Date.now() - lastWord > SILENCE_MS) {
    stop();
    showConnection(false);
    poll();
  }
}, 5000);

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    stop();
  } else {
    follow();
  }
});
window.addEventListener("pagehide", stop);
window.addEventListener("pageshow", follow);
window.addEventListener("offline", () => showConnection(false));
window.addEventListener("online", poll);
window.addEventListener("popstate", () => go(location.href));
document.addEventListener("swapped", follow);
follow();
