// Keeps the screen on while a table is shown, unless the person switched it off. Browsers allow it only in a
// secure context; where they do not, the menu says so.
import { live } from "./page.js";

const KEY = "screen-may-sleep";

let maySleep = remembered();
let lock = null;
let asking = false;

const possible = () => window.isSecureContext && "wakeLock" in navigator;
const needed = () => possible() && !maySleep && Boolean(live().dataset.code) && !document.hidden;

function remembered() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false; // storage is forbidden: then the switch holds until the page is left
  }
}

function remember() {
  try {
    if (maySleep) localStorage.setItem(KEY, "yes");
    else localStorage.removeItem(KEY);
  } catch {
    // Not remembered, then.
  }
}

/** Hold the screen exactly while that is needed; a browser takes the lock away whenever the page is hidden. */
async function hold() {
  if (!needed()) {
    lock?.release();
    lock = null;
  } else if (!asking && (!lock || lock.released)) {
    asking = true;
    // A nearly empty battery is reason enough for a phone to refuse.
    lock = await navigator.wakeLock.request("screen").catch(() => null);
    asking = false;
    if (lock && !needed()) hold();
  }
}

function show() {
  const why = possible() ? "possible" : window.isSecureContext ? "unknown" : "insecure";
  for (const line of document.querySelectorAll("[data-awake]")) line.hidden = line.dataset.awake !== why;
  const tick = document.getElementById("awake");
  if (tick) tick.checked = !maySleep;
}

document.addEventListener("change", (event) => {
  if (event.target.id !== "awake") return;
  maySleep = !event.target.checked;
  remember();
  hold();
});
document.addEventListener("visibilitychange", hold);
window.addEventListener("pageshow", hold);
document.addEventListener("swapped", () => {
  show();
  hold();
});
show();
hold();
