// Photos: sent as soon as they are taken, with progress; a tap beside all cubes adds a missed one.
import { go, live, say } from "./page.js";

document.documentElement.classList.add("scripted");

function send(form) {
  const request = new XMLHttpRequest();
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.value = 0;
  form.append(bar);
  request.upload.onprogress = (event) => {
    if (event.lengthComputable) bar.value = event.loaded / event.total;
  };
  request.onload = () => {
    const answer = request.response;
    if (!answer?.ok) say(answer?.error ?? request.statusText);
    go(location.pathname + `?seat=${new FormData(form).get("seat")}`, { push: false, fresh: true });
  };
  request.onerror = () => {
    bar.remove();
    say(document.body.dataset.textLost);
  };
  request.responseType = "json";
  request.open("POST", form.action);
  request.setRequestHeader("X-Live", "1");
  request.send(new FormData(form));
}

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-photo]");
  if (form && event.target.files?.length) send(form);
});

document.addEventListener("click", (event) => {
  const picture = event.target.closest("svg[data-add]");
  if (!picture || event.target.closest("a")) return;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  const address = new URL(picture.dataset.add, location.href);
  address.searchParams.set("x", Math.round(at.x));
  address.searchParams.set("y", Math.round(at.y));
  if (live().dataset.code) go(address, { push: true });
});
