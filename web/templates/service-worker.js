// Service worker of the page: caches the static files of one version, and serves an offline page while the
// companion is unreachable. Nothing of a game is cached. In another language, it is another service worker.

const VERSION = "{{ version }}";
const KEPT = `companion-${VERSION}-{{ language }}`;
const FILES = [{% for name in names %}"/static/{{ version }}/{{ name }}"{{ "," if not loop.last }}{% endfor %}];
const NOT_REACHED = "/not-reached";

self.addEventListener("install", (event) => {
  const filled = caches.open(KEPT).then((cache) => cache.addAll([...FILES, NOT_REACHED]));
  event.waitUntil(filled.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("companion-") && name !== KEPT;
  const emptied = (names) => Promise.all(names.filter(old).map((name) => caches.delete(name)));
  const deleted = caches.keys().then(emptied);
  event.waitUntil(deleted.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(NOT_REACHED)));
  } else if (pathname.startsWith(`/static/${VERSION}/`)) {
    event.respondWith(caches.match(request, { cacheName: KEPT }).then((kept) => kept ?? fetch(request)));
  }
});
