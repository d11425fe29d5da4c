// Big minus/plus: numbers change at once, hold to repeat, saved together a moment later.
import { go, holdWhile, live, newAction, say } from "./page.js";
import { post } from "./taps.js";

const SAVE_AFTER_MS = 450;
const REPEAT_AFTER_MS = 420;
const REPEAT_EVERY_MS = 110;

let dirty = null; // the form with numbers that are not saved yet
let saving = null;
let saveTimer = 0;
let repeatTimer = 0;
let repeated = false;

holdWhile(() => dirty !== null || saving !== null);

function step(button) {
  const stepper = button.closest(".stepper");
  const input = stepper.querySelector("input");
  const wanted = Number(input.value || 0) + (button.value.endsWith("+") ? 1 : -1);
  input.value = Math.min(Number(input.max), Math.max(0, wanted));
  showLimits(stepper, input);
  if (button.form.matches("[data-steppers]")) soon(button.form);
}

function showLimits(stepper, input) {
  const [minus, plus] = stepper.querySelectorAll("button");
  const value = Number(input.value);
  minus.disabled = value <= 0;
  plus.disabled = value >= Number(input.max);
  input.classList.toggle("filled", value > 0);
}

function soon(form) {
  dirty = form;
  clearTimeout(saveTimer);
  saveTimer = setTimeout(flush, SAVE_AFTER_MS);
}

/** Save what is not saved yet; resolves when the server has it. */
export async function flush() {
  clearTimeout(saveTimer);
  if (saving) await saving;
  if (!dirty) return;
  saving = save();
  await saving;
}

async function save() {
  const form = dirty;
  dirty = null;
  const data = new FormData(form);
  data.set("tap", newAction());
  data.set("seen", live().dataset.version);
  const answer = await post(form.action, new URLSearchParams([...data]));
  saving = null;
  if (answer.ok) live().dataset.version = answer.version;
  else say(answer.error);
  // Numbers tapped meanwhile are on the screen only: they go first, then the page is drawn anew.
  if (!dirty) await go(location.href);
}

const stepButton = (event) => event.target.closest?.(".stepper button[name=step]");

document.addEventListener("pointerdown", (event) => {
  const button = stepButton(event);
  if (!button || event.button) return;
  repeated = false;
  clearTimeout(repeatTimer);
  repeatTimer = setTimeout(function again() {
    if (!button.isConnected || button.disabled) return;
    repeated = true;
    step(button);
    repeatTimer = setTimeout(again, REPEAT_EVERY_MS);
  }, REPEAT_AFTER_MS);
});
for (const end of ["pointerup", "pointercancel", "pointerleave", "contextmenu"]) {
  document.addEventListener(end, () => clearTimeout(repeatTimer), true);
}

document.addEventListener("click", (event) => {
  const button = stepButton(event);
  if (!button) return;
  event.preventDefault();
  if (!repeated) step(button);
  repeated = false;
});

document.addEventListener("input", (event) => {
  const stepper = event.target.closest(".stepper");
  if (!stepper) return;
  showLimits(stepper, event.target);
  if (event.target.form.matches("[data-steppers]")) soon(event.target.form);
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-steppers]")) return;
  event.preventDefault();
  soon(event.target);
  flush();
});

// Leaving the page in the half second before saving must not lose the numbers.
window.addEventListener("pagehide", () => {
  if (!dirty) return;
  const data = new FormData(dirty);
  data.set("tap", newAction());
  data.set("seen", live().dataset.version);
  navigator.sendBeacon(dirty.action, new URLSearchParams([...data]));
});
