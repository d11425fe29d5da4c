// Photos: sent as soon as they are taken, with progress; a tap beside all cubes adds a missed one, and a cube
// that is dragged shows what a flick would do.
import { catchUp, go, holdWhile, live, say } from "./page.js";

document.documentElement.classList.add("scripted");

const PATIENCE_MS = 120000; // a large photo over bad Wi-Fi; after that it will not come any more

let sending = 0; // photos on their way: their progress stays in sight
holdWhile(() => sending > 0);

function send(form) {
  const request = new XMLHttpRequest();
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.value = 0;
  (form.isConnected ? form : live().querySelector("form[data-photo]"))?.append(bar);
  sending += 1;
  request.upload.onprogress = (event) => {
    if (event.lengthComputable) bar.value = event.loaded / event.total;
  };
  request.onload = () => {
    const answer = request.response;
    if (!answer?.ok) say(answer?.error ?? request.statusText);
    const here = location.pathname + `?seat=${new FormData(form).get("seat")}`;
    go(answer?.go ?? here, { push: Boolean(answer?.go), scroll: Boolean(answer?.go), fresh: true });
  };
  request.onerror = request.ontimeout = () => {
    bar.remove();
    say(document.body.dataset.textLost);
  };
  request.onloadend = () => {
    sending -= 1;
    catchUp();
  };
  request.responseType = "json";
  request.timeout = PATIENCE_MS;
  request.open("POST", form.action);
  request.setRequestHeader("X-Live", "1");
  request.send(new FormData(form));
}

/** Listen to each field itself: the page may be drawn anew while the camera is open, and a field that has
 * left the page is still the one that gets the photo. */
function awaitPhotos() {
  for (const field of live().querySelectorAll("form[data-photo] input[type=file]")) {
    field.onchange = () => {
      if (field.files.length) send(field.form);
    };
  }
}

document.addEventListener("swapped", awaitPhotos);
awaitPhotos();

const inPhoto = (picture, event) =>
  new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());

function goTo(picture, at, more) {
  const address = new URL(picture.dataset.add, location.href);
  for (const [name, value] of Object.entries({ x: Math.round(at.x), y: Math.round(at.y), ...more })) {
    address.searchParams.set(name, value);
  }
  if (live().dataset.code) go(address, { push: true });
}

const FAR_PX = 10; // a finger that moves less has tapped
let drag = null;

document.addEventListener("pointerdown", (event) => {
  const cube = event.target.closest?.("svg[data-add] a[data-cube]");
  if (!cube || event.button || !event.isPrimary) return;
  drag = { cube, picture: cube.closest("svg"), x: event.clientX, y: event.clientY, moved: false };
});

document.addEventListener("pointermove", (event) => {
  if (!drag || !event.isPrimary) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
  if (!drag.moved && far < FAR_PX) return;
  drag.moved = true;
  const from = inPhoto(drag.picture, { clientX: drag.x, clientY: drag.y });
  const to = inPhoto(drag.picture, event);
  drag.cube.classList.add("dragged");
  drag.cube.setAttribute("transform", `translate(${to.x - from.x} ${to.y - from.y})`);
});

document.addEventListener("pointerup", (event) => {
  if (drag?.moved) goTo(drag.picture, inPhoto(drag.picture, event), { flick: drag.cube.dataset.cube });
});
document.addEventListener("pointercancel", () => (drag = null));
// What was dragged is gone when the page is drawn anew.
document.addEventListener("swapped", () => (drag = null));

document.addEventListener(
  "click",
  (event) => {
    const dragged = drag?.moved;
    drag = null;
    if (dragged) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const picture = event.target.closest("svg[data-add]");
    if (picture && !event.target.closest("a")) goTo(picture, inPhoto(picture, event), {});
  },
  true,
);
document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.("svg[data-add]")) event.preventDefault();
});
