"""Components that assign to the page's state while they are rendered, which renders others again or for ever."""

from __future__ import annotations

from playwright.sync_api import Page, Route

_STORE = "set: (target, name, value) => {"
"""In core/store.js: where a field is assigned."""
_START = "options.debounceRendering"
"""In app.js: where Preact's options are at hand, before anything is rendered."""
_SCRIPT = """
let rendered = null;
// Preact's hooks: before a component is rendered, and what comes next after its function has returned.
globalThis.watchRendering = (options) => {
  const follow = (hook, component) => {
    const before = options[hook];
    options[hook] = (...given) => {
      // Effects that are still waiting run in here, before the component itself.
      rendered = null;
      before?.(...given);
      rendered = component(...given);
    };
  };
  follow("__r", (node) => node.type.name);
  for (const hook of ["__b", "diffed", "__c", "__e", "unmount"]) follow(hook, () => null);
};
globalThis.watchAssignment = (name) => {
  if (rendered !== null) console.error(`${rendered} assigns ${name} while it is rendered`);
};
"""


def watch_rendering(page: Page) -> Page:
    """Return the page; from its next address on, each assignment to its state during a rendering is an error."""
    page.add_init_script(_SCRIPT)
    page.route("**/page/*.bundle.js", _with_hooks)
    return page


def _with_hooks(route: Route) -> None:
    response = route.fetch()
    script = response.text()
    assert script.count(_STORE) == script.count(_START) == 1, "the page's script has another form"
    script = script.replace(_STORE, f"{_STORE} watchAssignment(name);")
    route.fulfill(response=response, body=script.replace(_START, f"watchRendering(options);\n{_START}"))
