// A minimal virtual DOM: h() describes elements, patch() updates the page to match and reuses existing nodes,
// so that focus, input and taps in progress survive an update.

// The SVG namespace, taken from the browser so that no external address appears in the code.
const SVG = new DOMParser().parseFromString("<svg></svg>", "text/html").body.firstChild.namespaceURI;

// Return a virtual node. Props: on… are listeners, `mount` is called once with the new DOM node, `opaque`
// leaves the children alone; null, undefined and booleans among the children render nothing.
export function h(tag, props, ...children) {
  return { tag, key: props?.key ?? null, props: props ?? {}, children: flat(children) };
}

function flat(children) {
  const list = [];
  for (const child of children) {
    if (Array.isArray(child)) list.push(...flat(child));
    else if (child !== null && child !== undefined && child !== false && child !== true) list.push(child);
  }
  return list;
}

// Make the children of `parent` match the virtual nodes. Nodes with a key are matched by key, others by
// position.
export function patch(parent, wanted) {
  const keyed = new Map();
  for (const node of parent.childNodes) if (node.vkey != null) keyed.set(node.vkey, node);
  let cursor = parent.firstChild;
  const mounted = [];
  for (const want of flat([wanted])) {
    const node = match(want, cursor, keyed) ?? create(want, mounted, parent);
    if (node === cursor) cursor = cursor.nextSibling;
    else parent.insertBefore(node, cursor);
    if (typeof want === "object") update(node, want);
    else if (node.data !== String(want)) node.data = String(want);
  }
  while (cursor) {
    const next = cursor.nextSibling;
    cursor.remove();
    cursor = next;
  }
  for (const [node, mount] of mounted) mount(node);
}

function match(want, cursor, keyed) {
  if (typeof want !== "object") return cursor?.nodeType === Node.TEXT_NODE ? cursor : null;
  const node = want.key === null ? cursor : keyed.get(want.key);
  if (!node || node.vtag !== want.tag || (node.vkey ?? null) !== want.key) return null;
  return node;
}

function create(want, mounted, parent) {
  if (typeof want !== "object") return document.createTextNode(String(want));
  const drawn = want.tag === "svg" || parent.namespaceURI === SVG;
  const node = drawn ? document.createElementNS(SVG, want.tag) : document.createElement(want.tag);
  node.vtag = want.tag;
  node.vkey = want.key;
  node.vprops = {};
  if (want.props.mount) mounted.push([node, want.props.mount]);
  return node;
}

function update(node, want) {
  const before = node.vprops;
  const props = want.props;
  for (const name of Object.keys(before)) if (!(name in props)) set(node, name, null, before[name]);
  for (const [name, value] of Object.entries(props)) set(node, name, value, before[name]);
  node.vprops = props;
  if (!props.opaque) patch(node, want.children);
}

function set(node, name, value, before) {
  if (name === "key" || name === "mount" || name === "opaque") return;
  if (name === "style") {
    for (const [rule, text] of Object.entries(value ?? {})) node.style.setProperty(rule, text);
  } else if (name.startsWith("on")) {
    node[name] = value;
  } else if (name === "value" || name === "checked" || name === "disabled" || name === "open") {
    if (node[name] !== value) node[name] = value ?? "";
  } else if (value === before) {
    return;
  } else if (value === null || value === undefined || value === false) {
    node.removeAttribute(name);
  } else {
    node.setAttribute(name, value === true ? "" : value);
  }
}
