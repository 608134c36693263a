// The cameras of this phone: a list of them, back ones first, and the one that was chosen last, kept on the
// phone.

import { t } from "../core/i18n.js";

const KEPT = "companion.lens";
const FRONT = /front|user|selfie|facetime|vorder|frontal|前面|内側/i;
const SPECIAL = /ultra|tele|macro|depth|dual|triple|fish|超広角|望遠/i;

// This device's cameras as [{id, name}], back ones first and of those the plain ones; names only where the
// camera may be used.
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

export function keptLens() {
  try {
    const { id, name } = JSON.parse(localStorage.getItem(KEPT)) ?? {};
    return typeof id === "string" && typeof name === "string" ? { id, name } : null;
  } catch {
    return null;
  }
}

export function keepLens(lens) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(lens));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}
