// The part of the page that the server draws anew, and how a new drawing replaces the old one.

const holders = []; // functions that say "not now": somebody is in the middle of typing

export const live = () => document.getElementById("live");
export const holdWhile = (test) => holders.push(test);

let newest = 0;
let going = 0;

const isHeld = () => going > 0 || holders.some((test) => test());

/** Whether a table's stamp (version.seating.look, all only grow) is ahead of another. */
const isAhead = (stamp, other) => {
  const [mine, theirs] = [stamp, other].map((text) => text.split(".").map(Number));
  return mine.some((number, place) => number > theirs[place]);
};

let known = "0.0.0"; // the furthest stamp the server has told us of

/** Draw the page anew if the table is ahead of it, unless the person is doing something right now. */
export function catchUp(stamp = known) {
  if (isAhead(stamp, known)) known = stamp;
  const shown = live().dataset.stamp;
  if (shown && isAhead(known, shown) && !isHeld()) load(location.href, {});
}

/** Draw the page anew for something that has no stamp, unless the person is doing something right now. */
export function drawAnew() {
  if (!isHeld()) load(location.href, {});
}

/** Show a page because the person asked for it; nothing overtakes this. Returns whether it worked. */
export async function go(address, options = {}) {
  going += 1;
  try {
    return await load(address, options);
  } finally {
    going -= 1;
    catchUp();
  }
}

async function load(address, { push = false, scroll = false, fresh = false }) {
  const turn = ++newest;
  let answer, text;
  try {
    answer = await fetch(address, { headers: { "X-Live": "1" }, cache: "no-store" });
    text = await answer.text();
  } catch {
    return false;
  }
  if (turn !== newest) return true; // a later request has overtaken this one
  if (!answer.ok) {
    if (answer.status === 404) location.assign("/");
    return false;
  }
  const next = new DOMParser().parseFromString(text, "text/html").getElementById("live");
  if (!next) {
    location.assign(address);
    return true;
  }
  if (next.dataset.code !== live().dataset.code) known = "0.0.0";
  swap(next, fresh);
  const shown = new URL(answer.url);
  if (push && shown.href !== location.href) history.pushState(null, "", shown);
  else if (answer.redirected) history.replaceState(null, "", shown);
  if (scroll) window.scrollTo(0, 0);
  return true;
}

function swap(next, fresh) {
  const old = live();
  const focus = focusKey(document.activeElement);
  const opened = new Map([...old.querySelectorAll("details[id]")].map((d) => [d.id, d.open]));
  if (!fresh) {
    keepTicks(old, next);
    keepTyped(old, next);
  }
  for (const part of next.querySelectorAll("details[id]")) {
    if (opened.has(part.id) && part.id !== "menu") part.open = opened.get(part.id);
  }
  old.replaceWith(next);
  if (focus) next.querySelector(focus)?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("swapped"));
}

function keepTicks(old, next) {
  for (const input of old.querySelectorAll("input[id], input[type=radio]")) {
    if (input.checked === input.defaultChecked) continue;
    const key = input.id
      ? `#${CSS.escape(input.id)}`
      : `input[name="${CSS.escape(input.name)}"][value="${CSS.escape(input.value)}"]`;
    const twin = next.querySelector(key);
    if (twin) twin.checked = input.checked;
  }
}

const formKey = (form) => `${form.id} ${form.action} ${form.elements.form?.value ?? ""}`;
const isTyped = (field) =>
  field.localName === "select"
    ? [...field.options].some((option) => option.selected !== option.defaultSelected)
    : ["text", "number", "search"].includes(field.type) && field.value !== field.defaultValue;

/** What somebody has typed and not sent yet stays; forms that save themselves show what is saved. */
function keepTyped(old, next) {
  const twins = new Map([...next.querySelectorAll("form")].map((form) => [formKey(form), form]));
  for (const form of old.querySelectorAll("form:not([data-steppers])")) {
    const twin = twins.get(formKey(form));
    for (const field of twin ? [...form.elements].filter((field) => field.name && isTyped(field)) : []) {
      const other = twin.elements[field.name];
      if (other && "value" in other && other.type === field.type) other.value = field.value;
    }
  }
}

function focusKey(element) {
  if (!element || !live().contains(element)) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.name && element.value) {
    return `${element.localName}[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`;
  }
  return null;
}

let toastTimer = 0;

/** Show a sentence for a few seconds. */
export function say(text) {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (toast.hidden = true), 6000);
}

/** An id made on this phone, so that a repeated message is applied once. Works without HTTPS. */
export function newAction() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
