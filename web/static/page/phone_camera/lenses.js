// Lists the cameras (lenses) of this phone and stores the chosen one in localStorage.

import { t } from "../core/text/i18n.js";

const KEPT = "companion.lens";
const FRONT = /front|user|selfie|facetime|vorder|frontal|前面|内側/i;
const SPECIAL = /ultra|tele|macro|depth|dual|triple|fish|超広角|望遠/i;

// Return this device's cameras as [{id, name}]: rear ones first, standard lenses before special ones. Names
// need camera permission.
export async function listLenses() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const cameras = devices.filter(({ kind }) => kind === "videoinput");
  const named = cameras.map((device, index) => ({
    id: device.deviceId,
    name: device.label || t("camera {name}", { name: index + 1 }),
    rank: rank(device),
  }));
  return named.sort((one, other) => one.rank - other.rank).map(({ id, name }) => ({ id, name }));
}

function rank(device) {
  const facing = device.getCapabilities?.().facingMode ?? [];
  if (facing.includes("user") || FRONT.test(device.label)) return 2;
  return SPECIAL.test(device.label) ? 1 : 0;
}

// Return the stored lens as {id, name}, or null.
export function keptLens() {
  try {
    const { id, name } = JSON.parse(localStorage.getItem(KEPT)) ?? {};
    return typeof id === "string" && typeof name === "string" ? { id, name } : null;
  } catch {
    return null;
  }
}

// Store the lens.
export function keepLens(lens) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(lens));
  } catch {
    // Without storage the choice is lost on reload.
  }
}
