// The service worker: it shows a page of its own when the companion cannot be reached, and does nothing else.
// Pages of a table, live updates and photos never pass through a cache: a table of a minute ago is wrong.
// KEPT (what the offline page is made of) is put before this by the companion.

const language = new URL(self.location.href).searchParams.get("language");
const FILES = new Set(KEPT.files.map((file) => new URL(file, self.location.href).href));
// Numbers that are sent while a page closes can get lost on their way through a worker. So there is one only
// where the browser can be told to lead everything but pages past it.
const canStepAside = "addRoutes" in (self.InstallEvent?.prototype ?? {});

if (canStepAside) {
  self.addEventListener("install", (event) => {
    event.addRoutes([
      { condition: { urlPattern: new URLPattern({ search: "offline=1" }) }, source: "fetch-event" },
      {
        condition: { or: ["cors", "no-cors", "same-origin"].map((requestMode) => ({ requestMode })) },
        source: "network",
      },
    ]);
    event.waitUntil(keep().then(() => self.skipWaiting()));
  });
  self.addEventListener("activate", (event) => event.waitUntil(settle()));
  self.addEventListener("fetch", answer);
}

async function keep() {
  const cache = await caches.open(KEPT.name);
  const addresses = [...Object.values(KEPT.pages), ...KEPT.files];
  // Without cookies: what is kept knows nobody.
  await cache.addAll(addresses.map((address) => new Request(address, { credentials: "omit", cache: "reload" })));
}

async function settle() {
  for (const name of await caches.keys()) {
    if (name !== KEPT.name) await caches.delete(name);
  }
  // A page begins to load while the worker is still waking up.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

function answer(event) {
  const { request } = event;
  // A form that could not be sent is the browser's to tell: its own page offers to send it again.
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(fetchOrTell(event));
  else if (FILES.has(request.url)) event.respondWith(fromKept(request.url));
  // Everything else goes to the companion as if there were no worker.
}

async function fetchOrTell(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return fromKept(KEPT.pages[language] ?? Object.values(KEPT.pages)[0]);
  }
}

async function fromKept(address) {
  const cache = await caches.open(KEPT.name);
  return (await cache.match(address, { ignoreVary: true })) ?? fetch(address).catch(() => Response.error());
}
