// Keeps the static files of one version of the page, and says so where the companion cannot be reached. Nothing that
// tells of a game is ever kept: the page shows what the companion says now, or that it says nothing.

const VERSION = "{{ version }}";
const KEPT = `companion-${VERSION}`;
const FILES = [{% for name in names %}"/static/{{ version }}/{{ name }}"{{ "," if not loop.last }}{% endfor %}];
const NOT_REACHED = "/not-reached";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll([...FILES, NOT_REACHED])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("companion-") && name !== KEPT).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
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
