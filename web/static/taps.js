// Taps: sent in the background, kept and sent again when the connection fails, applied once.
import { go, live, newAction, say } from "./page.js";
import { flush } from "./steppers.js";

const RETRY_MS = 2000;
const KEY = "pending-tap";

let sending = false;

/** Post a body until the server has answered; returns its answer. */
export async function post(address, body) {
  const sign = document.getElementById("connection");
  for (;;) {
    try {
      const answer = await fetch(address, {
        method: "POST",
        body,
        headers: { "X-Live": "1" },
        redirect: "follow",
      });
      delete sign.dataset.kept;
      sign.hidden = true;
      const isJson = answer.headers.get("Content-Type")?.includes("json");
      return isJson ? await answer.json() : { ok: answer.ok, error: answer.statusText };
    } catch {
      sign.dataset.kept = "1";
      sign.textContent = document.body.dataset.textKept;
      sign.hidden = false;
      await new Promise((wake) => setTimeout(wake, RETRY_MS));
    }
  }
}

async function deliver({ address, body, back }) {
  sessionStorage.setItem(KEY, JSON.stringify({ address, body, back }));
  const answer = await post(address, new URLSearchParams(body));
  sessionStorage.removeItem(KEY);
  if (!answer.ok) say(answer.error);
  const target = new URL(answer.go ?? back ?? location.href, location.href);
  const moves = target.href !== location.href;
  if (!(await go(target, { push: moves, scroll: moves, fresh: answer.ok }))) location.reload();
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-tap]")) return;
  event.preventDefault();
  if (sending) return;
  sending = true;
  event.submitter?.classList.add("pressed");
  const data = new FormData(form, event.submitter);
  await flush();
  data.set("tap", newAction());
  if (data.has("seen")) data.set("seen", live().dataset.version);
  await deliver({ address: form.action, body: [...data], back: data.get("back") });
  sending = false;
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  link.classList.add("pressed");
  const address = new URL(link.getAttribute("href"), location.href).href; // in a picture, href is no text
  await flush();
  const stays = "stay" in link.dataset || new URL(address).searchParams.has("place");
  if (!(await go(address, { push: true, scroll: !stays }))) location.assign(address);
});

// A tap that was under way when the page was closed or reloaded.
const pending = sessionStorage.getItem(KEY);
if (pending) {
  sending = true;
  deliver({ ...JSON.parse(pending), back: location.href }).then(() => (sending = false));
}
