// A phone held over the table films it: one picture after the other goes to the companion, which looks whenever
// something has changed and come to rest. Browsers allow it only over HTTPS, or on the companion's own machine.
import { live, say } from "./page.js";

const PAUSE_MS = 250;
const LONGEST_PX = 1920;

let film = null; // what is being filmed: the stream, the panel, where pictures go
let starting = false;

const possible = () => window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

function offer() {
  for (const button of document.querySelectorAll("[data-film]")) button.hidden = !possible() || Boolean(film);
  for (const hint of document.querySelectorAll("[data-no-film]")) hint.hidden = possible();
}

async function begin(button) {
  const { film: address, stop: stopText, refused } = button.dataset;
  let stream;
  starting = true;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } },
    });
  } catch {
    say(refused);
    return;
  } finally {
    starting = false;
  }
  const panel = document.createElement("aside");
  panel.className = "viewfinder";
  const video = document.createElement("video");
  video.muted = video.autoplay = video.playsInline = true;
  video.srcObject = stream;
  const stop = document.createElement("button");
  stop.textContent = stopText;
  stop.addEventListener("click", stopFollowing);
  panel.append(video, stop);
  document.body.append(panel);
  const mine = { stream, panel, address, code: live().dataset.code, sent: false };
  film = mine;
  stayAwake(mine);
  offer();
  await video.play().catch(() => {});
  send(video, mine);
}

/** A phone that falls asleep sees nothing; not every browser can be asked to stay awake. */
async function stayAwake(mine) {
  try {
    mine.lock = await navigator.wakeLock?.request("screen");
    if (film !== mine) mine.lock?.release();
  } catch {
    // Then it may fall asleep.
  }
}

async function send(video, mine) {
  const canvas = document.createElement("canvas");
  while (film === mine) {
    const scale = Math.min(1, LONGEST_PX / Math.max(video.videoWidth, video.videoHeight, 1));
    canvas.width = video.videoWidth * scale;
    canvas.height = video.videoHeight * scale;
    if (canvas.width && !document.hidden) {
      canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
      const picture = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
      const form = document.querySelector("form[data-photo]") ?? document.querySelector("#followed");
      if (form && picture && film === mine) await post(form, picture, mine);
    }
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    if (live().dataset.code !== mine.code) end();
  }
}

async function post(form, picture, mine) {
  const fields = new FormData(form);
  fields.set("photo", picture, "table.jpg");
  if (!mine.sent) fields.set("first", "yes");
  try {
    const answer = await fetch(mine.address, { method: "POST", body: fields, headers: { "X-Live": "1" } });
    const said = await answer.json();
    if (film !== mine) return;
    mine.sent = true;
    if (!answer.ok) say(said.error);
    // Somebody stopped it on another phone, or took a photo instead.
    if (!answer.ok || !said.followed) end();
  } catch {
    // The line is down; live.js tells it, and the next picture tries again.
  }
}

function end() {
  if (!film) return;
  for (const track of film.stream.getTracks()) track.stop();
  film.lock?.release();
  film.panel.remove();
  film = null;
  offer();
}

function stopFollowing() {
  end();
  const followed = document.querySelector("#followed");
  followed?.requestSubmit(followed.querySelector("button"));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-film]");
  if (button && !film && !starting) begin(button);
});
document.addEventListener("submit", (event) => {
  if (event.target.id === "followed") end();
});
document.addEventListener("swapped", offer);
window.addEventListener("pagehide", end);
offer();
