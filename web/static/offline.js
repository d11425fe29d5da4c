// The page that stands in for one that could not be reached: it tries again until the companion answers.

const TRY_MS = 3000;
// Somebody who opens this very page means the companion.
const wanted = location.pathname === document.body.dataset.own ? "/" : location.href;

let timer = 0;

function go() {
  if (wanted === location.href) location.reload();
  else location.replace(wanted);
}

async function tryAgain() {
  clearTimeout(timer);
  try {
    // Any answer will do, also a refusal: the page that was asked for comes next and shows it.
    await fetch(wanted, { method: "HEAD", cache: "no-store" });
    go();
  } catch {
    timer = setTimeout(tryAgain, TRY_MS);
  }
}

document.getElementById("retry").addEventListener("click", go);
window.addEventListener("online", tryAgain);
document.addEventListener("visibilitychange", () => document.hidden || tryAgain());
timer = setTimeout(tryAgain, TRY_MS);
